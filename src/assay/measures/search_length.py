"""Search lengths: how far down a reader must go."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf, nan

from assay.measures.arrays import (
    array_namespace,
    count,
    defined,
    gain_of,
    ideal_gain,
    indicator,
    joined,
    pick,
    ratio,
)
from assay.measures.collection import (
    COLLECTION,
    GROWS,
    TAIL,
    over_relevant,
    size,
    sum_to,
)
from assay.measures.registry import measure


def asl_worst(base, rank, judged, retrieved, *, N, rel):
    """All relevant documents at the end of the collection."""
    return size(N, rank, judged, retrieved) - (count(base >= rel, base) - 1) / 2


@measure(
    "ASL",
    formula="mean rank of the R relevant documents",
    paper="Losee 1998, Text Retrieval and Filtering",
    low=1.0,
    high=inf,
    higher_is_better=False,
    worst=asl_worst,
    undefined="no relevant document",
    exempt=GROWS,
    notes=COLLECTION + TAIL,
)
def asl(
    grade,
    rank,
    base,
    judged,
    retrieved,
    *,
    N=None,
    rel=1,
    unretrieved="tied",
    tie_first=None,
    tie_last=None,
):
    """Average search length: the mean rank of a relevant document.

    >>> from numpy import array
    >>> grade, rank, base = array([1.0, 1]), array([2.0, 3]), array([1.0, 1, 1])
    >>> print(asl(grade, rank, base, array(3.0), array(3.0), N=7))  # (2 + 3 + (4 + 7)/2) / 3
    3.5
    """
    hit, relevant = indicator(grade >= rel, grade), count(base >= rel, base)
    n = size(N, rank, judged, retrieved)
    where = (hit, relevant, rank, retrieved, n, unretrieved, tie_first, tie_last)
    return ratio(over_relevant(lambda i: i, sum_to, *where), relevant)


def median(gain, rank, empty):
    """Rank at which half of the gain is reached, counted within the rank that crosses the half."""
    xp = array_namespace(gain)
    gain, rank = (joined(x, xp.zeros((1,), dtype=x.dtype, device=x.device)) for x in (gain, rank))
    cumulated = xp.cumulative_sum(gain, axis=-1)
    whole = cumulated[..., -1:]
    at = xp.sum(xp.astype(2 * cumulated < whole, xp.int64), axis=-1, keepdims=True)
    f, L = pick(gain, at), pick(rank, at) - 1
    value = L + ratio(whole / 2 - (pick(cumulated, at) - f), f, empty=nan)
    return xp.where(xp.sum(gain, axis=-1) > 0, xp.sum(value, axis=-1), empty)


def rhl_worst(base, rank, judged, retrieved, *, N, gain, gains):
    """All documents of worth at the end of the collection, the best ones last."""
    xp, n = array_namespace(base), base.shape[-1]
    late = xp.flip(ideal_gain(base, gain=gain, gains=gains), axis=-1)
    place = xp.arange(1 - n, 1, dtype=base.dtype, device=base.device)
    return median(late, size(N, rank, judged, retrieved)[..., None] + place, nan)


@measure(
    "RHL",
    formula="L + (G/2 - F) / f: of the gain G to rank k, F comes before the rank that reaches half "
    "of it and f at that rank; L is the rank before",
    paper="Borlund & Ingwersen 1998, https://doi.org/10.1145/290941.291019",
    high=inf,
    higher_is_better=False,
    worst=rhl_worst,
    undefined="no document with a gain",
    exempt={
        "ideal": "half of the list's own gain is sought: one good document alone has it at once",
        "swap": "with a cut-off, a document that enters the first k raises the gain to be halved",
        "tail": "without N every document retrieved enlarges the collection",
    },
    notes=COLLECTION + "A list that shows no gain has the worst value: that of a list with all "
    "documents of worth at the end of the collection.",
)
def rhl(grade, rank, base, judged, retrieved, *, N=None, gain="linear", gains=None, k=inf):
    """Ranked half-life: the rank by which half of the list's gain is reached.

    >>> from numpy import array
    >>> grade, rank = array([1.0, 3, 2]), array([1.0, 3, 4])  # by hand: 2 + (6/2 - 1)/3
    >>> print(rhl(grade, rank, grade, array(3.0), array(4.0)))
    2.667
    """
    worth = gain_of(grade, gain=gain, gains=gains) * indicator(rank <= k, rank)
    late = rhl_worst(base, rank, judged, retrieved, N=N, gain=gain, gains=gains)
    whole = array_namespace(base).sum(gain_of(base, gain=gain, gains=gains), axis=-1)
    return defined(median(worth, rank, late), whole)
