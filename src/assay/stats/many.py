"""Tests that look at all runs together, on scores [run, topic]."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.stats.arrays import CONSTANT, Array, Outcome, Progress, largest_kept, mid_ranks
from assay.stats.resampling import orders, row_blocks
from assay.stats.studentized_range import critical, upper_tail

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Anova",
    "Friedman",
    "anova",
    "anova_pairs",
    "conover",
    "friedman",
    "nemenyi",
    "randomized_tukey_hsd",
    "tukey_hsd",
]

SAME_ORDER = "the runs stand in the same order on every topic, so the ranks have no spread"
Pairs = Array  # [pair, 2] numbers of the runs: the second minus the first is the difference


@dataclass(frozen=True)
class Friedman:
    """Friedman's chi-square, corrected for ties, and Iman and Davenport's F made of it."""

    chi_square: float
    df: int
    p: float
    f: float
    f_df: tuple[int, int]
    f_p: float
    mean_ranks: Array  # rank 1 is the lowest value


def friedman(x: Array) -> Friedman:
    """Friedman 1937; F after Iman & Davenport 1980, https://doi.org/10.1080/03610928008827904."""
    from scipy.special import chdtrc, fdtrc

    k, n = x.shape
    rank = mid_ranks(x.T).T
    total = rank.sum(axis=-1)
    even = n * k * (k + 1) ** 2 / 4
    spread = float((rank**2).sum()) - even
    df = (k - 1, (k - 1) * (n - 1))
    if spread < 1e-9:
        return Friedman(0.0, k - 1, 1.0, 0.0, df, 1.0, rank.mean(axis=-1))
    chi = (k - 1) * float(((total - n * (k + 1) / 2) ** 2).sum()) / spread
    left = n * (k - 1) - chi
    if left < 1e-9:
        return Friedman(
            chi, k - 1, float(chdtrc(k - 1, chi)), math.inf, df,
            math.exp(-(n - 1) * math.lgamma(k + 1)), rank.mean(axis=-1),
        )  # fmt: skip
    f = (n - 1) * chi / left
    return Friedman(
        chi, k - 1, float(chdtrc(k - 1, chi)), f, df, float(fdtrc(*df, f)), rank.mean(axis=-1)
    )


def conover(x: Array, pairs: Pairs) -> Outcome:
    """Differences of mean ranks after Friedman, Conover 1999, p. 371."""
    from scipy.special import stdtr, stdtrit

    k, n = x.shape
    rank = mid_ranks(x.T).T
    total = rank.sum(axis=-1)
    df = (n - 1) * (k - 1)
    left = n * float((rank**2).sum()) - float((total**2).sum())
    error = math.sqrt(max(0.0, 2 * left / df)) / n if left > 1e-9 else 0.0
    gap = (total[pairs[:, 1]] - total[pairs[:, 0]]) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(gap == 0, 0.0, gap / error if error else np.nan)
    p = np.where(gap == 0, 1.0, 2 * stdtr(df, -np.abs(statistic)))

    def interval(alpha: Array) -> tuple[Array, Array]:
        half = np.where(np.isnan(p), np.nan, stdtrit(df, 1 - alpha / 2) * error)
        return gap - half, gap + half

    reasons = {int(i): SAME_ORDER for i in np.flatnonzero(np.isnan(p))}
    return Outcome(p, gap, statistic, interval, about="mean rank", reasons=reasons)


def nemenyi(x: Array, pairs: Pairs) -> Array:
    """p-values of Nemenyi 1963 for the same differences, simultaneous over all pairs of runs."""
    k, n = x.shape
    rank = mid_ranks(x.T).T.mean(axis=-1)
    q = np.abs(rank[pairs[:, 1]] - rank[pairs[:, 0]]) / math.sqrt(k * (k + 1) / (12 * n))
    return upper_tail(q, k, math.inf)


# ------------------------------------------------------------------------------------------ anova


@dataclass(frozen=True)
class Anova:
    """Two-way analysis of variance, run and topic; their interaction is the error."""

    f: float
    df: tuple[int, int]
    p: float
    mse: float
    uneven_p: float  # Brown & Forsythe 1974 on the residuals, by run
    uneven_ratio: float  # largest over smallest standard deviation of residuals


def anova(x: Array) -> Anova:
    """F of the runs against the interaction, and whether residuals are evenly spread."""
    from scipy.special import fdtrc

    k, n = x.shape
    run, topic, grand = x.mean(axis=-1), x.mean(axis=0), float(x.mean())
    residual = x - run[:, None] - topic + grand
    df = (k - 1, (k - 1) * (n - 1))
    mse = float((residual**2).sum()) / df[1]
    between = n * float(((run - grand) ** 2).sum()) / df[0]
    scale = float(np.max(np.abs(x), initial=0.0))
    if mse <= (1e-12 * scale) ** 2:
        same = between <= (1e-12 * scale) ** 2
        return Anova(0.0 if same else math.inf, df, 1.0 if same else math.nan, 0.0, math.nan, 1.0)
    f = between / mse
    away = np.abs(residual - np.median(residual, axis=-1, keepdims=True))
    deviation = residual.std(axis=-1)
    ratio = float(deviation.max() / deviation.min()) if deviation.min() > 0 else math.inf
    return Anova(f, df, float(fdtrc(*df, f)), mse, _one_way(away), ratio)


def _one_way(x: Array) -> float:
    from scipy.special import fdtrc

    k, n = x.shape
    mean = x.mean(axis=-1)
    within = float(((x - mean[:, None]) ** 2).sum()) / (k * (n - 1))
    between = n * float(((mean - x.mean()) ** 2).sum()) / (k - 1)
    return float(fdtrc(k - 1, k * (n - 1), between / within)) if within > 0 else math.nan


def _gaps(x: Array, pairs: Pairs) -> Array:
    d = x[pairs[:, 1]] - x[pairs[:, 0]]
    same = d.max(axis=-1) == d.min(axis=-1)
    return np.where(same, d[:, 0], d.mean(axis=-1))


def anova_pairs(x: Array, pairs: Pairs) -> Outcome:
    """Differences of means over the error that all runs share."""
    from scipy.special import stdtr, stdtrit

    table = anova(x)
    error = math.sqrt(2 * table.mse / x.shape[-1])
    return _over(
        _gaps(x, pairs),
        error,
        lambda size: 2 * stdtr(table.df[1], -size),
        lambda alpha: stdtrit(table.df[1], 1 - alpha / 2),
    )


def tukey_hsd(x: Array, pairs: Pairs) -> Outcome:
    """Tukey's honestly significant differences on the error that runs have beside their topics.

    p-values and intervals are simultaneous over all pairs of runs.
    """
    k, n = x.shape
    table = anova(x)

    def bound(alpha: Array) -> Array:
        known = {level: critical(level, k, table.df[1]) for level in {float(a) for a in alpha}}
        return np.array([known[float(a)] for a in alpha])

    return _over(
        _gaps(x, pairs),
        math.sqrt(table.mse / n),
        lambda size: upper_tail(size, k, table.df[1]),
        bound,
    )


def _over(
    gap: Array, error: float, tail: Callable[[Any], Any], bound: Callable[[Array], Any]
) -> Outcome:
    """Differences judged by their size over one shared error."""
    if error > 0:
        statistic = gap / error
        p = np.where(gap == 0, 1.0, tail(np.abs(statistic)))
    else:
        statistic = np.where(gap == 0, 0.0, np.nan)
        p = np.where(gap == 0, 1.0, np.nan)

    def interval(alpha: Array) -> tuple[Array, Array]:
        half = np.where(np.isnan(p), np.nan, bound(alpha) * error if error > 0 else 0.0)
        return gap - half, gap + half

    reasons = {int(i): CONSTANT for i in np.flatnonzero(np.isnan(p))}
    return Outcome(p, gap, statistic, interval, reasons=reasons)


def randomized_tukey_hsd(
    x: Array, pairs: Pairs, *, resamples: int = 10_000, seed: int = 0, progress: Progress = None
) -> Outcome:
    """Carterette 2012, https://doi.org/10.1145/2094072.2094076: labels permuted inside each topic.

    The statistic is the largest minus the smallest mean of a run; p = (1 + c) / (1 + resamples) for
    each pair, simultaneous over all pairs of runs, as are the intervals.
    """
    k, n = x.shape
    gap = _gaps(x, pairs)
    topics = x.T - x.mean(axis=0)[:, None]
    first = np.arange(n)[:, None] * k  # where each topic begins among all values
    ranges = np.empty(resamples)
    for number, begin, end in row_blocks(resamples, k * n):
        place = orders(end - begin, n, k, seed, number)
        place += first
        total = topics.take(place).sum(axis=1)
        ranges[begin:end] = total.max(axis=-1) - total.min(axis=-1)
        if progress:
            progress(end / resamples)
    ranges = np.sort(ranges) / n
    near = 1e-12 * float(np.max(np.abs(topics), initial=0.0))
    size = np.abs(gap)
    p = (1 + resamples - np.searchsorted(ranges, size - near, side="left")) / (1 + resamples)

    def interval(alpha: Array) -> tuple[Array, Array]:
        k = np.array([largest_kept(float(a), resamples) for a in alpha])
        half = np.where(k > 0, ranges[resamples - np.maximum(k, 1)], np.inf)
        half = np.where(ranges[-1] == 0, 0.0, half + near)
        return gap - half, gap + half

    return Outcome(np.where(gap == 0, 1.0, p), gap, gap, interval)
