"""The report's tables as LaTeX for the package booktabs, with marks of significance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.show.report.board import BETTER, WORSE, Board, Place, board
from assay.show.report.methods import bibtex
from assay.show.report.methods import methods as paragraph
from assay.show.report.words import made, notes, policies, tested, value_of, verdict, versions
from assay.show.table import in_latex
from assay.show.text import number, printable
from assay.show.verdict import p_value, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.reporting import Report

__all__ = ["latex"]

DIFFERENCES = 45
MARKS = {BETTER: r"$^{\uparrow}$", WORSE: r"$^{\downarrow}$"}


def latex(report: Report) -> str:
    """Tables, the paragraph on methods where it is asked for, and all else as comments."""
    return "\n".join(_parts(report)) + "\n"


def _parts(report: Report) -> Iterator[str]:
    yield r"% \usepackage{booktabs}"
    yield from _comments([report.title, verdict(report)])
    yield from _leaderboard(report)
    yield from _differences(report)
    if report.methods:
        yield ""
        yield _methods(report)
        yield ""
        yield "% BibTeX:"
        yield from _comments(bibtex(report).split("\n"))
    yield from _comments(f"warning: {text}" for text in report.warnings)
    yield from _comments(f"note: {text}" for text in notes(report))
    yield from _comments(tested(report))
    yield from _comments(f"{name} {value}: {meaning}" for name, value, meaning in policies(report))
    yield from _comments(report.command.split("\n"))
    yield from _comments(made(report))
    yield from _comments([", ".join(f"{name} {version}" for name, version in versions().items())])


def _comments(texts: Iterable[str]) -> Iterator[str]:
    yield from (f"% {printable(text)}".rstrip() for text in texts)


def _methods(report: Report) -> str:
    """The paragraph with LaTeX's citations."""
    marks: dict[str, str] = {}

    def cite(keys: list[str]) -> str:
        mark = f"[[{','.join(keys)}]]"
        marks[mark] = rf"\cite{{{','.join(keys)}}}"
        return mark

    text = in_latex(paragraph(report, cite))
    for mark, citation in marks.items():
        text = text.replace(mark, citation)
    return text


def _leaderboard(report: Report) -> Iterator[str]:
    found = board(report)
    columns = "l" + "rc" * len(found.measures)
    heads = ["run"]
    for measure in found.measures:
        heads += [in_latex(str(measure)), r"95\,\% interval"]
    rows = [[in_latex(line.run), *_cells(found, line.places)] for line in found.lines]
    caption = in_latex(_caption(found))
    for mark, drawn in ((BETTER, r"$\uparrow$"), (WORSE, r"$\downarrow$")):
        caption = caption.replace(mark, drawn)
    yield from _table(caption, "tab:leaderboard", columns, heads, rows)


def _cells(found: Board, places: tuple[Place, ...]) -> Iterator[str]:
    for measure, place in zip(found.measures, places, strict=True):
        mean = place.mean
        value = value_of(mean.value, summed=measure.definition.average == "sum")
        value = rf"\textbf{{{value}}}" if place.best and found.compared else value
        mark = MARKS.get(place.mark) or (
            rf"\textsuperscript{{{in_latex(place.mark)}}}" if place.mark else ""
        )
        yield _minus(value) + mark
        known = math.isfinite(mean.low) and math.isfinite(mean.high)
        yield f"{_minus(number(mean.low))} to {_minus(number(mean.high))}" if known else "--"


def _caption(found: Board) -> str:
    many = sorted({place.mean.topics for line in found.lines for place in line.places})
    topics = f"{many[0]}" if len(many) == 1 else f"{many[0]} to {many[-1]}"
    legend = found.legend()
    marks = f" {legend[:1].upper()}{legend[1:]}." if legend else ""
    return f"Means over {topics} topics with 95 % intervals, best in bold.{marks}"


def _differences(report: Report) -> Iterator[str]:
    comparison = report.comparison
    if comparison is None:
        return
    every = comparison.under(comparison.measures[0])
    found = sorted(every, key=lambda d: (math.isnan(d.p), d.p, -abs(d.difference)))[:DIFFERENCES]
    rows = [
        [
            in_latex(f"{d.run} - {d.baseline}"),
            _minus(signed(d.difference)) + ("$^{*}$" if d.significant else ""),
            _ends(d.low, d.high),
            "--" if math.isnan(d.p) else _sided(p_value(d.p).removeprefix("= ")),
            str(d.won),
            str(d.tied),
            str(d.lost),
        ]
        for d in found
    ]
    heads = ["difference", "of means", "interval", "$p$", "won", "tied", "lost"]
    of = f"{len(found)} of {len(every):,} differences" if len(every) > len(found) else "Differences"
    caption = in_latex(f"{of} in {comparison.measures[0]}, those most surely shown first;")
    caption += f" $^{{*}}$ shown at {comparison.plan.alpha:g}."
    yield ""
    yield from _table(caption, "tab:differences", "lrcrrrr", heads, rows)


def _ends(low: float, high: float) -> str:
    known = math.isfinite(low) and math.isfinite(high)
    return f"{_minus(signed(low))} to {_minus(signed(high))}" if known else "--"


def _minus(text: str) -> str:
    return f"$-${text[1:]}" if text.startswith("-") and text[1:2].isdigit() else text


def _sided(text: str) -> str:
    return text.replace("< ", "$<$ ")


def _table(
    caption: str, label: str, columns: str, heads: list[str], rows: list[list[str]]
) -> Iterator[str]:
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{caption}}}"
    yield rf"\label{{{label}}}"
    yield rf"\begin{{tabular}}{{{columns}}}"
    yield r"\toprule"
    yield " & ".join(heads) + r" \\"
    yield r"\midrule"
    yield from (" & ".join(row) + r" \\" for row in rows)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table}"
