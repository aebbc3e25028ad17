"""How far one run's curve lies above another's at every rank, and how surely, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.stats.paired import t

if TYPE_CHECKING:
    from assay.gain_curves import Curves

__all__ = ["Band", "band"]

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False)
class Band:
    """The difference of two curves at every point, with an interval at each point by itself.

    The intervals are pointwise: of 100 points 5 may lie outside by chance at level .95, and nothing
    is said of the curve as a whole.
    """

    run: str
    baseline: str
    difference: Array
    low: Array
    high: Array
    level: float
    topics: int  # those on which both runs have a value at every point


def band(
    curves: Curves, run: str, baseline: str, measure: str | None, judge: str | None, level: float
) -> Band:
    """Student's t over the topics' differences at each point.

    With `average="vectors"` a curve is a ratio of means; then the topics' parts of that ratio's
    linear approximation take the place of their values (Cochran 1977, section 6.4).
    """
    if not 0 < level < 1:
        raise AssayError(f"level={level!r}: must be between 0 and 1, such as 0.95")
    if run == baseline:
        raise AssayError(f"a difference needs two runs; {run!r} was given twice")
    j, m = curves._place(measure, judge)  # noqa: SLF001 - a part of Curves that fills a file
    one, other = (curves._run(name) for name in (run, baseline))  # noqa: SLF001
    pair = np.stack([curves.values[j, one, m], curves.values[j, other, m]])
    parted = curves.normalised[m] and curves.average == "vectors"
    if parted:
        pair = np.stack([curves.gains[j, one, m], curves.gains[j, other, m]])
    known = ~np.isnan(pair).any(axis=(0, 2))
    many = int(known.sum())
    if not many:
        nothing = np.full(len(curves.points), np.nan)
        return Band(run, baseline, nothing, nothing, nothing, level, 0)
    pair = pair[:, known]
    if parted:
        pair = _parts(pair, curves.ideal[j, m][known])
    found = t((pair[0] - pair[1]).T)
    low, high = found.interval(np.full(len(curves.points), 1 - level))
    return Band(run, baseline, found.estimate, low, high, level, many)


def _parts(gains: Array, ideal: Array) -> Array:
    """Values [run, topic, point] whose mean is the ratio of mean gains and mean ideal."""
    best = ideal.mean(axis=0)
    best = np.where(best == 0, np.nan, best)
    ratio = gains.mean(axis=1, keepdims=True) / best
    parts: Array = ratio + (gains - ratio * ideal) / best
    return parts
