"""Files of preferences: which of two documents a judge found better, one statement a line.

Forms without a head are told apart by their columns, forms with a head and JSON lines by names.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.io.lines import Dropped, data_lines
from assay.io.stream import pieces

if TYPE_CHECKING:
    from assay.io.locate import Origin

__all__ = ["FORMS", "Graded", "Statements", "read_statements"]

# name of each form without a head: how its lines look
FORMS = {
    "pairs": "`topic better worse` or `topic judge better worse`; a tie as `topic doc = doc`",
    "verdicts": "`topic doc doc winner` or `topic judge doc doc winner`; a tie as winner `=`",
    "prefs": "`topic judge group doc level` (trec_eval's prefs)",
    "marked": "`@ topic better worse !`; `=` for a tie, `?` for no verdict",
}
SIGNS = {">": (False, False), "<": (True, False), "=": (False, True)}  # turned round, tie
SAMPLE = 1000  # lines that tell a form
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORDS = {
    "topic": ("topic", "query", "qid", "query_id"),
    "judge": ("judge", "assessor", "annotator", "user"),
    "group": ("group",),
    "better": ("better", "preferred"),
    "worse": ("worse",),
    "first": ("doc1", "doc_1", "doc_a", "a", "left"),
    "second": ("doc2", "doc_2", "doc_b", "b", "right"),
    "winner": ("winner",),
    "tie": ("tie",),
    "votes": ("votes", "count"),
}
_NAME = {word: name for name, words in _WORDS.items() for word in words}
_NAMED = "topic, better, worse (or topic, doc1, doc2, winner) and, if you like, judge, tie, votes"
_TRUE = {
    "1": True,
    "true": True,
    "yes": True,
    "=": True,
    "0": False,
    "false": False,
    "no": False,
    "": False,
}


@dataclass
class Statements:
    """Columns of statements; `line` is the physical line of each."""

    topic: list[str] = field(default_factory=list)
    judge: list[str | None] = field(default_factory=list)
    better: list[str] = field(default_factory=list)
    worse: list[str] = field(default_factory=list)
    tie: list[bool] = field(default_factory=list)
    votes: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)


@dataclass
class Graded:
    """Rows of trec_eval's prefs: levels within a judge's groups of documents."""

    rows: list[tuple[str, str, str, str, float, int]] = field(default_factory=list)


class _BadLineError(Exception):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


# topic, judge, better, worse, tie, votes; None: nothing is stated
_Parsed = tuple[str, str | None, str, str, bool, int] | None
_Reader = Callable[[list[str]], _Parsed]


def read_statements(
    origin: Origin, form: str | None, dropped: Dropped | None
) -> tuple[Statements | Graded, str | None]:
    """The statements of a file, and a remark on how its lines were understood, if one is due."""
    if form is not None and form not in FORMS:
        words = ", ".join(map(repr, [*FORMS, "qrels_prefs"]))
        raise AssayError(f"format={form!r}: must be one of {words}, or None to find out")
    lines = [
        each
        for piece in pieces(origin.path or origin.name, name=origin.name)
        for each in data_lines(piece.data, piece.line)
    ]
    if not lines:
        raise AssayError(f"{origin.name}: no data: expected preferences, {_all_forms()}")
    first = lines[0][1].decode("utf-8", "replace").lower()
    if form is None and first.lstrip().startswith("{"):
        return _statements(_from_json(lines, origin.name, dropped)), None
    separator: str | None = next((mark for mark in "\t," if mark in first), None)
    head = [
        name.strip().strip('"') for name in (first.split(separator) if separator else first.split())
    ]
    if form is None and {"topic", "query", "qid", "query_id"} & set(head):
        return _statements(_from_table(lines, separator, origin.name, dropped)), None
    split = _commas if separator == "," and len(first.split()) < 3 else str.split
    form, judged, remark = _told_apart(lines, split, form, origin)
    if form == "prefs":
        return _graded(lines, origin.name, dropped), remark
    readers: dict[str, _Reader] = {
        "pairs": lambda fields: _pair(fields, judged=judged),
        "verdicts": lambda fields: _verdict(fields, judged=judged),
        "marked": _marked,
    }
    read = readers[form]
    rows = _each(lines, lambda text: read(split(text)), origin.name, dropped)
    return _statements(rows), remark


def _all_forms() -> str:
    return "; or ".join(FORMS.values())


def _statements(rows: Iterator[tuple[int, _Parsed]]) -> Statements:
    found = Statements()
    for number, row in rows:
        if row is None:
            continue
        topic, judge, better, worse, tie, votes = row
        if tie and worse < better:  # a tie has one writing
            better, worse = worse, better
        found.topic.append(topic)
        found.judge.append(judge)
        found.better.append(better)
        found.worse.append(worse)
        found.tie.append(tie)
        found.votes.append(votes)
        found.line.append(number)
    return found


def _each(
    lines: list[tuple[int, bytes]],
    read: Callable[[str], _Parsed],
    name: str,
    dropped: Dropped | None,
) -> Iterator[tuple[int, _Parsed]]:
    """Each line read; a bad one is an error, or left out and counted."""
    for number, line in lines:
        where = f"{name}:{number}"
        try:
            row = _of_two(read(_decoded(line)))
        except _BadLineError as bad:
            if dropped is None:
                raise AssayError(f"{where}: {bad}") from None
            dropped.add(bad.kind, where)
            continue
        yield number, row


def _of_two(row: _Parsed) -> _Parsed:
    if row is not None and row[2] == row[3]:
        kind = "a document compared with itself"
        raise _BadLineError(kind, f"document {row[2]!r} is compared with itself")
    return row


def _decoded(line: bytes) -> str:
    if b"\0" in line:
        raise _BadLineError("binary data", "a NUL byte: this is binary data; expected text")
    try:
        return line.decode().removesuffix("\r")
    except UnicodeDecodeError as error:
        bad = f"byte {line[error.start]:#04x} is not valid UTF-8; expected UTF-8 text"
        raise _BadLineError("invalid UTF-8", bad) from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


# --------------------------------------------------------------------------------- without a head


def _commas(text: str) -> list[str]:
    try:
        fields = next(csv.reader([text], strict=True))
    except csv.Error as error:
        bad = f"{error}; a quoted field must end on its own line: {_shown(text)}"
        raise _BadLineError("broken quotes", bad) from None
    return [each.strip() for each in fields]


def _told_apart(
    lines: list[tuple[int, bytes]],
    split: Callable[[str], list[str]],
    form: str | None,
    origin: Origin,
) -> tuple[str, bool, str | None]:
    """The form, whether it names a judge, and a remark for the reader."""
    rows: list[list[str]] = []
    for _, line in lines[:SAMPLE]:
        try:
            rows.append(split(line.decode("utf-8", "replace")))
        except _BadLineError:
            continue
    if form is None:
        form = _guessed(rows, lines[0][0], origin)
    core = Counter(_core(fields, form) for fields in rows)
    width = max(core, key=lambda n: (core[n], n))
    judged = width > (3 if form == "pairs" else 4)
    plain = form == "pairs" and not judged and not any(_signed(fields) for fields in rows)
    remark = "three columns, read as topic, better, worse" if plain else None
    return form, judged, remark


def _signed(fields: list[str]) -> bool:
    return len(fields) > 3 and (fields[-2] in SIGNS or fields[-1] == "=")


def _core(fields: list[str], form: str) -> int:
    return len(fields) - (form == "pairs" and _signed(fields))


def _guessed(rows: list[list[str]], line: int, origin: Origin) -> str:
    where, widths = f"{origin.name}:{line}", Counter(map(len, rows))
    width = max(widths, key=lambda n: (widths[n], n))
    shown = _shown(" ".join(rows[0])) if rows else "nothing"
    if any(fields[0] == "@" for fields in rows if fields):
        return "marked"
    if _has_winners([fields for fields in rows if len(fields) in (4, 5)]):
        return "verdicts"
    numbers = sum(len(fields) == width and bool(_NUMBER.fullmatch(fields[-1])) for fields in rows)
    if width == 4 and numbers == widths[4] and not any(map(_signed, rows)):
        raise AssayError(
            f"{where}: these look like judgments (topic iteration doc grade), not preferences: "
            f"{shown}. Read them as such: assay.read_judgments(...).to_preferences(), or "
            "format='qrels_prefs' (--format qrels_prefs)"
        )
    if width == 5 and numbers:
        return "prefs"
    if width in (3, 4, 5):
        if width == 3 and PurePath(origin.name).name.lower().startswith("request"):
            raise AssayError(
                f"{where}: by its name this file requests verdicts: pairs still to be judged, of "
                f"which none is said to be better: {shown}. If the second column is the better "
                "document, say so: format='pairs' (--format pairs)"
            )
        return "pairs"
    hint = ". This looks like a run" if width == 6 else ""
    raise AssayError(
        f"{where}: expected preferences, {_all_forms()}; found {width} columns: {shown}{hint}"
    )


def _has_winners(rows: list[list[str]]) -> bool:
    """Whether the last column names one of the two documents before it.

    In judgments with the iteration 0 it does so by chance, at grade 0, but never the nearer one.
    """
    named = sum(fields[-1] in (*fields[-3:-1], "=") for fields in rows)
    sure = any(
        fields[-1] in fields[-3:-1]
        and (fields[-1] == fields[-2] or not _NUMBER.fullmatch(fields[-1]))
        for fields in rows
    )
    return sure and 2 * named >= len(rows)


def _columns(fields: list[str], wanted: int, form: str) -> list[str]:
    if len(fields) != wanted:
        found = _shown(" ".join(fields))
        message = f"expected {wanted} columns, {FORMS[form]}; found {len(fields)}: {found}"
        raise _BadLineError("a wrong number of columns", message)
    return fields


def _pair(fields: list[str], *, judged: bool) -> _Parsed:
    width, sign = 4 if judged else 3, ">"
    if len(fields) == width + 1 and fields[-2] in SIGNS:
        sign = fields[-2]
        fields = [*fields[:-2], fields[-1]]
    elif len(fields) == width + 1 and fields[-1] == "=":
        *fields, sign = fields
    topic, *judge, a, b = _columns(fields, width, "pairs")
    turned, tie = SIGNS[sign]
    return topic, judge[0] if judge else None, b if turned else a, a if turned else b, tie, 1


def _verdict(fields: list[str], *, judged: bool) -> _Parsed:
    topic, *judge, a, b, winner = _columns(fields, 5 if judged else 4, "verdicts")
    return topic, judge[0] if judge else None, *_won(a, b, winner), 1


def _won(a: str, b: str, winner: str) -> tuple[str, str, bool]:
    if winner not in (a, b, "="):
        message = f"the winner {winner!r} is neither {a!r} nor {b!r}, nor `=` for a tie"
        raise _BadLineError("a winner that was not compared", message)
    return (b, a, False) if winner == b and winner != a else (a, b, winner == "=")


def _marked(fields: list[str]) -> _Parsed:
    at, topic, a, b, mark = _columns(fields, 5, "marked")
    if at != "@" or mark not in ("!", "=", "?"):
        found = _shown(" ".join(fields))
        raise _BadLineError("an unknown mark", f"expected {FORMS['marked']}; found {found}")
    return None if mark == "?" else (topic, None, a, b, mark == "=", 1)


def _graded(lines: list[tuple[int, bytes]], name: str, dropped: Dropped | None) -> Graded:
    found = Graded()

    def take(text: str) -> _Parsed:
        topic, judge, group, doc, level = _columns(text.split(), 5, "prefs")
        value = float(level) if _NUMBER.fullmatch(level) else math.nan
        if not math.isfinite(value):
            message = f"expected a finite number as level in column 5, found {_shown(level)}"
            raise _BadLineError("no number as level", message)
        found.rows.append((topic, judge, group, doc, value, 0))
        return None

    for number, _ in _each(lines, take, name, dropped):
        found.rows[-1] = (*found.rows[-1][:5], number)
    return found


# ----------------------------------------------------------------------------------------- by name


def _from_table(
    lines: list[tuple[int, bytes]], separator: str | None, name: str, dropped: Dropped | None
) -> Iterator[tuple[int, _Parsed]]:
    """Lines under a head, split at tabs, commas or white space."""
    splits: dict[str | None, Callable[[str], list[str]]] = {
        ",": _commas,
        "\t": lambda text: [each.strip() for each in text.split("\t")],
        None: str.split,
    }
    split = splits[separator]
    number, line = lines[0]
    try:
        heads = [_NAME.get(each.lower(), each.lower()) for each in split(_decoded(line))]
    except _BadLineError as bad:
        raise AssayError(f"{name}:{number}: {bad}") from None
    _check_names(heads, f"{name}:{number}")

    def read(text: str) -> _Parsed:
        fields = split(text)
        if len(fields) != len(heads):
            found = f"found {len(fields)}: {_shown(text)}"
            message = f"expected {len(heads)} columns as in the head, {found}"
            raise _BadLineError("a wrong number of columns", message)
        return _by_name(dict(zip(heads, fields, strict=True)))

    return _each(lines[1:], read, name, dropped)


def _check_names(names: list[str], where: str) -> None:
    whole = {"topic", "better", "worse"} <= set(names)
    whole |= {"topic", "first", "second", "winner"} <= set(names)
    if not whole or len(set(names)) < len(names):
        raise AssayError(f"{where}: expected columns named {_NAMED}; found {', '.join(names)}")


def _from_json(
    lines: list[tuple[int, bytes]], name: str, dropped: Dropped | None
) -> Iterator[tuple[int, _Parsed]]:
    def read(text: str) -> _Parsed:
        try:
            found = json.loads(text)
        except json.JSONDecodeError as error:
            message = f"not JSON: {error.msg} in column {error.colno}: {_shown(text)}"
            raise _BadLineError("broken JSON", message) from None
        if not isinstance(found, dict):
            raise _BadLineError("no JSON object", f"expected a JSON object, found {_shown(text)}")
        row = {_NAME.get(str(key).lower(), str(key)): value for key, value in found.items()}
        return _by_name(row)

    return _each(lines, read, name, dropped)


def _by_name(row: Mapping[str, Any]) -> _Parsed:
    topic, judge = _text(row, "topic"), row.get("judge")
    tie = row.get("tie", "")
    tied = tie if isinstance(tie, bool) else _TRUE.get(str(tie).strip().lower())
    if tied is None:
        raise _BadLineError(
            "an unknown tie", f"tie must be true or false, found {_shown(str(tie))}"
        )
    if "winner" in row:
        a, b, won = _won(_text(row, "first"), _text(row, "second"), _text(row, "winner"))
        tied |= won
    else:
        a, b = _text(row, "better"), _text(row, "worse")
    who = None if judge is None or judge == "" else str(judge)
    return topic, who, a, b, tied, _votes(row.get("votes", 1))


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    good = isinstance(value, str | int) and not isinstance(value, bool) and str(value) != ""
    if not good:
        raise _BadLineError(
            f"no {name}", f"no {name}: expected {_NAMED}; found {_shown(str(dict(row)))}"
        )
    return str(value)


def _votes(value: Any) -> int:
    text = "1" if value in (None, "") else str(value)
    if isinstance(value, bool) or not text.isascii() or not text.isdigit() or int(text) < 1:
        message = f"votes must be a whole number from 1, found {_shown(text)}"
        raise _BadLineError("no number of votes", message)
    return int(text)
