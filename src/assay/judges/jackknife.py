"""Intervals by leaving out one topic at a time.

A percentile bootstrap over topics is biased for coefficients of rank or agreement: every resample
repeats topics and so agrees less than the sample does (on dl21 it may leave out the estimate).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.judges.tabular import Array

__all__ = ["Estimate", "around", "mean_of", "of_sums"]


@dataclass(frozen=True)
class Estimate:
    """A value with a 95 % interval over topics; NaN where there are too few topics for one."""

    value: float
    low: float = math.nan
    high: float = math.nan
    topics: int = 0

    def __str__(self) -> str:
        if math.isnan(self.low):
            return f"{self.value:.3f}"
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


def around(
    value: float, without: Array, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Estimate:
    """The interval from the values without each topic: t over pseudo-values, cut at `bounds`."""
    known = without[~np.isnan(without)]
    n = len(known)
    if n < 2 or math.isnan(value):
        return Estimate(float(value), topics=n)
    from scipy.special import stdtrit

    error = math.sqrt((n - 1) / n * float(((known - known.mean()) ** 2).sum()))
    half = float(stdtrit(n - 1, 0.975)) * error
    low, high = bounds
    return Estimate(float(value), max(low, value - half), min(high, value + half), n)


def of_sums(
    function: Callable[[Array], Array],
    tables: Array,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Estimate:
    """`function` of the tables of all topics added up, [topic, ...], with its interval."""
    total = tables.sum(axis=0)
    used = tables.reshape(len(tables), -1).any(axis=-1)  # a topic without pairs tells nothing
    value = float(function(total))
    return around(value, np.asarray(function(total - tables[used])), bounds)


def mean_of(values: Array, bounds: tuple[float, float] = (-math.inf, math.inf)) -> Estimate:
    """The mean over topics of one value for each, NaN left out, with its t interval."""
    known = values[~np.isnan(values)]
    n = len(known)
    if n == 0:
        return Estimate(math.nan)
    mean = float(known.mean())
    if n == 1:
        return Estimate(mean, topics=1)
    return around(mean, (known.sum() - known) / (n - 1), bounds)
