"""Averages of gain vectors: what a list has given its reader so far, averaged over the ranks."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201, ANN202 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import (
    array_namespace,
    defined,
    gain_of,
    ideal_gain,
    joined,
    mean_weight,
    pick,
    ratio,
)
from assay.measures.discounts import DIVISOR, original
from assay.measures.registry import measure

PAPER = "Järvelin & Kekäläinen 2002, {}, https://doi.org/10.1145/582415.582418"
REGION = (
    "@k averages over the ranks 1 to k, @[a..b] over the ranks a to b. The ranks beyond a shorter "
    "list's end gain nothing."
)
ZHOU = " Zhou & Yao call this mean ndcg (https://doi.org/10.1007/s10844-009-0096-5, section 5.4)."


def average(grade, rank, divisor, gain, gains, seen, tie_first, tie_last):
    """Each discounted gain times the share seen(rank) of the average that it enters."""
    worth = gain_of(grade, gain=gain, gains=gains)
    weights = mean_weight(lambda i: seen(i) / divisor(i), rank, tie_first, tie_last)
    return array_namespace(worth).sum(worth * weights, axis=-1)


def seen_from(start, k):
    """Share of the ranks start to k at which a gain of a rank has been cumulated."""

    def seen(rank):
        xp = array_namespace(rank)
        return xp.clip(k + 1 - xp.clip(rank, start), 0) / (k - start + 1.0)

    return seen


def relative_from(start, k, best, divisor):
    """The same where the vector is divided by the ideal's, component by component."""
    xp = array_namespace(best)
    best = joined(best, xp.zeros((1,), dtype=best.dtype, device=best.device))
    n = best.shape[-1]  # from here on the ideal is flat
    places = xp.arange(1, n + 1, dtype=best.dtype, device=best.device)
    inverse = ratio(1.0, xp.cumulative_sum(best / divisor(places), axis=-1), empty=0.0)
    running = xp.cumulative_sum(inverse, axis=-1, include_initial=True)

    def until(rank):
        return pick(running, xp.clip(rank, 0, n)) + xp.clip(rank - n, 0) * inverse[..., -1:]

    end = until(xp.asarray([float(k)], dtype=best.dtype, device=best.device))
    return lambda rank: (end - until(xp.clip(rank - 1, start - 1, k))) / (k - start + 1.0)


@measure(
    "AvgCG",
    formula="mean of CG@i over the ranks i = 1, ..., k",
    paper=PAPER.format("eq. 1 and 6"),
    cutoff="required",
    high=inf,
    notes=REGION,
)
def avg_cg(grade, rank, *, k, start=1, gain="linear", gains=None, tie_first=None, tie_last=None):
    """Cumulated gain, averaged over the ranks.

    >>> from numpy import arange, array
    >>> g = array([3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0])  # CG' is 3 5 8 8 8 9 11 13 16 16
    >>> print(avg_cg(g, arange(1.0, 11), k=10), avg_cg(g, arange(1.0, 11), start=9, k=10))
    9.7 16.0
    """
    none, seen = DIVISOR["none"], seen_from(start, k)
    return average(grade, rank, none, gain, gains, seen, tie_first, tie_last)


@measure(
    "AvgDCG_JK",
    formula="mean of DCG_JK@i over the ranks i = 1, ..., k",
    paper=PAPER.format("eq. 2 and 6"),
    cutoff="required",
    high=inf,
    notes=REGION,
)
def avg_dcg_jk(
    grade, rank, *, k, start=1, b=2, gain="linear", gains=None, tie_first=None, tie_last=None
):
    """Discounted cumulated gain, averaged over the ranks.

    >>> from numpy import arange, array
    >>> g = array([3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0])  # DCG' is 3, 5, 6.8928, ...
    >>> print(avg_dcg_jk(g, arange(1.0, 11), k=3))
    4.9643
    """
    discount, seen = original(b), seen_from(start, k)
    return average(grade, rank, discount, gain, gains, seen, tie_first, tie_last)


@measure(
    "AvgnCG",
    formula="mean of nCG@i over the ranks i = 1, ..., k",
    paper=PAPER.format("eq. 5 and 6"),
    cutoff="required",
    undefined="no document with a gain",
    notes=REGION,
)
def avg_ncg(
    grade, rank, base, *, k, start=1, gain="linear", gains=None, tie_first=None, tie_last=None
):
    """Normalised cumulated gain, averaged over the ranks.

    >>> from numpy import arange, array
    >>> g = array([3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0])  # the paper's G' and I'
    >>> print(avg_ncg(g, arange(1.0, 11), array([3.0, 3, 3, 2, 2, 2, 1, 1, 1, 1]), k=10))
    0.78481
    """
    best, none = ideal_gain(base, gain=gain, gains=gains), DIVISOR["none"]
    seen = relative_from(start, k, best, none)
    mean = average(grade, rank, none, gain, gains, seen, tie_first, tie_last)
    return defined(mean, array_namespace(best).sum(best, axis=-1))


@measure(
    "AvgnDCG_JK",
    formula="mean of nDCG_JK@i over the ranks i = 1, ..., k",
    paper=PAPER.format("eq. 5 and 6"),
    cutoff="required",
    undefined="no document with a gain",
    notes=REGION + ZHOU,
)
def avg_ndcg_jk(
    grade,
    rank,
    base,
    *,
    k,
    start=1,
    b=2,
    gain="linear",
    gains=None,
    tie_first=None,
    tie_last=None,
):
    """Normalised discounted cumulated gain, averaged over the ranks.

    >>> from numpy import arange, array
    >>> ur = array([0.6, 0.5, 0.4, 0.3, 0.1])
    >>> print(avg_ndcg_jk(array([0.6, 0.5, 0.3, 0.2, 0.1]), arange(1.0, 6), ur, k=5))
    0.96
    """
    best, discount = ideal_gain(base, gain=gain, gains=gains), original(b)
    seen = relative_from(start, k, best, discount)
    mean = average(grade, rank, discount, gain, gains, seen, tie_first, tie_last)
    return defined(mean, array_namespace(best).sum(best, axis=-1))
