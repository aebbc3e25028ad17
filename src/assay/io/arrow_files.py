"""Parquet and Arrow IPC files, a share of rows at a time."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.errors import AssayError
from assay.io.stream import open_bytes
from assay.io.tables import Wanted, chosen_of, table_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.io.locate import Origin
    from assay.io.trec import Rows

__all__ = ["ARROW", "PARQUET", "STREAM", "read", "schema_of"]

PARQUET, ARROW, STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
SHARE = 1 << 20  # rows held at once
# What a damaged file makes Polars raise; a panic is no Exception.
_TROUBLE = (
    pl.exceptions.PolarsError,
    OSError,
    ValueError,
    MemoryError,
    pl.exceptions.PanicException,
)


def read(origin: Origin, wanted: Wanted) -> Iterator[Rows]:
    """The rows of a file, whichever of the forms it has."""
    table = _guarded(origin.name, lambda: _lazy(origin))
    schema = _guarded(origin.name, table.collect_schema)
    chosen = chosen_of(schema, wanted, origin.name)
    names = list(schema)
    table = table.select(
        pl.col(names[place]).alias(str(i)) for i, place in enumerate(chosen.places)
    )
    height = _guarded(origin.name, lambda: int(table.select(pl.len()).collect().item()))
    for first in range(0, height, SHARE):
        share = table.slice(first, SHARE)
        frame = _guarded(origin.name, share.collect)
        if frame.height != min(SHARE, height - first):
            raise _damaged(origin.name)
        yield table_rows(frame, chosen, wanted, origin.name, first + 1)


def schema_of(origin: Origin) -> Any:
    """Names and types of the columns."""
    return _guarded(origin.name, lambda: _lazy(origin).collect_schema())


def _lazy(origin: Origin) -> pl.LazyFrame:
    """The table, not yet read; a compressed file is unpacked into memory."""
    path = Path(origin.path or origin.name).absolute()
    with path.open("rb") as file:
        head = file.read(6)
    if head.startswith((PARQUET, ARROW)):
        source: Any = path
    else:
        with open_bytes(path, origin.name) as opened:
            data = opened.read()
        head, source = data[:6], io.BytesIO(data)
        if head.startswith(STREAM):
            return pl.read_ipc_stream(source).lazy()
    scan: Callable[..., pl.LazyFrame] = pl.scan_parquet if head.startswith(PARQUET) else pl.scan_ipc
    if scan is pl.scan_parquet or source is not path:
        return scan(source, glob=False) if scan is pl.scan_parquet else scan(source)
    with path.open("rb") as file:  # never by name, which Polars might take for a pattern
        return pl.scan_ipc(file.read()) if any(c in str(path) for c in "*?[") else pl.scan_ipc(path)


def _guarded(name: str, step: Callable[[], Any]) -> Any:
    """What a step gives; Polars' messages never reach a user."""
    try:
        return step()
    except AssayError:
        raise
    except _TROUBLE:
        raise _damaged(name) from None


def _damaged(name: str) -> AssayError:
    return AssayError(
        f"{name}: a Parquet or Arrow file that cannot be read: it is damaged, cut short, or of a "
        "kind "
        "that Polars does not know"
    )
