"""Comparing runs: whether a difference is real, how large it is, and what could overturn it.

`compare` takes `Scores` and gives a `Comparison`: for each measure and each pair of runs the
difference of means with its interval and p-value, its size, the topics that make it; and under all
of it what was tested, how, and on what.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.pictured import Pictured
from assay.policy import Policy
from assay.scores import MISSING
from assay.stats import paired
from assay.stats.arrays import Array, Outcome, Progress, spread, steady
from assay.stats.corrections import adjusted, agreeing, levels
from assay.stats.names import CORRECTIONS, FAMILIES, INTERVALS, TESTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from assay.measures.measure import Measure
    from assay.residual import Residual
    from assay.scores import Scores
    from assay.stats.many import Anova, Friedman

__all__ = [
    "Comparison",
    "Difference",
    "Overview",
    "Plan",
    "compare",
]

SIMULTANEOUS = ("tukey-hsd", "randomized-tukey-hsd")  # of themselves, over all pairs of runs
SEVERAL = ("friedman", "anova", *SIMULTANEOUS)  # look at all runs together
RESAMPLING = ("randomization", "bootstrap", "randomized-tukey-hsd")
SWINGS = 6  # topics named for a difference
POWER = 0.8


@dataclass(frozen=True)
class Plan:
    """What was asked for, or chosen where nothing was."""

    test: str
    correction: str  # "none" where the test is simultaneous of itself
    alpha: float
    baseline: str | None
    interval: str
    family: str
    resamples: int
    seed: int
    chosen: tuple[str, ...] = ()  # what the caller left to the defaults: test, correction


@dataclass(frozen=True)
class Difference:
    """One run minus another under one measure."""

    measure: Measure
    run: str
    baseline: str
    mean: float  # of the run
    baseline_mean: float
    difference: float  # of the means
    estimate: float  # what the interval is of: the difference of means, unless the test says else
    low: float
    high: float
    p: float  # corrected
    plain_p: float
    statistic: float
    significant: bool
    topics: int
    won: int
    tied: int
    lost: int
    d: float  # d_z, Hedges-corrected
    d_low: float
    d_high: float
    relative: float  # to the baseline's mean; NaN where that is under .1
    label: str  # Sparck Jones's
    swings: tuple[tuple[str, float], ...]  # topics with the largest differences
    primary: bool
    level: float  # the interval's own: 1 - its confidence
    reason: str = ""  # why p is NaN
    cut: bool = False  # whether the interval's end was moved to 0 so that it agrees with p
    nemenyi: float = math.nan
    residual: Residual | None = None

    @property
    def better(self) -> str | None:
        """The run with the better mean; None where they are equal."""
        if self.difference == 0:
            return None
        up = (self.difference > 0) == self.measure.definition.higher_is_better
        return self.run if up else self.baseline


@dataclass(frozen=True)
class Overview:
    """What holds for all runs under one measure."""

    measure: Measure
    primary: bool
    topics: tuple[str, ...]  # those on which every run has a value
    left_out: tuple[str, ...]
    means: tuple[float, ...]  # one for each run
    deviations: tuple[float, ...]
    about: str  # what intervals are of: mean, pseudo-median, median, mean rank
    tests: int  # in the family that this measure belongs to
    level: float  # of each interval
    residual_variance: float  # beside runs and topics; NaN where it cannot be told
    detectable: float  # smallest difference found with power .8 at the corrected level
    friedman: Friedman | None = None
    anova: Anova | None = None
    ends: tuple[tuple[float, float], ...] = ()  # of the t interval of each mean, by itself
    judged: tuple[float, ...] = ()  # Judged@k of each run; NaN where the measure has no cut-off


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Pictured):
    """Differences between runs, with what is needed to trust them."""

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    judge: str
    plan: Plan
    differences: tuple[Difference, ...]
    overviews: tuple[Overview, ...]
    policy: Policy = field(default_factory=Policy)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"Comparison({len(self.runs)} runs, {len(self.measures)} measure(s), "
            f"{len(self.differences)} difference(s), {self.plan.test})"
        )

    def of(self, run: str, baseline: str, measure: str | Measure | None = None) -> Difference:
        """The difference of two runs, under the primary measure unless another is named."""
        from assay.measures.measure import parse

        wanted = self.measures[0] if measure is None else parse(measure)
        for each in self.differences:
            if (each.run, each.baseline, each.measure) == (run, baseline, wanted):
                return each
        raise AssayError(
            f"no difference of {run!r} and {baseline!r} under {wanted} in this comparison; there "
            "are, "
            f"for example: {self.differences[0].run!r} and {self.differences[0].baseline!r}, in "
            f"this order, under {', '.join(map(str, self.measures))}"
        )

    def under(self, measure: Measure) -> tuple[Difference, ...]:
        """All differences under one measure."""
        return tuple(each for each in self.differences if each.measure == measure)

    def with_residuals(
        self, judgments: Any, runs: Any, *, strict: bool = True, progress: Progress = None
    ) -> Comparison:
        """The same, with how far unjudged documents could move each difference.

        `judgments` and `runs` are what the scores were made of; they are read once more.
        """
        from assay.residual import Wanted, residuals

        topics = {each.measure: each.topics for each in self.overviews}
        wanted = [Wanted(d.measure, d.run, d.baseline, topics[d.measure]) for d in self.differences]
        found, notes = residuals(
            judgments,
            runs,
            wanted,
            policy=self.policy,
            judge=self.judge,
            strict=strict,
            progress=progress,
        )
        pairs = zip(self.differences, found, strict=True)
        return replace(
            self,
            differences=tuple(replace(each, residual=residual) for each, residual in pairs),
            notes=(*self.notes, *notes),
        )

    def stars(self, measure: str | Measure | None = None) -> list[str]:
        """Which runs beat which, as in Järvelin & Kekäläinen's Table II: `D, E > A**`.

        ** stands for p < .01 and * for p < .05, corrected.
        """
        from assay.measures.measure import parse

        wanted = self.measures[0] if measure is None else parse(measure)
        winners: dict[tuple[str, str], list[str]] = {}
        for each in self.under(wanted):
            gap = each.estimate if each.measure.definition.higher_is_better else -each.estimate
            if not (each.p < 0.05 and gap):  # NaN is no star
                continue
            better, worse = (each.run, each.baseline) if gap > 0 else (each.baseline, each.run)
            mark = "**" if each.p < 0.01 else "*"
            winners.setdefault((worse, mark), []).append(better)
        order = {run: i for i, run in enumerate(self.runs)}
        return [
            f"{', '.join(sorted(names, key=order.__getitem__))} > {worse}{mark}"
            for (worse, mark), names in sorted(
                winners.items(), key=lambda item: (order[item[0][0]], -len(item[0][1]))
            )
        ]

    def mean_ranks(self, measure: str | Measure | None = None) -> tuple[float, ...]:
        """The mean rank of each run over topics, 1 the best; of Friedman's test alone."""
        about = self.about(measure)
        if about.friedman is None:
            raise AssayError("mean ranks are those of Friedman's test: compare(test='friedman')")
        ranks: list[float] = about.friedman.mean_ranks.tolist()
        up = about.measure.definition.higher_is_better
        return tuple(len(self.runs) + 1 - rank if up else rank for rank in ranks)

    def groups(
        self, measure: str | Measure | None = None
    ) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
        """Runs by their mean ranks, best first, and the stretches in which no two differ.

        A stretch is given by the places of its first and last run; see `assay.stats.cliques`.
        """
        from assay.stats.cliques import cliques

        about, ranks = self.about(measure), self.mean_ranks(measure)
        if self.plan.baseline is not None:
            raise AssayError("groups need all pairs of runs; compare without a baseline")
        order = sorted(range(len(self.runs)), key=lambda i: (ranks[i], i))
        place = {self.runs[i]: k for k, i in enumerate(order)}
        apart = np.zeros((len(order), len(order)), dtype=bool)
        for each in self.under(about.measure):
            a, b = place[each.run], place[each.baseline]
            apart[a, b] = apart[b, a] = each.significant
        return tuple(self.runs[i] for i in order), tuple(cliques(apart))

    def about(self, measure: str | Measure | None = None) -> Overview:
        """What holds for all runs under one measure; under the primary unless one is named."""
        from assay.measures.measure import parse

        wanted = self.measures[0] if measure is None else parse(measure)
        for each in self.overviews:
            if each.measure == wanted:
                return each
        there = ", ".join(map(str, self.measures))
        raise AssayError(f"no measure {str(wanted)!r} in this comparison; there are: {there}")

    def verdict(self) -> str:
        """Two or three sentences on the primary measure, made of the numbers."""
        from assay.show.verdict import verdict

        return verdict(self)

    def table(self) -> Any:
        """A table for people, which prints itself in a terminal and in a notebook."""
        from assay.show.comparison import comparison_table

        return comparison_table(self)

    def to_polars(self) -> pl.DataFrame:
        """One row for each measure and pair of runs, at full precision."""
        import polars as pl

        from assay.show.comparison import COLUMNS, row_of

        rows = [row_of(each) for each in self.differences]
        return pl.DataFrame({name: [row[name] for row in rows] for name in COLUMNS})

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html


# ---------------------------------------------------------------------------------------- compare


def compare(
    scores: Scores,
    *,
    baseline: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    alpha: float = 0.05,
    interval: str = "simultaneous",
    family: str = "primary",
    judge: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    progress: Progress = None,
) -> Comparison:
    """Compare the runs of `scores`, all pairs or each with the baseline.

    Left to itself it uses, two-sided: for two runs a paired t test; for a baseline against several
    paired t tests with Holm's correction; for all pairs the randomised Tukey HSD.

    * baseline: the run that the others are compared with.
    * test: `"t"`, `"wilcoxon"`, `"sign"`, `"randomization"`, `"bootstrap"`, `"friedman"`,
      `"anova"`, `"tukey-hsd"` or `"randomized-tukey-hsd"`.
    * correction: `"holm"`, `"bonferroni"`, `"bh"` or `"none"`; the two HSD tests need none.
    * interval: `"simultaneous"` agrees with the corrected p; `"plain"` holds for one difference by
      itself and agrees with the uncorrected p; `"bootstrap"` is that of the bootstrap test; `"bca"`
      is plain and needs 30 topics.
    * family: the first measure is primary and the others are a family of their own (`"primary"`);
      `"all"` joins them.
    * judge: which set of judgments, where the scores hold several.
    * resamples, seed: for the tests that draw at random.

    Topics on which a run has no value are left out for all runs, and counted.
    """
    check_scores(scores)
    refuse_bounds(scores)
    judge_at, name = chosen_judge(scores, judge)
    plan = _plan(scores, baseline, test, correction, alpha, interval, family, resamples, seed)
    pairs = _pairs(scores.runs, plan.baseline)
    work = [_Work(scores, judge_at, m, plan, pairs) for m in range(len(scores.measures))]
    steps = _Steps(progress, len(work))
    for each in work:
        each.test(steps.next())
    families = [list(range(len(work)))] if family == "all" else [[0], list(range(1, len(work)))]
    for members in filter(None, families):
        _settle([work[m] for m in members], plan)
    notes, warnings = _remarks(scores, work, plan, name)
    return Comparison(
        runs=scores.runs,
        measures=scores.measures,
        judge=name,
        plan=plan,
        differences=tuple(each for one in work for each in one.differences()),
        overviews=tuple(one.overview() for one in work),
        policy=scores.policy,
        notes=notes,
        warnings=warnings,
    )


class _Steps:
    """Shares one progress bar among the measures."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.progress, self.total, self.done = progress, total, -1

    def next(self) -> Progress:
        self.done += 1
        if self.progress is None:
            return None
        report, before, total = self.progress, self.done, self.total
        return lambda share: report((before + share) / total)


def chosen_judge(scores: Scores, judge: str | None) -> tuple[int, str]:
    """Number and label of the judgment set to work under; several need a choice."""
    if judge is None and len(scores.judges) > 1:
        raise AssayError(
            f"these scores hold {len(scores.judges)} judgment sets ({', '.join(scores.judges)}); "
            "say "
            f"which to compare under, as judge={scores.judges[0]!r}"
        )
    if judge is not None and judge not in scores.judges:
        raise AssayError(
            f"no judgment set {judge!r} in these scores; there are: {', '.join(scores.judges)}"
        )
    name = judge or scores.judges[0]
    return scores.judges.index(name), name


def check_scores(scores: Any) -> None:
    """Refuse what holds no values by topic."""
    from assay.scores import Scores

    if not isinstance(scores, Scores):
        raise AssayError(
            f"expected Scores, as assay.evaluate(judgments, runs, measures) gives them, found "
            f"{type(scores).__name__}"
        )


def refuse_bounds(scores: Scores) -> None:
    """Refuse values that every run has under grades of its own."""
    for measure in scores.measures:
        how = measure.unjudged or scores.policy.unjudged
        if how in ("lowest", "highest"):
            raise AssayError(
                f"{measure}: unjudged='{how}' gives every run the grades that suit it, and no "
                "judgments give both runs theirs, so a difference says nothing; compare under "
                "unjudged='nonrelevant': residuals bound the difference under the same grades"
            )


def _one_of(name: str, value: Any, options: Sequence[str]) -> None:
    if value not in options:
        close = get_close_matches(str(value), options, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise AssayError(f"{name}={value!r}: must be one of {', '.join(map(repr, options))}{hint}")


def _plan(
    scores: Scores,
    baseline: str | None,
    test: str | None,
    correction: str | None,
    alpha: float,
    interval: str,
    family: str,
    resamples: int,
    seed: int,
) -> Plan:
    runs = scores.runs
    _check_runs(runs, baseline)
    check_alpha(alpha)
    check_resampling(resamples, seed)
    _one_of("interval", interval, INTERVALS)
    _one_of("family", family, FAMILIES)
    chosen = []
    if test is None:
        chosen.append("test")
        test = "t" if baseline is not None or len(runs) == 2 else "randomized-tukey-hsd"
        test = "bootstrap" if interval == "bootstrap" else test
    _one_of("test", test, TESTS)
    if interval == "bootstrap" and test != "bootstrap":
        raise AssayError(
            f"interval='bootstrap' with test={test!r}: interval and p must agree; use "
            "test='bootstrap'"
        )
    if test in SEVERAL and len(runs) < 3:
        raise AssayError(
            f"test={test!r} compares three runs or more, found {len(runs)}; for two use 't', "
            "'wilcoxon', 'sign', 'randomization' or 'bootstrap'"
        )
    if test in SIMULTANEOUS and interval == "plain":
        raise AssayError(
            f"interval='plain' with test={test!r}: its intervals hold for all pairs together; "
            "use test='t' for an interval that holds for one pair by itself"
        )
    if test in SIMULTANEOUS:
        if correction is not None:
            raise AssayError(
                f"test={test!r} takes no correction: its p-values hold for all pairs together"
            )
        correction = "none"
    elif correction is None:
        chosen.append("correction")
        correction = "holm"
    _one_of("correction", correction, CORRECTIONS)
    drawn = (int(resamples), int(seed))  # whole numbers of any library
    return Plan(test, correction, alpha, baseline, interval, family, *drawn, tuple(chosen))


def _check_runs(runs: tuple[str, ...], baseline: str | None) -> None:
    if len(runs) < 2:
        raise AssayError(f"comparing needs two runs or more, found {len(runs)}: {', '.join(runs)}")
    for run in runs:
        if runs.count(run) > 1:
            raise AssayError(f"{runs.count(run)} runs are labelled {run!r}; give each its own name")
    if baseline is not None and baseline not in runs:
        close = get_close_matches(baseline, runs, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise AssayError(f"no run {baseline!r} to be the baseline{hint}  Runs: {', '.join(runs)}")


def between(value: Any, low: float, high: float) -> bool:
    """Whether a value is a number, and above the one and below the other."""
    return isinstance(value, Real) and low < value < high  # type: ignore[operator]


def check_alpha(alpha: float) -> None:
    """Refuse what is no level of significance."""
    if not between(alpha, 0, 0.5):
        raise AssayError(f"alpha={alpha!r}: must lie between 0 and 0.5, such as 0.05")


def check_resampling(resamples: Any, seed: Any) -> None:
    """Refuse numbers that no resampling can use."""
    if not isinstance(resamples, Integral) or resamples < 100:
        raise AssayError(f"resamples={resamples!r}: must be a whole number of at least 100")
    if not isinstance(seed, Integral) or seed < 0:
        raise AssayError(f"seed={seed!r}: must be a whole number of at least 0")


def _pairs(runs: tuple[str, ...], baseline: str | None) -> Array:
    """Numbers of the runs compared: the second minus the first is the difference."""
    if baseline is not None:
        base = runs.index(baseline)
        return np.array([(base, other) for other in range(len(runs)) if other != base])
    first, second = np.triu_indices(len(runs), 1)
    return np.stack([first, second], axis=-1)


# ------------------------------------------------------------------------------------ one measure


class _Work:
    """One measure on the way from scores to differences."""

    def __init__(self, scores: Scores, judge: int, m: int, plan: Plan, pairs: Array) -> None:
        self.measure, self.runs, self.plan, self.pairs = (
            scores.measures[m],
            scores.runs,
            plan,
            pairs,
        )
        self.primary = m == 0 or plan.family == "all"
        self.judged = tuple(float(share) for share in scores.judged[judge, :, m])
        table = scores.values[judge, :, m]
        whole: Array = np.asarray(~np.isnan(table).any(axis=0))
        judged: Array = np.asarray(~np.isnan(table).all(axis=0)) | (
            scores.reasons[judge, :, m] == MISSING
        ).any(axis=0)
        self.topics = tuple(t for t, keep in zip(scores.topics, whole, strict=True) if keep)
        self.left_out = tuple(
            t
            for t, keep, ours in zip(scores.topics, whole, judged, strict=True)
            if ours and not keep
        )
        self.undefined = len(scores.topics) - len(self.topics) - len(self.left_out)
        self.x = table[:, whole]
        self._refuse()
        self.d = steady(self.x[pairs[:, 1]] - self.x[pairs[:, 0]])
        self.p = self.low = self.high = np.zeros(0)

    def _refuse(self) -> None:
        n = len(self.topics)
        if n == 0:
            raise AssayError(
                f"{self.measure}: on no topic do all runs have a value; nothing to compare"
            )
        if n == 1:
            raise AssayError(
                f"{self.measure}: only one topic ({self.topics[0]}) has a value for every run; "
                "no test "
                "can tell a difference from chance with less than two"
            )
        if self.plan.interval == "bca" and n < 30:
            raise AssayError(
                f"{self.measure}: BCa intervals need 30 topics, found {n}: with 10 they cover .83 "
                "instead of .95; use interval='bootstrap' (studentised) or 'plain'"
            )

    def test(self, progress: Progress) -> None:
        """Run the test: p-values as yet uncorrected."""
        plan, name = self.plan, self.plan.test
        drawn: dict[str, Any] = {
            "resamples": plan.resamples,
            "seed": plan.seed,
            "progress": progress,
        }
        if name in ("t", "wilcoxon", "sign"):
            self.outcome: Outcome = getattr(paired, name)(self.d)
        elif name in ("randomization", "bootstrap"):
            self.outcome = getattr(paired, name)(self.d, alpha=plan.alpha, **drawn)
        else:
            self.outcome = self._together(drawn)
        self.nemenyi = np.full(len(self.pairs), np.nan)
        if name == "friedman":
            from assay.stats.many import nemenyi

            self.nemenyi = nemenyi(steady(self.x), self.pairs)

    def _together(self, drawn: dict[str, Any]) -> Outcome:
        from assay.stats import many

        x = steady(self.x)
        if self.plan.test == "friedman":
            return many.conover(x, self.pairs)
        if self.plan.test == "anova":
            return many.anova_pairs(x, self.pairs)
        if self.plan.test == "tukey-hsd":
            return many.tukey_hsd(x, self.pairs)
        return many.randomized_tukey_hsd(x, self.pairs, **drawn)

    def settle(self, p: Array, level: float, tests: int, joined: int) -> None:
        """Take corrected p-values and make the intervals that agree with them."""
        plan, outcome = self.plan, self.outcome
        self.p, self.tests = p, tests
        plain = plan.interval in ("plain", "bca")
        self.level = plan.alpha if plain else level
        at = np.full(len(p), self.level)
        with np.errstate(invalid="ignore"):
            self.significant = p <= plan.alpha
            self.agrees = outcome.p <= plan.alpha if plain else self.significant
        if plan.interval == "bca":
            from assay.stats.intervals import bca

            drawn = {"resamples": plan.resamples, "seed": plan.seed}
            self.low, self.high = bca(self.d, plan.alpha, **drawn)
            self.cut = np.zeros(len(p), dtype=bool)
        else:
            low, high = outcome.interval(at)
            known = ~np.isnan(outcome.p)
            self.low, self.high, self.cut = agreeing(
                low, high, outcome.estimate, self.agrees, known
            )
        self.nemenyi = np.minimum(1.0, self.nemenyi * joined)
        self._size()

    def _size(self) -> None:
        """Hedges' d_z, with bounds at the interval's level."""
        from assay.stats.effects import hedges

        level = self.level
        if self.plan.test in SIMULTANEOUS and self.plan.interval == "simultaneous":
            level /= len(self.pairs)
        at = np.full(len(self.pairs), level)
        self.size, low, high = hedges(self.d, at)
        if self.outcome.about == "mean":
            estimate = self.d.mean(axis=-1)
            low, high, _ = agreeing(low, high, estimate, self.agrees, ~np.isnan(self.p))
        self.size_low, self.size_high = low, high

    # ------------------------------------------------------------------------------------- results

    def differences(self) -> list[Difference]:
        from assay.stats.effects import LEAST_BASE, material, won

        means = steady(self.x.mean(axis=-1))
        gap, _ = spread(self.d)
        up, level, down = won(self.d if self.measure.definition.higher_is_better else -self.d)
        largest = np.argsort(-np.abs(self.d), axis=-1, kind="stable")[:, :SWINGS]
        about_means = self.outcome.about == "mean"
        found = []
        for i, (base, other) in enumerate(self.pairs.tolist()):
            base_mean = float(means[base])
            scale = abs(base_mean)
            relative = float(gap[i]) / scale if scale >= LEAST_BASE else math.nan
            swings = tuple(
                (self.topics[t], float(self.d[i, t])) for t in largest[i].tolist() if self.d[i, t]
            )
            found.append(
                Difference(
                    measure=self.measure,
                    run=self.runs[other],
                    baseline=self.runs[base],
                    mean=float(means[other]),
                    baseline_mean=base_mean,
                    difference=float(gap[i]),
                    estimate=float(gap[i] if about_means else self.outcome.estimate[i]),
                    low=float(self.low[i]),
                    high=float(self.high[i]),
                    p=float(self.p[i]),
                    plain_p=float(self.outcome.p[i]),
                    statistic=float(self.outcome.statistic[i]),
                    significant=bool(self.significant[i]),
                    topics=len(self.topics),
                    won=int(up[i]),
                    tied=int(level[i]),
                    lost=int(down[i]),
                    d=float(self.size[i]),
                    d_low=float(self.size_low[i]),
                    d_high=float(self.size_high[i]),
                    relative=relative,
                    label=material(relative),
                    swings=swings,
                    primary=self.primary,
                    level=self.level,
                    reason=self.outcome.reasons.get(i, ""),
                    cut=bool(self.cut[i]),
                    nemenyi=float(self.nemenyi[i]),
                )
            )
        return found

    def overview(self) -> Overview:
        from assay.stats.many import anova, friedman

        x = steady(self.x)
        deviations = x.std(axis=-1, ddof=1)
        variance = anova(x).mse
        low, high = paired.t(x).interval(np.full(len(x), self.plan.alpha))
        flat = np.ptp(x, axis=-1) == 0
        low, high = np.where(flat, x[:, 0], low), np.where(flat, x[:, 0], high)
        return Overview(
            measure=self.measure,
            primary=self.primary,
            topics=self.topics,
            left_out=self.left_out,
            means=tuple(float(mean) for mean in steady(x.mean(axis=-1))),
            deviations=tuple(float(deviation) for deviation in deviations),
            about=self.outcome.about,
            tests=self.tests,
            level=self.level,
            residual_variance=variance,
            detectable=self._detectable(variance),
            friedman=friedman(x) if self.plan.test == "friedman" else None,
            anova=anova(x) if self.plan.test in ("anova", "tukey-hsd") else None,
            ends=tuple(zip(low.tolist(), high.tolist(), strict=True)),
            judged=self.judged,
        )

    def _detectable(self, variance: float) -> float:
        """The difference that a t test at the level of each pair would find with power .8."""
        from scipy.special import stdtr

        from assay.stats.power import detectable

        n = len(self.topics)
        level = self.level
        if self.plan.test in SIMULTANEOUS and self.plan.interval == "simultaneous":
            widths = (self.high - self.low)[~np.isnan(self.low)] / 2
            half = float(np.median(widths)) if len(widths) else math.nan
            error = math.sqrt(2 * variance / n)
            if not (error > 0 and math.isfinite(half)):
                return 0.0 if error == 0 else math.inf
            level = 2 * float(stdtr(n - 1, -half / error))
        elif self.plan.interval != "simultaneous":
            level = self.plan.alpha / max(1, self.tests)
        return detectable(n, 2 * variance, level, POWER) if level > 0 else math.inf


def _settle(family: list[_Work], plan: Plan) -> None:
    """Correct the p-values of one family."""
    every = np.concatenate([work.outcome.p for work in family])
    tests = int((~np.isnan(every)).sum())
    if plan.test in SIMULTANEOUS:
        many = len(family)
        for work in family:
            work.settle(np.minimum(1.0, work.outcome.p * many), plan.alpha / many, many, many)
        return
    corrected = adjusted(every, plan.correction)
    level = levels(every, plan.correction, plan.alpha)
    at = 0
    joined = 1 if plan.correction == "none" else len(family)
    for work in family:
        end = at + len(work.pairs)
        work.settle(corrected[at:end], level, tests, joined)
        at = end


# ---------------------------------------------------------------------------------------- remarks


def _remarks(
    scores: Scores, work: list[_Work], plan: Plan, judge: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    notes, warnings = list(scores.notes), list(scores.warnings)
    if len(scores.judges) > 1:
        notes.append(f"under the judgments of {judge} alone")
    if scores.policy.mean != "arithmetic":
        notes.append(
            f"compared are arithmetic means, whatever the scores' average ({scores.policy.mean})"
        )
    for each in work:
        _remark(each, plan, notes, warnings)
    return tuple(dict.fromkeys(notes)), tuple(dict.fromkeys(warnings))


def _remark(work: _Work, plan: Plan, notes: list[str], warnings: list[str]) -> None:
    measure, n = work.measure, len(work.topics)
    if work.undefined:
        why = measure.definition.undefined or "the formula divides by nothing"
        notes.append(
            f"{measure}: {work.undefined} topic(s) without a value for any run ({why}) left out"
        )
    if work.left_out:
        some = " ".join(work.left_out[:5]) + (" ..." if len(work.left_out) > 5 else "")
        notes.append(
            f"{measure}: {len(work.left_out)} topic(s) left out for all runs, since one of them "
            "has no "
            f"value there ({some})"
        )
    if measure.name == "RR":
        total = float(work.x.sum())
        early = float(work.x[work.x >= 0.5].sum()) / total if total > 0 else 0.0
        said = f"dominate its mean ({early:.0%} of it)"
        notes.append(
            f"{measure}: ranks 1 and 2 {said if early > 0.5 else f'make {early:.0%} of its mean'}; "
            "RR tells little of what comes after the first relevant document"
        )
    identical = [
        f"{work.runs[other]} and {work.runs[base]}"
        for (base, other), row in zip(work.pairs.tolist(), work.d, strict=True)
        if not row.any()
    ]
    if identical:
        some = "; ".join(identical[:3]) + (" ..." if len(identical) > 3 else "")
        notes.append(f"{measure}: equal on every topic: {some}")
    for why, without in Counter(work.outcome.reasons.values()).items():
        notes.append(f"{measure}: {without} difference(s) without a p-value: {why}")
    if plan.test in ("wilcoxon", "sign"):
        zeros = n - work.outcome.used if work.outcome.used is not None else np.zeros(1)
        low, high = int(np.min(zeros)), int(np.max(zeros))
        many = f"{low}" if low == high else f"{low} to {high}"
        notes.append(
            f"{measure}: {many} of {n} differences are 0 and dropped by the {plan.test} test"
        )
    cut = int((work.cut & work.significant).sum())
    if cut:
        notes.append(
            f"{measure}: {cut} interval(s) end at 0 itself: p shows the sign of those differences, "
            "and no distance from 0"
        )
    _warn_of_coarseness(work, plan, warnings)
    if plan.interval == "bca":
        _warn_of_bca(work, warnings)
    if plan.test in ("anova", *SIMULTANEOUS):
        _warn_of_uneven_error(work, warnings)


def _warn_of_coarseness(work: _Work, plan: Plan, warnings: list[str]) -> None:
    """Say where no data could have been significant."""
    n, level = len(work.topics), work.level
    least, source = 0.0, ""
    if plan.test in ("sign", "wilcoxon") or (
        plan.test == "randomization" and n <= paired.EXACT_TOPICS
    ):
        least, source = 2.0 ** (1 - n), f"{n} topics"
    elif plan.test in RESAMPLING:
        least, source = 1 / (1 + plan.resamples), f"{plan.resamples:,} resamples"
    if plan.test == "bootstrap" and float(n) ** (1 - n) > least:
        # resamples of one topic alone have no spread, and count as beyond whatever was seen
        least, source = float(n) ** (1 - n), f"{n} topics"
    if plan.test == "randomized-tukey-hsd":
        # the widest range needs one run first and one run last on every topic
        k = len(work.runs)
        widest = float(k * (k - 1)) ** (1 - n)
        if widest > least:
            least, source = widest, f"{n} topics and {k} runs"
    if least > level:
        enough = math.ceil(1 / level) - 1
        remedy = "" if "topics" in source else f"; ask for {enough:,} resamples or more"
        warnings.append(
            f"{work.measure}: with {source} no p of the {plan.test} test falls below "
            f"{least:.2g}, and the "
            f"corrected level is {level:.2g}: nothing can be significant{remedy}"
        )


def _warn_of_bca(work: _Work, warnings: list[str]) -> None:
    """Say where a BCa interval, which belongs to no test here, contradicts p."""
    apart = (work.low > 0) | (work.high < 0)
    count = int((apart != work.significant).sum())
    if count:
        warnings.append(
            f"{work.measure}: {count} BCa interval(s) disagree with p on whether 0 is excluded; "
            "interval='bootstrap' or 'simultaneous' agree with it"
        )


def _warn_of_uneven_error(work: _Work, warnings: list[str]) -> None:
    from assay.stats.many import anova

    table = anova(steady(work.x))
    if table.uneven_p < 0.05:
        warnings.append(
            f"{work.measure}: residuals are spread unevenly over the runs (Brown-Forsythe p = "
            f"{table.uneven_p:.2g}, largest standard deviation {table.uneven_ratio:.1f} times "
            "the smallest): the yardstick that all pairs share claims too much for the runs that "
            "vary most, too little for the others; see --test t"
        )
