"""How large differences are: standardised, in topics won and lost, in per cent of the baseline."""

from __future__ import annotations

import math

import numpy as np

from assay.stats.arrays import Array, spread

__all__ = ["hedges", "hedges_factor", "material", "won"]

LEAST_BASE = 0.1  # of a baseline's mean, for a difference in per cent to mean anything


def hedges_factor(df: float) -> float:
    """What takes the bias out of a standardised mean, Hedges 1981; near 1 - 3/(4 df - 1)."""
    if df <= 1:
        return math.nan
    ratio = math.lgamma(df / 2) - math.lgamma((df - 1) / 2)
    return math.exp(ratio) / math.sqrt(df / 2)


def hedges(d: Array, alpha: Array) -> tuple[Array, Array, Array]:
    """d_z, the mean difference in standard deviations of differences, corrected, with bounds.

    The bounds invert the noncentral t distribution; they leave out 0 exactly where a t test at the
    same level rejects.
    """
    from scipy.special import nctdtrinc

    n = d.shape[-1]
    mean, deviation = spread(d)
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = np.where(deviation > 0, mean / deviation, np.nan)
    statistic = plain * math.sqrt(n)
    low = nctdtrinc(n - 1.0, 1 - alpha / 2, statistic) / math.sqrt(n)
    high = nctdtrinc(n - 1.0, alpha / 2, statistic) / math.sqrt(n)
    return plain * hedges_factor(n - 1), low, high


def won(d: Array) -> tuple[Array, Array, Array]:
    """On how many topics each difference is above 0, is 0, and is below."""
    return (d > 0).sum(axis=-1), (d == 0).sum(axis=-1), (d < 0).sum(axis=-1)


def material(relative: float) -> str:
    """Sparck Jones 1974: below 5 per cent not noticeable, above 10 material."""
    if math.isnan(relative):
        return ""
    size = abs(relative)
    return "below 5 %" if size < 0.05 else "noticeable" if size <= 0.1 else "material"
