"""An explanation as a person reads it: the list, the ideal beside it, the division, other tools."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay import __version__
from assay.show.table import Grid, html_of, text_of
from assay.show.text import cells, number, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderResult

    from assay.explanation import Explanation, Step

__all__ = ["ExplanationTable"]

SHORTEST = 10  # what a document id keeps in a narrow terminal
ALWAYS = 10  # ranks that are shown whatever stands there
NARROW = 20  # what reasons need to stand beside the values of other tools
FEWEST = 4  # unjudged documents in a row that are told in one line


@dataclass(frozen=True)
class ExplanationTable:
    """An explanation; prints itself in a terminal, a pipe and a notebook."""

    explanation: Explanation
    rows: int | None = 40

    def __str__(self) -> str:
        return "\n".join(text.rstrip() for text, _ in self._lines(None))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        for text, style in self._lines(options.max_width):
            yield Text(text, style=style, no_wrap=True, overflow="ignore")

    def _repr_html_(self) -> str:
        import html

        said = [self._title, *self._under()]
        paragraphs = [f"<p>{html.escape(text)}</p>" for text in said]
        lists, tools = html_of(self._lists(None)), html_of([_grid(_tools(self.explanation))])
        return "\n".join([paragraphs[0], lists, *paragraphs[1:], tools])

    @property
    def _title(self) -> str:
        about = self.explanation
        return printable(f"{about.measure}, run {about.run}, topic {about.topic}")

    def _lines(self, width: int | None) -> Iterator[tuple[str, str]]:
        """Lines with their styles."""
        yield self._title, "bold"
        formula = self.explanation.measure.definition.formula
        if formula:
            for line in _wrapped(formula, width):
                yield line, "dim"
        yield "", ""
        if not self.explanation.steps:
            yield "the run has no document for this topic", ""
        for grid in self._lists(width):
            if len(grid.rows):
                for pieces in text_of([grid]):
                    yield "".join(text for text, _ in pieces), pieces[0][1]
                yield "", ""
        yield self.explanation.last, "bold"
        for text in self._under():
            for line in _wrapped(text, width):
                yield line, "dim"
        yield "", ""
        yield from self._tool_lines(width)
        yield "", ""
        for line in _wrapped(f"assay {__version__}: {self.explanation.policy}", width):
            yield line, "dim"

    def _under(self) -> Iterator[str]:
        """What the signs in the list mean, and notes."""
        about = self.explanation
        shown = about.value, about.reason
        if about.reason:
            yield (
                f"{about.reason} ({number(shown[0])})" if not math.isnan(shown[0]) else about.reason
            )
        if any(step.grade is None for step in self._shown()[0]):
            mode = about.measure.unjudged or about.policy.unjudged
            treated = {
                "nonrelevant": "counted as not relevant",
                "condensed": "taken out before ranks are given",
            }.get(mode, mode)
            yield f"?  unjudged: {treated}"
        if self._ties():
            order = {
                "trec": "ordered by document id, descending",
                "expected": "the expected value over their orders counts",
                "best": "in the best order",
                "worst": "in the worst order",
            }[about.policy.ties]
            yield f"tie  a letter marks equal scores: {order}"
        if any(text.endswith(" more") for _, text in self._shown()[1]):
            yield "--rows 0 shows the whole list (rows=None in Python)"
        yield from (f"note: {note}" for note in about.notes)

    # -------------------------------------------------------------------------------------- lists

    def _lists(self, width: int | None) -> list[Grid]:
        """The list with the ideal beside it, or below it where there is no room."""
        for room in (None, 24, 16, SHORTEST):
            beside = self._beside(room)
            if beside is None:
                break
            if width is None or _width_of(beside) <= width:
                return [beside]
        for room in (None, 24, 16, SHORTEST):
            apart = [self._list(room), self._ideal(room)]
            if width is None or max(map(_width_of, apart)) <= width:
                break
        return apart

    def _beside(self, room: int | None) -> Grid | None:
        shown, told = self._shown()
        ideal = self.explanation.ideal
        if told or not ideal:
            return None
        left, right = self._rows(shown, room), self._ideal_rows(room)
        blank_left, blank_right = ("",) * len(self._heads()), ("",) * len(self._ideal_heads())
        many = max(len(left), len(right))
        left += [blank_left] * (many - len(left))
        right += [blank_right] * (many - len(right))
        left = [(f"{i:>4}", *row[1:]) for i, row in enumerate(left, 1)]
        rows = tuple((*a, "|", *b) for a, b in zip(left, right, strict=True))
        heads = (*self._heads(), "|", *self._ideal_heads())
        return Grid(heads, rows, left=frozenset({0, 1, len(self._heads()) + 1}))

    def _list(self, room: int | None) -> Grid:
        shown, told = self._shown()
        rows = self._rows(shown, room)
        width = len(self._heads())
        for at, text in reversed(told):
            rows.insert(at, ("", text, *([""] * (width - 2))))
        return Grid(self._heads(), tuple(rows), left=frozenset({0, 1}))

    def _ideal(self, room: int | None) -> Grid:
        limit = self.rows or len(self.explanation.ideal)
        rows = self._ideal_rows(room)[:limit]
        return Grid(
            ("rank", *self._ideal_heads()),
            tuple((f"{i:>4}", *row) for i, row in enumerate(rows, 1)),
            left=frozenset({0, 1}),
        )

    def _shown(self) -> tuple[list[Step], list[tuple[int, str]]]:
        """Steps to show, and lines that stand for others, each with its place."""
        about = self.explanation
        counted = [s for s in about.steps if s.rank is None or s.rank <= about.measure.k]
        left_out = len(about.steps) - len(counted)
        shown: list[Step] = []
        told: list[tuple[int, str]] = []
        run: list[Step] = []

        def close() -> None:
            if len(run) < FEWEST:
                shown.extend(run)
            else:
                told.append((len(shown), f"... {len(run)} unjudged"))
            run.clear()

        for step in counted:
            if (
                step.grade is None
                and (step.rank or math.inf) > ALWAYS
                and math.isinf(about.measure.k)
            ):
                run.append(step)
                continue
            close()
            shown.append(step)
        close()
        if self.rows is not None and len(shown) > self.rows:
            told = [(at, text) for at, text in told if at < self.rows]
            shown = shown[: self.rows]
            told.append((len(shown), f"... {len(counted) - 1 - counted.index(shown[-1])} more"))
        elif left_out and not about.ideal:
            told.append((len(shown), f"... {left_out} beyond the cut-off"))
        return shown, told

    # -------------------------------------------------------------------------------------- cells

    def _same_gain(self) -> bool:
        """Whether the gain is the grade, so that one column shows both."""
        about = self.explanation
        if "gain" not in about.columns:
            return False
        at = about.columns.index("gain")
        return all(
            s.numbers[at] == (s.grade or 0.0) for s in (*about.steps, *about.ideal) if s.numbers
        )

    def _picked(self) -> list[int]:
        """Which columns of numbers are shown."""
        columns = self.explanation.columns
        same = self._same_gain()
        return [i for i, name in enumerate(columns) if not (same and name == "gain")]

    def _heads(self) -> tuple[str, ...]:
        columns = self.explanation.columns
        tie = ["tie"] if self._ties() else []
        return ("rank", "doc", *tie, "grade", *(columns[i] for i in self._picked()))

    def _ties(self) -> bool:
        return any(step.tie for step in self._shown()[0])

    def _rows(self, steps: Sequence[Step], room: int | None) -> list[tuple[str, ...]]:
        docs = _docs(steps, room)
        tie = self._ties()
        picked = self._picked()
        numbers = _columns([step.numbers for step in steps], picked)
        return [
            (
                f"{'-' if step.rank is None else step.rank:>4}",
                doc,
                *([step.tie] if tie else []),
                _grade(step.grade),
                *row,
            )
            for step, doc, row in zip(steps, docs, numbers, strict=True)
        ]

    def _ideal_heads(self) -> tuple[str, ...]:
        gain = [] if self._same_gain() or "gain" not in self.explanation.columns else ["gain"]
        return ("ideal", "grade", *gain, "adds", "sum")

    def _ideal_rows(self, room: int | None) -> list[tuple[str, ...]]:
        about = self.explanation
        names = [name for name in ("gain", "adds", "sum") if name in self._ideal_heads()]
        picked = [about.ideal_columns.index(name) for name in names if about.ideal]
        ideal = list(about.ideal)
        while len(ideal) > 1 and ideal[-1].numbers[about.ideal_columns.index("adds")] == 0:
            ideal.pop()  # documents that add nothing
        docs = _docs(ideal, room)
        numbers = _columns([step.numbers for step in ideal], picked)
        return [
            (doc, _grade(step.grade), *row)
            for step, doc, row in zip(ideal, docs, numbers, strict=True)
        ]

    # -------------------------------------------------------------------------------- other tools

    def _tool_lines(self, width: int | None) -> Iterator[tuple[str, str]]:
        yield "What the same list gets elsewhere:", "bold"
        rows = _tools(self.explanation)
        room = None if width is None else width - _beside_reasons(rows)
        below = room is not None and room < NARROW  # then long reasons stand under their lines
        if below:
            longest = max(cells(row[1]) for row in rows)
            names = shortened([row[1] for row in rows], max(SHORTEST, longest + min(0, room or 0)))
            rows = [(row[0], name, *row[2:]) for row, name in zip(rows, names, strict=True)]
            room = (width or 0) - _beside_reasons(rows)
            reasons = [row[3] if cells(row[3]) > room else "" for row in rows]
            rows = [
                (*row[:3], "" if why else row[3]) for row, why in zip(rows, reasons, strict=True)
            ]
        else:
            rows = _reasons_beside(rows, room)
            reasons = [""] * len(rows)
        indent = " " * (max(cells(row[0]) for row in rows) + 4)
        for why, line in zip(reasons, text_of([_grid(rows)])[1:], strict=True):
            yield "  " + "".join(text for text, _ in line), line[0][1]
            for text in _wrapped(why, max(NARROW, (width or 0) - len(indent))) if why else ():
                yield indent + text, line[0][1]


def _docs(steps: Sequence[Step], room: int | None) -> list[str]:
    docs = [printable(step.doc) for step in steps]
    return docs if room is None else shortened(docs, room)


def _grade(grade: float | None) -> str:
    return "?" if grade is None else f"{grade:g}"


def _columns(rows: Sequence[tuple[float, ...]], picked: Sequence[int]) -> list[tuple[str, ...]]:
    """Numbers as text, whole numbers where a column has no others."""
    whole = [all(row[i] == int(row[i]) for row in rows if row) for i in picked]
    return [
        tuple(
            "" if not row else f"{row[i]:.0f}" if plain else number(row[i])
            for i, plain in zip(picked, whole, strict=True)
        )
        for row in rows
    ]


def _width_of(grid: Grid) -> int:
    return max(sum(cells(text) for text, _ in line) for line in text_of([grid]))


def _tools(about: Explanation) -> list[tuple[str, ...]]:
    """What each tool gives, and why; assay's own value first."""
    return [
        ("assay", str(about.measure), number(about.value), ""),
        *(
            (tool.tool, tool.name or "-", tool.shown or "-", "; ".join(tool.why) or "the same")
            for tool in about.tools
        ),
    ]


def _grid(rows: Sequence[tuple[str, ...]]) -> Grid:
    heads = ("tool", "measure", "value", "because it")
    return Grid(heads, tuple(rows), left=frozenset({0, 1, 3}))


def _beside_reasons(rows: Sequence[tuple[str, ...]]) -> int:
    """The width of a line up to its reason."""
    return 2 + sum(max(cells(row[i]) for row in rows) + 2 for i in range(3))


def _reasons_beside(rows: Sequence[tuple[str, ...]], room: int | None) -> list[tuple[str, ...]]:
    """The same rows, whose reasons go on in rows of their own where they need more room."""
    folded: list[tuple[str, ...]] = []
    for row in rows:
        lines = _wrapped(row[3], room)
        folded.append((*row[:3], lines[0]))
        folded += [("", "", "", line) for line in lines[1:]]
    return folded


def _wrapped(text: str, width: int | None) -> list[str]:
    text = printable(text)
    return [text] if width is None else textwrap.wrap(text, width) or [""]
