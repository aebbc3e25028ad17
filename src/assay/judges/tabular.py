"""A table as data: heads and rows of raw values, from which every form of output is made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "Array",
    "Tabular",
    "Tabulars",
    "Value",
    "led",
    "listed",
    "merged",
    "named",
    "page",
    "plain",
    "whole",
]

Array = np.ndarray[Any, np.dtype[Any]]
Value = str | int | float | None


@dataclass(frozen=True)
class Tabular:
    """One table; cells are text, numbers, or None where there is nothing to tell."""

    name: str  # one word, which the command line takes
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]  # of text, numbers and None
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Value]]:
        """A dictionary for each row; NaN becomes None."""
        return [
            {head: plain(cell) for head, cell in zip(self.heads, row, strict=True)}
            for row in self.rows
        ]


class Tabulars(Protocol):
    """Whatever can be shown as tables."""

    def tabulars(self) -> tuple[Tabular, ...]:
        """Return the tables."""
        ...

    def verdict(self) -> str:
        """Say in words what they show."""
        ...


def merged(tables: Iterable[Tabular]) -> tuple[Tabular, ...]:
    """Tables of one name and the same heads as one, in order of first appearance."""
    found: dict[tuple[str, tuple[str, ...]], list[Tabular]] = {}
    for table in tables:
        found.setdefault((table.name, table.heads), []).append(table)
    out = []
    for same in found.values():
        rows = tuple(row for table in same for row in table.rows)
        notes = dict.fromkeys(note for table in same for note in table.notes)
        out.append(replace(same[0], rows=rows, notes=tuple(notes)))
    return tuple(out)


def led(table: Tabular, lead: Mapping[str, str]) -> Tabular:
    """The table with columns before its own that say what all its rows are about."""
    rows = tuple((*lead.values(), *row) for row in table.rows)
    return replace(table, heads=(*lead, *table.heads), rows=rows)


def plain(cell: Any) -> Value:
    """A Python value; None for NaN and infinity."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if isinstance(cell, float) and not np.isfinite(cell):
        return None
    value: Value = cell
    return value


def whole(x: float) -> int | float:
    """A whole number as such, so that ranks show no decimals."""
    return int(x) if float(x).is_integer() else float(x)


def listed(names: Sequence[str], most: int = 6) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def named(tables: Iterable[Tabular], names: Sequence[str]) -> list[Tabular]:
    """The tables of these names, each with the same by group of topics, where there are groups."""
    return [each for each in tables if {each.name, each.name.removesuffix("-groups")} & {*names}]


def page(result: Tabulars, *names: str) -> Any:
    """The tables of a result, or those named, as a sheet that prints itself, with the verdict."""
    from assay.show.judges import judges_sheet

    found = named(result.tabulars(), names) if names else result.tabulars()
    title = getattr(result, "title", "judges")
    return judges_sheet(found, result.verdict(), getattr(result, "notes", ()), title)
