"""Where rows came from: the name that messages use, and the physical lines of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.io.lines import Dropped, Form, read_lines
from assay.io.stream import pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.io.forms import Door
    from assay.io.trec import Rows

__all__ = ["Origin", "TableOrigin", "lines_of"]


@dataclass(frozen=True)
class Origin:
    """Where rows came from: a name for messages, and the file, if any, that can be searched."""

    name: str
    path: str | None = None
    door: Door | None = None  # what reads it, where it is not in TREC form

    def again(self, form: Form, topic: str, doc: str) -> tuple[str, str]:
        """`file:line` of a pair's second row and `, first on line n`, which needs a file."""
        if self.door is not None:
            places = self.door.places(self, form, topic, doc)
            if len(places) < 2:
                return self.name, ""
            first = places[0] if places[0].startswith(" ") else f" line {places[0]}"
            return f"{self.name}:{places[1]}", f", first on{first}"
        lines = [] if self.path is None else lines_of(self.path, form, topic, doc)
        if len(lines) < 2:  # rows made in memory
            return self.name, ""
        return f"{self.name}:{lines[1]}", f", first on line {lines[0]}"


@dataclass(frozen=True)
class TableOrigin(Origin):
    """Rows of a frame, or of an iterable, that is held in memory while they are checked."""

    table: Rows | None = None

    def again(self, form: Form, topic: str, doc: str) -> tuple[str, str]:  # noqa: ARG002 - as above
        """`name: row n` of a pair's second row and `, first on row n`."""
        if self.table is None:
            return self.name, ""
        same = ((self.table.topic == topic) & (self.table.doc == doc)).arg_true()
        if len(same) < 2:
            return self.name, ""
        first, second = (self.table.line(row) for row in same[:2])
        return f"{self.name}: row {second}", f", first on row {first}"


def lines_of(path: str, form: Form, topic: str, doc: str) -> list[int]:
    """Physical numbers of the lines that hold this topic and document."""
    needle = max(topic.encode(), doc.encode(), key=len)
    found: list[int] = []
    for piece in pieces(path):
        for number, line in _lines_with(needle, piece.data, piece.line):
            topics, docs, _, _ = read_lines(line, number, "", form, Dropped())
            if topics == [topic] and docs == [doc]:
                found.append(number)
    return found


def _lines_with(needle: bytes, data: bytes, number: int) -> Iterator[tuple[int, bytes]]:
    at = counted = 0
    while (at := data.find(needle, at)) >= 0:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        number += data.count(b"\n", counted, start)
        yield number, data[start:end]
        at = counted = end
