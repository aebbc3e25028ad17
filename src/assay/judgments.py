"""Judgments: what judges said of documents, by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, Dropped
from assay.io.locate import lines_of
from assay.io.stream import label_of
from assay.io.trec import empty_file, read_rows

__all__ = ["Judgments", "read_judgments"]


@dataclass(frozen=True, eq=False, repr=False)
class Judgments:
    """Graded judgments of one judge: topic, doc, grade, each pair once.

    Made from a dictionary of dictionaries, `Judgments({"301": {"d1": 2, "d2": 0}})`, from a Polars
    frame with the columns topic, doc, grade, or by `read_judgments`.
    """

    frame: pl.DataFrame
    label: str = "judgments"
    source: str | None = None
    dropped: Dropped = field(default_factory=Dropped)

    def __init__(
        self,
        data: Mapping[str, Mapping[str, float]] | pl.DataFrame,
        *,
        label: str = "judgments",
        source: str | None = None,
        dropped: Dropped | None = None,
    ) -> None:
        frame = data if isinstance(data, pl.DataFrame) else _from_dict(data)
        frame = _checked(frame, label)
        dropped = dropped if dropped is not None else Dropped()
        object.__setattr__(self, "frame", _unique(frame, label, source, dropped))
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "dropped", dropped)

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
        for topic, doc, grade in self.frame.iter_rows():
            found.setdefault(topic, {})[doc] = grade
        return found

    def __len__(self) -> int:
        return self.frame.height

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        return iter(self.frame.iter_rows())

    def __repr__(self) -> str:
        return f"Judgments({self.label!r}: {len(self)} judgments, {len(self.topics)} topics)"


def read_judgments(
    source: str | Path, *, label: str | None = None, strict: bool = True
) -> Judgments:
    """Read TREC judgments: `topic iteration doc grade`, grades as real numbers.

    With `strict=False` bad lines are left out and counted in `.dropped`.
    """
    dropped = Dropped(lenient=not strict)
    parts = list(read_rows(source, JUDGMENTS, dropped=None if strict else dropped))
    name = parts[0].name if parts else str(source)
    if not sum(map(len, parts)):
        raise empty_file(name, JUDGMENTS)
    frame = pl.DataFrame(
        {
            "topic": pl.concat([part.topic for part in parts]),
            "doc": pl.concat([part.doc for part in parts]),
            "grade": np.concatenate([part.value for part in parts]),
        }
    )
    return Judgments(
        frame,
        label=label or label_of(source),
        source=str(source),
        dropped=dropped,
    )


def _from_dict(data: Mapping[str, Mapping[str, float]]) -> pl.DataFrame:
    if not isinstance(data, Mapping):
        raise AssayError(
            f"judgments are a file name, Judgments, or a dictionary of topic to document to grade; found {type(data).__name__}"
        )
    topics: list[str] = []
    docs: list[str] = []
    grades: list[float] = []
    for topic, judged in data.items():
        if not isinstance(judged, Mapping):
            raise AssayError(
                f"judgments of topic {topic!r}: expected a dictionary of document to grade, found {judged!r}"
            )
        for doc, grade in judged.items():
            if isinstance(grade, bool | np.bool_) or not isinstance(grade, int | float | np.number):
                raise AssayError(
                    f"judgment of document {doc!r} for topic {topic!r}: expected a number, found {grade!r}"
                )
            topics.append(str(topic))
            docs.append(str(doc))
            grades.append(float(grade))
    schema = {"topic": pl.String, "doc": pl.String, "grade": pl.Float64}
    return pl.DataFrame({"topic": topics, "doc": docs, "grade": grades}, schema=schema)


def _checked(frame: pl.DataFrame, label: str) -> pl.DataFrame:
    missing = [name for name in ("topic", "doc", "grade") if name not in frame.columns]
    if missing:
        raise AssayError(
            f"{label}: no column {missing[0]!r}; expected topic, doc, grade, found {', '.join(frame.columns)}"
        )
    frame = frame.select(
        pl.col("topic").cast(pl.String), pl.col("doc").cast(pl.String), pl.col("grade").cast(pl.Float64)
    )
    if not frame.height:
        raise AssayError(f"{label}: no judgments")
    bad = frame.filter(~pl.col("grade").is_finite() | pl.any_horizontal(pl.all().is_null()))
    if bad.height:
        topic, doc, grade = bad.row(0)
        raise AssayError(
            f"{label}: the grade of document {doc!r} for topic {topic!r} is {grade}; expected a finite number"
        )
    return frame


def _unique(
    frame: pl.DataFrame, label: str, source: str | None, dropped: Dropped | None
) -> pl.DataFrame:
    """Each pair once: identical repeats are an error unless lenient, contradictions always."""
    pairs = frame.select("topic", "doc")
    if not pairs.is_duplicated().any():
        return frame
    repeated = frame.filter(pairs.is_duplicated())
    grades = repeated.group_by("topic", "doc", maintain_order=True).agg(
        pl.col("grade"), pl.len().alias("n")
    )
    clash = grades.filter(pl.col("grade").list.n_unique() > 1)
    lenient = dropped is not None and dropped.lenient
    for found, kind in ((clash, "contradicting"), (grades, "identical")):
        if not found.height or (kind == "identical" and lenient):
            continue
        topic, doc, values, _ = found.row(0)
        shown = " and ".join(f"{value:g}" for value in dict.fromkeys(values))
        where, lines = f"{label}: ", ""
        if source not in (None, "-"):
            numbers = lines_of(str(source), JUDGMENTS, topic, doc)
            where = f"{source}:{numbers[1]}: "
            lines = f", first on line {numbers[0]}"
        what = f"judged {shown}" if kind == "contradicting" else f"judged {shown} again"
        remedy = (
            "keep one of the two"
            if kind == "contradicting"
            else "remove the repeat, or use --lenient (strict=False)"
        )
        raise AssayError(
            f"{where}document {doc!r} of topic {topic!r} is {what}{lines}: {kind} judgments; {remedy}"
        )
    many = int(grades["n"].sum()) - grades.height
    if dropped is not None:
        topic, doc, *_ = grades.row(0)
        numbers = lines_of(str(source), JUDGMENTS, topic, doc) if source not in (None, "-") else [0, 0]
        dropped.add("an identical judgment given before", f"{source}:{numbers[1]}", many)
    return frame.unique(["topic", "doc"], keep="first", maintain_order=True)
