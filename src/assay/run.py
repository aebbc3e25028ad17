"""Runs: what a system retrieved, by topic, with its scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import RUN, Dropped
from assay.io.stream import label_of
from assay.io.trec import empty_file, last_tag, read_rows

__all__ = ["Run", "read_run"]


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A ranked list for each topic: topic, doc, score; the order is made from the scores.

    Made from a dictionary of dictionaries, `Run({"301": {"d1": 9.5, "d2": 7.1}})`, from a Polars
    frame with the columns topic, doc, score, or by `read_run`.
    """

    frame: pl.DataFrame  # rows of a topic stand together
    label: str = "run"
    tag: str = ""
    source: str | None = None
    dropped: Dropped = field(default_factory=Dropped)

    def __init__(
        self,
        data: Mapping[str, Mapping[str, float]] | pl.DataFrame,
        *,
        label: str = "run",
        tag: str = "",
        source: str | None = None,
        dropped: Dropped | None = None,
    ) -> None:
        frame = data if isinstance(data, pl.DataFrame) else _from_dict(data)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "tag", tag)
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "dropped", dropped if dropped is not None else Dropped())
        object.__setattr__(self, "frame", _grouped(_checked(frame, label)))
        from assay.align import refuse_duplicates

        object.__setattr__(self, "frame", refuse_duplicates(self))

    @property
    def topics(self) -> list[str]:
        """Topics in order of first appearance."""
        topics: list[str] = self.frame["topic"].unique(maintain_order=True).to_list()
        return topics

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Topic to document to score."""
        found: dict[str, dict[str, float]] = {}
        for topic, doc, score in self.frame.iter_rows():
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
    dropped = Dropped(lenient=not strict)
    parts, tag = [], ""
    for rows in read_rows(source, RUN, dropped=None if strict else dropped):
        parts.append(rows)
        tag = last_tag(rows.piece, rows.name)[0] or tag
    if not sum(map(len, parts)):
        raise empty_file(parts[0].name if parts else str(source), RUN)
    frame = pl.DataFrame(
        {
            "topic": pl.concat([part.topic for part in parts]),
            "doc": pl.concat([part.doc for part in parts]),
            "score": np.concatenate([part.value for part in parts]),
        }
    )
    return Run(frame, label=label or label_of(source), tag=tag, source=str(source), dropped=dropped)


def _from_dict(data: Mapping[str, Mapping[str, float]]) -> pl.DataFrame:
    if not isinstance(data, Mapping):
        raise AssayError(
            f"a run is a file name, a Run, or a dictionary of topic to document to score; found {type(data).__name__}"
        )
    topics: list[str] = []
    docs: list[str] = []
    scores: list[float] = []
    for topic, ranked in data.items():
        if not isinstance(ranked, Mapping):
            raise AssayError(
                f"run, topic {topic!r}: expected a dictionary of document to score, found {ranked!r}"
            )
        for doc, score in ranked.items():
            if isinstance(score, bool | np.bool_) or not isinstance(score, int | float | np.number):
                raise AssayError(
                    f"score of document {doc!r} for topic {topic!r}: expected a number, found {score!r}"
                )
            topics.append(str(topic))
            docs.append(str(doc))
            scores.append(float(score))
    schema = {"topic": pl.String, "doc": pl.String, "score": pl.Float64}
    return pl.DataFrame({"topic": topics, "doc": docs, "score": scores}, schema=schema)


def _checked(frame: pl.DataFrame, label: str) -> pl.DataFrame:
    missing = [name for name in ("topic", "doc", "score") if name not in frame.columns]
    if missing:
        raise AssayError(
            f"{label}: no column {missing[0]!r}; expected topic, doc, score, found {', '.join(frame.columns)}"
        )
    frame = frame.select(
        pl.col("topic").cast(pl.String), pl.col("doc").cast(pl.String), pl.col("score").cast(pl.Float64)
    )
    bad = frame.filter(~pl.col("score").is_finite() | pl.any_horizontal(pl.all().is_null()))
    if bad.height:
        topic, doc, score = bad.row(0)
        raise AssayError(
            f"{label}: the score of document {doc!r} for topic {topic!r} is {score}; expected a finite number"
        )
    return frame


def _grouped(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows of a topic together, topics in order of first appearance, rows in their own order."""
    topic = frame["topic"]
    starts = int((topic != topic.shift(1)).sum() or 0) + (1 if frame.height else 0)
    if starts <= topic.n_unique():
        return frame
    first = frame.with_row_index("_row").with_columns(pl.col("_row").min().over("topic").alias("_first"))
    return first.sort("_first", "_row").drop("_row", "_first")
