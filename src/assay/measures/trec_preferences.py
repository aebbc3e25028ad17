"""trec_eval's measures of preferences: how many pairs of documents stand in the right order."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import Array, array_namespace, defined, indicator, ratio, total
from assay.measures.parameters import Parameter, choice
from assay.measures.registry import measure

CARTERETTE = "trec_eval, {}; Carterette et al. 2008, https://doi.org/10.1007/978-3-540-78646-7_5"
NOTHING = "no pair of documents of which one is preferred"
UNKNOWN = (
    "a document without a judgment makes no pair: a judged one in its place may precede better ones"
)
AMONG = {
    "among": Parameter(
        choice("all", "implied", "retrieved"),
        "pairs that count: all, those with a document retrieved (implied), those with both",
    )
}


def counted(better: Array, worse: Array, among: str) -> Array:
    """1 for each pair that counts; padding is NaN."""
    xp = array_namespace(better)
    if among == "all":
        return indicator(better == better, better)  # noqa: PLR0124 - not NaN
    limit = xp.maximum(better, worse) if among == "retrieved" else xp.minimum(better, worse)
    return indicator(limit < inf, better)


@measure(
    "NumPref",
    formula="preferences stated, added up over topics",
    paper=CARTERETTE.format("prefs_num_prefs_poss"),
    high=inf,
    average="sum",
    parameters=AMONG,
    exempt={
        "ideal": "with among='retrieved' a longer list has more",
    },
)
def num_pref(better, worse, *, among="all"):
    """Number of preferences.

    >>> from numpy import array, inf
    >>> print(num_pref(array([1.0, inf]), array([2.0, 3])))
    2.0
    """
    return total(counted(better, worse, among))


@measure(
    "NumPrefOk",
    formula="preferences fulfilled, added up over topics",
    paper=CARTERETTE.format("prefs_num_prefs_ful"),
    high=inf,
    average="sum",
    parameters=AMONG,
    exempt={"ideal": "with among='retrieved' a longer list has more", "swap": UNKNOWN},
)
def num_pref_ok(better, worse, *, among="all"):
    """Number of preferences that the ranking agrees with.

    >>> from numpy import array, inf
    >>> print(num_pref_ok(array([1.0, inf]), array([2.0, 3])))
    1.0
    """
    return total(counted(better, worse, among) * indicator(better < worse, better))


@measure(
    "PrefSimp",
    formula="preferences fulfilled / preferences stated",
    paper=CARTERETTE.format("prefs_simp"),
    undefined=NOTHING,
    parameters=AMONG,
    exempt={
        "ideal": "with among='retrieved' relevant documents alone may form no pair: 0",
        "swap": UNKNOWN,
    },
    notes="A retrieved document stands before one that is not. 0 where no pair counts.",
)
def pref_simp(better, worse, *, among="all"):
    """Share of the preferences that the ranking agrees with.

    >>> from numpy import array, inf
    >>> better, worse = array([1.0, 3, inf]), array([3.0, inf, 1])
    >>> print(pref_simp(better, worse))  # the third document was preferred to the first
    0.667
    """
    one = counted(better, worse, among)
    right = one * indicator(better < worse, better)
    share = ratio(total(right), total(one), empty=0.0)
    return defined(share, total(counted(better, worse, "all")))


@measure(
    "PrefPair",
    formula="mean over pairs of documents of the share of preferences that the ranking agrees "
    "with, 0 for a pair of which none is retrieved",
    paper=CARTERETTE.format("prefs_pair"),
    undefined=NOTHING,
    parameters=AMONG,
    exempt={
        "ideal": "with among='retrieved' relevant documents alone may form no pair: 0",
        "swap": UNKNOWN,
    },
    notes="Every pair counts once, however many judges state a preference on it.",
)
def pref_pair(better, worse, votes, against, *, among="all"):
    """Share of the preferences that the ranking agrees with, pair by pair.

    >>> from numpy import array
    >>> better, worse = array([1.0, 2, 1]), array([2.0, 1, 3])  # two of three prefer the first
    >>> print(pref_pair(better, worse, array([2.0, 1, 1]), array([1.0, 2, 0])))  # (2/3 + 1) / 2
    0.833
    """
    xp = array_namespace(better)
    one = counted(better, worse, among)
    right = one * indicator(better < worse, votes) * ratio(votes, votes + against, empty=0.0)
    pairs = one * xp.where(against > 0, xp.full_like(votes, 0.5), xp.ones_like(votes))
    share = ratio(total(right), total(pairs), empty=0.0)
    return defined(share, total(counted(better, worse, "all")))
