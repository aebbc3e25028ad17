"""Interpolated precision: the best precision at a recall level or beyond."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from fractions import Fraction

from assay.measures.arrays import Array, array_namespace, count, defined, indicator, largest
from assay.measures.registry import measure

PAPER = "Salton & McGill 1983, Introduction to Modern Information Retrieval, chapter 5"
CUT = (
    "Recall x is reached with ceil(xR) relevant documents, x taken as the decimal fraction that is "
    "written. cut='round' rounds xR as trec_eval 10 does (and so accepts a lower recall), cut='9' "
    "cuts xR + .9 as trec_eval 9, pytrec_eval and ir_measures do."
)


def needed(relevant: Array, x: float, cut: str) -> Array:
    """How many relevant documents make recall x."""
    xp = array_namespace(relevant)
    if cut == "exact":
        part = Fraction(str(x)).limit_denominator(10**9)
        ceiling = -(-xp.astype(relevant, xp.int64) * part.numerator // part.denominator)
        return xp.astype(ceiling, relevant.dtype)
    whole = xp.floor(x * relevant + 0.9)
    if cut == "9":
        return whole
    whole = xp.floor(x * relevant)
    return whole + indicator(x * relevant - whole >= 0.5, relevant)


def best_from(grade: Array, rank: Array, relevant: Array, x: float, rel: float, cut: str) -> Array:
    """Largest precision at a rank where recall is at least x."""
    xp = array_namespace(grade)
    hit = indicator(grade >= rel, grade)
    found = xp.cumulative_sum(hit, axis=-1)
    enough = found >= xp.expand_dims(needed(relevant, x, cut), axis=-1)
    return largest(hit * indicator(enough, grade) * found / rank)


@measure(
    "IPrec",
    formula="max of precision at rank i over the ranks i where recall is at least x",
    paper=PAPER,
    cutoff="recall level",
    undefined="no relevant document",
    notes=CUT,
)
def iprec(grade, rank, base, *, k, rel=1, cut="exact"):
    """Interpolated precision at recall x, written IPrec@x.

    >>> from numpy import array
    >>> base = array([1.0, 1, 1, 1])  # recall .3 takes 2 of 4: best is 3/5, not 2/4
    >>> print(iprec(array([1.0, 1, 1]), array([1.0, 4, 5]), base, k=0.3))
    0.6
    """
    relevant = count(base >= rel, base)
    return defined(best_from(grade, rank, relevant, k, rel, cut), relevant)


@measure(
    "AP11",
    formula="mean of interpolated precision at recall 0, .1, .2, ..., 1",
    paper=PAPER,
    undefined="no relevant document",
    notes=CUT,
)
def ap11(grade, rank, base, *, rel=1, cut="exact"):
    """Eleven-point average: interpolated precision, averaged over eleven levels of recall.

    >>> from numpy import array
    >>> base = array([1.0, 1])  # 1 at recall 0 to .5, 2/4 at .6 to 1
    >>> print(ap11(array([1.0, 1]), array([1.0, 4]), base))
    0.773
    """
    relevant = count(base >= rel, base)
    levels = [best_from(grade, rank, relevant, tenth / 10, rel, cut) for tenth in range(11)]
    return defined(sum(levels) / 11.0, relevant)
