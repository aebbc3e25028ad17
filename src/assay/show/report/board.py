"""The leaderboard: a line for each run, with intervals and marks of significance, best first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.stats.letters import letters

if TYPE_CHECKING:
    from assay.comparison import Comparison, Difference
    from assay.measures.measure import Measure
    from assay.reporting import Report
    from assay.scores import Mean

__all__ = ["Board", "Line", "Place", "board", "marked"]

BETTER, WORSE = "▲", "▼"


@dataclass(frozen=True)
class Place:
    """A run under one measure."""

    mean: Mean
    mark: str  # letters, or better and worse than the baseline; empty where nothing is shown
    meaning: str  # the mark in words
    difference: Difference | None = None  # to the baseline
    best: bool = False


@dataclass(frozen=True)
class Line:
    """A run under every measure."""

    number: int  # in the order of the first measure
    run: str
    at: int  # among the runs as they were given
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Board:
    """All lines, best first."""

    measures: tuple[Measure, ...]
    lines: tuple[Line, ...]
    baseline: str | None
    compared: bool

    @property
    def judged(self) -> tuple[bool, ...]:
        """For which measures Judged@k is known."""
        return tuple(
            any(not math.isnan(line.places[m].mean.judged) for line in self.lines)
            for m in range(len(self.measures))
        )

    def legend(self) -> str:
        """What the marks mean."""
        if not self.compared:
            return ""
        if self.baseline is not None:
            return (
                f"{BETTER} shown to be better than {self.baseline}, {WORSE} shown to be worse; "
                "no mark: no difference is shown"
            )
        if not all(place.mark for line in self.lines for place in line.places):
            return (
                "runs that share a letter are not shown to differ; where there are no letters they "
                "would be too many to tell anything"
            )
        return "runs that share a letter are not shown to differ"


def board(report: Report) -> Board:
    """The runs of a report in the order of the first measure, best first."""
    scores, comparison = report.scores, report.comparison
    runs, measures = scores.runs, scores.measures
    means = [[scores.average(run, m, report.judge) for m in measures] for run in runs]
    order = _order([row[0].value for row in means], measures[0])
    columns = [
        _column(report, measure, [row[m] for row in means]) for m, measure in enumerate(measures)
    ]
    lines = tuple(
        Line(number, runs[r], r, tuple(column[r] for column in columns))
        for number, r in enumerate(order, 1)
    )
    baseline = None if comparison is None else comparison.plan.baseline
    return Board(measures, lines, baseline, comparison is not None)


def marked(place: Place) -> str:
    """The mark for text that knows no triangles as letters: `better`, `worse`, or the letters."""
    return {BETTER: "better", WORSE: "worse"}.get(place.mark, place.mark)


def _order(values: list[float], measure: Measure) -> list[int]:
    """Numbers of the runs, best value first, those without a value last."""
    sign = -1 if measure.definition.higher_is_better else 1

    def place(r: int) -> tuple[bool, float]:
        return math.isnan(values[r]), 0.0 if math.isnan(values[r]) else sign * values[r]

    return sorted(range(len(values)), key=place)


def _column(report: Report, measure: Measure, means: list[Mean]) -> list[Place]:
    comparison = report.comparison
    order = _order([mean.value for mean in means], measure)
    top = means[order[0]].value
    best = [mean.value == top for mean in means]
    if comparison is None:
        return [Place(mean, "", "", None, best=False) for mean in means]
    if comparison.plan.baseline is None:
        marks = _letters(comparison, measure, order) or [""] * len(means)
        said = [f"group {mark}" if mark else "" for mark in marks]
        found: list[Difference | None] = [None] * len(means)
    else:
        found = _to_baseline(comparison, measure)
        marks = [_mark(d) for d in found]
        words = {BETTER: "better than the baseline", WORSE: "worse than the baseline"}
        said = [words.get(mark, "") for mark in marks]
    return [
        Place(mean, mark, word, d, best=one)
        for mean, mark, word, d, one in zip(means, marks, said, found, best, strict=True)
    ]


def _letters(comparison: Comparison, measure: Measure, order: list[int]) -> list[str] | None:
    """Letters of each run, the best run's first; None where there would be too many."""
    place = {comparison.runs[r]: i for i, r in enumerate(order)}
    different = np.zeros((len(order), len(order)), dtype=bool)
    for d in comparison.under(measure):
        if d.significant:
            different[place[d.run], place[d.baseline]] = True
    ordered = letters(different)
    if ordered is None:
        return None
    return [ordered[place[run]] for run in comparison.runs]


def _to_baseline(comparison: Comparison, measure: Measure) -> list[Difference | None]:
    by_run = {d.run: d for d in comparison.under(measure)}
    return [by_run.get(run) for run in comparison.runs]


def _mark(d: Difference | None) -> str:
    if d is None or not d.significant:
        return ""
    up = (d.estimate > 0) == d.measure.definition.higher_is_better
    return BETTER if up else WORSE
