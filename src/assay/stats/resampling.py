"""Random signs, labels and resamples in blocks, each block with a seed of its own.

The blocks depend on the data's shape alone, so results never depend on threads or on memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assay.stats.arrays import Array

    Draws = Iterable[tuple[slice, Array]]

__all__ = ["CELLS", "counts", "halves", "once", "orders", "pair_blocks", "row_blocks"]

CELLS = 1 << 18  # of one random block
TOGETHER = 1 << 17  # resampled values of one block of pairs: as many as a core's cache holds
HELD = 1 << 21  # draws that are made once for all, and values of a block where there are more


def row_blocks(total: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Number, begin and end of each block of rows of this width."""
    rows = max(1, CELLS // max(1, width))
    for number, begin in enumerate(range(0, total, rows)):
        yield number, begin, min(begin + rows, total)


def pair_blocks(pairs: int, resamples: int, n: int) -> Iterator[slice]:
    """Pairs that are resampled together: their values stay in the cache, or in memory at least.

    The latter where draws of so many topics are made anew for each block.
    """
    many = max(1, (HELD if resamples * n > HELD else TOGETHER) // max(1, resamples))
    for begin in range(0, pairs, many):
        yield slice(begin, min(begin + many, pairs))


def generator(seed: int, number: int) -> np.random.Generator:
    """The generator of one block."""
    return np.random.default_rng([seed, number])


def counts(resamples: int, n: int, seed: int) -> Iterator[tuple[slice, Array]]:
    """Bootstrap resamples of n topics: how often each topic was drawn, [resample, topic]."""
    for number, begin, end in row_blocks(resamples, n):
        rows = end - begin
        drawn = generator(seed, number).integers(0, n, (rows, n))
        drawn += np.arange(rows)[:, None] * n
        yield (
            slice(begin, end),
            np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64),
        )


def halves(resamples: int, n: int, seed: int) -> Iterator[tuple[slice, Array]]:
    """Random subsets of n topics, each topic in or out by a coin: 1 and 0, [resample, topic]."""
    for number, begin, end in row_blocks(resamples, n):
        rows = end - begin
        bits = np.frombuffer(generator(seed, number).bytes(rows * ((n + 7) // 8)), np.uint8)
        chosen = np.unpackbits(bits.reshape(rows, -1), axis=-1, count=n)
        yield slice(begin, end), chosen.astype(np.float64)


def orders(rows: int, topics: int, runs: int, seed: int, number: int) -> Array:
    """Random orders of the runs, one for each row and topic: [row, topic, place].

    The number of each run stands below random bits, which are sorted; 54 bits or more for up to
    1,024 runs, so that two that are equal, and would stay in order, are never seen.
    """
    width = (runs - 1).bit_length()
    ends = np.iinfo(np.int64)
    shape = (rows, topics, runs)
    keys = generator(seed, number).integers(ends.min, ends.max, shape, np.int64, endpoint=True)
    keys &= -(1 << width)
    keys |= np.arange(runs)
    keys.sort(axis=-1)
    keys &= (1 << width) - 1
    return keys


def once(
    draw: Callable[[int, int, int], Draws], resamples: int, n: int, seed: int
) -> Callable[[], Draws]:
    """The same draws for every block of pairs: kept where they are few, else made again."""
    if resamples * n > HELD:
        return lambda: draw(resamples, n, seed)
    kept = list(draw(resamples, n, seed))
    return lambda: kept
