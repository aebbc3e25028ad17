"""The parameters that measures take: one idea, one name, one check."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.document_sets import DocumentSets
from assay.errors import AssayError

__all__ = ["PARAMETERS", "UNJUDGED", "Gains", "Parameter", "choice", "number"]

UNJUDGED = ("nonrelevant", "condensed", "lowest", "highest", "bounds")


class Gains(Mapping[float, float]):
    """A grade-to-gain table: immutable, hashable, printed as `{1:1,2:10,3:100}`."""

    __slots__ = ("_items",)

    def __init__(self, table: Mapping[float, float]) -> None:
        self._items = tuple(sorted((float(k), float(v)) for k, v in table.items()))

    def __getitem__(self, grade: float) -> float:
        return dict(self._items)[grade]

    def __iter__(self) -> Any:
        return (grade for grade, _ in self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    def __repr__(self) -> str:
        return "{" + ",".join(f"{k:.17g}:{v:.17g}" for k, v in self._items) + "}"


@dataclass(frozen=True)
class Parameter:
    """How a parameter is checked and what it means; `check` returns the value, made canonical."""

    check: Callable[[Any], Any]
    help: str


def number(
    low: float,
    high: float = math.inf,
    *,
    open_low: bool = False,
    open_high: bool = False,
    whole: bool = False,
    optional: bool = False,
) -> Callable[[Any], Any]:
    """A check for numbers from `low` to `high`."""
    kind = "a whole number" if whole else "a number"
    bound = f"{'above' if open_low else 'at least'} {low:g}" if low > -math.inf else ""
    if high < math.inf:
        bound += f"{' and ' if bound else ''}{'below' if open_high else 'at most'} {high:g}"

    def check(value: Any) -> Any:
        if value is None and optional:
            return None
        good = isinstance(value, int | float) and not isinstance(value, bool)
        good = good and math.isfinite(value) and (not whole or value == int(value))
        good = good and (low < value or (value == low and not open_low))
        good = good and (value < high or (value == high and not open_high))
        if not good:
            raise AssayError(f"must be {kind}{' ' + bound if bound else ''}, found {value!r}")
        return int(value) if value == int(value) else float(value)

    return check


def choice(*options: str, optional: bool = False) -> Callable[[Any], Any]:
    """A check for one of a few words."""

    def check(value: Any) -> Any:
        if value is None and optional:
            return None
        if value not in options:
            words = ", ".join(repr(option) for option in options)
            raise AssayError(f"must be one of {words}, found {value!r}")
        return value

    return check


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise AssayError(f"must be True or False, found {value!r}")
    return value


def _gains(value: Any) -> Gains | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise AssayError(
            f"must be a table of grade to gain such as {{1:1,2:10,3:100}}, found {value!r}"
        )
    for grade, gain in value.items():
        for what, x in (("grade", grade), ("gain", gain)):
            if isinstance(x, bool) or not isinstance(x, int | float) or not math.isfinite(x):
                raise AssayError(f"has the {what} {x!r}, which is not a finite number")
        if gain < 0:
            raise AssayError(f"gives grade {grade:g} the negative gain {gain:g}; gains start at 0")
        if grade <= 0 and gain != 0:
            raise AssayError(
                f"gives grade {grade:g} the gain {gain:g}; a grade of 0 or less has gain 0, "
                "as documents that nobody judged have"
            )
    return Gains(value)


def _documents(value: Any) -> DocumentSets | None:
    if value is None or isinstance(value, DocumentSets):
        return value
    if not isinstance(value, str | Path | Mapping):
        raise AssayError(
            "must be a file of lines 'topic doc' or a mapping of topic to documents, "
            f"found {value!r}"
        )
    return DocumentSets(value)


def _documents_or_number(value: Any) -> DocumentSets | int | None:
    whole = isinstance(value, int | float) and not isinstance(value, bool)
    return int(number(1, whole=True)(value)) if whole else _documents(value)


PARAMETERS: dict[str, Parameter] = {
    "rel": Parameter(number(0, open_low=True), "smallest grade that counts as relevant"),
    "gain": Parameter(choice("linear", "exp"), "gain of a grade g: linear (g) or exp (2^g - 1)"),
    "gains": Parameter(
        _gains, "gain of each grade, such as {1:1,2:10,3:100}; others keep their own"
    ),
    "beta": Parameter(number(0), "weight of recall against precision, or of gain in Q's blend"),
    "b": Parameter(
        number(1, open_low=True),
        "base of the logarithm of the discount; ranks before b are not discounted",
    ),
    "p": Parameter(
        number(0, 1, open_low=True, open_high=True),
        "persistence: probability of looking at the next document",
    ),
    "max": Parameter(
        number(0, open_low=True, optional=True),
        "top of the grade scale; without it the largest grade of all judgments",
    ),
    "discount": Parameter(
        choice("log2", "zipf", "none"),
        "weight of rank i: log2 (1/log2(i+1)), zipf (1/i) or none (1)",
    ),
    "N": Parameter(
        number(1, whole=True, optional=True),
        "documents in the collection; without it those known for the topic",
    ),
    "n": Parameter(number(1, whole=True), "relevant documents that the reader wants"),
    "unretrieved": Parameter(
        choice("tied", "worst"),
        "documents not retrieved: one last level, or in the worst order at the collection's end",
    ),
    "known": Parameter(
        _documents,
        "documents that the user knew: a file of lines 'topic doc', or a mapping of topic to these",
    ),
    "wanted": Parameter(
        _documents_or_number,
        "documents that the user wanted: their number, a file of lines 'topic doc', or a mapping",
    ),
    "cut": Parameter(
        choice("exact", "round", "9"),
        "documents that make recall x: exactly ceil(xR), or as trec_eval 10 (round) or 9 cuts it",
    ),
    "norm": Parameter(
        choice("R", "min"),
        "divisor: R, the number of relevant documents, or min (the smaller of R and k)",
    ),
    "normalize": Parameter(_switch, "divide by the best value that a ranking can reach"),
    "relative": Parameter(
        _switch, "divide by the best precision that a list of this length can reach"
    ),
}
