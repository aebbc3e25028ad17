"""Text in columns: CSV, TSV and their like, under a head of names or with columns by number.

As in `assay.io.trec`, Polars parses only pieces whose separators prove that each line has all
columns; quotes and everything odd go to the line reader, which alone words errors.
"""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.names import PART, Chosen, choose, guessed
from assay.io.stream import BOM, Piece, open_bytes, pieces
from assay.io.trec import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.io.lines import Dropped, Form
    from assay.io.locate import Origin
    from assay.io.tables import Wanted

__all__ = ["NUMBER", "Layout", "fields_of", "layout_of", "read", "read_laid_out"]

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FIELD = re.compile(r"[^ \t\n\r\x0b\x0c]+")
BLANKS = " "  # as separator: any white space, and no quotes
HEAD = 1 << 20  # bytes among which the first line must end
csv.field_size_limit(2**31 - 1)  # a column may hold whole texts; Polars reads them, too
BATCH = 1 << 16  # rows that the line reader hands over at once


@dataclass(frozen=True)
class Layout:
    """How the lines of a file are cut, and which column is which."""

    separator: str
    width: int
    chosen: Chosen
    heads: tuple[str, ...] = ()
    head: int = 0  # physical line of the head; 0: there is none
    levels: bool = False  # grades are written L0, L1, ... (NTCIREVAL)

    @property
    def expected(self) -> str:
        """What each line holds."""
        if self.heads:
            return f"{self.width} columns as in the head ({', '.join(self.heads)})"
        names = {self.chosen.topic: "topic", self.chosen.doc: "doc", self.chosen.value: "number"}
        return f"{self.width} columns ({' '.join(names.get(i, '-') for i in range(self.width))})"


# ----------------------------------------------------------------------------------------- layout


def read(origin: Origin, wanted: Wanted, separator: str | None = None) -> Iterator[Rows]:
    """The rows of a file under a head of names, or with columns given by number."""
    return read_laid_out(origin, wanted, layout_of(origin, wanted, separator))


def layout_of(origin: Origin, wanted: Wanted, separator: str | None = None) -> Layout:
    """The layout that the first line shows, and that the caller's `columns` complete."""
    number, line = first_line(origin)
    separator = separator or separator_of(line)
    fields = split(line, separator, f"{origin.name}:{number}")
    by_number = [name for _, name in wanted.columns if isinstance(name, int)]
    if by_number and len(by_number) == len(wanted.columns):
        heads = [f"column {i}" for i in range(1, len(fields) + 1)]
        chosen = choose(heads, wanted.kind, wanted.columns, f"{origin.name}:{number}")
        head = number if _is_head(fields, wanted.kind, chosen) else 0
        return Layout(separator, len(fields), chosen, tuple(fields) if head else (), head)
    chosen = choose(fields, wanted.kind, wanted.columns, f"{origin.name}:{number}")
    return Layout(separator, len(fields), chosen, tuple(fields), number)


def _is_head(fields: list[str], kind: Form, chosen: Chosen) -> bool:
    """Whether the first line of a file whose columns are given by number is a head after all."""
    if NUMBER.fullmatch(fields[chosen.value].strip()):
        return False
    return len(guessed(fields, kind, "")) >= 2


def first_line(origin: Origin) -> tuple[int, str]:
    """Number and text of the first line that is not blank."""
    with open_bytes(origin.path or origin.name, origin.name) as file:
        data = file.read(HEAD).removeprefix(BOM)
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                return number, line.decode().removesuffix("\r")
            except UnicodeDecodeError:
                raise AssayError(
                    f"{origin.name}:{number}: not valid UTF-8; expected UTF-8 text"
                ) from None
    raise AssayError(f"{origin.name}: no data: expected a head of column names, then rows")


def fields_of(line: str) -> list[str]:
    """What stands between ASCII white space, which alone separates."""
    return _FIELD.findall(line)


def separator_of(line: str) -> str:
    """What most likely separates the columns of a line."""
    counts = {mark: line.count(mark) for mark in "\t,;|"}
    best = max(counts, key=lambda mark: counts[mark])
    return best if counts[best] else BLANKS


def split(line: str, separator: str, where: str) -> list[str]:
    """The fields of one line."""
    if separator == BLANKS:
        return fields_of(line)
    try:
        return next(csv.reader([line], delimiter=separator, strict=True))
    except (csv.Error, StopIteration) as error:
        raise AssayError(f"{where}: a quoted field that is not closed ({error})") from None


# ------------------------------------------------------------------------------------------- rows


def read_laid_out(origin: Origin, wanted: Wanted, layout: Layout) -> Iterator[Rows]:
    """The rows of a file whose layout is known."""
    stream = pieces(origin.path or origin.name, name=origin.name)
    for whole in stream:
        piece = whole if whole.line > layout.head else _after(whole, layout.head)
        if layout.separator != BLANKS and b'"' in piece.data:  # a field may hold line ends
            yield from _by_lines(chain([piece], stream), origin.name, layout, wanted)
            return
        rows = _by_polars(piece, layout)
        if rows is not None:
            yield rows
        else:
            yield from _by_lines(iter([piece]), origin.name, layout, wanted)


def _after(piece: Piece, line: int) -> Piece:
    """What follows a physical line of a piece."""
    at = 0
    for _ in range(line - piece.line + 1):
        at = piece.data.find(b"\n", at) + 1
    return Piece(piece.data[at:], line + 1)


def _by_polars(piece: Piece, layout: Layout) -> Rows | None:  # noqa: C901, PLR0911 - each doubt
    """Rows of a piece if its separators prove that each line has all columns."""
    data = piece.data
    if b"\0" in data or data.startswith(BOM) or layout.levels or not _is_utf8(data):
        return None
    data = data.replace(b"\r\n", b"\n") if b"\r" in data else data
    if b"\r" in data or (layout.separator == BLANKS and (b"#" in data or not data.strip())):
        return None
    mark = layout.separator.encode()
    if layout.separator == BLANKS:
        squeezed = _squeezed(data)
        if squeezed is None:
            return None
        data = squeezed
    line = mark * (layout.width - 1) + b"\n"
    skeleton = data.translate(None, bytes(set(range(256)) - {mark[0], 10}))
    if skeleton != line * (len(skeleton) // len(line)) or not skeleton:
        return None
    chosen = layout.chosen
    schema = {f"c{i}": pl.Float64 if i == chosen.value else pl.String for i in range(layout.width)}
    try:
        frame = pl.read_csv(
            data,
            separator=layout.separator,
            has_header=False,
            columns=sorted(set(chosen.places)),
            schema=schema,
            quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None
    columns = [frame[f"c{i}"].rechunk() for i in chosen.places]
    if frame.height != data.count(b"\n") or any(each.null_count() for each in columns):
        return None
    if not columns[2].is_finite().all():
        return None
    value = columns[2].to_numpy()
    if chosen.ranked:
        if (value != np.floor(value)).any():
            return None
        value = -value
    lines = range(piece.line, piece.line + frame.height)
    part = columns[3] if len(columns) > 3 else None
    topic, doc = columns[0].alias("topic"), columns[1].alias("doc")
    return Rows(topic, doc, value, Piece(b"", 1), lines, part)


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _squeezed(data: bytes) -> bytes | None:
    """One blank between two fields; None where a line is blank."""
    data = data.translate(bytes.maketrans(b"\t\x0b\x0c", b"   "))
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n").replace(b"\n ", b"\n").removeprefix(b" ")
    return None if data.startswith(b"\n") else data


class _BadLineError(Exception):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Batch:
    """Rows gathered one by one."""

    def __init__(self) -> None:
        self.topics: list[str] = []
        self.docs: list[str] = []
        self.values: list[float] = []
        self.parts: list[str] = []
        self.lines: list[int] = []

    def rows(self, layout: Layout) -> Rows:
        part = pl.Series(self.parts, dtype=pl.String) if layout.chosen.part is not None else None
        return Rows(
            pl.Series("topic", self.topics, dtype=pl.String),
            pl.Series("doc", self.docs, dtype=pl.String),
            np.asarray(self.values, dtype=np.float64),
            Piece(b"", 1),
            self.lines,
            part,
        )


def _by_lines(stream: Iterator[Piece], name: str, layout: Layout, wanted: Wanted) -> Iterator[Rows]:
    batch = _Batch()
    for number, line in _records(stream, name, layout, wanted.dropped):
        try:
            topic, doc, value, part = _fields(line, layout, wanted.kind)
        except _BadLineError as bad:
            _bad(f"{name}:{number}", bad, wanted.dropped)
            continue
        batch.topics.append(topic)
        batch.docs.append(doc)
        batch.values.append(value)
        batch.parts.append(part)
        batch.lines.append(number)
        if len(batch.lines) >= BATCH:
            yield batch.rows(layout)
            batch = _Batch()
    if batch.lines:
        yield batch.rows(layout)


def _bad(where: str, bad: _BadLineError, dropped: Dropped | None) -> None:
    if dropped is None:
        raise AssayError(f"{where}: {bad}") from None
    dropped.add(bad.kind, where)


def _records(
    stream: Iterator[Piece], name: str, layout: Layout, dropped: Dropped | None
) -> Iterator[tuple[int, list[str]]]:
    """First physical line and fields of each record that is not blank."""
    lines = _decoded(stream, name, dropped)
    if layout.separator == BLANKS:
        for number, line in lines:
            if not line.startswith("#") and (words := fields_of(line)):
                yield number, words
        return
    begun, ended = 0, 0

    def fed() -> Iterator[str]:
        nonlocal begun, ended
        for number, line in lines:
            begun = begun or number
            ended = number
            yield line

    feed = fed()
    reader = csv.reader(feed, delimiter=layout.separator, strict=True)
    while True:
        begun = 0
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            until = f", read until line {ended}" if ended > begun else ""
            text = "a carriage return inside" if "new-line" in str(error) else str(error)
            bad = _BadLineError(
                "broken quotes", f"quotes or line ends that do not fit{until}: {text}"
            )
            _bad(f"{name}:{begun}", bad, dropped)
            reader = csv.reader(feed, delimiter=layout.separator, strict=True)
            continue
        if fields and (len(fields) > 1 or fields[0].strip()):
            yield begun, fields


def _decoded(
    stream: Iterator[Piece], name: str, dropped: Dropped | None
) -> Iterator[tuple[int, str]]:
    for piece in stream:
        data = piece.data.removesuffix(b"\n")
        for number, line in enumerate(data.split(b"\n"), piece.line):
            try:
                if b"\0" in line:
                    raise _BadLineError(  # noqa: TRY301 - told below
                        "binary data", "a NUL byte: this is binary data; expected text"
                    )
                yield number, line.decode() + "\n"
            except UnicodeDecodeError as error:
                text = f"byte {line[error.start]:#04x} is not valid UTF-8; expected UTF-8 text"
                _bad(f"{name}:{number}", _BadLineError("invalid UTF-8", text), dropped)
            except _BadLineError as bad:
                _bad(f"{name}:{number}", bad, dropped)


def _fields(fields: list[str], layout: Layout, kind: Form) -> tuple[str, str, float, str]:
    """Topic, document, value and part of a line, or what is wrong with it."""
    chosen = layout.chosen
    if len(fields) != layout.width:
        found = _shown((layout.separator if layout.separator != BLANKS else " ").join(fields))
        raise _BadLineError(
            "a wrong number of columns", f"expected {layout.expected}, found {len(fields)}: {found}"
        )
    topic, doc = fields[chosen.topic], fields[chosen.doc]
    part = "" if chosen.part is None else fields[chosen.part]
    for what, text in (
        ("topic", topic),
        ("document", doc),
        *([] if chosen.part is None else [(PART[kind], part)]),
    ):
        if not text:
            raise _BadLineError(f"no {what}", f"no {what}: the field is empty")
    what = "rank" if chosen.ranked else kind.columns[kind.value]
    return topic, doc, _number(fields[chosen.value], what, layout), part


def _number(text: str, what: str, layout: Layout) -> float:
    written = text.strip(" \t")
    if layout.levels:
        if not re.fullmatch(r"L[0-9]+", written):
            raise _BadLineError(
                "no level", f"expected a level such as L0 or L2, found {_shown(text)}"
            )
        return float(written[1:])
    if not NUMBER.fullmatch(written):
        hint = ""
        if not written:
            hint = ". Leave such lines out with --lenient (strict=False)"
        elif NUMBER.fullmatch(written.replace(",", ".")):
            hint = ". Decimals are written with a point"
        elif re.fullmatch(r"L[0-9]+", written):
            hint = ". For NTCIREVAL's levels say --format ntcir (format='ntcir')"
        raise _BadLineError(
            f"no number as {what}",
            f"expected a finite number as {what} in column {layout.chosen.value + 1}, "
            f"found {_shown(text)}{hint}",
        )
    value = float(written)
    if math.isinf(value):
        message = f"the {what} {_shown(text)} is beyond the largest float, 1.8e308"
        raise _BadLineError(f"an infinite {what}", message)
    if not layout.chosen.ranked:
        return value
    if value != math.floor(value):
        raise _BadLineError(
            "no whole number as rank", f"expected a whole number as rank, found {_shown(text)}"
        )
    return -value


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
