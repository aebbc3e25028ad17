"""One bucket of topics, on a worker: rows in Arrow batches to partial results.

The judgments come first and are held; the runs stream past in blocks of whole topics. So memory is
bounded by the bucket's judgments and the longest list.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa

from assay.blocks import BLOCK_ROWS, Block, block_of
from assay.errors import AssayError
from assay.io.lines import Dropped
from assay.io.locate import Origin
from assay.judgments import each_once
from assay.measures.registry import adopt
from assay.preferences import Preferences
from assay.scorer import Reading, Scorer
from assay.scores import MISSING, UNDEFINED, scaled
from assay.spark.layout import BITS, LOW, Kind, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["scored"]

NAMED = 6  # examples of a kind that a bucket gives
SCHEMA = pa.schema(
    [
        *((name, pa.int32()) for name in ("kind", "bucket", "judge", "run", "place")),
        ("count", pa.int64()),
        *((name, pa.float64()) for name in ("total", "mean", "squares")),
        ("undefined", pa.int64()),
        ("missing", pa.int64()),
        ("names", pa.list_(pa.struct([("at", pa.int64()), ("name", pa.string())]))),
        ("topic", pa.string()),
        ("at", pa.int64()),
    ]
)

Named = list[tuple[int, str]]


def scored(task: Task, bucket: int, batches: Iterable[Any]) -> Iterator[Any]:
    """Partial results of one bucket; what is wrong with the data is one of them."""
    out = _Out(bucket)
    batches = iter(batches)
    try:
        for definition in task.own:
            adopt(definition)
        chosen = _Bucket(task)
        for owner, rows in _owned(batches):
            chosen.take(owner, rows)
        yield from chosen.results(out)
    except AssayError as error:
        for _ in batches:  # Spark waits until all is read
            pass
        yield out.rows(Kind.PROBLEM, count=1, names=[[(0, str(error))]])


# ------------------------------------------------------------------------------------- rows in


def _owned(batches: Iterable[Any]) -> Iterator[tuple[int, pl.DataFrame]]:
    """Rows in their order, some at a time, each with its owner; a key's rows stay together."""
    for rows in _whole_keys(batches):
        owner = rows["key"].to_numpy() >> BITS
        cuts = [0, *(np.flatnonzero(owner[1:] != owner[:-1]) + 1).tolist(), len(owner)]
        for begin, end in pairwise(cuts):
            yield int(owner[begin]), rows[begin:end]


def _whole_keys(batches: Iterable[Any]) -> Iterator[pl.DataFrame]:
    held: list[pl.DataFrame] = []
    rows, enough = 0, BLOCK_ROWS
    for batch in batches:
        if not batch.num_rows:
            continue
        held.append(_frame(batch))
        rows += batch.num_rows
        if rows < enough:
            continue
        whole = pl.concat(held, rechunk=True)
        key = whole["key"].to_numpy()
        cut = int(np.searchsorted(key, key[-1]))
        if cut:
            yield whole[:cut]
        held = [whole[cut:]]
        rows -= cut
        enough = max(BLOCK_ROWS, 2 * rows)  # one topic fills it: look further, further each time
    if held:
        yield pl.concat(held, rechunk=True)


def _frame(batch: Any) -> pl.DataFrame:
    frame = pl.from_arrow(batch)
    if not isinstance(frame, pl.DataFrame):  # pragma: no cover - a batch is a frame
        raise TypeError(frame)
    return frame


def _grouped(rows: pl.DataFrame) -> Block:
    """A block; rows are put together where topics of equal hash are mixed."""
    block = block_of(rows["topic"], rows["doc"], rows["value"].to_numpy())
    if len(set(block.topics)) == len(block.topics):
        return block
    rows = rows.sort("topic", maintain_order=True)
    return block_of(rows["topic"], rows["doc"], rows["value"].to_numpy())


# --------------------------------------------------------------------------------------- scoring


@dataclass(frozen=True)
class _Judge:
    """What one judge says of the bucket's topics, which may be nothing."""

    label: str
    origin: Origin
    frame: pl.DataFrame
    dropped: Dropped

    def to_preferences(self) -> Preferences:
        return Preferences.of_grades(self)


class _Bucket:
    def __init__(self, task: Task) -> None:
        self.task = task
        self.rows: list[list[pl.DataFrame]] = [[] for _ in task.judges]
        self.readings = [Reading(Origin(label)) for label in task.runs]
        self.dropped = Dropped()
        self.at: dict[str, int] = {}  # where the topics first stood
        self._scorer: Scorer | None = None

    def take(self, owner: int, rows: pl.DataFrame) -> None:
        """Rows of a judge, or of a run after them."""
        if owner < 0:
            self.rows[-1 - owner].append(rows)
            return
        reading, block = self.readings[owner], _grouped(rows)
        reading.saw(block.topics)
        self.scorer.score(owner, reading, block)

    @property
    def scorer(self) -> Scorer:
        """Made when all judgments are there."""
        if self._scorer is None:
            task = self.task
            judges = [
                self._judge(j, label, parts)
                for j, (label, parts) in enumerate(zip(task.judges, self.rows, strict=True))
            ]
            self.rows = []
            self._scorer = Scorer(
                judges, len(task.runs), task.plan, strict=task.strict, whole=task.whole
            )
        return self._scorer

    def _judge(self, j: int, label: str, parts: list[pl.DataFrame]) -> _Judge:
        schema = {"topic": pl.String, "doc": pl.String, "grade": pl.Float64}
        if not parts:
            return _Judge(label, Origin(label), pl.DataFrame(schema=schema), Dropped())
        rows = pl.concat(parts, rechunk=True)
        first = rows.group_by("topic").agg(pl.col("key").min())
        for topic, key in first.iter_rows():
            self.at.setdefault(topic, (j << BITS) + (key & LOW))
        frame, origin = rows.select("topic", "doc", grade="value"), Origin(label)
        frame = each_once(frame, origin, None if self.task.strict else self.dropped)
        return _Judge(label, origin, frame, Dropped())

    # -------------------------------------------------------------------------------- rows out

    def results(self, out: _Out) -> Iterator[Any]:
        """Everything that is known of the bucket, as partial results."""
        scorer = self.scorer
        lacking = [scorer.finish(i, reading) for i, reading in enumerate(self.readings)]
        topics = scorer.judged.topics
        yield from self._of_judgments(out)
        for i, (reading, missing) in enumerate(zip(self.readings, lacking, strict=True)):
            if reading.seen:
                seen = {"count": len(reading.seen), "total": reading.met}
                yield out.rows(Kind.SEEN, run=i, **seen)
                yield out.rows(Kind.LONGEST, run=i, total=scorer.longest[i])
            if reading.foreign:
                names = [(0, name) for name in sorted(reading.foreign)[:NAMED]]
                yield out.rows(Kind.FOREIGN, run=i, count=len(reading.foreign), names=[names])
            if missing:
                names = self._placed(missing)
                yield out.rows(Kind.MISSING, run=i, count=len(missing), names=[names])
            yield from self._dropped(out, i, reading.repeats)
        if not topics:
            return
        yield self._moments(out, Kind.VALUE, scorer.values, self.task.plan.policy.mean)
        if self.task.plan.policy.mean == "geometric":
            yield self._moments(out, Kind.PLAIN, scorer.values, "arithmetic")
        if self.task.plan.cutoffs:
            yield self._moments(out, Kind.JUDGED, scorer.shown, "arithmetic")
        if self.task.plan.policy.undefined == "error":
            yield from self._undefined(out)
        if self.task.per_topic:
            yield from self._by_topic(out)

    def _placed(self, topics: Sequence[str]) -> Named:
        return sorted((self.at[topic], topic) for topic in topics)[:NAMED]

    def _of_judgments(self, out: _Out) -> Iterator[Any]:
        judged = self.scorer.judged
        yield from self._dropped(out, -1, self.dropped)
        if judged.topics:
            names = self._placed(judged.topics)
            many = [len(judged.topics), *judged.has.sum(axis=1).tolist()]
            judge = [-1, *range(len(many) - 1)]
            yield out.rows(Kind.TOPICS, judge=judge, count=many, names=[names] * len(many))
            yield out.rows(Kind.DOC, count=1, names=[[(names[0][0], judged.doc[0])]])

    @staticmethod
    def _dropped(out: _Out, owner: int, dropped: Dropped) -> Iterator[Any]:
        for kind, many in dropped.counts.items():
            yield out.rows(Kind.DROPPED, run=owner, count=many, names=[[(0, kind)]])

    def _moments(self, out: _Out, kind: int, values: Any, mean: str) -> Any:
        """Number, sum, mean and squared deviations along the topics."""
        judges, runs, places, _ = values.shape
        known = ~np.isnan(values)
        those = scaled(np.where(known, values, 0.0), mean)
        many = known.sum(axis=-1)
        total = np.where(known, those, 0.0).sum(axis=-1)
        center = total / np.maximum(many, 1)
        away = np.where(known, those - center[..., None], 0.0)
        undefined = missing = np.zeros(many.shape, dtype=np.int64)
        if kind == Kind.VALUE:
            reasons = self.scorer.reasons
            undefined, missing = ((reasons == code).sum(axis=-1) for code in (UNDEFINED, MISSING))
        judge, run, place = np.indices((judges, runs, places))
        return out.rows(
            kind,
            judge=judge.ravel(),
            run=run.ravel(),
            place=place.ravel(),
            count=many.ravel(),
            total=total.ravel(),
            mean=center.ravel(),
            squares=(away * away).sum(axis=-1).ravel(),
            undefined=undefined.ravel(),
            missing=missing.ravel(),
        )

    def _undefined(self, out: _Out) -> Iterator[Any]:
        bad = (self.scorer.reasons == UNDEFINED).any(axis=0)
        for run, place in np.argwhere(bad.any(axis=-1)).tolist():
            topics = [self.scorer.judged.topics[t] for t in np.flatnonzero(bad[run, place])]
            names = self._placed(topics)
            yield out.rows(Kind.UNDEFINED, run=run, place=place, count=len(topics), names=[names])

    def _by_topic(self, out: _Out) -> Iterator[Any]:
        """One row for each value, a judge and run at a time."""
        values, reasons, topics = self.scorer.values, self.scorer.reasons, self.scorer.judged.topics
        at = np.asarray([self.at[topic] for topic in topics])
        judges, runs, places, many = values.shape
        for judge, run in np.ndindex(judges, runs):
            yield out.rows(
                Kind.TOPIC,
                judge=judge,
                run=run,
                place=np.repeat(np.arange(places), many),
                count=reasons[judge, run].ravel(),
                total=values[judge, run].ravel(),
                topic=topics * places,
                at=np.tile(at, places),
            )


class _Out:
    """Makes batches of partial results."""

    def __init__(self, bucket: int) -> None:
        self.bucket = bucket

    def rows(self, kind: int, **given: Any) -> Any:
        """One row for each of the values given; a single value stands for all rows."""
        columns: dict[str, Any] = {
            "judge": 0,
            "run": 0,
            "place": 0,
            "count": 0,
            "total": 0.0,
            "mean": 0.0,
        }
        columns |= {"squares": 0.0, "undefined": 0, "missing": 0}
        columns |= {"names": None, "topic": None, "at": None, "kind": kind, "bucket": self.bucket}
        columns |= given
        many = max((len(each) for each in given.values() if _several(each)), default=1)
        arrays = []
        for field in SCHEMA:
            value = columns[field.name]
            if not _several(value):
                value = [value] * many
            if field.name == "names" and any(value):
                value = [[{"at": at, "name": name} for at, name in each] for each in value]
            arrays.append(pa.array(value, field.type))
        return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _several(value: Any) -> bool:
    return isinstance(value, list | np.ndarray)
