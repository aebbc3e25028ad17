"""Conventions of the field's tools, restated one list at a time, in plain loops.

`assay explain` says with them what trec_eval, ir_measures, ranx and scikit-learn make of the same
list, and which of their conventions makes the difference. assay's own values never come from here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FORMULAS", "SMALL", "Convention", "Retrieved", "differing", "value"]

SMALL = 15  # numba's quicksort sorts shorter lists by insertion


@dataclass(frozen=True)
class Retrieved:
    """What a run retrieved for one topic, as its file has it, and the topic's judgments."""

    docs: tuple[str, ...]
    scores: tuple[float, ...]
    grades: Mapping[str, float]
    topic: str = "1"


@dataclass(frozen=True)
class Convention:
    """How a tool reads a list and a measure; the defaults are assay's."""

    k: float = math.inf
    rel: float = 1
    precision: str = "float64"  # of scores
    ties: str = "trec"  # trec, ascending, file, numba, expected, last, best, worst
    unjudged: str = "nonrelevant"  # or condensed
    negative: str = "unjudged"  # or nonrelevant
    grades: str = "real"  # or whole: cut at the point
    gain: str = "linear"  # or exp
    gains: Mapping[float, float] | None = None
    discount: str = "log2"  # zipf, none
    ideal: str = "judged"  # or retrieved
    norm: str = "R"  # min, retrieved
    p: float = 0.8
    top: float | None = None  # of the grade scale
    scale: str = "scaled"  # RBP's gain: grade/top; binary; raw, the grade; topic, by its own top
    beta: float = 1
    cut: str = "exact"  # round, 9
    relative: bool = False
    empty: float = math.nan  # value where the measure is undefined
    no_nonrelevant: float = 1  # what a relevant document counts in Bpref where N = 0
    decimals: int | None = None  # that the tool rounds to


@dataclass(frozen=True)
class View:
    """A list as a convention sees it."""

    grades: tuple[float | None, ...]  # in rank order; None: unjudged
    groups: tuple[int, ...]  # which documents share a score
    judged: tuple[float, ...]  # all judged documents of the topic, best first

    @property
    def known(self) -> list[float]:
        """Grades in rank order, 0 for the unjudged."""
        return [grade or 0.0 for grade in self.grades]


def value(name: str, retrieved: Retrieved, how: Convention) -> float:
    """The measure's value of a list under a convention; NaN where it has none."""
    view = _seen(retrieved, how)
    found = FORMULAS[name](view, how)
    if math.isnan(found) and not (name == "Bpref" and _relevant(view, how)):
        found = how.empty
    return found if how.decimals is None else round(found, how.decimals)


def differing(name: str, retrieved: Retrieved, ours: Convention, theirs: Convention) -> list[str]:
    """The fields in which two conventions differ, those first that make the difference here."""
    apart = [  # by their text, in which nan equals nan
        field.name
        for field in fields(ours)
        if repr(getattr(ours, field.name)) != repr(getattr(theirs, field.name))
    ]
    both = value(name, retrieved, ours), value(name, retrieved, theirs)
    telling = []
    for field in apart:
        from_ours = _with(ours, field, theirs)
        from_theirs = _with(theirs, field, ours)
        if not _same(value(name, retrieved, from_ours), both[0]) or not _same(
            value(name, retrieved, from_theirs), both[1]
        ):
            telling.append(field)
    return telling or apart


def _with(one: Convention, field: str, other: Convention) -> Convention:
    changed = {f.name: getattr(one, f.name) for f in fields(one)}
    return Convention(**{**changed, field: getattr(other, field)})


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))


# ------------------------------------------------------------------------------------ the ranking


def _seen(retrieved: Retrieved, how: Convention) -> View:
    known = {doc: _grade(grade, how) for doc, grade in retrieved.grades.items()}
    judged = {doc: grade for doc, grade in known.items() if grade is not None}
    scores = [_rounded(score, how.precision) for score in retrieved.scores]
    rows = [
        (score, doc)
        for score, doc in zip(scores, retrieved.docs, strict=True)
        if how.unjudged != "condensed" or doc in judged
    ]
    rows = _ordered(rows, judged, how.ties)
    levels = sorted({score for score, _ in rows}, reverse=True)
    place = {score: i for i, score in enumerate(levels)}
    return View(
        tuple(judged.get(doc) for _, doc in rows),
        tuple(place[score] for score, _ in rows),
        tuple(sorted(judged.values(), reverse=True)),
    )


def _grade(grade: float, how: Convention) -> float | None:
    """The grade as read; None: not judged."""
    if how.grades == "whole":
        grade = float(int(grade))
    if grade < 0:
        return None if how.negative == "unjudged" else 0.0
    return grade


def _rounded(score: float, precision: str) -> float:
    if precision == "float64":
        return score
    from ctypes import c_float

    return c_float(score).value


def _ordered(
    rows: list[tuple[float, str]], judged: Mapping[str, float], ties: str
) -> list[tuple[float, str]]:
    if ties == "numba":
        return [rows[i] for i in _numba_argsort([-score for score, _ in rows])]
    if ties == "ascending":
        rows = sorted(rows, key=lambda row: row[1])
    elif ties == "best":
        rows = sorted(rows, key=lambda row: judged.get(row[1], -1.0), reverse=True)
    elif ties == "worst":
        rows = sorted(rows, key=lambda row: judged.get(row[1], -1.0))
    elif ties != "file":
        rows = sorted(rows, key=lambda row: row[1].encode(), reverse=True)
    return sorted(rows, key=lambda row: -row[0])


def _numba_argsort(keys: list[float]) -> list[int]:
    """Sort as numba does (numba/misc/quicksort.py), which leaves equal keys in no certain order."""
    order = list(range(len(keys)))
    stack = [(0, len(keys) - 1)]
    while stack:
        low, high = stack.pop()
        while high - low >= SMALL:
            i = _partition(keys, order, low, high)
            if high - i > i - low:
                stack += [(i + 1, high)] if high > i else []
                high = i - 1
            else:
                stack += [(low, i - 1)] if i > low else []
                low = i + 1
        for i in range(low + 1, high + 1):
            moved, j = order[i], i
            while j > low and keys[moved] < keys[order[j - 1]]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = moved
    return order


def _partition(keys: list[float], order: list[int], low: int, high: int) -> int:
    def swap(a: int, b: int) -> None:
        order[a], order[b] = order[b], order[a]

    mid = (low + high) >> 1
    if keys[order[mid]] < keys[order[low]]:
        swap(low, mid)
    if keys[order[high]] < keys[order[mid]]:
        swap(high, mid)
    if keys[order[mid]] < keys[order[low]]:
        swap(low, mid)
    pivot = keys[order[mid]]
    swap(high, mid)
    i, j = low, high - 1
    while True:
        while i < high and keys[order[i]] < pivot:
            i += 1
        while j >= low and pivot < keys[order[j]]:
            j -= 1
        if i >= j:
            break
        swap(i, j)
        i += 1
        j -= 1
    swap(i, high)
    return i


# ------------------------------------------------------------------------------------- the formulas


def _hits(view: View, how: Convention) -> list[bool]:
    return [grade is not None and grade >= how.rel for grade in view.grades]


def _relevant(view: View, how: Convention) -> int:
    return sum(grade >= how.rel for grade in view.judged)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _gain(grade: float, how: Convention) -> float:
    worth = how.gains.get(grade, grade) if how.gains is not None else grade
    return 2.0**worth - 1.0 if how.gain == "exp" else worth


_DIVISOR: dict[str, Callable[[int], float]] = {
    "log2": lambda rank: math.log2(rank + 1),
    "zipf": float,
    "none": lambda rank: 1.0,  # noqa: ARG005 - whatever the rank
}


def _sum_discounted(gains: list[float], how: Convention) -> float:
    divisor = _DIVISOR[how.discount]
    return sum(gain / divisor(i) for i, gain in enumerate(gains, 1) if i <= how.k)


def _dcg(view: View, how: Convention) -> float:
    gains = [_gain(grade, how) for grade in view.known]
    if how.ties == "expected":  # each document has the mean gain of those that share its score
        gains = [
            sum(g for g, other in zip(gains, view.groups, strict=True) if other == group)
            / view.groups.count(group)
            for group in view.groups
        ]
    return _sum_discounted(gains, how)


def _ndcg(view: View, how: Convention) -> float:
    pool = view.known if how.ideal == "retrieved" else view.judged
    ideal = sorted((_gain(grade, how) for grade in pool), reverse=True)
    return _share(_dcg(view, how), _sum_discounted(ideal, how))


def _ap(view: View, how: Convention) -> float:
    hits, found, total = _hits(view, how), 0, 0.0
    for i, hit in enumerate(hits, 1):
        if hit and i <= how.k:
            found += 1
            if how.ties == "last":  # precision where the group of its score ends
                end = max(
                    j for j, group in enumerate(view.groups, 1) if group == view.groups[i - 1]
                )
                total += sum(hits[:end]) / end
            else:
                total += found / i
    relevant = _relevant(view, how)
    divisor = {"R": relevant, "min": min(relevant, how.k), "retrieved": sum(hits)}[how.norm]
    return math.nan if not relevant else _share(total, divisor)


def _top(view: View, how: Convention) -> int:
    return sum(hit for i, hit in enumerate(_hits(view, how), 1) if i <= how.k)


def _rr(view: View, how: Convention) -> float:
    if not _relevant(view, how):
        return math.nan
    return next((1 / i for i, hit in enumerate(_hits(view, how), 1) if hit and i <= how.k), 0.0)


def _f(view: View, how: Convention) -> float:
    shown = len(view.grades) if math.isinf(how.k) else how.k
    found, relevant, square = _top(view, how), _relevant(view, how), how.beta**2
    if not relevant:
        return math.nan
    return (1 + square) * found / (square * relevant + shown) if found else 0.0


def _rprec(view: View, how: Convention) -> float:
    relevant = _relevant(view, how)
    return _share(sum(_hits(view, how)[:relevant]), relevant)


def _bpref(view: View, how: Convention) -> float:
    relevant = _relevant(view, how)
    if not relevant:
        return math.nan
    least = min(len(view.judged) - relevant, relevant)
    before, total = 0, 0.0
    for grade in view.grades:
        if grade is None:
            continue
        if grade < how.rel:
            before += 1
        elif least:
            total += 1 - min(before, relevant) / least
        else:
            total += how.no_nonrelevant
    return total / relevant


def _iprec_at(view: View, how: Convention, level: float) -> float:
    relevant = _relevant(view, how)
    if not relevant:
        return math.nan
    if how.cut == "exact":
        from fractions import Fraction

        needed = math.ceil(Fraction(str(level)) * relevant)
    elif how.cut == "round":
        needed = math.floor(level * relevant + 0.5)
    else:
        needed = int(level * relevant + 0.9)
    hits, best = _hits(view, how), 0.0
    for i, hit in enumerate(hits, 1):
        if hit and sum(hits[:i]) >= needed:
            best = max(best, sum(hits[:i]) / i)
    return best


def _ap11(view: View, how: Convention) -> float:
    return sum(_iprec_at(view, how, tenth / 10) for tenth in range(11)) / 11


def _rbp(view: View, how: Convention) -> float:
    grades: list[float] = view.known
    if how.scale in ("binary", "raw"):
        grades = [grade if grade >= how.rel else 0.0 for grade in grades]
    most = {"scaled": how.top or 1.0, "topic": max(1.0, *view.judged, 1.0), "raw": 1.0}
    worth = [
        float(grade > 0) if how.scale == "binary" else grade / most[how.scale] for grade in grades
    ]
    return (1 - how.p) * sum(w * how.p ** (i - 1) for i, w in enumerate(worth, 1) if i <= how.k)


def _err(view: View, how: Convention) -> float:
    reach, total, top = 1.0, 0.0, how.top or 1.0
    for i, grade in enumerate(view.known, 1):
        if i > how.k:
            break
        stop = (2.0**grade - 1) / 2.0**top if how.gain == "exp" else grade / (top + 1)
        total += reach * stop / i
        reach *= 1 - stop
    return total


def _set_p(view: View, how: Convention) -> float:
    found, shown, relevant = sum(_hits(view, how)), len(view.grades), _relevant(view, how)
    if how.relative:
        return _share(found, min(shown, relevant)) if relevant and shown else how.empty
    return found / shown if shown else 0.0


def _set_ap(view: View, how: Convention) -> float:
    found = sum(_hits(view, how))
    return _share(found * (found / len(view.grades) if found else 0.0), _relevant(view, how))


def _judged(view: View, how: Convention) -> float:
    shown = [grade for i, grade in enumerate(view.grades, 1) if i <= how.k]
    return sum(grade is not None for grade in shown) / len(shown) if shown else 0.0


FORMULAS: dict[str, Callable[[View, Convention], float]] = {
    "CG": _dcg,
    "DCG": _dcg,
    "nDCG": _ndcg,
    "AP": _ap,
    "P": lambda view, how: _top(view, how) / how.k,
    "R": lambda view, how: _share(_top(view, how), _relevant(view, how)),
    "RR": _rr,
    "Success": lambda view, how: float(_top(view, how) > 0) if _relevant(view, how) else math.nan,
    "F": _f,
    "Rprec": _rprec,
    "Bpref": _bpref,
    "IPrec": lambda view, how: _iprec_at(view, how, how.k),
    "AP11": _ap11,
    "RBP": _rbp,
    "ERR": _err,
    "SetP": _set_p,
    "SetR": lambda view, how: _share(sum(_hits(view, how)), _relevant(view, how)),
    "SetF": _f,
    "SetAP": _set_ap,
    "NumQ": lambda view, how: 1.0,  # noqa: ARG005 - one topic
    "NumRet": lambda view, how: float(len(view.grades)),  # noqa: ARG005
    "NumRel": lambda view, how: float(_relevant(view, how)),
    "NumRelRet": lambda view, how: float(_top(view, how)),
    "Judged": _judged,
}
