"""Small worlds: every list of every topic with so many judged documents, smallest first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING

import numpy as np

from assay.studies.lists import PAIRS, listed, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assay.measures.measure import Measure

__all__ = ["Listing", "Values", "World", "added", "exchanged", "patterns", "replaced"]

FALLS = (0.9, 0.2)  # a score as a share of the one before it, where scores count

Grades = tuple[float, ...]


@dataclass(frozen=True)
class Listing:
    """A list of judged documents: their grades by rank, and those of the documents it lacks."""

    grades: Grades
    missed: Grades = ()
    scores: Grades = ()  # where they count

    def __str__(self) -> str:
        """Grades by rank, such as `2 0 | 1`; what follows the bar was not retrieved."""
        shown = [f"{grade:g}" for grade in self.grades]
        if self.scores:
            shown = [f"{g}({s:.3g})" for g, s in zip(shown, self.scores, strict=True)]
        text = " ".join(shown) or "nothing"
        return text + (
            " | " + " ".join(f"{grade:g}" for grade in self.missed) if self.missed else ""
        )

    @property
    def topic(self) -> Grades:
        """Grades of all judged documents."""
        return tuple(sorted((*self.grades, *self.missed), reverse=True))

    @property
    def judged(self) -> int:
        """How many documents are judged."""
        return len(self.grades) + len(self.missed)


# the values of each list, one for each of the scores that it may have
Values = dict[Listing, tuple[float, ...]]


class World:
    """All lists of topics with `judged` documents of the given grades."""

    def __init__(self, judged: int, grades: Sequence[float]) -> None:
        self.judged = judged
        levels = tuple(sorted(grades))
        falling = levels[::-1]
        self.by_length = [
            sorted(
                (
                    Listing(seq, missed)
                    for seq in product(levels, repeat=length)
                    for missed in combinations_with_replacement(falling, judged - length)
                ),
                key=lambda each: (sum(each.topic), each.grades[::-1], each.missed),
            )
            for length in range(judged + 1)
        ]

    def __iter__(self) -> Iterator[Listing]:
        for lists in self.by_length:
            yield from lists

    def values(self, measure_at: Callable[[int], Measure | None]) -> Values:
        """The values of each list, by the measure for lists of its length; None leaves them out."""
        found: Values = {}
        for length, lists in enumerate(self.by_length):
            measure = measure_at(length)
            if measure is not None:
                found |= _valued(measure, lists)
        return found


def _valued(measure: Measure, lists: Sequence[Listing]) -> Values:
    grade = np.array([each.grades for each in lists], dtype=np.float64).reshape(len(lists), -1)
    missed = np.array([each.missed for each in lists], dtype=np.float64).reshape(len(lists), -1)
    pairs = any(name in PAIRS for name in measure.definition.fields)
    rows = []
    possible: list[Grades | None] = [*patterns(measure, grade.shape[1])] or [None]
    for scores in possible:
        given = None if scores is None else np.broadcast_to(np.array(scores), grade.shape)
        value = values_of(measure, listed(grade, missed, given, pairs=pairs))
        rows.append(np.broadcast_to(value, (len(lists),)).tolist())
    return dict(zip(lists, zip(*rows, strict=True), strict=True))


def patterns(measure: Measure, length: int) -> list[Grades]:
    """Scores that a list of this length may have, falling from 1; none where they do not count.

    Without the last document, pattern i is pattern i // 2 of the shorter list.
    """
    fields = measure.definition.fields
    if "score" not in fields and "scores" not in fields:
        return []
    return [
        tuple(float(x) for x in np.cumprod((1.0, *falls)))[:length]
        for falls in product(FALLS, repeat=max(0, length - 1))
    ]


# ------------------------------------------------------------------------------------ next to one


def exchanged(each: Listing) -> Iterator[Listing]:
    """The list with a better document in the place of a worse one that stood before it."""
    for i, j in combinations(range(len(each.grades)), 2):
        if each.grades[i] < each.grades[j]:
            new = list(each.grades)
            new[i], new[j] = new[j], new[i]
            yield Listing(tuple(new), each.missed)


def replaced(each: Listing) -> Iterator[tuple[float, float, Listing]]:
    """The list with a document exchanged for a better one that it lacks: both grades, the list."""
    for i, grade in enumerate(each.grades):
        for better in dict.fromkeys(each.missed):
            if better > grade:
                missed = list(each.missed)
                missed.remove(better)
                missed = sorted([*missed, grade], reverse=True)
                new = (*each.grades[:i], better, *each.grades[i + 1 :])
                yield grade, better, Listing(new, tuple(missed))


def added(each: Listing) -> Iterator[Listing]:
    """The list with one more document at its end."""
    for grade in dict.fromkeys(each.missed):
        missed = list(each.missed)
        missed.remove(grade)
        yield Listing((*each.grades, grade), tuple(missed))
