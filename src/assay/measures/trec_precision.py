"""trec_eval's own measures of relevant documents shown: precision against what was possible."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite
from typing import Any

from assay.errors import AssayError
from assay.measures.arrays import (
    Array,
    array_namespace,
    count,
    defined,
    hits,
    indicator,
    ratio,
    total,
    within,
)
from assay.measures.interpolated import CUT, best_from, needed
from assay.measures.parameters import Parameter, number
from assay.measures.registry import measure

NONE = "no relevant document"
TREC = "trec_eval, {}"
ANY_NUMBER = number(-inf, open_low=True)


def level_list(value: Any) -> str:
    """Recall levels as text, `0,0.5,1`, from text or from numbers."""
    parts = value.split(",") if isinstance(value, str) else value
    try:
        levels = [float(part) for part in parts] if isinstance(parts, Iterable) else []
    except (TypeError, ValueError):
        levels = []
    if not levels or not all(map(isfinite, levels)):
        raise AssayError(f"must be recall levels such as '0,0.5,1', found {value!r}")
    return ",".join(repr(int(x)) if x == int(x) else repr(x) for x in levels)


@measure(
    "RelP",
    formula="relevant documents among the first k / the smaller of k and R",
    paper=TREC.format("relative_P"),
    cutoff="required",
    undefined=NONE,
)
def relative_precision(grade, rank, base, *, k, rel=1, tie_first=None, tie_last=None):
    """Relative precision: precision as a share of the best that the first k could reach.

    >>> from numpy import array
    >>> base = array([2.0, 1, 0])  # 1 of the 2 that 5 places could hold
    >>> print(relative_precision(array([1.0, 0]), array([2.0, 3]), base, k=5))
    0.5
    """
    xp = array_namespace(base)
    R = count(base >= rel, base)
    best = xp.minimum(R, xp.full_like(R, k))
    return ratio(hits(grade, rank, rel, k, tie_first, tie_last), best)


@measure(
    "RprecMult",
    formula="precision at rank c, x R + .9 without its fraction",
    paper=TREC.format("Rprec_mult"),
    undefined=NONE,
    parameters={"x": Parameter(ANY_NUMBER, "multiple of R, the number of relevant documents")},
    notes="0 where c is 0, as with a small x.",
)
def r_precision_multiple(grade, rank, base, *, x, rel=1, tie_first=None, tie_last=None):
    """Precision at a multiple of R, the number of relevant documents.

    >>> from numpy import array
    >>> base = array([1.0, 1, 1, 1])  # x R = 2: one of two
    >>> print(r_precision_multiple(array([1.0, 1]), array([2.0, 3]), base, x=0.5))
    0.5
    """
    xp = array_namespace(base)
    R = count(base >= rel, base)
    c = xp.clip(xp.floor(x * R + 0.9), 0)
    found = hits(grade, rank, rel, xp.expand_dims(c, axis=-1), tie_first, tie_last)
    return defined(ratio(found, c, empty=0.0), R)


@measure(
    "MeanIPrec",
    formula="mean of interpolated precision over recall levels x",
    paper=TREC.format("11pt_avg"),
    undefined=NONE,
    parameters={"levels": Parameter(level_list, "recall levels, ascending, such as '0,0.5,1'")},
    notes=CUT + " trec_eval walks from the last level to the first and never back, so where levels "
    "do not ascend, one that asks for more than a later level did gets the best precision of all.",
)
def mean_iprec(
    grade, rank, base, *, levels="0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1", rel=1, cut="exact"
):
    """Mean interpolated precision: AP11 with levels of one's own.

    >>> from numpy import array
    >>> base = array([1.0, 1])  # 1 at recall 0, 2/4 at 1
    >>> print(mean_iprec(array([1.0, 1]), array([1.0, 4]), base, levels="0,1"))
    0.75
    """
    xp = array_namespace(base)
    R = count(base >= rel, base)
    found = count(grade >= rel, grade)
    points = [float(x) for x in levels.split(",")]
    reached, walked = xp.full_like(R, inf), xp.zeros_like(R)
    value = xp.zeros_like(R)
    for x in reversed(points):
        c = needed(R, x, cut)
        walked = xp.where((walked > 0) | (c <= found), xp.ones_like(R), walked)
        back = c > reached  # more than a later level took: the walk is past it
        free = best_from(grade, rank, R, 0.0, rel, cut)
        here = xp.where(back, free, best_from(grade, rank, R, x, rel, cut))
        value = value + xp.where(walked > 0, here, xp.zeros_like(here))
        reached = xp.where(walked > 0, xp.where(back, xp.zeros_like(c), c), reached)
    return defined(value / len(points), R)


def every_relevant_missed(base: Array, *, rel: float) -> Array:
    """YAAP of an empty list."""
    return -array_namespace(base).log1p(count(base >= rel, base))


@measure(
    "YAAP",
    formula="log((1 + S) / (1 + R - S)), S the sum of precision at the relevant documents",
    paper="Robertson 2012, On Smoothing Average Precision, ECIR, LNCS 7224, pp. 158-169; "
    "trec_eval, yaap",
    low=-inf,
    high=inf,
    worst=every_relevant_missed,
    scale="interval",
    notes="log(1 + R) at best and -log(1 + R) at worst: a topic weighs more the more relevant "
    "documents it has.",
)
def yaap(grade, rank, base, *, rel=1):
    """Yet another average precision: the odds of the relevant documents found early.

    >>> from numpy import array
    >>> base = array([1.0, 1])
    >>> print(yaap(array([1.0, 1]), array([1.0, 2]), base))  # log(3 / 1)
    1.0986
    """
    xp = array_namespace(grade)
    hit = indicator(grade >= rel, grade)
    S = total(hit * (xp.cumulative_sum(hit, axis=-1) / rank))
    return xp.log((1.0 + S) / (1.0 + count(base >= rel, base) - S))


@measure(
    "SetFx",
    formula="(x + 1) P R / (x P + R), 0 where P and R are 0",
    paper="van Rijsbergen 1979, Information Retrieval, 2nd ed., chapter 7; trec_eval, set_F",
    undefined=NONE,
    parameters={"x": Parameter(number(0), "weight of recall, the square of SetF's beta")},
    exempt={"tail": "a longer set is less precise"},
    notes="trec_eval's parameter; with x = 1 the value is SetF's.",
)
def set_f_x(grade, base, retrieved, *, x=1, rel=1, tie_first=None, tie_last=None):  # noqa: ARG001
    """Weighted harmonic mean of precision and recall of everything retrieved, weighted by x.

    >>> from numpy import array
    >>> print(set_f_x(array([2.0, 0]), array([2.0, 1, 0]), array(4.0)))  # 2 x .25 x .5 / .75
    0.333
    """
    found, relevant = count(grade >= rel, grade), count(base >= rel, base)
    P, R = ratio(found, retrieved, empty=0.0), ratio(found, relevant)
    return ratio((x + 1.0) * P * R, x * P + R, empty=0.0)


UTILITY = {
    "a": Parameter(ANY_NUMBER, "worth of a relevant document retrieved"),
    "b": Parameter(ANY_NUMBER, "worth of another document retrieved"),
    "c": Parameter(ANY_NUMBER, "worth of a relevant document not retrieved"),
    "d": Parameter(ANY_NUMBER, "worth of another document not retrieved"),
}


@measure(
    "Utility",
    formula="a r + b (n - r) + c (R - r) + d (N - n - R + r); n documents retrieved, r relevant",
    paper=TREC.format("utility"),
    low=-inf,
    high=inf,
    worst=-inf,
    scale="interval",
    parameters=UTILITY,
    exempt={
        "ideal": "with weights of one's own anything may be best",
        "tail": "another document retrieved costs",
    },
    notes="Without N the collection is what is known of it, the documents retrieved or judged; "
    "trec_eval takes N = 0.",
)
def utility(grade, rank, base, judged, retrieved, *, a=1, b=-1, c=0, d=0, N=None, rel=1):
    """Linear utility of a set: so much for each document of the contingency table's four cells.

    >>> from numpy import array
    >>> args = array([1.0, 0]), array([1.0, 2]), array([2.0, 1]), array(2.0), array(3.0)
    >>> print(utility(*args, a=2))  # 2 x 1 - 2
    0.0
    """
    r, R, n = count(grade >= rel, grade), count(base >= rel, base), retrieved
    size = n + judged - count(rank < inf, rank) if N is None else N
    return a * r + b * (n - r) + c * (R - r) + d * (size + r - n - R)


@measure(
    "Unjudged",
    formula="documents without a judgment among the first k / k",
    paper=TREC.format("unj"),
    cutoff="required",
    higher_is_better=False,
    worst=1.0,
    exempt={"tail": "documents without a judgment are what it counts"},
    notes="Divided by k even where fewer were retrieved; Judged@k divides by those retrieved.",
)
def unjudged(rank, retrieved, *, k, tie_first=None, tie_last=None):
    """Share of the first k documents that nobody judged.

    >>> from numpy import array
    >>> print(unjudged(array([1.0, 3]), array(9.0), k=5))  # ranks 2, 4, 5
    0.6
    """
    xp = array_namespace(rank)
    shown = xp.minimum(retrieved, xp.full_like(retrieved, k))
    return (shown - xp.sum(within(k, rank, tie_first, tie_last), axis=-1)) / k


def nonrelevant(base: Array, judged: Array, *, rel: float) -> Array:
    """Documents judged not relevant."""
    return judged - count(base >= rel, base)


@measure(
    "NumNonrelRet",
    formula="documents retrieved that are judged not relevant, added up over topics",
    paper=TREC.format("num_nonrel_judged_ret"),
    high=inf,
    higher_is_better=False,
    worst=nonrelevant,
    average="sum",
)
def num_nonrel_ret(grade, rank, *, rel=1):
    """Number of documents retrieved that somebody judged not relevant.

    >>> from numpy import array
    >>> print(num_nonrel_ret(array([2.0, 0, 1]), array([1.0, 2, 5])))
    1.0
    """
    return count((grade < rel) & (rank < inf), grade)
