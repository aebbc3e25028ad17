"""Tables of judges and of studies, with their verdict, in every form of output."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from assay.judges.tabular import Tabular, plain
from assay.show.sheet import Sheet
from assay.show.table import Grid
from assay.show.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["FORMATS", "judges_sheet", "text"]

FORMATS = ("table", "json", "csv", "markdown", "latex", "html")


def judges_sheet(
    tables: Sequence[Tabular], verdict: str = "", notes: Sequence[str] = (), title: str = "judges"
) -> Sheet:
    """The tables one under the other, the verdict, and each table's notes, once."""
    said = [f"{table.title}: {note}" for table in tables for note in table.notes]
    return Sheet(
        title,
        tuple(_grid(table) for table in tables),
        (verdict,) if verdict else (),
        tuple(dict.fromkeys(said)),
        tuple(notes),
    )


def _grid(table: Tabular) -> Grid:
    left = {
        i for i in range(len(table.heads)) if any(isinstance(row[i], str) for row in table.rows)
    }
    rows = tuple(tuple(map(_cell, row)) for row in table.rows)
    first = table.title if table.title == table.heads[0] else f"{table.title}: {table.heads[0]}"
    return Grid((first, *table.heads[1:]), rows, left=frozenset(left | {0}), folds=True)


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    return str(cell) if isinstance(cell, int) else number(float(cell))


def text(
    tables: Sequence[Tabular],
    form: str,
    *,
    verdict: str,
    notes: Sequence[str],
    title: str = "judges",
) -> Iterator[str]:
    """The tables in a form for programs or for papers."""
    if form == "json":
        yield from _json(tables, verdict, notes)
    elif form == "csv":
        yield _csv(tables)
    else:
        yield getattr(judges_sheet(tables, verdict, notes, title), f"to_{form}")() + "\n"


def _json(tables: Sequence[Tabular], verdict: str, notes: Sequence[str]) -> Iterator[str]:
    from assay import __version__
    from assay.show.records import json_of

    head = {"assay": __version__, "verdict": verdict, "notes": list(notes)}
    listed = [
        {"name": each.name, "title": each.title, "notes": list(each.notes), "rows": each.records()}
        for each in tables
    ]
    yield from json_of(head, tables=listed)


def _csv(tables: Sequence[Tabular]) -> str:
    """One kind of table as it is; several in long form: table, title, row, column, value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if len({(table.name, table.heads) for table in tables}) == 1:
        writer.writerow(tables[0].heads)
        for table in tables:
            writer.writerows([_exact(cell) for cell in row] for row in table.rows)
        return out.getvalue()
    writer.writerow(("table", "title", "row", "column", "value"))
    for table in tables:
        for i, row in enumerate(table.rows, 1):
            for head, cell in zip(table.heads, row, strict=True):
                writer.writerow((table.name, table.title, i, head, _exact(cell)))
    return out.getvalue()


def _exact(cell: Any) -> Any:
    value = plain(cell)
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else value
