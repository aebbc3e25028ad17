"""Which measures rank runs alike, and how surely each tells them apart.

After Imafouo & Tannier 2005: Kendall's tau between the rankings of systems by two measures, for
every two measures, signs kept where lower is better. Beside it the discriminative power of each
measure (randomised Tukey HSD) and its swap rate (Voorhees & Buckley 2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.comparison import check_alpha, check_resampling
from assay.errors import AssayError
from assay.judges.coefficients import tau_b
from assay.judges.jackknife import around
from assay.judges.tabular import Array, Tabular, page
from assay.measures.measure import Measure, parse, parse_all
from assay.pictured import Pictured
from assay.stats.arrays import steady
from assay.stats.many import randomized_tukey_hsd
from assay.stats.swaps import BINS, Swaps, swaps
from assay.studies.scoring import Scored, check_whole, pairs_of, scored, share_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["GRID_COLUMNS", "GRID_ROWS", "MeasureStudy", "Power", "grid", "study_measures"]

GRID_ROWS = ("RSVr1", "RSVe1", "RSVr2", "RSVe2", "RSVr3")
GRID_COLUMNS = (
    *("IPrec@0.0", "IPrec@0.1", "IPrec@0.2", "IPrec@1.0"),
    *("AP", "P@5", "P@10", "P@100", "P@1000"),
)
DEPTH = 1000  # documents of a list that the grid's measures on scores look at
SWAPPED = 0.05  # share of swaps that a difference may have and still be trusted
OPPOSITES = {"RSVr3": "RSVe1", "RSVr2": "RSVe2"}  # r + e is 1 on every list
NOT_VALID = (
    "Discriminative is not valid: the number of vowels in a run's name would tell every two runs "
    "apart without an error, and means nothing."
)


def grid(depth: int = DEPTH) -> tuple[str, ...]:
    """The measures of Imafouo & Tannier's table: five on scores, nine on ranks.

    n is the number of documents considered: the first `depth` of the list, or all where it is
    shorter, so that r3 = 1 - e1 and r2 = 1 - e2 on every list.
    """
    return (*(f"{name}(short='retrieved')@{depth}" for name in GRID_ROWS), *GRID_COLUMNS)


@dataclass(frozen=True)
class Power:
    """How surely one measure tells runs apart."""

    measure: Measure
    pairs: int
    significant: int
    least: float  # the difference from which on the test finds one
    swaps: Swaps

    @property
    def share(self) -> float:
        """Discriminative power: the share of pairs of runs that the test tells apart."""
        return share_of(self.significant, self.pairs)


@dataclass(frozen=True, eq=False)
class MeasureStudy(Pictured):
    """Taus between measures, and the discriminative power and swap rate of each."""

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    means: Array  # [run, measure]
    tau: Array  # [measure, measure]
    low: Array  # bounds of its 95 % interval over topics
    high: Array
    power: tuple[Power, ...]
    alpha: float
    resamples: int
    draws: int
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    title = "measures"

    @property
    def main(self) -> tuple[str, ...]:
        """The tables that are shown unasked: the paper's own where its grid is there."""
        return ("grid" if self._grid() else "tau", "power", "identities")

    def of(self, measure: str | Measure, other: str | Measure) -> float:
        """Tau of one measure with another."""
        return float(self.tau[self._at(measure), self._at(other)])

    def _at(self, name: str | Measure) -> int:
        wanted = parse(name)
        if wanted not in self.measures:
            there = ", ".join(map(str, self.measures))
            raise AssayError(f"no measure {str(wanted)!r} in this study; there are: {there}")
        return self.measures.index(wanted)

    # --------------------------------------------------------------------------------- identities

    def identities(self) -> tuple[tuple[str, str, float], ...]:
        """Give r and e that add up to 1 on every list, and the largest |tau(r, X) + tau(e, X)|."""
        return tuple(
            (str(self.measures[r]), str(self.measures[e]), self._distance(r, e))
            for r, e in self._opposites()
        )

    def _opposites(self) -> Iterator[tuple[int, int]]:
        for r, measure in enumerate(self.measures):
            name = OPPOSITES.get(measure.name)
            for e, other in enumerate(self.measures):
                same = (other.settings, other.at, other.unjudged) == (
                    measure.settings,
                    measure.at,
                    measure.unjudged,
                )
                if other.name == name and same:
                    yield r, e

    def _distance(self, r: int, e: int) -> float:
        gap = np.abs(self.tau[r] + self.tau[e])
        return float(np.nanmax(gap)) if not np.isnan(gap).all() else np.nan

    # --------------------------------------------------------------------------------- in words

    def verdict(self) -> str:
        """Which measures agree, which tell most runs apart, and what that does not say."""
        best = max(self.power, key=lambda each: each.share)
        worst = min(self.power, key=lambda each: each.share)
        pairs = best.pairs
        said = [self._agreement()] if len(self.measures) > 1 else []
        text = (
            f"{best.measure} tells {best.share:.0%} of the {pairs:,} pairs of runs apart"
            f" (randomised Tukey HSD, alpha {self.alpha:g})"
        )
        if len(self.measures) > 1:
            text += f", the most; {worst.measure} {worst.share:.0%}, the least"
        said += [f"{text}.", NOT_VALID]
        broken = [(r, e) for r, e, gap in self.identities() if not gap <= 1e-9]
        if broken:
            r, e = broken[0]
            said.append(f"{r} and {e} should rank runs in opposite order and do not.")
        return " ".join(said)

    def _agreement(self) -> str:
        first, second = np.array(self._compared()).T
        size = np.abs(self.tau[first, second])
        if np.isnan(size).all():
            return "No two measures can be compared: by all but one the means are equal."
        most, least = int(np.nanargmax(size)), int(np.nanargmin(size))

        def named(i: int) -> str:
            a, b = self.measures[first[i]], self.measures[second[i]]
            return f"{a} and {b} (tau {self.tau[first[i], second[i]]:.2f})"

        where = f"Over {len(self.topics)} topics and {len(self.runs)} runs"
        if most == least:
            return f"{where} the tau of {named(most).replace(' (tau', ' is').rstrip(')')}."
        return f"{where} {named(most)} rank runs most nearly as one, {named(least)} least."

    # --------------------------------------------------------------------------------- as tables

    def table(self) -> object:
        """The main tables; `.tabulars()` has all."""
        return page(self, *self.main)

    def tabulars(self) -> tuple[Tabular, ...]:
        """The paper's grid where it is there, all taus, intervals, power, swaps, identities."""
        return (
            *self._grid(),
            self._matrix("tau", "tau", range(len(self.measures)), range(len(self.measures))),
            self._intervals(),
            self._powers(),
            self._bins(),
            *self._checked(),
            self._means(),
        )

    def _grid(self) -> tuple[Tabular, ...]:
        rows, columns = self._sides()
        return (self._matrix("grid", "tau", rows, columns),) if rows and columns else ()

    def _sides(self) -> tuple[list[int], list[int]]:
        """Measures on scores, and the others."""
        every = range(len(self.measures))
        rows = [i for i in every if self.measures[i].name in GRID_ROWS]
        return rows, [i for i in every if i not in rows]

    def _compared(self) -> list[tuple[int, int]]:
        """The pairs of measures that are asked about: those of the grid, or all."""
        rows, columns = self._sides()
        if rows and columns:
            return [(i, j) for i in rows for j in columns]
        return list(combinations(range(len(self.measures)), 2))

    def _matrix(
        self, name: str, title: str, rows: Sequence[int], columns: Sequence[int]
    ) -> Tabular:
        note = (
            f"Kendall's tau-b between the rankings of {len(self.runs)} runs by the two measures' "
            f"means over {len(self.topics)} topics; signs kept, so that a measure of which lower "
            "is better has them reversed"
        )
        short = _short([self.measures[i] for i in rows])
        return Tabular(
            name,
            title,
            ("measure", *(str(self.measures[j]) for j in columns)),
            tuple(
                (label, *(float(self.tau[i, j]) for j in columns))
                for label, i in zip(short, rows, strict=True)
            ),
            (note, *_shared([self.measures[i] for i in rows])),
        )

    def _intervals(self) -> Tabular:
        first, second = np.triu_indices(len(self.measures), 1)
        rows = tuple(
            (
                str(self.measures[i]),
                str(self.measures[j]),
                float(self.tau[i, j]),
                float(self.low[i, j]),
                float(self.high[i, j]),
            )
            for i, j in zip(first.tolist(), second.tolist(), strict=True)
        )
        heads = ("measure", "other measure", "tau", "low", "high")
        return Tabular(
            "intervals", "tau", heads, rows, ("95 % intervals, leaving out one topic at a time",)
        )

    def _powers(self) -> Tabular:
        rows = []
        for each in self.power:
            needed = each.swaps.needed(SWAPPED) if each.least > 0 else np.nan
            rows.append(
                (
                    str(each.measure),
                    each.pairs,
                    each.significant,
                    each.share,
                    each.least,
                    each.swaps.rate,
                    needed,
                    each.swaps.reached(needed),
                )
            )
        size = self.power[0].swaps.size
        heads = ("measure", "pairs", "apart", "power", "from", "swapped", "safe from", "safe")
        test = (
            "power: share of the pairs of runs that the randomised Tukey HSD test tells apart at "
            f"{self.alpha:g} ({self.resamples:,} permutations), and the difference from which on "
            "it does"
        )
        swapped = (
            f"swapped: share of comparisons that two disjoint sets of {size} topics decide in "
            f"opposite ways ({self.draws:,} draws), safe from the difference from which on at "
            f"most {SWAPPED:.0%} do; all {len(self.topics)} topics swap less often than that"
        )
        valid = "discriminative is not valid: no column says that a measure measures what it should"
        notes = (test, swapped, valid)
        return Tabular("power", "power", heads, tuple(rows), notes)

    def _bins(self) -> Tabular:
        rows = tuple(
            (
                str(each.measure),
                i * each.swaps.width,
                int(each.swaps.compared[i]),
                int(each.swaps.swapped[i]),
                float(each.swaps.rates[i]),
            )
            for each in self.power
            for i in np.flatnonzero(each.swaps.compared).tolist()
        )
        heads = ("measure", "from", "comparisons", "swaps", "rate")
        note = "by the difference on the first set of topics; a row ends where the next begins"
        return Tabular("swaps", "swaps", heads, rows, (note,))

    def _checked(self) -> tuple[Tabular, ...]:
        rows = tuple(
            (f"tau({r}, X) = -tau({e}, X)", len(self.measures), gap, "yes" if gap <= 1e-9 else "no")
            for r, e, gap in self.identities()
        )
        if not rows:
            return ()
        notes = [
            (
                "r + e = 1 on every list of at least n documents, so the two rank runs in opposite "
                "order; Table 1 of the paper breaks both identities"
            )
        ]
        if any(row[-1] == "no" for row in rows):
            notes.append(
                "an identity fails where lists are shorter than n: with short='retrieved' n is the "
                "number retrieved"
            )
        heads = ("identity", "measures X", "largest distance", "holds")
        return (Tabular("identities", "identities", heads, rows, tuple(notes)),)

    def _means(self) -> Tabular:
        rows = tuple((run, *(float(x) for x in self.means[r])) for r, run in enumerate(self.runs))
        return Tabular("means", "means", ("run", *map(str, self.measures)), rows)


def _short(measures: Sequence[Measure]) -> list[str]:
    """Names without the settings and cut-offs where these are the same for all."""
    if len({(each.settings, each.at) for each in measures}) == 1 and len(measures) > 1:
        return [each.name for each in measures]
    return [str(each) for each in measures]


def _shared(measures: Sequence[Measure]) -> tuple[str, ...]:
    """What the short names leave out."""
    if _short(measures) == [str(each) for each in measures]:
        return ()
    rest = str(measures[0]).removeprefix(measures[0].name)
    return (f"{', '.join(each.name for each in measures)}: with {rest}",)


def study_measures(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    alpha: float = 0.05,
    resamples: int = 2_000,
    draws: int = 1000,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
    **policies: Any,
) -> MeasureStudy:
    """How alike measures rank the runs, and how surely each tells them apart.

    * measures: Imafouo & Tannier's grid without a word, `assay.studies.measures.grid()`.
    * alpha, resamples: of the randomised Tukey HSD test behind discriminative power.
    * draws: pairs of disjoint sets of topics behind the swap rates.
    * policies: as for `evaluate`.

    Topics on which a measure has no value are left out for all, so that measures are compared on
    the same ones.
    """
    check_alpha(alpha)
    check_resampling(resamples, seed)
    check_whole("draws", draws)
    tell = progress or (lambda _: None)
    named = parse_all(grid() if measures is None else measures)
    sums = [str(each) for each in named if each.definition.average == "sum"]
    if sums:
        raise AssayError(f"{sums[0]}: a count over all topics, which has no mean to rank runs by")
    found = scored(judgments, runs, named, progress=lambda done: tell(0.4 * done), **policies)
    means = steady(found.values.mean(axis=-1))
    tau, low, high = _taus(found)
    tell(0.5)
    powers = []
    pairs = pairs_of(len(found.runs))
    for m, measure in enumerate(found.measures):
        powers.append(_power(found.values[:, m], measure, pairs, alpha, resamples, draws, seed))
        tell(0.5 + 0.5 * (m + 1) / len(found.measures))
    return MeasureStudy(
        found.measures,
        found.runs,
        found.topics,
        means,
        tau,
        low,
        high,
        tuple(powers),
        alpha,
        resamples,
        draws,
        (*found.notes, *_flat(found.measures, means)),
        found.warnings,
    )


def _flat(measures: Sequence[Measure], means: Array) -> Iterator[str]:
    """Measures that rank no run before another."""
    for m, measure in enumerate(measures):
        if not np.ptp(means[:, m]):
            yield f"{measure}: every run has the mean {means[0, m]:g}, so it ranks none of them"


def _taus(found: Scored) -> tuple[Array, Array, Array]:
    """Tau of every two measures, and the bounds of its interval."""
    x = np.moveaxis(found.values, 1, 0)  # [measure, run, topic]
    many, topics = len(found.measures), x.shape[-1]
    whole = steady(x.mean(axis=-1))
    without = steady((x.sum(axis=-1, keepdims=True) - x) / (topics - 1))
    without = np.moveaxis(without, -1, 0)  # [topic, measure, run]
    tau = tau_b(whole[:, None], whole[None])
    low, high = tau.copy(), tau.copy()
    for i in range(many):
        for j in range(i + 1, many):
            around_it = around(tau[i, j], tau_b(without[:, i], without[:, j]), (-1.0, 1.0))
            low[i, j] = low[j, i] = around_it.low
            high[i, j] = high[j, i] = around_it.high
    return tau, low, high


def _power(
    x: Array, measure: Measure, pairs: Array, alpha: float, resamples: int, draws: int, seed: int
) -> Power:
    outcome = randomized_tukey_hsd(x, pairs, resamples=resamples, seed=seed)
    low, high = outcome.interval(np.full(1, alpha))
    definition, means = measure.definition, steady(x.mean(axis=-1))
    span = definition.high - definition.low
    if not np.isfinite(span):
        top = float(np.abs(means).max())
        span = top if top > 0 else 1.0
    return Power(
        measure,
        len(pairs),
        int((outcome.p <= alpha).sum()),
        float((high - low)[0] / 2) if np.ptp(means) else np.nan,
        swaps(x, pairs, size=x.shape[-1] // 2, width=span / (BINS - 1) / 5, draws=draws, seed=seed),
    )
