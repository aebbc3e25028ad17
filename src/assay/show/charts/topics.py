"""Pictures of single topics: scores, differences of two runs, one run against another."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.finish import altair, data, finished
from assay.show.charts.heat import heat
from assay.show.charts.layout import apart, domain, labels, ticks
from assay.show.charts.lines import foremost
from assay.show.charts.look import BLUE, COLORS, INK, PALE, SHAPES, VERMILLION, look
from assay.show.charts.rows import tooltips
from assay.show.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.measures.measure import Measure
    from assay.scores import Scores
    from assay.show.charts.look import Look

__all__ = ["differences", "heatmap", "scatter", "topic_scores"]

NAMED = 4  # topics that are named at either end


def topic_scores(
    scores: Scores,
    *,
    measure: str | Measure | None = None,
    judge: str | None = None,
    highlight: Sequence[str] = (),
    preset: str = "screen",
) -> Any:
    """Draw every run's score on every topic, the hardest topic first."""
    at = look(preset)
    alt = altair()
    chosen = scores.one(measure)
    front = foremost(scores.runs, highlight, _best(scores, chosen, judge))
    order = [t for t in _by_difficulty(scores, chosen, judge) if _known(scores, chosen, judge, t)]
    topics = labels([scores.topics[t] for t in order], 16)
    values = {run: scores.of(run, chosen, judge)[order].tolist() for run in scores.runs}
    known = [x for run in scores.runs for x in values[run] if math.isfinite(x)]
    tall = domain(known)
    shown = dict(zip(scores.runs, labels(scores.runs), strict=True))
    wide = (at.width - at.font * 5) / max(1, len(topics))
    named = wide >= at.font * 0.7
    x = alt.X(
        "topic:N",
        sort=None,
        scale=alt.Scale(domain=topics),
        axis=alt.Axis(
            title=f"{'topic' if named else f'{len(topics)} topics'}, hardest first",
            labels=named,
            labelAngle=-90,
            labelPadding=at.font * 0.6,
            labelFontSize=min(at.font, wide * 0.95),
            ticks=False,
            labelOverlap=False,
        ),
    )
    up = alt.Y(
        "low:Q",
        scale=alt.Scale(domain=tall, nice=False),
        axis=alt.Axis(title=_titled(chosen), values=ticks(tall, 6)),
    )
    spans = []
    for t, topic in enumerate(topics):
        column = [values[run][t] for run in scores.runs if math.isfinite(values[run][t])]
        if column:
            spans.append({"topic": topic, "low": min(column), "high": max(column)})
    layers = [
        alt.Chart(data(spans))
        .mark_rule(strokeWidth=max(at.line, wide * 0.45), color="#e8e8e8")
        .encode(x, up, y2="high:Q"),
    ]
    points = [
        {"topic": topic, "run": shown[run], "value": values[run][t]}
        for run in front
        for t, topic in enumerate(topics)
    ]
    names = [shown[run] for run in front]
    size = min(at.point * 1.2, max(at.point * 0.5, wide * wide * 1.2))
    colors = alt.Scale(domain=names, range=list(COLORS[: len(names)]))
    shapes = alt.Scale(domain=names, range=list(SHAPES[: len(names)]))
    head = alt.Legend(title=None, orient="top", columns=4, symbolOpacity=1, labelLimit=at.width)
    layers.append(
        alt.Chart(data(points))
        .mark_point(filled=True, opacity=0.9, size=size)
        .encode(
            x,
            alt.Y("value:Q"),
            color=alt.Color("run:N", scale=colors, legend=head),
            shape=alt.Shape("run:N", scale=shapes, legend=head),
            tooltip=tooltips(topic="topic!", run="run!", value=str(chosen)),
        )
    )
    said = []
    if len(front) < len(scores.runs):
        said = [f"Grey: from the lowest to the highest of {len(scores.runs)} runs."]
    chart = alt.layer(*layers).properties(height=at.height)
    return finished(chart, at, f"{chosen} by topic", said)


def differences(
    scores: Scores,
    *,
    run: str | None = None,
    baseline: str | None = None,
    measure: str | Measure | None = None,
    judge: str | None = None,
    preset: str = "screen",
) -> Any:
    """Draw one run less another on every topic, sorted, the best and worst topics named."""
    at = look(preset)
    alt = altair()
    chosen = scores.one(measure)
    run, baseline = two(scores, run, baseline)
    gaps = scores.gaps(run, baseline, chosen, judge)
    if not gaps:
        raise AssayError(f"{run} and {baseline} have no topic on which both have a value")
    order = sorted(gaps, key=lambda topic: (-gaps[topic], topic))
    shown = dict(zip(order, labels(order, 20), strict=True))
    tall = max(at.height, min(at.height * 1.1, len(order) * at.font * 0.6))
    bars = [
        {
            "topic": shown[topic],
            "value": gaps[topic],
            "top": i + 0.08,
            "bottom": i + 0.92,
            "sign": "more" if gaps[topic] > 0 else "less",
        }
        for i, topic in enumerate(order)
    ]
    ends = domain(list(gaps.values()), zero=True)
    rows = [0.0, float(len(order))]
    across = alt.X(
        "value:Q",
        scale=alt.Scale(domain=ends, nice=False),
        axis=alt.Axis(title=f"difference in {_titled(chosen)}", values=ticks(ends, 6)),
    )
    down = alt.Y("top:Q", scale=alt.Scale(domain=rows, reverse=True, nice=False), axis=None)
    one, other = (printable(name) for name in (run, baseline))
    more, less = f"{one} higher", f"{other} higher"
    for bar in bars:
        bar["sign"] = more if bar["sign"] == "more" else less
    paint = alt.Color(
        "sign:N",
        scale=alt.Scale(domain=[more, less], range=[BLUE, "#eb9a5c"]),
        legend=alt.Legend(title=None, orient="top", symbolType="square", labelLimit=at.width),
    )
    layers = [
        alt.Chart(data(bars))
        .mark_rect()
        .encode(
            across,
            down,
            x2=alt.datum(0),
            y2="bottom:Q",
            color=paint,
            tooltip=tooltips(topic="topic!", value="difference"),
        ),
        alt.Chart(data([{"value": 0}])).mark_rule(color=INK, strokeWidth=at.thin).encode(across),
        *_named(at, order, shown, gaps, tall),
    ]
    chart = alt.layer(*layers).properties(height=tall)
    won = sum(gap > 0 for gap in gaps.values())
    lost = sum(gap < 0 for gap in gaps.values())
    said = (
        f"{len(gaps)} topics: {one} is higher on {won}, {other} on {lost}, both are level on "
        f"{len(gaps) - won - lost}."
    )
    return finished(chart, at, f"{one} less {other}, topic by topic", [said])


def _named(
    at: Look, order: Sequence[str], shown: dict[str, str], gaps: dict[str, float], tall: float
) -> list[Any]:
    """Names of the best and the worst topics, on the side of zero where their bars are not."""
    alt = altair()
    row = tall / len(order)
    layers = []
    for picked, align, away in (
        ([i for i in range(min(NAMED, len(order))) if gaps[order[i]] > 0], "right", -1),
        (
            [i for i in range(max(0, len(order) - NAMED), len(order)) if gaps[order[i]] < 0],
            "left",
            1,
        ),
    ):
        places = apart([i + 0.5 for i in picked], at.font * 1.15 / row, 0.5, len(order) - 0.5)
        texts = [
            {
                "value": 0,
                "at": i + 0.5,
                "place": place,
                "text": f"{shown[order[i]]}  {gaps[order[i]]:+.3f}",
            }
            for i, place in zip(picked, places, strict=True)
        ]
        base = alt.Chart(data(texts))
        lead = at.font * 0.9 * away
        zero = {"expr": f"scale('x', 0) + {lead}"}
        layers += [
            base.mark_rule(color=PALE, strokeWidth=at.thin).encode(
                x=alt.X("value:Q"), x2=alt.value(zero), y=alt.Y("at:Q"), y2="place:Q"
            ),
            base.mark_text(align=align, baseline="middle", dx=lead + at.font * 0.25 * away).encode(
                x=alt.X("value:Q"), y=alt.Y("place:Q"), text="text:N"
            ),
        ]
    return layers


def two(scores: Scores, run: str | None, baseline: str | None) -> tuple[str, str]:
    """The two runs that are asked for, or the only two: the last against the first."""
    names = scores.runs
    for name in (run, baseline):
        if name is not None and name not in names:
            raise AssayError(f"no run {name!r} in these scores; there are: {', '.join(names)}")
    if len(names) == 2:
        first, second = names
        if run is None:
            run = first if baseline == second else second
        if baseline is None:
            baseline = first if run == second else second
    if run is None or baseline is None or run == baseline:
        raise AssayError(
            f"two runs make a difference; name run and baseline among {', '.join(names)}"
        )
    return run, baseline


def scatter(
    scores: Scores,
    *,
    run: str | None = None,
    baseline: str | None = None,
    measure: str | Measure | None = None,
    judge: str | None = None,
    preset: str = "screen",
) -> Any:
    """Draw one run's scores against another's, a point for each topic, the farthest named."""
    at = look(preset)
    alt = altair()
    chosen = scores.one(measure)
    run, baseline = two(scores, run, baseline)
    gaps = scores.gaps(run, baseline, chosen, judge)
    mine, theirs = (
        dict(zip(scores.topics, scores.of(name, chosen, judge).tolist(), strict=True))
        for name in (run, baseline)
    )
    far = sorted(gaps, key=lambda topic: (-abs(gaps[topic]), topic))[:NAMED]
    shown = dict(zip(gaps, labels(list(gaps), 16), strict=True))
    one, other = (printable(name) for name in (run, baseline))
    points = [
        {
            "topic": shown[topic],
            "x": theirs[topic],
            "y": mine[topic],
            "far": topic in far,
            "side": "above" if gaps[topic] > 0 else "below",
        }
        for topic in gaps
    ]
    ends = domain([value for topic in gaps for value in (mine[topic], theirs[topic])])
    scale = alt.Scale(domain=ends, nice=False)
    x = alt.X(
        "x:Q",
        scale=scale,
        axis=alt.Axis(title=f"{other}, {_titled(chosen)}", values=ticks(ends, 5)),
    )
    y = alt.Y(
        "y:Q", scale=scale, axis=alt.Axis(title=f"{one}, {_titled(chosen)}", values=ticks(ends, 5))
    )
    base = alt.Chart(data(points))
    side = alt.Scale(domain=["above", "below"], range=[BLUE, VERMILLION])
    shape = alt.Scale(domain=["above", "below"], range=["circle", "triangle-down"])
    diagonal = data([{"x": ends[0], "y": ends[0]}, {"x": ends[1], "y": ends[1]}])
    layers = [
        alt.Chart(diagonal).mark_line(color=PALE, strokeWidth=at.thin).encode(x, y),
        base.mark_point(filled=True, opacity=0.75, size=at.point).encode(
            x,
            y,
            color=alt.Color("side:N", scale=side, legend=None),
            shape=alt.Shape("side:N", scale=shape, legend=None),
            tooltip=tooltips(topic="topic!", y=one, x=other),
        ),
    ]
    for align, where, away in (("left", "<=", 1), ("right", ">", -1)):
        layers.append(
            base.transform_filter(f"datum.far && datum.x {where} {(ends[0] + ends[1]) / 2}")
            .mark_text(align=align, dx=away * at.font * 0.5, dy=-at.font * 0.6)
            .encode(x, y, text="topic:N")
        )
    size = at.height * 1.08
    chart = alt.layer(*layers).properties(height=size, width=size)
    said = [f"A point for each of {len(gaps)} topics; above the line {one} is higher."]
    return finished(chart, at, f"{one} against {other}", said, fits=False)


def heatmap(
    scores: Scores,
    *,
    measure: str | Measure | None = None,
    judge: str | None = None,
    preset: str = "screen",
) -> Any:
    """Draw every run's score on every topic as a shade: best run above, hardest topic left."""
    chosen = scores.one(measure)
    runs = _best(scores, chosen, judge)
    order = _by_difficulty(scores, chosen, judge)
    values = [scores.of(run, chosen, judge)[order].tolist() for run in runs]
    return heat(
        look(preset),
        runs,
        [scores.topics[t] for t in order],
        values,
        of=_titled(chosen),
        row="run",
        column="topic",
        title=f"{chosen}: runs by topics",
        said=["Best run first, hardest topic left."],
    )


def _known(scores: Scores, measure: Measure, judge: str | None, topic: int) -> bool:
    """Whether any run has a value on the topic."""
    return any(math.isfinite(scores.of(run, measure, judge)[topic]) for run in scores.runs)


def _titled(measure: Measure) -> str:
    return f"{measure}" if measure.definition.higher_is_better else f"{measure} (lower is better)"


def _best(scores: Scores, measure: Measure, judge: str | None) -> list[str]:
    """Runs by their means, best first."""
    sign = -1 if measure.definition.higher_is_better else 1
    means = {run: sign * scores.value(run, measure, judge) for run in scores.runs}
    return sorted(scores.runs, key=lambda run: (math.isnan(means[run]), means[run], run))


def _by_difficulty(scores: Scores, measure: Measure, judge: str | None) -> list[int]:
    """Numbers of the topics, those on which runs do worst first; without values last."""
    sign = 1 if measure.definition.higher_is_better else -1
    means = (sign * scores.by_topic(measure, judge)).tolist()
    return sorted(range(len(means)), key=lambda t: (math.isnan(means[t]), means[t], t))
