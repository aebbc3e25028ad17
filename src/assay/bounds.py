"""The lowest and the highest value that judging the unjudged documents could give.

The documents in question are those that the run retrieved and nobody judged; each may get any grade
of the scale. Under the swap law the value is highest where better grades stand higher and lowest
where they stand lower, so that a judgment is told by thresholds: so many documents get at least the
first grade above 0, so many at least the second, ... Few thresholds are all tried. Otherwise one is
moved at a time, the others pushed along, until nothing improves; that is exact for binary measures
and for cumulated gain over its ideal (for a fixed ratio the gain of each grade can be settled by
itself), and for other graded measures a value that some judgment gives, if not the utmost. A
threshold has up to GRID places; where there are more, a grid of them is refined round its best.

Measures exempt from the swap law are tried in both orders, and may reach beyond what is found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.ranking import Ranking

if TYPE_CHECKING:
    from assay.measures.measure import Measure

__all__ = ["bound", "scale"]

Array = np.ndarray[Any, np.dtype[Any]]
Try = Callable[[Array], Array]

FIELDS = {"grade", "rank", "base", "judged", "retrieved", "pooled"}  # those built here
GRID = 64  # places of a threshold that are all tried
CELLS = 1 << 18  # of one array in one call of a kernel; judgments that fit in are all tried
MOST_LEVELS = 12


def scale(grades: Iterable[float], top: float) -> list[float]:
    """The grades that a document may get: whole ones to the top, else those in use."""
    used = {grade for grade in grades if 0 <= grade <= top}
    whole = top == int(top) and all(grade == int(grade) for grade in used)
    if whole:  # never written out: a grade may be as large as a float
        places = int(min(top + 1, MOST_LEVELS))
        return sorted({0.0, float(top), *np.linspace(0, top, places).round().tolist()})
    levels = sorted({0.0, float(top)} | used)
    kept = np.linspace(0, len(levels) - 1, min(len(levels), MOST_LEVELS)).round().astype(int)
    return [levels[i] for i in kept]


def bound(measure: Measure, ranking: Ranking, side: str, levels: list[float]) -> Array:
    """The bound of each list: `side` is lowest or highest, `levels` the scale, 0 included."""
    if not FIELDS.issuperset(measure.definition.fields):
        raise AssayError(
            f"{measure}: bounds over unjudged documents exist only for measures on grades and ranks"
        )
    plain = measure.kernel(**{name: getattr(ranking, name) for name in measure.definition.fields})
    out = np.array(np.broadcast_to(plain, ranking.retrieved.shape), dtype=np.float64)
    for i in np.flatnonzero(~np.isnan(out)):  # undefined stays a matter of the judgments
        out[i] = _Open(measure, ranking, int(i), levels).utmost(side)
    return out


class _Open:
    """A list whose unjudged documents wait for a judgment."""

    def __init__(self, measure: Measure, ranking: Ranking, i: int, levels: list[float]) -> None:
        real = np.isfinite(ranking.rank[i])
        self.measure, self.n = measure, int(ranking.retrieved[i])
        self.known = ranking.base[i][: int(ranking.judged[i])]
        self.dense = np.full(max(1, self.n), 0.0)
        places = ranking.rank[i][real].astype(np.int64) - 1
        self.dense[places] = ranking.grade[i][real]
        self.open = np.setdiff1d(np.arange(self.n), places)
        self.levels = _by_worth(measure, levels)
        cut = math.inf if measure.definition.cutoff == "recall level" else measure.k
        self.shown = int((self.open < cut).sum())

    def utmost(self, side: str) -> float:
        """The value of the best judgment, or of the worst."""
        up = (side == "highest") == self.measure.definition.higher_is_better
        pick = np.nanmax if up else np.nanmin
        orders = [side == "highest"]
        if "swap" in self.measure.definition.exempt:
            orders = [True, False]
        found = [self._extreme(1 if up else -1, from_top=order) for order in orders]
        return float(pick(found))

    def _extreme(self, sign: int, *, from_top: bool) -> float:
        """The extreme over the judgments whose grades fall, or rise, with the rank."""
        order = self.open if from_top else self.open[::-1]

        def good(thresholds: Array) -> Array:
            values = self._values(thresholds, order)
            return np.where(np.isnan(values), -np.inf, sign * values)

        count, grades = len(self.open), len(self.levels) - 1
        if math.comb(count + grades, grades) * (self.n + len(self.known)) <= CELLS:
            every = list(combinations_with_replacement(range(count, -1, -1), grades))
            return sign * float(good(np.asarray(every).reshape(-1, grades)).max())
        # a threshold among the documents below the cut-off changes nothing but the ideal
        low = 0 if from_top else count - self.shown
        places = np.union1d(np.arange(low, low + self.shown + 1), [0, count])
        best, value = _along(good, lambda v: np.repeat(v[:, None], grades, axis=1), places)
        before = -math.inf
        while value > before and grades > 1:
            before = value
            for level in range(grades - 1, -1, -1):
                best, value = _along(good, partial(_moved, best, level), places)
        return sign * value

    def _values(self, thresholds: Array, order: Array) -> Array:
        """Values under judgments that give grade l to the first thresholds[:, l - 1] of `order`."""
        width = max(1, self.n + len(self.known))
        step = max(1, CELLS // width)
        chunks = [thresholds[at : at + step] for at in range(0, len(thresholds), step)]
        return np.concatenate([self._some_values(chunk, order) for chunk in chunks])

    def _some_values(self, thresholds: Array, order: Array) -> Array:
        rows = len(thresholds)
        at = np.zeros((rows, len(order)), dtype=np.int64)
        for level in range(thresholds.shape[1]):
            at += thresholds[:, level : level + 1] > np.arange(len(order))
        given = self.levels[at]
        lists = np.tile(self.dense, (rows, 1))
        lists[:, order] = given
        base = np.concatenate([np.tile(self.known, (rows, 1)), given], axis=1)
        total = float(base.shape[1])
        base = -np.sort(-base, axis=-1) if total else np.zeros((rows, 1))
        ranks = np.arange(1, self.n + 1, dtype=np.float64) if self.n else np.array([np.inf])
        filled = Ranking(
            grade=lists,
            rank=np.broadcast_to(ranks, lists.shape),
            base=base,
            judged=np.full(rows, total),
            retrieved=np.full(rows, float(self.n)),
            pooled=np.full((rows, 1), np.inf),
        )
        fields = {name: getattr(filled, name) for name in self.measure.definition.fields}
        return np.broadcast_to(self.measure.kernel(**fields), (rows,))


def _by_worth(measure: Measure, levels: list[float]) -> Array:
    """Grades by gain, which need not grow with the grade; 0 and the top where only `rel` counts."""
    parameters = measure.parameters
    graded = {"gain", "gains", "max"} & set(measure.definition.parameters)
    if parameters.get("rel") is not None and (not graded or "gain" not in graded):
        levels = [0.0, max(levels)]
    table = parameters.get("gains") or {}
    return np.asarray(sorted(levels, key=lambda grade: table.get(grade, grade)))


def _moved(thresholds: Array, level: int, places: Array) -> Array:
    """The thresholds with one of them moved to each of the places, and others pushed along."""
    rows, to = np.tile(thresholds, (len(places), 1)), places[:, None]
    rows[:, :level] = np.maximum(rows[:, :level], to)
    rows[:, level:] = np.minimum(rows[:, level:], to)
    rows[:, level] = places
    return rows


def _along(good: Try, make: Try, places: Array) -> tuple[Array, float]:
    """The best of make(place) over the places: all of them, or a grid refined round its best."""
    last = len(places) - 1
    tries = np.unique(np.linspace(0, last, min(last + 1, GRID)).round().astype(np.int64))
    gap = -(-last // GRID)
    tried, values = tries, good(make(places[tries]))
    while gap > 1:
        best, step = tried[np.argsort(-values, kind="stable")[:3]], max(1, gap // 8)
        near = (best[:, None] + np.arange(-gap, gap + 1, step)).ravel()
        near = np.setdiff1d(near[(near >= 0) & (near <= last)], tried)
        tried = np.concatenate((tried, near))
        values = np.concatenate((values, good(make(places[near]))))
        gap = step if step < gap else 1
    at = int(np.argmax(values))
    return make(places[tried[at : at + 1]])[0], float(values[at])
