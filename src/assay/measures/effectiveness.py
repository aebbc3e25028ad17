"""Single numbers that weigh relevant documents shown against all that is shown."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, count, ratio
from assay.measures.parameters import Parameter, number
from assay.measures.precision import NONE, RIJSBERGEN, f
from assay.measures.registry import measure

WEIGHT = {"b": Parameter(number(0), "weight of recall against precision")}
UTILITY = {
    "credit": Parameter(number(0, open_low=True), "utility of a relevant document"),
    "debit": Parameter(number(0, open_low=True), "loss by a nonrelevant document"),
    "s": Parameter(number(0, open_low=True), "nonrelevant documents whose loss counts as 0"),
}


@measure(
    "E",
    formula="1 - (1 + b^2) P R / (b^2 P + R), 1 where P and R are 0",
    paper=RIJSBERGEN,
    parameters=WEIGHT,
    higher_is_better=False,
    worst=1.0,
    undefined=NONE,
    exempt={"tail": "without a cut-off precision divides by the number retrieved"},
    notes="1 - F(beta=b). Without a cut-off P divides by the number retrieved.",
)
def e_measure(grade, rank, base, retrieved, *, b=1, rel=1, k=inf, tie_first=None, tie_last=None):
    """Van Rijsbergen's E: the weighted loss of precision and recall.

    >>> from numpy import array
    >>> grade, rank, base = array([2.0, 1]), array([1.0, 5]), array([2.0, 1, 1, 1])
    >>> print(e_measure(grade, rank, base, array(9.0), k=5))  # by hand: 1 - 2 x .4 x .5 / (.4 + .5)
    0.556
    """
    fields = (grade, rank, base, retrieved)
    return 1 - f(*fields, beta=b, rel=rel, k=k, tie_first=tie_first, tie_last=tie_last)


@measure(
    "ScaledUtility",
    formula="(max(U, U_s) - U_s) / (U* - U_s), U = credit x relevant - debit x other documents "
    "shown, U_s = -debit x s, U* = credit x R",
    paper="Hull & Robertson 2000, The TREC-8 filtering track final report, NIST SP 500-246 (LF1)",
    parameters=UTILITY,
    exempt={"tail": "documents without a judgment count as not relevant"},
    notes="TREC-8's LF1 is 3 R+ - 2 N+, its LF2 has debit=1. s is free in the report, 50 here. "
    "Showing nothing has utility 0, which is more than the worst.",
)
def scaled_utility(
    grade,
    rank,
    base,
    retrieved,
    *,
    credit=3,
    debit=2,
    s=50,
    rel=1,
    k=inf,
):
    """Utility of the documents shown, from 0 (the loss by s documents or more) to 1 (the best).

    >>> from numpy import array
    >>> grade, rank, base = array([1.0, 1]), array([1.0, 3]), array([1.0, 1, 1, 0])
    >>> print(scaled_utility(grade, rank, base, array(5.0), s=10))  # by hand: (0 + 20) / (9 + 20)
    0.69
    """
    xp = array_namespace(grade)
    found = count((grade >= rel) & (rank <= k), grade)
    shown = xp.minimum(retrieved, xp.full_like(retrieved, k))
    utility = credit * found - debit * (shown - found)
    best = credit * count(base >= rel, base)
    return ratio(xp.clip(utility + debit * s, 0), best + debit * s)
