"""Scores as a table for people: by measure, one line for each run, with what must be known."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay import __version__
from assay.show.table import Grid, Span, html_of, latex_of, markdown_of, text_of
from assay.show.text import cells, number, printable, share

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        return "\n".join(
            [latex_of(self._grids(PAGE, spelled=True)), *(f"% {text}" for text in said)]
        )

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
    from assay.scores import NOT_JUDGED, UNDEFINED

    treated = "counted as 0" if scores.policy.undefined == "zero" else "left out of the mean"
    undefined, unjudged = scores.counts(UNDEFINED), scores.counts(NOT_JUDGED)
    for j, judge in enumerate(scores.judges):
        found: dict[tuple[str, str], list[str]] = {}
        for m, measure in enumerate(scores.measures):
            counts = set(undefined[j, :, m].tolist())
            if any(counts):
                low, high = min(counts), max(counts)
                many = f"{low}" if low == high else f"{low} to {high}"
                judged = len(scores.topics) - int(unjudged[j, 0, m])
                why = measure.definition.undefined or "the formula divides by nothing"
                found.setdefault((f"{many} of {judged}", why), []).append(str(measure))
        for (many, why), names in found.items():
            under = f" under {judge}" if len(scores.judges) > 1 else ""
            verb = "is" if len(names) == 1 else "are"
            yield f"{', '.join(names)} {verb} undefined on {many} topics{under} ({why}); {treated}"


@dataclass(frozen=True)
class _Line:
    """The mean of a measure for a run, and what the line is called."""

    name: str
    mean: Mean
    measure: Measure


def _mean_grids(scores: Scores, *, spelled: bool) -> Iterator[Grid]:
    """One grid for each measure and judge; for a single run one grid for each judge."""
    averages = {
        (judge, run, measure): scores.average(run, measure, judge)
        for judge in scores.judges
        for run in scores.runs
        for measure in scores.measures
    }
    columns = _Columns.needed(list(averages.values()), spelled=spelled)
    average = NAMES[scores.policy.mean]
    by = {
        judge: f", judged by {judge}" if len(scores.judges) > 1 else "" for judge in scores.judges
    }
    if len(scores.runs) == 1:
        run = scores.runs[0]
        for judge in scores.judges:
            measures = scores.measures
            lines = [_Line(_named(m), averages[judge, run, m], m) for m in measures]
            heads = columns.heads(f"{run}{by[judge]}", average, "Judged@k")
            yield Grid(heads, tuple(columns.row(line) for line in lines), cut=False)
        return
    for measure in scores.measures:
        for judge in scores.judges:
            lines = [_Line(run, averages[judge, run, measure], measure) for run in scores.runs]
            known = any(not math.isnan(line.mean.judged) for line in lines)
            columns = replace(columns, judged=known) if spelled else columns
            heads = columns.heads(
                f"{measure}{by[judge]}",
                "sum" if measure.definition.average == "sum" else average,
                f"Judged@{measure.at:g}" if known and measure.at else "",
            )
            spans = tuple(_span(line.mean) for line in lines) if len(lines) > 1 else ()
            yield Grid(heads, tuple(columns.row(line) for line in lines), spans)


def _named(measure: Measure) -> str:
    return f"{measure} (sum)" if measure.definition.average == "sum" else str(measure)


@dataclass(frozen=True)
class _Columns:
    """The columns of means, without those that would be empty."""

    undefined: bool
    missing: bool
    judged: bool
    spelled: bool  # whether heads stand alone, and so are written out

    @classmethod
    def needed(cls, means: list[Mean], *, spelled: bool) -> _Columns:
        return cls(
            any(mean.undefined for mean in means),
            any(mean.missing for mean in means),
            any(not math.isnan(mean.judged) for mean in means),
            spelled,
        )

    def heads(self, title: str, average: str, judged: str) -> tuple[str, ...]:
        return (
            title,
            average,
            "sd",
            *(("95 % low", "95 % high") if self.spelled else ("95 %", "interval")),
            "topics",
            *(["undefined" if self.spelled else "undef."] if self.undefined else []),
            *(["missing"] if self.missing else []),
            *([judged] if self.judged else []),
        )

    def row(self, line: _Line) -> tuple[str, ...]:
        mean = line.mean
        summed = line.measure.definition.average == "sum"
        return (
            line.name,
            f"{mean.value:.10g}" if summed else number(mean.value),
            number(mean.deviation),
            number(mean.low),
            number(mean.high),
            str(mean.topics),
            *([str(mean.undefined)] if self.undefined else []),
            *([str(mean.missing)] if self.missing else []),
            *(["" if math.isnan(mean.judged) else share(mean.judged)] if self.judged else []),
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
            yield from _wide(
                scores, heads, places, f"{scores.runs[0]}{by}, by topic", cell, j, width
            )
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
