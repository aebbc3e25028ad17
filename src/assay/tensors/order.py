"""The order of documents by score: the highest first, equal scores as they came (stable)."""

from __future__ import annotations

import math
import sys

import numpy as np
from array_api_compat import is_torch_array

from assay.tensors.namespace import Array, array_namespace, bits, shows_bits, tracing

__all__ = ["best", "descending", "taken", "top"]

FEWER = 8  # a selection pays where it keeps at most one document in so many,
LONG = 4096  # and, but for NumPy, where lists are as long as that
ONE_BY_ONE = 12  # values that are faster to find one after the other than by a sort


def descending(scores: Array, real: Array | None) -> Array:
    """Positions of documents from the highest score to the lowest, those that are not real last."""
    if isinstance(scores, np.ndarray):
        return _by_keys(scores, real, scores.shape[-1])
    keys = scores if real is None or not shows_bits(scores) else _ordered(scores, real)
    if is_torch_array(keys):  # one call for what argsort does in two
        return sys.modules["torch"].sort(keys, dim=-1, descending=True, stable=True).indices
    xp = array_namespace(scores)
    order = xp.argsort(keys, axis=-1, descending=True, stable=True)
    if real is None or keys is not scores:
        return order
    behind = xp.astype(~taken(real, order), xp.int8)
    return taken(order, xp.argsort(behind, axis=-1, stable=True))


def top(scores: Array, real: Array | None, k: int) -> Array | None:
    """The first k positions of `descending`, where they are cheaper to have; else None.

    A library's selection may choose any of several equal scores. So lists whose k-th and next score
    are equal are sorted: whether there are any is the one look that waits for the device.
    """
    n = scores.shape[-1]
    if k * FEWER > n:
        return None
    if isinstance(scores, np.ndarray):
        return _by_keys(scores, real, k)
    if not is_torch_array(scores) or n < LONG or tracing(scores):
        return None
    torch = sys.modules["torch"]
    keys = scores if real is None else _ordered(scores, real)
    values, places = torch.topk(keys, k + 1, dim=-1)
    places, cut = torch.sort(places[..., :k], dim=-1).values, values[..., k - 1] == values[..., k]
    values = torch.gather(keys, -1, places)
    places = taken(places, torch.sort(values, dim=-1, descending=True, stable=True).indices)
    rows = torch.nonzero(cut, as_tuple=True)
    if rows[0].shape[0]:
        some = torch.sort(keys[rows], dim=-1, descending=True, stable=True).indices
        places[rows] = some[..., :k]
    return places


def best(values: Array, k: int | None) -> Array:
    """The k largest values (None: all) along the last axis, largest first."""
    xp, n = array_namespace(values), values.shape[-1]
    k = n if k is None else min(k, n)
    few = k * FEWER <= n
    if k == 1:
        return xp.max(values, axis=-1, keepdims=True)
    if isinstance(values, np.ndarray):
        if few:
            values = -np.partition(-values, k - 1, axis=-1)[..., :k]
        return -np.sort(-values, axis=-1)[..., :k]
    if few and k <= ONE_BY_ONE:
        if tracing(values):
            return _by_levels(values, k)
        if is_torch_array(values):
            return _one_by_one(values, k)
    return xp.sort(values, axis=-1, descending=True)[..., :k]


def _one_by_one(values: Array, k: int) -> Array:
    """The largest, taken out; the largest of the rest; and so on."""
    torch, rest, found = sys.modules["torch"], values.clone(), []
    for _ in range(k):
        value, place = rest.max(dim=-1, keepdim=True)
        found.append(value)
        rest.scatter_(-1, place, -math.inf)
    return torch.cat(found, dim=-1)


def _by_levels(values: Array, k: int) -> Array:
    """The largest level and how many have it, the next level, and so on: compiled, one pass."""
    xp = array_namespace(values)
    place = xp.arange(k, dtype=values.dtype, device=values.device)
    level = xp.max(values, axis=-1, keepdims=True)
    found, before = xp.zeros_like(values[..., :k]), xp.zeros_like(level)
    for _ in range(k - 1):
        many = xp.sum(xp.astype(values == level, values.dtype), axis=-1, keepdims=True)
        here = (place >= before) & (place < before + many)
        found, before = xp.where(here, level, found), before + many
        below = xp.where(values < level, values, xp.full_like(values, -math.inf))
        level = xp.max(below, axis=-1, keepdims=True)
    return xp.where(place >= before, level, found)


def taken(values: Array, places: Array) -> Array:
    """The values at the given places of each list."""
    if isinstance(values, np.ndarray):
        starts = np.arange(0, values.size, values.shape[-1]).reshape(*values.shape[:-1], 1)
        return values.reshape(-1).take(places + starts)
    if is_torch_array(values):  # take_along_dim would look for negative places
        return sys.modules["torch"].gather(values, -1, places)
    return array_namespace(values).take_along_axis(values, places, axis=-1)


def _ordered(scores: Array, real: Array | None) -> Array:
    """Whole numbers in the order of the scores, and below them all for what is not real."""
    xp = array_namespace(scores)
    raw = bits(xp.where(scores == 0, xp.zeros_like(scores), scores))  # -0.0 equals 0.0
    limits = xp.iinfo(raw.dtype)
    keys = raw ^ ((raw >> (limits.bits - 1)) & limits.max)  # the larger a negative's bits, the less
    return keys if real is None else xp.where(real, keys, xp.full_like(keys, limits.min))


def _by_keys(scores: np.ndarray, real: Array | None, k: int) -> np.ndarray:
    """Positions of the first k, by keys that hold a 32-bit score and the position: no two equal."""
    if scores.dtype == np.float64:
        return _by_argsort(_ordered(scores, real))[..., :k]
    n = scores.shape[-1]
    keys: np.ndarray = ~_ordered(scores, real).astype(np.int64) << 32 | np.arange(n)
    if k < n:
        keys = np.partition(keys, k - 1, axis=-1)[..., :k]
    keys.sort(axis=-1)
    return keys & 0xFFFFFFFF


def _by_argsort(keys: np.ndarray) -> np.ndarray:
    """Sort the fast, unstable way; sort again, stably, the lists in which two are equal."""
    down = ~keys
    order = np.argsort(down, axis=-1)
    found = taken(down, order)
    tied = (found[..., 1:] == found[..., :-1]).any(axis=-1)
    if tied.any():
        order[tied] = np.argsort(down[tied], axis=-1, kind="stable")
    return order
