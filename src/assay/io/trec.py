"""TREC runs and judgments: three rungs from bytes to columns, each proved equal to the last.

*Tidy*: the white space of the piece shows exactly the form's blanks on every line, so that Polars
may parse three columns from memory. *Squeezed*: the same after comments, blank lines and runs of
white space are gone. *Line by line*: `assay.io.lines`, the reference; it also words every error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, RUN, Dropped, Form, data_lines, read_lines
from assay.io.stream import PIECE, Piece, pieces

__all__ = ["JUDGMENTS", "RUN", "Rows", "empty_file", "last_tag", "parse_piece", "read_rows"]

_SPACE = b" \t\n\r\x0b\x0c"
_NOT_SPACE = bytes(byte for byte in range(256) if byte not in _SPACE)
_TO_BLANK = bytes.maketrans(b"\t\x0b\x0c", b"   ")
_COMMENT = re.compile(rb"(?m)^#[^\n]*\n")
_STRIDE = 1 << 18


@dataclass(frozen=True)
class Rows:
    """Consecutive rows of a file, as columns; every row can be traced to its physical line."""

    name: str
    topic: pl.Series
    doc: pl.Series
    value: np.ndarray
    piece: Piece
    numbers: list[int] | None = None  # physical lines, where the line reader made the rows

    def __len__(self) -> int:
        return len(self.value)

    def line(self, row: int) -> int:
        """Physical line of a row."""
        if self.numbers is not None:
            return self.numbers[row]
        for i, (number, _) in enumerate(data_lines(self.piece.data, self.piece.line)):
            if i == row:
                return number
        raise IndexError(row)

    def where(self, row: int) -> str:
        """`file:line` of a row."""
        return f"{self.name}:{self.line(row)}"


def read_rows(
    source: str | Path,
    form: Form,
    *,
    dropped: Dropped | None = None,
    size: int = PIECE,
    whole_topics: bool = False,
    name: str | None = None,
) -> Iterator[Rows]:
    """The rows of a file in pieces; strict where `dropped` is None; `name` stands in messages."""
    name = str(source) if name is None else name
    name = "standard input" if name == "-" else name
    for piece in pieces(source, size, whole_topics=whole_topics):
        yield parse_piece(piece, name, form, dropped)


def empty_file(name: str, form: Form) -> AssayError:
    """The error for a file without a single row."""
    return AssayError(f"{name}: no data: expected lines of {form.expected}")


def parse_piece(piece: Piece, name: str, form: Form, dropped: Dropped | None = None) -> Rows:
    """One piece as rows, by the first rung that can prove what it reads."""
    data = piece.data
    rows = None
    if data.isascii() or _is_utf8(data):
        rows = _by_polars(piece, data, name, form)
        if rows is None:
            squeezed = _squeeze(data)
            rows = None if squeezed is None else _by_polars(piece, squeezed, name, form, squeezed=True)
    if rows is None:
        topics, docs, values, numbers = read_lines(data, piece.line, name, form, dropped)
        return Rows(
            name,
            pl.Series("topic", topics, dtype=pl.String),
            pl.Series("doc", docs, dtype=pl.String),
            np.asarray(values, dtype=np.float64),
            piece,
            numbers,
        )
    return rows


def last_tag(piece: Piece, name: str) -> tuple[str, str | None]:
    """The tag of the last line, and a warning where that line alone lacks its tag."""
    lines = list(data_lines(piece.data[-4096:], 0))
    if not lines:
        return "", None
    fields = lines[-1][1].split(None, 5)
    tag = fields[5].strip().decode("utf-8", "replace") if len(fields) > 5 else ""  # noqa: PLR2004
    others = [len(line.split(None, 5)) for _, line in lines[1:-1]]
    if not tag and others and min(others) > 5:  # noqa: PLR2004
        number = piece.line + piece.data.rstrip().count(b"\n")
        return tag, f"{name}:{number}: the last line alone lacks its tag: was the file cut short?"
    return tag, None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _squeeze(data: bytes) -> bytes | None:
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
    return data.removeprefix(b"\n")


def _by_polars(
    piece: Piece, data: bytes, name: str, form: Form, *, squeezed: bool = False
) -> Rows | None:
    """Rows of `data` if its white space proves that each line has the form's columns."""
    width = _columns(data, form)
    if width is None:
        return None
    separator = "\t" if b"\t" in data[: data.find(b"\n")] else " "
    names = [f"column_{i}" for i in range(width)]
    schema = {column: pl.Float64 if i == form.value else pl.String for i, column in enumerate(names)}
    try:
        frame = pl.read_csv(
            data,
            separator=separator,
            has_header=False,
            columns=[0, form.doc, form.value],
            schema=schema,
            quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None
    if frame.height != data.count(b"\n"):
        return None
    topic, doc, value = (frame.to_series(i).rechunk() for i in range(3))
    if value.null_count() or not value.is_finite().all():
        return None
    if not squeezed and topic.str.starts_with("#").any():
        return None  # a comment that has as many columns as data
    return Rows(name, topic.alias("topic"), doc.alias("doc"), value.to_numpy(), piece)


def _columns(data: bytes, form: Form) -> int | None:
    """How many columns every line has, proved; None where that cannot be shown."""
    end = data.find(b"\n")
    if end < 0:
        return None
    widths = (len(form.columns), form.least) if form.most is None else (form.least,)
    skeleton = data.translate(None, _NOT_SPACE)
    blank = b"\t" if skeleton[:1] == b"\t" else b" "
    width = data[:end].count(blank) + 1
    if width not in widths:
        return None
    line = blank * (width - 1) + b"\n"
    if len(skeleton) % len(line) or skeleton != line * (len(skeleton) // len(line)):
        return None
    codes = np.frombuffer(data, np.uint8)
    if codes[0] <= ord(" "):
        return None
    for start in range(0, len(codes), _STRIDE):  # no two white-space bytes touch
        space = codes[start : start + _STRIDE + 1] <= ord(" ")
        if (space[1:] & space[:-1]).any():
            return None
    return width
