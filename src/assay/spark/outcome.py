"""What an evaluation on a cluster found: means that the driver holds, values that it does not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.scores import NOT_JUDGED, UNDEFINED, Mean, Scores
from assay.spark.layout import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.measures.measure import Measure
    from assay.plan import Plan
    from assay.policy import Policy

__all__ = ["Outcome"]

Array = np.ndarray[Any, np.dtype[Any]]
MEANS = (
    "judge string, run string, measure string, value double, low double, high double, "
    "topics long, undefined long"
)


@dataclass(frozen=True, eq=False)
class Outcome:
    """Means by judge, run and measure, to be shown as those of `Scores` are."""

    judges: tuple[str, ...]
    runs: tuple[str, ...]
    plan: Plan
    topics: range  # as many as there are; their names stay on the cluster
    judged: Mapping[int, int]  # topics of each judge
    means: Mapping[tuple[int, int, int], Mean]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    partials: Any  # a DataFrame; holds the values where these were asked for

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Those asked for."""
        return self.plan.measures

    @property
    def policy(self) -> Policy:
        """How missing topics, undefined values, ... were treated."""
        return self.plan.policy

    def average(self, run: str, measure: Measure, judge: str | None = None) -> Mean:
        """The mean over topics of one run and measure, with its 95 % interval."""
        j = self.judges.index(judge) if judge else 0
        return self.means[j, self.runs.index(run), self.measures.index(measure)]

    def value(self, run: str, measure: Measure, judge: str | None = None) -> float:
        """The average over topics of one run and measure, and nothing beside it."""
        return self.average(run, measure, judge).value

    def counts(self, code: int) -> Array:
        """On how many topics [judge, run, measure] a value is UNDEFINED, or NOT_JUDGED."""
        counts = np.zeros((len(self.judges), len(self.runs), len(self.measures)), dtype=np.int64)
        for places, mean in self.means.items():
            unjudged = len(self.topics) - self.judged.get(places[0], 0)
            counts[places] = {UNDEFINED: mean.undefined, NOT_JUDGED: unjudged}[code]
        return counts

    # ------------------------------------------------------------------------------- DataFrames

    def mean_frame(self) -> Any:
        """The columns of `Scores.mean()`."""
        rows = [
            (
                self.judges[j],
                self.runs[r],
                str(self.measures[m]),
                mean.value,
                mean.low,
                mean.high,
                mean.topics,
                mean.undefined,
            )
            for (j, r, m), mean in sorted(self.means.items())
        ]
        return self.partials.sparkSession.createDataFrame(rows, MEANS)

    def topic_frame(self) -> Any:
        """The columns of `Scores.to_polars()`, in its order."""
        from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it

        rows = self.partials.filter(F.col("kind") == Kind.TOPIC)
        order = ["_judge", "_run", "_measure", "at"]
        rows = rows.selectExpr(
            "judge _judge", "run _run", "place _measure", "at", "topic", "total value"
        )
        for role, labels in (
            ("judge", self.judges),
            ("run", self.runs),
            ("measure", map(str, self.measures)),
        ):
            named = self.partials.sparkSession.createDataFrame(
                list(enumerate(labels)), f"_{role} int, {role} string"
            )
            rows = rows.join(F.broadcast(named), f"_{role}")
        return rows.orderBy(*order).select("judge", "run", "measure", "topic", "value")

    def scores(self) -> Scores:
        """All values by topic, brought to the driver."""
        from pyspark.sql import functions as F  # noqa: N812

        rows = self.partials.filter(F.col("kind") == Kind.TOPIC)
        names = rows.filter("judge = 0 and run = 0 and place = 0").select("topic", "at")
        topics = [row["topic"] for row in sorted(names.collect(), key=lambda row: row["at"])]
        number = {topic: i for i, topic in enumerate(topics)}
        shape = (len(self.judges), len(self.runs), len(self.measures), len(topics))
        values = np.full(shape, math.nan)
        reasons = np.full(shape, NOT_JUDGED, dtype=np.int8)
        for row in rows.select("judge", "run", "place", "topic", "total", "count").toLocalIterator(
            prefetchPartitions=True
        ):
            cell = row["judge"], row["run"], row["place"], number[row["topic"]]
            values[cell], reasons[cell] = row["total"], row["count"]
        judged = np.full(shape[:3], math.nan)
        for places, mean in self.means.items():
            judged[places] = mean.judged
        return Scores(
            self.judges,
            self.runs,
            self.measures,
            tuple(topics),
            values,
            reasons,
            judged,
            self.policy,
            self.notes,
            self.warnings,
        )
