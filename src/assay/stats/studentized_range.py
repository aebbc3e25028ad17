"""The studentised range, for many values at once.

scipy.stats.studentized_range gives the same numbers one after the other, 7 ms each: 14 seconds for
the 1,953 pairs of 63 runs. Here the two integrals are Gauss-Legendre sums over arrays.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.stats.arrays import Array

__all__ = ["critical", "upper_tail"]

NODES = 128  # for the range; the deviation is narrow and takes fewer
LARGE = 100_000.0  # degrees of freedom from which the deviation is taken as known


def upper_tail(q: Array, runs: int, df: float) -> Array:
    """P(Q >= q) for the range of `runs` normal means over an independent deviation."""
    q = np.atleast_1d(np.asarray(q, dtype=np.float64))
    if df > LARGE:
        return np.asarray(np.clip(1 - _range_cdf(q, runs), 0, 1))
    scale, weight = _deviations(df)
    out = np.empty(q.shape)
    rows = max(1, (1 << 20) // (NODES * len(scale)))
    for begin in range(0, len(q), rows):
        part = q[begin : begin + rows]
        inner = _range_cdf((part[:, None] * scale).ravel(), runs).reshape(len(part), -1)
        out[begin : begin + rows] = 1 - inner @ weight
    return np.asarray(np.clip(out, 0, 1))


@cache
def critical(alpha: float, runs: int, df: float) -> float:
    """The value that the studentised range exceeds with probability alpha."""
    low, high = 0.0, 8.0
    while float(upper_tail(np.array([high]), runs, df)[0]) > alpha:
        high *= 2
        if high > 1e6:
            return math.inf
    for _ in range(60):
        middle = (low + high) / 2
        if float(upper_tail(np.array([middle]), runs, df)[0]) > alpha:
            low = middle
        else:
            high = middle
    return high


@cache
def _nodes(many: int) -> tuple[Array, Array]:
    return np.polynomial.legendre.leggauss(many)


def _range_cdf(w: Array, runs: int) -> Array:
    """P(range of k standard normals <= w): k integral phi(z) (Phi(z) - Phi(z - w))^(k-1) dz."""
    from scipy.special import ndtr

    node, weight = _nodes(NODES)
    z = 8.5 * node  # beyond, phi is below 1e-16
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi) * weight * 8.5
    inside = ndtr(z) - ndtr(z - w[:, None])
    return np.asarray(runs * (np.maximum(inside, 0.0) ** (runs - 1) @ density))


def _deviations(df: float) -> tuple[Array, Array]:
    """Nodes for s = sqrt(chi2 / df) and the probability that each stands for."""
    from scipy.special import chdtri, gammaln

    low = math.sqrt(float(chdtri(df, 1 - 1e-14)) / df)
    high = math.sqrt(float(chdtri(df, 1e-14)) / df)
    node, weight = _nodes(96 if df < 120 else 32)
    s = (high - low) / 2 * node + (high + low) / 2
    log = (
        math.log(2)
        + df / 2 * math.log(df / 2)
        - float(gammaln(df / 2))
        + (df - 1) * np.log(s)
        - df * s * s / 2
    )
    chance = np.exp(log) * weight * (high - low) / 2
    return s, chance / chance.sum()
