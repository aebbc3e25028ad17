"""Runs in order of their means, with intervals that tell them apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.show.charts.finish import finished
from assay.show.charts.look import look
from assay.show.charts.spans import Span, spans
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
    chosen = scores.one(measure)
    found = scores.within(chosen, judge)
    sign = -1 if chosen.definition.higher_is_better else 1
    order = sorted(found, key=lambda each: (math.isnan(each.value), sign * each.value))
    rows = [
        Span(each.run, each.value, each.low, each.high, text=number(each.value)) for each in order
    ]
    chart = spans(at, rows, title=str(chosen), value="mean")
    topics = found[0].topics
    said = f"Means over {topics} topics."
    if not math.isnan(found[0].low):
        said = (
            f"Means over the {topics} topics that all runs share, with 95 % within-topic intervals "
            "(Cousineau-Morey, difference-adjusted): where two do not meet, the runs differ by a "
            "paired t test at about .05, uncorrected."
        )
    return finished(chart, at, f"Runs by {chosen}", [said])
