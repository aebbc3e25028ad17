"""Which properties a measure has, and where it lacks one, the smallest two lists that show it.

* Zhou & Yao 2010, section 4, https://doi.org/10.1007/s10844-009-0096-5: a, b and c.
* Moffat 2013, https://doi.org/10.1007/978-3-642-45068-6_1: seven numeric properties.
* Ferrante, Ferro & Maistro 2015, https://doi.org/10.1145/2808194.2809452: swap and replacement.

Every list of every topic with up to so many judged documents is looked at, smallest first. A `yes`
is not a proof: it says that none of these lists is a counter-example.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.judges.tabular import Tabular, page
from assay.measures.measure import Measure, parse, parse_all
from assay.pictured import Pictured
from assay.studies.lists import scorable
from assay.studies.scoring import check_whole
from assay.studies.worlds import FALLS, Listing, Values, World, added, exchanged, patterns, replaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["MEASURES", "PROPERTIES", "AxiomStudy", "Counterexample", "study_axioms"]

MEASURES = ("P@10", "RR", "AP", "nDCG@10", "RBP", "ERR", "Q", "SR", "WAP", "NDPM", "ADM")
PROPERTIES = {
    "a": "order: a better document changes places with a worse one before it: strictly better",
    "b": "the best: a document of the top grade for one of a lower relevant grade: strictly better",
    "c": "any scale: every two levels are told apart, and doubled grades keep lists in order",
    "bounded": "values lie in a range known beforehand",
    "monotone": "one more document at the end is never worse",
    "convergent": "a relevant document from outside for a nonrelevant one: strictly better",
    "top-weighted": "a relevant document for a nonrelevant one before it: strictly better",
    "localised": "only the documents shown count, not those that are missing",
    "complete": "there is a value where no document is relevant",
    "realisable": "the best value can be reached wherever a document is relevant",
    "swap": "a better document for a worse one before it is never worse",
    "replacement": "a better document from outside for one of the list is never worse",
}
NEAR = 1e-9
UNDEFINED = "undefined"


@dataclass(frozen=True)
class Counterexample:
    """Two lists that show that a measure lacks a property."""

    measure: Measure
    name: str  # of the property
    first: Listing
    value: float
    second: Listing
    other: float
    what: str

    def __str__(self) -> str:
        return (
            f"{self.measure}, {self.name}: {self.first} = {_shown(self.value)}, {self.second} = "
            f"{_shown(self.other)}: {self.what}"
        )


@dataclass(frozen=True, eq=False)
class AxiomStudy(Pictured):
    """Measures by properties, and a smallest counter-example for each that is lacking."""

    measures: tuple[Measure, ...]
    examples: tuple[Counterexample, ...]
    lists: int  # looked at for a measure
    documents: int
    notes: tuple[str, ...] = ()
    title = "axioms"
    main = ("properties", "counter-examples")

    def holds(self, measure: str | Measure, name: str) -> bool:
        """Whether no counter-example was found."""
        return self.example(measure, name) is None

    def example(self, measure: str | Measure, name: str) -> Counterexample | None:
        """The smallest counter-example to a property, or None."""
        wanted = parse(measure)
        if wanted not in self.measures:
            there = ", ".join(map(str, self.measures))
            raise AssayError(f"no measure {str(wanted)!r} in this study; there are: {there}")
        if name not in PROPERTIES:
            raise AssayError(f"no property {name!r}; there are: {', '.join(PROPERTIES)}")
        found = [each for each in self.examples if (each.measure, each.name) == (wanted, name)]
        return found[0] if found else None

    def verdict(self) -> str:
        """Who has most and fewest properties; who prefers the wrong list; what a yes is worth."""
        counts = {
            measure: sum(self.holds(measure, name) for name in PROPERTIES)
            for measure in self.measures
        }
        most = max(counts, key=lambda each: counts[each])
        few = min(counts, key=lambda each: counts[each])
        text = f"{most} has {counts[most]} of {len(PROPERTIES)} properties"
        said = [
            f"{text}, the most; {few} {counts[few]}, the fewest." if most != few else f"{text}."
        ]
        wrong = [each for each in self.examples if each.what == WRONG]
        if wrong:
            names = list(dict.fromkeys(str(each.measure) for each in wrong))
            first = wrong[0]
            said.append(
                f"{_some(names, 4)} may prefer the worse list, as {first.measure} does: "
                f"{first.first} scores {_shown(first.value)} and {first.second} "
                f"{_shown(first.other)}."
            )
        blind = [
            str(each.measure) for each in self.examples if each.name == "a" and each.what == BLIND
        ]
        if blind:
            said.append(f"Blind to some order of documents: {_some(blind, 12)}.")
        return " ".join(said)

    def table(self) -> object:
        """Properties and counter-examples."""
        return page(self, *self.main)

    def tabulars(self) -> tuple[Tabular, ...]:
        """The table of measures by properties, the counter-examples, what the properties say."""
        rows = tuple(
            (str(measure), *("yes" if self.holds(measure, n) else "no" for n in PROPERTIES))
            for measure in self.measures
        )
        note = (
            f"yes: no counter-example among the {self.lists:,} lists of up to {self.documents} "
            "judged documents, which is no proof; no: see the smallest one below"
        )
        examples = tuple(
            (
                str(each.measure),
                each.name,
                str(each.first),
                _shown(each.value),
                str(each.second),
                _shown(each.other),
                each.what,
            )
            for each in self.examples
        )
        heads = ("measure", "property", "list", "value", "other list", "its value", "what is wrong")
        how = (
            "a list is its documents' grades by rank, with scores in brackets where they count; "
            "after the bar the judged documents that it lacks"
        )
        depth = (
            "from bounded to realisable the cut-off of a measure that has one is the length of the "
            "list, and grades are 0 or the top"
        )
        legend = tuple(PROPERTIES.items())
        return (
            Tabular("properties", "properties", ("measure", *PROPERTIES), rows, (note,)),
            Tabular("counter-examples", "counter-examples", heads, examples, (how, depth)),
            Tabular("legend", "properties", ("property", "says"), legend),
        )


def _shown(value: float) -> str:
    return UNDEFINED if np.isnan(value) else f"{value:.4f}".rstrip("0").rstrip(".")


def _some(names: Sequence[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


# ------------------------------------------------------------------------------------------ study


def study_axioms(
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    documents: int = 5,
    levels: int = 3,
    progress: Callable[[float], None] | None = None,
) -> AxiomStudy:
    """Test measures for the properties of three papers on all small lists, smallest first.

    * documents: judged documents of a topic, at most.
    * levels: relevance levels, from 0; more where a measure's `rel` or gains ask for them.

    A cut-off k is taken as the length of the list in Moffat's properties, where the papers' score
    "at depth k" is meant; his properties are tested on two levels, 0 and the top.

    >>> study_axioms("SR").example("SR", "a").value  # 0 1 and 1 0 score the same
    1.0
    """
    check_whole("documents", documents, 2)
    check_whole("levels", levels, 2)
    named = parse_all(list(MEASURES) if measures is None else measures)
    if documents > MOST_DOCUMENTS or levels > MOST_LEVELS:
        raise AssayError(
            f"{documents} documents on {levels} levels: at most {MOST_DOCUMENTS} and "
            f"{MOST_LEVELS} can be gone through"
        )
    examples: list[Counterexample] = []
    known: dict[int, _Worlds] = {}
    for i, measure in enumerate(named):
        top = _top(measure, levels)
        if top not in known:
            known[top] = _Worlds(documents, top)
        examples += _Tested(measure, top, known[top]).examples()
        if progress:
            progress((i + 1) / len(named))
    lists = sum(1 for worlds in list(known.values())[:1] for world in worlds.graded for _ in world)
    return AxiomStudy(named, tuple(examples), lists, documents)


MOST_DOCUMENTS, MOST_LEVELS = 7, 6


def _top(measure: Measure, levels: int) -> int:
    """The top of the scale on which the measure is tested."""
    given = measure.parameters
    asked = [levels - 1, given.get("rel") or 0, *(given.get("gains") or ())]
    return int(np.ceil(max(float(x) for x in asked if isinstance(x, int | float))))


@dataclass(frozen=True)
class _Worlds:
    graded: tuple[World, ...]
    doubled: tuple[World, ...]  # the same with grades 0, 2, 4, ...
    binary: tuple[World, ...]

    def __init__(self, documents: int, top: int) -> None:
        sizes = range(1, documents + 1)
        levels = [float(level) for level in range(top + 1)]
        few = [n for n in sizes if n <= FEW]
        graded = tuple(World(n, levels) for n in sizes)
        object.__setattr__(self, "graded", graded)
        object.__setattr__(self, "doubled", tuple(World(n, [2 * x for x in levels]) for n in few))
        object.__setattr__(self, "binary", tuple(World(n, (0.0, float(top))) for n in sizes))


FEW = 3  # judged documents of topics whose lists are all compared with one another
BLIND = "equal, though the second list is better"
WRONG = "the second list is better, and scores worse"
Found = tuple[Listing, float, Listing, float, str]


class _Tested:
    """One measure with its values on all lists."""

    def __init__(self, measure: Measure, top: int, worlds: _Worlds) -> None:
        self.measure, self.top, self.worlds = measure, top, worlds
        self.sign = 1 if measure.definition.higher_is_better else -1
        self.is_cut = measure.at is not None and measure.definition.cutoff != "recall level"
        scorable(measure)
        self.graded = self._values(worlds.graded, self._fixed(float(top)))
        self.binary = self._values(worlds.binary, self._at_length)

    def _values(
        self, worlds: Sequence[World], measure_at: Callable[[int], Measure | None]
    ) -> Values:
        found: Values = {}
        for world in worlds:
            found |= world.values(measure_at)
        return found

    def _fixed(self, top: float) -> Callable[[int], Measure | None]:
        """The measure itself, on lists within its cut-off."""
        whole = scorable(self.measure, top)
        return lambda length: whole if not self.is_cut or length <= self.measure.k else None

    def _at_length(self, length: int) -> Measure | None:
        """The measure with the length of the list for its cut-off, where it has one."""
        whole = scorable(self.measure, float(self.top))
        if not self.is_cut:
            return whole
        return whole @ length if length else None

    def examples(self) -> Iterator[Counterexample]:
        """A smallest counter-example for each property that is lacking."""
        tests: dict[str, Callable[[], Found | None]] = {
            "a": lambda: self._better(self.graded, exchanged, strict=True, any_scores=True),
            "b": lambda: self._better(self.graded, self._the_best, strict=True),
            "c": self._any_scale,
            "bounded": self._bounded,
            "monotone": self._monotone,
            "convergent": lambda: self._better(self.binary, _replaced, strict=True),
            "top-weighted": lambda: self._better(self.binary, exchanged, strict=True),
            "localised": self._localised,
            "complete": self._complete,
            "realisable": self._realisable,
            "swap": lambda: self._better(self.graded, exchanged, strict=False),
            "replacement": lambda: self._better(self.graded, _replaced, strict=False),
        }
        for name in PROPERTIES:
            found = tests[name]()
            if found is not None:
                yield Counterexample(self.measure, name, *found)

    # ------------------------------------------------------------------------- order and exchange

    def _at(self, listing: Listing, pattern: int) -> Listing:
        """The list with its scores, where they count."""
        scores = patterns(self.measure, len(listing.grades))
        return Listing(listing.grades, listing.missed, scores[pattern]) if scores else listing

    def _gain(self, x: float, y: float) -> int:
        """1 where y is better than x, -1 where it is worse, 0 where they are equal or undefined."""
        near = NEAR * max(1.0, abs(x), abs(y))
        gain = self.sign * (y - x)
        return 1 if gain > near else -1 if gain < -near else 0

    def _better(
        self,
        values: Values,
        changed: Callable[[Listing], Iterator[Listing]],
        *,
        strict: bool,
        any_scores: bool = False,
    ) -> Found | None:
        """A list that a change for the better makes worse, or else leaves equal.

        The changed list keeps the scores by rank, or has any.
        """
        equal: Found | None = None
        for listing, mine in values.items():
            for new in changed(listing):
                theirs = values.get(new)
                if theirs is None:
                    continue
                i, j = self._furthest(mine, theirs, any_scores=any_scores)
                x, y = mine[i], theirs[j]
                if np.isnan(x) or np.isnan(y):
                    continue
                gain = self._gain(x, y)
                if gain < 0:
                    return self._at(listing, i), x, self._at(new, j), y, WRONG
                if strict and equal is None and gain == 0:
                    equal = self._at(listing, i), x, self._at(new, j), y, BLIND
        return equal

    def _furthest(
        self, mine: tuple[float, ...], theirs: tuple[float, ...], *, any_scores: bool
    ) -> tuple[int, int]:
        """The scores with which the change for the better does worst."""
        if len(mine) == 1:
            return 0, 0
        ours, others = self.sign * np.array(mine), self.sign * np.array(theirs)
        if any_scores:
            return int(np.argmax(ours)), int(np.argmin(others))
        worst = int(np.argmin(others - ours))
        return worst, worst

    def _the_best(self, listing: Listing) -> Iterator[Listing]:
        """The list with a document of the top grade for one of a lower relevant grade."""
        for old, new, other in replaced(listing):
            if old > 0 and new == self.top:
                yield other

    # ------------------------------------------------------------------------------------- scales

    def _any_scale(self) -> Found | None:
        return self._untold() or self._turned_by_doubling()

    def _untold(self) -> Found | None:
        """Two levels that make no difference in any list."""
        first: dict[tuple[float, float], Found] = {}
        told: set[tuple[float, float]] = set()
        for listing, mine in self.graded.items():
            for low, high, other in replaced(listing):
                x, y = mine[0], self.graded[other][0]
                if self._gain(x, y) != 0:
                    told.add((low, high))
                elif not np.isnan(x):
                    what = f"grades {low:g} and {high:g} are never told apart"
                    found = self._at(listing, 0), x, self._at(other, 0), y, what
                    first.setdefault((low, high), found)
        return next((found for pair, found in sorted(first.items()) if pair not in told), None)

    def _turned_by_doubling(self) -> Found | None:
        """Two lists of a topic that change order when every grade is doubled."""
        doubled = self._values(self.worlds.doubled, self._fixed(2.0 * self.top))
        topics: dict[Any, list[Listing]] = {}
        for listing in self.graded:
            if listing.judged <= FEW:
                topics.setdefault(listing.topic, []).append(listing)
        for lists in topics.values():
            plain = np.array([self.graded[each][0] for each in lists])
            twice = np.array([doubled[_doubled(each)][0] for each in lists])
            if np.isnan(plain).any() or np.isnan(twice).any():
                continue
            before, after = plain[:, None] - plain, twice[:, None] - twice
            turned = np.argwhere((before > NEAR) & (after < -NEAR))
            if len(turned):
                i, j = turned[0].tolist()
                what = (
                    f"with all grades doubled {_shown(float(twice[i]))} and "
                    f"{_shown(float(twice[j]))}, the other way round"
                )
                one, other = self._at(lists[i], 0), self._at(lists[j], 0)
                return one, float(plain[i]), other, float(plain[j]), what
        return None

    # ------------------------------------------------------------------------------- Moffat's own

    def _bounded(self) -> Found | None:
        definition = self.measure.definition
        low, high = definition.low, definition.high
        for listing, mine in self.graded.items():
            for i, x in enumerate(mine):
                if x < low - NEAR or x > high + NEAR:
                    at = self._at(listing, i)
                    return at, x, at, x, f"outside {low:g} to {high:g}"
        if np.isfinite([low, high]).all():
            return None
        end = 1 if np.isinf(high) else -1
        most: dict[int, tuple[float, Listing]] = {}
        for listing, mine in self.graded.items():
            x, size = end * mine[0], listing.judged
            if not np.isnan(x) and (size not in most or x > most[size][0]):
                most[size] = x, self._at(listing, 0)
        if not most:
            return None
        (x, small), (y, large) = most[min(most)], most[max(most)]
        return small, end * x, large, end * y, "with more documents it goes on, without a bound"

    def _monotone(self) -> Found | None:
        for listing, mine in self.binary.items():
            for new in added(listing):
                theirs = self.binary.get(new, ())
                for j, y in enumerate(theirs):
                    i = min(j // len(FALLS), len(mine) - 1)
                    if not np.isnan([mine[i], y]).any() and self._gain(mine[i], y) < 0:
                        what = "one more document made it worse"
                        return self._at(listing, i), mine[i], self._at(new, j), y, what
        return None

    def _localised(self) -> Found | None:
        seen: dict[Any, Listing] = {}
        for listing, mine in self.binary.items():
            if np.isnan(mine[0]):
                continue
            first = seen.setdefault(listing.grades, listing)
            x, y = self.binary[first][0], mine[0]
            if self._gain(x, y) != 0:
                what = "the same list, other documents missing"
                return self._at(first, 0), x, self._at(listing, 0), y, what
        return None

    def _complete(self) -> Found | None:
        for listing, mine in self.binary.items():
            if any(listing.topic) or not listing.grades or not np.isnan(mine[0]):
                continue
            for other, values in self.binary.items():
                if other.grades and not np.isnan(values[0]):
                    what = "no value, for want of a relevant document"
                    one, two = self._at(listing, 0), self._at(other, 0)
                    return one, mine[0], two, values[0], what
        return None

    def _realisable(self) -> Found | None:
        definition = self.measure.definition
        goal = definition.high if self.sign > 0 else definition.low
        reached: dict[Any, tuple[float, Listing]] = {}
        for listing, mine in self.binary.items():
            if not any(listing.topic) or np.isnan(mine).all():
                continue
            key = (listing.topic, len(listing.grades) if self.is_cut else 0)
            i = int(np.nanargmax(self.sign * np.array(mine)))
            if key not in reached or self._gain(reached[key][0], mine[i]) > 0:
                reached[key] = mine[i], self._at(listing, i)
        everywhere = max(reached.values(), key=lambda each: self.sign * each[0], default=None)
        for x, at in reached.values():
            if not abs(x - goal) <= NEAR and everywhere is not None:
                what = f"its best list does not reach {goal:g}"
                return at, x, everywhere[1], everywhere[0], what
        return None


def _replaced(listing: Listing) -> Iterator[Listing]:
    """The list with a document exchanged for a better one that it lacks."""
    for _, _, other in replaced(listing):
        yield other


def _doubled(listing: Listing) -> Listing:
    return Listing(
        tuple(2 * grade for grade in listing.grades), tuple(2 * grade for grade in listing.missed)
    )
