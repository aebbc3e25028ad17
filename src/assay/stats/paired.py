"""Paired tests on differences [pair, topic]: what each tests, its two-sided p, its interval."""

from __future__ import annotations

import math

import numpy as np

from assay.stats.arrays import CONSTANT, Array, Outcome, Progress, largest_kept, mid_ranks, spread
from assay.stats.resampling import counts, halves, once, pair_blocks

__all__ = ["EXACT_TOPICS", "bootstrap", "randomization", "sign", "t", "wilcoxon"]

EXACT_TOPICS = 20  # up to here the randomisation test goes through all 2^n signs
EXACT_RANKS = 50  # up to here Wilcoxon's null distribution is exact
WALSH_TOPICS = 1500  # up to here all Walsh averages are made at once


def t(d: Array) -> Outcome:
    """Student 1908: the mean difference over its standard error."""
    from scipy.special import stdtr, stdtrit

    n = d.shape[-1]
    mean, deviation = spread(d)
    error = deviation / math.sqrt(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(error > 0, mean / error, np.where(mean == 0, 0.0, np.nan))
    p = np.where(mean == 0, 1.0, 2 * stdtr(n - 1, -np.abs(statistic)))

    def interval(alpha: Array) -> tuple[Array, Array]:
        half = np.where(error > 0, stdtrit(n - 1, 1 - alpha / 2) * error, 0.0)
        half = np.where(np.isnan(p), np.nan, half)
        return mean - half, mean + half

    return Outcome(p, mean, statistic, interval, reasons=_constant(p))


def _constant(p: Array) -> dict[int, str]:
    return {int(i): CONSTANT for i in np.flatnonzero(np.isnan(p))}


# ----------------------------------------------------------------------------------- signed ranks


def wilcoxon(d: Array) -> Outcome:
    """Wilcoxon 1945: ranks of the differences, zeros dropped; exact up to 50, ties included.

    The estimate is the pseudo-median of what is not 0 (Hodges & Lehmann 1963), the interval that of
    its Walsh averages.
    """
    from scipy.special import ndtr

    size = np.abs(d)
    zeros = (d == 0).sum(axis=-1)
    rank = np.where(d == 0, 0.0, mid_ranks(size) - zeros[:, None])
    plus = (rank * (d > 0)).sum(axis=-1)
    used = d.shape[-1] - zeros
    middle, deviation = rank.sum(axis=-1) / 2, np.sqrt((rank**2).sum(axis=-1) / 4)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(used > 0, 2 * ndtr(-np.abs(plus - middle) / deviation), 1.0)
    known: dict[bytes, Array] = {}
    for i in np.flatnonzero((used > 0) & (used <= EXACT_RANKS)):
        doubled = np.sort(np.rint(2 * rank[i][d[i] != 0]).astype(np.int64))
        key = doubled.tobytes()
        if key not in known:
            known[key] = _rank_sums(doubled)
        below = np.cumsum(known[key])
        at = round(2 * plus[i])
        p[i] = min(1.0, 2 * min(below[at], 1 - (below[at - 1] if at else 0.0)))
    rows = [row[row != 0] for row in d]
    sizes = [len(row) * (len(row) + 1) // 2 for row in rows]
    median = _walsh(rows, [((size + 1) / 2, (size + 1) / 2) for size in sizes])[0]

    def interval(alpha: Array) -> tuple[Array, Array]:
        return _walsh(rows, _walsh_places(alpha, [len(row) for row in rows]))

    return Outcome(p, median, plus, interval, about="pseudo-median", used=used)


def _rank_sums(doubled: Array) -> Array:
    """Probabilities of each sum of a random half of these whole numbers."""
    chance = np.zeros(int(doubled.sum()) + 1)
    chance[0] = 1.0
    for step in doubled.tolist():
        chance *= 0.5
        chance[step:] += chance[: len(chance) - step].copy()
    return chance


Places = list[tuple[float, float]]


def _walsh_places(alpha: Array, lengths: list[int]) -> Places:
    """Which Walsh averages, counted from 1, bound each interval; 0 where none can."""
    from scipy.special import ndtri

    found: dict[tuple[float, int], tuple[float, float]] = {}
    asked = list(zip(alpha.tolist(), lengths, strict=True))
    for level, n in set(asked):
        total = n * (n + 1) // 2
        if n <= EXACT_RANKS:
            below = np.cumsum(_rank_sums(2 * np.arange(1, n + 1))[::2])
            k = int(np.searchsorted(below, level / 2, side="right"))
        else:
            deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
            k = max(0, math.floor(total / 2 + float(ndtri(level / 2)) * deviation))
        found[level, n] = (float(k), float(total + 1 - k))
    return [found[each] for each in asked]


def _walsh(rows: list[Array], places: Places) -> tuple[Array, Array]:
    """Order statistics of the means of all pairs of values, one row at a time; 0 without values."""
    low, high = np.zeros(len(rows)), np.zeros(len(rows))
    upper: dict[int, tuple[Array, Array]] = {}
    for i, (row, (first, last)) in enumerate(zip(rows, places, strict=True)):
        n = len(row)
        if n == 0:
            continue
        if first < 1:
            low[i], high[i] = -np.inf, np.inf
            continue
        wanted = sorted({math.floor(first), math.ceil(first), math.floor(last), math.ceil(last)})
        if n <= WALSH_TOPICS:
            if n not in upper:
                upper[n] = np.triu_indices(n)
            means = (row[upper[n][0]] + row[upper[n][1]]) / 2
            means.partition([k - 1 for k in wanted])
            at = {k: float(means[k - 1]) for k in wanted}
        else:
            ordered = np.sort(row)
            at = {k: _walsh_at(ordered, k) for k in wanted}
        low[i] = (at[math.floor(first)] + at[math.ceil(first)]) / 2
        high[i] = (at[math.floor(last)] + at[math.ceil(last)]) / 2
    return low, high


def _walsh_at(ordered: Array, k: int) -> float:
    """The k-th smallest mean of two, found by halving, for lists too long to make them all."""
    low, high = float(ordered[0]), float(ordered[-1])
    place = np.arange(len(ordered))
    for _ in range(60):
        middle = (low + high) / 2
        ends = np.searchsorted(ordered, 2 * middle - ordered, side="right")
        if int(np.maximum(ends - place, 0).sum()) >= k:
            high = middle
        else:
            low = middle
    return high


def sign(d: Array) -> Outcome:
    """The sign test: how many topics went up, how many down; zeros dropped.

    The estimate is the median of what is not 0, the interval lies between its order statistics.
    """
    from scipy.special import bdtr

    up, down = (d > 0).sum(axis=-1), (d < 0).sum(axis=-1)
    used = up + down
    fewer = np.minimum(up, down).astype(np.float64)
    p = np.where(used > 0, np.minimum(1.0, 2 * bdtr(fewer, np.maximum(used, 1), 0.5)), 1.0)
    rows = [np.sort(row[row != 0]) for row in d]
    median = np.array([np.median(row) if len(row) else 0.0 for row in rows])

    def interval(alpha: Array) -> tuple[Array, Array]:
        low, high = np.zeros(len(d)), np.zeros(len(d))
        for i, row in enumerate(rows):
            n = len(row)
            if n:
                below = bdtr(np.arange(n, dtype=np.float64), n, 0.5)
                k = int(np.searchsorted(below, alpha[i] / 2, side="right"))
                low[i], high[i] = (row[k - 1], row[n - k]) if k else (-np.inf, np.inf)
        return low, high

    return Outcome(p, median, up.astype(np.float64), interval, about="median", used=used)


# ----------------------------------------------------------------------------------- random signs


def randomization(
    d: Array,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    progress: Progress = None,
) -> Outcome:
    """Fisher 1935: the mean difference under random exchange of the two runs' labels.

    Exact, over all 2^n exchanges, up to 20 topics; else p = (1 + c) / (1 + resamples). The interval
    holds the shifts that the test does not reject: its ends are means over subsets of the topics.
    `alpha` is the largest level that `interval` will be asked for.
    """
    n = d.shape[-1]
    if n <= EXACT_TOPICS:
        return _all_signs(d, progress)
    total = d.sum(axis=-1)
    near = 1e-12 * np.abs(d).sum(axis=-1)
    kept = min(resamples, largest_kept(alpha, resamples) + 1)
    p = np.empty(len(d))
    lowest, highest = np.empty((len(d), kept)), np.empty((len(d), kept))
    draws, whole = once(halves, resamples, n, seed), 0
    for block in pair_blocks(len(d), resamples, n):
        means = np.empty((block.stop - block.start, 2 * resamples))
        reached = np.zeros(len(means))
        whole = 0
        for rows, half in draws():
            sums, size = d[block] @ half.T, half.sum(axis=-1)
            far = np.abs(total[block, None] - 2 * sums) >= (np.abs(total) - near)[block, None]
            reached += far.sum(axis=-1)
            empty = (size == 0) | (size == n)  # never near either end of the interval: left out
            whole += int(empty.sum())
            with np.errstate(divide="ignore", invalid="ignore"):
                means[:, rows] = np.where(empty, np.nan, sums / size)
                means[:, resamples + rows.start : resamples + rows.stop] = np.where(
                    empty, np.nan, (total[block, None] - sums) / (n - size)
                )
        p[block] = (1 + reached) / (1 + resamples)
        means.partition((kept - 1,), axis=-1)  # NaN goes last
        lowest[block] = np.sort(means[:, :kept], axis=-1)
        np.negative(means, out=means)
        means.partition((kept - 1,), axis=-1)
        highest[block] = -np.sort(means[:, :kept], axis=-1)
        if progress:
            progress(block.stop / len(d))

    def interval(level: Array) -> tuple[Array, Array]:
        k = np.floor(level * (1 + resamples) + 1e-9).astype(np.int64) - whole
        return _shifts(lowest, highest, k)

    return Outcome(p, total / n, total / n, interval)


def _all_signs(d: Array, progress: Progress) -> Outcome:
    """The randomisation test over all exchanges.

    An exchange of the topics F turns the total T into T - 2 sum(F), which is as far from 0 where
    sum(F) <= 0 or, for its complement, where it is >= T.
    """
    n = d.shape[-1]
    total = d.sum(axis=-1)
    near = 1e-12 * np.abs(d).sum(axis=-1)
    every = 1 << n
    p = np.ones(len(d))
    for i in np.flatnonzero(np.abs(total) > near):
        row = d[i] if total[i] > 0 else -d[i]
        p[i] = min(1.0, 2 * _subsets_up_to(row, near[i] / 2) / every)

    def interval(level: Array) -> tuple[Array, Array]:
        low, high = np.empty(len(d)), np.empty(len(d))
        for i, row in enumerate(d):
            # the smallest number of subsets, nothing among them, with 2 number / 2^n > level
            number = math.floor(level[i] * every / 2 + 1e-9) + 1
            low[i], high[i] = _shift_of(row, number), -_shift_of(-row, number)
            if progress:
                progress((i + 1) / len(d))
        return low, high

    return Outcome(p, total / n, total / n, interval)


def _subsets_up_to(values: Array, bound: float) -> int:
    """How many subsets have a sum of at most `bound`: sums of two halves, met in the middle."""
    half = len(values) // 2
    left, right = np.sort(_subset_sums(values[:half])), _subset_sums(values[half:])
    return int(np.searchsorted(left, bound - right, side="right").sum())


def _shift_of(values: Array, number: int) -> float:
    """The smallest shift below which so many subsets have their mean; the end of an interval."""
    if number < 2:  # the empty subset counts once
        return -math.inf
    low, high = float(values.min()) - 1e-9, float(values.mean())
    near = 1e-13 * float(np.abs(values).sum())
    for _ in range(60):
        middle = (low + high) / 2
        if _subsets_up_to(values - middle, near) >= number:
            high = middle
        else:
            low = middle
    return high


def _subset_sums(values: Array) -> Array:
    """Sums over all subsets."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def _shifts(lowest: Array, highest: Array, k: Array) -> tuple[Array, Array]:
    """The k-th subset mean from either end; without bounds where k is below 1."""
    rows, at = np.arange(len(k)), np.clip(k, 1, lowest.shape[-1]) - 1
    low = np.where(k >= 1, lowest[rows, at], -np.inf)
    return low, np.where(k >= 1, highest[rows, at], np.inf)


# -------------------------------------------------------------------------------------- bootstrap


def bootstrap(
    d: Array,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    progress: Progress = None,
) -> Outcome:
    """Efron & Tibshirani 1993, shift method: topics resampled, the mean studentised.

    p = (1 + c) / (1 + resamples), c counting resamples with |mean* - mean| / error* at least
    |mean| / error; the interval is the symmetric one of the same distribution. The same topics are
    drawn for all pairs. `alpha` is the largest level that `interval` will be asked for.
    """
    n = d.shape[-1]
    mean, deviation = spread(d)
    error = deviation / math.sqrt(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.where(error > 0, mean / error, np.where(mean == 0, 0.0, np.nan))
    centred = d - mean[:, None]
    squared = centred**2
    kept = min(resamples, max(1, largest_kept(alpha, resamples)))
    reached, top = np.zeros(len(d)), np.empty((len(d), kept))
    draws = once(counts, resamples, n, seed)
    for block in pair_blocks(len(d), resamples, n):
        drawn = np.empty((block.stop - block.start, resamples))
        for rows, count in draws():
            drawn[:, rows] = _studentised(centred[block], squared[block], deviation[block], count)
        reached[block] = (drawn >= observed[block, None] ** 2 * (1 - 1e-12)).sum(axis=-1)
        drawn.partition((resamples - kept,), axis=-1)
        top[block] = np.sqrt(-np.sort(-drawn[:, resamples - kept :], axis=-1))
        if progress:
            progress(block.stop / len(d))
    same = (mean == 0) & (deviation == 0)
    p = np.where(same, 1.0, (1 + reached) / (1 + resamples))
    p = np.where(np.isnan(observed), np.nan, p)

    def interval(level: Array) -> tuple[Array, Array]:
        k = np.floor(level * (1 + resamples) + 1e-9).astype(np.int64)
        beyond = np.where(k > 0, top[np.arange(len(d)), np.clip(k, 1, kept) - 1], np.inf)
        with np.errstate(invalid="ignore"):
            half = np.where(same, 0.0, np.where(np.isnan(p), np.nan, beyond * error))
        return mean - half, mean + half

    return Outcome(p, mean, observed, interval, reasons=_constant(p))


def _studentised(centred: Array, squared: Array, deviation: Array, count: Array) -> Array:
    """(mean* / error*)^2 of resamples; infinite where one has no spread but moved."""
    n = count.shape[-1]
    moved = centred @ count.T
    moved *= moved
    spread = squared @ count.T
    spread -= moved / n
    still = spread <= 1e-20 * n * np.maximum(deviation[:, None], 1e-300) ** 2
    flat = bool(still.any())
    moved *= (n - 1) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        np.divide(moved, spread, out=spread)
    if flat:
        far = moved > 1e-20 * n * n * deviation[:, None] ** 2
        spread[still] = np.where(far[still], np.inf, 0.0)
    return spread
