"""Runs: what a system retrieved, by topic, with its scores."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from assay.columns import Shape, checked, from_dict, from_rows
from assay.duplicates import best_rows
from assay.errors import AssayWarning
from assay.io.lines import RUN, Dropped
from assay.io.locate import Origin
from assay.io.spool import readable
from assay.io.stream import label_of
from assay.io.tag import TagWatch
from assay.io.trec import no_rows, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["Run", "read_run"]

SHAPE = Shape("score", "a run", "a file name, a Run")


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Run:
    """A ranked list for each topic: topic, doc, score; the order is made from the scores.

    Made from a dictionary of dictionaries, `Run({"301": {"d1": 9.5, "d2": 7.1}})`, from a Polars
    frame with the columns topic, doc, score, or by `read_run`.
    """

    frame: pl.DataFrame  # rows of a topic stand together
    label: str
    tag: str
    origin: Origin
    dropped: Dropped

    def __init__(
        self,
        data: Mapping[str, Mapping[str, float]] | pl.DataFrame,
        *,
        label: str = "run",
        tag: str = "",
        origin: Origin | None = None,
        dropped: Dropped | None = None,
    ) -> None:
        """Check the data; a repeated document is an error unless `dropped` is there to count it."""
        origin = origin or Origin(label)
        frame = data if isinstance(data, pl.DataFrame) else from_dict(data, SHAPE)
        frame = checked(frame, label, SHAPE)
        keep = best_rows(frame["topic"], frame["doc"], frame["score"].to_numpy(), origin, dropped)
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


def read_run(source: str | Path, *, label: str | None = None, strict: bool = True) -> Run:
    """Read a TREC run: `topic Q0 doc rank score tag`; the rank column is not used.

    With `strict=False` bad lines are left out, the best-ranked occurrence of a repeated document
    stays, and what was left out is counted in `.dropped`.
    """
    dropped = None if strict else Dropped()
    tags = TagWatch()
    with readable(source) as origin:
        parts = []
        for rows in read_rows(origin, RUN, dropped=dropped):
            tags.see(rows.piece)
            parts.append(rows)
        if not sum(map(len, parts)):
            raise no_rows(origin.name, RUN, dropped)
        warning = tags.warning(origin.name)
        if warning:
            warnings.warn(warning, AssayWarning, stacklevel=2)
        frame = from_rows(parts, "score")
        label = label or label_of(source)
        return Run(frame, label=label, tag=tags.tag, origin=origin, dropped=dropped)


def _grouped(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows of a topic together, topics in order of first appearance, rows in their own order."""
    topic = frame["topic"]
    starts = int(topic.ne_missing(topic.shift(1)).sum())
    if starts <= topic.n_unique():
        return frame
    first = pl.col("_row").min().over("topic").alias("_first")
    ordered = frame.with_row_index("_row").with_columns(first).sort("_first", "_row")
    return ordered.drop("_row", "_first")
