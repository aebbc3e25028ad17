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
from assay.judges.tabular import Array, Tabular
from assay.stats.arrays import steady
from assay.stats.resampling import counts

__all__ = ["Floor", "Levels", "Stability", "floors", "stability"]

DRAWS = 500
BOUNDS = {"RBO": (0.0, 1.0)}


@dataclass(frozen=True)
class Floor:
    """A coefficient between two topic samples under one judge: mean and central 90 % of draws."""

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
class Stability:
    """How the first judge's ranking of systems fares under each other judge, by one measure."""

    measure: str
    reference: str
    judges: tuple[str, ...]
    runs: tuple[str, ...]
    topics: int
    left_out: int  # topics on which some judge or run has no value
    means: Array  # [judge, run], the reference first
    coefficients: tuple[dict[str, Estimate], ...]  # for each other judge
    halves: dict[str, Floor]
    bootstrap: dict[str, Floor]
    best: tuple[tuple[str, float], ...]  # the reference's best run, its rank under each other judge
    levels: tuple[Levels, ...]

    def verdict(self) -> str:
        """One sentence for each other judge, the first three of them."""
        return " ".join(self.sentence(j) for j in range(min(3, len(self.judges) - 1)))

    def sentence(self, j: int) -> str:
        """What another judge, counted from 0, does to the ranking."""
        tau, floor = self.coefficients[j]["tau-b"], self.bootstrap["tau-b"]
        name, rank = self.best[j]
        if math.isnan(tau.value):
            return (
                f"By {self.measure}, {self.judges[1 + j]} and {self.reference} cannot be compared."
            )
        moves = "more than" if tau.value < floor.low else "about as much as"
        if tau.value > floor.high:
            moves = "less than"
        return (
            f"By {self.measure} over {self.topics} topics, {self.judges[1 + j]} ranks "
            f"{len(self.runs)} systems as {self.reference} does with tau-b {tau}, which moves the "
            f"ranking {moves} other topics would (tau-b {floor.mean:.3f}, {floor.low:.3f} to "
            f"{floor.high:.3f}, between two samples of that size under {self.reference}); "
            f"{self.reference}'s best, {name}, ranks {rank:g}."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self, "stability", "levels")

    def tabulars(self) -> tuple[Tabular, ...]:
        """Coefficients, levels, and the means themselves."""
        rows: list[tuple[Any, ...]] = []
        for judge, found, (_, rank) in zip(
            self.judges[1:], self.coefficients, self.best, strict=True
        ):
            for name, each in found.items():
                half, boot = self.halves[name], self.bootstrap[name]
                rows.append(
                    (
                        judge,
                        name,
                        each.value,
                        each.low,
                        each.high,
                        half.mean,
                        boot.mean,
                        boot.low,
                        boot.high,
                    )
                )
            rows.append((judge, "rank of the best", rank, *[None] * 6))
        heads = (
            "judge",
            "coefficient",
            "value",
            "low",
            "high",
            "floor: halves",
            "floor: bootstrap",
        )
        note = (
            f"against {self.reference}; {self.topics} topics, {self.left_out} left out for want of "
            "a "
            f"value; intervals leave out topics; floors: the coefficient under {self.reference} "
            "alone "
            f"between halves of the topics, and between two bootstrap samples of all (5 to 95 % of "
            f"{DRAWS} draws); RBO with p = {PERSISTENCE}, ties as uncertainty; tau_AP takes "
            f"{self.reference} as the truth"
        )
        levels = tuple(
            (
                judge,
                e.shift.value,
                e.shift.low,
                e.shift.high,
                e.slope,
                e.correlation,
                e.by_topic.value,
                e.by_topic.low,
                e.by_topic.high,
            )
            for judge, e in zip(self.judges[1:], self.levels, strict=True)
        )
        columns = (
            "judge",
            "shift",
            "low",
            "high",
            "slope",
            "r of means",
            "tau by topic",
            "from",
            "to",
        )
        shown = tuple(
            (run, *(float(self.means[j, r]) for j in range(len(self.judges))))
            for r, run in enumerate(self.runs)
        )
        return (
            Tabular(
                "stability", "ranking of systems", (*heads, "5 %", "95 %"), tuple(rows), (note,)
            ),
            Tabular(
                "levels",
                "levels",
                columns,
                levels,
                ("shift: mean over runs, less the reference's",),
            ),
            Tabular("means", "means", ("run", *self.judges), shown),
        )


def floors(
    values: Array, *, draws: int = DRAWS, seed: int = 0
) -> tuple[dict[str, Floor], dict[str, Floor]]:
    """Each coefficient between halves of the topics, and bootstrap samples: values[run, topic]."""
    T = values.shape[-1]
    rng = np.random.default_rng([seed, 1])
    order = np.argsort(rng.random((draws, T)), axis=-1)
    first = (order < T // 2).astype(np.float64)
    second = ((order >= T // 2) & (order < 2 * (T // 2))).astype(np.float64)
    drawn = np.concatenate([many for _, many in counts(2 * draws, T, seed)])
    found = []
    for x, y in ((first, second), (drawn[:draws], drawn[draws:])):
        means = [_weighted_means(values, w) for w in (x, y)]
        found.append({name: _floor(f(*means)) for name, f in COEFFICIENTS.items()})
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
    draws: int = DRAWS,
    seed: int = 0,
) -> Stability:
    """Compare the rankings under values[judge, run, topic]; the first judge is the reference."""
    good = ~np.isnan(values).any(axis=(0, 1))
    values, T = values[:, :, good], int(good.sum())
    means = steady(values.mean(axis=-1)) if T else np.full(values.shape[:2], np.nan)
    without = steady((values.sum(axis=-1)[..., None] - values) / max(1, T - 1))
    without = np.moveaxis(without, -1, 0)  # [topic, judge, run]
    found, levels, best = [], [], []
    for j in range(1, len(judges)):
        found.append(
            {
                name: around(
                    float(f(means[0], means[j])),
                    f(without[:, 0], without[:, j]) if T > 2 else np.zeros(0),
                    BOUNDS.get(name, (-1.0, 1.0)),
                )
                for name, f in COEFFICIENTS.items()
            }
        )
        best.append((runs[int(np.argmax(means[0]))], float(rank_of_best(means[0], means[j]))))
        levels.append(_levels(values[0], values[j], means[0], means[j]))
    halves, bootstrap = floors(values[0], draws=draws, seed=seed)
    return Stability(
        measure,
        judges[0],
        judges,
        runs,
        T,
        int((~good).sum()),
        means,
        tuple(found),
        halves,
        bootstrap,
        tuple(best),
        tuple(levels),
    )


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
