"""How many topics a comparison needs: Sakai's topic set size design.

Sakai 2016, https://doi.org/10.1007/s10791-015-9273-z; exact, by the noncentral distributions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.stats.many import anova

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.stats.arrays import Array

__all__ = [
    "anova_power",
    "detectable",
    "detectable_range",
    "expected_width",
    "pooled_variance",
    "t_power",
    "topics_for_anova",
    "topics_for_interval",
    "topics_for_t",
    "upper_variance",
]

MOST = 10_000_000


def pooled_variance(x: Array) -> tuple[float, int]:
    """Residual variance of scores [run, topic] beside runs and topics, and its degrees of freedom.

    Twice of it is the variance of a difference between two runs, pooled over all pairs.
    """
    table = anova(x)
    return table.mse, table.df[1]


def upper_variance(variance: float, df: int, level: float = 0.8) -> float:
    """The bound that the true variance lies under with this confidence."""
    from scipy.special import chdtri

    return variance * df / float(chdtri(df, level))


def t_power(n: int, size: float, alpha: float, *, sides: int = 2) -> float:
    """Chance that a t test on n topics finds a true difference of `size` standard deviations."""
    from scipy.special import nctdtr, ndtr, ndtri, stdtrit

    shift = abs(size) * math.sqrt(n)
    if n > 100_000:
        bound = -float(ndtri(alpha / sides))
        return float(ndtr(shift - bound)) + (float(ndtr(-shift - bound)) if sides == 2 else 0.0)
    bound = float(stdtrit(n - 1, 1 - alpha / sides))
    under, beyond = (float(nctdtr(n - 1.0, shift, at)) for at in (bound, -bound))
    if math.isnan(under):  # too small for nctdtr
        under = 0.0 if shift > bound else 1.0
    return 1 - under + (beyond if sides == 2 and not math.isnan(beyond) else 0.0)


def anova_power(n: int, runs: int, reach: float, variance: float, alpha: float) -> float:
    """Chance that one-way ANOVA finds that the best and the worst of `runs` lie `reach` apart.

    The other runs lie between, where they are hardest to tell.
    """
    from scipy.special import chndtr, fdtri, ncfdtr

    df = (runs - 1, runs * (n - 1))
    away = n * reach**2 / (2 * variance)
    bound = float(fdtri(*df, 1 - alpha))
    if df[1] > 1_000_000:
        return 1 - float(chndtr(bound * df[0], df[0], away))
    below = float(ncfdtr(float(df[0]), float(df[1]), away, bound))
    return 1.0 if math.isnan(below) else 1 - below


def topics_for_t(
    difference: float, variance: float, alpha: float, power: float, *, sides: int = 2
) -> int | None:
    """Topics for a paired t test to find a difference; `variance` is that of the differences."""
    if variance <= 0:
        return 2
    size = difference / math.sqrt(variance)
    return _fewest(lambda n: t_power(n, size, alpha, sides=sides) >= power)


def topics_for_anova(
    reach: float, runs: int, variance: float, alpha: float, power: float
) -> int | None:
    """Topics for one-way ANOVA to find a range of means; `variance` is that of one run's scores."""
    if variance <= 0:
        return 2
    return _fewest(lambda n: anova_power(n, runs, reach, variance, alpha) >= power)


def expected_width(n: int, variance: float, alpha: float) -> float:
    """How wide the t interval of a difference is expected to be on n topics."""
    from scipy.special import stdtrit

    # the deviation seen falls short of the true one, on average, by this factor
    short = math.exp(math.lgamma(n / 2) - math.lgamma((n - 1) / 2)) * math.sqrt(2 / (n - 1))
    return 2 * float(stdtrit(n - 1, 1 - alpha / 2)) * short * math.sqrt(variance / n)


def topics_for_interval(width: float, variance: float, alpha: float) -> int | None:
    """Topics for the interval of a difference to be no wider than `width`, as expected."""
    if variance <= 0:
        return 2
    return _fewest(lambda n: expected_width(n, variance, alpha) <= width)


def detectable(n: int, variance: float, alpha: float, power: float, *, sides: int = 2) -> float:
    """The smallest true difference that a t test on n topics finds with this power."""
    if variance <= 0:
        return 0.0
    size = _smallest(lambda size: t_power(n, size, alpha, sides=sides) >= power)
    return size * math.sqrt(variance)


def detectable_range(n: int, runs: int, variance: float, alpha: float, power: float) -> float:
    """The smallest distance between best and worst that one-way ANOVA finds with this power."""
    if variance <= 0:
        return 0.0
    reach = _smallest(lambda reach: anova_power(n, runs, reach, 1.0, alpha) >= power)
    return reach * math.sqrt(variance)


def _fewest(enough: Callable[[int], bool]) -> int | None:
    """The smallest n of at least 2 that is enough; None above ten million."""
    high = 2
    while not enough(high):
        high *= 2
        if high > MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return max(2, high)


def _smallest(enough: Callable[[float], bool]) -> float:
    high = 1.0
    while not enough(high) and high < 1e6:
        high *= 2
    if high >= 1e6:
        return math.inf
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
