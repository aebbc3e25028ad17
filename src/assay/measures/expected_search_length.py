"""Expected search length: what a reader of a weak order looks at to find n relevant documents."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import (
    array_namespace,
    count,
    defined,
    indicator,
    ratio,
)
from assay.measures.collection import (
    COLLECTION,
    GROWS,
    level_of,
    size,
)
from assay.measures.parameters import Parameter, choice
from assay.measures.registry import measure

COOPER = "Cooper 1968, https://doi.org/10.1002/asi.5090190108"
FEWER = "fewer than n relevant documents"
WEAK = (
    "Equal scores are one level, in random order, under every policy for ties but best and worst; "
    "the relevant documents not retrieved stand on the last one, with all else of the collection, "
    "or, with unretrieved='worst', after all else. "
)
COUNT = {
    "count": Parameter(
        choice("nonrelevant", "all"), "documents counted: the nonrelevant ones, or all looked at"
    )
}


def esl_worst(base, rank, judged, retrieved, *, N, rel, n, count):
    """All relevant documents at the end of the collection."""
    xp = array_namespace(base)
    nonrelevant = size(N, rank, judged, retrieved) - xp.sum(indicator(base >= rel, base), axis=-1)
    return nonrelevant + (n if count == "all" else 0)


@measure(
    "ESL",
    formula="j + i s / (r + 1): the n-th relevant document is the s-th of r relevant and i other "
    "documents of its level, and j others stand before that",
    paper=COOPER,
    parameters=COUNT,
    high=inf,
    higher_is_better=False,
    worst=esl_worst,
    undefined=FEWER,
    weak=True,
    exempt=GROWS,
    notes=COLLECTION + WEAK + "count='all' adds n.",
)
def esl(
    grade,
    rank,
    base,
    judged,
    retrieved,
    tie_first,
    tie_last,
    *,
    n=1,
    count="nonrelevant",
    N=None,
    rel=1,
    unretrieved="tied",
):
    """Expected search length: nonrelevant documents to be looked at for n relevant ones.

    >>> from numpy import array, ones
    >>> grade, rank, first = ones(3), array([1.0, 2, 3]), array([1.0, 2, 2])
    >>> last = array([1.0, 4, 4])  # by hand: 2 of the 3 documents of level 2 are relevant
    >>> print(esl(grade, rank, grade, array(3.0), array(4.0), first, last, n=2))  # 1 x 1 / (2 + 1)
    0.333
    """
    xp = array_namespace(grade)
    relevant = xp.sum(indicator(base >= rel, base), axis=-1)
    fields = (grade, rank, base, judged, retrieved, tie_first, tie_last)
    wanted = 0 * relevant + n
    t, r, j, i = level_of(wanted, fields, N=N, rel=rel, unretrieved=unretrieved)
    length = j + i * (n - t) / (r + 1) + (n if count == "all" else 0)
    return defined(length, xp.clip(relevant - n + 1, 0))


def esrf_worst(base, *, rel, n):
    """All relevant documents at the end of the collection."""
    return 1 - (count(base >= rel, base) + 1) / n


@measure(
    "ESRF",
    formula="1 - ESL(n) / (n (N - R) / (R + 1)), which is ESL(n) of the collection in random order",
    paper=COOPER,
    low=-inf,
    worst=esrf_worst,
    undefined=FEWER,
    weak=True,
    exempt=GROWS | {"ideal": "without N every document retrieved makes random search longer"},
    notes=COLLECTION + WEAK + "0 is as good as random order; 0 too where all N are relevant.",
)
def esrf(
    grade,
    rank,
    base,
    judged,
    retrieved,
    tie_first,
    tie_last,
    *,
    n=1,
    N=None,
    rel=1,
    unretrieved="tied",
):
    """Expected search length reduction factor: the share of a random search that is saved.

    >>> from numpy import array, ones
    >>> grade, rank = ones(1), array([2.0])  # by hand: ESL = 1, at random (10 - 1)/(1 + 1)
    >>> print(esrf(grade, rank, grade, array(1.0), array(2.0), rank, rank, N=10))
    0.778
    """
    fields = (grade, rank, base, judged, retrieved, tie_first, tie_last)
    length = esl(*fields, n=n, N=N, rel=rel, unretrieved=unretrieved)
    relevant = count(base >= rel, base)
    random = n * (size(N, rank, judged, retrieved) - relevant) / (relevant + 1)
    return defined(
        1 - ratio(length, random, empty=1.0), array_namespace(base).clip(relevant - n + 1, 0)
    )
