"""A block of lists as measures see it (`assay.measures`): built from tensors, field by field."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from array_api_compat import is_torch_array

from assay.ranking import Ranking
from assay.tensors.namespace import Array, array_namespace
from assay.tensors.order import best, descending, taken, top

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.tensors.batch import Batch
    from assay.tensors.traits import Traits

__all__ = ["FIELDS", "Lists"]

ALONG = frozenset({"grade", "rank", "score", "tie_first", "tie_last"})  # of judged documents
FIELDS = ALONG | {"base", "judged", "retrieved", "pooled", "scores", "missed"}


class made_once:  # noqa: N801 - reads like `property`
    """A property that is worked out once; torch.compile cannot see through functools' own."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self.make, self.name, self.__doc__ = make, make.__name__, make.__doc__

    def __get__(self, lists: Any, owner: type) -> Any:
        """Make it, and keep it where the next look finds it first."""
        value = self.make(lists)
        lists.__dict__[self.name] = value
        return value


@dataclass(frozen=True)
class Lists:
    """The fields of a ranking, each made when it is first asked for."""

    batch: Batch
    depth: int | None  # no measure looks at ranks beyond

    @property
    def xp(self) -> Any:
        """The library of the arrays."""
        return array_namespace(self.batch.grades)

    @made_once
    def listed(self) -> Array | None:
        """Which documents stand in the lists."""
        return _both(self.batch.real, self.batch.shown)

    @made_once
    def order(self) -> Array:
        """Positions of the documents in rank order; what is in no list comes last."""
        if self.depth is not None:
            first = top(self.batch.scores, self.listed, self.depth)
            if first is not None:
                return first
        return descending(self.batch.scores, self.listed)

    @made_once
    def in_list(self) -> Array | None:
        """Which places of the order hold a document of the list: the first."""
        if self.listed is None:
            return None
        return self._number_from_one <= self.xp.expand_dims(self.retrieved, axis=-1)

    @made_once
    def known(self) -> Array | None:
        """Which places hold a judged document of the list."""
        judged = self.batch.judged
        return _both(self.in_list, None if judged is None else taken(judged, self.order))

    @made_once
    def place(self) -> Array:
        """The rank of each place, infinity behind the list."""
        return _where(self.in_list, self._number_from_one, math.inf)

    @made_once
    def _number_from_one(self) -> Array:
        like, places = self.batch.grades, self.order.shape[-1]
        return self.xp.arange(1, places + 1, dtype=like.dtype, device=like.device)

    @made_once
    def ordered_score(self) -> Array:
        """Every score of the list, highest first."""
        return self.xp.astype(taken(self.batch.scores, self.order), self.batch.grades.dtype)

    @made_once
    def rank(self) -> Array:
        """Ranks of the judged documents."""
        return self.place if self.batch.judged is None else _where(self.known, self.place, math.inf)

    @made_once
    def grade(self) -> Array:
        """Their grades; those of padding are 0 from the start."""
        grades = taken(self.batch.grades, self.order)
        padded = self.batch.shown is None and self.batch.judged is None
        return grades if padded else _where(self.known, grades, 0.0)

    @property
    def score(self) -> Array:
        """Their scores."""
        return _where(self.known, self.ordered_score, 0.0)

    @property
    def scores(self) -> Array:
        """The scores of all documents of the list."""
        return _where(self.in_list, self.ordered_score, math.nan)

    @made_once
    def ties(self) -> tuple[Array, Array]:
        """First and last rank of the tie group of each place."""
        xp, score = self.xp, taken(self.batch.scores, self.order)
        place = self.place + xp.zeros_like(self.grade)
        same = (score[..., 1:] == score[..., :-1]) & (place[..., 1:] < math.inf)
        new = place[..., :1] > 0
        first = xp.where(xp.concat([new, ~same], axis=-1), place, xp.zeros_like(place))
        last = xp.where(xp.concat([~same, new], axis=-1), place, xp.full_like(place, math.inf))
        return largest_so_far(first), -xp.flip(largest_so_far(-xp.flip(last, axis=-1)), axis=-1)

    @property
    def tie_first(self) -> Array:
        """First rank of each judged document's tie group."""
        return _where(self.known, self.ties[0], math.inf)

    @property
    def tie_last(self) -> Array:
        """Last rank of each judged document's tie group."""
        return _where(self.known, self.ties[1], math.inf)

    @property
    def pooled(self) -> Array:
        """Nothing here is pooled and not judged."""
        return self.batch.grades[..., :0]

    @made_once
    def retrieved(self) -> Array:
        """Number of documents in each list."""
        return self._number(self.listed)

    @made_once
    def judged(self) -> Array:
        """Number of judged documents, in the list or not."""
        return self._number(_both(self.batch.real, self.batch.judged))

    @made_once
    def missed(self) -> Array:
        """Grades of the judged documents that the list lacks, largest first; padding -1."""
        if self.batch.shown is None:
            return self.batch.grades[..., :0]
        lacking = _both(_both(self.batch.real, self.batch.judged), ~self.batch.shown)
        return best(_where(lacking, self.batch.grades, -1.0), None)

    @made_once
    def unusable(self) -> Array:
        """Lists with a score that is no number, or a grade that is none or below 0."""
        xp = self.xp
        grades = _where(self.batch.judged, self.batch.grades, 0.0)
        return xp.isnan(self._highest) | ~(xp.min(grades, axis=-1) >= 0)

    @property
    def _highest(self) -> Array:
        """The highest score of each list, NaN where any score is."""
        if self.listed is None and is_torch_array(self.batch.scores):  # it puts NaN first
            return taken(self.batch.scores, self.order[..., :1])[..., 0]
        return self.xp.max(_where(self.listed, self.batch.scores, 0.0), axis=-1)

    @made_once
    def top(self) -> Array:
        """The largest grade judged."""
        return self.xp.max(_where(self.batch.judged, self.batch.grades, 0.0), axis=-1)

    def base(self, of: int | str) -> Array:
        """Grades of the judged documents: `of` says how many of the best, or in which order."""
        grades = _where(self.batch.judged, self.batch.grades, 0.0)
        return grades if of == "any" else best(grades, None if isinstance(of, str) else of)

    def ranking(self, names: set[str], needs: Traits) -> Ranking:
        """The fields that a measure asks for, to the rank that matters to it."""
        fields = {name: getattr(self, name) for name in names - {"base"}}
        along = names & ALONG
        if needs.dense and self.batch.judged is not None:
            together = self.xp.argsort(self.rank, axis=-1, stable=True)
            fields |= {name: taken(fields[name], together) for name in along}
        if needs.depth is not None:
            depth = min(needs.depth, self.order.shape[-1])
            fields |= {name: fields[name][..., :depth] for name in along}
        if "base" in names:
            fields["base"] = self.base(needs.base)
        return Ranking(**(dict.fromkeys(("grade", "rank", "base", "judged", "retrieved")) | fields))

    def _number(self, which: Array | None) -> Array:
        xp, grades = self.xp, self.batch.grades
        if which is None:
            return xp.full(
                grades.shape[:-1], grades.shape[-1], dtype=grades.dtype, device=grades.device
            )
        return xp.sum(xp.astype(which, grades.dtype), axis=-1)


def largest_so_far(values: Array) -> Array:
    """The largest value up to each place, by doubling: the standard has no such function."""
    xp, step = array_namespace(values), 1
    while step < values.shape[-1]:
        later = xp.maximum(values[..., step:], values[..., :-step])
        values = xp.concat([values[..., :step], later], axis=-1)
        step *= 2
    return values


def _where(mask: Array | None, values: Array, padding: float) -> Array:
    if mask is None:
        return values
    xp = array_namespace(values)
    return xp.where(mask, values, xp.full_like(values, padding))


def _both(one: Array | None, other: Array | None) -> Array | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other
