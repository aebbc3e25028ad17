"""Precision and recall in which a document counts by its gain."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201, A002 - arrays of any library; `max` is the scale's

from __future__ import annotations

from math import inf

from assay.measures.arrays import (
    array_namespace,
    at_rank,
    count,
    count_above,
    defined,
    gain_of,
    ideal_gain,
    indicator,
    ratio,
)
from assay.measures.average_precision import divisor
from assay.measures.cascade import top
from assay.measures.discounts import DIVISOR, cumulate
from assay.measures.parameters import Parameter, choice, number
from assay.measures.registry import measure

NONE = "no relevant document"
KEKALAINEN = "Kekäläinen & Järvelin 2002, https://doi.org/10.1002/asi.10137"
ZHOU = "Zhou & Yao 2010, {}, https://doi.org/10.1007/s10844-009-0096-5"
SMALL = {
    "swap": "a relevant document of small gain, moved before others of large gain, is judged by a "
    "small share of the ideal"
}
LEVELS = {
    "levels": Parameter(
        choice("recall_base", "retrieved"),
        "documents of each level are counted in the recall base or in the run's own list",
    ),
    "step": Parameter(number(0, open_low=True), "distance of neighbouring levels of the scale"),
}


@measure(
    "gP",
    formula="sum of gain / max among the first k / k",
    paper=KEKALAINEN,
    cutoff="required",
    notes="max is the top of the grade scale (without it the largest grade of all judgments, which "
    "the output names); a gain table gives the gain of the top too. Divided by k as P is.",
)
def gp(
    grade,
    rank,
    *,
    k,
    max=None,
    gain="linear",
    gains=None,
    tie_first=None,
    tie_last=None,
):
    """Generalised precision: the mean relevance, from 0 to 1, of the first k.

    >>> from numpy import array
    >>> print(gp(array([3.0, 1]), array([1.0, 4]), k=4, max=3))  # (1 + 1/3) / 4
    0.333
    """
    best = gain_of(array_namespace(grade).full_like(grade, top(max, "gP")), gain=gain, gains=gains)
    worth = gain_of(grade, gain=gain, gains=gains) / best
    return cumulate(worth, rank, DIVISOR["none"], k, tie_first, tie_last) / k


@measure(
    "gR",
    formula="sum of the gains among the first k / sum of the gains of all judged documents",
    paper=KEKALAINEN,
    undefined="no document with a gain",
)
def gr(grade, rank, base, *, gain="linear", gains=None, k=inf, tie_first=None, tie_last=None):
    """Generalised recall: the share of all relevance that the first k hold.

    >>> from numpy import array
    >>> print(gr(array([3.0, 1]), array([1.0, 4]), array([3.0, 2, 2, 1]), k=4))  # 4 of 8
    0.5
    """
    worth = gain_of(grade, gain=gain, gains=gains)
    whole = array_namespace(base).sum(gain_of(base, gain=gain, gains=gains), axis=-1)
    return ratio(cumulate(worth, rank, DIVISOR["none"], k, tie_first, tie_last), whole)


def weighted(worth, hit, rank, best):
    """Sum over the relevant documents of cumulated gain over the ideal's."""
    xp = array_namespace(worth)
    ideal = at_rank(xp.cumulative_sum(best, axis=-1), rank)
    cg = xp.cumulative_sum(worth, axis=-1)
    return xp.sum(hit * ratio(cg, ideal, empty=0.0), axis=-1)


@measure(
    "WAP",
    formula="(1/R) sum over relevant documents at ranks n <= k of cg(n) / cg*(n)",
    paper="Kando et al. 2001; " + ZHOU.format("section 5.5, example 5"),
    undefined=NONE,
    exempt=SMALL,
    notes="Beyond rank R the ideal is flat, so that a late document costs nothing; Q mends that. "
    "Zhou & Yao's table 4 counts documents of score 0 as relevant: there gains={1:0,...}. "
    "norm='min' divides WAP@k by the smaller of R and k.",
)
def wap(grade, rank, base, *, rel=1, gain="linear", gains=None, norm="R", k=inf):
    """Weighted average precision: average precision on cumulated gain.

    >>> from numpy import arange, array
    >>> print(wap(array([0.0, 0, 2, 0, 0]), arange(1.0, 6), array([3.0, 2, 1, 0, 0])))  # (2/6)/3
    0.11
    """
    hit = indicator((grade >= rel) & (rank <= k), grade)
    worth, best = gain_of(grade, gain=gain, gains=gains), ideal_gain(base, gain=gain, gains=gains)
    return ratio(weighted(worth, hit, rank, best), divisor(count(base >= rel, base), norm, k))


def adjusted(grade, among, relevant, rel, gain, gains, step):
    """Gain less R_l/R of its distance to the next lower level; R_l counts the level in `among`."""
    xp = array_namespace(grade)
    worth = gain_of(grade, gain=gain, gains=gains)
    lower = gain_of(xp.clip(grade - step, 0), gain=gain, gains=gains)
    same = among.shape[-1] - count_above(among, grade) - count_above(-among, -grade)
    share = ratio(same, relevant[..., None], empty=0.0)
    return indicator(grade >= rel, grade) * (worth - share * (worth - lower))


@measure(
    "AGR",
    formula="WAP on the gains d' = d_l - (R_l / R)(d_l - d_(l-1)) of the levels l",
    paper="Sakai 2003; " + ZHOU.format("section 5.6"),
    parameters=LEVELS,
    undefined="no relevant document, or all on the lowest level: their adjusted gain is 0",
    exempt=SMALL,
    notes="A gain shrinks towards that of the next lower step of the scale, the more the more "
    "documents share its level. levels='retrieved' counts them in the run's own list, as Zhou & "
    "Yao's tables do (the ideal's always in the recall base). On judgments of relevant or not it "
    "says nothing: use AP there.",
)
def agr(
    grade,
    rank,
    base,
    *,
    levels="recall_base",
    step=1,
    rel=1,
    gain="linear",
    gains=None,
    norm="R",
    k=inf,
):
    """Average gain ratio: weighted average precision that rewards the rare high levels.

    >>> from numpy import arange, array
    >>> irs, ur = array([6.0, 5, 3, 2, 1]), array([6.0, 5, 4, 3, 1])  # table 2, in tenths
    >>> print(agr(irs, arange(1.0, 6), ur), agr(irs, arange(1.0, 6), ur, levels="retrieved"))
    0.945 0.941
    """
    xp, relevant = array_namespace(grade), count(base >= rel, base)
    hit = indicator((grade >= rel) & (rank <= k), grade)
    own = xp.where(rank < inf, grade, -xp.ones_like(grade)) if levels == "retrieved" else base
    worth = adjusted(grade, own, relevant, rel, gain, gains, step)
    best = adjusted(base, base, relevant, rel, gain, gains, step)
    best = xp.sort(best, axis=-1, descending=True)
    found = ratio(weighted(worth, hit, rank, best), divisor(relevant, norm, k))
    return defined(found, xp.sum(best, axis=-1))
