"""Korfhage's satisfaction and frustration: what a list gives and what it makes its reader bear."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from assay.measures.arrays import (
    array_namespace,
    count,
    defined,
    gain_of,
    hits,
    indicator,
    ratio,
)
from assay.measures.discounts import DIVISOR, cumulate, ideal
from assay.measures.parameters import Parameter, number
from assay.measures.registry import measure

PAPER = (
    "after Myaeng & Korfhage 1990, Information Processing & Management 26(6); Korfhage 1997, "
    "Information Storage and Retrieval"
)
NONE = "no relevant document"
READING = (
    "This is assay's reading: the papers at hand name the measure without its formula. The ideal "
    "order is the best of the same list, not of the recall base. "
)
SHARE = {"w": Parameter(number(0, 1), "weight of satisfaction against frustration")}
SAME = {"tail": "documents without a judgment count as not relevant"}


@measure(
    "Satisfaction",
    formula="sum of the gains of relevant documents to rank k / the same for the list's best order",
    paper=PAPER,
    cutoff="required",
    undefined=NONE,
    notes=READING + "0 for a list without a relevant document.",
)
def satisfaction(
    grade, rank, base, *, k, rel=1, gain="linear", gains=None, tie_first=None, tie_last=None
):
    """Satisfaction: gain of relevant documents shown, as a share of what the list could show.

    >>> from numpy import array
    >>> grade = array([1.0, 3, 2])  # by hand: 1 + 3 of 3 + 2
    >>> print(satisfaction(grade, array([1.0, 2, 3]), grade, k=2))
    0.8
    """
    xp, none = array_namespace(grade), DIVISOR["none"]
    worth = indicator(grade >= rel, grade) * gain_of(grade, gain=gain, gains=gains)
    best = ideal(xp.sort(worth, axis=-1, descending=True), none, k)
    shown = cumulate(worth, rank, none, k, tie_first, tie_last)
    return defined(ratio(shown, best, empty=0.0), count(base >= rel, base))


@measure(
    "Frustration",
    formula="nonrelevant documents to rank k / the same for the list's worst order",
    paper=PAPER,
    cutoff="required",
    higher_is_better=False,
    worst=1.0,
    exempt=SAME,
    notes=READING + "So is the worst order. 0 for a list of relevant documents alone.",
)
def frustration(grade, rank, retrieved, *, k, rel=1, tie_first=None, tie_last=None):
    """Frustration: nonrelevant documents shown, as a share of what the list could show.

    >>> from numpy import array
    >>> print(frustration(array([1.0, 3]), array([1.0, 3]), array(4.0), k=3))  # by hand: 1 of 2
    0.5
    """
    xp = array_namespace(grade)
    shown = xp.minimum(retrieved, xp.full_like(retrieved, k))
    bad = shown - hits(grade, rank, rel, k, tie_first, tie_last)
    return ratio(bad, xp.minimum(shown, retrieved - count(grade >= rel, grade)), empty=0.0)


@measure(
    "SFT",
    formula="w Satisfaction + (1 - w)(1 - Frustration)",
    paper=PAPER,
    cutoff="required",
    parameters=SHARE,
    undefined=NONE,
    exempt=SAME,
    notes=READING,
)
def sft(
    grade,
    rank,
    base,
    retrieved,
    *,
    w=0.5,
    k,
    rel=1,
    gain="linear",
    gains=None,
    tie_first=None,
    tie_last=None,
):
    """Satisfaction, frustration, total: the two, weighed against each other.

    >>> from numpy import array
    >>> grade = array([1.0, 3])  # by hand: (4/4 + (1 - 1/2)) / 2
    >>> print(sft(grade, array([1.0, 3]), grade, array(4.0), k=3))
    0.75
    """
    s = satisfaction(
        grade,
        rank,
        base,
        k=k,
        rel=rel,
        gain=gain,
        gains=gains,
        tie_first=tie_first,
        tie_last=tie_last,
    )
    f = frustration(grade, rank, retrieved, k=k, rel=rel, tie_first=tie_first, tie_last=tie_last)
    return w * s + (1 - w) * (1 - f)
