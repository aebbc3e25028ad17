"""The slipshod judge: what random errors of judgment do to scores and to the ranking of systems.

Lesk & Salton 1968, appendix: a judge calls a relevant document relevant with probability p_r and
another with p_nr, whatever system found it and at whatever rank. That is an assumption, so models
of error are tested here against a real second judge before anything is concluded from them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import AssayError
from assay.judges.coefficients import tau_b
from assay.judges.jackknife import Estimate, of_sums
from assay.judges.panel import batch_means
from assay.stats.arrays import steady

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judges.panel import Panel
    from assay.judges.tabular import Array
    from assay.measures.measure import Measure

__all__ = [
    "ERRORS",
    "ErrorModel",
    "ModelCheck",
    "check_model",
    "check_rates",
    "fitted",
    "fused_rank",
    "given",
    "rates",
    "simulated_means",
]

ERRORS = ("independent", "by-grade", "by-topic", "by-rank")
PRIOR = 5.0  # pairs' worth of the overall confusion that each topic or band is given
BANDS = (10, 20, 50)  # of the fused rank


def check_rates(p_r: float, p_nr: float) -> None:
    """Refuse what is no probability."""
    for name, p in (("p_r", p_r), ("p_nr", p_nr)):
        if not 0 <= p <= 1:
            raise AssayError(f"{name}={p:g}: a probability lies between 0 and 1")


# --------------------------------------------------------------------------------- models of errors


@dataclass(frozen=True)
class ErrorModel:
    """The chance of each label, given the true one and where the document stands."""

    name: str
    cell: Array  # [pair] which row of `chance` a pair draws from
    chance: Array  # [cell, label]
    labels: Array  # grades that the judge gives, ascending
    truth: Array  # [pair] the true grades on the judge's scale, where quality mixes them in
    cut: Array  # [cell, label - 1] cumulated chances

    def draw(self, part: slice, judges: int, seed: Sequence[int], quality: float = 0.0) -> Array:
        """Grades [judge, pair] of some pairs; `quality` is the share of labels that are true."""
        rng = np.random.default_rng(list(seed))
        cut = self.cut[self.cell[part]]  # [pair, label - 1]
        u = rng.random((judges, cut.shape[0]))
        if len(self.labels) == 2:
            grade = np.where(u < cut[None, :, 0], self.labels[0], self.labels[1])
        else:
            grade = self.labels[(u[..., None] >= cut[None]).sum(axis=-1)]
        if quality > 0:
            right = rng.random(grade.shape) < quality
            grade = np.where(right, self.truth[part], grade)
        return np.asarray(grade)


def _model(name: str, cell: Array, chance: Array, labels: Array, truth: Array) -> ErrorModel:
    return ErrorModel(name, cell, chance, labels, truth, np.cumsum(chance, axis=-1)[:, :-1])


def given(truth: Array, *, rel: float, p_r: float, p_nr: float) -> ErrorModel:
    """The appendix's judge: relevant or not, errors independent of everything else."""
    check_rates(p_r, p_nr)
    relevant = (truth >= rel).astype(np.int64)
    chance = np.array([[1 - p_nr, p_nr], [1 - p_r, p_r]])
    return _model("independent", relevant, chance, np.array([0.0, rel]), relevant * rel)


def fitted(
    name: str,
    truth: Array,
    other: Array,
    *,
    rel: tuple[float, float],
    topic: Array,
    rank: Array | None = None,
) -> ErrorModel:
    """A model of the errors of `other`, taken as a judge of `truth`; NaN where it did not judge.

    `independent` says relevant or not, by p_r and p_nr. The others give grades: `by-grade` by the
    true grade, `by-topic` and `by-rank` by the true grade within each topic, or band of ranks.
    """
    known = ~np.isnan(other) & ~np.isnan(truth)
    if name == "independent":
        relevant = truth >= rel[0]
        called = other[known] >= rel[1]
        p_r = _mean(called[relevant[known]])
        p_nr = _mean(called[~relevant[known]])
        return given(truth, rel=rel[0], p_r=p_r, p_nr=p_nr)
    true_levels, labels = np.unique(truth[~np.isnan(truth)]), np.unique(other[known])
    if len(true_levels) > 20 or len(labels) > 20:
        raise AssayError(
            f"errors {name!r} need grades, at most 20 levels; found {len(true_levels)} and "
            f"{len(labels)}"
        )
    grade = np.searchsorted(true_levels, truth)
    if name == "by-grade":
        where = np.zeros(len(truth), dtype=np.int64)
    elif name == "by-topic":
        where = np.asarray(topic)
    elif name == "by-rank":
        if rank is None:
            raise AssayError("errors 'by-rank' need runs")
        where = np.searchsorted(np.asarray(BANDS), rank, side="left")
    else:
        raise AssayError(f"errors {name!r}: must be one of {', '.join(map(repr, ERRORS))}")
    K, L = len(true_levels), len(labels)
    cell = where * K + grade
    counts = np.zeros((int(cell.max(initial=0)) + 1, L))
    np.add.at(counts, (cell[known], np.searchsorted(labels, other[known])), 1)
    overall = np.zeros((K, L))
    np.add.at(overall, (grade[known], np.searchsorted(labels, other[known])), 1)
    overall += 1e-9
    overall /= overall.sum(axis=-1, keepdims=True)
    prior = 0.0 if name == "by-grade" else PRIOR
    chance = counts + max(prior, 1e-9) * overall[np.arange(len(counts)) % K]
    chance /= chance.sum(axis=-1, keepdims=True)
    return _model(name, cell, chance, labels, np.where(np.isnan(truth), 0.0, truth))


def _mean(x: Array) -> float:
    return float(x.mean()) if len(x) else 0.0


def fused_rank(panel: Panel) -> Array:
    """Rank of each judged pair in the list that all runs make together, by sums of 1/(60 + rank).

    Cormack, Clarke & Buettcher 2009, https://doi.org/10.1145/1571941.1572114; pairs that no run
    retrieved come last.
    """
    judged, hits = panel.judged, panel.hits
    pairs = len(judged.topic_of)
    score = np.bincount(hits.pair, 1.0 / (60 + hits.rank), minlength=pairs)
    order = np.lexsort((-score, judged.topic_of))
    rank = np.empty(pairs, dtype=np.int64)
    rank[order] = np.arange(pairs) - judged.start[judged.topic_of[order]] + 1
    unseen = np.bincount(hits.pair, minlength=pairs) == 0
    return np.where(unseen, np.iinfo(np.int64).max, rank)


def rates(table: Array) -> tuple[Estimate, Estimate]:
    """p_r and p_nr from tables [topic, 2, 2], the truth first, with intervals over topics."""
    unit = (0.0, 1.0)
    return of_sums(lambda x: _row(x, 1), table, unit), of_sums(lambda x: _row(x, 0), table, unit)


def _row(table: Array, truth: int) -> Array:
    row = table[..., truth, :]
    total = row.sum(axis=-1)
    return row[..., 1] / np.where(total == 0, np.nan, total)


# -------------------------------------------------------------------------------- testing the model


@dataclass(frozen=True)
class Predicted:
    """What a model foretells of one number: mean and 95 % range; beside it what was observed."""

    observed: float
    mean: float
    low: float
    high: float

    @property
    def fits(self) -> bool:
        """Whether the observed value lies in the range; False where nothing was observed."""
        return self.low <= self.observed <= self.high


@dataclass(frozen=True)
class ModelCheck:
    """One model, one measure: predicted and observed agreement of the second judge's means."""

    model: str
    measure: str
    judges: int
    tau: Predicted  # of judged with true means
    slope: Predicted  # of judged on true means
    real: bool = False  # whether there was a real judge to test against

    @property
    def tested(self) -> bool:
        """Whether a real judge could be compared with it."""
        return self.real and not math.isnan(self.tau.observed) and not math.isnan(self.tau.low)

    @property
    def fits(self) -> bool:
        """Whether both observed values lie in their ranges."""
        return self.tau.fits and self.slope.fits

    def verdict(self) -> str:
        """One sentence."""
        tau, slope = self.tau, self.slope
        if math.isnan(tau.low):
            return (
                f"Errors {self.model}: by {self.measure} no tau is predicted, for want of two "
                "systems with different means."
            )
        said = (
            f"Errors {self.model}: {self.measure} predicts tau {tau.low:.2f} to {tau.high:.2f} and "
            "slope "
            f"{slope.low:.2f} to {slope.high:.2f}"
        )
        if not self.tested:
            why = "that judge's means are level" if self.real else "there is no second judge"
            return f"{said}; untested, for {why}."
        ends = "which holds the observed" if self.fits else "which misses the observed"
        return f"{said}, {ends} {tau.observed:.3f} and {slope.observed:.2f}."


def check_model(
    panel: Panel,
    model: ErrorModel,
    measures: Sequence[Measure],
    *,
    observed: Array | None,
    judges: int = 1000,
    seed: int = 0,
) -> tuple[ModelCheck, ...]:
    """Simulate judges and compare their tau and slope with the observed judge's, grades by pair."""
    start = panel.judged.start
    truth = model.truth

    def real(t: int) -> Array:
        part = slice(int(start[t]), int(start[t + 1]))
        rows = [truth[part]] if observed is None else [truth[part], observed[part]]
        return np.asarray(np.nan_to_num(np.stack(rows)))

    actual, _ = batch_means(panel, measures, real, 1 if observed is None else 2)
    means = simulated_means(panel, model, measures, judges=judges, seed=seed)
    actual, means = steady(actual), steady(means)
    checks = []
    for m, measure in enumerate(measures):
        x, drawn = actual[0, :, m], means[:, :, m]
        seen = actual[1, :, m] if observed is not None else np.full(len(x), np.nan)
        checks.append(
            ModelCheck(
                model.name,
                str(measure),
                judges,
                _predicted(tau_b(np.broadcast_to(x, drawn.shape), drawn), float(tau_b(x, seen))),
                _predicted(_slope(x, drawn), float(_slope(x, seen))),
                observed is not None,
            )
        )
    return tuple(checks)


def simulated_means(
    panel: Panel, model: ErrorModel, measures: Sequence[Measure], *, judges: int, seed: int
) -> Array:
    """Means [judge, run, measure] of the runs under judges drawn from a model."""
    start = panel.judged.start

    def draw(t: int) -> Array:
        return model.draw(slice(int(start[t]), int(start[t + 1])), judges, (seed, 4, t))

    return batch_means(panel, measures, draw, judges)[0]


def _predicted(draws: Array, observed: float) -> Predicted:
    known = draws[~np.isnan(draws)]
    if not len(known):
        return Predicted(observed, math.nan, math.nan, math.nan)
    low, high = (float(x) for x in np.quantile(known, [0.025, 0.975]))
    return Predicted(observed, float(known.mean()), low, high)


def _slope(x: Array, y: Array) -> Array:
    dx = x - x.mean()
    size = float(dx @ dx)
    return np.asarray(y @ dx / size if size else np.full(y.shape[:-1], np.nan))
