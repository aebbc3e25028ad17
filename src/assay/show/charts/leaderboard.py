"""Runs in order of their means, with intervals that tell them apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.show.charts.finish import altair, data, finished
from assay.show.charts.layout import domain, labels
from assay.show.charts.look import COLORS, INK, look
from assay.show.charts.rows import row_axis, step, tooltips
from assay.show.text import number

if TYPE_CHECKING:
    from assay.measures.measure import Measure
    from assay.scores import Scores

__all__ = ["leaderboard"]


def leaderboard(
    scores: Scores,
    *,
    measure: str | Measure | None = None,
    judge: str | None = None,
    preset: str = "screen",
) -> Any:
    """Draw each run's mean with its within-topic interval, best first."""
    at = look(preset)
    alt = altair()
    chosen = scores.one(measure)
    found = scores.within(chosen, judge)
    sign = -1 if chosen.definition.higher_is_better else 1
    order = sorted(found, key=lambda each: (math.isnan(each.value), sign * each.value))
    shown = dict(
        zip((each.run for each in order), labels([each.run for each in order]), strict=True)
    )
    tall, font = step(at, len(order))
    rows: list[dict[str, Any]] = [
        {
            "row": shown[each.run],
            "value": each.value,
            "low": each.low,
            "high": each.high,
            "text": number(each.value)[:6],
        }
        for each in order
    ]
    ends = domain([x for each in order for x in (each.low, each.high, each.value)])
    up = row_axis(at, [row["row"] for row in rows], font)
    base = alt.Chart(data(rows)).encode(up)
    across = alt.X(
        "low:Q",
        scale=alt.Scale(domain=ends, nice=False),
        axis=alt.Axis(title=str(chosen), grid=False, tickCount=5),
    )
    tip = tooltips(row="run!", value="mean", low="low", high="high")
    layers = [
        base.mark_rule(strokeWidth=min(at.line * 1.6, tall * 0.3), color=COLORS[0]).encode(
            across, x2="high:Q"
        ),
        base.mark_point(
            filled=True, opacity=1, size=min(at.point * 1.3, tall * tall * 0.3), color=COLORS[0]
        ).encode(alt.X("value:Q"), tooltip=tip),
        base.mark_text(align="left", dx=font * 0.5, fontSize=font, color=INK).encode(
            x=alt.value({"expr": "width"}), text="text:N"
        ),
    ]
    chart = alt.layer(*layers).properties(height=alt.Step(tall))
    topics = found[0].topics
    said = f"Means over {topics} topics."
    if not math.isnan(found[0].low):
        said = (
            f"Means over the {topics} topics that all runs share, with 95 % within-topic intervals "
            "(Cousineau-Morey, difference-adjusted): where two do not meet, the runs differ by a "
            "paired t test at about .05, uncorrected."
        )
    return finished(chart, at, f"Runs by {chosen}", [said])
