"""Relative relevance: how scores and grades agree, whatever the ranks."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, defined, gain_of, indicator, largest, ratio
from assay.measures.parameters import Parameter, choice
from assay.measures.registry import measure
from assay.measures.scaling import scaled


def cosine(x, y):
    """Cosine of two vectors along the last axis; 0 where one of them is 0."""
    xp = array_namespace(x)
    x, y = unit(x), unit(y)
    lengths = xp.sqrt(xp.sum(x * x, axis=-1) * xp.sum(y * y, axis=-1))
    return ratio(xp.sum(x * y, axis=-1), lengths, empty=0.0)


def unit(x):
    """The vector as a share of its largest value, whose square is neither lost nor too large."""
    return ratio(x, largest(array_namespace(x).abs(x), 0.0)[..., None], empty=0.0)


@measure(
    "RelRel",
    formula="sum of score x gain / sqrt(sum of score^2 x sum of gain^2) over the retrieved judged "
    "documents",
    paper="Borlund & Ingwersen 1998, https://doi.org/10.1145/290941.291019; Borlund 2000",
    low=-1.0,
    worst=-1.0,
    parameters={
        "norm": Parameter(
            choice("none", "minmax", "max"),
            "how scores come to 0..1: not at all, by smallest and largest, or by the largest",
        )
    },
    undefined="no document with a gain",
    weak=True,
    exempt={
        "ideal": "scores count, not ranks: they should be in proportion to the gains",
        "swap": "a document that moves up gets a higher score, which may be too high",
        "tail": "with norm='minmax' the smallest score is that of the list's last document",
    },
    notes="Scores as they are; norm='minmax' or 'max' brings them to 0..1 first. A run all of "
    "whose judged documents have the score 0, or the gain 0, has 0.",
)
def relative_relevance(grade, rank, base, score, scores, *, norm="none", gain="linear", gains=None):
    """Relative relevance: the cosine of the system's scores and the user's gains.

    >>> from numpy import array
    >>> grade, rank, s = array([2.0, 1]), array([1.0, 2]), array([3.0, 4])
    >>> print(relative_relevance(grade, rank, grade, s, s))  # by hand: 10 / sqrt(25 x 5)
    0.894
    """
    real, worth = indicator(rank < inf, rank), gain_of(grade, gain=gain, gains=gains)
    whole = array_namespace(base).sum(gain_of(base, gain=gain, gains=gains), axis=-1)
    return defined(cosine(real * scaled(score, scores, norm), worth), whole)
