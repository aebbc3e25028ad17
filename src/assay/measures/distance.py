"""Distances between the order that a user wants and the one that a system gives."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201, ANN202 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, defined, indicator, ratio
from assay.measures.cascade import top
from assay.measures.parameters import Parameter, choice, number
from assay.measures.registry import measure
from assay.measures.scaling import RANGE, scaled
from assay.measures.weak_orders import pairs

ZHOU = "Zhou & Yao 2010, {}, https://doi.org/10.1007/s10844-009-0096-5"
YAO = "Yao 1995, https://doi.org/10.1002/(SICI)1097-4571(199503)46:2%3C133::AID-ASI6%3E3.0.CO;2-Z; "
LEVEL = (
    "Over the judged documents. Those not retrieved are one last level; unretrieved='worst' puts "
    "them last in the worst order. Equal scores are ties of the system under every policy but best "
    "and worst. A system that ties everything has {}. Unjudged documents are left out. "
)
PASSES = {"swap": "a document that changes places with one nobody judged may pass better ones"}
NO_PAIR = "the user prefers no document to another: all judged documents have one grade"
SCALE = {
    "norm": Parameter(
        choice("minmax", "max", "none"),
        "how scores come to 0..1: minmax, max, or none (they and the grades are taken as they are)",
    ),
    "N": Parameter(
        number(1, whole=True, optional=True),
        "documents in the collection, all of which count; without it the judged ones count",
    ),
}


def ndpm_of_pairs(better, worse, *, unretrieved="tied"):
    """NDPM from preferences: the ranks of both documents of each pair, one rank to each level.

    >>> from numpy import array
    >>> print(ndpm_of_pairs(array([1.0, 1, 3]), array([2.0, 1, 2])))  # (2 x 1 + 1) / (2 x 3)
    0.5
    """
    against, level = better > worse, better == worse
    if unretrieved == "worst":
        against, level = against | (level & (better == inf)), level & (better < inf)
    count = array_namespace(better).count_nonzero
    ordered = count(better == better, axis=-1)  # noqa: PLR0124 - padding is NaN
    counts = (2 * count(against, axis=-1) + count(level, axis=-1), 2 * ordered)
    return ratio(*(array_namespace(better).astype(number, better.dtype) for number in counts))


def ndpm_performance_of_pairs(better, worse, *, unretrieved="tied"):
    """NDPMp from preferences."""
    return 1 - ndpm_of_pairs(better, worse, unretrieved=unretrieved)


@measure(
    "NDPM",
    formula="(2 C- + Cu) / 2C: of the C pairs that the user orders, C- stand the other way round "
    "and Cu on one level",
    paper=YAO + ZHOU.format("section 5.7, example 6"),
    higher_is_better=False,
    worst=1.0,
    undefined=NO_PAIR,
    scale="ordinal",
    weak=True,
    from_preferences=ndpm_of_pairs,
    exempt=PASSES,
    notes=LEVEL.format("1/2"),
)
def ndpm(grade, rank, tie_first, missed, *, unretrieved="tied"):
    """Normalised distance-based performance measure: distance to the closest acceptable ranking.

    >>> from numpy import array
    >>> user = array([4.0, 3, 4, 2, 1, 2])  # the system has {d1 d3} {d2 d5} {d6} {d4}
    >>> levels, ranks = array([1.0, 1, 3, 3, 5, 6]), array([1.0, 2, 3, 4, 5, 6])
    >>> print(ndpm(user, ranks, levels, array([-1.0])))  # (2 x 2 + 2) / (2 x 13)
    0.231
    """
    p = pairs(grade, rank, tie_first, missed, unretrieved)
    return ratio(2 * p.against + p.level, 2 * p.ordered)


@measure(
    "NDPMp",
    formula="1 - NDPM",
    paper=YAO + ZHOU.format("section 5.7, example 6; the column ndpm of its tables"),
    undefined=NO_PAIR,
    scale="ordinal",
    weak=True,
    from_preferences=ndpm_performance_of_pairs,
    exempt=PASSES,
    notes=LEVEL.format("1/2"),
)
def ndpm_performance(grade, rank, tie_first, missed, *, unretrieved="tied"):
    """Performance by NDPM: the share of the user's preferences that the system meets.

    >>> from numpy import array
    >>> user = array([4.0, 3, 4, 2, 1, 2])  # the system has {d1 d3} {d2 d5} {d6} {d4}
    >>> levels, ranks = array([1.0, 1, 3, 3, 5, 6]), array([1.0, 2, 3, 4, 5, 6])
    >>> print(ndpm_performance(user, ranks, levels, array([-1.0])))  # 1 - 3/13
    0.769
    """
    return 1 - ndpm(grade, rank, tie_first, missed, unretrieved=unretrieved)


@measure(
    "ADM",
    formula="1 - sum over documents of |score - grade| / number of documents, both from 0 to 1; no "
    "difference counts more than 1",
    paper="Mizzaro 2001; " + ZHOU.format("section 5.8, and 6.1 for the example"),
    parameters=SCALE,
    undefined="no judged document",
    weak=True,
    exempt={
        "ideal": "scores count, not ranks: documents of one grade should have one score",
        "swap": "a document that moves up gets a higher score, which may be too high",
        "tail": "the smallest and the largest score may be those of documents without a judgment",
    },
    notes=RANGE + "Grades are divided by max, the top of their scale. norm='none' takes scores and "
    "grades as they are, which suits those from 0 to 1. A document not retrieved has the score 0. "
    "Without N over the judged documents; with N over all, of which those nobody judged have grade "
    "0.",
)
def adm(grade, rank, base, judged, score, scores, *, norm="minmax", max=None, N=None):  # noqa: A002
    """Average distance measure: how near the scores are to the grades.

    >>> from numpy import array
    >>> user, score = array([0.3, 0.2, 0.1]), array([0.6, 0.4, 0.2])
    >>> print(adm(user, array([1.0, 2, 3]), user, array(3.0), score, score, norm="none"))
    0.8
    """
    xp, real = array_namespace(grade), indicator(rank < inf, rank)
    best = 1.0 if norm == "none" else top(max, "ADM")
    given, wanted = real * scaled(score, scores, norm), grade / best

    def summed(difference):
        return xp.sum(xp.clip(xp.abs(difference), 0, 1), axis=-1)

    far = summed(given - wanted) - summed(wanted) + summed(base / best)
    if N is None:
        return defined(1 - ratio(far, judged, empty=0.0), judged)
    listed = scores == scores  # noqa: PLR0124 - padding is NaN
    every = xp.where(listed, scaled(scores, scores, norm), xp.zeros_like(scores))
    return 1 - (far + summed(every) - summed(given)) / N
