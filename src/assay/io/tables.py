"""Columns of a table - Parquet, Arrow, a frame - to rows: ids become text, numbers are checked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, Dropped, Form
from assay.io.names import PART, Chosen, Columns, choose
from assay.io.stream import Piece
from assay.io.trec import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["NO_PIECE", "UNJUDGED", "Wanted", "check_types", "chosen_of", "table_rows"]

NO_PIECE = Piece(b"", 1)
UNJUDGED = "no grade (null or NaN): unjudged"


@dataclass(frozen=True)
class Wanted:
    """What a reader shall look for, and where it counts what it leaves out."""

    kind: Form
    columns: Columns = ()
    dropped: Dropped | None = None  # None: strict
    unjudged: Dropped = field(default_factory=Dropped)  # rows of a frame without a grade


def chosen_of(schema: Mapping[str, Any], wanted: Wanted, name: str) -> Chosen:
    """The columns of a table, whose types must be such that nothing is lost."""
    heads = list(schema)
    chosen = choose(heads, wanted.kind, wanted.columns, name)
    check_types(heads, dict(enumerate(schema.values())), chosen, wanted, name)
    return chosen


def check_types(
    heads: Sequence[str], types: Mapping[int, Any], chosen: Chosen, wanted: Wanted, name: str
) -> None:
    """Refuse columns whose types are not those of ids and numbers; `types` by place."""
    for role, place in (
        ("topic", chosen.topic),
        ("document", chosen.doc),
        (PART[wanted.kind], chosen.part),
    ):
        if place is not None and not _may_be_id(types[place]):
            raise AssayError(
                f"{name}: column {heads[place]!r} holds {types[place]}; the ids of a {role} must "
                "be text or whole numbers"
                + (". Turn 12.0 into 12 first" if types[place].is_float() else "")
            )
    kind = types[chosen.value]
    flags = wanted.kind is JUDGMENTS and kind == pl.Boolean
    if not (kind.is_numeric() or flags or kind == pl.Null):
        what = "rank" if chosen.ranked else wanted.kind.columns[wanted.kind.value]
        raise AssayError(
            f"{name}: column {heads[chosen.value]!r} holds {kind}; expected numbers as {what}"
        )


def _may_be_id(kind: Any) -> bool:
    if isinstance(kind, pl.Decimal):  # DuckDB's HUGEINT, such as sums
        return not kind.scale
    return bool(kind.is_integer()) or kind in (
        pl.String, pl.Categorical, pl.Enum, pl.Null, pl.Binary,
    )  # fmt: skip


def table_rows(frame: pl.DataFrame, chosen: Chosen, wanted: Wanted, name: str, first: int) -> Rows:
    """Rows of a table whose first row is number `first`; `frame` holds `chosen.places` only."""
    try:
        ids = [frame.to_series(i).cast(pl.String) for i in range(frame.width) if i != 2]
    except pl.exceptions.PolarsError:
        raise AssayError(f"{name}: an id is not valid UTF-8; expected UTF-8 text") from None
    number = frame.to_series(2)
    if number.dtype != pl.Float64:
        number = number.cast(pl.Float64, strict=False)
    whole = all(not each.null_count() and _longer(each) for each in ids)
    if whole and not number.null_count():
        value = number.to_numpy()
        if np.isfinite(value).all():
            return _made(ids, value, range(first, first + frame.height), chosen)
    return _picked(ids, number.fill_null(math.nan).to_numpy(), chosen, wanted, name, first)


def _longer(ids: pl.Series) -> bool:
    """Whether no id is empty."""
    return not len(ids) or bool(ids.str.len_bytes().min())


def _made(ids: list[pl.Series], value: Any, numbers: Any, chosen: Chosen) -> Rows:
    if chosen.ranked:
        value = -value
    return Rows(
        ids[0].rechunk().alias("topic"),
        ids[1].rechunk().alias("doc"),
        np.asarray(value, dtype=np.float64),
        NO_PIECE,
        numbers,
        ids[2].rechunk() if len(ids) > 2 else None,
    )


def _picked(
    ids: list[pl.Series], value: Any, chosen: Chosen, wanted: Wanted, name: str, first: int
) -> Rows:
    """The good rows; of the others the first is an error, unless it may be left out."""
    keep = np.ones(len(value), dtype=bool)
    what = "rank" if chosen.ranked else wanted.kind.columns[wanted.kind.value]
    bad = np.flatnonzero(~np.isfinite(value))
    for role, series in zip(("topic", "document", PART[wanted.kind]), ids, strict=False):
        lacking = (series.is_null() | (series == "")).fill_null(value=True).to_numpy()
        rows = np.flatnonzero(lacking)
        if len(rows):
            _drop(wanted, f"no {role}", f"{name}: row {first + rows[0]}", len(rows), f"no {role}")
            keep &= ~lacking
    rows = bad[keep[bad]]
    unknown = np.isnan(value[rows])
    if wanted.kind is JUDGMENTS and unknown.any():
        at = f"{name}: row {first + rows[unknown][0]}"
        wanted.unjudged.add(UNJUDGED, at, int(unknown.sum()))
        keep[rows[unknown]] = False
        rows = rows[~unknown]
    if len(rows):
        found = "nothing (null or NaN)" if np.isnan(value[rows[0]]) else repr(float(value[rows[0]]))
        expected = f"expected a finite number as {what}, found {found}"
        where = f"{name}: row {first + rows[0]}"
        _drop(wanted, f"no finite number as {what}", where, len(rows), expected)
        keep[rows] = False
    numbers = (first + np.flatnonzero(keep)).tolist()
    mask = pl.Series(keep)
    return _made([each.filter(mask) for each in ids], value[keep], numbers, chosen)


def _drop(wanted: Wanted, kind: str, where: str, many: int, message: str) -> None:
    """Count rows that are left out; an error where reading is strict."""
    if wanted.dropped is None:
        remedy = "Correct it, or leave such rows out with --lenient (strict=False)"
        raise AssayError(f"{where}: {message}. {remedy}")
    wanted.dropped.add(kind, where, many)
