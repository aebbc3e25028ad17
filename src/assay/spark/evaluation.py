"""Judgments and runs in Spark DataFrames to scores: what the driver does.

Both sides are looked at once, for what is wrong and how much there is. Then they are shuffled
together, once: topics by their hash into buckets, each bucket sorted by one number (see `layout`).
A worker scores a bucket with the code that scores a file, and hands back partial sums.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.blocks import BLOCK_ROWS
from assay.errors import AssayError, AssayWarning
from assay.findings import Finding, refuse_undefined, uneven_judging
from assay.io.lines import JUDGMENTS, RUN, Dropped
from assay.io.names import ROLES
from assay.measures.measure import Measure, parse_all
from assay.plan import Plan, Scale, spread_bounds, spread_levels, uses_levels
from assay.policy import Policy
from assay.scorer import Whole
from assay.scores import Mean, averaged, bounds, median_places
from assay.spark.frames import Side, Summary, side_of
from assay.spark.layout import BITS, LOW, MOST_OWNERS, PARTIALS, Kind, Task
from assay.spark.merging import Merged, merged, nth
from assay.spark.outcome import Outcome
from assay.spark.worker import score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from assay.measures.registry import Definition

__all__ = ["evaluate", "outcome"]

RUN_ROWS = 1 << 13  # of each run in a bucket, about, so that its calls are worth their while


def evaluate(
    judgments: Any,
    run: Any,
    measures: str | Measure | Sequence[str | Measure],
    per_topic: bool = False,  # noqa: FBT001, FBT002 - the one choice of what comes back
    *,
    columns: Mapping[str, str | int] | None = None,
    missing: str = "worst",
    undefined: str = "skip",
    unjudged: str = "nonrelevant",
    ties: str = "trec",
    precision: str = "float64",
    mean: str = "arithmetic",
    negative: str = "unjudged",
    ignore_self: bool = False,
    strict: bool = True,
    buckets: int | None = None,
    tell: Callable[[str], None] | None = None,
) -> Any:
    """Score Spark DataFrames against a Spark DataFrame of judgments, where they are.

    `judgments` has columns topic, doc, grade and, for several judges, judge; `run` has topic, doc,
    score and, for several runs, run. Usual other names are understood, or given by `columns`. A
    dictionary of label to DataFrame stands for several.

    Returns a DataFrame: means over topics (judge, run, measure, value, low, high, topics,
    undefined), or with `per_topic` the values (judge, run, measure, topic, value), which stay
    cached on the workers' disks.

    Policies are those of `assay.evaluate`, with the same numbers. Both frames are read twice: cache
    those that are dear to compute.

    * buckets: into how many the topics are hashed; a worker holds the judgments of one, and the
      longest list of one topic.
    * tell: is called with each note and warning; without it, they are `AssayWarning`s.
    """
    policy = Policy(missing, undefined, unjudged, ties, precision, mean, negative, ignore_self)
    given = _columns_by_side(columns)
    found = outcome(
        side_of(judgments, JUDGMENTS, given[JUDGMENTS.what]),
        side_of(run, RUN, given[RUN.what]),
        measures,
        policy,
        per_topic=per_topic,
        strict=strict,
        buckets=buckets,
    )
    for text in (*found.notes, *found.warnings):
        if tell is None:
            warnings.warn(text, AssayWarning, stacklevel=2)
        else:
            tell(text)
    return found.topic_frame() if per_topic else found.mean_frame()


def _columns_by_side(columns: Mapping[str, str | int] | None) -> dict[str, dict[str, str | int]]:
    """Which columns are said of which side: those that both have, of both."""
    for role in columns or {}:
        if not any(role in roles for roles in ROLES.values()):
            known = dict.fromkeys(each for roles in ROLES.values() for each in roles)
            raise AssayError(f"columns: no part {role!r}; expected {', '.join(known)}")
    return {
        kind.what: {role: name for role, name in (columns or {}).items() if role in roles}
        for kind, roles in ROLES.items()
    }


def outcome(
    judgments: Side,
    runs: Side,
    measures: str | Measure | Sequence[str | Measure],
    policy: Policy,
    *,
    per_topic: bool,
    strict: bool,
    buckets: int | None = None,
) -> Outcome:
    """Evaluate, and keep what must be known beside the numbers."""
    if buckets is not None and buckets < 1:
        raise AssayError(f"buckets must be at least 1, found {buckets}")
    named = parse_all(measures)
    judged = judgments.summary(strict=strict, grades=uses_levels(named, policy))
    given = runs.summary(strict=strict)
    asked = spread_levels(named, {grade for each in judged.owners for grade in each.grades})
    scales = [Scale(each.label, each.top, each.grades) for each in judged.owners]
    plan = Plan.of(spread_bounds(asked, policy), scales, policy)
    by_topic = per_topic or policy.mean == "median"
    task = Task(plan, judged.labels, given.labels, by_topic, strict, tuple(_own(plan.measures)))
    many = buckets or _buckets(judged.rows + given.rows, len(given.owners))
    rows = _placed(_keyed(judgments, judged, runs, given), many)
    if policy.missing == "worst" and any(callable(m.definition.worst) for m in plan.measures):
        task = replace(task, whole=_whole(task, rows, _keyed(judgments, judged)))
    partials = rows.mapInArrow(partial(score, task), PARTIALS)
    if by_topic:
        from pyspark import StorageLevel

        partials = partials.persist(StorageLevel.DISK_ONLY)
    results = merged(partials)
    notes, warned = _said(results, plan, judged, given)
    means = _means(results, plan, partials)
    if by_topic and not per_topic:
        partials.unpersist()
    return Outcome(
        judged.labels,
        given.labels,
        plan,
        range(results.names(Kind.TOPICS, judge=-1).many),
        {j: row["count"] for (j, _, _), row in results.of(Kind.TOPICS).items()},
        means,
        tuple(dict.fromkeys((*plan.notes, *notes))),
        tuple(warned),
        partials,
    )


def _own(measures: Sequence[Measure]) -> Iterator[Definition]:
    """Definitions that workers cannot look up."""
    for definition in {measure.name: measure.definition for measure in measures}.values():
        if not definition.kernel.__module__.startswith("assay.measures."):
            yield definition


# ------------------------------------------------------------------------------------ the shuffle


def _buckets(rows: int, runs: int) -> int:
    """How many buckets: each about a block of rows, and no few rows of each run."""
    return max(1, math.ceil(rows / max(BLOCK_ROWS, RUN_ROWS * runs)))


def _keyed(judgments: Side, judged: Summary, runs: Side | None = None, given: Any = None) -> Any:
    """The rows of all sides, each with its key."""
    from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it

    owners = max(len(judged.owners), 0 if given is None else len(given.owners))
    if owners > MOST_OWNERS:
        raise AssayError(f"{owners:,} runs or judges; {MOST_OWNERS:,} at once are the most")

    def keyed(frame: Any, low: Any) -> Any:
        key = F.shiftleft("owner", BITS) + low.bitwiseAND(LOW)
        return frame.select(key.alias("key"), "topic", "doc", "value")

    frames = [keyed(each, F.col("at")) for each in judgments.rows(judged, lambda j: -1 - j)]
    if runs is not None:
        frames += [keyed(each, F.xxhash64("topic")) for each in runs.rows(given, lambda i: i)]
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionAll(frame)
    return whole


def _placed(rows: Any, buckets: int) -> Any:
    return rows.repartition(buckets, "topic").sortWithinPartitions("key")


def _whole(task: Task, rows: Any, judgments: Any) -> Whole:
    """What values of missing topics depend on beside the topic: one more pass, without measures."""
    short = replace(task, plan=task.plan.bare(), per_topic=False)
    results = merged(rows.mapInArrow(partial(score, short), PARTIALS))
    longest = [results.number(Kind.LONGEST, i, "largest") for i in range(len(task.runs))]
    return Whole(judgments.select("doc").distinct().count(), tuple(longest))


# -------------------------------------------------------------------------------------- what came


def _said(
    results: Merged, plan: Plan, judged: Summary, given: Summary
) -> tuple[list[str], list[str]]:
    """Notes and warnings, as for files; an error where a policy asks for one."""
    notes: list[str] = []
    warned: list[str] = []
    topics = results.names(Kind.TOPICS, judge=-1)
    doc = results.names(Kind.DOC)
    _left_out(judged.dropped, results, [-1], judged, warned)
    _left_out(given.dropped, results, range(len(given.owners)), given, warned)
    for i, label in enumerate(given.labels):
        found = Finding(
            label,
            label,
            results.number(Kind.SEEN, i),
            results.names(Kind.FOREIGN, i),
            results.number(Kind.SEEN, i, "total"),
            results.names(Kind.MISSING, i),
        )
        notes += found.notes(plan.policy, topics.many, topics.first[0])
        warned += found.warnings(doc.first[0])
        if plan.policy.undefined == "error":
            for m, measure in enumerate(plan.measures):
                refuse_undefined(measure, results.names(Kind.UNDEFINED, i, m))
    shown = np.full((len(judged.owners), len(given.owners), len(plan.cutoffs)), np.nan)
    for places, row in results.of(Kind.JUDGED).items():
        if row["count"]:
            shown[places] = row["total"] / row["count"]
    warned += uneven_judging(plan.cutoffs, judged.labels, given.labels, shown)
    return notes, warned


def _left_out(
    counted: Mapping[str, Dropped],
    results: Merged,
    owners: Sequence[int],
    side: Summary,
    warned: list[str],
) -> None:
    """Warn of rows that are not used."""
    for name, dropped in counted.items():
        if dropped:
            warned.append(f"{name}: left out {dropped}")
    for owner in owners:
        row = results.of(Kind.DROPPED).get((0, owner, 0))
        if row is not None:
            label = side.labels[owner] if owner >= 0 else "judgments"
            rows = "row" if row["count"] == 1 else "rows"
            warned.append(f"{label}: left out {row['count']} {rows} with {row['names'][0]['name']}")


def _means(results: Merged, plan: Plan, partials: Any) -> dict[tuple[int, int, int], Mean]:
    """Averages with their intervals, from counts and moments."""
    rows = results.of(Kind.VALUE)
    plain = results.of(Kind.PLAIN) or rows
    how = plan.policy.mean
    medians = nth(partials, _median_places(rows, plan)) if how == "median" else {}
    means = {}
    for (j, r, m), row in rows.items():
        n, measure = row["count"], plan.measures[m]
        low = high = deviation = value = math.nan
        if measure.definition.average == "sum":
            value = plain[j, r, m]["total"]
        elif n:
            value, deviation = averaged(row["total"] / n, how), _deviation(plain[j, r, m])
            if how == "median":
                value, low, high = _median(n, medians[j, r, m])
            else:
                low, high = bounds(n, row["total"] / n, _deviation(row), how)
        c = plan.cutoff(measure)
        shown = None if c is None else results.of(Kind.JUDGED).get((j, r, c))
        known = shown["total"] / shown["count"] if shown and shown["count"] else math.nan
        lacks = row["undefined"], row["missing"]
        means[j, r, m] = Mean(value, low, high, deviation, n, *lacks, known)
    return means


def _deviation(row: Any) -> float:
    n = row["count"]
    return math.sqrt(row["squares"] / (n - 1)) if n > 1 else math.nan


def _median_places(
    rows: Mapping[tuple[int, int, int], Any], plan: Plan
) -> dict[tuple[int, int, int], list[int]]:
    """Which values, in ascending order, the medians and their bounds are made of."""
    wanted = {}
    for places, row in rows.items():
        n = row["count"]
        if n and plan.measures[places[2]].definition.average != "sum":
            wanted[places] = [(n - 1) // 2, n // 2, *(median_places(n) or ())]
    return wanted


def _median(n: int, at: Mapping[int, float]) -> tuple[float, float, float]:
    places = median_places(n)
    value = (at[(n - 1) // 2] + at[n // 2]) / 2
    return (value, math.nan, math.nan) if places is None else (value, at[places[0]], at[places[1]])
