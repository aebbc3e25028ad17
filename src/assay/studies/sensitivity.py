"""Whether a measure's values depend on how many relevance levels the judgments have.

After Scheel, Lommatzsch & Albayrak 2011, https://ceur-ws.org/Vol-781/paper7.pdf, section 2.1: a
list of items in the ideal order, of which more and more random pairs change places, graded on
scales of different sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.align import CELLS
from assay.errors import AssayError
from assay.judges.tabular import Array, Tabular, page
from assay.measures.measure import Measure, parse, parse_all
from assay.pictured import Pictured
from assay.studies.lists import PAIRS, listed, scorable, values_of, width_of
from assay.studies.scoring import check_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["DISTRIBUTIONS", "MEASURES", "SensitivityStudy", "study_sensitivity"]

MEASURES = ("nDCG(gain='exp')@100", "muAP", "NDCNG@100")  # the paper's own
DISTRIBUTIONS = ("uniform", "skewed")
CONCENTRATION = 0.5  # of the Dirichlet distribution that skewed level probabilities come from
TOLERANCE = 0.05
ALPHA = 0.05


@dataclass(frozen=True)
class Dependence:
    """One measure under one distribution of grades, after all swaps."""

    measure: Measure
    distribution: str
    means: tuple[float, ...]  # one for each number of levels
    spread: float  # largest less smallest
    error: float  # half the 95 % interval of that difference, over repeats
    rest: float  # the spread without the fewest levels
    depends: str  # "yes", "no", or with how many levels alone
    undefined: int


@dataclass(frozen=True, eq=False)
class SensitivityStudy(Pictured):
    """Means over repeats for each number of swaps, on scales of different sizes."""

    measures: tuple[Measure, ...]
    distributions: tuple[str, ...]
    levels: tuple[int, ...]
    items: int
    swaps: int
    repeats: int
    tolerance: float
    curves: Array  # [measure, distribution, levels, number of swaps] means over repeats
    deviations: Array  # and standard deviations
    found: tuple[Dependence, ...]
    notes: tuple[str, ...] = ()
    title = "sensitivity"
    main = ("sensitivity",)

    def curve(self, measure: str | Measure, levels: int, distribution: str = "uniform") -> Array:
        """The mean after 0, 1, 2, ... swaps."""
        wanted = parse(measure)
        for what, name, names in (
            ("measure", wanted, self.measures),
            ("distribution", distribution, self.distributions),
            ("number of levels", levels, self.levels),
        ):
            if name not in names:
                there = ", ".join(map(str, names))
                raise AssayError(f"no {what} {name!r} in this study; there are: {there}")
        found: Array = self.curves[
            self.measures.index(wanted),
            self.distributions.index(distribution),
            self.levels.index(levels),
        ]
        return found

    def verdict(self) -> str:
        """Which measures depend on the number of levels, for each distribution."""
        return " ".join(self._sentence(name) for name in self.distributions)

    def _sentence(self, distribution: str) -> str:
        mine = [each for each in self.found if each.distribution == distribution]
        yes = [self._moves(each) for each in mine if each.depends == "yes"]
        few = [str(each.measure) for each in mine if each.depends not in ("yes", "no")]
        no = [str(each.measure) for each in mine if each.depends == "no"]
        said = []
        if yes:
            verb = "depends" if len(yes) == 1 else "depend"
            said.append(f"{_listed(yes)} {verb} on the number of levels")
        if few:
            verb = "differs" if len(few) == 1 else "differ"
            said.append(f"{_listed(few)} {verb} with {min(self.levels)} levels alone")
        if no:
            verb = "does" if len(no) == 1 else "do"
            said.append(
                f"{_listed(no)} {verb} not depend on it (spread at most {self.tolerance:g})"
            )
        return f"With {distribution} grades and {self.swaps} swaps " + "; ".join(said) + "."

    def _moves(self, each: Dependence) -> str:
        one, other = sorted((int(np.nanargmin(each.means)), int(np.nanargmax(each.means))))
        return (
            f"{each.measure} ({each.means[one]:.2f} with {self.levels[one]} levels, "
            f"{each.means[other]:.2f} with {self.levels[other]})"
        )

    def table(self) -> object:
        """The main table; `.tabulars()` has all."""
        return page(self, *self.main)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Values after all swaps by number of levels, and the curves."""
        return self._last(), self._curves()

    def _last(self) -> Tabular:
        rows = tuple(
            (
                str(each.measure),
                each.distribution,
                *each.means,
                each.spread,
                each.error,
                each.rest,
                each.depends,
            )
            for each in self.found
        )
        fewest = min(self.levels)
        heads = (
            *("measure", "grades"),
            *(f"{many} levels" for many in self.levels),
            *("spread", "+-", f"without {fewest}", "depends"),
        )
        made = (
            f"mean over {self.repeats} lists of {self.items} items after {self.swaps} random swaps "
            "of two items in the ideal order; the same swaps for every number of levels"
        )
        skewed = (
            f"skewed: level probabilities drawn anew for each list, from a Dirichlet distribution "
            f"({CONCENTRATION:g})"
        )
        rule = (
            f"depends: spread above {self.tolerance:g} of the measure's range and beyond chance; "
            f"'with {fewest}' where that is so with {fewest} levels alone"
        )
        notes = (made, *([skewed] if "skewed" in self.distributions else []), rule)
        return Tabular("sensitivity", "sensitivity", heads, rows, notes)

    def _curves(self) -> Tabular:
        rows = tuple(
            (
                str(measure),
                distribution,
                many,
                swapped,
                float(self.curves[m, d, level, swapped]),
                float(self.deviations[m, d, level, swapped]),
            )
            for m, measure in enumerate(self.measures)
            for d, distribution in enumerate(self.distributions)
            for level, many in enumerate(self.levels)
            for swapped in range(self.swaps + 1)
        )
        heads = ("measure", "grades", "levels", "swaps", "value", "deviation")
        return Tabular("curves", "curves", heads, rows)


def _listed(words: Sequence[str]) -> str:
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def study_sensitivity(
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    levels: Sequence[int] = (2, 10, 20, 50),
    items: int = 100,
    swaps: int = 99,
    repeats: int = 100,
    distributions: str | Sequence[str] = DISTRIBUTIONS,
    tolerance: float = TOLERANCE,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> SensitivityStudy:
    """How measures fall as pairs of an ideal list change places, on scales of different sizes.

    * levels: how many relevance levels there are, each number one scale from 0 upwards.
    * distributions: `"uniform"`, as many items on each level as can be; `"skewed"`, probabilities
      of the levels drawn at random, so that some levels hold hardly an item.
    * tolerance: spread between the scales, as a share of the measure's range, that is put up with.
    """
    chosen = (distributions,) if isinstance(distributions, str) else tuple(distributions)
    many = tuple(sorted(set(levels)))
    _check(chosen, many, items=items, swaps=swaps, repeats=repeats, seed=seed, tolerance=tolerance)
    named = parse_all(list(MEASURES) if measures is None else measures)
    for measure in named:
        scorable(measure)
    made = _Collection(items, swaps, repeats, seed)
    values = made.values(named, chosen, many, progress or (lambda _: None))
    with np.errstate(invalid="ignore"):
        known = (~np.isnan(values)).sum(axis=3)
        means = np.nansum(values, axis=3) / np.where(known, known, np.nan)
        gaps = np.nan_to_num(values - means[..., None, :])
        deviations = np.sqrt((gaps**2).sum(axis=3) / np.where(known > 1, known - 1, np.nan))
    found = tuple(
        _dependence(measure, distribution, many, values[m, d], tolerance)
        for m, measure in enumerate(named)
        for d, distribution in enumerate(chosen)
    )
    return SensitivityStudy(
        named,
        chosen,
        many,
        items,
        swaps,
        repeats,
        tolerance,
        means,
        deviations,
        found,
        tuple(_undefined(found, repeats * len(many))),
    )


def _check(
    distributions: Sequence[str], levels: Sequence[int], *, seed: Any, tolerance: Any, **sizes: Any
) -> None:
    """Refuse settings of which no collection can be made."""
    for name in distributions:
        if name not in DISTRIBUTIONS:
            raise AssayError(
                f"distribution {name!r}: must be one of {', '.join(map(repr, DISTRIBUTIONS))}"
            )
    for each in levels:
        check_whole("levels", each, 2)
    if len(levels) < 2:
        raise AssayError(f"levels={tuple(levels)!r}: at least two scales are compared")
    for name, least in (("items", 2), ("swaps", 1), ("repeats", 2)):
        check_whole(name, sizes[name], least)
    check_whole("seed", seed, 0)
    if not 0 < tolerance < 1:
        raise AssayError(f"tolerance={tolerance!r}: must lie between 0 and 1")


def _undefined(found: Sequence[Dependence], lists: int) -> list[str]:
    return [
        f"{each.measure}, {each.distribution}: undefined on {each.undefined} of {lists} lists, "
        f"left out ({each.measure.definition.undefined or 'the formula divides by nothing'})"
        for each in found
        if each.undefined
    ]


class _Collection:
    """The artificial collection: every repeat has a seed of its own."""

    def __init__(self, items: int, swaps: int, repeats: int, seed: int) -> None:
        self.items, self.swaps, self.repeats, self.seed = items, swaps, repeats, seed

    def values(
        self,
        measures: Sequence[Measure],
        distributions: Sequence[str],
        levels: Sequence[int],
        progress: Callable[[float], None],
    ) -> Array:
        """Values of all lists: [measure, distribution, levels, repeat, number of swaps]."""
        shape = (len(measures), len(distributions), len(levels), self.repeats, self.swaps + 1)
        values = np.full(shape, np.nan)
        block = max(1, CELLS // ((self.swaps + 1) * self.items))
        for begin in range(0, self.repeats, block):
            end = min(begin + block, self.repeats)
            order = self.orders(begin, end)
            for d, distribution in enumerate(distributions):
                for level, size in enumerate(levels):
                    grade = self.grades(distribution, size, begin, end)
                    lists = np.take_along_axis(grade[:, None, :], order, axis=-1)
                    for m, measure in enumerate(measures):
                        one = scorable(measure, float(size - 1))
                        values[m, d, level, begin:end] = _scored(one, lists)
            progress(end / self.repeats)
        return values

    def orders(self, begin: int, end: int) -> Array:
        """Which item of the ideal order stands at each rank: [repeat, number of swaps, rank]."""
        found = np.empty((end - begin, self.swaps + 1, self.items), dtype=np.int64)
        found[:, 0] = np.arange(self.items)
        pairs = np.stack([self._pairs(repeat) for repeat in range(begin, end)])
        rows = np.arange(end - begin)
        for s in range(self.swaps):
            one, other = pairs[:, s, 0], pairs[:, s, 1]
            now = found[:, s].copy()
            now[rows, one], now[rows, other] = found[rows, s, other], found[rows, s, one]
            found[:, s + 1] = now
        return found

    def _pairs(self, repeat: int) -> Array:
        """Two different ranks for each swap."""
        rng = np.random.default_rng([self.seed, 0, repeat])
        one = rng.integers(0, self.items, self.swaps)
        step = rng.integers(1, self.items, self.swaps)
        return np.stack([one, (one + step) % self.items], axis=-1)

    def grades(self, distribution: str, levels: int, begin: int, end: int) -> Array:
        """Grades of the items in the ideal order: [repeat, item]."""
        if distribution == "uniform":
            grade = levels - 1 - np.arange(self.items) * levels // self.items
            return np.broadcast_to(grade.astype(np.float64), (end - begin, self.items))
        return np.stack([self._skewed(levels, repeat) for repeat in range(begin, end)])

    def _skewed(self, levels: int, repeat: int) -> Array:
        rng = np.random.default_rng([self.seed, 1, levels, repeat])
        chance = rng.dirichlet(np.full(levels, CONCENTRATION))
        counts = rng.multinomial(self.items, chance)
        return np.repeat(np.arange(levels - 1.0, -1, -1), counts[::-1])


def _scored(measure: Measure, grade: Array) -> Array:
    """The measure's values of lists in which every document is judged: [..., item] to [...]."""
    lead, n = grade.shape[:-1], grade.shape[-1]
    flat = grade.reshape(-1, n)
    rows = max(1, 4 * CELLS // width_of(measure, n))
    pairs = any(name in PAIRS for name in measure.definition.fields)
    out = np.empty(len(flat))
    for begin in range(0, len(flat), rows):
        part = flat[begin : begin + rows]
        out[begin : begin + rows] = values_of(measure, listed(part, pairs=pairs))
    return out.reshape(lead)


def _dependence(
    measure: Measure, distribution: str, levels: tuple[int, ...], values: Array, tolerance: float
) -> Dependence:
    """What the number of levels does after all swaps: values[levels, repeat, swap]."""
    last = values[:, :, -1]
    means = np.array([_mean(row) for row in last])
    definition = measure.definition
    span = definition.high - definition.low
    if not np.isfinite(span):
        span = float(np.nanmax(np.abs([_mean(row) for row in values[:, :, 0]])))
    spread = float(np.nanmax(means) - np.nanmin(means))
    error = _half_width(last, int(np.nanargmin(means)), int(np.nanargmax(means)))
    rest = float(np.nanmax(means[1:]) - np.nanmin(means[1:]))
    depends = "no"
    if spread > tolerance * span and spread > error:
        depends = "yes" if rest > tolerance * span or len(levels) == 2 else f"with {levels[0]}"
    undefined = int(np.isnan(last).sum())
    return Dependence(
        measure, distribution, tuple(map(float, means)), spread, error, rest, depends, undefined
    )


def _mean(x: Array) -> float:
    known = x[~np.isnan(x)]
    return float(known.mean()) if len(known) else np.nan


def _half_width(last: Array, low: int, high: int) -> float:
    """Half the interval of the difference of two scales, at 5 % over all pairs of scales."""
    from scipy.special import stdtrit

    gap = last[high] - last[low]
    gap = gap[~np.isnan(gap)]
    if len(gap) < 2:
        return np.nan
    pairs = len(list(combinations(range(len(last)), 2)))
    at = float(stdtrit(len(gap) - 1, 1 - ALPHA / pairs / 2))
    return at * float(gap.std(ddof=1)) / float(np.sqrt(len(gap)))
