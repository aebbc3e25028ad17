"""Lists of different lengths, told apart by a number beside each document, as padded blocks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.tensors.batch import together
from assay.tensors.namespace import Array, array_namespace, detached, on_cpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.tensors.batch import Batch

__all__ = ["Ragged", "ragged"]


@dataclass(frozen=True)
class Ragged:
    """Documents of one axis, and where each list's documents are among them."""

    batch: Batch
    order: Array  # positions of the documents, list after list
    starts: Array  # of each list within the order
    sizes: Array
    longest: int
    host: np.ndarray[Any, Any] | None = None  # the sizes, where they were read
    bad: Array | None = None  # lists that are not what the caller said

    def blocks(self, cells: int) -> tuple[Iterator[Batch], Array | None]:
        """Padded blocks of lists, and where each list's value stands among theirs."""
        if self.host is None:
            return self._alike(self.longest, cells), None
        sizes = self.host
        by_size = np.argsort(sizes, kind="stable")
        place = np.empty_like(by_size)
        place[by_size] = np.arange(len(by_size))
        xp, like = array_namespace(self.sizes), self.sizes
        rows, back = (xp.asarray(a, device=like.device) for a in (by_size, place))
        return self._by_size(sizes[by_size], rows, cells), back

    def _alike(self, width: int, cells: int) -> Iterator[Batch]:
        lists = self.starts.shape[0]
        step = max(1, cells // width)
        for i in range(0, max(1, lists), step):
            some = slice(i, min(i + step, lists))
            bad = None if self.bad is None else self.bad[some]
            yield self._block(self.starts[some], self.sizes[some], width, bad)

    def _by_size(self, sizes: np.ndarray[Any, Any], rows: Array, cells: int) -> Iterator[Batch]:
        """Lists of like length together, so that a long one does not widen all others."""
        xp, lists, start, end = array_namespace(rows), len(sizes), 0, -1
        while end < lists:
            fits = np.arange(1, lists - start + 1) * sizes[start:] <= cells
            end = min(lists, start + max(1, int(fits.sum())))
            some = rows[start:end]
            starts, found = (xp.take(a, some, axis=0) for a in (self.starts, self.sizes))
            yield self._block(starts, found, int(sizes[start:end].max(initial=1)), None)
            start = end

    def _block(self, starts: Array, sizes: Array, width: int, bad: Array | None) -> Batch:
        xp = array_namespace(starts)
        column = xp.arange(width, dtype=starts.dtype, device=starts.device)
        place = xp.expand_dims(starts, axis=-1) + column
        place = xp.clip(place, 0, max(0, self.order.shape[0] - 1))
        source = xp.take(self.order, xp.reshape(place, (-1,)), axis=0)

        def gathered(values: Array) -> Array:
            return xp.reshape(xp.take(values, source, axis=0), place.shape)

        block = self.batch.map(gathered)
        real = column < xp.expand_dims(sizes, axis=-1)
        block = replace(block, real=real if block.real is None else real & block.real).ready()
        if bad is None:
            return block
        nothing = xp.full_like(block.scores, math.nan)
        bad = xp.expand_dims(bad, axis=-1)
        # a document without a score makes the values NaN
        return replace(block, scores=xp.where(bad, nothing, block.scores), real=block.real | bad)


def ragged(batch: Batch, index: Any, shape: tuple[int, int] | None) -> Ragged:
    """Tell the lists apart."""
    index = detached(index, "index")
    if isinstance(batch.scores, np.ndarray):
        view = on_cpu(index)[0]
        index = index if view is None else view
    together({"scores": batch.scores, "index": index})
    found = tuple(batch.scores.shape)
    if len(found) != 1 or tuple(index.shape) != found:
        raise AssayError(
            "index= goes with arrays of one axis, a number for each document; found scores of "
            f"shape {found} and an index of shape {tuple(index.shape)}"
        )
    xp = array_namespace(batch.scores)
    if not xp.isdtype(index.dtype, "integral"):
        raise AssayError(f"index: expected whole numbers, found {index.dtype}")
    if shape is not None:
        _check(shape)
    order = xp.argsort(index, stable=True)
    if shape is None:
        sizes = xp.unique_counts(index).counts
        host = _on_host(sizes)
        starts = xp.cumulative_sum(sizes) - sizes
        return Ragged(batch, order, starts, sizes, int(host.max(initial=1)), host)
    lists, longest = shape
    numbers = xp.arange(lists + 1, dtype=index.dtype, device=index.device)
    edges = xp.searchsorted(xp.take(index, order, axis=0), numbers)
    sizes = edges[1:] - edges[:-1]
    outside = xp.any((index < 0) | (index >= lists))
    if not found[0]:  # so that there is something to take from
        batch = batch.map(lambda a: xp.zeros((1,), dtype=a.dtype, device=a.device))
        order = xp.zeros((1,), dtype=order.dtype, device=order.device)
    return Ragged(batch, order, edges[:-1], sizes, longest, bad=(sizes > longest) | outside)


def _check(shape: Any) -> None:
    pair = isinstance(shape, tuple) and len(shape) == 2
    if not pair or not all(isinstance(size, int) and size > 0 for size in shape):
        raise AssayError(f"shape: expected (lists, longest), both at least 1, found {shape}")


def _on_host(values: Array) -> np.ndarray[Any, Any]:
    """Read from the device."""
    return np.asarray(values.tolist() if hasattr(values, "tolist") else values)
