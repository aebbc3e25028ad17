"""What judgments and runs look like before anything is measured, and one list explained."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.finish import altair, data, finished
from assay.show.charts.heat import heat
from assay.show.charts.layout import domain, ticks
from assay.show.charts.look import BLUE, INK, PALE, look
from assay.show.charts.rows import tooltips
from assay.show.charts.spans import Span, bars
from assay.show.text import number, printable

if TYPE_CHECKING:
    from assay.consistency import Consistency
    from assay.description import Description
    from assay.distances import Distances
    from assay.explanation import Explanation
    from assay.merging import Merged

__all__ = ["distances", "explanation", "grades", "judged", "merged", "verdicts"]

LONGEST = 50  # ranks of a list that is explained


def grades(found: Description, *, preset: str = "screen") -> Any:
    """Draw how many documents were given each grade."""
    at = look(preset)
    several = len(found.judgments) > 1
    rows = [
        Span(f"{facts.label}: {grade}" if several else grade, float(many), text=f"{many:,}")
        for facts in found.judgments
        for grade, many in facts.grades.items()
    ]
    chart = bars(at, rows, title="judgments", value="judgments")
    said = [
        f"{facts.judgments:,} judgments on {facts.topics} topics"
        + (f" by {printable(facts.label)}" if several else "")
        + "."
        for facts in found.judgments
    ]
    return finished(chart, at, "Judgments by grade", said[:4])


def judged(found: Description, *, preset: str = "screen") -> Any:
    """Draw how much of each run's top was judged."""
    if not found.runs:
        raise AssayError("how much was judged needs runs: describe(judgments, runs)")
    runs = sorted(found.runs, key=lambda run: [-x for x in run.judged.values()])
    columns = list(runs[0].judged)
    values = [[run.judged[name] for name in columns] for run in runs]
    return heat(
        look(preset),
        [run.label for run in runs],
        columns,
        values,
        of="share judged",
        title="How much of each run was judged",
        said=["Mean over topics of the share of the first documents that have a judgment."],
        row="run",
        column="depth",
        ends=(0.0, 1.0),
    )


def distances(found: Distances, *, preset: str = "screen") -> Any:
    """Draw the normalised distance of each topic's ranking from the user's."""
    at = look(preset)
    known = {topic: each.ndpm for topic, each in found.topics.items() if each.pairs}
    if not known:
        raise AssayError("the user prefers nothing on any topic, so that no distance is defined")
    order = sorted(known, key=lambda topic: (known[topic], topic))
    rows = [Span(topic, known[topic], text=number(known[topic])) for topic in order]
    chart = bars(at, rows, title="ndpm, 0 is the user's own order", value="ndpm", ends=[0.0, 1.0])
    title = f"{printable(found.system)}: distance from {printable(found.user)}"
    return finished(chart, at, title, [f"Mean {number(found.mean)}."])


def merged(found: Merged, *, preset: str = "screen") -> Any:
    """Draw how many votes the merged order of each topic contradicts."""
    at = look(preset)
    known = {
        topic: each.contradicted
        for topic, each in found.topics.items()
        if each.contradicted is not None
    }
    if not known:
        raise AssayError(f"{found.method} counts no votes on pairs: copeland, mc4, kemeny do")
    order = sorted(known, key=lambda topic: (-known[topic], topic))
    rows = [Span(topic, float(known[topic]), text=f"{known[topic]:,}") for topic in order]
    chart = bars(at, rows, title="votes contradicted", value="votes")
    said = f"{len(found.sources)} rankings merged by {found.method}."
    return finished(chart, at, "How far the rankings disagree with the merged one", [said])


def verdicts(found: Consistency, *, preset: str = "screen") -> Any:
    """Draw on how many topics and by how many judges statements agree with themselves."""
    at = look(preset)
    kinds = [each.verdict for each in found.findings]
    rows = [
        Span(kind, float(kinds.count(kind)), text=f"{kinds.count(kind):,}")
        for kind in dict.fromkeys(sorted(kinds))
    ]
    chart = bars(at, rows, title="topics and judges", value="many")
    return finished(chart, at, f"{printable(found.label)}: what the statements amount to")


def explanation(found: Explanation, *, preset: str = "screen") -> Any:
    """Draw the grades of a list by rank, beside those of the ideal list."""
    at = look(preset)
    alt = altair()
    listed: list[dict[str, Any]] = [
        {"rank": step.rank - 0.4, "end": step.rank + 0.4, "at": step.rank, "grade": step.grade,
         "doc": printable(step.doc)}
        for step in found.steps[:LONGEST]
        if step.rank is not None
    ]  # fmt: skip
    best: list[dict[str, Any]] = [
        {"rank": step.rank - 0.5, "end": step.rank + 0.5, "grade": step.grade}
        for step in found.ideal[:LONGEST]
        if step.rank is not None and step.grade is not None
    ]
    if not listed:
        raise AssayError(f"{found.run} has no document on topic {found.topic}")
    known = [row["grade"] for row in (*listed, *best) if row["grade"] is not None]
    tall = domain(known, zero=True)
    ends = [0.5, max([row["at"] for row in listed]) + 0.5]
    across = alt.X(
        "rank:Q",
        scale=alt.Scale(domain=ends, nice=False),
        axis=alt.Axis(
            title="rank",
            grid=False,
            values=sorted({1.0, *(t for t in ticks(ends, 10) if t.is_integer() and t > 1)}),
        ),
    )
    up = alt.Y(
        "grade:Q", scale=alt.Scale(domain=tall, nice=False),
        axis=alt.Axis(title="grade", values=ticks(tall, 5)),
    )  # fmt: skip
    base = alt.Chart(data(listed))
    layers = [
        base.transform_filter("isValid(datum.grade)")
        .mark_rect(color=BLUE)
        .encode(
            across, up, x2="end:Q", y2=alt.datum(0), tooltip=tooltips(doc="document!", at="rank")
        ),
        base.transform_filter("!isValid(datum.grade)")
        .mark_text(text="?", color=PALE, baseline="bottom")
        .encode(x=alt.X("at:Q"), y=alt.datum(0), tooltip=tooltips(doc="unjudged!", at="rank")),
    ]
    said = [found.last]
    if best:
        layers.append(
            alt.Chart(data(best))
            .mark_rule(color=INK, strokeWidth=at.line * 0.7, clip=True)
            .encode(across, up, x2="end:Q")
        )
        said.append("Black: the ideal list.")
    if any(row["grade"] is None for row in listed):
        said.append("?: unjudged.")
    chart = alt.layer(*layers).properties(height=at.half)
    value = "undefined" if math.isnan(found.value) else number(found.value)
    title = f"{found.measure} of {printable(found.run)} on topic {printable(found.topic)}: {value}"
    return finished(chart, at, title, [" ".join(said)])
