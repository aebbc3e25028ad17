"""A sheet: tables, what they say in words, how they were made; for every form of output."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.show.table import (
    Grid,
    folded,
    html_of,
    in_markdown,
    latex_of,
    markdown_of,
    text_of,
)
from assay.show.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderResult

__all__ = ["Sheet"]

STYLE = (
    "body{font-family:sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.2em .7em;border-bottom:1px solid #ddd}"
    "small{color:#555}"
)


@dataclass(frozen=True)
class Sheet:
    """Tables, then paragraphs, then small print, notes and warnings."""

    title: str
    grids: tuple[Grid, ...]
    paragraphs: tuple[str, ...] = ()
    print: tuple[str, ...] = ()  # how it was made
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def quiet(self) -> Sheet:
        """The same without notes and warnings, which the caller says elsewhere."""
        return Sheet(self.title, self.grids, self.paragraphs, self.print)

    def __str__(self) -> str:
        tables = "\n\n".join(
            "\n".join("".join(text for text, _ in line) for line in text_of([grid]))
            for grid in self.grids
        )
        blocks = [tables] if self.grids else []
        blocks += ["\n".join(part) for part in (self._words(), self._small()) if part]
        return "\n\n".join(blocks)

    def _words(self) -> list[str]:
        return [printable(text) for text in self.paragraphs]

    def _small(self) -> list[str]:
        said = [printable(text) for text in self.print]
        said += [f"note: {printable(text)}" for text in self.notes]
        return said + [f"warning: {printable(text)}" for text in self.warnings]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        plain = not options.encoding.lower().startswith("utf")
        for grid in self.grids:
            for part in folded(grid, options.max_width):
                for line in text_of([part], options.max_width, plain=plain):
                    yield Text.assemble(*line, no_wrap=True, overflow="ignore")
                yield Text()
        for text in self._words():
            yield Text(text)
        if self.paragraphs:
            yield Text()
        for text in self.print:
            yield Text(printable(text), style="dim")
        for text in self.notes:
            yield Text(f"note: {printable(text)}")
        for text in self.warnings:
            yield Text.assemble(("warning: ", "bold yellow"), printable(text))

    def _repr_html_(self) -> str:
        return "\n".join(self._html())

    def _html(self) -> Iterator[str]:
        for grid in self.grids:
            yield html_of([grid])
        for text in self._words():
            yield f"<p>{html.escape(text)}</p>"
        small = [html.escape(printable(text)) for text in self.print]
        small += [f"note: {html.escape(printable(text))}" for text in self.notes]
        small += [f"<b>warning:</b> {html.escape(printable(text))}" for text in self.warnings]
        if small:
            yield "<p><small>" + "<br>\n".join(small) + "</small></p>"

    def to_html(self) -> str:
        """A page that stands by itself."""
        title = html.escape(printable(self.title))
        lines = (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            f"<h1>{title}</h1>",
            self._repr_html_(),
            "</body>",
            "</html>",
        )
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """Pipe tables, with the words and the small print under them."""
        said = [in_markdown(text) for text in (*self.paragraphs, *self.print)]
        said += [f"Note: {in_markdown(text)}" for text in self.notes]
        said += [f"**Warning:** {in_markdown(text)}" for text in self.warnings]
        return "\n\n".join([*([markdown_of(self.grids)] if self.grids else []), *said])

    def to_latex(self) -> str:
        """Tabulars for the package booktabs; everything else as comments."""
        said = [*self._words(), *self._small()]
        return "\n".join(
            [*(latex_of([grid]) for grid in self.grids), *(f"% {text}" for text in said)]
        )
