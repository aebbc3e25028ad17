"""The sections of the page that need no script: HTML in which every string is escaped."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.show.report.board import BETTER, WORSE, Board, Line, Place, board
from assay.show.report.embed import in_html
from assay.show.report.methods import bibtex
from assay.show.report.methods import methods as paragraph
from assay.show.report.pictures import Picture, described, drawable, pictures
from assay.show.report.words import notes, policies, tested, value_of, versions
from assay.show.text import number, share
from assay.show.verdict import p_value, percent, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.description import Description
    from assay.reporting import Report

__all__ = ["curves", "judgments", "leaderboard", "made", "methods", "mind", "pairs"]

WIDE, HIGH = 150, 14  # of an interval drawn, in pixels
SHARE = 110  # width of a share drawn, in pixels
LISTED = 12  # findings that stand open
MINDED = 5  # warnings that stand open
MANY = 25  # rows from which a table scrolls


def _p(text: str, name: str = "") -> str:
    return f"<p{_named(name)}>{in_html(text)}</p>"


def _named(name: str) -> str:
    """The attribute for a class of the style; nothing without a name."""
    return f' class="{name}"' if name else ""


def _id(text: str) -> str:
    """An id or a label, which may run from right to left."""
    return f"<bdi>{in_html(text)}</bdi>"


def _list(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{in_html(text)}</li>" for text in texts)
    return f'<ul class="plain">{items}</ul>' if items else ""


def _scrolling(table: str, label: str, rows: int) -> str:
    tall = " tall" if rows > MANY else ""
    return (
        f'<div class="scroll{tall}" role="region" tabindex="0" aria-label="{in_html(label)}">'
        f"{table}</div>"
    )


def mind(report: Report) -> str:
    """Warnings, where the verdict is read."""
    return "".join(f'<p class="mind"><b>Mind:</b>{in_html(text)}</p>' for text in report.warnings)


# ------------------------------------------------------------------------------------- leaderboard


def leaderboard(report: Report) -> str:
    """The table of runs, and what its intervals and marks mean."""
    found = board(report)
    head = "".join(_heads(found))
    body = "".join(f"<tr>{''.join(_cells(found, line))}</tr>" for line in found.lines)
    table = (
        '<table class="sorts board"><caption class="sr">Means of the runs, best first; the heads '
        f"are buttons that sort</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
        '<p id="sorted" class="sr" aria-live="polite"></p>'
    )
    return _scrolling(table, "Leaderboard", len(found.lines)) + _p(_legend(report, found), "small")


def _legend(report: Report, found: Board) -> str:
    said = [
        "Intervals: 95 %, of each mean by itself, over topics. Whether two runs differ is told by "
        "the marks and the differences below, not by whether intervals overlap."
        if found.compared
        else "Intervals: 95 %, over topics."
    ]
    if found.legend():
        said.append(f"Marks: {found.legend()}.")
    if any(found.judged):
        said.append("Judged@k: share of the first k documents that somebody judged.")
    if report.comparison is not None:
        left = {len(about.left_out) for about in report.comparison.overviews}
        if any(left):
            said.append("Topics on which a run has no value are left out of differences for all.")
    return " ".join(said)


def _head(text: str, kind: str = "number", *, first: str = "ascending", sort: str = "") -> str:
    now = f' aria-sort="{sort}"' if sort else ""
    name = ' class="name"' if kind == "text" else ""
    return (
        f'<th scope="col" data-kind="{kind}" data-first="{first}"{now}{name}>'
        f'<button type="button">{in_html(text)}</button></th>'
    )


def _heads(found: Board) -> Iterator[str]:
    yield _head("#", sort="ascending")
    yield _head("run", "text")
    for m, measure in enumerate(found.measures):
        up = measure.definition.higher_is_better
        yield _head(str(measure), first="descending" if up else "ascending")
        of = f'<span class="sr"> of {in_html(str(measure))}</span>'
        yield f'<th scope="col" class="text">{"95 % interval" if m == 0 else "interval"}{of}</th>'
        if found.compared:
            if found.baseline is not None:
                yield _head("difference", first="descending" if up else "ascending")
            mark = "mark" if found.baseline is not None else "letters"
            yield f'<th scope="col" class="text">{mark}{of}</th>'
        if found.judged[m]:
            yield _head(f"Judged@{measure.at:g}", first="descending")


def _cells(found: Board, line: Line) -> Iterator[str]:
    yield f'<td data-key="{line.number}">{line.number}</td>'
    pill = ' <span class="pill">baseline</span>' if line.run == found.baseline else ""
    yield (
        f'<th scope="row" class="name" data-key="{in_html(line.run)}">{_id(line.run)}{pill}</th>'
    )
    for m, (measure, place) in enumerate(zip(found.measures, line.places, strict=True)):
        summed = measure.definition.average == "sum"
        best = ' class="best"' if place.best and found.compared else ""
        yield f"<td{best}{_key(place.mean.value)}>{value_of(place.mean.value, summed=summed)}</td>"
        yield f'<td class="text">{_interval(found, m, place)}</td>'
        if found.compared:
            if found.baseline is not None:
                yield _difference(place)
            yield f'<td class="mark{_way(place)}">{_mark(place)}</td>'
        if found.judged[m]:
            yield f"<td{_key(place.mean.judged)}>{share(place.mean.judged)}</td>"


def _key(value: float) -> str:
    return f' data-key="{"" if math.isnan(value) else repr(value)}"'


def _way(place: Place) -> str:
    return {BETTER: " up", WORSE: " down"}.get(place.mark, "")


def _mark(place: Place) -> str:
    if place.mark in (BETTER, WORSE):
        return f'{place.mark}<span class="sr"> {place.meaning}</span>'
    return in_html(place.mark)


def _difference(place: Place) -> str:
    d = place.difference
    if d is None:
        return '<td data-key=""></td>'
    p = "" if math.isnan(d.p) else f" <small>p {in_html(p_value(d.p))}</small>"
    return f"<td{_key(d.difference)}>{signed(d.difference).replace('-', '−')}{p}</td>"


def _interval(found: Board, m: int, place: Place) -> str:
    """The bounds, drawn for the first measure."""
    mean = place.mean
    if not (math.isfinite(mean.low) and math.isfinite(mean.high)):
        return "–"
    words = f"{number(mean.low)} to {number(mean.high)}"
    short = words.replace(" to ", "–") if mean.low >= 0 else words
    if m:
        return short
    means = [line.places[0].mean for line in found.lines]
    known = [each for each in means if math.isfinite(each.low) and math.isfinite(each.high)]
    low, high = min(each.low for each in known), max(each.high for each in known)
    room = (high - low) or 1.0

    def x(value: float) -> str:
        return f"{5 + (WIDE - 10) * (value - low) / room:.1f}"

    middle = HIGH / 2
    return (
        f'<svg class="span" width="{WIDE}" height="{HIGH}" role="img" aria-label="{words}">'
        f'<line x1="{x(mean.low)}" x2="{x(mean.high)}" y1="{middle}" y2="{middle}"/>'
        f'<circle cx="{x(mean.value)}" cy="{middle}" r="4"/></svg> {short}'
    )


# ------------------------------------------------------------------------------------------ curves


def curves(report: Report) -> str:
    """Pictures, each with its numbers."""
    found = list(pictures(report))
    if not found:
        return ""
    figures = "".join(map(_figure, found))
    missing = "" if drawable() else _p("Pictures need Altair: pip install 'assay[show]'.", "mind")
    return (
        '<section id="curves" aria-labelledby="curves-head"><h2 id="curves-head">Pictures</h2>'
        f'{missing}<div class="charts">{figures}</div></section>'
    )


def _figure(picture: Picture) -> str:
    image = ""
    if picture.image:
        image = f'<img alt="{in_html(described(picture))}" src="{picture.image}">'
    numbers = ""
    if picture.rows:
        heads = "".join(f'<th scope="col">{in_html(head)}</th>' for head in picture.heads[1:])
        rows = "".join(
            f'<tr><th scope="row" class="name">{_id(row[0])}</th>'
            + "".join(f"<td>{cell}</td>" for cell in row[1:])
            + "</tr>"
            for row in picture.rows
        )
        table = (
            f'<table><caption class="sr">{in_html(picture.title)}</caption><thead><tr>'
            f'<th scope="col" class="text">{in_html(picture.heads[0])}</th>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table>"
        )
        label = f"{picture.title}, numbers"
        numbers = f"<details><summary>Numbers</summary>{_scrolling(table, label, 0)}</details>"
    title = "" if picture.image else f"<b>{in_html(picture.title)}.</b> "
    return (
        f"<figure>{image}<figcaption>{title}{in_html(picture.words)}</figcaption>{numbers}</figure>"
    )


# ------------------------------------------------------------------------------------- differences


def pairs(report: Report) -> str:
    """The frame of the matrix, which the script fills."""
    comparison = report.comparison
    if comparison is None:
        return ""
    plan = comparison.plan
    which = "with the baseline" if plan.baseline is not None else "of every two runs"
    return (
        '<section id="pairs" aria-labelledby="pairs-head"><h2 id="pairs-head">Differences</h2>'
        + _p(
            f"Differences of means {which}, row minus column, with p under each; * shown to differ "
            f"at {plan.alpha:g}. Point at a cell, or move over the table with the arrow keys, to "
            "read the whole sentence.",
            "lead",
        )
        + '<div class="controls"><div class="field"><label for="matrix-measure">Measure</label>'
        '<select id="matrix-measure"></select></div></div>'
        '<div class="scroll tall" role="region" tabindex="0" aria-label="Table of differences">'
        '<table class="matrix" id="matrix"><caption class="sr">Differences of means, row minus '
        "column, with p-values</caption></table></div>"
        '<p class="said" id="matrix-said" aria-live="polite">'
        f"{in_html(_about(report))}</p></section>"
    )


def _about(report: Report) -> str:
    comparison = report.comparison
    if comparison is None:
        return ""
    first = comparison.under(comparison.measures[0])
    shown = sum(d.significant for d in first)
    return (
        f"{shown:,} of {len(first):,} differences in {comparison.measures[0]} are shown "
        f"({percent(comparison.plan.alpha)} confidence)."
    )


# --------------------------------------------------------------------------------------- judgments


def judgments(report: Report) -> str:
    """What was judged, how much of what the runs show, and what is odd."""
    found = report.description
    facts = found.judgments[0]
    words = (
        f"{facts.label}: {facts.judgments:,} judgments of {facts.topics:,} topics, "
        f"{facts.relevant:,} of them relevant (grade 1 or more); from {facts.relevant_least} to "
        f"{facts.relevant_most} relevant documents for a topic, median {facts.relevant_median:g}."
    )
    return (
        _p(words)
        + f'<div class="two"><div><h3>Grades</h3>{_grades(report)}</div>'
        + f"<div><h3>Topics without a relevant document</h3>{_barren(report)}</div></div>"
        + "<h3>Judged documents among the first k</h3>"
        + _judged(found)
        + "<h3>What is odd, and what to do</h3>"
        + _findings(found)
    )


def _grades(report: Report) -> str:
    facts = report.description.judgments[0]
    rows = []
    for grade in sorted(facts.grades, key=float, reverse=True):
        count = facts.grades[grade]
        part = count / facts.judgments
        bar = (
            f'<svg class="share" width="{SHARE}" height="12" aria-hidden="true">'
            f'<rect class="rest" width="{SHARE}" height="12" rx="2"/>'
            f'<rect width="{SHARE * part:.1f}" height="12" rx="2"/></svg>'
        )
        rows.append(
            f'<tr><th scope="row">{in_html(grade)}</th><td>{count:,}</td><td>{part:.1%}</td>'
            f'<td class="text">{bar}</td></tr>'
        )
    return (
        '<table><caption class="sr">How often each grade was given</caption><thead><tr>'
        '<th scope="col" class="text">grade</th><th scope="col">judgments</th>'
        '<th scope="col">share</th><td></td></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _barren(report: Report) -> str:
    """Topics of which no judged document has a grade above 0."""
    shown = report.listing
    names = [
        topic
        for topic, docs in zip(shown.topics, shown.documents, strict=True)
        if not docs.relevant
    ]
    if not names:
        return "<p>None: every topic has one.</p>"
    named = ", ".join(map(_id, names[:LISTED]))
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"<p>{len(names)} of {len(shown.topics)}: {named}{more}.</p>"


def _judged(found: Description) -> str:
    depths = list(dict.fromkeys(k for run in found.runs for k in run.judged))
    heads = [_head("run", "text"), *(_head(f"@{k}", first="descending") for k in depths)]
    heads += [_head(name, first="descending") for name in ("documents", "missing topics")]
    rows = []
    for run in found.runs:
        cells = [
            f'<th scope="row" class="name" data-key="{in_html(run.label)}">{_id(run.label)}</th>'
        ]
        for k in depths:
            value = run.judged.get(k, math.nan)
            cells.append(f"<td{_key(value)}>{share(value)}</td>")
        cells.append(f'<td data-key="{run.documents}">{run.documents:,}</td>')
        cells.append(f'<td data-key="{run.missing}">{run.missing}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    table = (
        '<table class="sorts"><caption class="sr">Share of judged documents among the first k of '
        f"each run</caption><thead><tr>{''.join(heads)}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    return _scrolling(table, "Judged documents by run", len(rows))


def _findings(found: Description) -> str:
    texts = [str(finding) for finding in found.findings]
    if not texts:
        return "<p>Nothing.</p>"
    more = texts[LISTED:]
    rest = f"<details><summary>{len(more)} more</summary>{_list(more)}</details>" if more else ""
    return _list(texts[:LISTED]) + rest


# ---------------------------------------------------------------------------------- how it was made


def methods(report: Report) -> str:
    """A paragraph for a paper, and its references."""
    if not report.methods:
        return ""
    text = paragraph(report, lambda keys: f"[{', '.join(keys)}]")
    return (
        '<section id="methods" aria-labelledby="methods-head"><h2 id="methods-head">Methods</h2>'
        + _p("For a paper: exactly what was run, with BibTeX for what it cites.", "lead")
        + _p(text)
        + f"<pre>{_verbatim(bibtex(report))}</pre></section>"
    )


def _verbatim(text: str) -> str:
    return "\n".join(map(in_html, text.split("\n")))


def made(report: Report) -> str:
    """The command, what was tested, the policies, the files, the versions."""
    lines = tested(report)
    notes_ = notes(report)
    parts = [
        "<p>The same files, command and versions make the same page again.</p>",
        f"<pre>{_verbatim(report.command)}</pre>",
    ]
    if lines:
        parts.append(f"<h3>Tests</h3>{_list(lines)}")
    parts.append(f"<h3>Policies</h3>{_policies(report)}")
    parts.append(f"<h3>Files</h3>{_files(report)}")
    said = ", ".join(f"{name} {version}" for name, version in versions().items())
    parts.append(f"<h3>Versions</h3>{_p(said)}")
    if notes_:
        parts.append(f"<h3>Notes</h3>{_list(notes_)}")
    return "".join(parts)


def _policies(report: Report) -> str:
    rows = "".join(
        f'<tr><th scope="row">{in_html(name)}</th><td class="text">{in_html(value)}</td>'
        f'<td class="words">{in_html(meaning)}</td></tr>'
        for name, value, meaning in policies(report)
    )
    return (
        '<div class="scroll" role="region" tabindex="0" aria-label="Policies"><table>'
        '<caption class="sr">Policies and what they mean</caption><tbody>'
        f"{rows}</tbody></table></div>"
    )


def _files(report: Report) -> str:
    rows = []
    for file in report.files:
        size = "" if file.size is None else f"{file.size:,}"
        digest = in_html(file.sha256) or "no file to be known by"
        rows.append(
            f'<tr><td class="text">{in_html(file.role)}</td><td class="name">{_id(file.label)}</td>'
            f'<td class="name"><bdi>{in_html(file.name)}</bdi></td><td>{size}</td>'
            f'<td class="hash">{digest}</td></tr>'
        )
    heads = "".join(
        f'<th scope="col"{_named("" if name == "bytes" else "text")}>{name}</th>'
        for name in ("what", "label", "file", "bytes", "SHA-256")
    )
    table = (
        '<table class="files"><caption class="sr">Files that were read</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )
    return _scrolling(table, "Files", len(rows))
