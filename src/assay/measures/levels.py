"""Measures that do not depend on how many relevance levels a scale has."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, count_above, largest, pick, ratio
from assay.measures.discounts import DIVISOR, cumulate, ideal
from assay.measures.parameters import Parameter, number
from assay.measures.registry import measure
from assay.measures.weak_orders import earlier_below

SCHEEL = "Scheel, Lommatzsch & Albayrak 2011, {}, https://ceur-ws.org/Vol-781/paper7.pdf"
NONE = "no document of a grade above 0"
TOP = {
    "max": Parameter(
        number(0, open_low=True, optional=True),
        "top of the grade scale; without it the best grade judged for the topic",
    )
}


@measure(
    "muAP",
    formula="sum of d_t AP(rel=t) / sum of d_t over the grades t used in the topic's judgments; "
    "d_t is the distance to the next lower grade used, of the lowest its own value",
    paper=SCHEEL.format("eq. 4"),
    undefined=NONE,
    notes="AP where the grades used are 0 and 1. Where even the lowest grade used is above 0 it is "
    "a threshold that every judged document passes. A scale that starts below 0 must be shifted "
    "first, as the paper says.",
)
def mu_ap(grade, rank, base):
    """Average precision at every relevance level, weighted by the distances of the levels.

    >>> from numpy import arange, array
    >>> grade = array([1.0, 0, 3, 3, 2, 0, 1, 4])  # table 1, A to H
    >>> print(mu_ap(grade, arange(1.0, 9), array([4.0, 3, 3, 2, 1, 1, 0, 0])))
    0.448
    """
    # d_t / R_t, added up over the thresholds t that a grade passes: the pair of a relevant document
    # and one before it counts for the thresholds that both pass, so for the smaller of the two sums
    xp, n = array_namespace(base), base.shape[-1]
    i = xp.arange(1, n + 1, dtype=base.dtype, device=base.device)
    distance = base - xp.concat([base[..., 1:], xp.zeros_like(base[..., :1])], axis=-1)
    passed = xp.cumulative_sum(xp.flip(distance / i, axis=-1), axis=-1, include_initial=True)
    weight = pick(passed, n - count_above(base, grade))
    smaller = earlier_below(weight, xp.ones_like(weight))
    before = xp.arange(1, weight.shape[-1] + 1, dtype=weight.dtype, device=weight.device)
    both = earlier_below(weight, weight) + weight * (before - smaller)
    return ratio(xp.sum(both / rank, axis=-1), largest(base))


@measure(
    "NDCNG",
    formula="sum to rank k of (2^(grade/m) - 1) / log(rank + 1), over the ideal's; m is the best "
    "grade of the topic",
    paper=SCHEEL.format("eq. 5"),
    parameters=TOP,
    undefined=NONE,
    notes="max= takes the top of the scale for m, which the paper leaves open (highest reachable). "
    "The ideal is the best order of the topic's judged documents; the paper's is that of the list. "
    "A scale that starts below 0 must be shifted first.",
)
def ndcng(grade, rank, base, *, max=None, k=inf, tie_first=None, tie_last=None):  # noqa: A002
    """Normalised discounted cumulative normalised gain: nDCG on gains from 0 to 1.

    >>> from numpy import arange, array
    >>> grade = array([1.0, 0, 3, 3, 2, 0, 1, 4])  # table 2, example three
    >>> print(ndcng(grade, arange(1.0, 9), array([4.0, 3, 3, 2, 1, 1, 0, 0]), k=8))
    0.65
    """
    m = largest(base)[..., None] if max is None else max
    worth, best = (2.0 ** (ratio(x, m + 0 * x, empty=0.0)) - 1 for x in (grade, base))
    shown = cumulate(worth, rank, DIVISOR["log2"], k, tie_first, tie_last)
    return ratio(shown, ideal(best, DIVISOR["log2"], k))
