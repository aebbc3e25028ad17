"""Rank correlations of systems, for many pairs of rankings at once.

`x` and `y` hold one score for each system along the last axis, higher is better; leading axes are
anything. Where two scores are equal the systems are tied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.stats.arrays import mid_ranks

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.judges.tabular import Array

__all__ = [
    "COEFFICIENTS",
    "PERSISTENCE",
    "rank_of_best",
    "rbo",
    "rbo_b",
    "tau_ap",
    "tau_ap_b",
    "tau_b",
    "weighted_tau",
]

PERSISTENCE = 0.9  # of rank-biased overlap
CELLS = 1 << 20  # of one array of pairs


def _in_blocks(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """Apply to as many rankings at a time as keep arrays of pairs small."""

    def blocked(x: Array, y: Array) -> Array:
        x, y = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
        lead, n = x.shape[:-1], x.shape[-1]
        flat_x, flat_y = x.reshape(-1, n), y.reshape(-1, n)
        out = np.full(len(flat_x), np.nan)
        rows = max(1, CELLS // max(1, n * n))
        for begin in range(0, len(flat_x), rows):
            part = slice(begin, begin + rows)
            with np.errstate(invalid="ignore", divide="ignore"):
                out[part] = function(flat_x[part], flat_y[part])
        out[np.isnan(flat_x).any(axis=-1) | np.isnan(flat_y).any(axis=-1)] = np.nan
        return out.reshape(lead)

    blocked.__doc__ = function.__doc__
    blocked.__name__ = function.__name__
    return blocked


def _signs(x: Array) -> Array:
    """+1 where the first of a pair is better, -1 where worse, 0 where tied: [..., n, n]."""
    return np.asarray(np.sign(x[..., :, None] - x[..., None, :]))


@_in_blocks
def tau_b(x: Array, y: Array) -> Array:
    """Kendall's tau-b: concordant minus discordant pairs, over those that neither side ties."""
    a, b = _signs(x), _signs(y)
    both = (a * b).sum(axis=(-2, -1))
    mine, yours = np.abs(a).sum(axis=(-2, -1)), np.abs(b).sum(axis=(-2, -1))
    return np.asarray(both / np.sqrt(mine * yours))


@_in_blocks
def weighted_tau(x: Array, y: Array) -> Array:
    """Vigna's weighted tau: exchanges weigh 1/(r+1) + 1/(s+1), ranks r and s from 0 at the top.

    The mean over ranks by x and ranks by y, each breaking its ties by the other, as in scipy.
    """
    return (_weighted(x, y, _places(x, y)) + _weighted(x, y, _places(y, x))) / 2


def _places(first: Array, second: Array) -> Array:
    order = np.lexsort((-second, -first), axis=-1)
    return np.argsort(order, axis=-1, kind="stable")


def _weighted(x: Array, y: Array, place: Array) -> Array:
    one = 1.0 / (place + 1.0)
    weight = one[..., :, None] + one[..., None, :]
    a, b = _signs(x), _signs(y)
    both = (weight * a * b).sum(axis=(-2, -1))
    mine = (weight * np.abs(a)).sum(axis=(-2, -1))
    yours = (weight * np.abs(b)).sum(axis=(-2, -1))
    return np.asarray(both / np.sqrt(mine * yours))


@_in_blocks
def tau_ap(x: Array, y: Array) -> Array:
    """AP correlation of the estimate y with the truth x; ties of y are broken in every order.

    Yilmaz, Aslam & Robertson 2008; with ties variant a of Urbano & Marrero 2017,
    https://doi.org/10.1145/3121050.3121106: the mean over all orders of the tied systems. A pair
    that the truth ties is half right.
    """
    n = x.shape[-1]
    above = y[..., None, :] > y[..., :, None]  # [i, j]: j stands above i
    size = (y[..., None, :] == y[..., :, None]).sum(axis=-1)
    before = above.sum(axis=-1)
    net = np.where(above, _signs(x) * _signs(y), 0.0).sum(axis=-1)
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, n + 1))))
    # 1/(rank - 1), averaged over the places of the tie group; no one stands above the first group
    inverse = (harmonic[before + size - 1] - harmonic[np.maximum(before, 1) - 1]) / size
    return np.asarray((net * np.where(before > 0, inverse, 0.0)).sum(axis=-1) / (n - 1))


@_in_blocks
def tau_ap_b(x: Array, y: Array) -> Array:
    """AP correlation of two judges of whom neither is the truth.

    Variant b of Urbano & Marrero 2017, https://doi.org/10.1145/3121050.3121106: a tied group counts
    at its first rank, systems that nothing precedes do not count; the mean of both directions.
    """
    return (_one_way(x, y) + _one_way(y, x)) / 2


def _one_way(x: Array, y: Array) -> Array:
    above = y[..., None, :] > y[..., :, None]
    before = above.sum(axis=-1)
    net = np.where(above, _broken(x, y), 0.0).sum(axis=-1)
    pivot = before > 0
    shares = np.where(pivot, net / np.maximum(before, 1), 0.0).sum(axis=-1)
    return np.asarray(shares / pivot.sum(axis=-1))


def _broken(x: Array, y: Array) -> Array:
    """+1 where the pair is concordant, -1 where it is discordant or the other judge ties it."""
    return np.where(_signs(x) * _signs(y) > 0, 1.0, -1.0)


def rbo(x: Array, y: Array, p: float = PERSISTENCE) -> Array:
    """Rank-biased overlap of two rankings of the same systems, extrapolated; ties as uncertainty.

    Variant a of Corsi & Urbano 2024, https://doi.org/10.1145/3626772.3657700: the mean over all
    orders of tied systems.
    """
    return _biased(x, y, p, corrected=False)


def rbo_b(x: Array, y: Array, p: float = PERSISTENCE) -> Array:
    """Rank-biased overlap, corrected for what ties leave open: a ranking agrees wholly with itself.

    Variant b of Corsi & Urbano 2024, https://doi.org/10.1145/3626772.3657700
    """
    return _biased(x, y, p, corrected=True)


def _biased(x: Array, y: Array, p: float, *, corrected: bool) -> Array:
    def overlap(x: Array, y: Array) -> Array:
        n = x.shape[-1]
        depth = np.arange(1, n + 1)
        a, b = _shown(x), _shown(y)  # [..., system, depth]
        size = np.sqrt((a * a).sum(axis=-2) * (b * b).sum(axis=-2)) if corrected else depth
        weight = p**depth
        tail = p ** (n + 1) / (1 - p)  # from depth n on the two agree as they do at n
        agreement = (a * b).sum(axis=-2) / size
        return np.asarray((1 - p) / p * ((agreement * weight).sum(-1) + agreement[..., -1] * tail))

    return _in_blocks(overlap)(x, y)


def _shown(x: Array) -> Array:
    """Probability that each system stands among the first d: [..., system, d]."""
    n = x.shape[-1]
    before = (x[..., None, :] > x[..., :, None]).sum(axis=-1)[..., None]
    size = (x[..., None, :] == x[..., :, None]).sum(axis=-1)[..., None]
    return np.asarray(np.clip((np.arange(1, n + 1) - before) / size, 0.0, 1.0))


def rank_of_best(x: Array, y: Array) -> Array:
    """Rank by y of the system that x ranks first, from 1; tied systems share their mean rank.

    Where x has several first, the mean of their ranks.
    """
    x, y = np.broadcast_arrays(x, y)
    ranks = mid_ranks(-y)
    first = x == np.max(x, axis=-1, keepdims=True)
    many = first.sum(axis=-1)
    value = (ranks * first).sum(axis=-1) / np.where(many == 0, np.nan, many)
    return np.where(np.isnan(y).any(axis=-1), np.nan, value)


COEFFICIENTS: dict[str, Callable[[Array, Array], Array]] = {
    "tau-b": tau_b,
    "tau_AP": tau_ap,
    "tau_AP,b": tau_ap_b,
    "weighted tau": weighted_tau,
    "RBO": rbo,
    "RBO,b": rbo_b,
}
