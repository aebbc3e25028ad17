"""Rows with a value, its interval, and what it is held against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.show.charts.finish import altair, data
from assay.show.charts.layout import domain, labels, ticks
from assay.show.charts.look import BLUE, INK, PALE
from assay.show.charts.rows import row_axis, step, tooltips

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.show.charts.look import Look

__all__ = ["Span", "bars", "spans"]

NOTHING = float("nan")
PARTS = ("low", "high", "from", "to", "mark")


@dataclass(frozen=True)
class Span:
    """One row; NaN where there is nothing."""

    name: str
    value: float
    low: float = NOTHING
    high: float = NOTHING
    start: float = NOTHING  # of a grey band behind
    end: float = NOTHING
    mark: float = NOTHING  # a tick in the band
    text: str = ""
    filled: bool = True


def spans(
    at: Look,
    found: Sequence[Span],
    *,
    title: str,
    value: str,
    ends: list[float] | None = None,
    rule: float | None = None,
    log: bool = False,
    most: float | None = None,
    longest: int = 28,
) -> Any:
    """The rows from above; `rule` is a line through all, `value` what the pointer is told."""
    alt = altair()
    shown = labels([each.name for each in found], longest)
    tall, font = step(at, len(found))
    rows: list[dict[str, Any]] = [
        {
            "row": name,
            "value": each.value,
            "low": each.low,
            "high": each.high,
            "from": each.start,
            "to": each.end,
            "mark": each.mark,
            "text": each.text,
            "filled": each.filled,
        }
        for each, name in zip(found, shown, strict=True)
    ]
    if ends is None:
        known = [row[part] for row in rows for part in ("value", *PARTS)]
        ends = domain([*known, *([] if rule is None else [rule])], loose=True)
        ends[1] = ends[1] if most is None else min(ends[1], most)
    scale = alt.Scale(domain=ends, nice=False, **({"type": "log"} if log else {}))
    axis = alt.Axis(title=title, grid=False, **({} if log else {"values": ticks(ends, 6)}))
    across = {name: alt.X(f"{name}:Q", scale=scale, axis=axis) for name in ("value", *PARTS)}
    base = alt.Chart(data(rows))
    up = row_axis(at, shown, font)
    size = min(at.point * 1.3, tall * tall * 0.3)
    paint = alt.condition("datum.filled", alt.value(BLUE), alt.value(PALE))
    fill = alt.condition("datum.filled", alt.value(BLUE), alt.value("white"))
    tip = tooltips(row="name!", value=value, low="low", high="high")
    layers = []
    if any(row["from"] == row["from"] for row in rows):
        layers.append(
            base.transform_filter("isValid(datum.from)")
            .mark_bar(color="#d0d0d0", height=tall * 0.72)
            .encode(across["from"], up, x2="to:Q")
        )
    if any(row["mark"] == row["mark"] for row in rows):
        layers.append(
            base.transform_filter("isValid(datum.mark)")
            .mark_tick(color="#6a6a6a", thickness=at.line * 0.7, size=tall * 0.72)
            .encode(across["mark"], up)
        )
    if rule is not None:
        line = alt.Chart(data([{"value": rule}])).mark_rule(color=INK, strokeWidth=at.thin)
        layers.append(line.encode(across["value"]))
    layers += [
        base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        .mark_rule(strokeWidth=min(at.line * 1.4, tall * 0.28))
        .encode(across["low"], up, x2="high:Q", color=paint),
        base.mark_point(opacity=1, strokeWidth=at.line * 0.7, size=size).encode(
            across["value"], up, fill=fill, stroke=paint, tooltip=tip
        ),
        base.mark_text(align="left", dx=font * 0.4 + size**0.5 / 2, fontSize=font).encode(
            up, x=alt.value({"expr": "width"}), text="text:N"
        ),
    ]
    return alt.layer(*layers).properties(height=tall * len(rows))


def bars(
    at: Look, found: Sequence[Span], *, title: str, value: str, ends: list[float] | None = None
) -> Any:
    """A bar from 0 for each row."""
    alt = altair()
    shown = labels([each.name for each in found], 36)
    tall, font = step(at, len(found))
    rows = [
        {"row": name, "value": each.value, "text": each.text}
        for each, name in zip(found, shown, strict=True)
    ]
    ends = ends or domain([each.value for each in found], zero=True)
    across = alt.X(
        "value:Q",
        scale=alt.Scale(domain=ends, nice=False),
        axis=alt.Axis(title=title, values=ticks(ends, 6)),
    )
    base = alt.Chart(data(rows))
    up = row_axis(at, shown, font, grid=False)
    layers = [
        base.mark_bar(color=BLUE, height=tall * 0.62).encode(
            across, up, tooltip=tooltips(row="name!", value=value)
        ),
        base.mark_text(align="left", dx=font * 0.4, fontSize=font).encode(
            up, x=alt.value({"expr": "width"}), text="text:N"
        ),
    ]
    return alt.layer(*layers).properties(height=tall * len(rows))
