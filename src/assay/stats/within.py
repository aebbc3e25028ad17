"""Intervals of means that runs share topics for, with the difficulty of topics taken out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.stats.arrays import Array

__all__ = ["within"]


def within(x: Array, alpha: float = 0.05) -> tuple[Array, Array, Array]:
    """Means of runs from scores [run, topic], and the bounds of their within-topic intervals.

    After Cousineau 2005 each topic's mean over the runs is taken out; after Morey 2008 the variance
    is multiplied by k / (k - 1), k runs; after Baguley 2012,
    https://doi.org/10.3758/s13428-011-0123-7, half-widths by sqrt(2) / 2, so that two intervals
    meet where the paired difference is just significant at alpha: exactly so for two runs, for more
    as far as their differences are equally variable.
    """
    from scipy.special import stdtrit

    k, n = x.shape
    mean = x.mean(axis=-1)
    if k < 2 or n < 2:
        return mean, np.full(k, np.nan), np.full(k, np.nan)
    cleared = x - x.mean(axis=0)
    deviation = np.where(
        np.ptp(cleared, axis=-1) <= 1e-13, 0.0, cleared.std(axis=-1, ddof=1)
    ) * math.sqrt(k / (k - 1))
    half = float(stdtrit(n - 1, 1 - alpha / 2)) * deviation / math.sqrt(2 * n)
    return mean, mean - half, mean + half
