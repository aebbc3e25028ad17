"""What the tests share: arrays, the form of an answer, ranks, and values that rounding parted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["Array", "Outcome", "Progress", "largest_kept", "mid_ranks", "spread", "steady"]

Array = np.ndarray[Any, np.dtype[Any]]
Progress = Callable[[float], None] | None

CONSTANT = "every topic differs by the same amount, so there is no spread to test against"


@dataclass(frozen=True)
class Outcome:
    """What one test says of several differences; arrays have one entry for each.

    `interval(alpha)` takes a level for each difference and gives the bounds of what a two-sided
    test at that level does not reject: an interval leaves out 0 exactly where p <= alpha.
    """

    p: Array
    estimate: Array
    statistic: Array
    interval: Callable[[Array], tuple[Array, Array]]
    about: str = "mean"  # what `estimate` and `interval` are of
    used: Array | None = None  # how many values entered, where that is not all
    reasons: dict[int, str] = field(default_factory=dict)  # why a p is NaN
    notes: tuple[str, ...] = ()


def steady(x: Array) -> Array:
    """The values without the last digits, in which equal differences come out unequal."""
    top = float(np.max(np.abs(x), initial=0.0))
    digits = 12 - int(np.ceil(np.log10(top))) if 0 < top < np.inf else 12
    return np.asarray(np.round(x, max(0, digits))) + 0.0


def spread(d: Array) -> tuple[Array, Array]:
    """Mean and standard deviation over topics; exactly 0 where but for rounding they are."""
    mean = d.mean(axis=-1)
    deviation = d.std(axis=-1, ddof=1) if d.shape[-1] > 1 else np.full(mean.shape, np.nan)
    same = d.max(axis=-1) == d.min(axis=-1)
    mean = np.where(np.abs(mean) <= 1e-13 * np.abs(d).max(axis=-1), 0.0, mean)
    return np.where(same, d[..., 0], mean), np.where(same, 0.0, deviation)


def mid_ranks(x: Array) -> Array:
    """Ranks from 1 along the last axis, smallest first; equal values share their mean rank."""
    n = x.shape[-1]
    order = np.argsort(x, axis=-1, kind="stable")
    ordered = np.take_along_axis(x, order, axis=-1)
    place = np.broadcast_to(np.arange(n), x.shape)
    new = np.ones(x.shape, dtype=bool)
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    ends = np.ones(x.shape, dtype=bool)
    ends[..., :-1] = new[..., 1:]
    first = np.maximum.accumulate(np.where(new, place, 0), axis=-1)
    last = np.where(ends, place, n)[..., ::-1]
    last = np.minimum.accumulate(last, axis=-1)[..., ::-1]
    ranks = np.empty(x.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def largest_kept(alpha: float, resamples: int) -> int:
    """How many of the largest resampled values decide every level up to alpha.

    With p = (1 + c) / (1 + resamples), where c values reach the observed one, p <= alpha exactly
    where the observed value exceeds the k-th largest, k being this number; 0 if none is enough.
    """
    return int(np.floor(alpha * (1 + resamples) + 1e-9))
