"""Three checked columns - topic, doc and a number - from whatever holds them in memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.io.lines import Dropped, Form
    from assay.io.trec import Rows

__all__ = ["Shape", "checked", "from_dict", "from_rows", "several_parts", "table_of"]


@dataclass(frozen=True)
class Shape:
    """What tells judgments from runs: the number's name, and words for messages."""

    value: str  # grade, score
    name: str  # judgments, a run
    given_as: str


def from_dict(data: Any, shape: Shape) -> pl.DataFrame:
    """Columns of a dictionary of topic to document to number."""
    kinds = f"{shape.given_as}, or a dictionary of topic to document to {shape.value}"
    from assay.io.objects import nested

    data = nested(data) or data
    if not isinstance(data, Mapping):
        raise AssayError(f"expected {kinds}; found {type(data).__name__}{_hint(data, shape)}")
    topics: list[str] = []
    docs: list[str] = []
    values: list[float] = []
    for topic, rows in data.items():
        if not isinstance(rows, Mapping):
            raise AssayError(f"topic {topic!r} of {shape.name}: expected {kinds}; found {rows!r}")
        topics += [_id(topic, "topic", shape)] * len(rows)
        plain = all(type(doc) is str for doc in rows) and "" not in rows
        docs += rows if plain else _ids(rows, topic, shape)
        values += (_number(value, doc, topic, shape) for doc, value in rows.items())
    schema = {"topic": pl.String, "doc": pl.String, shape.value: pl.Float64}
    try:
        return pl.DataFrame({"topic": topics, "doc": docs, shape.value: values}, schema=schema)
    except UnicodeEncodeError as error:
        raise AssayError(
            f"{shape.name}: an id is no text: {error.object!r} holds half a surrogate pair"
        ) from None


def _hint(data: Any, shape: Shape) -> str:
    """What to make of a list whose rows are no tuples."""
    if not isinstance(data, list | tuple) or not data:
        return ""
    if isinstance(data[0], Mapping):
        return " of dictionaries; make it a frame: polars.DataFrame(rows)"
    if isinstance(data[0], list):
        return f" of lists; make its rows tuples: (topic, doc, {shape.value})"
    return f" of {type(data[0]).__name__}"


def _ids(docs: Iterable[Any], topic: Any, shape: Shape) -> list[str]:
    return [_id(doc, f"document for topic {topic!r}", shape) for doc in docs]


def _id(value: Any, what: str, shape: Shape) -> str:
    """An id as text; whole numbers are ids, too."""
    if isinstance(value, str) and value:
        return str(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(value)
    raise AssayError(f"{shape.name}: expected text or a whole number as {what}, found {value!r}")


def _number(value: Any, doc: Any, topic: Any, shape: Shape) -> float:
    flag = isinstance(value, bool | np.bool_) and shape.value != "grade"
    good = isinstance(value, int | float | np.number | np.bool_) and not flag
    if not good or isinstance(value, np.complexfloating):
        what = f"{shape.value} of document {doc!r} for topic {topic!r}"
        raise AssayError(f"{what}: expected a number, found {value!r}")
    try:
        return float(value)
    except OverflowError:
        return math.inf  # refused with the infinite ones


def from_rows(parts: list[Rows], value: str) -> pl.DataFrame:
    """Columns of all pieces of a file."""
    return pl.DataFrame(
        {
            "topic": pl.concat([part.topic for part in parts]),
            "doc": pl.concat([part.doc for part in parts]),
            value: np.concatenate([part.value for part in parts]),
        }
    )


def table_of(
    data: Any,
    kind: Form,
    label: str,
    *,
    columns: Mapping[str, str | int] | None = None,
    dropped: Dropped | None = None,
    unjudged: Dropped | None = None,
) -> Rows | None:
    """The rows of a frame, or of an iterable of tuples; None where data are neither."""
    from assay.io import frames, objects
    from assay.io.lines import Dropped as Count
    from assay.io.names import columns_given
    from assay.io.tables import Wanted

    given = columns_given(columns, kind)
    wanted = Wanted(kind, given, dropped, Count() if unjudged is None else unjudged)
    if frames.is_frame(data):
        return frames.read(data, wanted, label)
    if objects.is_rows(data):
        return objects.read(data, wanted, label)
    return None


def several_parts(rows: Rows, what: str, name: str, part: str | None) -> pl.Series | None:
    """Which rows belong to the part that is asked for; None where all do."""
    if rows.part is None:
        if part is not None:
            raise AssayError(
                f"{name}: no column names a {what}, so that {what}={part!r} cannot be chosen"
            )
        return None
    names: list[str] = rows.part.unique(maintain_order=True).to_list()
    if part is None and len(names) > 1:
        every = "read_runs" if what == "run" else "read_judgment_sets"
        raise AssayError(
            f"{name}: holds several {what}s, such as {names[0]!r} and {names[1]!r}; choose one "
            f"({what}={names[0]!r}), or take all: assay.{every}"
        )
    if part is None:
        return None
    if part not in names:
        shown = ", ".join(map(repr, names[:10])) + (", ..." if len(names) > 10 else "")
        raise AssayError(f"{name}: no {what} {part!r}; there are {shown}")
    return rows.part == part


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
        if topic is None or doc is None:
            where = f"topic {topic!r}, document {doc!r}"
            raise AssayError(f"{label}: {where}; expected text as ids")
        raise AssayError(
            f"{label}: expected a finite number as {shape.value} of document {doc!r} for topic "
            f"{topic!r}, found {number!r}"
        )
    return typed
