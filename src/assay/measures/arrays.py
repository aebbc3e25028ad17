"""The few array idioms that kernels share; Array API only."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Array = Any
Weight = Callable[[Array], Array]

__all__ = [
    "Array",
    "Weight",
    "array_namespace",
    "at_rank",
    "count",
    "count_above",
    "deepest",
    "defined",
    "extent",
    "first_hit",
    "gain_of",
    "group_counts",
    "hits",
    "ideal_gain",
    "indicator",
    "joined",
    "largest",
    "mean_weight",
    "no_deeper_than",
    "pick",
    "ratio",
    "total",
    "within",
]


def array_namespace(*arrays: Array) -> Any:
    """The namespace of these arrays."""
    numpy = sys.modules.get("numpy")  # no array before: the names of measures do without NumPy
    if numpy is not None and all(isinstance(x, (numpy.ndarray, numpy.generic)) for x in arrays):
        from assay.measures.numpy_namespace import NUMPY

        return NUMPY
    from array_api_compat import array_namespace as compatible

    return compatible(*arrays)


def ratio(numerator: Array, denominator: Array, empty: float = math.nan) -> Array:
    """Divide; `empty` where the denominator is 0."""
    xp = array_namespace(denominator)
    zero = denominator == 0
    safe = xp.where(zero, xp.ones_like(denominator), denominator)
    return xp.where(zero, xp.full_like(denominator, empty), numerator / safe)


def defined(value: Array, number: Array) -> Array:
    """The value, NaN where the number (of relevant documents, say) is 0."""
    xp = array_namespace(number)
    return xp.where(number > 0, value, xp.full_like(number, math.nan))


def indicator(condition: Array, like: Array) -> Array:
    """1 where the condition holds and 0 elsewhere, in the dtype of `like`."""
    return array_namespace(condition).astype(condition, like.dtype)


def count(condition: Array, like: Array) -> Array:
    """How many hold along the last axis, in the dtype of `like`."""
    xp = array_namespace(condition)
    return xp.sum(indicator(condition, like), axis=-1)


def total(values: Array) -> Array:
    """Sum along the last axis, added from first to last: the digits do not depend on the machine.

    Libraries add in an order of their own; a value that lies between two printed digits, such as
    .03125, must fall to the side to which it falls in the tools that published it.
    """
    xp = array_namespace(values)
    if values.shape[-1] == 0 or values.dtype == xp.float32:  # of which nobody prints so many digits
        return xp.sum(values, axis=-1)
    return xp.cumulative_sum(values, axis=-1)[..., -1]


def largest(values: Array, empty: float = 0.0) -> Array:
    """The largest value along the last axis, and `empty` where that axis is empty."""
    xp = array_namespace(values)
    if values.shape[-1] == 0:
        return xp.sum(values, axis=-1) + empty
    return xp.max(values, axis=-1)


def pick(vector: Array, place: Array) -> Array:
    """Entries of `vector` at places counted from 0 along the last axis; other axes broadcast."""
    xp = array_namespace(vector)
    lead = _lead(vector, place)
    vector = xp.broadcast_to(vector, (*lead, vector.shape[-1]))
    place = xp.broadcast_to(xp.astype(place, xp.int64), (*lead, place.shape[-1]))
    return xp.take_along_axis(vector, place, axis=-1)


def at_rank(vector: Array, rank: Array) -> Array:
    """Value of `vector` (last axis = ranks 1, 2, ..., n) at each rank; the last value beyond n."""
    xp = array_namespace(rank)
    n = vector.shape[-1]
    return pick(vector, xp.clip(rank, 1, n) - 1) if n else xp.zeros_like(rank)


def count_above(base: Array, grade: Array) -> Array:
    """For each grade, how many entries of `base` along the last axis are strictly greater."""
    xp = array_namespace(grade)
    lead, own = _lead(base, grade), grade.shape[-1]
    # merge: grades stand first, so that in a stable descending sort they precede equal base entries
    grade = xp.broadcast_to(grade, (*lead, own))
    both = xp.concat([grade, xp.broadcast_to(base, (*lead, base.shape[-1]))], axis=-1)
    order = xp.argsort(-both, axis=-1, stable=True)
    above = xp.cumulative_sum(indicator(order >= own, grade), axis=-1)
    back = xp.argsort(order, axis=-1, stable=True)
    return xp.take_along_axis(above, back, axis=-1)[..., :own]


def gain_of(
    grade: Array, *, gain: str = "linear", gains: Mapping[float, float] | None = None
) -> Array:
    """Gain of each grade: by the table `gains` where it lists the grade, then linear or 2^g - 1."""
    xp = array_namespace(grade)
    worth = grade
    for level, value in () if gains is None else gains.items():
        worth = xp.where(grade == level, xp.full_like(grade, float(value)), worth)
    return 2.0**worth - 1.0 if gain == "exp" else worth


def ideal_gain(
    base: Array, *, gain: str = "linear", gains: Mapping[float, float] | None = None
) -> Array:
    """Gains of the topic's documents, largest first: a table need not grow with the grade."""
    worth = gain_of(base, gain=gain, gains=gains)
    return worth if gains is None else array_namespace(base).sort(worth, axis=-1, descending=True)


def within(limit: Any, rank: Array, tie_first: Array | None, tie_last: Array | None) -> Array:
    """1 where the rank is at most `limit`, else 0; of a tie group, the share that is."""
    xp = array_namespace(rank)
    real = indicator(rank < math.inf, rank)
    if tie_first is None or tie_last is None:
        return real * indicator(rank <= limit, rank)
    first, last = extent(rank, tie_first, tie_last)
    return real * xp.clip((limit - first + 1) / (last - first + 1), 0, 1)


def hits(
    grade: Array,
    rank: Array,
    rel: float,
    limit: Any,
    tie_first: Array | None,
    tie_last: Array | None,
) -> Array:
    """How many relevant documents stand at ranks up to `limit`; with ties, how many to expect."""
    hit = indicator(grade >= rel, grade)
    return array_namespace(grade).sum(hit * within(limit, rank, tie_first, tie_last), axis=-1)


def mean_weight(
    weight: Weight, rank: Array, tie_first: Array | None, tie_last: Array | None
) -> Array:
    """weight(rank), or its mean over the ranks of the document's tie group where there are ties."""
    if tie_first is None or tie_last is None:
        return weight(rank)
    xp = array_namespace(rank)
    first, last = extent(rank, tie_first, tie_last)
    places = xp.arange(1, deepest(last) + 1, dtype=rank.dtype, device=rank.device)
    total = xp.cumulative_sum(weight(places), axis=-1, include_initial=True)
    shared = (pick(total, last) - pick(total, first - 1)) / (last - first + 1)
    return xp.where(first == last, weight(rank), shared)


def group_counts(hit: Array, rank: Array, tie_first: Array, tie_last: Array) -> tuple[Array, Array]:
    """For each document, how many hits stand before its tie group and how many in it."""
    total = array_namespace(hit).cumulative_sum(hit, axis=-1, include_initial=True)
    outside = pick(total, count_above(-rank, -tie_first))
    return outside, pick(total, count_above(-rank, -1 - tie_last)) - outside


def first_hit(
    weight: Weight, hit: Array, rank: Array, tie_first: Array | None, tie_last: Array | None
) -> Array:
    """weight(rank of the first hit), 0 without one; with ties, what to expect of it.

    `weight` never grows with the rank. In a group of s documents with r hits the next document
    is a hit with probability r / (s - q) after q that were none.
    """
    xp = array_namespace(hit)
    if tie_first is None or tie_last is None:
        return largest(hit * weight(rank))
    first = -largest(xp.where(hit > 0, -tie_first, xp.full_like(hit, -math.inf)), -math.inf)
    here = hit * indicator(tie_first == xp.expand_dims(first, axis=-1), hit)
    last, r = largest(xp.where(here > 0, tie_last, here)), xp.sum(here, axis=-1, keepdims=True)
    first = xp.expand_dims(xp.where(first < math.inf, first, last + 1), axis=-1)
    size = xp.expand_dims(last, axis=-1) - first + 1
    q = xp.arange(0, deepest(size), dtype=hit.dtype, device=hit.device)
    chance = xp.clip(r / xp.clip(size - q, 1), 0, 1)
    none_yet = xp.cumulative_prod(1 - chance, axis=-1, include_initial=True)[..., :-1]
    return xp.sum(none_yet * chance * weight(first + q), axis=-1)


def extent(rank: Array, tie_first: Array, tie_last: Array) -> tuple[Array, Array]:
    """First and last rank of each tie group, with 1 and 1 for padding."""
    xp = array_namespace(rank)
    real = rank < math.inf
    one = xp.ones_like(rank)
    return xp.where(real, tie_first, one), xp.where(real, tie_last, one)


_bound: ContextVar[int | None] = ContextVar("bound", default=None)


@contextmanager
def no_deeper_than(limit: int) -> Iterator[None]:
    """Let `deepest` answer `limit`, which no rank exceeds, without a look at a device's memory."""
    token = _bound.set(limit)
    try:
        yield
    finally:
        _bound.reset(token)


def deepest(rank: Array) -> int:
    """Return the largest rank, 0 where there is none; in `no_deeper_than` a limit that holds."""
    bound = _bound.get()
    if bound is not None:
        return bound
    return 0 if 0 in rank.shape else int(array_namespace(rank).max(rank))


def joined(*arrays: Array) -> Array:
    """Put arrays one after the other along the last axis; other axes broadcast."""
    xp, lead = array_namespace(*arrays), _lead(*arrays)
    return xp.concat([xp.broadcast_to(a, (*lead, a.shape[-1])) for a in arrays], axis=-1)


def _lead(*arrays: Array) -> tuple[int, ...]:
    """Shape of the leading axes of several arrays, broadcast together."""
    width = max(array.ndim for array in arrays)
    shapes = [(1,) * (width - array.ndim) + tuple(array.shape[:-1]) for array in arrays]
    return tuple(next((n for n in sizes if n != 1), 1) for sizes in zip(*shapes, strict=True))
