"""Scores as a table for people: by measure, one line for each run, with what must be known."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay import __version__
from assay.show.table import Grid, Span, html_of, latex_of, markdown_of, text_of
from assay.show.text import cells, number, printable, share

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from assay.measures.measure import Measure
    from assay.scores import Mean, Scores

__all__ = ["ScoreTable", "remarks", "score_table"]

PAGE = 80  # how wide a table by topic grows before it is continued below
COLUMN = 16  # widest head in a table by topic
NAMES = {"arithmetic": "mean", "geometric": "geom. mean", "median": "median"}


def score_table(scores: Scores, *, per_topic: bool = False, talk: bool = True) -> ScoreTable:
    """A table of scores; without `talk` it leaves notes and warnings to whoever prints it."""
    return ScoreTable(scores, per_topic, talk)


def remarks(scores: Scores) -> list[str]:
    """Notes on the scores, those on undefined values included."""
    return [*scores.notes, *_undefined(scores)]


@dataclass(frozen=True)
class ScoreTable:
    """Means by measure and run; prints itself in a terminal, a pipe and a notebook."""

    scores: Scores
    per_topic: bool = False
    talk: bool = True

    def __str__(self) -> str:
        lines = ["".join(text for text, _ in line) for line in self._lines(None)]
        return "\n".join([*lines, *self._footer()])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        plain = not options.encoding.lower().startswith("utf")
        for line in self._lines(options.max_width, plain=plain):
            yield Text.assemble(*line, no_wrap=True, overflow="ignore")
        yield Text()
        yield Text(self._policies, style="dim")
        for text in self._notes:
            yield Text(f"note: {text}")
        for text in self._warnings:
            yield Text.assemble(("warning: ", "bold yellow"), text)

    def _repr_html_(self) -> str:
        import html

        said = [f"<small>{html.escape(self._policies)}</small>"]
        said += [f"note: {html.escape(text)}" for text in self._notes]
        said += [f"<b>warning:</b> {html.escape(text)}" for text in self._warnings]
        return html_of(self._grids(PAGE)) + "\n<p>" + "<br>\n".join(said) + "</p>"

    def to_markdown(self) -> str:
        """Pipe tables, with policies, notes and warnings under them."""
        said = [self._policies, *(f"Note: {text}" for text in self._notes)]
        said += [f"**Warning:** {text}" for text in self._warnings]
        return "\n\n".join([markdown_of(self._grids(PAGE, spelled=True)), *said])

    def to_latex(self) -> str:
        r"""A tabular for the package booktabs; policies, notes and warnings as comments."""
        said = [self._policies, *(f"note: {text}" for text in self._notes)]
        said += [f"warning: {text}" for text in self._warnings]
        return "\n".join([latex_of(self._grids(PAGE, spelled=True)), *(f"% {text}" for text in said)])

    # ------------------------------------------------------------------------------------ under it

    @property
    def _policies(self) -> str:
        return f"assay {__version__}: {self.scores.policy}"

    @cached_property
    def _notes(self) -> list[str]:
        return [printable(text) for text in remarks(self.scores)] if self.talk else []

    @cached_property
    def _warnings(self) -> list[str]:
        return [printable(text) for text in self.scores.warnings] if self.talk else []

    def _footer(self) -> list[str]:
        said = ["", self._policies, *(f"note: {text}" for text in self._notes)]
        return [*said, *(f"warning: {text}" for text in self._warnings)]

    # -------------------------------------------------------------------------------------- grids

    def _lines(self, width: int | None, *, plain: bool = True) -> Iterator[list[tuple[str, str]]]:
        if self.per_topic:
            for grid in _topic_grids(self.scores, width or PAGE):
                yield from text_of([grid], width, plain=plain)
                yield []
        yield from text_of(list(_mean_grids(self.scores, spelled=False)), width, plain=plain)

    def _grids(self, width: int, *, spelled: bool = False) -> list[Grid]:
        means = list(_mean_grids(self.scores, spelled=spelled))
        return [*_topic_grids(self.scores, width), *means] if self.per_topic else means


def _undefined(scores: Scores) -> Iterator[str]:
    """On how many topics which measures are undefined, and why."""
    from assay.scores import NOT_JUDGED

    treated = "counted as 0" if scores.policy.undefined == "zero" else "left out of the mean"
    for j, judge in enumerate(scores.judges):
        found: dict[tuple[str, str], list[str]] = {}
        for m, measure in enumerate(scores.measures):
            counts = {scores.average(run, measure, judge).undefined for run in scores.runs}
            if any(counts):
                low, high = min(counts), max(counts)
                many = f"{low}" if low == high else f"{low} to {high}"
                judged = int((scores.reasons[j, 0, m] != NOT_JUDGED).sum())
                why = measure.definition.undefined or "the formula divides by nothing"
                found.setdefault((f"{many} of {judged}", why), []).append(str(measure))
        for (many, why), names in found.items():
            under = f" under {judge}" if len(scores.judges) > 1 else ""
            verb = "is" if len(names) == 1 else "are"
            yield f"{', '.join(names)} {verb} undefined on {many} topics{under} ({why}); {treated}"


def _mean_grids(scores: Scores, *, spelled: bool) -> Iterator[Grid]:
    """One grid for each measure and judge; for a single run one grid for each judge."""
    averages = {
        (judge, run, measure): scores.average(run, measure, judge)
        for judge in scores.judges
        for run in scores.runs
        for measure in scores.measures
    }
    undefined = any(mean.undefined for mean in averages.values())
    missing = any(mean.missing for mean in averages.values())
    judged = any(not math.isnan(mean.judged) for mean in averages.values())
    interval = ("95 % low", "95 % high") if spelled else ("95 %", "interval")
    counts = ("topics", *(["undefined" if spelled else "undef."] * undefined), *(["missing"] * missing))

    def grid(title: str, average: str, at: str, means: list[tuple[str, Mean]], *, cut: bool) -> Grid:
        heads = (title, average, *interval, *counts, *([f"Judged@{at}" if at else ""] * judged))
        rows = tuple((name, *_cells(mean, undefined, missing, judged)) for name, mean in means)
        return Grid(heads, rows, tuple(_span(mean) for _, mean in means), cut)

    average = NAMES[scores.policy.mean]
    several = len(scores.judges) > 1
    if len(scores.runs) == 1:
        run = scores.runs[0]
        for judge in scores.judges:
            title = f"{run}, judged by {judge}" if several else run
            means = [(_named(measure), averages[judge, run, measure]) for measure in scores.measures]
            yield grid(title, average, "k", means, cut=False)
        return
    for measure in scores.measures:
        for judge in scores.judges:
            title = f"{measure}, judged by {judge}" if several else str(measure)
            means = [(run, averages[judge, run, measure]) for run in scores.runs]
            here = "sum" if measure.definition.average == "sum" else average
            known = any(not math.isnan(mean.judged) for _, mean in means)
            yield grid(title, here, f"{measure.at:g}" if known and measure.at else "", means, cut=True)


def _named(measure: Measure) -> str:
    return f"{measure} (sum)" if measure.definition.average == "sum" else str(measure)


def _cells(mean: Mean, undefined: bool, missing: bool, judged: bool) -> tuple[str, ...]:  # noqa: FBT001
    return (
        number(mean.value),
        number(mean.low),
        number(mean.high),
        str(mean.topics),
        *([str(mean.undefined)] * undefined),
        *([str(mean.missing)] * missing),
        *(["" if math.isnan(mean.judged) else share(mean.judged)] * judged),
    )


def _span(mean: Mean) -> Span | None:
    span = (mean.low, mean.value, mean.high)
    return None if any(math.isnan(x) or math.isinf(x) for x in span) else span


def _topic_grids(scores: Scores, width: int) -> Iterator[Grid]:
    """Values by topic: a column for each run, or for each measure where there is one run."""
    from assay.scores import MISSING, NOT_JUDGED, UNDEFINED

    def cell(j: int, r: int, m: int, t: int) -> str:
        code, value = int(scores.reasons[j, r, m, t]), float(scores.values[j, r, m, t])
        if code == NOT_JUDGED:
            return "-"
        if code == UNDEFINED:
            return "undef." if math.isnan(value) else f"{number(value)} undef."
        if code == MISSING:
            return "missing" if math.isnan(value) else f"{number(value)} missing"
        return number(value)

    for j, judge in enumerate(scores.judges):
        by = f", judged by {judge}" if len(scores.judges) > 1 else ""
        if len(scores.runs) == 1:
            places = [(0, m) for m in range(len(scores.measures))]
            heads = [str(measure) for measure in scores.measures]
            yield from _wide(scores, heads, places, f"{scores.runs[0]}{by}, by topic", cell, j, width)
            continue
        for m, measure in enumerate(scores.measures):
            places = [(r, m) for r in range(len(scores.runs))]
            title = f"{measure}{by}, by topic"
            yield from _wide(scores, list(scores.runs), places, title, cell, j, width)


def _wide(
    scores: Scores,
    heads: list[str],
    places: list[tuple[int, int]],
    title: str,
    cell: Any,
    j: int,
    width: int,
) -> Iterator[Grid]:
    """A table as wide as the page, continued below where it has more columns."""
    from assay.show.text import shortened

    heads = shortened([printable(head) for head in heads], COLUMN)
    columns = [[cell(j, r, m, t) for t in range(len(scores.topics))] for r, m in places]
    label = max([cells(title), *(cells(topic) for topic in scores.topics)])
    begin = 0
    while begin < len(heads):
        used, end = label, begin
        while end < len(heads):
            used += 2 + max(cells(text) for text in (heads[end], *columns[end]))
            if used > width and end > begin:
                break
            end += 1
        rows = zip(scores.topics, *columns[begin:end], strict=True)
        yield Grid((title, *heads[begin:end]), tuple(rows))
        begin = end
