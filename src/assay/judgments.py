"""Judgments: what judges said of documents, by topic."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.columns import Shape, checked, from_dict, from_rows, several_parts, table_of
from assay.errors import AssayError
from assay.io.forms import opened, rows_of
from assay.io.lines import JUDGMENTS, Dropped
from assay.io.locate import Origin, TableOrigin
from assay.io.objects import PREFIX, data_set
from assay.io.spool import readable
from assay.io.stream import label_of
from assay.io.tables import Wanted
from assay.io.trec import no_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.io.trec import Rows
    from assay.preferences import Preferences

__all__ = ["Judgments", "each_once", "read_judgment_sets", "read_judgments"]

SHAPE = Shape("grade", "judgments", "a file name, Judgments")


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Judgments:
    """Graded judgments of one judge: topic, doc, grade, each pair once.

    Made from a dictionary of dictionaries, `Judgments({"301": {"d1": 2, "d2": 0}})`; from a frame
    of Polars, pandas, PyArrow or DuckDB, whose columns are found by their usual names or named by
    `columns={"topic": "qid", ...}` (no grade, or NaN: unjudged, left out and counted); from an
    iterable of tuples, as ir_measures and ir_datasets give them; from ranx's Qrels; or from a file,
    see `read_judgments`.
    """

    frame: pl.DataFrame
    label: str
    origin: Origin
    dropped: Dropped

    def __init__(
        self,
        data: Any,
        *,
        label: str | None = None,
        columns: Mapping[str, str | int] | None = None,
        judge: str | None = None,
        origin: Origin | None = None,
        dropped: Dropped | None = None,
    ) -> None:
        """Check the data; a repeated judgment is an error unless `dropped` is there to count it.

        `judge` chooses one of several judges that a column names.
        """
        if isinstance(data, str | Path):
            read = read_judgments(
                data, label=label, columns=columns, judge=judge, strict=dropped is None
            )
            self.__dict__.update(read.__dict__)
            return
        label = label or "judgments"
        origin = origin or Origin(label)
        finder = origin
        unjudged = Dropped()
        rows = table_of(data, JUDGMENTS, label, columns=columns, dropped=dropped, unjudged=unjudged)
        if rows is None:
            frame = checked(from_dict(data, SHAPE), label, SHAPE)
        else:
            mine = several_parts(rows, "judge", label, judge)
            frame = from_rows([rows], "grade")
            frame = frame if mine is None else frame.filter(mine)
            if origin.path is None and mine is None:
                finder = TableOrigin(label, table=rows)
        if not frame.height:
            raise AssayError(f"{label}: no judgments")
        object.__setattr__(self, "frame", each_once(frame, finder, dropped))
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "origin", origin)
        left_out = Dropped() if dropped is None else dropped
        left_out.update(unjudged)
        object.__setattr__(self, "dropped", left_out)

    def labelled(self, label: str) -> Judgments:
        """The same judgments under another label."""
        other = copy.copy(self)
        object.__setattr__(other, "label", label)
        return other

    @property
    def topics(self) -> list[str]:
        """Topics in order of first appearance."""
        topics: list[str] = self.frame["topic"].unique(maintain_order=True).to_list()
        return topics

    @property
    def top(self) -> float:
        """The largest grade, 0 where nothing is judged relevant."""
        largest = self.frame["grade"].max()
        return max(0.0, float(largest)) if isinstance(largest, int | float) else 0.0

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Topic to document to grade."""
        found: dict[str, dict[str, float]] = {}
        for topic, doc, grade in self:
            found.setdefault(topic, {})[doc] = grade
        return found

    def to_preferences(self) -> Preferences:
        """What the grades say of each pair of a topic's documents; made by blocks, on request."""
        from assay.preferences import Preferences

        return Preferences.of_grades(self)

    def __len__(self) -> int:
        return self.frame.height

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        return iter(self.frame.iter_rows())

    def __repr__(self) -> str:
        return f"Judgments({self.label!r}: {len(self)} judgments, {len(self.topics)} topics)"


def read_judgments(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002 - the word that people type
    columns: Mapping[str, str | int] | None = None,
    judge: str | None = None,
    label: str | None = None,
    strict: bool = True,
) -> Judgments:
    """Read judgments: a file in any form, `irds:ID`, or whatever `Judgments` is made from.

    The form is found out by itself: TREC (`topic iteration doc grade`, grades as real numbers),
    CSV, TSV, JSON, Parquet, Arrow, LETOR; `format` names it, see `assay convert -h`. Columns have
    their usual names or are given: `columns={"topic": "qid", "doc": "pid", "grade": 4}`. `judge`
    chooses one of several judges in the file; `read_judgment_sets` takes all.

    With `strict=False` bad lines and identical repeats are left out and counted in `.dropped`.
    """
    dropped = None if strict else Dropped()
    if not isinstance(source, str | Path):
        return Judgments(source, label=label, columns=columns, judge=judge, dropped=dropped)
    if str(source).startswith(PREFIX):
        data, name = data_set(str(source)), label or label_of(source)
        return Judgments(data, label=name, columns=columns, judge=judge, dropped=dropped)
    with readable(source) as spooled:
        origin = opened(spooled, JUDGMENTS, format=format, columns=columns, part=judge)
        unjudged = Dropped()
        parts = list(rows_of(origin, JUDGMENTS, dropped=dropped, unjudged=unjudged))
        label = label or label_of(source)
        return _made(parts, origin, label, dropped, unjudged)


def _made(
    parts: list[Rows], origin: Origin, label: str, dropped: Dropped | None, unjudged: Dropped
) -> Judgments:
    if not sum(map(len, parts)):
        raise no_rows(origin, JUDGMENTS, dropped)
    made = Judgments(from_rows(parts, "grade"), label=label, origin=origin, dropped=dropped)
    made.dropped.update(unjudged)
    return made


def read_judgment_sets(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002 - the word that people type
    columns: Mapping[str, str | int] | None = None,
    label: str | None = None,
    strict: bool = True,
) -> dict[str, Judgments]:
    """Read the judgments of all judges of a source in which a column names them.

    A source without such a column is one set under its usual label.
    """
    dropped = None if strict else Dropped()
    unjudged = Dropped()
    if not isinstance(source, str | Path) or str(source).startswith(PREFIX):
        data = data_set(source) if isinstance(source, str) else source
        name = label or (label_of(source) if isinstance(source, str) else "judgments")
        rows = table_of(data, JUDGMENTS, name, columns=columns, dropped=dropped, unjudged=unjudged)
        if rows is None:
            return {name: Judgments(data, label=name, dropped=dropped)}
        return _each_judge([rows], Origin(name), name, dropped, unjudged)
    with readable(source) as spooled:
        origin = opened(spooled, JUDGMENTS, format=format, columns=columns)
        name = label or label_of(source)
        if origin.door is None:
            parts = list(rows_of(origin, JUDGMENTS, dropped=dropped))
            return {name: _made(parts, origin, name, dropped, unjudged)}
        wanted = Wanted(JUDGMENTS, origin.door.columns, dropped, unjudged)
        return _each_judge(list(origin.door.rows(origin, wanted)), origin, name, dropped, unjudged)


def _each_judge(
    parts: list[Rows], origin: Origin, label: str, dropped: Dropped | None, unjudged: Dropped
) -> dict[str, Judgments]:
    """One set for each judge."""
    if not parts or parts[0].part is None or not sum(map(len, parts)):
        return {label: _made(parts, origin, label, dropped, unjudged)}
    every = from_rows(parts, "grade")
    every = every.with_columns(
        _part=pl.concat([rows.part for rows in parts if rows.part is not None])
    )
    found = {}
    for part in every.partition_by("_part", maintain_order=True):
        name = str(part["_part"][0])
        door = None if origin.door is None else replace(origin.door, part=name)
        frame = part.drop("_part")
        found[name] = Judgments(
            frame, label=name, origin=replace(origin, door=door), dropped=dropped
        )
    next(iter(found.values())).dropped.update(unjudged)
    return found


def each_once(frame: pl.DataFrame, origin: Origin, dropped: Dropped | None) -> pl.DataFrame:
    """Each pair once: a contradiction is an error always, an identical repeat unless lenient."""
    repeated = frame.filter(frame.select("topic", "doc").is_duplicated())
    if not repeated.height:
        return frame
    groups = repeated.group_by("topic", "doc", maintain_order=True).agg("grade")
    clash = groups.filter(pl.col("grade").list.n_unique() > 1)
    if clash.height:
        raise _repeat("contradicting", clash.row(0), origin)
    if dropped is None:
        raise _repeat("identical", groups.row(0), origin)
    topic, doc, _ = groups.row(0)
    where = origin.again(JUDGMENTS, topic, doc)[0]
    dropped.add("a judgment given before", where, repeated.height - groups.height)
    return frame.unique(["topic", "doc"], keep="first", maintain_order=True)


def _repeat(kind: str, row: tuple[str, str, list[float]], origin: Origin) -> AssayError:
    topic, doc, grades = row
    where, before = origin.again(JUDGMENTS, topic, doc)
    shown = " and ".join(f"{grade:.15g}" for grade in dict.fromkeys(grades))
    remedy = "keep one of the two"
    if kind == "identical":
        remedy = "remove the repeat, or use --lenient (strict=False)"
    return AssayError(
        f"{where}: document {doc!r} of topic {topic!r} is judged twice{before}, as {shown}: "
        f"{kind} judgments; {remedy}"
    )
