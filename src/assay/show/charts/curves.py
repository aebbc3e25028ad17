"""Curves by rank beside the ideal, how they are read, and precision by recall."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.gain_curves import IDEAL
from assay.show.charts.finish import altair, data, finished
from assay.show.charts.layout import domain
from assay.show.charts.lines import Line, foremost, hovering, label_room, lines
from assay.show.charts.look import INK, look
from assay.show.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.gain_curves import Curves
    from assay.show.charts.look import Look

__all__ = ["gain_curves", "precision_recall"]

READ_AT = 10  # the rank that readings are marked at
BANDS = 3  # bands that can be told apart


def gain_curves(
    found: Curves,
    *,
    measure: str | None = None,
    judge: str | None = None,
    baseline: str | None = None,
    highlight: Sequence[str] = (),
    read_at: int | None = READ_AT,
    preset: str = "screen",
) -> Any:
    """Draw a measure by rank, each run beside the ideal.

    Readings are marked at the rank `read_at` (None: none) for the baseline, or the best run:
    downwards, how much the ideal has more; across, where a measure that adds up gains reaches what
    the ideal has there. With a `baseline` a second panel shows differences to it.
    """
    found._ranks_only("gain curves")  # noqa: SLF001 - one sentence, one place
    at = look(preset)
    alt = altair()
    measure = found.measures[0] if measure is None and len(found.measures) == 1 else measure
    best = _best(found, measure, judge)
    if baseline is not None:
        found._run(baseline)  # noqa: SLF001
        best = [baseline, *(run for run in best if run != baseline)]
    front = foremost(found.runs, highlight, best)
    j, m = found._place(measure, judge)  # noqa: SLF001
    measure, judge = found.measures[m], found.judges[j]
    drawn = [
        Line(run, found.points, found.mean(run, measure, judge).tolist()) for run in found.runs
    ]
    shares = found.normalised[m]
    ideal = [1.0] * len(found.points) if shares else found.gain(IDEAL, measure, judge).tolist()
    drawn.append(Line(IDEAL, found.points, ideal, ideal=True))
    ends = [float(found.points[0]), float(found.points[-1])]
    tall = domain([y for line in drawn for y in line.y], zero=True)
    marks, said = _readings(at, found, best[0], measure, judge, read_at, drawn)
    named = f"{measure}, judged by {printable(judge)}" if len(found.judges) > 1 else measure
    title = f"{named} by rank"
    if baseline is None:
        chart = lines(at, drawn, front, x=("rank", ends), y=(named, tall), whole=True, above=marks)
        return finished(chart, at, title, said)
    wide = at.width - label_room(at, [line.name for line in drawn if line.name in (*front, IDEAL)])
    wide -= at.font * 5.4
    upper = lines(
        at,
        drawn,
        front,
        x=("rank", ends),
        y=(named, tall),
        whole=True,
        above=marks,
        height=at.half,
        wide=wide,
        untitled=True,
        name="curves",
    )
    lower, told = _differences(at, found, front, measure, judge, baseline, ends, wide)
    chart = alt.vconcat(upper, lower, spacing=at.font).resolve_scale(
        color="independent", strokeDash="independent"
    )
    if len(front) < len(found.runs):
        chart = hovering(chart, "curves")
    return finished(chart, at, title, [*said, *told], fits=False)


def _best(found: Curves, measure: str | None, judge: str | None) -> list[str]:
    """Runs by the area under their curves, largest first; by name where equal."""
    areas = {run: found.area(run, measure, judge) for run in found.runs}
    return sorted(found.runs, key=lambda run: (math.isnan(areas[run]), areas[run], run))


def _differences(
    at: Look,
    found: Curves,
    front: Sequence[str],
    measure: str,
    judge: str,
    baseline: str,
    ends: list[float],
    wide: float,
) -> tuple[Any, list[str]]:
    """The panel of differences to the baseline, with pointwise bands."""
    others = [run for run in front if run != baseline]
    bands = {run: found.difference(run, baseline, measure, judge) for run in others}
    banded = others[:BANDS]
    drawn = [
        Line(run, found.points, [0.0] * len(found.points), ideal=False)
        if run == baseline
        else Line(
            run,
            found.points,
            bands[run].difference,
            bands[run].low if run in banded else (),
            bands[run].high if run in banded else (),
        )
        for run in front
    ]
    reach = [y for line in drawn for each in (line.y, line.low, line.high) for y in each]
    chart = lines(
        at,
        drawn,
        front,
        x=("rank", ends),
        y=("difference", domain(reach, zero=True)),
        whole=True,
        height=at.half,
        wide=wide,
        name="differences",
    )
    if not bands:
        return chart, []
    whose = "" if len(banded) == len(others) else f" of {', '.join(banded)}"
    fewest, most = (pick(each.topics for each in bands.values()) for pick in (min, max))
    topics = f"{most} topics" if fewest == most else f"{fewest} to {most} topics"
    said = (
        f"Below: difference to {baseline}; bands{whose} are 95 % intervals of the topics' "
        f"differences ({topics}), pointwise: each rank by itself."
    )
    return chart, [said]


def _readings(
    at: Look,
    found: Curves,
    run: str,
    measure: str,
    judge: str,
    rank: int | None,
    drawn: Sequence[Line],
) -> tuple[list[Any], list[str]]:
    """The two readings of one run at a rank: rules on the picture, and what they say."""
    if rank is None or rank not in found.points:
        return [], []
    i = found.points.index(rank)
    curve = {line.name: line.y for line in drawn}
    mine, best = float(curve[run][i]), float(curve[IDEAL][i])
    if not (math.isfinite(mine) and math.isfinite(best)):
        return [], []
    name = printable(run)
    reached_at = None
    rules = [{"x": rank, "y": mine, "x2": rank, "y2": best}]
    said = f"At rank {rank} {name} has {mine:.3g}, the ideal {best:.3g}"
    if not found.normalised[found.measures.index(measure)] and found.cumulated(measure):
        reached = float(found.reach(run, IDEAL, measure, judge)[i])
        if math.isfinite(reached):
            reached_at = reached
            rules.append({"x": rank, "y": best, "x2": reached, "y2": best})
            said += f", and reaches that at rank {reached:g}"
        else:
            rules.append({"x": rank, "y": best, "x2": found.points[-1], "y2": best})
            said += f", and does not reach that by rank {found.points[-1]:g}"
    alt = altair()
    layer = (
        alt.Chart(data(rules), name="readings")
        .mark_rule(strokeWidth=at.line * 0.5, color=INK)
        .encode(alt.X("x:Q"), alt.Y("y:Q"), x2="x2:Q", y2="y2:Q")
    )
    ends = [{"x": rank, "y": mine}, {"x": rank, "y": best}]
    ends += [{"x": each["x2"], "y": best} for each in rules[1:] if reached_at is not None]
    dots = (
        alt.Chart(data(ends), name="readings_ends")
        .mark_point(filled=True, color=INK, size=at.point * 0.5, opacity=1)
        .encode(alt.X("x:Q"), alt.Y("y:Q"))
    )
    return [layer, dots], [f"{said}."]


def precision_recall(
    found: Curves,
    *,
    measure: str | None = None,
    judge: str | None = None,
    highlight: Sequence[str] = (),
    preset: str = "screen",
) -> Any:
    """Draw interpolated precision at levels of recall."""
    at = look(preset)
    areas = {run: -float(sum(found.mean(run, measure, judge).tolist())) for run in found.runs}
    best = sorted(found.runs, key=lambda run: (math.isnan(areas[run]), areas[run], run))
    front = foremost(found.runs, highlight, best)
    drawn = [
        Line(run, found.points, found.mean(run, measure, judge).tolist()) for run in found.runs
    ]
    ends = [float(found.points[0]), float(found.points[-1])]
    tall = domain([y for line in drawn for y in line.y], zero=True)
    chart = lines(
        at, drawn, front, x=("recall", ends), y=("interpolated precision", tall), points=True
    )
    said = [f"Means over {len(found.topics)} topics."]
    return finished(chart, at, "Precision by recall", said)
