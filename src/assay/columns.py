"""Three checked columns - topic, doc and a number - from a dictionary or a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.io.trec import Rows

__all__ = ["Shape", "checked", "from_dict", "from_rows"]


@dataclass(frozen=True)
class Shape:
    """What tells judgments from runs: the number's name, and words for messages."""

    value: str  # grade, score
    name: str  # judgments, a run
    given_as: str


def from_dict(data: Any, shape: Shape) -> pl.DataFrame:
    """Columns of a dictionary of topic to document to number."""
    kinds = f"{shape.given_as}, or a dictionary of topic to document to {shape.value}"
    if not isinstance(data, Mapping):
        raise AssayError(f"expected {kinds}; found {type(data).__name__}")
    topics: list[str] = []
    docs: list[str] = []
    values: list[float] = []
    for topic, rows in data.items():
        if not isinstance(rows, Mapping):
            raise AssayError(f"topic {topic!r} of {shape.name}: expected {kinds}; found {rows!r}")
        topics += [str(topic)] * len(rows)
        docs += map(str, rows)
        values += (_number(value, doc, topic, shape) for doc, value in rows.items())
    schema = {"topic": pl.String, "doc": pl.String, shape.value: pl.Float64}
    return pl.DataFrame({"topic": topics, "doc": docs, shape.value: values}, schema=schema)


def _number(value: Any, doc: Any, topic: Any, shape: Shape) -> float:
    good = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not good or isinstance(value, np.complexfloating):
        what = f"{shape.value} of document {doc!r} for topic {topic!r}"
        raise AssayError(f"{what}: expected a number, found {value!r}")
    return float(value)


def from_rows(parts: list[Rows], value: str) -> pl.DataFrame:
    """Columns of all pieces of a file."""
    return pl.DataFrame(
        {
            "topic": pl.concat([part.topic for part in parts]),
            "doc": pl.concat([part.doc for part in parts]),
            value: np.concatenate([part.value for part in parts]),
        }
    )


def checked(frame: pl.DataFrame, label: str, shape: Shape) -> pl.DataFrame:
    """The three columns of a frame, in their types, without nulls and with finite numbers only."""
    names = ["topic", "doc", shape.value]
    missing = [name for name in names if name not in frame.columns]
    if missing:
        wanted, found = ", ".join(names), ", ".join(frame.columns)
        raise AssayError(f"{label}: no column {missing[0]!r}; expected {wanted}, found {found}")
    typed = frame.select(
        pl.col("topic").cast(pl.String),
        pl.col("doc").cast(pl.String),
        pl.col(shape.value).cast(pl.Float64, strict=False),
    )
    finite = pl.col(shape.value).is_finite().fill_null(value=False)
    good = typed.select(good=finite & pl.col("topic").is_not_null() & pl.col("doc").is_not_null())
    if not good["good"].all():
        topic, doc, number = frame.select(names).filter(~good["good"]).row(0)
        what = f"the {shape.value} of document {doc!r} for topic {topic!r} is {number!r}"
        raise AssayError(f"{label}: {what}; expected text, text and a finite number")
    return typed
