"""Several tests at once: corrected p-values, the level of each interval, and their agreement.

Bounded two-sided intervals cannot agree with Holm's step-down test exactly (it spends all of alpha
on the differences that may be 0, and has none left to bound the others). So Holm's intervals are
Bonferroni's, which hold jointly; and where Holm rejects what Bonferroni does not, the interval is
cut at 0: Holm vouches for the sign of that difference, not for a distance from 0. With such ends
all intervals hold jointly at 1 - 2 alpha at least: alpha for Holm's signs, alpha for Bonferroni's
bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.stats.arrays import Array

__all__ = ["adjusted", "agreeing", "levels"]


def adjusted(p: Array, how: str) -> Array:
    """Corrected p-values of one family; NaN stays NaN and does not count."""
    out = np.array(p, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(out))
    values, m = out[known], len(known)
    if how == "none" or m == 0:
        return out
    if how == "bonferroni":
        out[known] = np.minimum(1.0, values * m)
        return out
    order = np.argsort(values, kind="stable")
    if how == "holm":
        stepped = np.maximum.accumulate(values[order] * (m - np.arange(m)))
    else:
        stepped = np.minimum.accumulate((values[order] * m / (1 + np.arange(m)))[::-1])[::-1]
    out[known[order]] = np.minimum(1.0, stepped)
    return out


def levels(p: Array, how: str, alpha: float) -> float:
    """The level at which each interval of the family is made.

    For Benjamini-Hochberg that of Benjamini & Yekutieli 2005: of the intervals of the R differences
    found, no more than a share alpha is expected to miss, https://doi.org/10.1198/016214504000001907
    """
    m = int((~np.isnan(p)).sum())
    if how == "none" or m == 0:
        return alpha
    if how in ("holm", "bonferroni"):
        return alpha / m
    with np.errstate(invalid="ignore"):
        found = int((adjusted(p, how) <= alpha).sum())
    return alpha * max(1, found) / m


def agreeing(
    low: Array, high: Array, estimate: Array, rejected: Array, known: Array
) -> tuple[Array, Array, Array]:
    """Bounds that leave out 0 exactly where the test rejects, and which of them had to move."""
    covers = (low <= 0) & (high >= 0)
    cut = rejected & covers
    tiny = np.nextafter(0.0, 1.0)  # just beyond 0
    below = np.where(cut & (estimate > 0), tiny, low)
    above = np.where(cut & (estimate < 0), -tiny, high)
    widened = known & ~rejected & ~covers & ~np.isnan(low)
    below = np.where(widened, np.minimum(below, 0.0), below)
    above = np.where(widened, np.maximum(above, 0.0), above)
    return below, above, cut | widened
