"""Average precision: precision at each relevant document, averaged over all that there are."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import (
    Array,
    array_namespace,
    at_rank,
    count,
    count_above,
    extent,
    gain_of,
    group_counts,
    ideal_gain,
    indicator,
    mean_weight,
    ratio,
    total,
    within,
)
from assay.measures.registry import measure

NONE = "no relevant document"
EPSILON = 1e-5  # trec_eval's INFAP_EPSILON


def divisor(relevant: Array, norm: str, k: float) -> Array:
    """R, or the smaller of R and k."""
    xp = array_namespace(relevant)
    return relevant if norm == "R" else xp.minimum(relevant, xp.full_like(relevant, k))


def expected_precision(
    hit: Array, rank: Array, k: float, tie_first: Array, tie_last: Array
) -> Array:
    """Precision at a relevant document, averaged over the orders of its tie group.

    With t relevant documents before a group of s with r, one that lands on rank i of the group's
    ranks f, f + 1, ... has (i - f)(r - 1)/(s - 1) of them before it on average.
    """
    t, r = group_counts(hit, rank, tie_first, tie_last)
    f, last = extent(rank, tie_first, tie_last)
    slope = ratio(r - 1, last - f, empty=0.0)
    inverse = mean_weight(lambda i: indicator(i <= k, i) / i, rank, tie_first, tie_last)
    return (t + 1 - slope * f) * inverse + slope * within(k, rank, tie_first, tie_last)


@measure(
    "AP",
    formula="sum of precision at the ranks of the relevant documents among the first k / R",
    paper="Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543",
    undefined=NONE,
    notes="AP@k is divided by R as in trec_eval's map_cut and ranx; norm='min' divides by the "
    "smaller of R and k, as Spark and NTCIREVAL do.",
)
def ap(grade, rank, base, *, rel=1, norm="R", k=inf, tie_first=None, tie_last=None):
    """Average precision: precision at each relevant document, 0 for those not shown.

    >>> from numpy import array
    >>> base = array([1.0, 1, 1])
    >>> print(ap(array([1.0, 0, 1]), array([1.0, 2, 3]), base))  # (1/1 + 2/3 + 0) / 3
    0.556
    """
    xp = array_namespace(grade)
    hit = indicator(grade >= rel, grade)
    if tie_first is None:
        precision = xp.cumulative_sum(hit, axis=-1) / rank
        precision = precision if k == inf else indicator(rank <= k, rank) * precision
    else:
        precision = expected_precision(hit, rank, k, tie_first, tie_last)
    return ratio(total(hit * precision), divisor(count(base >= rel, base), norm, k))


@measure(
    "infAP",
    formula="(1/R) sum over relevant documents, at ranks i, of "
    "1/i + (i - 1)/i x (a + u)/(i - 1) x (h + e)/(a + 2e); "
    "before each stand a judged documents, h of them relevant, and u pooled but not judged",
    paper="Yilmaz & Aslam 2006, https://doi.org/10.1145/1183614.1183633",
    undefined=NONE,
    exempt={
        "swap": "a document pooled but not judged is taken for as relevant as those judged above it"
    },
    notes="trec_eval's form, e = 0.00001; documents of grade -1 are pooled but not judged.",
)
def inf_ap(grade, rank, base, pooled, *, rel=1):
    """Inferred average precision, for a pool of which only a sample was judged.

    >>> from numpy import array
    >>> base = array([1.0, 1, 0])  # ranks 1 and 4, one document at rank 2 pooled but not judged
    >>> print(inf_ap(array([1.0, 0, 1]), array([1.0, 3, 4]), base, array([2.0])))
    0.813
    """
    xp = array_namespace(grade)
    hit = indicator(grade >= rel, grade)
    h = xp.cumulative_sum(hit, axis=-1) - hit
    a = xp.arange(0, grade.shape[-1], dtype=grade.dtype, device=grade.device)
    u = count_above(-pooled, -rank)
    chance = (h + EPSILON) / (a + 2 * EPSILON)
    above = xp.where(rank < inf, rank - 1, xp.zeros_like(rank))
    known = ratio(a + u, above, empty=0.0)
    inferred = 1 / (above + 1) + above / (above + 1) * known * chance
    return ratio(total(hit * inferred), count(base >= rel, base))


@measure(
    "Q",
    formula="sum over relevant documents at ranks i <= k of (C(i) + beta cg(i)) / (i + beta cg*(i))"
    ", over min(R, k); C counts relevant documents, cg cumulates gains, cg* those of the ideal",
    paper="Sakai 2007, https://doi.org/10.1016/j.ipm.2006.07.020; "
    "with a cut-off Sakai & Song 2011, https://doi.org/10.1145/2009916.2010055",
    undefined=NONE,
    exempt={
        "swap": "a relevant document of small gain, moved before others of large gain, is judged "
        "by a small share of the ideal"
    },
    notes="NTCIREVAL's Q-measure. norm='R' divides Q@k by R.",
)
def q(grade, rank, base, *, beta=1, rel=1, gain="linear", gains=None, norm="min", k=inf):
    """Q-measure: average precision in which precision is blended with cumulated gain.

    >>> from numpy import array
    >>> base = array([2.0, 1])
    >>> print(q(array([1.0, 2]), array([1.0, 3]), base))  # (2/3 + (2+3)/(3+3)) / 2
    0.75
    """
    xp = array_namespace(grade)
    hit = indicator((grade >= rel) & (rank <= k), grade)
    cg = xp.cumulative_sum(gain_of(grade, gain=gain, gains=gains), axis=-1)
    ideal = xp.cumulative_sum(ideal_gain(base, gain=gain, gains=gains), axis=-1)
    blended = (xp.cumulative_sum(hit, axis=-1) + beta * cg) / (rank + beta * at_rank(ideal, rank))
    return ratio(xp.sum(hit * blended, axis=-1), divisor(count(base >= rel, base), norm, k))
