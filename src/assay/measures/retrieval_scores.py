"""Measures on the scores themselves: whether the system was as sure as it was right."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from assay.measures.arrays import array_namespace, indicator, ratio
from assay.measures.parameters import Parameter, choice
from assay.measures.registry import measure
from assay.measures.scaling import RANGE, scaled

PAPER = (
    "Imafouo & Tannier 2005, Retrieval Status Values in Information Retrieval Evaluation, section 3"
)
OPTIONS = {
    "norm": Parameter(
        choice("minmax", "max"), "how scores come to 0..1: by smallest and largest, or the largest"
    ),
    "short": Parameter(
        choice("empty", "pad", "retrieved"),
        "lists shorter than n: empty ranks add nothing, are nonrelevant documents of score 0 "
        "(pad), or n is the number retrieved",
    ),
}
SCALED = {"tail": "the smallest score of the list is that of its last document"}
BEST = SCALED | {"ideal": "the last document of a list has the scaled score 0, be it relevant"}
CUT = {"swap": "a relevant document of low score may push out a nonrelevant one of low score"}
NOTES = RANGE + (
    "The paper divides by the largest score, taking scores to start at 0; minmax is the default "
    "here since it fits every run. p is 1 for a relevant document, else 0. Where s' is 1 "
    "throughout, r1, r2 and r3 are P@n. "
)


def parts(grade, rank, retrieved, score, scores, k, rel, norm, short):
    """Sums to rank n of s' p, of s' (1 - p), of p and of 1, and the divisor n."""
    xp = array_namespace(grade)
    place = xp.arange(1, scores.shape[-1] + 1, dtype=scores.dtype, device=scores.device)
    listed = (scores == scores) & (place <= k)  # noqa: PLR0124 - padding is NaN
    every = xp.where(listed, scaled(scores, scores, norm), xp.zeros_like(scores))
    hit = indicator(grade >= rel, grade) * indicator(rank <= k, rank)
    right = xp.sum(hit * scaled(score, scores, norm), axis=-1)
    shown = xp.minimum(retrieved, xp.full_like(retrieved, k))
    ranks = xp.full_like(shown, k) if short == "pad" else shown
    n = shown if short == "retrieved" else xp.full_like(shown, k)
    wrong = xp.clip(xp.sum(every, axis=-1) - right, 0)
    return right, wrong, xp.sum(hit, axis=-1), ranks, n


@measure(
    "RSVr1",
    formula="sum to rank n of s' p / n",
    paper=PAPER,
    cutoff="required",
    parameters=OPTIONS,
    exempt=BEST,
    notes=NOTES,
)
def rsv_r1(grade, rank, retrieved, score, scores, *, norm="minmax", short="empty", k, rel=1):
    """Success by scores: the mean scaled score of the relevant among the first n.

    >>> from numpy import array
    >>> grade, rank, s = array([1.0, 1, 1]), array([1.0, 3, 5]), array([10.0, 8, 5, 2, 0])
    >>> print(rsv_r1(grade, rank, array(5.0), s[::2], s, k=5))  # by hand: s' = 1 .8 .5 .2 0
    0.3
    """
    right, _, _, _, n = parts(grade, rank, retrieved, score, scores, k, rel, norm, short)
    return ratio(right, n, empty=0.0)


@measure(
    "RSVe1",
    formula="sum to rank n of s' (1 - p) / n",
    paper=PAPER,
    cutoff="required",
    parameters=OPTIONS,
    higher_is_better=False,
    worst=1.0,
    exempt=SCALED,
    notes=NOTES,
)
def rsv_e1(grade, rank, retrieved, score, scores, *, norm="minmax", short="empty", k, rel=1):
    """Failure by scores: the mean scaled score of the nonrelevant among the first n.

    >>> from numpy import array
    >>> grade, rank, s = array([1.0, 1, 1]), array([1.0, 3, 5]), array([10.0, 8, 5, 2, 0])
    >>> print(rsv_e1(grade, rank, array(5.0), s[::2], s, k=5))  # by hand: s' = 1 .8 .5 .2 0
    0.2
    """
    _, wrong, _, _, n = parts(grade, rank, retrieved, score, scores, k, rel, norm, short)
    return ratio(wrong, n, empty=0.0)


@measure(
    "RSVr2",
    formula="sum to rank n of s' p + (1 - s')(1 - p) / n",
    paper=PAPER,
    cutoff="required",
    parameters=OPTIONS,
    exempt=BEST | CUT,
    notes=NOTES,
)
def rsv_r2(grade, rank, retrieved, score, scores, *, norm="minmax", short="empty", k, rel=1):
    """Success by scores: relevant documents of high score, nonrelevant ones of low score.

    >>> from numpy import array
    >>> grade, rank, s = array([1.0, 1, 1]), array([1.0, 3, 5]), array([10.0, 8, 5, 2, 0])
    >>> print(rsv_r2(grade, rank, array(5.0), s[::2], s, k=5))  # by hand: s' = 1 .8 .5 .2 0
    0.5
    """
    right, wrong, found, ranks, n = parts(
        grade, rank, retrieved, score, scores, k, rel, norm, short
    )
    return ratio(right + ranks - found - wrong, n, empty=0.0)


@measure(
    "RSVe2",
    formula="sum to rank n of s' (1 - p) + (1 - s') p / n",
    paper=PAPER,
    cutoff="required",
    parameters=OPTIONS,
    higher_is_better=False,
    worst=1.0,
    exempt=BEST | CUT,
    notes=NOTES + "For lists of at least n documents it is 1 - RSVr2.",
)
def rsv_e2(grade, rank, retrieved, score, scores, *, norm="minmax", short="empty", k, rel=1):
    """Failure by scores: nonrelevant documents of high score, relevant ones of low score.

    >>> from numpy import array
    >>> grade, rank, s = array([1.0, 1, 1]), array([1.0, 3, 5]), array([10.0, 8, 5, 2, 0])
    >>> print(rsv_e2(grade, rank, array(5.0), s[::2], s, k=5))  # by hand: s' = 1 .8 .5 .2 0
    0.5
    """
    right, wrong, found, _, n = parts(grade, rank, retrieved, score, scores, k, rel, norm, short)
    return ratio(wrong + found - right, n, empty=0.0)


@measure(
    "RSVr3",
    formula="sum to rank n of p + (1 - s')(1 - p) / n",
    paper=PAPER,
    cutoff="required",
    parameters=OPTIONS,
    exempt=BEST,
    notes=NOTES + "Printed with s for s'. For lists of at least n documents it is 1 - RSVe1.",
)
def rsv_r3(grade, rank, retrieved, score, scores, *, norm="minmax", short="empty", k, rel=1):
    """Success by scores: relevant documents, and nonrelevant ones of low score.

    >>> from numpy import array
    >>> grade, rank, s = array([1.0, 1, 1]), array([1.0, 3, 5]), array([10.0, 8, 5, 2, 0])
    >>> print(rsv_r3(grade, rank, array(5.0), s[::2], s, k=5))  # by hand: s' = 1 .8 .5 .2 0
    0.8
    """
    _, wrong, _, ranks, n = parts(grade, rank, retrieved, score, scores, k, rel, norm, short)
    return ratio(ranks - wrong, n, empty=0.0)
