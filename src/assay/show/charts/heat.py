"""Heat maps: lightness tells the value, so that they read in grey print too."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.show.charts.finish import altair, data, finished
from assay.show.charts.layout import domain, labels, room
from assay.show.charts.look import DIVERGING, INK, PALE, SEQUENTIAL, Look
from assay.show.charts.rows import step, tooltips

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["heat"]

WRITTEN = 14  # columns up to which a cell tells its number


def heat(
    at: Look,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float]],
    *,
    of: str,
    title: str,
    said: Sequence[str] = (),
    row: str = "row",
    column: str = "column",
    ends: tuple[float, float] | None = None,
    digits: int = 2,
) -> Any:
    """A cell for each row and column; `ends` of a scale on both sides of 0 make it diverging."""
    alt = altair()
    down, across = labels(rows), labels(columns, 24)
    tall, font = step(at, len(rows))
    left = min(room(down, font), at.width * 0.4)
    space = at.width - left - at.font * 3.5
    wide = space / len(columns)
    letters = min(at.font, wide * 0.92)
    known = [x for line in values for x in line if math.isfinite(x)]
    low, high = ends or tuple(domain(known))
    both = low < 0 < high
    cells: list[dict[str, Any]] = [
        {
            "row": r,
            "column": c,
            "value": x,
            "text": _number(x, digits),
            "dark": _dark(x, low, high, both=both),
        }
        for r, line in zip(down, values, strict=True)
        for c, x in zip(across, line, strict=True)
    ]
    named = letters >= at.font * 0.42
    up = alt.Y(
        "row:N",
        sort=None,
        scale=alt.Scale(domain=down, padding=0),
        axis=alt.Axis(
            title=None,
            labelFontSize=font,
            labelLimit=at.width * 0.4,
            labelOverlap=False,
            ticks=False,
            domain=False,
        ),
    )
    fits = max(len(each) for each in across) * letters * 0.6 < wide
    x = alt.X(
        "column:N",
        sort=None,
        scale=alt.Scale(domain=across, padding=0),
        axis=alt.Axis(
            title=None if named else f"{len(columns)} {column}s",
            labels=named,
            ticks=False,
            domain=False,
            labelAngle=0 if fits else -90,
            labelFontSize=letters,
            labelOverlap=False,
            labelLimit=at.font * 12,
        ),
    )
    paint = alt.Color(
        "value:Q",
        scale=alt.Scale(
            domain=[low, 0, high] if both else [low, high],
            range=[DIVERGING[0], DIVERGING[2], DIVERGING[4]] if both else SEQUENTIAL,
            interpolate="lab",
        ),
        legend=alt.Legend(
            title=of,
            orient="bottom",
            gradientLength=at.width * 0.3,
            direction="horizontal",
            titleOrient="left",
            tickCount=4,
        ),
    )
    base = alt.Chart(data(cells))
    tip = tooltips(row=f"{row}!", column=f"{column}!", value=of)
    layers = [
        base.transform_filter("isValid(datum.value)")
        .mark_rect(stroke="white", strokeWidth=min(1.0, wide * 0.05))
        .encode(x, up, color=paint, tooltip=tip)
    ]
    if any(not math.isfinite(cell["value"]) for cell in cells):
        layers.append(
            base.transform_filter("!isValid(datum.value)")
            .mark_text(text="×", color=PALE, fontSize=min(tall, wide) * 0.7)
            .encode(x, up)
        )
        said = [*said, "×: no value."]
    if len(columns) <= WRITTEN and wide > font * 1.9 and tall >= font:
        layers.append(
            base.transform_filter("isValid(datum.value)")
            .mark_text(fontSize=min(font, wide / 2.6))
            .encode(
                x,
                up,
                text="text:N",
                color=alt.condition("datum.dark", alt.value("white"), alt.value(INK)),
            )
        )
    chart = alt.layer(*layers).properties(height=tall * len(rows))
    return finished(chart, at, title, said)


def _number(x: float, digits: int) -> str:
    return f"{x:.{digits}f}" if math.isfinite(x) else ""


def _dark(x: float, low: float, high: float, *, both: bool) -> bool:
    """Whether the cell needs white letters."""
    if not math.isfinite(x):
        return False
    return x > high * 0.55 or x < low * 0.8 if both else (x - low) > 0.55 * (high - low)
