"""trec_eval's input files: exact columns, C's numbers, its own idea of blank lines and comments.

Tidy text goes by the rungs of `assay.io.trec`; anything else is read line by line here, as
trec_eval reads it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from math import inf, isnan
from stat import S_ISREG
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import RUN, Form, shown
from assay.io.stream import Piece, pieces
from assay.io.trec import Rows, columns, is_text, squeezed
from assay.trec.errors import TrecError
from assay.trec.numbers import atof, atol

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from assay.io.locate import Origin

__all__ = ["NotUnicodeError", "RunReader", "read_rel_info", "read_zscores"]

_COMMENT = re.compile(rb"(?m)^#[^\n]*\n")
_TEXT, _WHOLE, _REAL = pl.String, pl.Int64, pl.Float64


@dataclass(frozen=True)
class _Kind:
    """A form of relevance information."""

    form: Form
    reader: str  # the name in messages
    what: str
    types: Mapping[int, Any]
    names: tuple[str, ...]  # of the columns that are kept


def _kind(reader: str, what: str, kept: str, value: Any, skip: int = -1) -> _Kind:
    names = kept.split()
    wide = len(names) + (skip >= 0)
    places = [i for i in range(wide) if i != skip]
    columns = [*names]
    if skip >= 0:
        columns.insert(skip, "iteration")
    form = Form("relevance", tuple(columns), 0, wide - 1, wide, wide)
    types = dict.fromkeys(places, _TEXT) | {wide - 1: value}
    return _Kind(form, reader, what, types, tuple(names))


_KINDS = {
    "qrels": _kind("get_qrels", "qrels", "topic doc value", _WHOLE, skip=1),
    "qrels_jg": _kind("get_qrels_jg", "qrels", "topic group doc value", _WHOLE),
    "prefs": _kind("get_prefs", "prefs", "topic group sub doc value", _REAL),
    "qrels_prefs": _kind("get_qrels_prefs", "prefs", "topic group doc value", _REAL),
}
_RUN = Form(RUN.what, RUN.columns, RUN.doc, RUN.value, len(RUN.columns), None)
_RUN_TYPES = {0: _TEXT, RUN.doc: _TEXT, RUN.value: _REAL}


class NotUnicodeError(Exception):
    """A file holds bytes that are not UTF-8: all files must be read as Latin-1, byte by byte."""


def read_rel_info(path: str, kind: str, *, ver: int, latin: bool = False) -> pl.DataFrame:
    """Rows of a relevance file in its own order."""
    about = _KINDS[kind]
    reader = "get_prefs" if kind == "qrels_prefs" else about.reader  # when it cannot be opened
    parts: list[pl.DataFrame] = []
    unreadable = f"trec_eval.{reader}: Cannot read {about.what} file '{path}'"
    for raw in _pieces(path, path, unreadable):
        data = _decoded(raw.data, latin=latin)
        bare = _COMMENT.sub(b"", data) if ver > 9 and b"#" in data else data
        part = _by_rungs(bare, about)
        if part is None:
            records = sum(len(part) for part in parts)
            part = _by_lines(Piece(data, raw.line), about, path, records, comments=ver > 9)
        parts.append(part)
    return pl.concat(parts)


def _pieces(path: str, name: str, unreadable: str, **how: Any) -> Iterator[Piece]:
    """The pieces of a file; no file, and an empty one, cannot be read."""
    why = f"{name}: the file is empty"
    try:
        if not _is_empty(path):
            yield from pieces(path, name=name, **how)
            return
    except AssayError as error:
        why = str(error)
    raise TrecError(2, unreadable, f"trec_eval: Quit in file '{name}'", f"assay: {why}")


def _is_empty(path: str) -> bool:
    try:
        status = os.stat(path)  # noqa: PTH116 - a name of any bytes
    except (OSError, ValueError):
        return False
    return S_ISREG(status.st_mode) and not status.st_size


def _malformed(
    reader: str, record: int, name: str, number: int, line: bytes, expected: str
) -> TrecError:
    """A line without the columns that it needs: trec_eval counts records, people count lines."""
    return TrecError(
        2,
        f"trec_eval.{reader}: Malformed line {record}",
        f"trec_eval: Quit in file '{name}'",
        f"assay: {name}:{number}: expected {expected}, found {len(line.split())}: {shown(line)}",
    )


def _decoded(data: bytes, *, latin: bool) -> bytes:
    """The bytes as UTF-8; in Latin-1 every byte is a letter, and their order stays."""
    if latin:
        return data if data.isascii() else data.decode("latin-1").encode()
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            raise NotUnicodeError from None
    return data


def _by_rungs(data: bytes, about: _Kind) -> pl.DataFrame | None:
    """The rows if Polars may read them: no blank line, numbers without surprises."""
    if not is_text(data):
        return None
    frame = columns(data, about.form, about.types)
    if frame is None:
        plain = squeezed(data)
        if plain is None or plain.count(b"\n") != data.count(b"\n"):
            return None
        frame = columns(plain, about.form, about.types)
    if frame is None:
        return None
    frame = frame.rename(dict(zip(frame.columns, about.names, strict=True)))
    value = frame["value"]
    if value.null_count() or not value.is_finite().all():
        return None
    return frame.with_columns(value.cast(pl.Float64))


def _by_lines(
    piece: Piece, about: _Kind, path: str, before: int, *, comments: bool
) -> pl.DataFrame:
    width, number = about.form.least, atol if about.types[about.form.value] == _WHOLE else atof
    rows: list[tuple[Any, ...]] = []
    for at, line in enumerate(piece.data.split(b"\n")[:-1], piece.line):
        if comments and line.startswith(b"#"):
            continue
        fields = line.split()
        if len(fields) != width:
            record = before + len(rows) + 1
            raise _malformed(about.reader, record, path, at, line, about.form.expected)
        texts = [fields[i].decode() for i in about.types]
        value = float(number(texts[-1]))
        rows.append((*texts[:-1], 0.0 if isnan(value) else value))
    schema = dict.fromkeys(about.names, pl.String) | {"value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


# ------------------------------------------------------------------------------------------- runs


@dataclass
class RunReader:
    """Reads a run, as often as asked, and keeps the tag of its last record."""

    origin: Origin
    ver: int = 10
    latin: bool = False
    tag: str = ""
    size: int = field(default=0, init=False)  # bytes read
    _last: Piece | None = field(default=None, init=False)

    def __call__(self) -> Generator[Rows]:
        """The rows, in pieces that end between topics wherever the file allows it."""
        name, self.size, records = self.origin.name, 0, 0
        path = self.origin.path or name
        unreadable = f"trec_eval.get_results: Cannot read results file '{name}'"
        for raw in _pieces(path, name, unreadable, whole_topics=True):
            piece = Piece(_decoded(raw.data, latin=True), raw.line) if self.latin else raw
            rows = self._rows(piece, records)
            records += len(rows)
            self.size += len(piece.data)
            if len(rows):
                self._last = piece
            yield rows
        if self._last is not None:
            self.tag = self._last_tag(self._last.data)
            self._last = None

    def _rows(self, piece: Piece, before: int) -> Rows:
        frame = self._by_rungs(piece.data)
        if frame is None:
            _decoded(piece.data, latin=False)
            return self._by_lines(piece, before)
        topic, doc, score = (frame.to_series(i).rechunk() for i in range(3))
        return Rows(topic.alias("topic"), doc.alias("doc"), score.to_numpy(), piece)

    def _by_rungs(self, data: bytes) -> pl.DataFrame | None:
        if not is_text(data):
            return None
        comments, hashes = self.ver > 9, b"#" in data
        frame = columns(data, _RUN, _RUN_TYPES)
        if frame is None or (comments and hashes and _has_comment(frame)):
            if not comments and hashes:
                return None
            plain = squeezed(data)
            frame = None if plain is None else columns(plain, _RUN, _RUN_TYPES)
            if frame is None or (hashes and _has_comment(frame)):
                return None
        score = frame.to_series(2)
        return frame if not score.null_count() and np.isfinite(score.to_numpy()).all() else None

    def _by_lines(self, piece: Piece, before: int) -> Rows:
        topics: list[str] = []
        docs: list[str] = []
        scores: list[float] = []
        for at, fields in self._records(piece):
            if len(fields) < _RUN.least:
                record, name = before + len(topics) + 1, self.origin.name
                line = piece.data.split(b"\n")[at - piece.line]
                raise _malformed("get_results", record, name, at, line, _RUN.expected)
            topics.append(fields[0].decode())
            docs.append(fields[_RUN.doc].decode())
            score = atof(fields[_RUN.value].decode())
            scores.append(-inf if isnan(score) else score)  # of no known place: the last
        return Rows(
            pl.Series("topic", topics, dtype=pl.String),
            pl.Series("doc", docs, dtype=pl.String),
            np.asarray(scores, dtype=np.float64),
            piece,
        )

    def _records(self, piece: Piece) -> Iterator[tuple[int, list[bytes]]]:
        """Physical number and fields of each line that holds data."""
        for at, line in enumerate(piece.data.split(b"\n"), piece.line):
            fields = line.split(None, len(RUN.columns))
            if fields and not (self.ver > 9 and fields[0].startswith(b"#")):
                yield at, fields

    def _last_tag(self, data: bytes) -> str:
        end = len(data)
        while end > 0:
            start = data.rfind(b"\n", 0, end - 1) + 1
            for _, fields in self._records(Piece(data[start:end], 0)):
                return fields[-1 if len(fields) == len(RUN.columns) else -2].decode()
            end = start
        return ""


def _has_comment(frame: pl.DataFrame) -> bool:
    return bool(frame.to_series(0).str.starts_with("#").any())


# --------------------------------------------------------------------------------------- z-scores


def read_zscores(
    path: str, *, ver: int, latin: bool = False
) -> dict[str, Callable[[str], tuple[float, float] | None]]:
    """For each topic, what finds the mean and the standard deviation of a measure."""
    reader = "get_zscores" if ver > 9 else "get_prefs"
    unreadable = TrecError(255, f"trec_eval.{reader}: Cannot read zscores file '{path}'")
    found: dict[str, list[tuple[str, tuple[float, float]]]] = {}
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a name of any bytes
            data = file.read()
    except (OSError, ValueError):
        raise unreadable from None
    if not data:
        raise unreadable
    lines = _decoded(data.removesuffix(b"\n"), latin=latin).split(b"\n")
    for number, line in enumerate(lines, start=1):
        fields = [one.decode() for one in line.split()]
        if len(fields) != 4:
            raise TrecError(255, f"trec_eval.{reader}: Malformed line {number}")
        topic, name, mean, deviation = fields
        found.setdefault(topic, []).append((name, (atof(mean), atof(deviation))))
    return {topic: _finder(rows) for topic, rows in found.items()}


def _finder(
    rows: list[tuple[str, tuple[float, float]]],
) -> Callable[[str], tuple[float, float] | None]:
    rows = sorted(rows, key=lambda row: row[0])
    names = [name for name, _ in rows]
    if len(set(names)) == len(names):
        return dict(rows).get
    return lambda name: _bisected(rows, name)


def _bisected(rows: list[tuple[str, tuple[float, float]]], name: str) -> tuple[float, float] | None:
    """Of lines that name the same measure, the one that trec_eval's search meets first."""
    low, high = 0, len(rows)
    while low <= high:
        middle = (low + high) // 2
        here = rows[middle][0] if middle < len(rows) else None
        if here == name:
            return rows[middle][1]
        if here is None or here > name:
            high = middle - 1
        else:
            low = middle + 1
    return None
