"""Partial results of buckets to those of all topics, on the workers: counts, sums, moments.

Mean and squared deviations are merged pairwise (Chan, Golub and LeVeque 1983), never as a
difference of sums of squares; buckets in their order, so that the same data give the same digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.findings import Names
from assay.spark.layout import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Merged", "merged", "nth"]

NAMED = 6
Places = tuple[int, int, int]  # judge, run, and measure or cut-off


class Merged:
    """What the driver sees: a row for each run and measure, and a few for each run."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows: dict[int, dict[Places, Any]] = {}
        for row in rows:
            places = row["judge"], row["run"], row["place"]
            self._rows.setdefault(row["kind"], {})[places] = row
        for row in self.of(Kind.PROBLEM).values():
            raise AssayError(row["names"][0]["name"])

    def of(self, kind: int) -> Mapping[Places, Any]:
        """All rows of one kind."""
        return self._rows.get(kind, {})

    def names(self, kind: int, run: int = 0, place: int = 0, judge: int = 0) -> Names:
        """How many, and the first of them."""
        row = self.of(kind).get((judge, run, place))
        if row is None:
            return Names()
        return Names(row["count"], tuple(each["name"] for each in row["names"]))

    def number(self, kind: int, run: int, field: str = "count") -> int:
        """A number that belongs to a run."""
        row = self.of(kind).get((0, run, 0))
        return 0 if row is None else int(row[field])


def merged(partials: Any) -> Merged:
    """One row for each kind, judge, run and place."""
    from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it

    parts = F.array_sort(F.collect_list(F.struct("bucket", "count", "total", "mean", "squares")))
    whole = F.aggregate(parts, _nothing(), _joined)
    names = F.array_sort(F.array_distinct(F.flatten(F.collect_list("names"))))
    rows = (
        partials.filter(F.col("kind") != Kind.TOPIC)
        .groupBy("kind", "judge", "run", "place")
        .agg(
            whole.alias("whole"),
            F.max("total").alias("largest"),
            F.sum("undefined").alias("undefined"),
            F.sum("missing").alias("missing"),
            F.slice(names, 1, NAMED).alias("names"),
        )
        .select(
            "kind", "judge", "run", "place", "whole.*", "largest", "undefined", "missing", "names"
        )
    )
    return Merged(rows.collect())


def _nothing() -> Any:
    from pyspark.sql import functions as F  # noqa: N812

    zeros = [F.lit(0.0).alias(name) for name in ("total", "mean", "squares")]
    return F.struct(F.lit(0).cast("long").alias("count"), *zeros)


def _joined(left: Any, right: Any) -> Any:
    """Two parts' count, sum, mean and squared deviations as one."""
    from pyspark.sql import functions as F  # noqa: N812

    many = left["count"] + right["count"]
    away = right["mean"] - left["mean"]
    share = right["count"] / F.greatest(many, F.lit(1))
    return F.struct(
        many.alias("count"),
        (left["total"] + right["total"]).alias("total"),
        (left["mean"] + away * share).alias("mean"),
        (left["squares"] + right["squares"] + away * away * left["count"] * share).alias("squares"),
    )


def nth(partials: Any, wanted: Mapping[Places, Sequence[int]]) -> Mapping[Places, dict[int, float]]:
    """The values at places of the ascending order of topics, for medians."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F  # noqa: N812

    keys = ["judge", "run", "place"]
    rows = [(*places, at) for places, ats in wanted.items() for at in sorted(set(ats))]
    found: dict[Places, dict[int, float]] = {places: {} for places in wanted}
    if not rows:
        return found
    session = partials.sparkSession
    asked = session.createDataFrame(rows, "judge int, run int, place int, nth int")
    order = Window.partitionBy(*keys).orderBy("total")
    ranked = (
        partials.filter((F.col("kind") == Kind.TOPIC) & ~F.isnan("total"))
        .select(*keys, "total")
        .withColumn("nth", F.row_number().over(order) - 1)
    )
    for row in _rows(ranked.join(F.broadcast(asked), [*keys, "nth"])):
        found[row["judge"], row["run"], row["place"]][row["nth"]] = row["total"]
    return found


def _rows(frame: Any) -> Iterator[Any]:
    yield from frame.collect()
