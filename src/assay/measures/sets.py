"""The documents retrieved, taken as a set: their order does not matter."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201, ARG001 - arrays of any library; ties cannot change a set

from __future__ import annotations

from assay.measures.arrays import array_namespace, count, defined, ratio
from assay.measures.registry import measure

NONE = "no relevant document"
RIJSBERGEN = "van Rijsbergen 1979, Information Retrieval, 2nd ed., chapter 7"
LONGER = {"tail": "a longer set is less precise"}


@measure(
    "SetP",
    formula="relevant documents retrieved / documents retrieved, 0 where there is none",
    paper=RIJSBERGEN,
    undefined="with relative=True: no relevant document",
    exempt=LONGER,
    notes="trec_eval's set_P; relative=True divides by the smaller of the number retrieved and R, "
    "as set_relative_P does.",
)
def set_precision(grade, base, retrieved, *, rel=1, relative=False, tie_first=None, tie_last=None):
    """Precision of everything retrieved.

    >>> from numpy import array
    >>> print(set_precision(array([2.0, 0]), array([2.0, 1, 0]), array(4.0)))
    0.25
    """
    found, relevant = count(grade >= rel, grade), count(base >= rel, base)
    if not relative:
        return ratio(found, retrieved, empty=0.0)
    most = array_namespace(grade).minimum(retrieved, relevant)
    return defined(ratio(found, most, empty=0.0), relevant)


@measure(
    "SetR",
    formula="relevant documents retrieved / R",
    paper=RIJSBERGEN,
    undefined=NONE,
)
def set_recall(grade, base, *, rel=1, tie_first=None, tie_last=None):
    """Recall of everything retrieved.

    >>> from numpy import array
    >>> print(set_recall(array([2.0, 0]), array([2.0, 1, 0])))
    0.5
    """
    return ratio(count(grade >= rel, grade), count(base >= rel, base))


@measure(
    "SetF",
    formula="(1 + beta^2) P R / (beta^2 P + R), 0 where P and R are 0",
    paper=RIJSBERGEN,
    undefined=NONE,
    exempt=LONGER,
    notes="trec_eval's set_F.x has x = beta^2, and ir_measures hands its beta on as x: "
    "their SetF(beta=4) is SetF(beta=2) here.",
)
def set_f(grade, base, retrieved, *, rel=1, beta=1, tie_first=None, tie_last=None):
    """Weighted harmonic mean of precision and recall of everything retrieved.

    >>> from numpy import array
    >>> base = array([2.0, 1, 0])  # P = 1/4, R = 1/2
    >>> print(set_f(array([2.0, 0]), base, array(4.0)))  # 2 x .25 x .5 / .75
    0.333
    """
    found, relevant = count(grade >= rel, grade), count(base >= rel, base)
    both = ratio((1 + beta**2) * found, beta**2 * relevant + retrieved, empty=0.0)
    return defined(both, relevant)


@measure(
    "SetAP",
    formula="precision x recall of everything retrieved",
    paper="trec_eval, set_map",
    undefined=NONE,
    exempt=LONGER,
)
def set_ap(grade, base, retrieved, *, rel=1, tie_first=None, tie_last=None):
    """Average precision of a set: precision, once for each relevant document retrieved, over R.

    >>> from numpy import array
    >>> print(set_ap(array([2.0, 0]), array([2.0, 1, 0]), array(4.0)))  # 1/4 x 1/2
    0.125
    """
    found, relevant = count(grade >= rel, grade), count(base >= rel, base)
    return defined(ratio(found * found, retrieved * relevant, empty=0.0), relevant)
