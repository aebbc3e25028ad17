"""Judgments: what judges said of documents, by topic."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from assay.columns import Shape, checked, from_dict, from_rows
from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, Dropped
from assay.io.locate import Origin
from assay.io.spool import readable
from assay.io.stream import label_of
from assay.io.trec import no_rows, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from assay.preferences import Preferences

__all__ = ["Judgments", "read_judgments"]

SHAPE = Shape("grade", "judgments", "a file name, Judgments")


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Judgments:
    """Graded judgments of one judge: topic, doc, grade, each pair once.

    Made from a dictionary of dictionaries, `Judgments({"301": {"d1": 2, "d2": 0}})`, from a Polars
    frame with the columns topic, doc, grade, or by `read_judgments`.
    """

    frame: pl.DataFrame
    label: str
    origin: Origin
    dropped: Dropped

    def __init__(
        self,
        data: Mapping[str, Mapping[str, float]] | pl.DataFrame,
        *,
        label: str = "judgments",
        origin: Origin | None = None,
        dropped: Dropped | None = None,
    ) -> None:
        """Check the data; a repeated judgment is an error unless `dropped` is there to count it."""
        origin = origin or Origin(label)
        frame = data if isinstance(data, pl.DataFrame) else from_dict(data, SHAPE)
        frame = checked(frame, label, SHAPE)
        if not frame.height:
            raise AssayError(f"{label}: no judgments")
        object.__setattr__(self, "frame", _each_once(frame, origin, dropped))
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "origin", origin)
        object.__setattr__(self, "dropped", Dropped() if dropped is None else dropped)

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
    source: str | Path, *, label: str | None = None, strict: bool = True
) -> Judgments:
    """Read TREC judgments: `topic iteration doc grade`, grades as real numbers.

    With `strict=False` bad lines and identical repeats are left out and counted in `.dropped`.
    """
    dropped = None if strict else Dropped()
    with readable(source) as origin:
        parts = list(read_rows(origin, JUDGMENTS, dropped=dropped))
        if not sum(map(len, parts)):
            raise no_rows(origin.name, JUDGMENTS, dropped)
        frame = from_rows(parts, "grade")
        label = label or label_of(source)
        return Judgments(frame, label=label, origin=origin, dropped=dropped)


def _each_once(frame: pl.DataFrame, origin: Origin, dropped: Dropped | None) -> pl.DataFrame:
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
