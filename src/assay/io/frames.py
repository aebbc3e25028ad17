"""Frames of any library, through the Arrow C stream interface; none of them is imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from assay.errors import AssayError
from assay.io.names import choose
from assay.io.tables import check_types, chosen_of, table_rows

if TYPE_CHECKING:
    from assay.io.tables import Wanted
    from assay.io.trec import Rows

__all__ = ["is_frame", "read"]


def is_frame(data: Any) -> bool:
    """Whether data are a frame: Polars, pandas, PyArrow, DuckDB, or whatever speaks Arrow."""
    return isinstance(data, pl.DataFrame | pl.LazyFrame) or (
        hasattr(data, "__arrow_c_stream__") and not isinstance(data, type)
    )


def read(data: Any, wanted: Wanted, name: str) -> Rows:
    """The rows of a frame; only the columns that are needed are taken."""
    if isinstance(data, pl.LazyFrame):
        schema = data.collect_schema()
        chosen, names = chosen_of(schema, wanted, name), schema.names()
        some = data.select(pl.col(names[at]).alias(f"{i}") for i, at in enumerate(chosen.places))
        return table_rows(some.collect(), chosen, wanted, name, 1)
    if type(data).__module__.partition(".")[0] == "pandas":
        return _of_pandas(data, wanted, name)
    frame = data if isinstance(data, pl.DataFrame) else _of_stream(data, name)
    chosen, names = chosen_of(frame.schema, wanted, name), frame.columns
    picked = pl.DataFrame([frame[names[at]].alias(f"{i}") for i, at in enumerate(chosen.places)])
    return table_rows(picked, chosen, wanted, name, 1)


def _of_stream(data: Any, name: str) -> pl.DataFrame:
    try:
        return pl.DataFrame(data)
    except Exception as error:
        what = f"{type(data).__module__.partition('.')[0]}.{type(data).__name__}"
        raise AssayError(
            f"{name}: this {what} cannot be taken through the Arrow C stream interface: {error}"
        ) from error


def _of_pandas(data: Any, wanted: Wanted, name: str) -> Rows:
    """A pandas frame, whose columns Arrow may refuse."""
    if not hasattr(data, "columns"):
        raise AssayError(
            f"{name}: a {type(data).__name__} of pandas; expected a frame with columns for topic, "
            "document and number. Turn the index into columns: .reset_index()"
        )
    heads = [str(column) for column in data.columns]
    chosen = choose(heads, wanted.kind, wanted.columns, name)
    places = chosen.places
    few = data.iloc[:, places].set_axis([f"{i}" for i in range(len(places))], axis=1)
    try:
        frame = pl.DataFrame(few)
    except Exception:  # noqa: BLE001 - pandas without PyArrow, columns of mixed types, ...
        columns = [few[column] for column in few.columns]
        frame = pl.DataFrame(
            [
                _column(column, heads[place], name)
                for place, column in zip(places, columns, strict=True)
            ]
        )
    types = dict(zip(places, frame.dtypes, strict=True))
    check_types(heads, types, chosen, wanted, name)
    return table_rows(frame, chosen, wanted, name, 1)


def _column(column: Any, head: str, name: str) -> pl.Series:
    """A column of a pandas frame that Arrow does not take: text and whole numbers become text."""
    values, label = column.tolist(), column.name
    if getattr(column.dtype, "kind", "O") in "iuf":
        return pl.Series(label, values)
    texts = [None if _lacks(value) else value for value in values]
    known = [value for value in texts if value is not None]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
        return pl.Series(label, texts, dtype=pl.Float64)
    for row, value in enumerate(texts, 1):
        if value is not None and (isinstance(value, bool) or not isinstance(value, str | int)):
            raise AssayError(
                f"{name}: row {row}: column {head!r} mixes types; found {value!r} "
                f"({type(value).__name__}); ids must be text or whole numbers"
            )
    return pl.Series(label, [None if v is None else str(v) for v in texts], dtype=pl.String)


def _lacks(value: Any) -> bool:
    """Whether a cell holds nothing: None, NaN, pandas' NA and NaT."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value  # noqa: PLR0124
