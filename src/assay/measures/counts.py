"""Counts: of topics, of documents, of judgments."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201, ARG001 - arrays of any library; ties cannot change a count

from __future__ import annotations

from math import inf

from assay.measures.arrays import Array, array_namespace, count, hits, ratio, within
from assay.measures.parameters import Parameter, number
from assay.measures.registry import measure

TREC = "trec_eval, {}"
ANY = {
    "rel": Parameter(
        number(0, open_low=True, optional=True),
        "count only documents of at least this grade, as NumRelRet does",
    )
}


def relevant(base: Array, *, rel: float) -> Array:
    """R, the number of relevant documents."""
    return count(base >= rel, base)


@measure(
    "NumQ",
    formula="1 for each topic, added up",
    paper=TREC.format("num_q"),
    worst=1.0,
    average="sum",
    notes="Counts every topic that the means are taken over, those missing from the run too.",
)
def num_q(judged, *, tie_first=None, tie_last=None):
    """Number of topics evaluated.

    >>> from numpy import array
    >>> print(num_q(array([3.0, 0])))
    [1. 1.]
    """
    return array_namespace(judged).ones_like(judged)


@measure(
    "NumRet",
    formula="documents retrieved, added up over topics",
    paper=TREC.format("num_ret"),
    high=inf,
    average="sum",
    parameters=ANY,
    exempt={
        "ideal": "a longer list has more documents",
        "tail": "a longer list has more documents",
    },
)
def num_ret(grade, retrieved, *, rel=None, tie_first=None, tie_last=None):
    """Number of documents retrieved.

    >>> from numpy import array
    >>> print(num_ret(array([[2.0], [0.0]]), array([5.0, 2.0])))
    [5. 2.]
    """
    return retrieved if rel is None else count(grade >= rel, grade)


@measure(
    "NumRel",
    formula="R, the relevant documents of the topic, added up over topics",
    paper=TREC.format("num_rel"),
    high=inf,
    worst=relevant,
    average="sum",
)
def num_rel(base, *, rel=1, tie_first=None, tie_last=None):
    """Number of relevant documents that there are.

    >>> from numpy import array
    >>> print(num_rel(array([[2.0, 1, 0], [1, 0, 0]])))
    [2. 1.]
    """
    return relevant(base, rel=rel)


@measure(
    "NumRelRet",
    formula="relevant documents among the first k, added up over topics",
    paper=TREC.format("num_rel_ret"),
    high=inf,
    average="sum",
    notes="ranx' hits, which ranx averages.",
)
def num_rel_ret(grade, rank, *, rel=1, k=inf, tie_first=None, tie_last=None):
    """Number of relevant documents retrieved.

    >>> from numpy import array
    >>> print(num_rel_ret(array([2.0, 0, 1]), array([1.0, 2, 5]), k=3))
    1.0
    """
    return hits(grade, rank, rel, k, tie_first, tie_last)


@measure(
    "Judged",
    formula="judged documents among the first k / the smaller of k and the number retrieved",
    paper="ir_measures",
    exempt={
        "ideal": "a document judged nonrelevant counts as well",
        "tail": "that documents nobody judged are there is what it tells",
    },
    notes="0 where nothing was retrieved.",
)
def judged_at(rank, retrieved, *, k=inf, tie_first=None, tie_last=None):
    """Share of the first k documents that somebody judged.

    >>> from numpy import array
    >>> print(judged_at(array([1.0, 3]), array(9.0), k=5))
    0.4
    """
    xp = array_namespace(rank)
    shown = xp.minimum(retrieved, xp.full_like(retrieved, k))
    return ratio(xp.sum(within(k, rank, tie_first, tie_last), axis=-1), shown, empty=0.0)
