"""The reference reader of TREC lines, one at a time: the only place that words an error."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.errors import AssayError

__all__ = ["JUDGMENTS", "RUN", "Dropped", "Form", "data_lines", "read_lines"]

_NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SPECIAL = re.compile(rb"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


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

    lenient: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, where: str, many: int = 1) -> None:
        """Count `many` dropped rows of one kind."""
        if many:
            self.counts[kind] += many
            self.first.setdefault(kind, where)

    def __bool__(self) -> bool:
        return bool(self.counts)

    def __str__(self) -> str:
        return "; ".join(
            f"{many} {'row' if many == 1 else 'rows'} with {kind} (first: {self.first[kind]})"
            for kind, many in self.counts.items()
        )


def data_lines(data: bytes, first: int) -> Iterator[tuple[int, bytes]]:
    """Physical number and bytes of each line that holds data: not blank, not a comment."""
    for number, line in enumerate(data.split(b"\n"), first):
        if line and not line.startswith(b"#") and not line.isspace():
            yield number, line


def read_lines(
    data: bytes, first: int, name: str, form: Form, dropped: Dropped | None
) -> tuple[list[str], list[str], list[float], list[int]]:
    """Topics, documents, values and physical line numbers; strict where `dropped` is None."""
    topics: list[str] = []
    docs: list[str] = []
    values: list[float] = []
    numbers: list[int] = []
    for number, line in data_lines(data, first):
        try:
            topic, doc, value = _fields(line, f"{name}:{number}", form)
        except _BadLine as bad:
            if dropped is None:
                raise AssayError(str(bad)) from None
            dropped.add(bad.kind, f"{name}:{number}")
            continue
        topics.append(topic)
        docs.append(doc)
        values.append(value)
        numbers.append(number)
    return topics, docs, values, numbers


class _BadLine(Exception):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def _fields(line: bytes, where: str, form: Form) -> tuple[str, str, float]:
    if b"\0" in line:
        raise _BadLine("binary data", f"{where}: a NUL byte: the file is binary; expected text, {form.expected}")
    line = line.removesuffix(b"\r")
    if b"\r" in line:
        raise _BadLine(
            "a carriage return inside",
            f"{where}: a carriage return inside the line; expected lines ended by LF or CRLF. "
            "Convert old Mac line ends: tr '\\r' '\\n'",
        )
    fields = line.split(None, len(form.columns) - 1 if form.most is None else -1)
    if len(fields) < form.least or (form.most is not None and len(fields) > form.most):
        raise _BadLine("a wrong number of columns", _count_message(fields, line, where, form))
    number = fields[form.value]
    if not _NUMBER.fullmatch(number):
        raise _BadLine(*_number_message(number, where, form, fields))
    value = float(number)
    what = form.columns[form.value]
    if math.isinf(value):
        raise _BadLine(
            f"an infinite {what}", f"{where}: the {what} {_show(number)} is beyond the largest float, 1.8e308"
        )
    try:
        line.decode()
        return fields[0].decode(), fields[form.doc].decode(), value
    except UnicodeDecodeError as error:
        raise _BadLine(
            "invalid UTF-8",
            f"{where}: byte {line[error.start] :#04x} is not valid UTF-8; expected UTF-8 text. If the file "
            "is Latin-1, convert it: iconv -f LATIN1 -t UTF-8",
        ) from None


def _show(raw: bytes) -> str:
    text = raw.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _count_message(fields: list[bytes], line: bytes, where: str, form: Form) -> str:
    message = f"{where}: expected {form.expected}, found {len(fields)}: {_show(line)}"
    if form is JUDGMENTS and len(fields) in (5, 6) and _NUMBER.fullmatch(fields[4]):
        return message + "  This looks like a run; judgments come first, then runs"
    if form is RUN and len(fields) == 4 and _NUMBER.fullmatch(fields[3]):
        return message + "  This looks like judgments; judgments come first, then runs"
    if form is JUDGMENTS and len(fields) == 3:
        return message + "  The grades are missing: is this a list of pairs still to be judged?"
    if len(fields) == 1 and line.count(b",") >= 3:  # noqa: PLR2004
        return message + "  This looks like comma-separated values"
    return message


def _number_message(number: bytes, where: str, form: Form, fields: list[bytes]) -> tuple[str, str]:
    what = form.columns[form.value]
    place = form.value + 1
    if _SPECIAL.fullmatch(number):
        kind = "NaN" if b"n" == number.lstrip(b"+-")[:1].lower() else "an infinite"
        return (
            f"{kind} {what}",
            f"{where}: the {what} in column {place} is {_show(number)}; expected a finite number",
        )
    message = f"{where}: expected a number as {what} in column {place}, found {_show(number)}"
    if len(fields) > form.value + 1 and _NUMBER.fullmatch(fields[form.value - 1]) and form is RUN:
        message += "  Is a column missing? " + form.expected
    return f"no number as {what}", message
