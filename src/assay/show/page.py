"""A page of tables with remarks: it prints itself in a terminal, a pipe and a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.show.table import Grid, html_of, latex_of, markdown_of, text_of
from assay.show.text import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

__all__ = ["Page"]


@dataclass(frozen=True)
class Page:
    """Tables one under the other, each with its own columns, and remarks below them."""

    grids: tuple[Grid, ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        tables = "\n\n".join(self._plain(grid) for grid in self.grids)
        said = [f"note: {printable(text)}" for text in self.notes]
        return "\n".join([tables, *([""] if said else []), *said])

    @staticmethod
    def _plain(grid: Grid) -> str:
        return "\n".join("".join(text for text, _ in line) for line in text_of([grid]))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        plain = not options.encoding.lower().startswith("utf")
        for i, grid in enumerate(self.grids):
            if i:
                yield Text()
            for line in text_of([grid], options.max_width, plain=plain):
                yield Text.assemble(*line, no_wrap=True, overflow="ignore")
        if self.notes:
            yield Text()
        for text in self.notes:
            yield Text(f"note: {printable(text)}")

    def _repr_html_(self) -> str:
        import html

        said = "<br>\n".join(f"note: {html.escape(printable(text))}" for text in self.notes)
        return "\n".join(html_of([grid]) for grid in self.grids) + (
            f"\n<p>{said}</p>" if said else ""
        )

    def to_markdown(self) -> str:
        """Pipe tables."""
        return "\n\n".join(
            [markdown_of(self.grids), *(f"Note: {printable(text)}" for text in self.notes)]
        )

    def to_latex(self) -> str:
        """Tabulars for the package booktabs, remarks as comments."""
        tables = [latex_of([grid]) for grid in self.grids]
        return "\n".join([*tables, *(f"% note: {printable(text)}" for text in self.notes)])
