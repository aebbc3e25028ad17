"""The frame of statements on pairs of documents: checked, gathered, and as a relation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.verdicts import SIGNS
from assay.relations import Relation

__all__ = [
    "SCHEMA",
    "by_topic",
    "checked",
    "frame_of",
    "from_dict",
    "gathered",
    "pairs_of",
    "relation_of",
    "stated_by",
]

SCHEMA: dict[str, Any] = {
    "topic": pl.String,
    "judge": pl.String,
    "better": pl.String,
    "worse": pl.String,
    "tie": pl.Boolean,
    "votes": pl.Int64,
    "lines": pl.List(pl.Int64),
}
BLOCK = 1 << 20


def from_dict(data: Any) -> pl.DataFrame:
    """Columns of a dictionary of topic to pairs."""
    what = "a dictionary of topic to pairs (better, worse), ties as (doc, '=', doc)"
    if not isinstance(data, Mapping):
        raise AssayError(f"expected {what}, or a Polars frame; found {type(data).__name__}")
    rows = []
    for topic, pairs in data.items():
        for pair in pairs:
            words = tuple(map(str, pair)) if isinstance(pair, list | tuple) else ()
            sign = words[1] if len(words) == 3 else ">"
            if len(words) not in (2, 3) or sign not in SIGNS:
                raise AssayError(f"topic {topic!r}: expected {what}; found {pair!r}")
            turned, tie = SIGNS[sign]
            a, b = words[0], words[-1]
            rows.append((str(topic), b if turned else a, a if turned else b, tie))
    schema = {name: SCHEMA[name] for name in ("topic", "better", "worse", "tie")}
    return pl.DataFrame(rows, schema=schema, orient="row")


def checked(frame: pl.DataFrame, label: str) -> pl.DataFrame:
    """The columns in their types; what may be missing filled in."""
    for name in ("topic", "better", "worse"):
        if name not in frame.columns:
            found = ", ".join(frame.columns)
            raise AssayError(
                f"{label}: no column {name!r}; expected topic, better, worse, found {found}"
            )
    fill: dict[str, Any] = {"judge": None, "tie": False, "votes": 1, "lines": []}
    typed = frame.select(
        pl.col(name).cast(kind)
        if name in frame.columns
        else pl.lit(fill[name], dtype=kind).alias(name)
        for name, kind in SCHEMA.items()
    )
    names = ("topic", "better", "worse", "tie", "votes")
    good = pl.all_horizontal(pl.col(name).is_not_null() for name in names)
    good &= (pl.col("better") != pl.col("worse")) & (pl.col("votes") > 0)
    bad = typed.filter(~good)
    if bad.height:
        row = bad.select(names).row(0)
        raise AssayError(
            f"{label}: topic, better, worse, tie, votes are {row}; expected two documents, a truth "
            "value and a whole number from 1"
        )
    return typed


def gathered(frame: pl.DataFrame) -> pl.DataFrame:
    """Each statement once, with its votes and lines; a tie has one writing."""
    turned = pl.col("tie") & (pl.col("better") > pl.col("worse"))
    frame = frame.with_columns(
        better=pl.when(turned).then("worse").otherwise("better"),
        worse=pl.when(turned).then("better").otherwise("worse"),
    )
    keys = ["topic", "judge", "better", "worse", "tie"]
    if not frame.select(keys).is_duplicated().any():
        return frame
    together = frame.group_by(keys, maintain_order=True).agg(
        pl.col("votes").sum(), pl.col("lines").explode().drop_nulls()
    )
    return together.select(list(SCHEMA))


def pairs_of(frame: pl.DataFrame) -> pl.DataFrame:
    """The pair of each statement, in one writing."""
    low, high = pl.min_horizontal("better", "worse"), pl.max_horizontal("better", "worse")
    return frame.select("topic", low=low, high=high)


def relation_of(part: pl.DataFrame) -> Relation:
    """The statements of one judge on one topic."""
    both = pl.concat([part["better"], part["worse"].alias("better")])
    docs = both.unique(maintain_order=True)
    places = pl.DataFrame({"doc": docs, "place": np.arange(len(docs))})
    better, worse = (
        part.select(doc=side).join(places, on="doc", how="left", maintain_order="left")["place"]
        for side in ("better", "worse")
    )
    return Relation(
        tuple(docs.to_list()),
        better.to_numpy(),
        worse.to_numpy(),
        part["tie"].to_numpy(),
        part["votes"].to_numpy(),
        tuple(map(tuple, part["lines"].to_list())),
    )


def frame_of(topic: str, judge: str | None, relation: Relation) -> pl.DataFrame:
    """A relation as statements."""
    docs = pl.Series(relation.docs)
    return pl.DataFrame(
        {
            "topic": [topic] * len(relation),
            "judge": [judge] * len(relation),
            "better": docs.gather(relation.better),
            "worse": docs.gather(relation.worse),
            "tie": relation.tie,
            "votes": relation.votes,
            "lines": [list(each) for each in relation.lines],
        },
        schema=SCHEMA,
    )


def by_topic(grades: pl.DataFrame) -> Iterator[tuple[str, list[str], Any]]:
    """Topic, documents and grades, these descending."""
    for part in grades.partition_by("topic", maintain_order=True):
        ordered = part.sort("grade", descending=True, maintain_order=True)
        yield part["topic"][0], ordered["doc"].to_list(), ordered["grade"].to_numpy()


def stated_by(topic: str, docs: list[str], grade: Any) -> Iterator[pl.DataFrame]:
    """The statements that grades, descending, make on a topic, at most BLOCK or n at a time."""
    names, n = pl.Series(docs, dtype=pl.String), len(docs)
    step = max(1, BLOCK // max(1, n))
    for begin in range(0, n - 1, step):
        rows = np.arange(begin, min(begin + step, n - 1))
        a = np.repeat(rows, n - 1 - rows)
        b = np.concatenate([np.arange(row + 1, n) for row in rows])
        tie = grade[a] == grade[b]
        better, worse = names.gather(a), names.gather(b)
        frame = pl.DataFrame({"better": better, "worse": worse, "tie": tie})
        yield gathered(checked(frame.with_columns(topic=pl.lit(topic)), "grades"))
