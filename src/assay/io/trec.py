"""TREC runs and judgments: three rungs from bytes to columns, each proved equal to the last.

*Tidy*: the white space of the piece shows exactly the form's blanks on every line, so that Polars
may parse three columns from memory. *Squeezed*: the same after comments, blank lines and runs of
white space are gone. *Line by line*: `assay.io.lines`, the reference; it also words every error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, RUN, Dropped, Form, data_lines, read_lines
from assay.io.stream import BOM, Piece, pieces

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from assay.io.locate import Origin

    Floats = np.ndarray[Any, np.dtype[np.float64]]

__all__ = [
    "JUDGMENTS",
    "RUN",
    "Rows",
    "columns",
    "is_text",
    "no_rows",
    "parse_piece",
    "read_rows",
    "squeezed",
]

_SPACE = b" \t\n\r\x0b\x0c"
_NOT_SPACE = bytes(byte for byte in range(256) if byte not in _SPACE)
_TO_BLANK = bytes.maketrans(b"\t\x0b\x0c", b"   ")
_COMMENT = re.compile(rb"(?m)^#[^\n]*\n")
_STRIDE = 1 << 18
_WIDEST = 64  # columns; wider lines, such as tags of many words, are read one by one


@dataclass(frozen=True)
class Rows:
    """Consecutive rows of a file, as columns; every row can be traced to its physical line."""

    topic: pl.Series
    doc: pl.Series
    value: Floats
    piece: Piece
    numbers: Sequence[int] | None = None  # physical lines, or rows of a table, where they are known
    part: pl.Series | None = None  # which of several runs or judges, where the form says so

    def __len__(self) -> int:
        return len(self.value)

    def line(self, row: int) -> int:
        """Physical line of a row."""
        if self.numbers is not None:
            return self.numbers[row]
        lines = data_lines(self.piece.data, self.piece.line)
        return next(number for i, (number, _) in enumerate(lines) if i == row)


def read_rows(
    origin: Origin,
    form: Form,
    *,
    dropped: Dropped | None = None,
    size: int | None = None,
    whole_topics: bool = False,
) -> Generator[Rows]:
    """The rows of a file in pieces; strict where `dropped` is None."""
    path = origin.path or origin.name
    for piece in pieces(path, size, whole_topics=whole_topics, name=origin.name):
        yield parse_piece(piece, origin.name, form, dropped)


def no_rows(origin: Origin, form: Form, dropped: Dropped | None = None) -> AssayError:
    """The error for a file without a single row."""
    left_out = f"; left out {dropped}" if dropped else ""
    expected = f"lines of {form.expected}" if origin.door is None else f"rows of {form.what}"
    return AssayError(f"{origin.name}: no data: expected {expected}{left_out}")


def parse_piece(piece: Piece, name: str, form: Form, dropped: Dropped | None = None) -> Rows:
    """One piece as rows, by the first rung that can prove what it reads."""
    if is_text(piece.data):
        rows = _by_polars(piece, piece.data, form)
        if rows is not None and (
            b"#" not in piece.data or not rows.topic.str.starts_with("#").any()
        ):
            return rows  # no comment was taken for data
        plain = squeezed(piece.data)
        rows = None if plain is None else _by_polars(piece, plain, form)
        if rows is not None:
            return rows
    topics, docs, values, numbers = read_lines(piece.data, piece.line, name, form, dropped)
    return Rows(
        pl.Series("topic", topics, dtype=pl.String),
        pl.Series("doc", docs, dtype=pl.String),
        np.asarray(values, dtype=np.float64),
        piece,
        numbers,
    )


def is_text(data: bytes) -> bool:
    """UTF-8 without NUL bytes, and without a byte order mark that Polars would swallow."""
    if b"\0" in data or data.startswith(BOM):
        return False
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def squeezed(data: bytes) -> bytes | None:
    """Comments, blank lines and needless white space taken out; None where a line is odd."""
    if data.startswith(b"#") or b"\n#" in data:
        data = _COMMENT.sub(b"", data)
    data = data.replace(b"\r\n", b"\n").translate(_TO_BLANK)
    if b"\r" in data:
        return None
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n").replace(b"\n ", b"\n").removeprefix(b" ")
    while b"\n\n" in data:
        data = data.replace(b"\n\n", b"\n")
    data = data.removeprefix(b"\n")
    return None if data.startswith(BOM) else data


def _by_polars(piece: Piece, data: bytes, form: Form) -> Rows | None:
    """Rows of `data` if its white space proves that each line has the form's columns."""
    frame = columns(data, form, {0: pl.String, form.doc: pl.String, form.value: pl.Float64})
    if frame is None:
        return None
    topic, doc, value = (frame.to_series(i).rechunk() for i in range(3))
    if value.null_count():
        return None
    numbers = value.to_numpy()
    if not np.isfinite(numbers).all():
        return None
    return Rows(topic.alias("topic"), doc.alias("doc"), numbers, piece)


def columns(data: bytes, form: Form, types: Mapping[int, Any]) -> pl.DataFrame | None:
    """The columns at these places, if white space proves that each line has the form's columns."""
    width, lines = _proved_size(data, form)
    if not width:
        return None
    schema = {f"column_{i}": types.get(i, pl.String) for i in range(width)}
    try:
        frame = pl.read_csv(
            data,
            separator="\t" if b"\t" in data[: data.find(b"\n")] else " ",
            has_header=False,
            columns=list(types),
            schema=schema,
            quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None
    return frame if frame.height == lines else None


def _proved_size(data: bytes, form: Form) -> tuple[int, int]:
    """How many columns every line has, proved, and how many lines; 0, 0 where it is unproved."""
    skeleton = data.translate(None, _NOT_SPACE)
    line = skeleton[: skeleton.find(b"\n") + 1]
    width = len(line)
    if not form.least <= width <= (form.most or _WIDEST):
        return 0, 0
    if line[:-1] != line[:1] * (width - 1) or line[:1] not in (b" ", b"\t"):
        return 0, 0
    if len(skeleton) % width or skeleton != line * (len(skeleton) // width):
        return 0, 0
    codes = np.frombuffer(data, np.uint8)
    if codes[0] <= ord(" "):
        return 0, 0
    for start in range(0, len(codes), _STRIDE):  # no two white-space bytes touch
        space = codes[start : start + _STRIDE + 1] <= ord(" ")
        if (space[1:] & space[:-1]).any():
            return 0, 0
    return width, len(skeleton) // width
