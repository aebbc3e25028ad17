"""SMART's measures: how far the ranks of the relevant documents are from the first ones."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import nan

from assay.measures.arrays import array_namespace, count, defined, indicator, ratio
from assay.measures.collection import (
    COLLECTION,
    GROWS,
    TAIL,
    log_factorial,
    over_relevant,
    size,
    sum_to,
)
from assay.measures.registry import measure

ROCCHIO = (
    "Rocchio 1966, ISR-10; Keen 1966, ISR-13, p. II-7; Salton & Lesk 1968, "
    "https://doi.org/10.1145/321439.321441"
)
NONE = "no relevant document"
ALL = "no relevant document; with N: no other"
NOTES = COLLECTION + TAIL
PERFECT = "Without N a list that shows relevant documents alone is perfect. "


def ranks(grade, rank, base, judged, retrieved, N, rel, unretrieved, tie_first, tie_last):
    """R, the size of the collection, and the sum of the ranks of all relevant documents."""
    hit, relevant = indicator(grade >= rel, grade), count(base >= rel, base)
    n = size(N, rank, judged, retrieved)
    where = (hit, relevant, rank, retrieved, n, unretrieved, tie_first, tie_last)
    return relevant, n, over_relevant(lambda i: i, sum_to, *where)


def log_ranks(grade, rank, base, judged, retrieved, N, rel, unretrieved, tie_first, tie_last):
    """R, the size of the collection, and the sum of the logarithms of the ranks."""
    hit, relevant = indicator(grade >= rel, grade), count(base >= rel, base)
    n = size(N, rank, judged, retrieved)
    where = (hit, relevant, rank, retrieved, n, unretrieved, tie_first, tie_last)
    return relevant, n, over_relevant(array_namespace(rank).log, log_factorial, *where)


def log_binomial(n, relevant, base):
    """Ln n! / ((n - R)! R!)."""
    xp = array_namespace(base)
    i = xp.arange(1, base.shape[-1] + 1, dtype=base.dtype, device=base.device)
    factor = (xp.clip(n - relevant, 0)[..., None] + i) / i
    here = i <= relevant[..., None]
    return xp.sum(xp.where(here, xp.log(factor), xp.zeros_like(factor)), axis=-1)


@measure(
    "NormR",
    formula="1 - (sum r_i - sum i) / (R (N - R)), r_i the ranks of the R relevant of N documents",
    paper=ROCCHIO,
    undefined=ALL,
    exempt=GROWS,
    notes=NOTES + PERFECT + "It is the area under the ROC curve.",
)
def norm_recall(
    grade,
    rank,
    base,
    judged,
    retrieved,
    *,
    N=None,
    rel=1,
    unretrieved="tied",
    tie_first=None,
    tie_last=None,
):
    """Normalised recall: 1 for the best order of the collection, 0 for the worst.

    >>> from numpy import array
    >>> r = array([1.0, 2, 4, 6, 13])  # ISR-13, figure 3: 5 relevant of 200 documents
    >>> print(norm_recall(r / r, r, r / r, array(5.0), array(13.0), N=200))
    0.9887
    """
    R, n, places = ranks(
        grade, rank, base, judged, retrieved, N, rel, unretrieved, tie_first, tie_last
    )
    lost = ratio(places - sum_to(R), R * (n - R), empty=0.0 if N is None else nan)
    return defined(1 - lost, R)


@measure(
    "NormP",
    formula="1 - (sum ln r_i - sum ln i) / ln(N! / ((N - R)! R!))",
    paper=ROCCHIO,
    undefined=ALL,
    exempt=GROWS,
    notes=NOTES + PERFECT,
)
def norm_precision(
    grade,
    rank,
    base,
    judged,
    retrieved,
    *,
    N=None,
    rel=1,
    unretrieved="tied",
    tie_first=None,
    tie_last=None,
):
    """Normalised precision: as normalised recall, with the logarithms of the ranks.

    >>> from numpy import array
    >>> r = array([1.0, 2, 4, 6, 13])  # ISR-13, figure 3, which cuts it to .9238
    >>> print(norm_precision(r / r, r, r / r, array(5.0), array(13.0), N=200))
    0.92386
    """
    R, n, places = log_ranks(
        grade, rank, base, judged, retrieved, N, rel, unretrieved, tie_first, tie_last
    )
    empty = 0.0 if N is None else nan
    return defined(1 - ratio(places - log_factorial(R), log_binomial(n, R, base), empty), R)


@measure(
    "RankR",
    formula="sum i / sum r_i, r_i the ranks of the R relevant documents, i = 1, ..., R",
    paper=ROCCHIO,
    undefined=NONE,
    exempt=GROWS,
    notes=NOTES + "Its lowest value is above 0, and nearer to it the larger the collection.",
)
def rank_recall(grade, rank, base, judged, retrieved, *, N=None, rel=1, unretrieved="tied"):
    """Rank recall: sum of the best ranks over the sum of the ranks.

    >>> from numpy import array
    >>> r = array([1.0, 3, 7])  # 6/11
    >>> print(rank_recall(r / r, r, r / r, array(3.0), array(10.0)))
    0.5455
    """
    R, _, places = ranks(grade, rank, base, judged, retrieved, N, rel, unretrieved, None, None)
    return ratio(sum_to(R), places)


@measure(
    "LogP",
    formula="sum ln i / sum ln r_i",
    paper=ROCCHIO,
    undefined=NONE,
    exempt=GROWS,
    notes=NOTES + "A single relevant document has 1 at rank 1, and 0 at any other.",
)
def log_precision(grade, rank, base, judged, retrieved, *, N=None, rel=1, unretrieved="tied"):
    """Log precision: as rank recall, with the logarithms of the ranks.

    >>> from numpy import array
    >>> r = array([1.0, 3, 7])
    >>> print(log_precision(r / r, r, r / r, array(3.0), array(10.0)))
    0.5885
    """
    R, _, places = log_ranks(grade, rank, base, judged, retrieved, N, rel, unretrieved, None, None)
    return defined(ratio(log_factorial(R), places, empty=1.0), R)
