"""Results that are several tables and a verdict: which of them to show, and in which form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.command import option
from assay.cli.results import show, talk
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.cli.command import Function
    from assay.judges.tabular import Tabular

__all__ = ["FORMS", "deliver", "show_option"]

FORMS = ("table", "json", "csv", "markdown", "latex", "html")


def show_option(main: str) -> Callable[[Function], Function]:
    """Which tables to show."""
    return option(
        "--show",
        "parts",
        multiple=True,
        metavar="TABLE",
        section="Output",
        help=f"A table to show, or all; repeatable [{main}]. json holds all without it.",
    )


def deliver(found: Any, settings: dict[str, Any]) -> None:
    """Write the tables asked for, or `found.main`, and the verdict; notes go to stderr."""
    from assay.show.judges import judges_sheet, text

    every, parts = found.tabulars(), settings["parts"]
    known = list(dict.fromkeys(table.name for table in every))
    for part in parts:
        if part != "all" and part not in known:
            raise AssayError(f"--show {part}: no such table; there are {', '.join(known)}")
    notes, verdict = getattr(found, "notes", ()), found.verdict()
    title = getattr(found, "title", "judges")
    form = settings["form"]
    show(
        judges_sheet(_chosen(found, every, parts, form), verdict, notes, title),
        lambda kind: text(
            _chosen(found, every, parts, kind), kind, verdict=verdict, notes=notes, title=title
        ),
        form,
        settings["output"],
    )
    talk(notes, getattr(found, "warnings", ()))


def _chosen(
    found: Any, every: Sequence[Tabular], parts: Sequence[str], form: str | None
) -> list[Tabular]:
    from assay.judges.tabular import named

    if "all" in parts or (not parts and form == "json"):
        return list(every)
    return named(every, parts or found.main)
