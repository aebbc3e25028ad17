"""Does the ranking of systems survive another judge? Coefficients beside their noise floors.

Scores come as `values[judge, run, topic]` of one measure. The floor is what the same coefficient
gives between two samples of topics under one judge: what the choice of topics alone does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.judges.coefficients import COEFFICIENTS, PERSISTENCE, rank_of_best, tau_b
from assay.judges.jackknife import Estimate, around, mean_of
from assay.judges.tabular import Array, Tabular, whole
from assay.pictured import Pictured
from assay.stats.arrays import mid_ranks, steady
from assay.stats.resampling import counts

__all__ = ["Against", "Floor", "Levels", "Stability", "floors", "stability"]

DRAWS = 500
BOUNDS = {"RBO": (0.0, 1.0), "RBO,b": (0.0, 1.0)}
BEST = "rank of the best"
FLOORED = {**COEFFICIENTS, BEST: rank_of_best}


@dataclass(frozen=True)
class Floor:
    """A coefficient between two topic samples under one judge: mean and central 90 % of draws.

    Under the name `rank of the best` that of the one sample's best run by the other.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Levels:
    """Whether scores move, and whether differences between systems are kept."""

    shift: Estimate  # mean over runs of (second - first), over topics
    slope: float  # of the second's run means on the first's
    correlation: float  # of run means, and so of all differences between runs
    by_topic: Estimate  # tau-b of the runs on one topic, mean over topics


@dataclass(frozen=True)
class Against:
    """One judge's ranking of the systems beside the reference's, on the topics of both."""

    judge: str
    topics: int
    left_out: int  # topics on which one of the two, or a run, has no value
    coefficients: dict[str, Estimate]
    halves: dict[str, Floor]
    bootstrap: dict[str, Floor]
    best: str  # the reference's best run
    rank_of_best: float  # its rank under the judge
    rank: Estimate  # the same, with an interval
    levels: Levels

    @property
    def moves(self) -> str:
        """How much the change of judge moves the ranking, beside what other topics would do."""
        tau, floor = self.coefficients["tau-b"].value, self.bootstrap["tau-b"]
        if tau < floor.low:
            return "more than"
        return "less than" if tau > floor.high else "about as much as"


@dataclass(frozen=True)
class Stability(Pictured):
    """How the first judge's ranking of systems fares under each other judge, by one measure."""

    measure: str
    reference: str
    runs: tuple[str, ...]
    against: tuple[Against, ...]
    means: Array  # [judge, run], the reference first, over the topics of each
    higher: bool = True  # whether higher values are better

    @property
    def ranks(self) -> Array:
        """Rank of each run under each judge, [judge, run]: 1 the best, equal means share one."""
        means = -self.means if self.higher else self.means
        return np.where(np.isnan(means), np.nan, mid_ranks(means))

    @property
    def judges(self) -> tuple[str, ...]:
        """The reference, then all others."""
        return self.reference, *(each.judge for each in self.against)

    def verdict(self) -> str:
        """One sentence for another judge; for several the most and the least alike."""
        if len(self.against) == 1:
            return self.sentence(0)
        known = [each for each in self.against if not math.isnan(_tau(each))]
        if not known:
            return ""
        best, worst = max(known, key=_tau), min(known, key=_tau)
        reached = sum(each.moves != "more than" for each in known)
        if _tau(best) == _tau(worst):
            return (
                f"By {self.measure} all {len(known)} other judges rank the {len(self.runs)} "
                f"systems as {self.reference} does with tau-b {_tau(best):.3f}."
            )
        return (
            f"By {self.measure}, of {len(known)} other judges {best.judge} ranks the "
            f"{len(self.runs)} systems most like {self.reference} (tau-b "
            f"{best.coefficients['tau-b']}), {worst.judge} least ({worst.coefficients['tau-b']}); "
            f"{reached} of them move the ranking no more than other topics would."
        )

    def sentence(self, j: int) -> str:
        """What another judge, counted from 0, does to the ranking."""
        one = self.against[j]
        if math.isnan(_tau(one)):
            return f"By {self.measure}, {one.judge} and {self.reference} cannot be compared."
        floor = one.bootstrap["tau-b"]
        return (
            f"By {self.measure} over {one.topics} topics, {one.judge} ranks {len(self.runs)} "
            f"systems as {self.reference} does with tau-b {one.coefficients['tau-b']}, which moves "
            f"the ranking {one.moves} other topics would (tau-b {floor.mean:.3f}, "
            f"{floor.low:.3f} to {floor.high:.3f}, between two samples of that size under "
            f"{self.reference}); {self.reference}'s best, {one.best}, ranks {one.rank_of_best:g}."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self, "stability", "levels")

    def tabulars(self) -> tuple[Tabular, ...]:
        """Coefficients, levels, and the means themselves."""
        return self._coefficients(), self._levels(), self._means()

    def _coefficients(self) -> Tabular:
        rows: list[tuple[Any, ...]] = []
        for one in self.against:
            for name, each in one.coefficients.items():
                half, boot = one.halves[name], one.bootstrap[name]
                found = (each.value, each.low, each.high, half.mean, boot.mean, boot.low, boot.high)
                rows.append((one.judge, name, *found))
            half, boot = one.halves[BEST], one.bootstrap[BEST]
            ranks = (one.rank.low, one.rank.high, half.mean, boot.mean, boot.low, boot.high)
            rows.append((one.judge, BEST, whole(one.rank_of_best), *ranks))
        heads = ("judge", "coefficient", "value", "low", "high", "floor: halves")
        notes = (
            f"against {self.reference}, on {self._topics()}; intervals leave out topics",
            (
                f"floors: the coefficient under {self.reference} alone between halves of topics, "
                f"and between two bootstrap samples of all, 5 to 95 % of {DRAWS} draws"
            ),
            (
                f"tau_AP takes {self.reference} as the truth, RBO has p = {PERSISTENCE}; both are "
                "means over all orders of tied systems, corrected for ties under b"
            ),
        )
        return Tabular(
            "stability",
            "ranking of systems",
            (*heads, "floor: bootstrap", "5 %", "95 %"),
            tuple(rows),
            notes,
        )

    def _topics(self) -> str:
        counts = sorted({one.topics for one in self.against})
        if len(counts) > 1:
            return (
                f"the topics on which both have values, {counts[0]} to {counts[-1]} by judge "
                "(see levels)"
            )
        lost = max(one.left_out for one in self.against)
        return f"{counts[0]} topics" + (f", {lost} left out for want of a value" if lost else "")

    def _levels(self) -> Tabular:
        rows = []
        for one in self.against:
            e, by = one.levels, one.levels.by_topic
            shift = (e.shift.value, e.shift.low, e.shift.high)
            kept = (e.slope, e.correlation, by.value, by.low, by.high)
            rows.append((one.judge, one.topics, *shift, *kept))
        heads: tuple[str, ...] = ("judge", "topics", "shift", "low", "high", "slope", "r of means")
        note = (
            f"shift: mean over runs, less {self.reference}'s; slope: of the judge's means on "
            f"{self.reference}'s; tau by topic: of the runs on one topic, mean over topics"
        )
        heads += ("tau by topic", "from", "to")
        return Tabular("levels", "levels", heads, tuple(rows), (note,))

    def _means(self) -> Tabular:
        rows = tuple(
            (run, *(float(row[r]) for row in self.means)) for r, run in enumerate(self.runs)
        )
        note = f"over the topics on which {self.reference} and the judge have values"
        return Tabular("means", "means", ("run", *self.judges), rows, (note,))


def _tau(one: Against) -> float:
    return one.coefficients["tau-b"].value


def floors(
    values: Array, *, draws: int = DRAWS, seed: int = 0
) -> tuple[dict[str, Floor], dict[str, Floor]]:
    """Each coefficient between halves of the topics, and bootstrap samples: values[run, topic]."""
    T = values.shape[-1]
    if T < 2:
        nothing = dict.fromkeys(FLOORED, Floor(math.nan, math.nan, math.nan))
        return nothing, nothing
    rng = np.random.default_rng([seed, 1])
    order = np.argsort(rng.random((draws, T)), axis=-1)
    first = (order < T // 2).astype(np.float64)
    second = ((order >= T // 2) & (order < 2 * (T // 2))).astype(np.float64)
    drawn = np.concatenate([many for _, many in counts(2 * draws, T, seed)])
    found = []
    for x, y in ((first, second), (drawn[:draws], drawn[draws:])):
        means = [_weighted_means(values, w) for w in (x, y)]
        found.append({name: _floor(f(*means)) for name, f in FLOORED.items()})
    return found[0], found[1]


def _weighted_means(values: Array, weight: Array) -> Array:
    """Means of the runs under each row of topic weights: [draw, run]."""
    total = weight.sum(axis=-1, keepdims=True)
    return steady(weight @ values.T / np.where(total == 0, np.nan, total))


def _floor(draws: Array) -> Floor:
    draws = draws[~np.isnan(draws)]
    if not len(draws):
        return Floor(np.nan, np.nan, np.nan)
    return Floor(float(draws.mean()), *(float(x) for x in np.quantile(draws, [0.05, 0.95])))


def stability(
    values: Array,
    *,
    measure: str,
    judges: tuple[str, ...],
    runs: tuple[str, ...],
    higher: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
) -> Stability:
    """Compare the rankings under values[judge, run, topic]; the first judge is the reference.

    Each other judge is compared on the topics on which he and the reference have values. `higher`
    says whether higher values are better.
    """
    up = 1.0 if higher else -1.0
    missing = np.asarray(np.isnan(values).any(axis=1))  # [judge, topic]
    known: dict[bytes, tuple[dict[str, Floor], dict[str, Floor]]] = {}
    against, means = [], [_means(values[0][:, ~missing[0]])]
    for j in range(1, len(judges)):
        good = ~(missing[0] | missing[j])
        a, b = values[0][:, good], values[j][:, good]
        if good.tobytes() not in known:  # the floor is of these topics, under the reference
            known[good.tobytes()] = floors(up * a, draws=draws, seed=seed)
        against.append(_against(a, b, judges[j], runs, len(good), known[good.tobytes()], up))
        means.append(_means(b))
    return Stability(measure, judges[0], runs, tuple(against), np.stack(means), higher)


def _against(
    a: Array,
    b: Array,
    judge: str,
    runs: tuple[str, ...],
    topics: int,
    floor: tuple[dict[str, Floor], dict[str, Floor]],
    up: float,
) -> Against:
    """One judge, scores b[run, topic], beside the reference, scores a."""
    T = a.shape[-1]
    levels = _levels(a, b, _means(a), _means(b))
    a, b = up * a, up * b
    mean_a, mean_b = _means(a), _means(b)
    found = {}
    for name, f in FLOORED.items():
        without = f(_without(a), _without(b)) if T > 2 else np.zeros(0)
        if len(np.unique(without)) == 1:  # no topic matters by itself: no error to be seen
            without = without[:0]
        ends = (1.0, float(len(runs))) if name == BEST else BOUNDS.get(name, (-1.0, 1.0))
        found[name] = around(float(f(mean_a, mean_b)), without, ends)
    rank = found.pop(BEST)
    best = runs[int(np.argmax(mean_a))] if T else runs[0]
    return Against(judge, T, topics - T, found, *floor, best, rank.value, rank, levels)


def _means(x: Array) -> Array:
    """Means of the runs over topics, NaN without any."""
    return steady(x.mean(axis=-1)) if x.shape[-1] else np.full(len(x), np.nan)


def _without(x: Array) -> Array:
    """Means of the runs without each topic: [topic, run]."""
    return np.asarray(steady((x.sum(axis=-1)[:, None] - x) / (x.shape[-1] - 1)).T)


def _levels(a: Array, b: Array, mean_a: Array, mean_b: Array) -> Levels:
    da, db = mean_a - mean_a.mean(), mean_b - mean_b.mean()
    va, vb = float(da @ da), float(db @ db)
    slope = float(da @ db) / va if va else np.nan
    return Levels(
        mean_of((b - a).mean(axis=0)),
        slope,
        float(da @ db) / np.sqrt(va * vb) if va * vb else np.nan,
        mean_of(tau_b(steady(a.T), steady(b.T)), (-1.0, 1.0)),
    )
