"""Differences between runs with their intervals, and groups of runs that do not differ."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.show.charts.finish import altair, data, finished
from assay.show.charts.layout import domain, labels, ticks
from assay.show.charts.look import BLUE, INK, PALE, look
from assay.show.charts.rows import row_axis, step, tooltips
from assay.show.comparison import correction, intervals
from assay.show.verdict import TEST_NAMES, p_value

if TYPE_CHECKING:
    from assay.comparison import Comparison, Difference, Overview
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
    across = alt.X(
        "rank:Q",
        scale=alt.Scale(domain=[ends[0], ends[1]], nice=False, reverse=True),
        axis=alt.Axis(title="mean rank over topics (1 is best)", grid=False, values=ticks(ends, 6)),
    )
    base = alt.Chart(data(rows))
    gap = max(at.font * 0.7, at.line * 3)
    gap = min(gap, at.width * 0.3 / max(1, len(stretches)))
    bars: list[dict[str, Any]] = [
        {"row": shown[first], "last": shown[last], "number": k}
        for k, (first, last) in enumerate(stretches)
    ]
    layers = [
        base.mark_point(
            filled=True, opacity=1, size=min(at.point * 1.3, tall * tall * 0.3), color=BLUE
        ).encode(across, row_axis(at, shown, font), tooltip=tooltips(row="run!", rank="mean rank")),
        base.mark_text(align="left", dx=font * 0.4, fontSize=font, color=INK).encode(
            row_axis(at, shown, font), x=alt.value({"expr": "width"}), text="text:N"
        ),
    ]
    beyond = font * 3.2
    for bar in bars:
        place = {"expr": f"width + {beyond + gap * bar['number']}"}
        layers.append(
            alt.Chart(data([bar]))
            .mark_rule(strokeWidth=min(at.line * 2.2, gap * 0.6), color=INK, strokeCap="round")
            .encode(row_axis(at, shown, font), x=alt.value(place), y2="last:N")
        )
    chart = alt.layer(*layers).properties(height=alt.Step(tall))
    said = (
        "Bars join runs of which no two differ (Friedman, Conover's test on mean ranks, "
        f"{_corrected(comparison)}, alpha {comparison.plan.alpha:g}, {len(about.topics)} topics)."
    )
    return finished(chart, at, f"Which runs differ by {about.measure}", [said])


def forest(
    comparison: Comparison, *, measure: str | Measure | None = None, preset: str = "screen"
) -> Any:
    """Draw each difference with its interval."""
    at = look(preset)
    alt = altair()
    about = comparison.about(measure)
    found = sorted(
        comparison.under(about.measure),
        key=lambda d: (math.isnan(d.p), d.p, -abs(d.difference), d.run, d.baseline),
    )[:MOST]
    found.sort(key=lambda d: (-d.estimate, d.run, d.baseline))
    shown = labels([f"{d.run} - {d.baseline}" for d in found], 40)
    tall, font = step(at, len(found))
    rows = [_row(d, name) for d, name in zip(found, shown, strict=True)]
    ends = domain([x for row in rows for x in (row["low"], row["high"], row["value"])], zero=True)
    across = alt.X(
        "low:Q",
        scale=alt.Scale(domain=ends, nice=False, clamp=True),
        axis=alt.Axis(title=_about(about), grid=False, values=ticks(ends, 5)),
    )
    base = alt.Chart(data(rows))
    up = row_axis(at, shown, font)
    paint = alt.condition("datum.shown", alt.value(BLUE), alt.value(PALE))
    fill = alt.condition("datum.shown", alt.value(BLUE), alt.value("white"))
    layers = [
        alt.Chart(data([{"x": 0}])).mark_rule(color=INK, strokeWidth=at.thin).encode(alt.X("x:Q")),
        base.mark_rule(strokeWidth=min(at.line * 1.4, tall * 0.3)).encode(
            across, up, x2="high:Q", color=paint
        ),
        base.mark_point(
            opacity=1, strokeWidth=at.line * 0.7, size=min(at.point * 1.3, tall * tall * 0.3)
        ).encode(
            alt.X("value:Q"),
            up,
            fill=fill,
            stroke=paint,
            tooltip=tooltips(row="difference!", value="estimate", low="low", high="high", p="p"),
        ),
        base.mark_text(align="left", dx=font * 0.4, fontSize=font).encode(
            up, x=alt.value({"expr": "width"}), text="text:N"
        ),
    ]
    chart = alt.layer(*layers).properties(height=alt.Step(tall))
    every = len(comparison.under(about.measure))
    some = f"The {len(found)} of {every} differences with the smallest p. " if every > MOST else ""
    test = TEST_NAMES[comparison.plan.test].rstrip(",")
    said = (
        f"{some}Filled: significant. Test: {test}. Correction: {correction(comparison)}. "
        f"Intervals: {intervals(comparison)}."
    )
    return finished(chart, at, f"Differences in {about.measure}", [said])


def _row(d: Difference, name: str) -> dict[str, Any]:
    return {
        "row": name,
        "value": d.estimate,
        "low": d.low,
        "high": d.high,
        "p": d.p,
        "shown": d.significant,
        "text": "-" if math.isnan(d.p) else f"p {p_value(d.p)}",
    }


def _about(about: Overview) -> str:
    what = "" if about.about == "mean" else f" ({about.about})"
    return f"difference in {about.measure}{what}"


def _corrected(comparison: Comparison) -> str:
    names = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}
    return names.get(comparison.plan.correction, "uncorrected")
