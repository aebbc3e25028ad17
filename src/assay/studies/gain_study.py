"""What the study of gains found: averages, tests, depths, scenarios, merges, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.judges.tabular import Array, Tabular, page
from assay.pictured import Pictured
from assay.stats.arrays import mid_ranks
from assay.studies.scoring import pairs_of
from assay.studies.significance import Apart, Both, stars

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.measures.measure import Measure
    from assay.studies.weights import Merge, Scenario, Scheme

__all__ = ["Collapsed", "GainStudy", "Imagined", "Row", "Sweep", "named"]

SHOWN_DEPTHS = (1, 5, 10, 30, 100, 200)
FEW = 10  # runs up to which pairs are named


# ---------------------------------------------------------------------------------------- results


@dataclass(frozen=True, eq=False)
class Row:
    """One line of Table II: a measure under one scheme of weights."""

    measure: Measure
    name: str  # of the measure, without weights and cut-off
    weights: Scheme
    base: float | None  # of the logarithm, where the measure has one
    depth: float
    topics: tuple[str, ...]
    means: Array  # [run]
    tests: Both


@dataclass(frozen=True, eq=False)
class Sweep:
    """One measure under one scheme at every depth; the p-values of a sweep are one family."""

    name: str
    weights: Scheme
    base: float | None
    depths: tuple[int, ...]
    p: Array  # [depth] Friedman over all runs
    corrected: Array  # [depth] the same, by Holm over the depths
    pair_p: Array  # [depth, pair] Conover, by Holm over all depths and pairs
    alpha: float

    @property
    def apart(self) -> Array:
        """How many pairs of runs differ at each depth."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.pair_p <= self.alpha).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class Imagined:
    """The runs as one kind of user sees them."""

    scenario: Scenario
    measure: Measure
    weights: Scheme
    topics: int
    means: Array  # [run]
    found: Apart

    @property
    def ranks(self) -> Array:
        """Rank of each run; 1 is best."""
        return mid_ranks(-self.means)


@dataclass(frozen=True, eq=False)
class Collapsed:
    """One measure with levels merged, against the same with none merged."""

    merge: Merge
    name: str
    topics: int
    means: Array  # [run]
    tau: float
    found: Apart
    before: Apart  # with no level merged, on the same topics
    alpha: float

    @property
    def turned(self) -> Array:
        """Pairs of runs in the opposite order: [pair]."""
        return np.asarray(self.found.gap * self.before.gap < 0)

    @property
    def lost(self) -> Array:
        """Pairs that differed and do so no more."""
        return np.asarray((self.before.p <= self.alpha) & ~(self.found.p <= self.alpha))

    @property
    def won(self) -> Array:
        """Pairs that did not differ and now do."""
        return np.asarray((self.found.p <= self.alpha) & ~(self.before.p <= self.alpha))

    @property
    def overturned(self) -> Array:
        """Pairs that differ both times, in opposite directions."""
        both_times = (self.found.p <= self.alpha) & (self.before.p <= self.alpha)
        return np.asarray(both_times & self.turned)


@dataclass(frozen=True, eq=False)
class GainStudy(Pictured):
    """Table II, the sweep over depths, the scenarios, and the merges that were asked for."""

    runs: tuple[str, ...]
    levels: int
    rows: tuple[Row, ...]
    sweeps: tuple[Sweep, ...]
    scenarios: tuple[Imagined, ...]
    merged: tuple[Collapsed, ...]
    alpha: float
    resamples: int
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    title = "gains"

    @property
    def main(self) -> tuple[str, ...]:
        """The tables that are shown unasked: pairs of runs only where there are few."""
        few = len(self.runs) <= FEW
        pairs = ("one-scenario", "flips") if few else ()
        return ("averages", "tests", "sweep", "scenarios", "collapse", *pairs)

    @property
    def pairs(self) -> Array:
        """Numbers of the runs of each pair."""
        return pairs_of(len(self.runs))

    # ------------------------------------------------------------------------------------ in words

    def verdict(self) -> str:
        """What the weights change; who is best for one kind of user only; what merging does."""
        said = [self._averages_said()]
        if len(self.scenarios) == 2:
            said.append(self._scenarios_said())
        if self.merged:
            said.append(self._merged_said())
        return " ".join(said)

    def _averages_said(self) -> str:
        best = list(dict.fromkeys(self._best(row.means) for row in self.rows))
        where = f"Under {len(self.rows)} combinations of weights, discount and depth"
        first = f"{best[0]} stays first" if len(best) == 1 else f"{_some(best, 4)} come first"
        apart = sum(row.tests.friedman.p <= self.alpha for row in self.rows)
        varied = sum(row.tests.anova.p <= self.alpha for row in self.rows)
        return (
            f"{where} {first}; Friedman's test finds differences under {apart} of them, analysis "
            f"of variance under {varied}."
        )

    def _scenarios_said(self) -> str:
        one, other = self.scenarios
        names = [each.scenario.name for each in (one, other)]
        winners = [self._best(each.means) for each in (one, other)]
        shared = np.flatnonzero(one.ranks + other.ranks == one.ranks.min() + other.ranks.min())
        text = f"The {names[0]} user and the {names[1]} one "
        text += (
            f"both find {self.runs[shared[0]]} best"
            if len(shared)
            else f"find {winners[0]} and {winners[1]} best"
        )
        only = [len(list(self._only(a, b))) for a, b in ((one, other), (other, one))]
        return (
            f"{text}; of {len(self.pairs):,} pairs of runs {only[0]:,} have a superior run for the "
            f"{names[0]} user only, {only[1]:,} for the {names[1]} one only."
        )

    def _merged_said(self) -> str:
        others = [each for each in self.merged if each.merge.classes[-1] < self.levels]
        if not others:
            return "No merge of levels is left to compare with."
        worst = max(others, key=lambda each: int((each.lost | each.overturned).sum()))
        base = int((worst.before.p <= self.alpha).sum())
        names = {each.name for each in others}
        by = f"{len(names)} measures" if len(names) > 1 else "one measure"
        lost, over = int(worst.lost.sum()), sum(int(each.overturned.sum()) for each in others)
        tail = (
            "no merge turns a significant difference round"
            if not over
            else f"{over:,} significant differences are turned round"
        )
        return (
            f"Of {len(others)} merges by {by}, "
            f"{worst.merge} by {worst.name} overturns most: {lost:,} of {base:,} significant "
            f"differences are lost; {tail}."
        )

    def _best(self, means: Array) -> str:
        return self.runs[int(np.argmax(means))]

    def _only(self, one: Imagined, other: Imagined) -> Iterator[tuple[int, int, int]]:
        """Pairs in which a run is superior in the first scenario only: pair, better, worse."""
        for i, (a, b) in enumerate(self.pairs.tolist()):
            here = one.found.p[i] <= self.alpha
            same = one.found.gap[i] * other.found.gap[i] > 0
            there = other.found.p[i] <= self.alpha and same
            if here and not there:
                yield (i, b, a) if one.found.gap[i] > 0 else (i, a, b)

    # ---------------------------------------------------------------------------------- as tables

    def table(self) -> object:
        """The main tables; `.tabulars()` has all."""
        return page(self, *self.main)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Averages, tests, where the tests differ, depths, scenarios, merges, flips."""
        found = [self._averages(), self._tests(), self._differ()]
        if self.sweeps:
            found += [self._sweep(), self._depths()]
        if self.scenarios:
            found.append(self._imagined())
        if len(self.scenarios) == 2:
            found.append(self._one_only())
        if self.merged:
            found += [self._collapse(), self._flips()]
        return tuple(found)

    def _label(self, row: Row) -> str:
        """The measure with its weights, and what else is not the same in every row."""
        base = row.base if len(self._bases()) > 1 else None
        depth = row.depth if len(self._cuts()) > 1 else None
        return named(row.name, row.weights, base, depth)

    def _bases(self) -> set[float]:
        return {row.base for row in self.rows if row.base is not None}

    def _cuts(self) -> set[float]:
        return {row.depth for row in self.rows if np.isfinite(row.depth)}

    def _averages(self) -> Tabular:
        heads = ("run", *(self._label(row) for row in self.rows))
        rows = tuple(
            (run, *(float(row.means[r]) for row in self.rows)) for r, run in enumerate(self.runs)
        )
        depths = _some([f"{depth:g}" for depth in sorted(self._cuts())], 5)
        bases = _some([f"{base:g}" for base in sorted(self._bases())], 5)
        note = (
            "means over topics"
            + (f", to rank {depths}" if depths else "")
            + (f", base of the logarithm {bases}" if bases else "")
            + f"; weights are those of levels 0 to {self.levels}"
        )
        return Tabular("averages", "averages", heads, rows, (note,))

    def _tests(self) -> Tabular:
        rows = []
        for row in self.rows:
            tests = row.tests
            parted = int((self._by_ranks(row) != self._by_means(row)).sum())
            rows.append(
                (
                    self._label(row),
                    len(row.topics),
                    tests.friedman.chi_square,
                    tests.friedman.p,
                    stars(tests.friedman.p),
                    tests.anova.f,
                    tests.anova.p,
                    stars(tests.anova.p),
                    parted,
                    self._signs(row),
                )
            )
        heads = (
            *("measure", "topics", "Friedman", "p", "stars"),
            *("ANOVA F", "p ANOVA", "stars ANOVA", "differ", "significant"),
        )
        note = (
            f"** p < .01, * p < .05; significant: pairs of runs after Friedman (Conover, corrected "
            f"by Holm); differ: pairs on which that and Tukey's HSD after the analysis of variance "
            f"disagree at {self.alpha:g} (--show differ)"
        )
        return Tabular("tests", "tests", heads, tuple(rows), (note,))

    def _by_ranks(self, row: Row) -> Array:
        """Pairs that differ after Friedman, where it finds a difference at all: [pair]."""
        if not row.tests.friedman.p <= self.alpha:
            return np.zeros(len(self.pairs), dtype=bool)
        with np.errstate(invalid="ignore"):
            return np.asarray(row.tests.rank_p <= self.alpha)

    def _by_means(self, row: Row) -> Array:
        if not row.tests.anova.p <= self.alpha:
            return np.zeros(len(self.pairs), dtype=bool)
        with np.errstate(invalid="ignore"):
            return np.asarray(row.tests.p <= self.alpha)

    def _signs(self, row: Row) -> str:
        """`D, E > A**`, as the paper's last column; a count where there are many runs."""
        told = np.flatnonzero(self._by_ranks(row))
        if not len(told):
            return "-"
        if len(self.runs) > FEW:
            return f"{len(told):,} of {len(self.pairs):,} pairs"
        beaten: dict[tuple[str, str], list[str]] = {}
        for i in told.tolist():
            a, b = (self.runs[run] for run in self.pairs[i].tolist())
            better, worse = (b, a) if row.tests.rank_gap[i] > 0 else (a, b)
            beaten.setdefault((worse, stars(float(row.tests.rank_p[i]))), []).append(better)
        return "; ".join(
            f"{', '.join(better)} > {worse}{mark}" for (worse, mark), better in beaten.items()
        )

    def _differ(self) -> Tabular:
        rows = []
        for row in self.rows:
            ranks, means = self._by_ranks(row), self._by_means(row)
            for i in np.flatnonzero(ranks != means).tolist():
                a, b = self.pairs[i].tolist()
                gap = row.tests.rank_gap[i] if ranks[i] else row.tests.gap[i]
                better, worse = (b, a) if gap > 0 else (a, b)
                rows.append(
                    (
                        self._label(row),
                        self.runs[better],
                        self.runs[worse],
                        float(row.tests.rank_p[i]),
                        float(row.tests.p[i]),
                        "Friedman" if ranks[i] else "ANOVA",
                    )
                )
        heads = ("measure", "better", "worse", "p Friedman", "p ANOVA", "found by")
        return Tabular("differ", "the tests differ", heads, tuple(rows))

    def _sweep(self) -> Tabular:
        depths = self.sweeps[0].depths
        shown = [depth for depth in SHOWN_DEPTHS if depth in depths]
        rows = []
        for each in self.sweeps:
            with np.errstate(invalid="ignore"):
                hit = np.flatnonzero(each.corrected <= each.alpha)
            many = each.apart
            rows.append(
                (
                    named(each.name, each.weights, each.base),
                    _runs_of([each.depths[i] for i in hit.tolist()]),
                    *(int(many[each.depths.index(depth)]) for depth in shown),
                )
            )
        heads = ("measure", "significant at depth", *(f"pairs@{depth}" for depth in shown))
        note = (
            f"Friedman at every depth from {depths[0]} to {depths[-1]}, and pairs of runs that "
            f"differ there (Conover); corrected by Holm over the whole sweep, at "
            f"{self.alpha:g}; --show depths has every depth"
        )
        return Tabular("sweep", "depth", heads, tuple(rows), (note,))

    def _depths(self) -> Tabular:
        rows = tuple(
            (
                named(each.name, each.weights, each.base),
                depth,
                float(each.p[i]),
                float(each.corrected[i]),
                int(each.apart[i]),
            )
            for each in self.sweeps
            for i, depth in enumerate(each.depths)
        )
        heads = ("measure", "depth", "p", "corrected", "pairs apart")
        return Tabular("depths", "every depth", heads, rows)

    def _imagined(self) -> Tabular:
        both_asked = len(self.scenarios) == 2
        heads: list[str] = ["run"]
        columns: list[list[Any]] = []
        for i, each in enumerate(self.scenarios):
            heads += [each.scenario.name, f"rank {each.scenario.name}"]
            columns += [each.means.tolist(), [_whole(rank) for rank in each.ranks.tolist()]]
            if both_asked:
                heads.append(f"only {each.scenario.name}")
                better = [run for _, run, _ in self._only(each, self.scenarios[1 - i])]
                columns.append([better.count(r) for r in range(len(self.runs))])
        rows = tuple(zip(self.runs, *columns, strict=True))
        notes = (
            *(["only: runs that it beats significantly for this user only"] if both_asked else []),
            *self._users(),
        )
        return Tabular("scenarios", "scenarios", tuple(heads), rows, notes)

    def _users(self) -> tuple[str, ...]:
        return tuple(
            f"{each.scenario.name}: depth {each.scenario.depth}, weights {each.weights}, base "
            f"{each.scenario.base:g}: {each.measure}, {each.topics} topics"
            for each in self.scenarios
        )

    def _one_only(self) -> Tabular:
        one, other = self.scenarios
        rows = []
        for here, there in ((one, other), (other, one)):
            for i, better, worse in self._only(here, there):
                sign = 1 if self.pairs[i][1] == better else -1
                rows.append(
                    (
                        here.scenario.name,
                        self.runs[better],
                        self.runs[worse],
                        float(sign * here.found.gap[i]),
                        float(here.found.p[i]),
                        float(sign * there.found.gap[i]),
                        float(there.found.p[i]),
                    )
                )
        rows.sort(key=lambda row: (row[0] != one.scenario.name, -row[3]))
        heads = ("superior for", "run", "over", "by", "p", "elsewhere by", "p there")
        note = (
            f"superior in one scenario only: randomised Tukey HSD, {self.resamples:,} "
            f"permutations, at {self.alpha:g} in each scenario"
        )
        return Tabular("one-scenario", "one scenario only", heads, tuple(rows), (note,))

    def _collapse(self) -> Tabular:
        rows = tuple(
            (
                str(each.merge),
                each.name,
                each.topics,
                each.tau,
                self._best(each.means),
                int(each.turned.sum()),
                int((each.found.p <= self.alpha).sum()),
                int(each.lost.sum()),
                int(each.won.sum()),
                int(each.overturned.sum()),
            )
            for each in self.merged
        )
        heads = (
            *("levels", "measure", "topics", "tau", "best", "order"),
            *("apart", "lost", "gained", "reversed"),
        )
        note = (
            f"of {len(self.pairs):,} pairs of runs: order, those in the opposite order; apart, "
            "those that differ; lost, gained and reversed, against the unmerged levels on the same "
            f"topics (randomised Tukey HSD, {self.resamples:,} permutations, at {self.alpha:g}); "
            "merged levels weigh 0, 1, 2, ..."
        )
        return Tabular("collapse", "merged levels", heads, rows, (note,))

    def _flips(self) -> Tabular:
        rows = []
        for each in self.merged:
            for what, mask in (
                ("reversed", each.overturned),
                ("lost", each.lost),
                ("gained", each.won),
            ):
                for i in np.flatnonzero(mask).tolist():
                    a, b = self.pairs[i].tolist()
                    gap = each.found.gap[i] if what == "gained" else each.before.gap[i]
                    better, worse = (b, a) if gap > 0 else (a, b)
                    sign = 1 if better == b else -1
                    rows.append(
                        (
                            str(each.merge),
                            each.name,
                            what,
                            self.runs[better],
                            self.runs[worse],
                            float(sign * each.before.gap[i]),
                            float(each.before.p[i]),
                            float(sign * each.found.gap[i]),
                            float(each.found.p[i]),
                        )
                    )
        heads = ("levels", "measure", "flip", "better", "worse", "by", "p", "merged by", "p merged")
        return Tabular("flips", "conclusions that flip", heads, tuple(rows))


def _whole(rank: float) -> float | int:
    """A rank that nobody shares as a whole number."""
    return int(rank) if rank == int(rank) else rank


def named(name: str, weights: Scheme, base: float | None, depth: float | None = None) -> str:
    """A measure with its weights, and its base and depth where it has them."""
    at = "" if depth is None or not np.isfinite(depth) else f"@{int(depth)}"
    log = "" if base is None else f" b={base:g}"
    return f"{name}{at} {weights}{log}"


def _some(items: Sequence[Any], most: int) -> str:
    shown = ", ".join(map(str, items[:most]))
    return shown + (f" and {len(items) - most} more" if len(items) > most else "")


def _runs_of(depths: Sequence[int]) -> str:
    """Depths as ranges: `3, 5-200`."""
    if not depths:
        return "none"
    parts, first = [], depths[0]
    for now, after in zip(depths, [*depths[1:], None], strict=True):
        if after != now + 1:
            parts.append(f"{first}" if first == now else f"{first}-{now}")
            first = after or now
    return ", ".join(parts[:4]) + (" ..." if len(parts) > 4 else "")
