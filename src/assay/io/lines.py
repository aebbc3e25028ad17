"""The reference reader of TREC lines, one at a time: the only place that words an error."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Iterator

    Columns = tuple[list[str], list[str], list[float], list[int]]

__all__ = ["JUDGMENTS", "RUN", "Dropped", "Form", "data_lines", "read_lines", "shown"]

_NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAN = re.compile(rb"[+-]?nan", re.IGNORECASE)
_INFINITE = re.compile(rb"[+-]?inf(?:inity)?", re.IGNORECASE)
_HEAD = 1 << 13  # bytes that decide whether a file is binary
_SHOWN = 80  # characters of a bad line that a message shows


@dataclass(frozen=True)
class Form:
    """One of TREC's two line forms."""

    what: str  # a run, judgments
    columns: tuple[str, ...]
    doc: int
    value: int
    least: int  # fewest fields
    most: int | None  # most fields; None: the rest of the line belongs to the last

    @property
    def expected(self) -> str:
        """`6 columns (topic Q0 doc rank score tag)`."""
        return f"{len(self.columns)} columns ({' '.join(self.columns)})"


RUN = Form("a run", ("topic", "Q0", "doc", "rank", "score", "tag"), 2, 4, 5, None)
JUDGMENTS = Form("judgments", ("topic", "iteration", "doc", "grade"), 2, 3, 4, 4)


@dataclass
class Dropped:
    """What lenient reading left out: how many rows of which kind, and the first of each."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, where: str, many: int = 1) -> None:
        """Count `many` dropped rows of one kind."""
        if many:
            self.counts[kind] += many
            self.first.setdefault(kind, where)

    def update(self, other: Dropped) -> None:
        """Add what another count holds."""
        for kind, many in other.counts.items():
            self.add(kind, other.first[kind], many)

    def __bool__(self) -> bool:
        return bool(self.counts)

    def __str__(self) -> str:
        return "; ".join(
            f"{many} {'row' if many == 1 else 'rows'} with {kind} (first: {self.first[kind]})"
            for kind, many in sorted(self.counts.items())
        )


def data_lines(data: bytes, first: int) -> Iterator[tuple[int, bytes]]:
    """Physical number and bytes of each line that holds data: not blank, not a comment."""
    for number, line in enumerate(data.split(b"\n"), first):
        if line and not line.startswith(b"#") and not line.isspace():
            yield number, line


def read_lines(data: bytes, first: int, name: str, form: Form, dropped: Dropped | None) -> Columns:
    """Topics, documents, values and physical line numbers; strict where `dropped` is None."""
    topics: list[str] = []
    docs: list[str] = []
    values: list[float] = []
    numbers: list[int] = []
    for number, line in data_lines(data, first):
        try:
            topic, doc, value = _fields(line, f"{name}:{number}", form)
        except _BadLineError as bad:
            if dropped is None:
                raise AssayError(_if_binary(data, first, name, form) or str(bad)) from None
            dropped.add(bad.kind, f"{name}:{number}")
            continue
        topics.append(topic)
        docs.append(doc)
        values.append(value)
        numbers.append(number)
    return topics, docs, values, numbers


class _BadLineError(Exception):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def _if_binary(data: bytes, first: int, name: str, form: Form) -> str | None:
    """What to say where a bad line stands in a file that is no text at all."""
    at = data.find(b"\0", 0, _HEAD)
    number = first + data.count(b"\n", 0, max(0, at))
    return None if at < 0 else _binary(f"{name}:{number}", form)


def _binary(where: str, form: Form) -> str:
    return f"{where}: a NUL byte: this is binary data; expected text, {form.expected}"


def _fields(line: bytes, where: str, form: Form) -> tuple[str, str, float]:
    """Topic, document and value of a line, or what is wrong with it."""
    if b"\0" in line:
        raise _BadLineError("binary data", _binary(where, form))
    line = line.removesuffix(b"\r")
    if b"\r" in line:
        raise _BadLineError(
            "a carriage return inside",
            f"{where}: a carriage return inside the line; expected lines ended by LF or CRLF. "
            "Convert old Mac line ends: tr '\\r' '\\n'",
        )
    fields = line.split(None, len(form.columns) - 1 if form.most is None else -1)
    if len(fields) < form.least or (form.most is not None and len(fields) > form.most):
        raise _BadLineError("a wrong number of columns", _miscounted(fields, line, where, form))
    number, what = fields[form.value], form.columns[form.value]
    if not _NUMBER.fullmatch(number):
        raise _BadLineError(*_no_number(fields, where, form))
    value = float(number)
    if math.isinf(value):
        raise _BadLineError(
            f"an infinite {what}",
            f"{where}: the {what} {shown(number)} is beyond the largest float, 1.8e308",
        )
    try:
        line.decode()
        return fields[0].decode(), fields[form.doc].decode(), value
    except UnicodeDecodeError as error:
        raise _BadLineError(
            "invalid UTF-8",
            f"{where}: byte {line[error.start]:#04x} is not valid UTF-8; expected UTF-8 text. "
            "If the file is Latin-1, convert it: iconv -f LATIN1 -t UTF-8",
        ) from None


def shown(raw: bytes) -> str:
    """A line, or a field, as a message quotes it."""
    text = raw.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def _miscounted(fields: list[bytes], line: bytes, where: str, form: Form) -> str:
    message = f"{where}: expected {form.expected}, found {len(fields)}: {shown(line)}"
    if form is JUDGMENTS and len(fields) > form.least and _NUMBER.fullmatch(fields[RUN.value]):
        return message + ". This looks like a run; judgments come first, then runs"
    if form is RUN and len(fields) == JUDGMENTS.least and _NUMBER.fullmatch(fields[-1]):
        return message + ". This looks like judgments; judgments come first, then runs"
    if len(fields) == 3 and _NUMBER.fullmatch(fields[-1]):
        last = form.columns[form.value]
        given = f"--columns topic=1,doc=2,{last}=3 (columns={{'topic': 1, ...}})"
        marco = " If the last is the rank, --format marco" if form is RUN else ""
        return f"{message}. If these are topic, document and {last}, say {given}.{marco}"
    if form is JUDGMENTS and len(fields) == form.least - 1:
        return message + ". The grades are missing: is this a list of pairs still to be judged?"
    if len(fields) <= 2 and line.count(b",") >= form.least - 1:
        return message + ". This looks like comma-separated values; put blanks or tabs there"
    return message + ". Correct the line, or leave such lines out with --lenient (strict=False)"


def _no_number(fields: list[bytes], where: str, form: Form) -> tuple[str, str]:
    """Kind and message for a line whose value is not a number."""
    number, what = fields[form.value], form.columns[form.value]
    place = f"{where}: expected a finite number as {what} in column {form.value + 1}"
    message = f"{place}, found {shown(number)}"
    if _NAN.fullmatch(number):
        return f"NaN as {what}", message
    if _INFINITE.fullmatch(number):
        return f"an infinite {what}", message
    if form is RUN and _NUMBER.fullmatch(fields[form.value - 1]):
        message += f". Is a column missing? Expected are {form.expected}"
    return f"no number as {what}", message
