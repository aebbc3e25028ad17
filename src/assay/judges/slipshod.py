"""The slipshod judge: what random errors of judgment do to scores and to the ranking of systems.

Lesk & Salton 1968, appendix: a judge calls a relevant document relevant with probability p_r and
another with p_nr, whatever system found it and at whatever rank. That is an assumption, so models
of error are tested here against a real second judge before anything is concluded from them.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import AssayError
from assay.judges.coefficients import tau_b
from assay.judges.jackknife import Estimate, mean_of, of_sums
from assay.judges.panel import batch_means
from assay.judges.tabular import Array, Tabular
from assay.stats.arrays import steady

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judges.panel import Panel
    from assay.measures.measure import Measure

__all__ = [
    "ERRORS",
    "Appendix",
    "DawidSkene",
    "ErrorModel",
    "Favour",
    "ModelCheck",
    "OrderKept",
    "apparent_precision",
    "apparent_recall",
    "appendix",
    "check_model",
    "dawid_skene",
    "favour",
    "fitted",
    "fused_rank",
    "given",
    "order_kept",
    "rates",
]

ERRORS = ("independent", "by-grade", "by-topic", "by-rank")
PRIOR = 5.0  # pairs' worth of the overall confusion that each topic or band is given
BANDS = (10, 20, 50)  # of the fused rank
QUALITIES = (0.0, 0.25, 0.5, 0.75, 1.0)
GAPS = (0.01, 0.02, 0.05, 0.1)


# ------------------------------------------------------------------------------------ the appendix


def apparent_precision(P: Array | float, p_r: float, p_nr: float) -> Array | float:
    """P' = P (p_r - p_nr) + p_nr."""
    return P * (p_r - p_nr) + p_nr


def apparent_recall(
    R: Array | float, G: Array | float, N: Array | float, n: Array | float, p_r: float, p_nr: float
) -> Array | float:
    """R' = (R G (p_r - p_nr) + n p_nr) / (G (p_r - p_nr) + N p_nr), a ratio of expectations."""
    called = G * (p_r - p_nr) + N * p_nr
    with np.errstate(invalid="ignore", divide="ignore"):
        return (R * G * (p_r - p_nr) + n * p_nr) / np.where(np.equal(called, 0), np.nan, called)


@dataclass(frozen=True)
class Appendix:
    """One system under a slipshod judge, by formula and by simulation."""

    p_r: float
    p_nr: float
    precision: float
    recall: float
    formula: tuple[float, float]  # P', R'
    simulated: tuple[float, float]  # mean precision; mean hits over mean number called relevant
    error: tuple[float, float]  # standard error of the simulated values
    judges: int
    main = ("appendix",)

    def verdict(self) -> str:
        """One sentence."""
        return (
            f"A judge with p_r {self.p_r:g} and p_nr {self.p_nr:g} sees precision "
            f"{self.formula[0]:.4f} "
            f"for {self.precision:g} and recall {self.formula[1]:.4f} for {self.recall:g}; "
            f"{self.judges} simulated judges saw {self.simulated[0]:.4f} and "
            f"{self.simulated[1]:.4f}."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for precision, one for recall."""
        rows = tuple(
            (name, true, self.formula[i], self.simulated[i], self.error[i])
            for i, (name, true) in enumerate(
                (("precision", self.precision), ("recall", self.recall))
            )
        )
        heads = ("measure", "true", "by formula", "simulated", "standard error")
        note = f"p_r {self.p_r:g}, p_nr {self.p_nr:g}, {self.judges} judges; recall: ratio of means"
        return (Tabular("appendix", "slipshod judge", heads, rows, (note,)),)


def appendix(
    *,
    precision: float,
    recall: float,
    N: int,
    G: int,
    n: int,
    p_r: float,
    p_nr: float,
    judges: int = 1000,
    seed: int = 0,
) -> Appendix:
    """Precision and recall of n retrieved of N documents, G relevant, as such a judge sees them."""
    check_rates(p_r, p_nr)
    hits = precision * n
    if not math.isclose(hits, recall * G, abs_tol=1e-6) or not math.isclose(
        hits, round(hits), abs_tol=1e-6
    ):
        raise AssayError(
            f"precision {precision:g} of {n} and recall {recall:g} of {G} mean {hits:g} and "
            f"{recall * G:g} relevant documents retrieved; they must be the same whole number"
        )
    both = round(hits)
    if not (both <= min(n, G) and n <= N and G <= N and n + G - both <= N):
        raise AssayError(
            f"{n} retrieved and {G} relevant with {both} in common do not fit into N={N}"
        )
    rng = np.random.default_rng([seed, 3])
    found = rng.binomial(both, p_r, judges) + rng.binomial(n - both, p_nr, judges)
    rest = rng.binomial(G - both, p_r, judges) + rng.binomial(N - n - (G - both), p_nr, judges)
    called = found + rest
    ratio = found.mean() / called.mean() if called.any() else math.nan
    spread = (found - ratio * called) / (called.mean() or 1.0)
    formula = (
        float(apparent_precision(precision, p_r, p_nr)),
        float(apparent_recall(recall, G, N, n, p_r, p_nr)),
    )
    error = (
        float(found.std(ddof=1) / n / math.sqrt(judges)),
        float(spread.std(ddof=1) / math.sqrt(judges)),
    )
    return Appendix(
        p_r,
        p_nr,
        precision,
        recall,
        formula,
        (float(found.mean() / n), float(ratio)),
        error,
        judges,
    )


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

    @property
    def tested(self) -> bool:
        """Whether there was a real judge to test against."""
        return not math.isnan(self.tau.observed)

    @property
    def fits(self) -> bool:
        """Whether both observed values lie in their ranges."""
        return self.tau.fits and self.slope.fits

    def verdict(self) -> str:
        """One sentence."""
        tau, slope = self.tau, self.slope
        said = (
            f"Errors {self.model}: {self.measure} predicts tau {tau.low:.2f} to {tau.high:.2f} and "
            "slope "
            f"{slope.low:.2f} to {slope.high:.2f}"
        )
        if not self.tested:
            return said + "; untested, for there is no second judge."
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


# ------------------------------------------------------------------------- what the model then says


@dataclass(frozen=True)
class OrderKept:
    """Probability that two systems keep their true order, by judge quality and number of topics."""

    model: str
    measure: str
    fits: bool
    qualities: tuple[float, ...]  # share of labels that are true; 0 is the judge as modelled
    topics: tuple[int, ...]
    gaps: tuple[str, ...]  # true difference of the two means
    pairs: tuple[int, ...]  # how many pairs differ by so much
    kept: Array  # [quality, topics, gap]

    def verdict(self) -> str:
        """One sentence."""
        q, n = 0, len(self.topics) - 1
        said = ", ".join(
            f"{self.kept[q, n, g]:.0%} at {gap}" for g, gap in enumerate(self.gaps) if self.pairs[g]
        )
        return (
            f"Under such a judge and {self.topics[n]} topics two systems keep their order by "
            f"{self.measure} with probability {said} true difference."
        )

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for each quality and number of topics."""
        rows = tuple(
            (quality, topics, *(float(x) for x in self.kept[q, n]))
            for q, quality in enumerate(self.qualities)
            for n, topics in enumerate(self.topics)
        )
        named = tuple(f"difference {gap}" for gap in self.gaps)
        note = (
            f"{self.measure}, errors {self.model}; quality: share of labels that are true, the "
            "rest as "
            "modelled; pairs of systems in each column: " + ", ".join(map(str, self.pairs))
        )
        return (Tabular("order", "order kept", ("quality", "topics", *named), rows, (note,)),)


def order_kept(
    panel: Panel,
    model: ErrorModel,
    measure: Measure,
    *,
    fits: bool,
    judges: int = 200,
    seed: int = 0,
    qualities: tuple[float, ...] = QUALITIES,
    topics: tuple[int, ...] | None = None,
) -> OrderKept:
    """How often a judge's order of two systems on a sample of topics is the true one on all."""
    start, T = panel.judged.start, len(panel.topics)
    sizes = topics or tuple(sorted({5, 10, 20, T, 2 * T}))

    def real(t: int) -> Array:
        return model.truth[int(start[t]) : int(start[t + 1])][None]

    true = steady(batch_means(panel, [measure], real, 1)[0][0, :, 0])
    left, right = np.triu_indices(len(true), 1)
    gap = np.abs(true[left] - true[right])
    which = np.searchsorted(np.asarray(GAPS), gap, side="right")
    differ = gap > 0
    pairs = np.bincount(which[differ], minlength=len(GAPS) + 1)
    kept = np.full((len(qualities), len(sizes), len(GAPS) + 1), np.nan)
    rng = np.random.default_rng([seed, 5])
    for q, quality in enumerate(qualities):

        def draw(t: int, quality: float = quality) -> Array:
            part = slice(int(start[t]), int(start[t + 1]))
            return model.draw(part, judges, (seed, 6, t), quality)

        _, values = batch_means(panel, [measure], draw, judges, values=True)
        by_topic = np.asarray(values)[:, :, 0, :]
        known = ~np.isnan(by_topic)
        filled = np.where(known, by_topic, 0.0)
        for n, size in enumerate(sizes):
            drawn = rng.integers(0, T, (judges, size)) + np.arange(judges)[:, None] * T
            weight = np.bincount(drawn.ravel(), minlength=judges * T).reshape(judges, 1, T)
            total = (weight * known).sum(axis=-1)
            means = steady((weight * filled).sum(axis=-1) / np.where(total == 0, np.nan, total))
            turned = np.sign(means[:, left] - means[:, right]) * np.sign(true[left] - true[right])
            right_way = np.where(turned == 0, 0.5, turned > 0).mean(axis=0)  # a tie is half kept
            sums = np.bincount(which[differ], right_way[differ], minlength=len(GAPS) + 1)
            kept[q, n] = sums / np.where(pairs == 0, np.nan, pairs)
    edges = ("0", *(f"{each:g}" for each in GAPS))
    names = (*tuple(f"{a} to {b}" for a, b in itertools.pairwise(edges)), f"over {edges[-1]}")
    return OrderKept(
        model.name, str(measure), fits, qualities, sizes, names, tuple(int(x) for x in pairs), kept
    )


@dataclass(frozen=True)
class Favour:
    """Does a judge favour some runs? Difference of differences, with an interval over topics."""

    measure: str
    truth: str
    judge: str
    groups: tuple[str, ...]
    runs: tuple[int, ...]  # in each group
    gain: tuple[Estimate, ...]  # (judge - truth) of the group's runs less that of all others

    def verdict(self) -> str:
        """One sentence."""
        sure = [
            f"{group} by {gain}"
            for group, gain in zip(self.groups, self.gain, strict=True)
            if gain.low > 0 or gain.high < 0
        ]
        what = "; ".join(sure) if sure else "no group of runs beyond the error of these topics"
        return f"Beside {self.truth}, {self.judge} favours {what} ({self.measure}, against others)."

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for each group."""
        rows = tuple(
            (group, n, gain.value, gain.low, gain.high)
            for group, n, gain in zip(self.groups, self.runs, self.gain, strict=True)
        )
        note = (
            f"{self.measure}: mean over the group's runs of ({self.judge} less {self.truth}), less "
            "that of "
            "all other runs; intervals over topics; several groups are several comparisons"
        )
        heads = ("group of runs", "runs", "favour", "low", "high")
        return (Tabular("favour", "favoured runs", heads, rows, (note,)),)


def favour(
    values: Array,
    group: tuple[str, ...],
    *,
    measure: str,
    judges: tuple[str, str],
) -> Favour:
    """values[judge, run, topic] of two judges, the truth first; the group of each run."""
    gap = values[1] - values[0]
    gap = gap[:, ~np.isnan(gap).any(axis=0)]
    names, sizes, gains = [], [], []
    for name in dict.fromkeys(group):
        inside = np.asarray([each == name for each in group])
        if inside.all():
            continue
        names.append(name)
        sizes.append(int(inside.sum()))
        gains.append(mean_of(gap[inside].mean(axis=0) - gap[~inside].mean(axis=0)))
    return Favour(measure, *judges, tuple(names), tuple(sizes), tuple(gains))


# ---------------------------------------------------------------------------------- without a truth


@dataclass(frozen=True)
class DawidSkene:
    """Judges' errors estimated from each other, no one being the truth."""

    judges: tuple[str, ...]
    levels: tuple[float, ...]
    prior: Array  # [level]
    confusion: Array  # [judge, true level, label]
    posterior: Array  # [pair, true level]
    rounds: int
    settled: bool

    @property
    def accuracy(self) -> Array:
        """Chance that a judge's label is the true one, [judge]."""
        right = np.diagonal(self.confusion, axis1=-2, axis2=-1)
        return np.asarray(right @ self.prior)

    def rates(self, rel: float) -> Array:
        """p_r and p_nr of each judge at a threshold: [judge, 2]."""
        yes = np.asarray(self.levels) >= rel
        out = np.full((len(self.judges), 2), np.nan)
        for k, side in enumerate((yes, ~yes)):
            weight = self.prior * side
            if weight.sum() > 0:
                out[:, k] = (self.confusion[:, :, yes].sum(axis=-1) @ weight) / weight.sum()
        return out

    def verdict(self) -> str:
        """One sentence."""
        best, worst = int(self.accuracy.argmax()), int(self.accuracy.argmin())
        return (
            f"By what the judges share (Dawid & Skene), {self.judges[best]} is nearest to it "
            f"({self.accuracy[best]:.0%} of labels) and {self.judges[worst]} farthest "
            f"({self.accuracy[worst]:.0%}); judges who err alike are taken for right."
        )

    def tabulars(self, rel: float = 1.0) -> tuple[Tabular, ...]:
        """A row for each judge."""
        each = self.rates(rel)
        rows = tuple(
            (judge, float(self.accuracy[j]), float(each[j, 0]), float(each[j, 1]))
            for j, judge in enumerate(self.judges)
        )
        shares = ", ".join(
            f"{level:g}: {share:.3f}" for level, share in zip(self.levels, self.prior, strict=True)
        )
        note = (
            f"{self.rounds} rounds{'' if self.settled else ', not settled'}; true grades {shares}"
        )
        heads = ("judge", "labels right", "p_r", "p_nr")
        return (Tabular("dawid-skene", "errors without a truth", heads, rows, (note,)),)


def dawid_skene(
    grade: Array, *, judges: tuple[str, ...], rounds: int = 500, tolerance: float = 1e-8
) -> DawidSkene:
    """EM from the majority, grade[judge, pair]; Dawid & Skene 1979, doi:10.2307/2346806."""
    if len(judges) < 3:
        raise AssayError("without a truth, errors can be told apart from three judges on")
    known = ~np.isnan(grade)
    levels = np.unique(grade[known])
    if len(levels) > 20:
        raise AssayError(
            f"Dawid & Skene's model needs grades, at most 20 levels; found {len(levels)}"
        )
    J, K = len(judges), len(levels)
    label = np.zeros((J, grade.shape[1], K))
    for k, level in enumerate(levels):
        label[..., k] = grade == level
    judged = known.any(axis=0)
    label = label[:, judged]
    votes = label.sum(axis=0)
    posterior = votes / votes.sum(axis=-1, keepdims=True)
    before, done, turn = -math.inf, False, 0
    while turn < rounds and not done:
        turn += 1
        prior = posterior.mean(axis=0)
        confusion = np.einsum("pk,jpl->jkl", posterior, label) + 1e-6
        confusion /= confusion.sum(axis=-1, keepdims=True)
        log = np.einsum("jpl,jkl->pk", label, np.log(confusion)) + np.log(prior + 1e-300)
        top = log.max(axis=-1, keepdims=True)
        likelihood = float((top[:, 0] + np.log(np.exp(log - top).sum(axis=-1))).sum())
        posterior = np.exp(log - top)
        posterior /= posterior.sum(axis=-1, keepdims=True)
        done = abs(likelihood - before) <= tolerance * abs(likelihood)
        before = likelihood
    everywhere = np.full((grade.shape[1], K), np.nan)
    everywhere[judged] = posterior
    return DawidSkene(judges, tuple(map(float, levels)), prior, confusion, everywhere, turn, done)
