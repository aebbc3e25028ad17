"""trec_eval's own measures of gain: against the ideal at chosen ranks, and with persistence."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import (
    Array,
    array_namespace,
    at_rank,
    count,
    count_above,
    deepest,
    indicator,
    largest,
    pick,
    ratio,
    total,
)
from assay.measures.parameters import Parameter, number
from assay.measures.registry import measure

TREC = "trec_eval, {}"
IDEAL = "no document with a gain"
P = {"p": Parameter(number(0, 1, open_low=True, open_high=True), "persistence, .9 in trec_eval")}


def places(like: Array) -> Array:
    """Ranks 1, 2, ... along the last axis."""
    xp = array_namespace(like)
    return xp.arange(1, like.shape[-1] + 1, dtype=like.dtype, device=like.device)


def discounted(gain: Array, rank: Array) -> Array:
    """DCG up to and with each document."""
    xp = array_namespace(gain)
    return xp.cumulative_sum(gain / xp.log2(rank + 1.0), axis=-1)


@measure(
    "BinG",
    formula="(1/R) sum over relevant documents of 1 / log2(2 + n), n documents that are not "
    "relevant before it",
    paper=TREC.format("binG"),
    undefined="no relevant document",
)
def bin_g(grade, rank, base, *, rel=1):
    """Binary G: each relevant document, discounted by the others that stand before it.

    >>> from numpy import array
    >>> base = array([1.0, 1])
    >>> print(bin_g(array([1.0, 1]), array([1.0, 4]), base))  # (1 + 1/log2(4)) / 2
    0.75
    """
    xp = array_namespace(grade)
    hit = indicator(grade >= rel, grade)
    others = rank - xp.cumulative_sum(hit, axis=-1)
    return ratio(total(hit / xp.log2(2.0 + others)), count(base >= rel, base))


@measure(
    "G",
    formula="sum of gain / log2(2 + cost - gain so far) / sum of all gains; at each rank the cost "
    "grows by the ideal gain there, 1 at least",
    paper=TREC.format("G"),
    undefined=IDEAL,
)
def g(grade, rank, base):
    """G: each gain, discounted by how far the list has fallen behind the ideal one.

    >>> from numpy import array
    >>> base = array([2.0, 1])  # rank 3: cost 2 + 1 + 1, 2 behind with the gain itself
    >>> print(g(array([2.0]), array([3.0]), base))  # 2 / log2(4) / 3
    0.333
    """
    xp = array_namespace(grade)
    cost = at_rank(xp.cumulative_sum(xp.clip(base, 1), axis=-1), rank)
    cost = cost + xp.clip(rank - base.shape[-1], 0)
    behind = cost - xp.cumulative_sum(grade, axis=-1)
    worth = xp.where(grade != 0, grade / xp.log2(2.0 + behind), xp.zeros_like(grade))
    return ratio(total(worth), total(base))


@measure(
    "IdealDCG",
    formula="DCG of all documents judged for the topic, largest gain first",
    paper=TREC.format("ideal_dcg"),
    high=inf,
)
def ideal_dcg(base, *, tie_first=None, tie_last=None):  # noqa: ARG001 - ties cannot change it
    """What nDCG divides by: the DCG of the best list that the topic allows.

    >>> from numpy import array
    >>> print(ideal_dcg(array([3.0, 2, 1])))  # 3/1 + 2/1.585 + 1/2
    4.762
    """
    return last(discounted(base, places(base)))


@measure(
    "nDCGrel",
    formula="mean over the documents with a gain of nDCG up to the document, DCG / ideal DCG of "
    "the whole list for those not retrieved",
    paper=TREC.format("ndcg_rel"),
    undefined=IDEAL,
    exempt={
        "swap": "another gain shown earlier moves the ranks at which nDCG is looked at",
    },
)
def ndcg_rel(grade, rank, base):
    """Normalised DCG at each document with a gain, averaged.

    >>> from numpy import array
    >>> base = array([1.0, 1])  # at rank 1: 1 / 1; at rank 3: (1 + 1/2) / (1 + 1/1.585)
    >>> print(ndcg_rel(array([1.0, 1]), array([1.0, 3]), base))
    0.96
    """
    xp = array_namespace(base)
    dcg, ideal = discounted(grade, rank), discounted(base, places(base))
    gain, wanted = indicator(grade > 0, grade), count(base > 0, base)
    shown = total(gain * ratio(dcg, at_rank(ideal, rank), empty=0.0))
    rest = (wanted - total(gain)) * last(dcg)
    return ratio(xp.clip(shown + ratio(rest, last(ideal), empty=0.0), 0), wanted)


def last(running: Array) -> Array:
    """The last entry of a running total, 0 where there is none."""
    if running.shape[-1] == 0:
        return array_namespace(running).sum(running, axis=-1)
    return running[..., -1]


@measure(
    "RnDCG",
    formula="mean of nDCG at the ranks at which the ideal gain changes, the number of documents "
    "of at least each gain; where more are retrieved also over the whole list",
    paper=TREC.format("Rndcg"),
    undefined=IDEAL,
    exempt={
        "tail": "the whole list counts only where it is longer than the ideal by two and more",
    },
    notes="The graded counterpart of Rprec.",
)
def r_ndcg(grade, rank, base, retrieved):
    """Normalised DCG where the ideal list steps down from one gain to the next, averaged.

    >>> from numpy import array
    >>> base = array([2.0, 1])  # at rank 1: 0; at rank 2: 2/1.585 over 2 + 1/1.585
    >>> print(r_ndcg(array([2.0]), array([2.0]), base, array(2.0)))
    0.24
    """
    xp = array_namespace(base)
    dcg, ideal = discounted(grade, rank), discounted(base, places(base))
    after = xp.concat([base[..., 1:], xp.zeros_like(base[..., :1])], axis=-1)
    edge = indicator((base > 0) & (base != after), base)
    nothing = xp.zeros((*dcg.shape[:-1], 1), dtype=dcg.dtype, device=dcg.device)
    reached = pick(xp.concat([nothing, dcg], axis=-1), count_above(-rank, -1.0 - places(base)))
    gains = count(base > 0, base)
    longer = indicator((gains > 0) & (retrieved > gains + 1), base)
    whole = longer * ratio(last(dcg), last(ideal), empty=0.0)
    return ratio(total(edge * ratio(reached, ideal, empty=0.0)) + whole, total(edge) + longer)


@measure(
    "TopicRBP",
    formula="(1 - p) sum of gain p^(rank - 1); a topic with a grade above 1 has its grades divided "
    "by its largest",
    paper=TREC.format("rbp") + "; Moffat & Zobel 2008, https://doi.org/10.1145/1416950.1416952",
    parameters=P,
    notes="The same grade is worth more on a topic without higher ones; RBP has one scale for all.",
)
def topic_rbp(grade, rank, base, *, p=0.9):
    """Rank-biased precision on each topic's own scale of grades.

    >>> from numpy import array
    >>> print(topic_rbp(array([2.0, 1]), array([1.0, 3]), array([2.0, 1, 1]), p=0.5))
    0.5625
    """
    xp = array_namespace(grade)
    scale = xp.expand_dims(xp.clip(largest(base), 1), axis=-1)
    depth = deepest(xp.where(rank < inf, rank, xp.ones_like(rank)))
    steps = xp.full((depth,), p, dtype=rank.dtype, device=rank.device)
    weight = xp.cumulative_prod(steps, include_initial=True)
    return (1.0 - p) * total(grade / scale * at_rank(weight, rank))


@measure(
    "RBPResidual",
    formula="1 - (1 - p) sum over judged documents of p^(rank - 1)",
    paper=TREC.format("rbp_resid")
    + "; Moffat & Zobel 2008, https://doi.org/10.1145/1416950.1416952",
    parameters=P,
    higher_is_better=False,
    worst=1.0,
    exempt={"ideal": "judged documents of no worth lower it as well"},
    notes="trec_eval prints 0 where every document retrieved is judged; the tail p^n is due.",
)
def rbp_residual(rank, *, p=0.9):
    """How much RBP could still grow if all unjudged documents, shown or not, were relevant.

    >>> from numpy import array
    >>> print(rbp_residual(array([1.0, 2])))  # .9^2
    0.81
    """
    xp = array_namespace(rank)
    seen = xp.where(rank < inf, p ** (rank - 1.0), xp.zeros_like(rank))
    return 1.0 - (1.0 - p) * total(seen)
