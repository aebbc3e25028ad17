"""LETOR and SVMlight: `2 qid:10 1:0.03 2:0.66 #docid = GX029`: labels and features.

The labels are judgments; every feature is a run, named by its number. A feature that a line leaves
out is 0 there. Without a document id in the comment, a document is named by its place in its topic.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.delimited import NUMBER, fields_of
from assay.io.lines import JUDGMENTS
from assay.io.stream import pieces
from assay.io.tables import NO_PIECE
from assay.io.trec import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.io.locate import Origin
    from assay.io.tables import Wanted

__all__ = ["is_letor", "read"]

_HEAD = re.compile(r"\s*[^\s:#]+\s+qid:\S+(?:\s+[0-9]+:\S+)*\s*(?:#.*)?$")
_DOC = re.compile(r"docid\s*=\s*(\S+)", re.IGNORECASE)
MOST_DIGITS = 18  # of a feature's number


class _BadLineError(Exception):
    pass


def is_letor(line: str) -> bool:
    """Whether a line has the form: a label, then `qid:`."""
    return bool(_HEAD.match(line))


class _Gathered:
    """Lines seen so far, and for each feature its values."""

    def __init__(self) -> None:
        self.topics: list[str] = []
        self.docs: list[str] = []
        self.labels: list[float] = []
        self.lines: list[int] = []
        self.features: dict[int, dict[int, float]] = {}  # feature to row to value
        self.sizes: dict[str, int] = {}


def read(origin: Origin, wanted: Wanted) -> Iterator[Rows]:
    """Labels as rows, or for runs one set of rows for each feature."""
    found = _Gathered()
    for piece in pieces(origin.path or origin.name, name=origin.name):
        for number, raw in enumerate(piece.data.split(b"\n"), piece.line):
            if not raw.strip() or raw.startswith(b"#"):
                continue
            try:
                _take(found, number, raw, features=wanted.kind is not JUDGMENTS)
            except _BadLineError as bad:
                where = f"{origin.name}:{number}"
                if wanted.dropped is None:
                    raise AssayError(f"{where}: {bad}") from None
                wanted.dropped.add("no LETOR line", where)
    topic = pl.Series("topic", found.topics, dtype=pl.String)
    doc = pl.Series("doc", found.docs, dtype=pl.String)
    if wanted.kind is JUDGMENTS:
        yield Rows(topic, doc, np.asarray(found.labels, dtype=np.float64), NO_PIECE, found.lines)
        return
    for feature, known in sorted(found.features.items()):
        value = np.zeros(len(topic))
        value[list(known)] = list(known.values())
        part = pl.repeat(str(feature), len(topic), dtype=pl.String, eager=True)
        yield Rows(topic, doc, value, NO_PIECE, found.lines, part)


def _take(found: _Gathered, number: int, raw: bytes, *, features: bool) -> None:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise _BadLineError(
            f"byte {raw[error.start]:#04x} is not valid UTF-8; expected UTF-8 text"
        ) from None
    if "\0" in text:
        raise _BadLineError("a NUL byte: this is binary data; expected text")
    data, mark, comment = text.partition("#")
    fields = fields_of(data)
    if len(fields) < 2 or not fields[1].startswith("qid:") or len(fields[1]) == 4:
        expected = "LABEL qid:TOPIC 1:VALUE 2:VALUE ... #docid = DOC"
        raise _BadLineError(f"expected `{expected}`, found {text[:80]!r}")
    label, topic = _number(fields[0], "label"), fields[1][4:]
    values: dict[int, float] = {}
    for field in fields[2:]:
        name, colon, written = field.partition(":")
        plain = name.isdecimal() and name.isascii() and len(name) <= MOST_DIGITS
        if not colon or not plain or int(name) in values:
            raise _BadLineError(
                f"expected features as NUMBER:VALUE, each once, found {field[:80]!r}"
            )
        values[int(name)] = _number(written, f"feature {name}")
    found.sizes[topic] = found.sizes.get(topic, 0) + 1
    row = len(found.lines)
    found.topics.append(topic)
    found.docs.append(_doc(comment if mark else "") or str(found.sizes[topic]))
    found.labels.append(label)
    found.lines.append(number)
    if features:
        for feature, value in values.items():
            found.features.setdefault(feature, {})[row] = value


def _doc(comment: str) -> str:
    """The document's id in a comment: `docid = GX029 inc = 1`, or the only word."""
    match = _DOC.search(comment)
    if match:
        return match[1]
    words = fields_of(comment)
    return words[0] if len(words) == 1 else ""


def _number(text: str, what: str) -> float:
    if not NUMBER.fullmatch(text) or not np.isfinite(float(text)):
        raise _BadLineError(f"expected a finite number as {what}, found {text[:80]!r}")
    return float(text)
