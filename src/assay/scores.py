"""Scores: a value for each judge, run, measure and topic, and what must be known to trust them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.measures.measure import Measure, parse
from assay.pictured import Pictured
from assay.policy import Policy

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = [
    "MISSING",
    "NOT_JUDGED",
    "SCORED",
    "UNDEFINED",
    "Mean",
    "Scores",
    "Within",
    "averaged",
    "bounds",
    "center",
    "median_places",
    "scaled",
    "summarize",
]

SCORED, UNDEFINED, MISSING, NOT_JUDGED = range(4)

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Mean:
    """An average over topics with its uncertainty."""

    value: float
    low: float  # bounds of the 95 % interval over topics
    high: float
    deviation: float  # standard deviation over topics
    topics: int  # how many values were averaged
    undefined: int  # topics left out, or counted as zero, because the measure is undefined there
    missing: int  # topics that the run lacks
    judged: float  # mean Judged@k over the topics of the run; NaN without a cut-off


@dataclass(frozen=True)
class Within:
    """A run's mean with a within-topic interval, which is for comparing it with the other runs.

    The difficulty of topics is taken out; where the intervals of two runs do not meet, a paired t
    test tells them apart at about that level, uncorrected (`assay.stats.within`).
    """

    run: str
    value: float
    low: float  # NaN where there is only one run, or one topic
    high: float
    topics: int  # those on which every run has a value


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Pictured):
    """Values [judge, run, measure, topic]; NaN carries a reason."""

    judges: tuple[str, ...]
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    values: Array
    reasons: Array
    judged: Array  # [judge, run, measure] mean Judged@k, NaN where the measure has no cut-off
    policy: Policy = field(default_factory=Policy)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.values, self.reasons, self.judged):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return (
            f"Scores({len(self.judges)} judgment set(s), {len(self.runs)} run(s), "
            f"{len(self.measures)} measure(s), {len(self.topics)} topic(s))"
        )

    # ------------------------------------------------------------------------------ single values

    def reason(self, run: str, measure: str | Measure, topic: str, judge: str | None = None) -> str:
        """Why a value is not an ordinary score; empty where it is."""
        j, r, m = self._place(run, measure, judge)
        if topic not in self.topics:
            raise AssayError(f"no topic {topic!r} in these scores")
        code = int(self.reasons[j, r, m, self.topics.index(topic)])
        return _reason(code, self.measures[m], self.policy)

    def of(self, run: str, measure: str | Measure, judge: str | None = None) -> Array:
        """The values of one run and measure, one for each of `.topics`."""
        values: Array = self.values[self._place(run, measure, judge)]
        return values

    def one(self, measure: str | Measure | None = None) -> Measure:
        """The measure that is asked for, or the only one."""
        if measure is not None:
            return self.measures[self._place(self.runs[0], measure, None)[2]]
        if len(self.measures) > 1:
            there = ", ".join(map(str, self.measures))
            raise AssayError(f"these scores have several measures; name one of {there}")
        return self.measures[0]

    def _place(self, run: str, measure: str | Measure, judge: str | None) -> tuple[int, int, int]:
        wanted = parse(measure)
        for what, name, names in (
            ("run", run, self.runs),
            ("measure", wanted, self.measures),
            ("judgment set", judge or self.judges[0], self.judges),
        ):
            if name not in names:
                there = ", ".join(map(str, names))
                raise AssayError(f"no {what} {str(name)!r} in these scores; there are: {there}")
        judge_at = self.judges.index(judge) if judge else 0
        return judge_at, self.runs.index(run), self.measures.index(wanted)

    def counts(self, code: int) -> Array:
        """On how many topics [judge, run, measure] a value is SCORED, UNDEFINED, ..."""
        counts: Array = (self.reasons == code).sum(axis=-1)
        return counts

    # ----------------------------------------------------------------------------------- averages

    def average(self, run: str, measure: str | Measure, judge: str | None = None) -> Mean:
        """The mean over topics of one run and measure, with its 95 % interval."""
        return self._average(*self._place(run, measure, judge))

    def _average(self, j: int, r: int, m: int) -> Mean:
        values, reasons = self.values[j, r, m], self.reasons[j, r, m]
        value, low, high, deviation, n = summarize(values, self.measures[m], self.policy.mean)
        return Mean(
            value,
            low,
            high,
            deviation,
            n,
            int((reasons == UNDEFINED).sum()),
            int((reasons == MISSING).sum()),
            float(self.judged[j, r, m]),
        )

    def value(self, run: str, measure: str | Measure, judge: str | None = None) -> float:
        """The average over topics of one run and measure, and nothing beside it."""
        j, r, m = self._place(run, measure, judge)
        return center(self.values[j, r, m], self.measures[m], self.policy.mean)

    def shared(self, measure: str | Measure, judge: str | None = None) -> Array:
        """The values [run, topic] of the topics on which every run has one."""
        j, _, m = self._place(self.runs[0], measure, judge)
        values = self.values[j, :, m]
        found: Array = values[:, ~np.isnan(values).any(axis=0)]
        return found

    def within(
        self, measure: str | Measure, judge: str | None = None, level: float = 0.95
    ) -> tuple[Within, ...]:
        """Each run's mean with its within-topic interval, for comparing runs with one another."""
        from assay.stats.within import within

        if not 0 < level < 1:
            raise AssayError(f"level={level!r}: must be between 0 and 1, such as 0.95")
        values = self.shared(measure, judge)
        many = values.shape[-1]
        if not many:
            return tuple(Within(run, math.nan, math.nan, math.nan, 0) for run in self.runs)
        means, lows, highs = (each.tolist() for each in within(values, 1 - level))
        found = zip(self.runs, means, lows, highs, strict=True)
        return tuple(Within(run, mean, low, high, many) for run, mean, low, high in found)

    def gaps(
        self,
        run: str,
        baseline: str,
        measure: str | Measure | None = None,
        judge: str | None = None,
    ) -> dict[str, float]:
        """Topic to the run's value less the baseline's, on the topics on which both have one."""
        chosen = self.one(measure)
        gap = self.of(run, chosen, judge) - self.of(baseline, chosen, judge)
        pairs = zip(self.topics, gap.tolist(), strict=True)
        return {topic: value for topic, value in pairs if not math.isnan(value)}

    def by_topic(self, measure: str | Measure | None = None, judge: str | None = None) -> Array:
        """Mean over the runs of each of `.topics`; NaN where no run has a value."""
        chosen = self.one(measure)
        values = np.stack([self.of(run, chosen, judge) for run in self.runs])
        known = ~np.isnan(values)
        total = np.where(known, values, 0.0).sum(axis=0)
        return np.where(known.any(axis=0), total / np.maximum(known.sum(axis=0), 1), np.nan)

    def mean(self) -> pl.DataFrame:
        """Averages over topics: judge, run, measure, value, low, high, topics, undefined.

        `low` and `high` bound the 95 % interval; `average` tells more of one run and measure.
        """
        import polars as pl

        rows = []
        for j, judge in enumerate(self.judges):
            for r, run in enumerate(self.runs):
                for m, measure in enumerate(self.measures):
                    mean = self._average(j, r, m)
                    rows.append(
                        {
                            "judge": judge,
                            "run": run,
                            "measure": str(measure),
                            "value": mean.value,
                            "low": mean.low,
                            "high": mean.high,
                            "topics": mean.topics,
                            "undefined": mean.undefined,
                        }
                    )
        return pl.DataFrame(rows)

    # -------------------------------------------------------------------------------- other forms

    def to_polars(self) -> pl.DataFrame:
        """Long form: judge, run, measure, topic, value, at full precision; NaN where undefined."""
        import polars as pl

        j, r, m, t = self.values.shape
        return pl.DataFrame(
            {
                "judge": pl.Series(self.judges).gather(np.repeat(np.arange(j), r * m * t)),
                "run": pl.Series(self.runs).gather(np.tile(np.repeat(np.arange(r), m * t), j)),
                "measure": pl.Series([str(measure) for measure in self.measures]).gather(
                    np.tile(np.repeat(np.arange(m), t), j * r)
                ),
                "topic": pl.Series(self.topics).gather(np.tile(np.arange(t), j * r * m)),
                "value": self.values.reshape(-1),
            }
        )

    def to_pandas(self) -> pd.DataFrame:
        """The long form as a pandas frame."""
        try:
            import pandas as pd
        except ImportError:
            raise AssayError("pandas is not installed; type: pip install pandas") from None
        return pd.DataFrame({column.name: column.to_list() for column in self.to_polars()})

    def to_dict(self) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
        """Judge to run to measure to topic to value."""
        return {
            judge: {
                run: {
                    str(measure): dict(zip(self.topics, self.values[j, r, m].tolist(), strict=True))
                    for m, measure in enumerate(self.measures)
                }
                for r, run in enumerate(self.runs)
            }
            for j, judge in enumerate(self.judges)
        }

    def table(self, *, per_topic: bool = False) -> Any:
        """A table for people, which prints itself in a terminal and in a notebook."""
        from assay.show.scores import score_table

        return score_table(self, per_topic=per_topic)

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html


def _reason(code: int, measure: Measure, policy: Policy) -> str:
    if code == UNDEFINED:
        return f"undefined: {measure.definition.undefined or 'the formula divides by nothing'}"
    if code == MISSING:
        treated = "scored as the worst value" if policy.missing == "worst" else "left out"
        return f"the run lacks this topic: {treated}"
    return "not judged in this set" if code == NOT_JUDGED else ""


def center(values: Array, measure: Measure | None = None, how: str = "arithmetic") -> float:
    """The average of the values that are not NaN; NaN where there is none."""
    values = values[~np.isnan(values)]
    if measure is not None and measure.definition.average == "sum":
        return float(values.sum())
    if not len(values):
        return math.nan
    if how == "median":
        return float(np.median(values))
    return averaged(float(scaled(values, how).mean()), how)


def scaled(values: Array, how: str) -> Array:
    """The values on the scale on which they are averaged: logarithms for the geometric mean."""
    if how != "geometric":
        return values
    logs: Array = np.log(np.maximum(values, 1e-5))  # trec_eval's floor
    return logs


def averaged(mean: float, how: str) -> float:
    """The average that belongs to a mean of `scaled` values."""
    return math.exp(mean) if how == "geometric" else mean


def summarize(
    values: Array, measure: Measure | None = None, how: str = "arithmetic"
) -> tuple[float, float, float, float, int]:
    """Average, bounds of its 95 % interval, deviation, number of values that are not NaN."""
    values = values[~np.isnan(values)]
    n = len(values)
    average = center(values, measure, how)
    if n == 0 or (measure is not None and measure.definition.average == "sum"):
        return average, math.nan, math.nan, math.nan, n
    deviation = _deviation(values)
    if how == "median":
        ordered = np.sort(values)
        places = median_places(n)
        low, high = (math.nan,) * 2 if places is None else (float(ordered[at]) for at in places)
        return average, low, high, deviation, n
    those = scaled(values, how)
    spread = deviation if those is values else _deviation(those)
    return (average, *bounds(n, float(those.mean()), spread, how), deviation, n)


def _deviation(values: Array) -> float:
    """The standard deviation; none below two values, or beside one without bound."""
    known = len(values) > 1 and bool(np.isfinite(values).all())
    return float(values.std(ddof=1)) if known else math.nan


def bounds(n: int, mean: float, deviation: float, how: str) -> tuple[float, float]:
    """The 95 % t interval from mean and deviation of `scaled` values; NaN below 2 values."""
    if n < 2:
        return math.nan, math.nan
    from scipy.special import stdtrit  # slow to load

    half = float(stdtrit(n - 1, 0.975)) * deviation / math.sqrt(n)
    return averaged(mean - half, how), averaged(mean + half, how)


def median_places(n: int) -> tuple[int, int] | None:
    """Places of the order statistics that enclose the median in at least 95 % of samples of n.

    None below 6 values.
    """
    from scipy.special import bdtr

    below = np.flatnonzero(2 * bdtr(np.arange(n // 2, dtype=np.float64), n, 0.5) <= 0.05)
    return (int(below[-1]), n - 1 - int(below[-1])) if len(below) else None
