"""Lines with their names at their ends; beyond eight, pale ones that come forward on hover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.finish import altair, data
from assay.show.charts.layout import apart, labels, room, ticks
from assay.show.charts.look import COLORS, DASHES, INK, LIGHT, PALE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.show.charts.look import Look

__all__ = ["MOST", "Line", "foremost", "hovering", "label_room", "lines"]

MOST = 8  # lines that are named on the picture


@dataclass(frozen=True)
class Line:
    """One line; `low` and `high` bound a band about it."""

    name: str
    x: Any  # numbers
    y: Any
    low: Any = ()
    high: Any = ()
    ideal: bool = False  # what others are held against: dotted and black


@dataclass(frozen=True)
class _Styled:
    line: Line
    label: str
    color: str
    dash: Sequence[float]
    front: bool


def foremost(
    names: Sequence[str], chosen: Sequence[str], best: Sequence[str], few: int = 3
) -> list[str]:
    """Which lines stand out: all up to eight, else those chosen, else the best few."""
    unknown = [name for name in chosen if name not in names]
    if unknown:
        raise AssayError(f"highlight: no {unknown[0]!r} here; there are: {', '.join(names)}")
    if len(names) <= MOST:
        return list(names)
    if len(chosen) > MOST:
        raise AssayError(f"highlight: {len(chosen)} named; a picture tells {MOST} lines apart")
    return [name for name in names if name in (chosen or best[:few])]


def lines(
    at: Look,
    drawn: Sequence[Line],
    front: Sequence[str],
    *,
    x: tuple[str, list[float]],
    y: tuple[str, list[float]],
    height: float | None = None,
    whole: bool = False,
    points: bool = False,
    untitled: bool = False,
    reverse: bool = False,
    names: Sequence[str] = (),
    share: int = 1,
    wide: float | None = None,
    name: str = "lines",
    above: Sequence[Any] = (),
) -> Any:
    """The layers; `x` and `y` are titles of axes with their ends, `above` further layers.

    `names` stand under the places 0, 1, 2, ... of an axis without numbers; `reverse` puts the
    lowest value on top; `share` says how many such panels share the width,
    `wide` is the width of a plot that stands beside others.
    """
    alt = altair()
    tall = height or at.height
    styled = _styled(at, drawn, front)
    marks = ticks(x[1], max(4, int(at.width / share / at.font / 6)))
    if whole:  # ranks begin with the first, not with 0
        marks = sorted({x[1][0], *(tick for tick in marks if tick.is_integer() and tick > 1)})
    across = alt.X(
        "x:Q",
        scale=alt.Scale(domain=x[1], nice=False),
        axis=alt.Axis(
            title=None if untitled else x[0],
            titlePadding=_depth(at, names),
            grid=bool(names),
            values=list(range(len(names))) if names else marks,
            labels=not names,
            labelOverlap=True,
        ),
    )
    up = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=y[1], nice=False, reverse=reverse),
        axis=alt.Axis(title=y[0], values=_up_ticks(at, y[1], tall), minExtent=at.font * 2.2),
    )
    shown = [each for each in styled if each.front]
    paint = alt.Color(
        "line:N",
        scale=alt.Scale(
            domain=[each.label for each in shown], range=[each.color for each in shown]
        ),
        legend=None,
    )
    dashes = alt.StrokeDash(
        "line:N",
        scale=alt.Scale(
            domain=[each.label for each in shown], range=[list(each.dash) for each in shown]
        ),
        legend=None,
    )
    layers = []
    behind = [each for each in styled if not each.front]
    behind_points = _points(behind)
    if behind:
        layers.append(
            alt.Chart(behind_points, name=f"{name}_others")
            .mark_line(strokeWidth=at.line * 0.5, color=LIGHT, clip=True)
            .encode(across, up, detail="line:N")
        )
    banded = [each for each in shown if len(each.line.low)]
    if banded:
        layers.append(
            alt.Chart(_bands(banded), name=f"{name}_bands")
            .mark_area(opacity=0.18 if len(banded) < 3 else 0.12, clip=True)
            .encode(across, y=alt.Y("low:Q"), y2="high:Q", color=paint)
        )
    front_points = _points(shown)
    tip = [
        alt.Tooltip("line:N", title="name"),
        alt.Tooltip("x:Q", title=x[0]),
        alt.Tooltip("y:Q", format=".4f", title=y[0]),
    ]
    layers.append(
        alt.Chart(front_points, name=f"{name}_front")
        .mark_line(strokeWidth=at.line, clip=True, strokeJoin="round")
        .encode(across, up, color=paint, strokeDash=dashes)
    )
    if points:
        layers.append(
            alt.Chart(front_points, name=f"{name}_points")
            .mark_point(filled=True, opacity=1, size=at.point)
            .encode(across, up, color=paint, tooltip=tip)
        )
    ends = _ends(shown, x[1], y[1], at.font * 1.12 / tall)
    beyond = at.font * 1.1
    edge = {"expr": f"width + {beyond}"} if wide is None else wide + beyond
    layers += [
        alt.Chart(ends, name=f"{name}_leaders")
        .mark_rule(strokeWidth=at.line * 0.6)
        .encode(
            x=alt.X("x:Q"),
            y=alt.Y("y:Q"),
            x2=alt.value(edge),
            y2="place:Q",
            color=paint,
        ),
        alt.Chart(ends, name=f"{name}_names")
        .mark_text(align="left", baseline="middle", dx=at.font * 0.3, color=INK)
        .encode(x=alt.value(edge), y=alt.Y("place:Q"), text="line:N"),
    ]
    if names:
        layers.append(_named(at, names, tall))
    if behind:
        layers += _hovered(at, behind, behind_points, across, up, tip, name, beyond, x[1])
    chart = alt.layer(*layers, *above).properties(height=tall)
    if wide is not None:
        return chart.properties(width=wide)
    return hovering(chart, name) if behind else chart


def hovering(chart: Any, name: str) -> Any:
    """The whole picture, in which the lines called `name` come forward under the pointer.

    Altair's own way of adding a selection repeats it for every layer where panels stand together.
    """
    alt = altair()
    chart.params = [
        alt.TopLevelSelectionParameter(
            name=hover_name(name),
            select=alt.PointSelectionConfig(
                type="point", on="pointerover", clear="pointerout", fields=["line"]
            ),
            views=[f"{name}_grab", f"{name}_grab_0"],  # the second: as Altair names it in a panel
        )
    ]
    return chart


def hover_name(name: str) -> str:
    """What the selection of these lines is called."""
    return f"{name}_hover"


def _up_ticks(at: Look, ends: list[float], tall: float) -> list[float]:
    """Round numbers; of ranks, that begin above 0, the first too."""
    marks = ticks(ends, max(4, int(tall / at.font / 2.6)))
    if ends[0] == 0.5:
        marks = sorted({1.0, *(mark for mark in marks if mark.is_integer() and mark > 1)})
    return marks


SLOPE = 35  # of names too long to stand side by side


def _level(at: Look, names: Sequence[str]) -> bool:
    """Whether the names have room side by side."""
    return room(names, at.font) * 1.1 < at.width * 0.75 / max(1, len(names))


def _depth(at: Look, names: Sequence[str]) -> float:
    """How far the title of an axis lies under it: below the names."""
    if not names:
        return at.font * 0.5
    return at.font * 1.6 if _level(at, names) else room(names, at.font) * 0.6 + at.font * 1.6


def _named(at: Look, names: Sequence[str], tall: float) -> Any:
    """Names as data, not as an expression, under an axis of places."""
    alt = altair()
    rows = data({"x": i, "text": name} for i, name in enumerate(names))
    level = _level(at, names)
    return (
        alt.Chart(rows, name="axis_names")
        .mark_text(
            align="center" if level else "right",
            baseline="top" if level else "middle",
            angle=0 if level else 360 - SLOPE,
            dy=0 if level else at.font * 0.3,
        )
        .encode(x=alt.X("x:Q"), y=alt.value(tall + at.font * 0.8), text="text:N")
    )


def label_room(at: Look, names: Sequence[str]) -> float:
    """How much the names take to the right of the plot."""
    return at.font * 1.6 + room(labels(names), at.font)


def _styled(at: Look, drawn: Sequence[Line], front: Sequence[str]) -> list[_Styled]:
    shown = labels([line.name for line in drawn])
    found, number = [], 0
    for line, label in zip(drawn, shown, strict=True):
        if line.ideal:
            found.append(_Styled(line, label, INK, _dash(at, [0.8, 1.2]), front=True))
        elif line.name in front:
            found.append(
                _Styled(line, label, COLORS[number], _dash(at, DASHES[number]), front=True)
            )
            number += 1
        else:
            found.append(_Styled(line, label, PALE, [1, 0], front=False))
    return found


def _dash(at: Look, widths: Sequence[float]) -> list[float]:
    return [round(width * at.line, 2) for width in widths]


def _points(styled: Sequence[_Styled]) -> Any:
    return data(
        {"line": each.label, "x": x, "y": y}
        for each in styled
        for x, y in zip(each.line.x, each.line.y, strict=True)
    )


def _bands(styled: Sequence[_Styled]) -> Any:
    return data(
        {"line": each.label, "x": x, "low": low, "high": high}
        for each in styled
        for x, low, high in zip(each.line.x, each.line.low, each.line.high, strict=True)
    )


def _ends(styled: Sequence[_Styled], xs: list[float], ys: list[float], gap: float) -> Any:
    """Where each line ends inside the plot, and where its name goes."""
    last = [_last(each.line, xs) for each in styled]
    known = [(each, end) for each, end in zip(styled, last, strict=True) if end]
    span = ys[1] - ys[0]
    places = apart([y for _, (_, y) in known], gap * span, *ys)
    return data(
        {"line": each.label, "x": x, "y": y, "place": place}
        for (each, (x, y)), place in zip(known, places, strict=True)
    )


def _last(line: Line, xs: list[float]) -> tuple[float, float] | None:
    found = [(x, y) for x, y in zip(line.x, line.y, strict=True) if y == y and xs[0] <= x <= xs[1]]  # noqa: PLR0124 - NaN is not itself
    return found[-1] if found else None


def _hovered(
    at: Look,
    behind: Sequence[_Styled],
    points: Any,
    across: Any,
    up: Any,
    tip: list[Any],
    name: str,
    beyond: float,
    xs: list[float],
) -> list[Any]:
    """Layers that bring the line under the pointer forward, with its name."""
    alt = altair()
    test = {"param": hover_name(name), "empty": False}
    ends = data(
        {"line": each.label, "x": end[0], "y": end[1]}
        for each in behind
        if (end := _last(each.line, xs))
    )
    return [
        alt.Chart(points, name=f"{name}_grab")
        .mark_line(clip=True, strokeWidth=at.line * 2, color=INK)
        .encode(
            across,
            up,
            detail="line:N",
            strokeOpacity=alt.condition(test, alt.value(1), alt.value(0.001)),
            tooltip=tip[:1],
        ),
        alt.Chart(ends, name=f"{name}_hovered")
        .mark_text(align="left", baseline="middle", dx=beyond, fontWeight="bold")
        .encode(alt.X("x:Q"), alt.Y("y:Q"), text="line:N")
        .transform_filter(test),
    ]
