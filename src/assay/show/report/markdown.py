"""The report as Markdown: the same story for a pull request, short enough for a comment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.show.report.board import board
from assay.show.report.methods import bibtex
from assay.show.report.methods import methods as paragraph
from assay.show.report.words import (
    contents,
    made,
    notes,
    policies,
    tested,
    value_of,
    verdict,
    versions,
)
from assay.show.table import Grid, in_markdown, markdown_of
from assay.show.text import number, share
from assay.show.verdict import p_value, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.comparison import Difference
    from assay.reporting import Report

__all__ = ["markdown"]

LINES = 30  # runs of a leaderboard
DIFFERENCES = 15
FINDINGS = 10
FILES = 70


def markdown(report: Report) -> str:
    """The report as text."""
    return "\n\n".join(_parts(report)) + "\n"


def _parts(report: Report) -> Iterator[str]:
    yield f"# {in_markdown(report.title)}"
    yield in_markdown(contents(report))
    yield f"**{in_markdown(verdict(report))}**"
    yield from (f"> **Mind:** {in_markdown(text)}" for text in report.warnings)
    yield "## Leaderboard"
    yield from _leaderboard(report)
    yield from _differences(report)
    yield from _topics(report)
    yield "## Judgments"
    yield from _judgments(report)
    if report.methods:
        yield "## Methods"
        yield in_markdown(paragraph(report, _cite))
        yield _fenced(bibtex(report), "bibtex")
    yield "<details><summary>How it was made</summary>"
    yield from _made(report)
    yield "</details>"


def _cite(keys: list[str]) -> str:
    return f"[{', '.join(keys)}]"


def _leaderboard(report: Report) -> Iterator[str]:
    found = board(report)
    heads = ["#", "run"]
    for m, measure in enumerate(found.measures):
        heads += [str(measure), "95 % interval"]
        if found.compared:
            heads.append("mark" if found.baseline is not None else "letters")
        if found.judged[m]:
            heads.append(f"Judged@{measure.at:g}")
    rows = []
    for line in found.lines[:LINES]:
        row = [str(line.number), line.run]
        for m, (measure, place) in enumerate(zip(found.measures, line.places, strict=True)):
            summed = measure.definition.average == "sum"
            known = math.isfinite(place.mean.low) and math.isfinite(place.mean.high)
            ends = f"{number(place.mean.low)} to {number(place.mean.high)}" if known else "-"
            row += [value_of(place.mean.value, summed=summed), ends]
            if found.compared:
                row.append(
                    f"{place.mark} {place.meaning}" if found.baseline is not None else place.mark
                )
            if found.judged[m]:
                row.append(share(place.mean.judged))
        rows.append(tuple(row))
    yield markdown_of([Grid(tuple(heads), tuple(rows), left=frozenset({1}))])
    if len(found.lines) > LINES:
        yield f"and {len(found.lines) - LINES} more runs."
    if found.legend():
        yield f"{in_markdown(found.legend()[:1].upper() + found.legend()[1:])}."


def _differences(report: Report) -> Iterator[str]:
    comparison = report.comparison
    if comparison is None:
        return
    every = comparison.under(comparison.measures[0])
    found = sorted(every, key=lambda d: (math.isnan(d.p), d.p, -abs(d.difference)))[:DIFFERENCES]
    of = f"{len(found)} of {len(every):,} " if len(every) > len(found) else ""
    yield f"## Differences in {in_markdown(str(comparison.measures[0]))}"
    heads = (f"{of}differences", "of means", "low", "high", "p", "won", "tied", "lost", "shown")
    rows = tuple(
        (
            f"{d.run} - {d.baseline}",
            signed(d.difference),
            _end(d.low),
            _end(d.high),
            "-" if math.isnan(d.p) else p_value(d.p).removeprefix("= "),
            str(d.won),
            str(d.tied),
            str(d.lost),
            "yes" if d.significant else "no",
        )
        for d in found
    )
    yield markdown_of([Grid(heads, rows)])


def _end(value: float) -> str:
    return signed(value) if math.isfinite(value) else "-"


def _topics(report: Report) -> Iterator[str]:
    """The topics that make the difference between the best run and the next, or the baseline."""
    d = _foremost(report)
    if d is None or not d.swings:
        return
    yield "## Topics"
    named = in_markdown(f"{d.run} - {d.baseline}")
    yield f"Largest differences in {in_markdown(str(d.measure))}, {named}:"
    rows = tuple((topic, signed(value)) for topic, value in d.swings)
    yield markdown_of([Grid(("topic", "difference"), rows)])


def _foremost(report: Report) -> Difference | None:
    comparison = report.comparison
    if comparison is None:
        return None
    lines = [line.run for line in board(report).lines]
    base = comparison.plan.baseline
    pair = {lines[0], lines[1]} if base is None else {base, *[r for r in lines if r != base][:1]}
    first = comparison.under(comparison.measures[0])
    return next((d for d in first if {d.run, d.baseline} == pair), None)


def _judgments(report: Report) -> Iterator[str]:
    facts = report.description.judgments[0]
    grades = ", ".join(
        f"{grade}: {facts.grades[grade]:,}"
        for grade in sorted(facts.grades, key=float, reverse=True)
    )
    yield in_markdown(
        f"{facts.label}: {facts.judgments:,} judgments of {facts.topics:,} topics; {grades}. "
        f"Relevant documents for a topic: {facts.relevant_least} to {facts.relevant_most}, median "
        f"{facts.relevant_median:g}."
    )
    texts = [str(finding) for finding in report.description.findings]
    more = [f"and {len(texts) - FINDINGS} more"] if len(texts) > FINDINGS else []
    if texts:
        yield _listed([*texts[:FINDINGS], *more])


def _listed(texts: Iterable[str]) -> str:
    return "\n".join(f"- {in_markdown(text)}" for text in texts)


def _fenced(text: str, kind: str = "text") -> str:
    """Text as it is, in a fence that it cannot close."""
    from assay.show.text import printable

    lines = [printable(line) for line in text.split("\n")]
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    return "\n".join([f"{fence}{kind}", *lines, fence])


def _made(report: Report) -> Iterator[str]:
    yield _fenced(report.command)
    kept = list(made(report))
    more = [f"and {len(kept) - FILES} more files"] if len(kept) > FILES else []
    yield _listed([*kept[:FILES], *more])
    lines = tested(report)
    if lines:
        yield _listed(lines)
    yield _listed(f"{name} {value}: {meaning}" for name, value, meaning in policies(report))
    said = notes(report)
    if said:
        yield _listed(said)
    yield in_markdown(", ".join(f"{name} {version}" for name, version in versions().items()))
