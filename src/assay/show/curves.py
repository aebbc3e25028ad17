"""Curves as tables: values at some ranks, and what is read off them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.gain_curves import IDEAL
from assay.show.sheet import Sheet
from assay.show.table import Grid
from assay.show.text import number

if TYPE_CHECKING:
    from assay.gain_curves import Curves

__all__ = ["curves_page"]

STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
FEW = 4  # runs of which it is said where they cross


def curves_page(found: Curves, against: str = IDEAL) -> Sheet:
    """For each measure and judgment set the curves, and under them their readings."""
    grids, words = [], []
    at = _columns(found)
    for judge in found.judges:
        for measure in found.measures:
            by = f", judged by {judge}" if len(found.judges) > 1 else ""
            grids.append(_curves(found, measure, judge, f"{measure}{by}", at))
            grids.append(_readings(found, measure, judge, at, against))
            if found.cumulated(measure):
                flat = found.flat(measure=measure, judge=judge)
                still = f"still rises at rank {found.points[-1]:g}"
                how = still if math.isnan(flat) else f"turns flat at rank {flat:g}"
                words.append(f"{measure}{by}: the ideal {how}")
            if len(found.runs) <= FEW:
                words += [
                    f"{measure}{by}: {one} and {other} cross at {found.axis} {_points(points)}"
                    for (one, other), points in found.crossed(measure, judge).items()
                ]
    point = {"ratios": "mean of the topics' values", "vectors": "mean gain over the mean ideal"}
    made = (f"a point is the {point[found.average]} (average={found.average!r})", str(found.policy))
    return Sheet("curves", tuple(grids), tuple(words), made, found.notes, found.warnings)


def _points(points: tuple[float, ...]) -> str:
    shown = " ".join(f"{point:g}" for point in points[:10])
    return shown + (" ..." if len(points) > 10 else "")


def _columns(found: Curves) -> list[int]:
    if found.axis == "recall":
        return list(range(len(found.points)))
    depth = len(found.points)
    steps = [step for step in STEPS if step < depth]
    return [step - 1 for step in (*steps, depth)]


def _curves(found: Curves, measure: str, judge: str, title: str, at: list[int]) -> Grid:
    points = [found.points[i] for i in at]
    heads = [f"@{point:g}" for point in points]
    rows = [(run, *_cells(found.mean(run, measure, judge)[at])) for run in found.runs]
    normalised = found.normalised[found.measures.index(measure)]
    if not normalised:
        rows.append((IDEAL, *_cells(found.gain(IDEAL, measure, judge)[at])))
    return Grid((title, *heads), tuple(rows), folds=True)


def _cells(values: Any) -> list[str]:
    return [number(float(value)) for value in values]


def _readings(found: Curves, measure: str, judge: str, at: list[int], against: str) -> Grid:
    heads = ["area to 1", "gap to ideal", "gap at", "behind best", "behind at"]
    marks = [i for i in at if found.points[i] in (5, 10, 20)] if found.axis == "rank" else []
    heads += [f"{against}@{found.points[i]:g} at" for i in marks]
    rows = []
    for each in found.readings(measure, judge):
        reach = found.reach(each.run, against, measure, judge) if marks else np.zeros(0)
        rows.append(
            (
                each.run,
                number(each.area),
                number(each.gap),
                f"{each.gap_rank:g}",
                number(each.behind),
                f"{each.behind_rank:g}",
                *("-" if math.isnan(reach[i]) else f"{reach[i]:g}" for i in marks),
            )
        )
    return Grid((f"read off {found.vector(measure)}", *heads), tuple(rows), folds=True)
