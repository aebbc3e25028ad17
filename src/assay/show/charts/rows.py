"""What charts with a row for each run, judge or topic share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.show.charts.finish import altair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.show.charts.look import Look

__all__ = ["row_axis", "step", "tooltips"]


def step(at: Look, rows: int) -> tuple[float, float]:
    """Height of a row and size of its letters: smaller where there are many."""
    least, most = (0.3, 0.95) if at.name == "slide" else (0.75, 1.2)  # a page may be longer
    tall = max(at.font * least, min(at.font * 1.9, at.height * most / max(rows, 1)))
    return tall, min(at.font, tall * 0.92)


def row_axis(at: Look, names: Sequence[str], font: float, *, grid: bool = True) -> Any:
    """The names down the left side, in their order."""
    alt = altair()
    return alt.Y(
        "row:N",
        sort=None,
        scale=alt.Scale(domain=list(names)),
        axis=alt.Axis(
            title=None,
            labelFontSize=font,
            labelLimit=at.width * 0.4,
            labelOverlap=False,
            grid=grid,
            ticks=False,
            domain=False,
        ),
    )


def tooltips(**fields: str) -> list[Any]:
    """What the pointer is told: a title for each column; numbers with four decimals."""
    alt = altair()
    return [
        alt.Tooltip(f"{name}:N", title=title.removesuffix("!"))
        if title.endswith("!")
        else alt.Tooltip(f"{name}:Q", title=title, format=".4f")
        for name, title in fields.items()
    ]
