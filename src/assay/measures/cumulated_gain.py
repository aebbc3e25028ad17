"""Cumulated gain: what a list gives its reader, rank by rank, against the best that it could."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import gain_of, ideal_gain, ratio
from assay.measures.discounts import DIVISOR, cumulate, ideal, original
from assay.measures.registry import measure

JK = "Järvelin & Kekäläinen 2002, {}, https://doi.org/10.1145/582415.582418"
BURGES = (
    "Järvelin & Kekäläinen 2002, https://doi.org/10.1145/582415.582418; discount log2(i + 1) of "
    "Burges et al. 2005, https://doi.org/10.1145/1102351.1102363"
)
LOG2 = (
    "Linear gain as in trec_eval, ir_measures' default, ranx' ndcg and scikit-learn; gain='exp' as "
    "in gdeval, ir_measures' exp-log2 and ranx' ndcg_burges. NTCIREVAL's MSnDCG is this nDCG, its "
    "nDCG is nDCG_JK."
)
IDEAL = "no document with a gain"


@measure("CG", formula="sum of the gains to rank k", paper=JK.format("eq. 1"), high=inf)
def cg(grade, rank, *, gain="linear", gains=None, k=inf, tie_first=None, tie_last=None):
    """Cumulated gain: the gains of the documents shown, added up.

    >>> from numpy import arange, array
    >>> g = array([3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0])  # the paper's G'
    >>> print(cg(g, arange(1.0, 11), k=7))
    11.0
    """
    worth = gain_of(grade, gain=gain, gains=gains)
    return cumulate(worth, rank, DIVISOR["none"], k, tie_first, tie_last)


@measure(
    "DCG", formula="sum to rank k of gain / log2(rank + 1)", paper=BURGES, high=inf, notes=LOG2
)
def dcg(
    grade,
    rank,
    *,
    gain="linear",
    gains=None,
    discount="log2",
    k=inf,
    tie_first=None,
    tie_last=None,
):
    """Discounted cumulated gain: a gain counts less the later it comes.

    >>> from numpy import array
    >>> print(dcg(array([3.0, 2, 3]), array([1.0, 2, 3])))  # 3/1 + 2/1.585 + 3/2
    5.762
    """
    worth = gain_of(grade, gain=gain, gains=gains)
    return cumulate(worth, rank, DIVISOR[discount], k, tie_first, tie_last)


@measure(
    "nDCG",
    formula="DCG@k / DCG@k of all judged documents of the topic, largest gain first",
    paper=BURGES,
    undefined=IDEAL,
    notes=LOG2 + " The ideal is sorted by gain, after the gain table, and cut at k too.",
)
def ndcg(
    grade,
    rank,
    base,
    *,
    gain="linear",
    gains=None,
    discount="log2",
    k=inf,
    tie_first=None,
    tie_last=None,
):
    """Normalised discounted cumulated gain: DCG as a share of the best that the topic allows.

    >>> from numpy import array
    >>> base = array([3.0, 2, 1])
    >>> print(ndcg(array([2.0, 3]), array([1.0, 3]), base, k=3))  # (2 + 3/2) / (3 + 2/1.585 + 1/2)
    0.735
    """
    worth = gain_of(grade, gain=gain, gains=gains)
    best = ideal_gain(base, gain=gain, gains=gains)
    shown = cumulate(worth, rank, DIVISOR[discount], k, tie_first, tie_last)
    return ratio(shown, ideal(best, DIVISOR[discount], k))


@measure(
    "DCG_JK",
    formula="sum to rank k of gain / max(1, log_b(rank))",
    paper=JK.format("eq. 2"),
    high=inf,
)
def dcg_jk(grade, rank, *, b=2, gain="linear", gains=None, k=inf, tie_first=None, tie_last=None):
    """Discounted cumulated gain as first published: ranks before b are not discounted.

    >>> from numpy import arange, array
    >>> g = array([3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0])  # the paper's G'
    >>> print(dcg_jk(g, arange(1.0, 11)))
    9.61
    """
    worth = gain_of(grade, gain=gain, gains=gains)
    return cumulate(worth, rank, original(b), k, tie_first, tie_last)


@measure(
    "nDCG_JK",
    formula="DCG_JK@k / DCG_JK@k of all judged documents of the topic, largest gain first",
    paper=JK.format("eq. 5"),
    undefined=IDEAL,
    notes="NTCIREVAL's nDCG. The ideal is the topic's, not that of the documents retrieved; the "
    "ranks beyond the end of either gain nothing.",
)
def ndcg_jk(
    grade, rank, base, *, b=2, gain="linear", gains=None, k=inf, tie_first=None, tie_last=None
):
    """DCG_JK as a share of the best that the topic allows.

    >>> from numpy import arange, array
    >>> g = array([3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0])  # the paper's G' and I'
    >>> print(ndcg_jk(g, arange(1.0, 11), array([3.0, 3, 3, 2, 2, 2, 1, 1, 1, 1])))
    0.81
    """
    best = ideal_gain(base, gain=gain, gains=gains)
    shown = dcg_jk(
        grade, rank, b=b, gain=gain, gains=gains, k=k, tie_first=tie_first, tie_last=tie_last
    )
    return ratio(shown, ideal(best, original(b), k))
