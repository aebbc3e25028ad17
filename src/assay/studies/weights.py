"""Weights of relevance levels: schemes such as 0-1-10-100, and merges of levels that keep order.

Järvelin & Kekäläinen 2002, sections 3.3 and 4, https://doi.org/10.1145/582415.582418.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.judgments import Judgments

__all__ = [
    "SCENARIOS",
    "Merge",
    "Scenario",
    "Scheme",
    "merge",
    "merges",
    "scheme",
    "schemes",
    "top_level",
]

MOST_LEVELS = 8  # of a scale whose merges are all gone through: 2^7 - 1 of them


@dataclass(frozen=True)
class Scheme:
    """The weight of each level, from level 0 upwards."""

    weights: tuple[float, ...]

    def __str__(self) -> str:
        return "-".join(f"{weight:g}" for weight in self.weights)

    @property
    def gains(self) -> dict[float, float]:
        """Grade to gain."""
        return dict(enumerate(self.weights[1:], start=1))


@dataclass(frozen=True)
class Scenario:
    """A kind of user: how deep he looks, what he values, how soon he loses patience."""

    name: str
    depth: int
    kind: str
    base: float


SCENARIOS = {
    "impatient": Scenario("impatient", 30, "steep", 2),
    "patient": Scenario("patient", 200, "linear", 10),
}


def schemes(top: int) -> dict[str, Scheme]:
    """The four schemes of the paper, on a scale from 0 to `top`; on 0 to 3 they are its own."""
    made = {
        "flat": tuple(1.0 for _ in range(top)),
        "top": tuple(float(level == top) for level in range(1, top + 1)),
        "steep": tuple(10.0 ** (level - 1) for level in range(1, top + 1)),
        "linear": tuple(float(level) for level in range(1, top + 1)),
    }
    return {kind: Scheme((0.0, *weights)) for kind, weights in made.items()}


def scheme(given: str | Mapping[Any, float] | Scheme | Any, top: int) -> Scheme:
    """Read weights such as `0-1-10-100`, or a mapping of level to weight, for levels 0 to `top`."""
    if isinstance(given, Scheme):
        found = given
    elif isinstance(given, Mapping):
        levels = max([top, *(int(level) for level in given)])
        found = Scheme(tuple(float(given.get(level, 0)) for level in range(levels + 1)))
    else:
        parts = given.split("-") if isinstance(given, str) else list(given)
        try:
            found = Scheme(tuple(float(part) for part in parts))
        except (TypeError, ValueError):
            raise AssayError(
                f"weights {given!r}: expected one for each level, such as 0-1-10-100"
            ) from None
    if len(found.weights) <= top:
        raise AssayError(
            f"weights {found}: {len(found.weights)} of them, but grades go up to {top}; expected "
            f"{top + 1}, such as {schemes(top)['steep']}"
        )
    if found.weights[0] != 0 or min(found.weights) < 0 or not any(found.weights):
        raise AssayError(
            f"weights {found}: must be 0 for level 0, never below 0, and above 0 for some level"
        )
    return found


def top_level(judgments: Judgments) -> int:
    """The highest level of judgments whose grades are levels 0, 1, 2, ..."""
    for grade in judgments.frame["grade"].unique().to_list():
        if grade != int(grade):
            raise AssayError(
                f"{judgments.origin.name}: grade {grade:g} is no level; weights of levels need "
                "whole grades"
            )
    if judgments.top < 1:
        raise AssayError(f"{judgments.origin.name}: no grade above 0, so nothing to weigh")
    return int(judgments.top)


@dataclass(frozen=True)
class Merge:
    """Neighbouring levels taken as one: the class of each level, from level 0 upwards."""

    classes: tuple[int, ...]

    def __str__(self) -> str:
        """Levels by class, such as `0 1|2|3`."""
        groups = [
            " ".join(str(level) for level, of in enumerate(self.classes) if of == each)
            for each in range(self.classes[-1] + 1)
        ]
        return "|".join(groups)


def merges(top: int) -> tuple[Merge, ...]:
    """Every merge of neighbouring levels into two classes or more; the first merges none."""
    if top >= MOST_LEVELS:
        raise AssayError(
            f"{top + 1} levels have {2**top - 1:,} merges that keep their order; more than "
            f"{MOST_LEVELS} levels are too many to go through: name one, such as 0-0-1-1"
        )
    made = []
    for cuts in product((1, 0), repeat=top):
        if not any(cuts):
            continue
        classes = [0]
        for cut in cuts:
            classes.append(classes[-1] + cut)
        made.append(Merge(tuple(classes)))
    return tuple(sorted(made, key=lambda merge: (-merge.classes[-1], merge.classes[::-1])))


def merge(given: str | Merge, top: int) -> Merge:
    """Read a merge such as `0-0-1-1`: the class of each level."""
    if isinstance(given, Merge):
        return given
    try:
        classes = tuple(int(part) for part in given.split("-"))
    except (AttributeError, ValueError):
        raise AssayError(
            f"collapse {given!r}: expected 'all', or the class of each level, such as 0-0-1-1"
        ) from None
    steps = {b - a for a, b in pairwise(classes)}
    if len(classes) != top + 1 or classes[0] != 0 or not steps <= {0, 1} or classes[-1] == 0:
        raise AssayError(
            f"collapse {given}: expected {top + 1} classes that start at 0 and rise by 0 or 1 from "
            "level to level, at least two of them"
        )
    return Merge(classes)
