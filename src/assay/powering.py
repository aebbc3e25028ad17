"""Power: how many topics a comparison needs, and what the topics at hand can find.

Sakai's topic set size design. The variance is that of the scores beside runs and topics, pooled
over all runs; since it is itself an estimate, an upper 80 % bound stands beside it. Nothing here is
the "observed power" of a test already made, which tells no more than its p-value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.comparison import between, check_alpha, check_scores, chosen_judge
from assay.errors import AssayError
from assay.pictured import Pictured
from assay.policy import Policy
from assay.stats.arrays import Array, steady
from assay.stats.power import (
    detectable,
    detectable_range,
    expected_width,
    pooled_variance,
    topics_for_anova,
    topics_for_interval,
    topics_for_t,
    upper_variance,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from assay.measures.measure import Measure
    from assay.scores import Scores

__all__ = ["Design", "Power", "Present", "power"]

DIFFERENCES = (0.01, 0.02, 0.05, 0.1)


@dataclass(frozen=True)
class Design:
    """Topics needed for one difference under one measure.

    None above ten million, and where the present topics show no variance.

    Each number comes twice: for the variance seen, and for its upper 80 % bound.
    """

    measure: Measure
    difference: float
    t: int | None  # paired t test on two runs that differ so much
    t_upper: int | None
    anova: int | None  # one-way ANOVA over all runs whose best and worst differ so much
    anova_upper: int | None
    interval: int | None  # interval of a difference expected to be so wide
    interval_upper: int | None


@dataclass(frozen=True)
class Present:
    """What the present topics tell and can find under one measure."""

    measure: Measure
    topics: int
    variance: float  # of scores beside runs and topics; that of a difference is twice this
    upper: float
    df: int
    difference: float  # smallest that a paired t test finds
    reach: float  # smallest distance of best and worst that one-way ANOVA finds
    width: float  # expected of an interval


@dataclass(frozen=True, eq=False, repr=False)
class Power(Pictured):
    """Topic set sizes by measure and difference."""

    runs: tuple[str, ...]
    alpha: float
    power: float
    comparisons: int
    present: tuple[Present, ...]
    designs: tuple[Design, ...]
    policy: Policy = field(default_factory=Policy)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Power({len(self.runs)} runs, {len(self.designs)} design(s))"

    def table(self) -> Any:
        """A table for people, which prints itself in a terminal and in a notebook."""
        from assay.show.power import power_table

        return power_table(self)

    def to_polars(self) -> pl.DataFrame:
        """One row for each measure and difference."""
        import polars as pl

        from assay.show.power import COLUMNS, row_of

        rows = [row_of(self, each) for each in self.designs]
        return pl.DataFrame({name: [row[name] for row in rows] for name in COLUMNS})

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html


def power(
    scores: Scores,
    *,
    difference: float | Sequence[float] = DIFFERENCES,
    alpha: float = 0.05,
    power: float = 0.8,
    comparisons: int = 1,
    judge: str | None = None,
) -> Power:
    """Topics needed to find differences with a given power, from the variance of `scores`.

    * difference: one or several true differences of means to find.
    * alpha, power: of two-sided tests.
    * comparisons: differences that will be tested together; alpha is divided by their number.
    * judge: which set of judgments, where the scores hold several.
    """
    check_scores(scores)
    wanted = list(difference) if isinstance(difference, Iterable) else [difference]
    _check(scores, wanted, alpha, power, comparisons)
    at, _ = chosen_judge(scores, judge)
    plan = _Plan(len(scores.runs), alpha, alpha / comparisons, power)
    present, designs, notes = [], [], list(scores.notes)
    for m, measure in enumerate(scores.measures):
        now = plan.present(measure, scores.values[at, :, m])
        if now.variance == 0:
            notes.append(
                f"{measure}: runs differ by the same amount on all topics: no variance to plan with"
            )
        present.append(now)
        designs += [plan.design(now, float(each)) for each in wanted]
    return Power(
        runs=scores.runs,
        alpha=alpha,
        power=power,
        comparisons=comparisons,
        present=tuple(present),
        designs=tuple(designs),
        policy=scores.policy,
        notes=tuple(dict.fromkeys(notes)),
        warnings=scores.warnings,
    )


def _check(
    scores: Scores, wanted: Sequence[Any], alpha: float, power: float, comparisons: Any
) -> None:
    check_alpha(alpha)
    if not between(power, 0, 1):
        raise AssayError(f"power={power!r}: must lie between 0 and 1, such as 0.8")
    if not isinstance(comparisons, Integral) or comparisons < 1:
        raise AssayError(f"comparisons={comparisons!r}: must be a whole number of at least 1")
    if not wanted:
        raise AssayError("difference=[]: give one or several, such as 0.05")
    for each in wanted:
        if not between(each, 0, math.inf):
            raise AssayError(f"difference={each!r}: must be above 0, such as 0.05")
    if len(scores.runs) < 2:
        raise AssayError("power needs two runs or more: what counts is how differences vary")


@dataclass(frozen=True)
class _Plan:
    """What holds for every measure."""

    runs: int
    alpha: float
    level: float  # alpha, divided by the number of comparisons
    power: float

    def present(self, measure: Measure, table: Array) -> Present:
        """What the topics at hand tell and can find."""
        whole: Array = np.asarray(~np.isnan(table).any(axis=0))
        n = int(whole.sum())
        if n < 2:
            raise AssayError(
                f"{measure}: {n} topic(s) with a value for every run; power needs two or more"
            )
        variance, df = pooled_variance(steady(table[:, whole]))
        if variance == 0:
            nan = math.nan
            return Present(measure, n, variance, variance, df, difference=nan, reach=nan, width=nan)
        return Present(
            measure=measure,
            topics=n,
            variance=variance,
            upper=upper_variance(variance, df),
            df=df,
            difference=detectable(n, 2 * variance, self.level, self.power),
            reach=detectable_range(n, self.runs, variance, self.alpha, self.power),
            width=expected_width(n, 2 * variance, self.level),
        )

    def design(self, now: Present, difference: float) -> Design:
        """Topics needed for one difference."""
        if now.variance == 0:
            return Design(now.measure, difference, None, None, None, None, None, None)
        both = (now.variance, now.upper)
        t = [topics_for_t(difference, 2 * v, self.level, self.power) for v in both]
        f = [topics_for_anova(difference, self.runs, v, self.alpha, self.power) for v in both]
        w = [topics_for_interval(difference, 2 * v, self.level) for v in both]
        return Design(now.measure, difference, *t, *f, *w)
