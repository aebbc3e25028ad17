"""A table as data: heads and rows of raw values, from which every form of output is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

__all__ = ["Array", "Sheet", "Sheets", "page", "plain"]

Array = np.ndarray[Any, np.dtype[Any]]
Value = str | int | float | None


@dataclass(frozen=True)
class Sheet:
    """One table; cells are text, numbers, or None where there is nothing to tell."""

    name: str  # one word, which the command line takes
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Value]]:
        """A dictionary for each row; NaN becomes None."""
        return [
            {head: plain(cell) for head, cell in zip(self.heads, row, strict=True)}
            for row in self.rows
        ]


class Sheets(Protocol):
    """Whatever can be shown as tables."""

    def sheets(self) -> tuple[Sheet, ...]:
        """Return the tables."""
        ...


def plain(cell: Any) -> Value:
    """A Python value; None for NaN and infinity."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if isinstance(cell, float) and not np.isfinite(cell):
        return None
    value: Value = cell
    return value


def page(result: Sheets, *names: str) -> Any:
    """The tables of a result, or those named, as a page that prints itself."""
    from assay.show.judges import sheets_page

    found = result.sheets()
    return sheets_page([each for each in found if not names or each.name in names])
