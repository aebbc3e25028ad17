"""Readers who go down the list and stop: with a fixed probability, or when satisfied."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201, A002 - arrays of any library; `max` is the scale's

from __future__ import annotations

from math import inf

from assay.errors import AssayError
from assay.measures.arrays import Array, array_namespace, indicator, mean_weight, ratio
from assay.measures.parameters import Parameter, choice, number
from assay.measures.registry import measure

SCALE = (
    "Without `max` the top of the scale is the largest grade of the whole judgment set, never the "
    "topic's own; it stands in the printed name."
)
CHAPELLE = "Chapelle et al. 2009, https://doi.org/10.1145/1645953.1646033"
STOP = {
    "gain": Parameter(
        choice("exp", "linear"), "stopping probability of a grade g: (2^g - 1)/2^max or g/(max + 1)"
    )
}
BINARY = {
    "rel": Parameter(
        number(0, open_low=True, optional=True),
        "smallest grade that counts as relevant; without it a document is worth grade / max",
    )
}


def top(max: float | None, name: str) -> float:
    """The top of the scale, which must be known."""
    if max is None:
        raise AssayError(
            f"{name}: the top of the grade scale is not known; give it, as {name}(max=3)"
        )
    return max


@measure(
    "RBP",
    formula="(1 - p) sum to rank k of grade/max p^(rank - 1); with rel, 1 for a relevant document",
    paper="Moffat & Zobel 2008, https://doi.org/10.1145/1416950.1416952",
    parameters=BINARY,
    notes=SCALE + " p is .8 as in ir_measures; trec_eval has .9, and rescales the grades of each "
    "topic by its own smallest and largest; ranx takes grades as they are, above 1 too.",
)
def rbp(grade, rank, *, p=0.8, rel=None, max=None, k=inf, tie_first=None, tie_last=None):
    """Rank-biased precision: the reader looks at the next document with probability p.

    >>> from numpy import array
    >>> print(rbp(array([2.0, 1]), array([1.0, 3]), p=0.5, max=2))  # .5 (1 + .5 x .25)
    0.5625
    """
    worth = grade / top(max, "RBP") if rel is None else indicator(grade >= rel, grade)

    def weight(i: Array) -> Array:
        return indicator(i <= k, i) * (1 - p) * p ** (i - 1)

    weights = mean_weight(weight, rank, tie_first, tie_last)
    return array_namespace(grade).sum(worth * weights, axis=-1)


def reciprocal(grade: Array, rank: Array, max: float, gain: str, k: float) -> Array:
    """Sum of 1/rank, each times the probability that the reader stops there."""
    xp = array_namespace(grade)
    stop = 2.0 ** (grade - max) - 2.0**-max if gain == "exp" else grade / (max + 1.0)
    stop = stop * indicator(grade > 0, grade)  # a GPU's power of 2 may be off by its last bit
    reach = xp.cumulative_prod(1 - stop, axis=-1, include_initial=True)[..., :-1]
    return xp.sum(indicator(rank <= k, rank) * reach * stop / rank, axis=-1)


@measure(
    "ERR",
    formula="sum to rank k of stop(i)/i x product over the ranks before i of 1 - stop; "
    "stop = (2^grade - 1)/2^max",
    paper=CHAPELLE,
    parameters=STOP,
    notes=SCALE + " gdeval, and so ir_measures, fix it at 4. gain='linear' is NTCIREVAL's "
    "stop = grade/(max + 1).",
)
def err(grade, rank, *, max=None, gain="exp", k=inf):
    """Expected reciprocal rank: 1/rank where a reader stops who may be satisfied on the way.

    >>> from numpy import array
    >>> print(err(array([1.0, 2]), array([1.0, 2]), max=2))  # 1/4 + (1 - 1/4) (3/4)/2
    0.53125
    """
    return reciprocal(grade, rank, top(max, "ERR"), gain, k)


@measure(
    "nERR",
    formula="ERR@k / ERR@k of all judged documents of the topic, best first",
    paper=CHAPELLE
    + "; normalised as in Sakai & Song 2011, https://doi.org/10.1145/2009916.2010055",
    undefined="no document of a grade above 0",
    parameters=STOP,
    notes=SCALE,
)
def nerr(grade, rank, base, *, max=None, gain="exp", k=inf):
    """ERR as a share of the best that the topic allows.

    >>> from numpy import array
    >>> print(nerr(array([1.0, 2]), array([1.0, 2]), array([2.0, 1]), max=2))  # .53125 / .78125
    0.68
    """
    xp = array_namespace(base)
    ranks = xp.arange(1, base.shape[-1] + 1, dtype=base.dtype, device=base.device)
    best = reciprocal(base, ranks, top(max, "nERR"), gain, k)
    return ratio(reciprocal(grade, rank, max, gain, k), best)
