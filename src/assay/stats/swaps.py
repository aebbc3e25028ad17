"""Swap rates: how often two samples of topics put two runs in opposite order.

Voorhees & Buckley 2002, https://doi.org/10.1145/564376.564432: two disjoint sets of topics are
drawn, the difference of two runs' means is taken on each, and the comparison is a swap where the
signs are opposite. Comparisons are counted by the size of the difference on the first set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.errors import AssayError
from assay.stats.arrays import Array, steady
from assay.stats.resampling import generator, row_blocks

__all__ = ["BINS", "Swaps", "swaps"]

BINS = 21  # widths of 1 % of the range: 0 to .01, ..., .19 to .2, and what is beyond


@dataclass(frozen=True)
class Swaps:
    """Comparisons and swaps among them, by the size of the difference."""

    size: int  # topics of each of the two sets
    width: float  # of a bin; the last is open
    compared: Array  # [bin]
    swapped: Array  # [bin]

    @property
    def rate(self) -> float:
        """Share of all comparisons that swap."""
        return float(self.swapped.sum() / self.compared.sum())

    @property
    def rates(self) -> Array:
        """The same for each bin; NaN where nothing was compared."""
        many = np.where(self.compared == 0, np.nan, self.compared)
        return np.asarray(self.swapped / many)

    def needed(self, most: float) -> float:
        """The difference from which on no bin swaps in more than this share; NaN if none is."""
        bad = np.flatnonzero(np.nan_to_num(self.rates) > most)
        first = int(bad[-1]) + 1 if len(bad) else 0
        return first * self.width if first < BINS and self.compared[first:].any() else np.nan

    def reached(self, difference: float) -> float:
        """Share of the comparisons with at least this difference; it is a multiple of the width."""
        if np.isnan(difference):
            return 0.0
        first = round(difference / self.width)
        return float(self.compared[first:].sum() / self.compared.sum())


def swaps(
    x: Array, pairs: Array, *, size: int, width: float, draws: int = 1000, seed: int = 0
) -> Swaps:
    """Compare runs on pairs of disjoint sets of `size` topics: x[run, topic], pairs[pair, 2]."""
    topics = x.shape[-1]
    if not 1 <= size <= topics // 2:
        raise AssayError(
            f"size={size!r}: two disjoint sets of {topics} topics have 1 to {topics // 2} each"
        )
    compared, swapped = np.zeros(BINS, dtype=np.int64), np.zeros(BINS, dtype=np.int64)
    for number, begin, end in row_blocks(draws, max(len(pairs), topics)):
        order = np.argsort(generator(seed, number).random((end - begin, topics)), axis=-1)
        rows = np.arange(end - begin)[:, None]
        means = []
        for chosen in (order[:, :size], order[:, size : 2 * size]):
            inside = np.zeros((end - begin, topics))
            inside[rows, chosen] = 1.0
            means.append(steady(inside @ x.T / size))
        one, other = (each[:, pairs[:, 1]] - each[:, pairs[:, 0]] for each in means)
        place = np.minimum(np.abs(one) / width + 1e-9, BINS - 1).astype(np.int64)
        compared += np.bincount(place.ravel(), minlength=BINS)
        swapped += np.bincount(place[one * other < 0], minlength=BINS)
    return Swaps(size, width, compared, swapped)
