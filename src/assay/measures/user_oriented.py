"""User-oriented ratios: what the user knew before, what is new, what was wanted."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, count, defined, hits, indicator, ratio, within
from assay.measures.registry import measure

BOOK = "Korfhage 1997; Baeza-Yates & Ribeiro-Neto 1999, Modern Information Retrieval, section 3.2"
KNOWN = "Documents known that nobody judged relevant do not count. "


@measure(
    "Coverage",
    formula="relevant documents known to the user among the first k / all that the user knew",
    paper=BOOK,
    sets=("known",),
    undefined="the user knew no relevant document",
    exempt={
        "ideal": "with a cut-off, the best documents may be new",
        "swap": "with a cut-off, a better document that is new may push out one that is known",
    },
    notes=KNOWN,
)
def coverage(grade, rank, base, known, known_base, *, k=inf, rel=1, tie_first=None, tie_last=None):
    """Coverage ratio: the share of the relevant documents known beforehand that is shown.

    >>> from numpy import array
    >>> grade, rank, base = array([1.0, 1]), array([1.0, 3]), array([1.0, 1, 1])
    >>> print(coverage(grade, rank, base, array([1.0, 0]), array([1.0, 1, 0])))  # by hand: 1 of 2
    0.5
    """
    xp = array_namespace(grade)
    seen = known * indicator(grade >= rel, grade) * within(k, rank, tie_first, tie_last)
    return ratio(xp.sum(seen, axis=-1), xp.sum(known_base * indicator(base >= rel, base), axis=-1))


@measure(
    "Novelty",
    formula="relevant documents new to the user among the first k / all relevant ones among them",
    paper=BOOK,
    sets=("known",),
    undefined="no relevant document",
    exempt={
        "ideal": "a list of one relevant document that is new has nothing but new ones",
        "swap": "with a cut-off, a better document may be one that the user knew",
    },
    notes=KNOWN + "0 where no relevant document is shown.",
)
def novelty(grade, rank, base, known, *, k=inf, rel=1):
    """Novelty ratio: the share of the relevant documents shown that is new to the user.

    >>> from numpy import array
    >>> grade, rank, base = array([1.0, 1, 1]), array([1.0, 3, 4]), array([1.0, 1, 1])
    >>> print(novelty(grade, rank, base, array([1.0, 0, 0])))  # by hand: 2 of 3
    0.667
    """
    seen = indicator((grade >= rel) & (rank <= k), grade)
    xp = array_namespace(grade)
    share = ratio(xp.sum((1 - known) * seen, axis=-1), xp.sum(seen, axis=-1), empty=0.0)
    return defined(share, count(base >= rel, base))


@measure(
    "RelRecall",
    formula="relevant documents among the first k / documents that the user wanted to look at",
    paper=BOOK,
    sets=("wanted",),
    high=inf,
    undefined="the user wanted no document",
    notes="Only the number of documents wanted counts, whether a number or a set is given; above 1 "
    "where more relevant ones are shown than were wanted.",
)
def relative_recall(grade, rank, wanted, *, k=inf, rel=1, tie_first=None, tie_last=None):
    """Relative recall: relevant documents shown for each document wanted.

    >>> from numpy import array
    >>> print(relative_recall(array([1.0, 1]), array([1.0, 3]), array(5.0)))  # by hand: 2 of 5
    0.4
    """
    return ratio(hits(grade, rank, rel, k, tie_first, tie_last), wanted)
