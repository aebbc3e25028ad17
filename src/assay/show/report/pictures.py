"""The pictures of a report as images inside the page, each with its numbers as a table."""

from __future__ import annotations

import base64
import math
import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from assay.show.text import number, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.gain_curves import Curves
    from assay.reporting import Report

__all__ = ["Picture", "described", "drawable", "pictures"]

ALL = 20  # runs up to which means are drawn
RANKS = (1, 2, 3, 5, 10, 20, 30, 50, 100)  # of the table beside a curve
_NUMBERED = re.compile(r"\b(clip|gradient_)(\d+)")


@dataclass(frozen=True)
class Picture:
    """A picture, what it shows in words, and its numbers."""

    title: str
    words: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    image: str = ""  # an address that holds all of it; empty where nothing can be drawn


def drawable() -> bool:
    """Whether what draws is installed."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def pictures(report: Report) -> Iterator[Picture]:
    """The means, the first measure by rank, precision by recall."""
    scores, measure = report.scores, report.scores.measures[0]
    drawn = drawable()
    if drawn and 1 < len(scores.runs) <= ALL and measure.definition.average == "mean":
        yield Picture(
            f"Means of {measure}",
            "Within-topic intervals, by which runs can be compared with one another; those of the "
            "leaderboard are of each mean by itself.",
            image=_image(scores, "leaderboard", measure=measure, judge=report.judge),
        )
    for found in report.curves:
        yield _curve(report, found, drawn=drawn)


def _curve(report: Report, found: Curves, *, drawn: bool) -> Picture:
    name = found.measures[0]
    points = found.points
    at = list(range(len(points)))
    if found.axis == "rank":
        at = [i for i, rank in enumerate(points) if rank in RANKS or i == len(points) - 1]
    rows = []
    for run in found.runs:
        curve = found.mean(run, name)
        rows.append((run, *(number(float(curve[i])) for i in at)))
    options: dict[str, Any] = {}
    baseline = None if report.comparison is None else report.comparison.plan.baseline
    if found.axis == "rank" and baseline is not None and len(found.runs) > 1:
        options["baseline"] = baseline
    of = (
        "" if len(found.runs) == len(report.scores.runs) else f" of the best {len(found.runs)} runs"
    )
    if found.axis == "rank":
        title, words = f"{name} by rank", f"The mean over topics{of} at every rank."
    else:
        title, words = "Precision by recall", f"Interpolated precision{of}, the mean over topics."
    known = any(not math.isnan(float(value)) for value in found.mean(found.runs[0], name))
    return Picture(
        title,
        words,
        (found.axis, *(f"{points[i]:g}" for i in at)),
        tuple(rows),
        _image(found, None, **options) if drawn and known else "",
    )


def _image(result: Any, kind: str | None, **options: Any) -> str:
    """The picture as an address; numbers of clips start anew, so that equal input is equal."""
    from assay.show.charts import draw, svg

    text = svg(draw(result, kind, **options))
    places: dict[str, str] = {}

    def renumbered(found: re.Match[str]) -> str:
        return found[1] + places.setdefault(found[0], str(len(places)))

    text = _NUMBERED.sub(renumbered, text)
    return "data:image/svg+xml;base64," + base64.b64encode(text.encode()).decode()


def described(picture: Picture) -> str:
    """The picture in words for who does not see it: title, words, the last column of numbers."""
    if not picture.rows:
        return f"{picture.title}. {picture.words}"
    ends = ", ".join(f"{printable(row[0])} {row[-1]}" for row in picture.rows)
    return f"{picture.title}. At {picture.heads[0]} {picture.heads[-1]}: {ends}."
