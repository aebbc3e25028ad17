"""Reciprocal rank: how soon the first relevant document comes."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import count, defined, first_hit, indicator
from assay.measures.registry import measure


@measure(
    "RR",
    formula="1 / rank of the first relevant document, 0 where none stands among the first k",
    paper="Kantor & Voorhees 2000, https://doi.org/10.1023/A:1009902609570",
    undefined="no relevant document",
    notes="Ties are broken as for every other measure; ir_measures breaks them the other way "
    "round where RR has a cut-off.",
)
def rr(grade, rank, base, *, rel=1, k=inf, tie_first=None, tie_last=None):
    """Reciprocal rank of the first relevant document.

    >>> from numpy import array
    >>> print(rr(array([0.0, 1, 1]), array([1.0, 3, 4]), array([1.0, 1, 0])))
    0.333
    """
    hit = indicator(grade >= rel, grade)
    first = first_hit(lambda i: indicator(i <= k, i) / i, hit, rank, tie_first, tie_last)
    return defined(first, count(base >= rel, base))
