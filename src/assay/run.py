"""Runs: what a system retrieved, by topic, with its scores."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.columns import Shape, checked, from_dict, from_rows, several_parts, table_of
from assay.duplicates import best_rows
from assay.errors import AssayWarning
from assay.io.forms import opened, rows_of
from assay.io.lines import RUN, Dropped
from assay.io.locate import Origin, TableOrigin
from assay.io.objects import PREFIX, data_set
from assay.io.spool import readable
from assay.io.stream import label_of
from assay.io.tables import Wanted
from assay.io.tag import TagWatch
from assay.io.trec import no_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.io.trec import Rows

__all__ = ["Run", "read_run", "read_runs"]

SHAPE = Shape("score", "a run", "a file name, a Run")


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Run:
    """A ranked list for each topic: topic, doc, score; the order is made from the scores.

    Made from a dictionary of dictionaries, `Run({"301": {"d1": 9.5, "d2": 7.1}})`; from a frame of
    Polars, pandas, PyArrow or DuckDB, whose columns are found by their usual names or named by
    `columns={"topic": "qid", ...}`; from an iterable of tuples (topic, doc, score), as ir_measures
    and ir_datasets give them; from ranx's Run; or from a file, see `read_run`.
    """

    frame: pl.DataFrame  # rows of a topic stand together
    label: str
    tag: str
    origin: Origin
    dropped: Dropped

    def __init__(
        self,
        data: Any,
        *,
        label: str | None = None,
        columns: Mapping[str, str | int] | None = None,
        run: str | None = None,
        tag: str = "",
        origin: Origin | None = None,
        dropped: Dropped | None = None,
    ) -> None:
        """Check the data; a repeated document is an error unless `dropped` is there to count it.

        `run` chooses one of several runs that a column names.
        """
        if isinstance(data, str | Path):
            read = read_run(data, label=label, columns=columns, run=run, strict=dropped is None)
            self.__dict__.update(read.__dict__)
            return
        label = label or _label_of(data)
        origin = origin or Origin(label)
        finder = origin
        rows = table_of(data, RUN, label, columns=columns, dropped=dropped)
        if rows is None:
            frame = checked(from_dict(data, SHAPE), label, SHAPE)
        else:
            mine = several_parts(rows, "run", label, run)
            frame = from_rows([rows], "score")
            frame = frame if mine is None else frame.filter(mine)
            if origin.path is None and mine is None:
                finder = TableOrigin(label, table=rows)
        keep = best_rows(frame["topic"], frame["doc"], frame["score"].to_numpy(), finder, dropped)
        frame = _grouped(frame if keep is None else frame.filter(pl.Series(keep)))
        object.__setattr__(self, "frame", frame)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "tag", tag)
        object.__setattr__(self, "origin", origin)
        object.__setattr__(self, "dropped", Dropped() if dropped is None else dropped)

    @property
    def topics(self) -> list[str]:
        """Topics in order of first appearance."""
        topics: list[str] = self.frame["topic"].unique(maintain_order=True).to_list()
        return topics

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Topic to document to score."""
        found: dict[str, dict[str, float]] = {}
        for topic, doc, score in self:
            found.setdefault(topic, {})[doc] = score
        return found

    def __len__(self) -> int:
        return self.frame.height

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        return iter(self.frame.iter_rows())

    def __repr__(self) -> str:
        return f"Run({self.label!r}: {len(self)} documents, {len(self.topics)} topics)"


def read_run(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002 - the word that people type
    columns: Mapping[str, str | int] | None = None,
    run: str | None = None,
    label: str | None = None,
    strict: bool = True,
) -> Run:
    """Read a run: a file in any form, `irds:ID`, or whatever `Run` is made from.

    The form is found out by itself: TREC (`topic Q0 doc rank score tag`; the rank is not used), MS
    MARCO, CSV, TSV, JSON, Parquet, Arrow, LETOR; `format` names it, see `assay convert -h`. Columns
    have their usual names or are given: `columns={"topic": "qid", "doc": "pid", "score": 3}`.
    `run` chooses one of several runs in the file; `read_runs` takes all.

    With `strict=False` bad lines are left out, the best-ranked occurrence of a repeated document
    stays, and what was left out is counted in `.dropped`.
    """
    dropped = None if strict else Dropped()
    if not isinstance(source, str | Path):
        return Run(source, label=label, columns=columns, run=run, dropped=dropped)
    if str(source).startswith(PREFIX):
        data = data_set(str(source))
        return Run(data, label=label or label_of(source), columns=columns, run=run, dropped=dropped)
    with readable(source) as spooled:
        origin = opened(spooled, RUN, format=format, columns=columns, part=run)
        return _read(origin, label or label_of(source), dropped)


def _read(origin: Origin, label: str, dropped: Dropped | None) -> Run:
    """The one run of a file."""
    tags = TagWatch()
    parts = []
    for rows in rows_of(origin, RUN, dropped=dropped):
        tags.see(rows.piece)
        parts.append(rows)
    if not sum(map(len, parts)):
        raise no_rows(origin, RUN, dropped)
    warning = tags.warning(origin.name)
    if warning:
        warnings.warn(warning, AssayWarning, stacklevel=3)
    frame = from_rows(parts, "score")
    return Run(frame, label=label, tag=tags.tag, origin=origin, dropped=dropped)


def read_runs(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002 - the word that people type
    columns: Mapping[str, str | int] | None = None,
    label: str | None = None,
    strict: bool = True,
) -> dict[str, Run]:
    """Read all runs of a source in which a column names them, or of LETOR, each feature being one.

    A source without such a column is one run under its usual label.
    """
    dropped = None if strict else Dropped()
    if not isinstance(source, str | Path) or str(source).startswith(PREFIX):
        data = data_set(source) if isinstance(source, str) else source
        name = label or _label_of(source)
        rows = table_of(data, RUN, name, columns=columns, dropped=dropped)
        return _each([] if rows is None else [rows], Origin(name), name, dropped) or {
            name: Run(data, label=name, columns=columns, dropped=dropped)
        }
    with readable(source) as spooled:
        origin = opened(spooled, RUN, format=format, columns=columns)
        if origin.door is None:
            return _one(_read(origin, label or label_of(source), dropped))
        wanted = Wanted(RUN, origin.door.columns, dropped)
        parts = list(origin.door.rows(origin, wanted))
        if not sum(map(len, parts)):
            raise no_rows(origin, RUN, dropped)
        return _each(parts, origin, label or label_of(source), dropped)


def _one(run: Run) -> dict[str, Run]:
    return {run.label: run}


def _each(parts: list[Rows], origin: Origin, label: str, dropped: Dropped | None) -> dict[str, Run]:
    """One run for each part."""
    if not parts:
        return {}
    frame = from_rows(parts, "score")
    if parts[0].part is None:
        return _one(Run(frame, label=label, origin=origin, dropped=dropped))
    every = frame.with_columns(
        _part=pl.concat([rows.part for rows in parts if rows.part is not None])
    )
    found = {}
    for part in every.partition_by("_part", maintain_order=True):
        name = str(part["_part"][0])
        door = None if origin.door is None else replace(origin.door, part=name)
        home = replace(origin, door=door)
        found[name] = Run(part.drop("_part"), label=name, tag=name, origin=home, dropped=dropped)
    return found


def _label_of(data: Any) -> str:
    """The label of a run in memory: ranx's runs bring their names."""
    if isinstance(data, str):
        return label_of(data)
    name = getattr(data, "name", None) if type(data).__module__.startswith("ranx") else None
    return name if isinstance(name, str) and name else "run"


def _grouped(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows of a topic together, topics in order of first appearance, rows in their own order."""
    topic = frame["topic"]
    starts = int(topic.ne_missing(topic.shift(1)).sum())
    if starts <= topic.n_unique():
        return frame
    first = pl.col("_row").min().over("topic").alias("_first")
    ordered = frame.with_row_index("_row").with_columns(first).sort("_first", "_row")
    return ordered.drop("_row", "_first")
