"""Sets of documents, one for each topic: what a user knew before, what a user wanted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DocumentSets"]

Sets = dict[str, frozenset[str]]


class DocumentSets:
    """The documents of each topic, from a mapping of topic to documents or from a file.

    A file has lines `topic doc`, or the lines of judgments, of which grades above 0 count; it is
    read when it is needed. Equal where the file is the same, or the documents are.
    """

    def __init__(self, given: Mapping[str, Any] | str | Path) -> None:
        self.source = None if isinstance(given, Mapping) else str(given)
        if isinstance(given, Mapping):
            self.__dict__["of"] = _from_mapping(given)

    @cached_property
    def of(self) -> Sets:
        """Topic to documents."""
        return _from_file(str(self.source))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DocumentSets):
            return NotImplemented
        if self.source is not None or other.source is not None:
            return self.source == other.source
        return self.of == other.of

    def __hash__(self) -> int:
        return hash(self.source or frozenset(self.of.items()))

    def __repr__(self) -> str:
        if self.source is not None:
            return repr(self.source)
        return f"<{sum(map(len, self.of.values()))} documents of {len(self.of)} topics>"


def _from_mapping(given: Mapping[str, Any]) -> Sets:
    found: Sets = {}
    for topic, docs in given.items():
        if isinstance(docs, str | bytes) or not hasattr(docs, "__iter__"):
            raise AssayError(
                f"has {docs!r} for topic {topic!r}; expected the ids of documents, such as ['d1']"
            )
        found[str(topic)] = frozenset(map(str, docs))
    return found


def _from_file(path: str) -> Sets:
    from assay.io.lines import data_lines
    from assay.io.stream import pieces

    found: dict[str, set[str]] = {}
    for piece in pieces(path):
        for number, line in data_lines(piece.data, piece.line):
            topic, doc, belongs = _fields(line, f"{path}:{number}")
            if belongs:
                found.setdefault(topic, set()).add(doc)
    if not found:
        raise AssayError(f"{path}: no documents: expected lines of 2 columns (topic doc)")
    return {topic: frozenset(docs) for topic, docs in found.items()}


def _fields(line: bytes, where: str) -> tuple[str, str, bool]:
    """Topic and document of a line, and whether the document belongs to the set."""
    expected = "expected 2 columns (topic doc) or judgments (topic iteration doc grade)"
    try:
        fields = line.decode().split()
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise AssayError(f"{where}: byte {byte:#04x} is not valid UTF-8; {expected}") from None
    if len(fields) == 2:
        return fields[0], fields[1], True
    if len(fields) == 4:
        try:
            return fields[0], fields[2], float(fields[3]) > 0
        except ValueError:
            raise AssayError(f"{where}: the grade {fields[3]!r} is no number; {expected}") from None
    shown = line.decode().strip()[:80]
    raise AssayError(f"{where}: {expected}, found {len(fields)}: {shown!r}")
