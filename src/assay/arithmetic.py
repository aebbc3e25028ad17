"""A measure's arithmetic rank by rank, written out for a reader, one list at a time.

The kernels in `assay.measures` compute all of assay's values; this is the same formula said slowly,
and tests hold the two together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.measures.measure import Measure

__all__ = ["Arithmetic", "Place", "arithmetic"]

Row = tuple[float, ...]


@dataclass(frozen=True)
class Place:
    """A rank of the list: the grade of the document there, None where it is unjudged."""

    rank: int
    grade: float | None
    first: int  # ranks of its tie group, the same as `rank` where order is settled
    last: int


@dataclass(frozen=True)
class Arithmetic:
    """Columns of numbers for the places, the same for the ideal list, and the last line."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    ideal_columns: tuple[str, ...]
    ideal: tuple[Row, ...]
    last: str
    value: float


def arithmetic(
    measure: Measure, places: Sequence[Place], base: Sequence[float], *, top: float
) -> Arithmetic | None:
    """The arithmetic of a measure; None where it has not been written out.

    `base` holds the grades of all judged documents, best first; `top` the scale's largest grade.
    """
    write = _WRITTEN.get(measure.name)
    if write is None or measure.start != 1:
        return None
    tied = any(place.first != place.last for place in places)
    if tied and measure.name not in _WEIGHTED:
        return None
    return write(_Task(measure, places, base, top))


@dataclass(frozen=True)
class _Task:
    measure: Measure
    places: Sequence[Place]
    base: Sequence[float]
    top: float

    def option(self, name: str, default: float) -> float:
        """A parameter that is a number."""
        found = self.measure.parameters.get(name)
        return default if found is None else float(found)

    @property
    def k(self) -> float:
        return self.measure.k

    @property
    def rel(self) -> float:
        return self.option("rel", 1)

    @property
    def relevant(self) -> int:
        return sum(grade >= self.rel for grade in self.base)

    def hit(self, grade: float | None) -> float:
        return float(grade is not None and grade >= self.rel)

    def gain(self, grade: float | None) -> float:
        """The gain of a grade, by the measure's table and its kind of gain."""
        worth = grade or 0.0
        gains = self.measure.parameters.get("gains")
        worth = gains.get(worth, worth) if gains is not None else worth
        return 2.0**worth - 1.0 if self.measure.parameters.get("gain") == "exp" else worth

    def best(self) -> list[float]:
        """Gains of the judged documents, largest first."""
        return sorted((self.gain(grade) for grade in self.base), reverse=True)


Weight = Callable[[int], float]


def _mean(weight: Weight, place: Place) -> float:
    """The weight of a place, averaged over the ranks that its document may have."""
    ranks = range(place.first, place.last + 1)
    return sum(weight(rank) for rank in ranks) / len(ranks)


def _weighted(gains: Sequence[float], weights: Sequence[float]) -> tuple[tuple[Row, ...], float]:
    """Gain, weight, product and running sum of each place."""
    rows, total = [], 0.0
    for gain, weight in zip(gains, weights, strict=True):
        total += gain * weight
        rows.append((gain, weight, gain * weight, total))
    return tuple(rows), total


# ------------------------------------------------------------------------------ discounted gain


def _discount(task: _Task) -> Weight:
    if task.measure.name.endswith("_JK"):
        b = task.option("b", 2)
        return lambda rank: 1.0 if rank < b else math.log(b) / math.log(rank)
    kind = "none" if task.measure.name == "CG" else task.measure.parameters["discount"]
    return {
        "log2": lambda rank: 1 / math.log2(rank + 1),
        "zipf": lambda rank: 1 / rank,
        "none": lambda rank: 1.0,  # noqa: ARG005 - whatever the rank
    }[kind]


def _gained(task: _Task) -> Arithmetic:
    name, discount = task.measure.name, _discount(task)

    def weight(rank: int) -> float:
        return discount(rank) if rank <= task.k else 0.0

    gains = [task.gain(place.grade) for place in task.places]
    rows, shown = _weighted(gains, [_mean(weight, place) for place in task.places])
    columns = ("gain", "weight", "adds", "sum")
    if not name.startswith("n"):
        return Arithmetic(columns, rows, (), (), f"{task.measure} = {_n(shown)}", shown)
    best = [gain for rank, gain in enumerate(task.best(), 1) if rank <= task.k]
    weights = [weight(rank) for rank in range(1, len(best) + 1)]
    ideal, most = _weighted(best, weights)
    whole = name.removeprefix("n")
    last = _divided(task, shown, most, f"{whole} / ideal {whole}")
    value = shown / most if most else math.nan
    return Arithmetic(columns, rows, columns, ideal, last, value)


# ---------------------------------------------------------------------------- relevant documents


def _counted(task: _Task) -> Arithmetic:
    """P, R, Success, Rprec, F and the measures of sets: what counts is how many were found."""
    name, relevant, listed = task.measure.name, task.relevant, len(task.places)
    k = float(relevant) if name == "Rprec" else task.k

    def weight(rank: int) -> float:
        return float(rank <= k)

    hits = [task.hit(place.grade) for place in task.places]
    rows, found = _weighted(hits, [_mean(weight, place) for place in task.places])
    columns = ("relevant", "weight", "adds", "found")
    shown = listed if math.isinf(k) else int(k)
    if name in ("P", "SetP"):
        value = found / shown if shown else 0.0
        last = f"{task.measure} = found / shown = {_n(found)} / {shown} = {_n(value)}"
    elif name in ("F", "SetF"):
        square = task.option("beta", 1) ** 2
        value = (1 + square) * found / (square * relevant + shown) if relevant else math.nan
        last = (
            f"{task.measure} = (1 + {_n(square)}) found / ({_n(square)} R + shown) = "
            f"{_n((1 + square) * found)} / ({_n(square * relevant)} + {shown}) = {_n(value)}"
        )
    else:
        value = found / relevant if relevant else math.nan
        last = _divided(task, found, relevant, "found / R")
    return Arithmetic(columns, rows, (), (), last, value)


def _precise(task: _Task) -> Arithmetic:
    rows: list[Row] = []
    found, total = 0.0, 0.0
    for place in task.places:
        hit = task.hit(place.grade)
        found += hit
        adds = hit * found / place.rank if place.rank <= task.k else 0.0
        total += adds
        rows.append((hit, found, adds, total))
    relevant = task.relevant
    divisor = min(relevant, task.k) if task.measure.parameters["norm"] == "min" else relevant
    words = "sum / min(R, k)" if divisor != relevant else "sum / R"
    return Arithmetic(
        ("relevant", "found", "precision", "sum"),
        tuple(rows),
        (),
        (),
        _divided(task, total, divisor, words),
        total / divisor if divisor else math.nan,
    )


def _first(task: _Task) -> Arithmetic:
    rows: list[Row] = []
    best = 0.0
    for place in task.places:
        hit = task.hit(place.grade)
        if hit and not best and place.rank <= task.k:
            best = 1 / place.rank
        rows.append((hit, 1 / place.rank))
    if not task.relevant:
        last, value = f"{task.measure} is undefined: R = 0", math.nan
    elif best:
        last, value = f"{task.measure} = 1 / {round(1 / best)} = {_n(best)}", best
    else:
        last, value = f"{task.measure} = 0: no relevant document is shown", 0.0
    return Arithmetic(("relevant", "1/rank"), tuple(rows), (), (), last, value)


def _preferred(task: _Task) -> Arithmetic:
    relevant = task.relevant
    least = min(len(task.base) - relevant, relevant)
    rows: list[Row] = []
    before, total = 0.0, 0.0
    for place in task.places:
        hit, adds = task.hit(place.grade), 0.0
        if hit:
            adds = 1 - (min(before, relevant) / least if least else 0.0)
            total += adds
        rows.append((hit, before, adds, total))
        before += float(place.grade is not None and not hit)
    return Arithmetic(
        ("relevant", "wrong", "adds", "sum"),
        tuple(rows),
        (),
        (),
        _divided(task, total, relevant, "sum / R"),
        total / relevant if relevant else math.nan,
    )


# ----------------------------------------------------------------------------------- user models


def _persistent(task: _Task) -> Arithmetic:
    p, graded = task.option("p", 0.8), task.measure.parameters.get("rel") is None

    def weight(rank: int) -> float:
        return (1 - p) * p ** (rank - 1) if rank <= task.k else 0.0

    worth = [
        (place.grade or 0.0) / task.top if graded else task.hit(place.grade)
        for place in task.places
    ]
    rows, total = _weighted(worth, [_mean(weight, place) for place in task.places])
    last = f"{task.measure} = {_n(total)}"
    return Arithmetic(("gain", "weight", "adds", "sum"), rows, (), (), last, total)


def _stopping(task: _Task) -> Arithmetic:
    exponential = task.measure.parameters.get("gain") == "exp"

    def stop(grade: float | None) -> float:
        if exponential:
            return float(2.0 ** ((grade or 0.0) - task.top) - 2.0**-task.top)
        return (grade or 0.0) / (task.top + 1)

    def down(grades: Sequence[float | None]) -> tuple[tuple[Row, ...], float]:
        rows: list[Row] = []
        reach, total = 1.0, 0.0
        for rank, grade in enumerate(grades, 1):
            here = stop(grade)
            adds = reach * here / rank if rank <= task.k else 0.0
            total += adds
            rows.append((reach, here, adds, total))
            reach *= 1 - here
        return tuple(rows), total

    columns = ("reach", "stop", "adds", "sum")
    rows, shown = down([place.grade for place in task.places])
    if task.measure.name == "ERR":
        return Arithmetic(columns, rows, (), (), f"{task.measure} = {_n(shown)}", shown)
    ideal, most = down([grade for rank, grade in enumerate(task.base, 1) if rank <= task.k])
    last = _divided(task, shown, most, "ERR / ideal ERR")
    return Arithmetic(columns, rows, columns, ideal, last, shown / most if most else math.nan)


def _blended(task: _Task) -> Arithmetic:
    beta, best = task.option("beta", 1), task.best()
    rows: list[Row] = []
    found, cg, total = 0.0, 0.0, 0.0
    for place in task.places:
        hit = task.hit(place.grade) if place.rank <= task.k else 0.0
        found += hit
        cg += task.gain(place.grade)
        most = sum(best[: place.rank])
        adds = hit * (found + beta * cg) / (place.rank + beta * most)
        total += adds
        rows.append((found, cg, most, adds, total))
    relevant = task.relevant
    divisor = min(relevant, task.k) if task.measure.parameters["norm"] == "min" else relevant
    return Arithmetic(
        ("found", "cg", "ideal cg", "adds", "sum"),
        tuple(rows),
        (),
        (),
        _divided(task, total, divisor, "sum / min(R, k)" if divisor != relevant else "sum / R"),
        total / divisor if divisor else math.nan,
    )


def _divided(task: _Task, part: float, whole: float, words: str) -> str:
    if not whole:
        return f"{task.measure} is undefined: {words} = {_n(part)} / 0"
    return f"{task.measure} = {words} = {_n(part)} / {_n(whole)} = {_n(part / whole)}"


def _n(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.4f}"


_WRITTEN: dict[str, Callable[[_Task], Arithmetic]] = {
    **dict.fromkeys(("CG", "DCG", "nDCG", "DCG_JK", "nDCG_JK"), _gained),
    **dict.fromkeys(("P", "R", "Rprec", "F", "SetP", "SetR", "SetF"), _counted),
    "AP": _precise,
    "RR": _first,
    "Bpref": _preferred,
    "RBP": _persistent,
    **dict.fromkeys(("ERR", "nERR"), _stopping),
    "Q": _blended,
}
_WEIGHTED = ("CG", "DCG", "nDCG", "DCG_JK", "nDCG_JK", "P", "R", "Rprec", "F", "RBP")
