"""Tables of cells, written for a terminal, a pipe, a notebook, Markdown or LaTeX."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.show.text import cells, padded, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "Grid",
    "Span",
    "folded",
    "html_of",
    "in_markdown",
    "latex_of",
    "markdown_of",
    "text_of",
]

Span = tuple[float, float, float]  # low, value, high
Styled = list[tuple[str, str]]  # pieces of a line with their styles

GAP = 2
NARROWEST = 8  # what a label keeps in a narrow terminal
WIDEST_TITLE = 40
NARROWEST_DRAWING, WIDEST_DRAWING = 20, 60


@dataclass(frozen=True)
class Grid:
    """A table: the first head is its title, the first cell of each row its label."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spans: tuple[Span | None, ...] = ()  # intervals that a wide terminal draws
    cut: bool = True  # whether long labels may be cut in the middle
    left: frozenset[int] = frozenset({0})  # columns that are set left
    folds: bool = False  # whether columns that a terminal cannot hold go below


def folded(grid: Grid, width: int) -> list[Grid]:
    """The grid, or as many grids under each other as its columns need; labels stand before each."""
    widths = _widths([grid])
    longest = max((cells(printable(row[0])) for row in grid.rows), default=0)
    label = max(NARROWEST, min(longest, width * 3 // 10))  # as narrow as it may be set
    keys = next((i for i in range(1, len(grid.heads)) if i not in grid.left), len(grid.heads))
    if sum(GAP + each for each in widths[: keys - 1]) > width // 2:
        keys = 1
    room = width - label - sum(GAP + each for each in widths[: keys - 1])
    if not grid.folds or sum(GAP + each for each in widths[keys - 1 :]) <= room:
        return [grid]
    parts: list[list[int]] = []
    used = width
    for i in range(keys, len(grid.heads)):
        needed = GAP + widths[i - 1]
        if used + needed > room or not parts:
            parts.append([])
            used = 0
        parts[-1].append(i)
        used += needed
    return [_chosen(grid, [*range(keys), *part]) for part in parts]


def _chosen(grid: Grid, columns: list[int]) -> Grid:
    """Some columns of the grid."""
    rows = tuple(tuple(row[i] for i in columns) for row in grid.rows)
    left = frozenset(at for at, i in enumerate(columns) if i in grid.left)
    return replace(grid, heads=tuple(grid.heads[i] for i in columns), rows=rows, left=left)


def text_of(grids: Sequence[Grid], width: int | None = None, *, plain: bool = True) -> list[Styled]:
    """Lines of the grids, one under the other with their columns aligned.

    Without a width, as in a pipe, nothing is cut and nothing drawn.
    """
    widths = _widths(grids)
    label = _label_width(grids, widths, width)
    numbers = sum(GAP + each for each in widths)
    spare = 0 if width is None else width - label - numbers - GAP
    drawn = min(spare, WIDEST_DRAWING) if spare >= NARROWEST_DRAWING else 0
    lines: list[Styled] = []
    for grid in grids:
        if lines:
            lines.append([])
        lines += _grid(grid, widths, label, drawn, plain=plain, cut=width is not None)
    return lines


def _widths(grids: Sequence[Grid]) -> list[int]:
    """Width of each column after the first."""
    rows = [row for grid in grids for row in (grid.heads, *grid.rows)]
    most = max((len(row) for row in rows), default=1)
    return [max(cells(printable(row[i])) for row in rows if i < len(row)) for i in range(1, most)]


def _label_width(grids: Sequence[Grid], widths: list[int], width: int | None) -> int:
    labels = [cells(printable(row[0])) for grid in grids for row in grid.rows]
    titles = [cells(printable(grid.heads[0])) for grid in grids]
    label = max([*labels, *(title for title in titles if title <= WIDEST_TITLE)], default=0)
    if width is None:
        return label
    return min(label, max(NARROWEST, width - sum(GAP + each for each in widths)))


def _grid(
    grid: Grid, widths: list[int], label: int, drawn: int, *, plain: bool, cut: bool
) -> Iterator[Styled]:
    title = printable(grid.heads[0])
    heads = _aligned(grid, grid.heads, widths)
    spans = [span for span in grid.spans if span is not None]
    low, high = min((s[0] for s in spans), default=0.0), max((s[2] for s in spans), default=0.0)
    if drawn and spans:
        ends = f"{low:.2f}", f"{high:.2f}"
        heads += " " * GAP + ends[0] + padded(ends[1], drawn - len(ends[0]))
    if cells(title) > label:
        yield [(title, "bold")]
        title = ""
    yield [((padded(title, label, left=True) + heads).rstrip(), "bold")]
    names = [printable(row[0]) for row in grid.rows]
    if grid.cut and cut:
        names = shortened(names, label)
    for i, (name, row) in enumerate(zip(names, grid.rows, strict=True)):
        if cells(name) > label:
            yield [(name, "")]
            name = ""  # noqa: PLW2901 - its numbers follow on a line of their own
        line = padded(name, label, left=True) + _aligned(grid, row, widths)
        span = grid.spans[i] if i < len(grid.spans) else None
        if drawn and span is not None:
            pieces = [(line + " " * GAP, ""), (_drawn(span, low, high, drawn, plain=plain), "cyan")]
            yield pieces
        else:
            yield [(line.rstrip(), "")]


def _aligned(grid: Grid, row: Sequence[str], widths: list[int]) -> str:
    return "".join(
        " " * GAP + padded(printable(cell), widths[i - 1], left=i in grid.left)
        for i, cell in enumerate(row)
        if i
    )


def _drawn(span: Span, low: float, high: float, width: int, *, plain: bool) -> str:
    """An interval on the scale from low to high."""
    begin, point, end = (
        round((x - low) / (high - low) * (width - 1)) if high > low else width // 2 for x in span
    )
    bar, left, right, dot = ("-", "|", "|", "o") if plain else ("─", "├", "┤", "●")
    line = [" "] * width
    line[begin : end + 1] = bar * (end + 1 - begin)
    line[begin], line[end] = left, right
    line[point] = dot
    return "".join(line).rstrip()


def html_of(grids: Sequence[Grid]) -> str:
    """One HTML table; everything in it is escaped."""
    rows = []
    for grid in grids:
        rows.append(
            "<tr>"
            + "".join(_cell("th", grid, i, head) for i, head in enumerate(grid.heads))
            + "</tr>"
        )
        rows += [
            "<tr>" + "".join(_cell("td", grid, i, cell) for i, cell in enumerate(row)) + "</tr>"
            for row in grid.rows
        ]
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _cell(tag: str, grid: Grid, i: int, text: str) -> str:
    side = "left" if i in grid.left else "right"
    return f'<{tag} style="text-align:{side}">{html.escape(printable(text))}</{tag}>'


def markdown_of(grids: Sequence[Grid]) -> str:
    """Pipe tables, one for each grid."""
    return "\n\n".join(_markdown(grid) for grid in grids)


def _markdown(grid: Grid) -> str:
    rule = ["---" if i in grid.left else "---:" for i in range(len(grid.heads))]
    lines = [map(in_markdown, row) for row in (grid.heads, *grid.rows)]
    table = [list(lines[0]), rule, *lines[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in table)


_MARKDOWN = str.maketrans({c: "\\" + c for c in "\\`*_[]<>|~"})


def in_markdown(text: str) -> str:
    """Text that Markdown shows as it is, whatever ids and labels hold."""
    return printable(text).translate(_MARKDOWN)


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        **{c: "\\" + c for c in "&%$#_"},
    }
)


def latex_of(grids: Sequence[Grid]) -> str:
    """A tabular with the rules of booktabs."""
    most = max(len(grid.heads) for grid in grids)
    columns = "".join("l" if i in grids[0].left else "r" for i in range(most))
    lines = [r"\begin{tabular}{" + columns + "}", r"\toprule"]
    for i, grid in enumerate(grids):
        if i:
            lines.append(r"\midrule")
        lines += [_latex(grid.heads, most), r"\midrule", *(_latex(row, most) for row in grid.rows)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _latex(row: Sequence[str], most: int) -> str:
    filled = [_minus(in_latex(cell)) for cell in row]
    filled += [""] * (most - len(row))
    return " & ".join(filled).rstrip() + r" \\"


def in_latex(text: str) -> str:
    """Text that LaTeX sets as it is, whatever ids and labels hold."""
    return printable(text).translate(_LATEX)


def _minus(cell: str) -> str:
    """A minus sign, not a hyphen, before a number."""
    return f"$-${cell[1:]}" if cell[:1] == "-" and cell[1:2].isdigit() else cell
