"""Frames of any library, through the Arrow C stream interface; none of them is imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from assay.errors import AssayError
from assay.io.tables import chosen_of, table_rows

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
    """The rows of a frame."""
    frame = _polars(data, name)
    chosen = chosen_of(frame.schema, wanted, name)
    names = frame.columns
    picked = pl.DataFrame([frame[names[at]].alias(str(i)) for i, at in enumerate(chosen.places)])
    return table_rows(picked, chosen, wanted, name, 1)


def _polars(data: Any, name: str) -> pl.DataFrame:
    if isinstance(data, pl.DataFrame):
        return data
    if isinstance(data, pl.LazyFrame):
        return data.collect()
    try:
        return pl.DataFrame(data)
    except Exception:  # pandas without PyArrow, columns of mixed types, ...
        if not _is_pandas(data):
            raise
    return pl.DataFrame([_column(data, column, name) for column in data.columns])


def _is_pandas(data: Any) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas"


def _column(data: Any, column: Any, name: str) -> pl.Series:
    """A column of a pandas frame that Arrow does not take: text and whole numbers become text."""
    values = data[column].tolist()
    if getattr(data[column].dtype, "kind", "O") in "iuf":
        return pl.Series(str(column), values)
    texts = [None if value is None or value != value else value for value in values]  # noqa: PLR0124
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in texts if v is not None):
        return pl.Series(str(column), texts, dtype=pl.Float64)
    for row, value in enumerate(texts, 1):
        if value is not None and (isinstance(value, bool) or not isinstance(value, str | int)):
            kind = type(value).__name__
            if kind in ("list", "dict", "ndarray", "Timestamp"):
                return pl.Series(str(column), [None] * len(values))
            raise AssayError(
                f"{name}: row {row}: column {column!r} mixes types; found {value!r} ({kind}); "
                "ids must be text or whole numbers"
            )
    return pl.Series(str(column), [None if v is None else str(v) for v in texts], dtype=pl.String)
