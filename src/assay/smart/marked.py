"""SMART's files: `.I 7` begins a record, `.T` its title, `.W` its words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.errors import AssayError
from assay.smart.lines import Filed, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Record", "bare", "records"]

MARK = re.compile(r"\.([A-Z])(?:\s+(\S+))?\s*")


@dataclass
class Record:
    """One record: its id and, by mark, its lines."""

    where: str
    id: str
    parts: dict[str, list[str]] = field(default_factory=dict)

    def text(self, mark: str) -> str:
        """The lines under a mark, as one text."""
        return "\n".join(self.parts.get(mark, ()))


def records(filed: Filed) -> Iterator[Record]:
    """The records of a file in their order."""
    record: Record | None = None
    part: list[str] = []
    for where, line in numbered(filed):
        mark = MARK.fullmatch(line)
        if mark is not None and mark[1] == "I":
            if mark[2] is None:
                raise AssayError(f"{where}: expected .I and an id, found {line!r}")
            if record is not None:
                yield record
            record = Record(where, bare(mark[2]))
        elif record is None:
            raise AssayError(f"{where}: expected .I and an id before anything else, found {line!r}")
        elif mark is not None and mark[2] is None:
            part = record.parts.setdefault(mark[1], [])
        elif not record.parts:
            raise AssayError(f"{where}: expected a mark such as .T or .W, found {line!r}")
        else:
            part.append(line)
    if record is not None:
        yield record


def bare(id_: str) -> str:
    """An id as the collections' judgments write it: numbers without zeros before them."""
    return str(int(id_)) if id_.isascii() and id_.isdigit() else id_
