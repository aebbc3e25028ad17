"""JSON: one object a line, an array of objects, or topics to documents to numbers, as in ranx."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS
from assay.io.names import Chosen, choose
from assay.io.stream import BOM, open_bytes, pieces
from assay.io.tables import NO_PIECE, UNJUDGED, Wanted
from assay.io.trec import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.io.lines import Form
    from assay.io.locate import Origin

__all__ = ["is_json_lines", "read_json", "read_json_lines"]

BATCH = 1 << 16
MOST_DIGITS = 400  # of a whole number; no float holds more


class _BadRowError(Exception):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def _unlike(word: str) -> NoReturn:
    raise _BadRowError("no finite number", f"{word} is no number that JSON knows")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _BadRowError("a name given twice", f"the name {twice!r} stands twice in one object")
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _BadRowError("a number too long", f"a whole number of {len(digits)} digits")
    return int(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_unlike, parse_int=_whole)


def names_in(origin: Origin) -> list[str]:
    """The names in the first object; none where topics and documents are the names."""
    with open_bytes(origin.path or origin.name, origin.name) as file:
        if origin.door is not None and origin.door.form == "jsonl":
            data = next((line for line in file if line.removeprefix(BOM).strip()), b"")
        else:
            data = file.read()
    try:
        page = json.loads(data.removeprefix(BOM))
    except (ValueError, RecursionError):  # said when it is read
        return []
    if isinstance(page, list):
        page = next((row for row in page if isinstance(row, dict)), None)
    elif origin.door is None or origin.door.form == "json":
        page = None
    return list(page) if isinstance(page, dict) else []


def is_json_lines(line: str) -> bool:
    """Whether a line is an object whose values are not all objects."""
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        return False
    except (ValueError, RecursionError):  # an absurd number or depth, said when it is read
        return True
    return isinstance(found, dict) and not all(isinstance(value, dict) for value in found.values())


# -------------------------------------------------------------------------------- one object a line


def read_json_lines(origin: Origin, wanted: Wanted) -> Iterator[Rows]:
    """The rows of a file with one object a line; the first object tells which name is which."""
    taken = _Taken(origin.name, wanted)
    for piece in pieces(origin.path or origin.name, name=origin.name):
        for number, raw in enumerate(piece.data.split(b"\n"), piece.line):
            if not raw.strip():
                continue
            where = f"{origin.name}:{number}"
            try:
                taken.take(_decoded(raw), number, where)
            except _BadRowError as bad:
                if wanted.dropped is None:
                    raise AssayError(f"{where}: {bad}") from None
                wanted.dropped.add(bad.kind, where)
            if len(taken.lines) >= BATCH:
                yield taken.rows()
    if taken.lines:
        yield taken.rows()


def _decoded(raw: bytes) -> Any:
    try:
        return _DECODER.decode(raw.decode())
    except UnicodeDecodeError as error:
        message = f"byte {raw[error.start]:#04x} is not valid UTF-8; expected UTF-8 text"
        raise _BadRowError("invalid UTF-8", message) from None
    except RecursionError:
        raise _BadRowError("broken JSON", "not JSON: nested too deeply") from None
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} in column {error.colno}: {_shown(raw.decode())}"
        raise _BadRowError("broken JSON", message) from None


class _Taken:
    """Rows taken from objects one by one."""

    def __init__(self, name: str, wanted: Wanted) -> None:
        self.name, self.wanted = name, wanted
        self.names: list[str] = []
        self.chosen: Chosen | None = None
        self.clear()

    def clear(self) -> None:
        self.topics: list[str] = []
        self.docs: list[str] = []
        self.values: list[float] = []
        self.parts: list[str] = []
        self.lines: list[int] = []

    def take(self, row: Any, number: int, where: str) -> None:
        if not isinstance(row, dict):
            raise _BadRowError(
                "no object", f"expected a JSON object, found {_shown(json.dumps(row))}"
            )
        if self.chosen is None:
            self.names = list(row)
            self.chosen = choose(self.names, self.wanted.kind, self.wanted.columns, where)
        chosen = self.chosen
        topic = _id(row, self.names[chosen.topic])
        doc = _id(row, self.names[chosen.doc])
        value = _number(row, self.names[chosen.value], self.wanted.kind, chosen)
        if math.isnan(value):
            self.wanted.unjudged.add(UNJUDGED, where)
            return
        part = "" if chosen.part is None else _id(row, self.names[chosen.part])
        self.topics.append(topic)
        self.docs.append(doc)
        self.values.append(value)
        self.parts.append(part)
        self.lines.append(number)

    def rows(self) -> Rows:
        """What was taken since the last call."""
        parted = self.chosen is not None and self.chosen.part is not None
        found = Rows(
            pl.Series("topic", self.topics, dtype=pl.String),
            pl.Series("doc", self.docs, dtype=pl.String),
            np.asarray(self.values, dtype=np.float64),
            NO_PIECE,
            self.lines,
            pl.Series(self.parts, dtype=pl.String) if parted else None,
        )
        self.clear()
        return found


def _id(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        found = "nothing" if name not in row else _shown(json.dumps(value))
        message = f"expected text or a whole number as {name!r}, found {found}"
        raise _BadRowError(f"no id as {name!r}", message)
    text = str(value)
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise _BadRowError("invalid UTF-8", f"half a surrogate pair in {name!r}: {text!r}")
    return text


def _number(row: Mapping[str, Any], name: str, kind: Form, chosen: Chosen) -> float:
    """The number under a name; NaN where a grade is null, which means unjudged."""
    what = "rank" if chosen.ranked else kind.columns[kind.value]
    value = row.get(name)
    found = "nothing" if name not in row else _shown(json.dumps(value))
    if kind is JUDGMENTS and value is None and name in row:
        return math.nan
    good = isinstance(value, int | float) and (kind is JUDGMENTS or not isinstance(value, bool))
    try:
        number = float(value) if good and value is not None else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or (chosen.ranked and number != math.floor(number)):
        message = f"expected a finite number as {what} in {name!r}, found {found}"
        raise _BadRowError(f"no number as {what}", message)
    return -number if chosen.ranked else number


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


# --------------------------------------------------------------------------------- one whole object


def read_json(origin: Origin, wanted: Wanted) -> Iterator[Rows]:
    """The rows of a file that is one object of topics, or an array of objects."""
    with open_bytes(origin.path or origin.name, origin.name) as file:
        data = file.read().removeprefix(BOM)
    try:
        text = data.decode()
        page = _DECODER.decode(text.strip())
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        byte = f"byte {data[error.start]:#04x} is not valid UTF-8; expected UTF-8 text"
        raise AssayError(f"{origin.name}:{number}: {byte}") from None
    except json.JSONDecodeError as error:
        number = error.lineno + text[: len(text) - len(text.lstrip())].count("\n")
        raise AssayError(
            f"{origin.name}:{number}: not JSON: {error.msg} in column {error.colno}"
        ) from None
    except RecursionError:
        raise AssayError(f"{origin.name}: not JSON: nested too deeply") from None
    except _BadRowError as bad:
        raise AssayError(f"{_twice(origin.name, text)}: {bad}") from None
    if isinstance(page, list):
        return _array(page, origin.name, wanted)
    return _tree(page, text, origin.name, wanted)


def _twice(name: str, text: str) -> str:
    """Where decoding stops: the line at which a shorter text decodes without that complaint."""
    lines = text.split("\n")
    low, high = 0, len(lines)  # the complaint comes once the first `high` lines are there
    while high - low > 1:
        middle = (low + high) // 2
        try:
            _DECODER.decode("\n".join(lines[:middle]).strip())
            low = middle
        except json.JSONDecodeError:
            low = middle
        except _BadRowError:
            high = middle
    return f"{name}:{high}"


def _array(page: list[Any], name: str, wanted: Wanted) -> Iterator[Rows]:
    taken = _Taken(name, wanted)
    for number, row in enumerate(page, 1):
        where = f"{name}: row {number}"
        try:
            taken.take(row, number, where)
        except _BadRowError as bad:
            if wanted.dropped is None:
                raise AssayError(f"{where}: {bad}") from None
            wanted.dropped.add(bad.kind, where)
    if taken.lines:
        yield taken.rows()


def _tree(page: Any, text: str, name: str, wanted: Wanted) -> Iterator[Rows]:
    """Topics to documents to numbers."""
    kind = wanted.kind
    if not isinstance(page, dict):
        found = _shown(json.dumps(page))
        raise AssayError(
            f"{name}: expected an object of topics, or an array of objects; found {found}"
        )
    topics: list[str] = []
    docs: list[str] = []
    values: list[float] = []
    lines: list[int] = []
    places = _Places(text)
    for topic, listed in page.items():
        if not isinstance(listed, dict):
            where = f"{name}:{places.of(topic)}"
            found = _shown(json.dumps(listed))
            raise AssayError(
                f"{where}: expected an object of documents for topic {topic!r}, found {found}"
            )
        for doc in listed:
            try:
                value = _number(listed, doc, kind, Chosen(0, 1, 2))
                _id({"topic": topic}, "topic")
                _id({"document": doc}, "document")
            except _BadRowError as bad:
                where = f"{name}:{places.of(topic, doc)}"
                if wanted.dropped is None:
                    raise AssayError(f"{where}: topic {topic!r}: {bad}") from None
                wanted.dropped.add(bad.kind, where)
                continue
            if math.isnan(value):
                wanted.unjudged.add(UNJUDGED, f"{name}:{places.of(topic, doc)}")
                continue
            topics.append(topic)
            docs.append(doc)
            values.append(value)
            lines.append(1)
    yield Rows(
        pl.Series("topic", topics, dtype=pl.String),
        pl.Series("doc", docs, dtype=pl.String),
        np.asarray(values, dtype=np.float64),
        NO_PIECE,
        lines,
    )


class _Places:
    """Physical lines of names in a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def of(self, topic: str, doc: str | None = None) -> int:
        at = self._after(topic, 0)
        if doc is not None:
            at = self._after(doc, at)
        return self.text.count("\n", 0, at) + 1

    def _after(self, name: str, at: int) -> int:
        for written in (json.dumps(name), json.dumps(name, ensure_ascii=False)):
            match = re.compile(re.escape(written) + r"\s*:").search(self.text, at)
            if match:
                return match.start()
        return at
