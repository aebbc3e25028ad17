"""Weak orders: documents in levels, tied within each; and how far two of them are apart.

After Zhou & Yao 2010, sections 2.2 and 5.7, https://doi.org/10.1007/s10844-009-0096-5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from assay.errors import AssayError

__all__ = ["Distance", "WeakOrder", "counted", "inversions"]

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class WeakOrder:
    """Documents in levels, best first; the documents of a level are tied.

    >>> user = WeakOrder((("d5",), ("d4",), ("d1", "d2", "d3")))  # Zhou & Yao, example 1
    >>> print(user)
    d5 > d4 > d1 = d2 = d3
    >>> user.utility(0.1)
    {'d5': 0.2, 'd4': 0.1, 'd1': 0.0, 'd2': 0.0, 'd3': 0.0}
    """

    levels: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        levels = tuple(tuple(level) for level in self.levels if len(level))
        docs = [doc for level in levels for doc in level]
        if len(set(docs)) < len(docs):
            again = next(doc for doc in docs if docs.count(doc) > 1)
            raise AssayError(f"document {again!r} stands twice in the order; each has one level")
        object.__setattr__(self, "levels", levels)

    @classmethod
    def of(cls, utility: Mapping[str, float]) -> WeakOrder:
        """The order that numbers make, the largest first."""
        if not isinstance(utility, Mapping):
            raise AssayError(
                "expected a WeakOrder, or a dictionary of document to number; found "
                f"{type(utility).__name__}"
            )
        found: dict[float, list[str]] = {}
        given: Mapping[str, Any] = utility  # whatever a caller hands in
        for doc, value in given.items():
            if not isinstance(value, Real):
                raise AssayError(f"document {doc!r}: expected a number, found {value!r}")
            if math.isnan(value):
                raise AssayError(f"document {doc!r} has no number to be ordered by (NaN)")
            found.setdefault(float(value), []).append(doc)
        return cls(tuple(tuple(found[value]) for value in sorted(found, reverse=True)))

    @property
    def docs(self) -> tuple[str, ...]:
        """All documents, best first."""
        return tuple(doc for level in self.levels for doc in level)

    @cached_property
    def level(self) -> dict[str, int]:
        """Level of each document, 0 for the best."""
        return {doc: i for i, level in enumerate(self.levels) for doc in level}

    def utility(self, step: float = 1.0) -> dict[str, float]:
        """A function u, u(d) > u(d') exactly where d is preferred to d'; 0 for the last level."""
        last = len(self.levels) - 1
        return {doc: round(step * (last - i), 12) for doc, i in self.level.items()}

    def converse(self) -> WeakOrder:
        """The same order read backwards."""
        return WeakOrder(self.levels[::-1])

    def closest(self, system: WeakOrder) -> WeakOrder:
        """Of the rankings acceptable to this order, the one closest to the system's.

        What this order ties may stand in any order, so the system's is kept; documents that the
        system does not rank are one last tied level of it.

        >>> user = WeakOrder((("d1", "d2"), ("d3",), ("d4", "d5"), ("d6",)))  # example 6
        >>> print(user.closest(WeakOrder((("d1", "d3"), ("d2", "d5"), ("d6",), ("d4",)))))
        d1 > d2 > d3 > d5 > d4 > d6
        """
        place = system.level
        found: dict[tuple[int, int], list[str]] = {}
        for doc, level in self.level.items():
            found.setdefault((level, place.get(doc, len(place))), []).append(doc)
        return WeakOrder(tuple(tuple(found[key]) for key in sorted(found)))

    def distance(self, system: WeakOrder) -> Distance:
        """How far the system's order is from this one, which is the user's.

        Documents that the system does not rank are one last tied level of it; documents that this
        order does not know are left out.

        >>> user = WeakOrder((("d1", "d2"), ("d3",), ("d4", "d5"), ("d6",)))  # example 6
        >>> found = user.distance(WeakOrder((("d1", "d3"), ("d2", "d5"), ("d6",), ("d4",))))
        >>> found.contradicted, found.only_user, found.pairs, round(found.ndpm, 2)
        (2, 2, 13, 0.23)
        """
        place = system.level
        mine = np.fromiter(self.level.values(), np.int64, len(self.level))
        other = (place.get(doc, len(place)) for doc in self.level)
        return counted(mine, np.fromiter(other, np.int64, len(self.level)))

    def __len__(self) -> int:
        return sum(map(len, self.levels))

    def __str__(self) -> str:
        return " > ".join(" = ".join(level) for level in self.levels)


@dataclass(frozen=True)
class Distance:
    """How two rankings treat the pairs of documents (Zhou & Yao, section 5.7).

    A pair counts 2 where the rankings contradict each other and 1 where one of them ties it.
    """

    agreed: int  # C+: both prefer the same document
    contradicted: int  # C-: they prefer opposite documents
    only_user: int  # C^u: the user prefers one, the system ties them
    only_system: int  # C^s: the system prefers one, the user ties them
    tied: int = 0  # both tie them
    unknown: int = 0  # pairs of which one side says nothing; they enter nowhere

    @property
    def pairs(self) -> int:
        """C: pairs of which the user prefers one document."""
        return self.agreed + self.contradicted + self.only_user

    @property
    def compatible(self) -> int:
        """C^0: pairs that one of the two ties."""
        return self.only_user + self.only_system

    @property
    def beta(self) -> int:
        """Kemeny & Snell's distance between the two rankings: 2 C- + C^0."""
        return 2 * self.contradicted + self.compatible

    @property
    def dpm(self) -> int:
        """Distance from the system's ranking to the closest acceptable one: 2 C- + C^u."""
        return 2 * self.contradicted + self.only_user

    @property
    def ndpm(self) -> float:
        """Dpm as a share of the largest possible, 2 C; NaN where the user prefers nothing."""
        return self.dpm / (2 * self.pairs) if self.pairs else math.nan

    def __add__(self, other: Distance) -> Distance:
        return Distance(
            self.agreed + other.agreed,
            self.contradicted + other.contradicted,
            self.only_user + other.only_user,
            self.only_system + other.only_system,
            self.tied + other.tied,
            self.unknown + other.unknown,
        )


def counted(user: Any, system: Any) -> Distance:
    """The distance of two weak orders, given as levels of the same documents, best low."""
    _, x = np.unique(user, return_inverse=True)
    _, y = np.unique(system, return_inverse=True)
    x, y = x.astype(np.int64), y.astype(np.int64)
    n = len(x)
    every = n * (n - 1) // 2
    ties_x, ties_y = _tied(x), _tied(y)
    both = _tied(x * (int(y.max(initial=0)) + 1) + y)
    wrong = inversions(y[np.lexsort((y, x))])
    return Distance(
        agreed=every - ties_x - ties_y + both - wrong,
        contradicted=wrong,
        only_user=ties_y - both,
        only_system=ties_x - both,
        tied=both,
    )


def _tied(level: Ints) -> int:
    _, many = np.unique(level, return_counts=True)
    return int((many * (many - 1) // 2).sum())


def inversions(values: Ints) -> int:
    """Pairs of places at which the larger of two whole numbers from 0 comes first.

    The values are split by their highest bit, stably: at each bit the inversions are the ones that
    stand before a zero, within the values that agree in all higher bits.
    """
    total = 0
    bits = int(values.max(initial=0)).bit_length()
    group = np.zeros(len(values), dtype=np.int64)
    for bit in range(bits - 1, -1, -1):
        one = (values >> bit) & 1
        before = np.cumsum(one) - one
        new = np.concatenate(([True], group[1:] != group[:-1])) if len(group) else one > 0
        first = np.maximum.accumulate(np.where(new, np.arange(len(values)), 0))
        total += int(((before - before[first]) * (1 - one)).sum())
        group = group * 2 + one
        order = np.argsort(group, kind="stable")
        values, group = values[order], group[order]
    return total
