"""Differences between runs with their intervals, and groups of runs that do not differ."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.show.charts.finish import altair, data, finished
from assay.show.charts.layout import domain, labels, ticks
from assay.show.charts.look import BLUE, INK, look
from assay.show.charts.rows import row_axis, step, tooltips
from assay.show.charts.spans import Span, spans
from assay.show.comparison import correction, intervals
from assay.show.verdict import TEST_NAMES, p_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.comparison import Comparison, Overview
    from assay.measures.measure import Measure

__all__ = ["forest", "groups"]

MOST = 40  # differences in one picture


def groups(
    comparison: Comparison, *, measure: str | Measure | None = None, preset: str = "screen"
) -> Any:
    """Draw mean ranks after Friedman's test, with a bar beside runs of which no two differ."""
    at = look(preset)
    alt = altair()
    about = comparison.about(measure)
    order, stretches = comparison.groups(about.measure)
    ranks = dict(zip(comparison.runs, comparison.mean_ranks(about.measure), strict=True))
    shown = labels(order)
    tall, font = step(at, len(order))
    rows: list[dict[str, Any]] = [
        {"row": name, "rank": ranks[run], "text": f"{ranks[run]:.2f}"}
        for run, name in zip(order, shown, strict=True)
    ]
    ends = domain([1.0, *ranks.values()])
    lanes = _lanes(stretches)
    apart = (ends[1] - ends[0]) * min(0.03, 0.35 / (max(lanes, default=0) + 1))
    right = ends[0] - apart * (max(lanes, default=-1) + 2)
    across = alt.X(
        "rank:Q",
        scale=alt.Scale(domain=[right, ends[1]], nice=False, reverse=True),
        axis=alt.Axis(title="mean rank over topics (1 is best)", grid=False, values=ticks(ends, 6)),
    )
    base = alt.Chart(data(rows))
    bars = [
        {"row": shown[first], "last": shown[last], "rank": ends[0] - apart * (lane + 1)}
        for (first, last), lane in zip(stretches, lanes, strict=True)
    ]
    up = row_axis(at, shown, font)
    size = min(at.point * 1.3, tall * tall * 0.3)
    layers = [
        base.mark_point(filled=True, opacity=1, size=size, color=BLUE).encode(
            across, up, tooltip=tooltips(row="run!", rank="mean rank")
        ),
        base.mark_text(align="left", dx=font * 0.4, fontSize=font, color=INK).encode(
            up, x=alt.value({"expr": "width"}), text="text:N"
        ),
        alt.Chart(data(bars))
        .mark_rule(strokeWidth=at.line * (1.6 if len(bars) < 12 else 1), color=INK)
        .encode(up, x=alt.X("rank:Q"), y2="last:N"),
    ]
    chart = alt.layer(*layers).properties(height=tall * len(rows))
    said = (
        "Bars join runs of which no two differ (Friedman, Conover's test on mean ranks, "
        f"{_corrected(comparison)}, alpha {comparison.plan.alpha:g}, {len(about.topics)} topics)."
    )
    return finished(chart, at, f"Which runs differ by {about.measure}", [said])


def _lanes(stretches: Sequence[tuple[int, int]]) -> list[int]:
    """A lane for the bar of each stretch, in which it meets no other."""
    ends: list[int] = []  # where the last bar of each lane ends
    found = []
    for first, last in stretches:
        lane = next((k for k, end in enumerate(ends) if end < first), len(ends))
        ends[lane : lane + 1] = [last]
        found.append(lane)
    return found


def forest(
    comparison: Comparison, *, measure: str | Measure | None = None, preset: str = "screen"
) -> Any:
    """Draw each difference with its interval."""
    at = look(preset)
    about = comparison.about(measure)
    found = sorted(
        comparison.under(about.measure),
        key=lambda d: (math.isnan(d.p), d.p, -abs(d.difference), d.run, d.baseline),
    )[:MOST]
    found.sort(key=lambda d: (-d.estimate, d.run, d.baseline))
    rows = [
        Span(
            f"{d.run} - {d.baseline}",
            d.estimate,
            d.low,
            d.high,
            text="-" if math.isnan(d.p) else f"p {p_value(d.p)}",
            filled=d.significant,
        )
        for d in found
    ]
    chart = spans(at, rows, title=_about(about), value="estimate", rule=0.0, longest=40)
    every = len(comparison.under(about.measure))
    some = f"The {len(found)} of {every} differences with the smallest p. " if every > MOST else ""
    test = TEST_NAMES[comparison.plan.test].rstrip(",")
    said = (
        f"{some}Filled: significant. Test: {test}. Correction: {correction(comparison)}. "
        f"Intervals: {intervals(comparison)}."
    )
    return finished(chart, at, f"Differences in {about.measure}", [said])


def _about(about: Overview) -> str:
    what = "" if about.about == "mean" else f" ({about.about})"
    return f"difference in {about.measure}{what}"


def _corrected(comparison: Comparison) -> str:
    names = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}
    return names.get(comparison.plan.correction, "uncorrected")
