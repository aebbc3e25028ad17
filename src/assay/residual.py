"""Residuals: how far the documents that nobody judged could move a difference between two runs.

Both runs are judged at once: a document that both retrieved has one grade, and where a measure
divides by the topic's ideal the same grades enter it. The documents in question are those among the
first k of either run, or all that they retrieved where the measure has no cut-off. For these
measures the extremes found are the true ones:

* sums of gains (CG, DCG, DCG_JK, P, RBP): each document moves the difference by itself;
* shares of an ideal (nDCG, nDCG_JK, R): the difference is N/I, N a sum over documents and I the
  ideal's. The largest N/I is the t at which the largest N - t I is 0 (Dinkelbach 1967). Gain level
  by gain level N - t I is the weight of a set of documents less t times a concave function of how
  many documents reach the level; the best set of each size is known, and for t >= 0 the best sets
  of rising levels lie one in the other, so that they make up grades. For t < 0 they would rise the
  other way round, and the best grades give the same set to all levels;
* the first relevant document (RR, Success): one document at most need be relevant.

For other measures (AP, ERR, ...) assignments are searched; what they reach is reachable, but it may
not be the extreme, and nothing is claimed from it but that a reversal is possible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.measures.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from assay.align import Judged
    from assay.inputs import Source
    from assay.judgments import Judgments
    from assay.policy import Policy
    from assay.stats.arrays import Progress

__all__ = ["Residual", "Wanted", "residuals"]

Array = np.ndarray[Any, np.dtype[Any]]

SUMS = ("CG", "DCG", "DCG_JK", "P", "RBP")
SHARES = {"nDCG": ("DCG", ("discount",)), "nDCG_JK": ("DCG_JK", ("b",)), "R": ("CG", ())}
FIRST = ("RR", "Success")
FIELDS = {"grade", "rank", "base", "judged", "retrieved"}
SEARCHED = 12  # assignments of one order that are tried where the extremes are not known
ROUNDS = 50


@dataclass(frozen=True)
class Residual:
    """The lowest and the highest difference that judging the unjudged documents could give."""

    low: float
    high: float
    exact: bool  # whether they are the true extremes, or merely reached by some grades
    documents: int  # that nobody judged, over all topics

    def could_reverse(self, difference: float) -> bool | None:
        """Whether some grades turn the difference round; None where that is not known."""
        reached = self.low <= 0 if difference > 0 else self.high >= 0
        return True if reached else (False if self.exact else None)


@dataclass(frozen=True)
class Wanted:
    """A difference whose residual is asked for."""

    measure: Measure
    run: str
    baseline: str
    topics: tuple[str, ...]


def residuals(
    judgments: Any,
    runs: Any,
    wanted: Sequence[Wanted],
    *,
    policy: Policy,
    judge: str | None = None,
    strict: bool = True,
    progress: Progress = None,
) -> tuple[list[Residual | None], list[str]]:
    """The residual of each difference, None where there is none, and what must be said of them."""
    none: list[Residual | None] = [None] * len(wanted)
    if not wanted:
        return none, []
    if policy.unjudged != "nonrelevant":
        return none, [f"no residuals: documents without a judgment are {policy.unjudged} already"]
    if policy.ties != "trec":
        return none, [f"no residuals under --ties {policy.ties}: they need one order"]
    from assay.inputs import inputs

    judges, sources = inputs(judgments, runs, strict=strict)
    named = [one for one in judges if judge is None or one.label == judge]
    if not named:
        found = ", ".join(one.label for one in judges)
        raise AssayError(f"no judgment set {judge!r} among those given again; there are: {found}")
    pool = _Pool(named[0], sources, wanted, policy, strict=strict)
    answers: list[Residual | None] = []
    skipped: dict[str, None] = {}
    for each in wanted:
        known = FIELDS.issuperset(each.measure.definition.fields) and each.measure.start == 1
        if not known or each.measure.unjudged or each.measure.definition.weak:
            skipped[str(each.measure)] = None
            answers.append(None)
            continue
        answers.append(_Pair(pool, each).residual())
        if progress:
            progress(len(answers) / len(wanted))
    said = [f"no residuals for {', '.join(skipped)}"] if skipped else []
    if any(each is not None and each.documents for each in answers):
        said.append(
            f"residuals: a document without a judgment may have any grade up to {pool.top:g}, the "
            "largest there is; those that neither run shows stay not relevant"
        )
    return answers, said


# ------------------------------------------------------------------------------------ ranks of all


class _Pool:
    """Every document that a run shows or a judge saw, and its rank in each run."""

    def __init__(
        self,
        judge: Judgments,
        sources: list[Source],
        wanted: Sequence[Wanted],
        policy: Policy,
        *,
        strict: bool,
    ) -> None:
        import polars as pl

        from assay.align import Judged
        from assay.judgments import Judgments as Judging

        self.top = max(judge.top, 1.0)
        depth = max((each.measure.k for each in wanted), default=math.inf)
        needed = {each.run for each in wanted} | {each.baseline for each in wanted}
        ours = [source for source in sources if source.label in needed]
        lost = sorted(needed - {source.label for source in ours})
        if lost:
            raise AssayError(f"no run {lost[0]!r} among those given again")
        frames = {source.label: _shown(source, depth, policy, strict=strict) for source in ours}
        frame = judge.frame.select("topic", "doc", "grade")
        if policy.negative == "nonrelevant":
            frame = frame.with_columns(pl.col("grade").clip(lower_bound=0.0))
        topics = frame.select("topic").unique()
        shown = pl.concat([frame.select("topic", "doc") for frame, _ in frames.values()])
        unknown = (
            shown.unique()
            .join(topics, on="topic", how="semi")
            .join(frame, on=["topic", "doc"], how="anti")
            .sort("topic", "doc")
            .with_columns(pl.lit(-1.0).alias("grade"))
        )
        self.judged: Judged = Judged([Judging(pl.concat([frame, unknown]), label=judge.label)])
        self.grade = self.judged.grade[0]
        self.base_start, self.base = self.judged.base(0)
        self.retrieved: dict[str, dict[str, int]] = {}
        self.ranks: dict[str, tuple[Array, Array]] = {}
        for source in ours:
            self.ranks[source.label] = self._join(source.label, frames[source.label][0], policy)
            counts = frames[source.label][1]
            self.retrieved[source.label] = dict(
                zip(counts["topic"].to_list(), counts["len"].to_list(), strict=True)
            )

    def _join(self, label: str, frame: pl.DataFrame, policy: Policy) -> tuple[Array, Array]:
        from assay.align import join
        from assay.blocks import blocks_of
        from assay.run import Run

        run = Run(frame, label=label)
        pair, rank = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for block in blocks_of(run):
            hits = join(
                block,
                self.judged,
                run.origin,
                precision=policy.precision,
                ignore_self=policy.ignore_self,
            )
            pair.append(hits.pair)
            rank.append(hits.rank)
        return np.concatenate(pair), np.concatenate(rank)


def _shown(
    source: Source, depth: float, policy: Policy, *, strict: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of a run down to a depth, ties at its end included, and how many it has by topic."""
    import polars as pl

    from assay.run import read_run

    run = source.run
    if run is None:
        path = str(source.path)
        if not Path(path).is_file():
            raise AssayError(f"{path}: residuals need a file that can be read twice")
        run = read_run(
            path, format=source.format, columns=source.columns, label=source.label, strict=strict
        )
    frame = run.frame
    if policy.ignore_self:
        frame = frame.filter(pl.col("topic") != pl.col("doc"))
    counts = frame.group_by("topic").len()
    if math.isfinite(depth):
        score = (
            pl.col("score").cast(pl.Float32) if policy.precision == "float32" else pl.col("score")
        )
        place = score.rank("min", descending=True).over("topic")
        frame = frame.filter(place <= depth)
    return frame, counts


# ----------------------------------------------------------------------------------- one difference


class _Pair:
    """Two runs under one measure; arrays [topic, document], padded with rank = inf."""

    def __init__(self, pool: _Pool, wanted: Wanted) -> None:
        self.pool, self.wanted = pool, wanted
        self.measure = _resolved(wanted.measure, pool.top)
        self.top = _reach(self.measure, pool.top)
        self.numbers = np.array([pool.judged.number[topic] for topic in wanted.topics])
        ranks = [self._rank_of(run) for run in (wanted.run, wanted.baseline)]
        start = pool.judged.start
        known, unknown = [], []
        for t in self.numbers.tolist():
            pairs = np.arange(start[t], start[t + 1])
            pairs = pairs[np.minimum(ranks[0][pairs], ranks[1][pairs]) < np.inf]
            grade = pool.grade[pairs]
            known.append(pairs[grade >= 0])
            near = np.minimum(ranks[0][pairs], ranks[1][pairs]) <= wanted.measure.k
            unknown.append(pairs[(grade < 0) & near])
        self.known = [_padded([rank[pairs] for pairs in known], np.inf) for rank in ranks]
        self.grade = _padded([pool.grade[pairs] for pairs in known], 0.0)
        self.open = [_padded([rank[pairs] for pairs in unknown], np.inf) for rank in ranks]
        self.is_open = _padded([np.ones(len(pairs)) for pairs in unknown], 0.0) > 0
        bases = [
            pool.base[pool.base_start[t] : pool.base_start[t + 1]] for t in self.numbers.tolist()
        ]
        self.base = _padded(bases, 0.0)
        self.judged = np.array([len(base) for base in bases], dtype=np.float64)
        self.retrieved = [
            np.array(
                [pool.retrieved[run].get(topic, 0) for topic in wanted.topics], dtype=np.float64
            )
            for run in (wanted.run, wanted.baseline)
        ]
        self.defined = np.ones(len(self.numbers), dtype=bool)
        zero = np.zeros(self.is_open.shape)
        self.defined = ~np.isnan(self._value(0, zero) - self._value(1, zero))
        self.start = self.difference(zero)  # as it stands

    def _rank_of(self, run: str) -> Array:
        pair, rank = self.pool.ranks[run]
        whole = np.full(len(self.pool.grade), np.inf)
        whole[pair] = rank
        return whole

    def residual(self) -> Residual:
        """The extremes of the difference of means."""
        zero = np.zeros(self.is_open.shape)
        if self.measure.name in SUMS:
            exact, low, high = True, self._sum(-1), self._sum(1)
        elif self.measure.name in SHARES:
            exact, low, high = True, self._share(-1), self._share(1)
        else:
            exact = self.measure.name in FIRST
            tried = self._singles() if exact else self._searched()
            low, high = zero, zero
            worst = best = self.start
            for grades in tried:
                value = self.difference(grades)
                low = np.where((value < worst)[:, None], grades, low)
                high = np.where((value > best)[:, None], grades, high)
                worst, best = np.fmin(worst, value), np.fmax(best, value)
        return Residual(
            low=float(self.difference(low).mean()),
            high=float(self.difference(high).mean()),
            exact=exact,
            documents=int(self.is_open.sum()),
        )

    # -------------------------------------------------------------------------------------- values

    def difference(self, grades: Array) -> Array:
        """The measure's difference by topic, with these grades for the open documents.

        Where the measure is undefined, it stays so: that is a matter of the judgments there are.
        """
        gap = self._value(0, grades) - self._value(1, grades)
        return np.asarray(np.where(self.defined, gap, 0.0))

    def _value(self, side: int, grades: Array) -> Array:
        rank = np.concatenate([self.known[side], self.open[side]], axis=-1)
        grade = np.concatenate([self.grade, grades], axis=-1)
        grade = np.where(np.isinf(rank), 0.0, grade)
        order = np.argsort(rank, axis=-1, kind="stable")
        base = -np.sort(-np.concatenate([self.base, grades], axis=-1), axis=-1)
        fields = {
            "grade": np.take_along_axis(grade, order, axis=-1),
            "rank": np.take_along_axis(rank, order, axis=-1),
            "base": base,
            "judged": self.judged + self.is_open.sum(axis=-1),
            "retrieved": self.retrieved[side],
        }
        needed = self.measure.definition.fields
        value: Array = np.asarray(
            self.measure.kernel(**{name: fields[name] for name in needed}), dtype=np.float64
        )
        return value

    def _unit(self, formula: Measure, rank: Array, grade: float) -> Array:
        """What one document of this grade adds at each rank."""
        fields = {"grade": np.full((*rank.shape, 1), grade), "rank": rank[..., None]}
        needed = formula.definition.fields
        value: Array = np.asarray(formula.kernel(**{name: fields[name] for name in needed}))
        return value

    # ------------------------------------------------------------------------------------- extremes

    def _best_grade(self) -> float:
        """The grade of the largest gain."""
        from assay.measures.arrays import gain_of

        options = self.measure.parameters
        if not options.get("gains"):
            return self.top
        listed = [grade for grade in options["gains"] if grade > 0]
        judged = np.unique(self.pool.grade[self.pool.grade > 0])
        grades = np.array([*judged, *listed, self.top])
        gains = gain_of(grades, gain=options.get("gain", "linear"), gains=options["gains"])
        return float(grades[int(np.argmax(gains))])

    def _sum(self, side: int) -> Array:
        top = self._best_grade()
        weight = self._unit(self.measure, self.open[0], top) - self._unit(
            self.measure, self.open[1], top
        )
        return np.where(self.is_open & (side * weight > 0), top, 0.0)

    def _levels(self, base: Array) -> tuple[Array, Array]:
        """Positive gains that a document of the topic can have, rising, and their grades."""
        from assay.measures.arrays import gain_of

        options = self.measure.parameters
        if "rel" in options:
            return np.array([1.0]), np.array([self.top])
        grades = np.unique(np.append(base[base > 0], self._best_grade()))
        gains = gain_of(grades, gain=options["gain"], gains=options["gains"])
        gains, first = np.unique(gains, return_index=True)
        return gains[gains > 0], grades[first][gains > 0]

    def _share(self, side: int) -> Array:
        """Grades that make side x difference largest, topic by topic."""
        name, kept = SHARES[self.measure.name]
        options = self.measure.parameters
        formula = Measure(name, tuple((key, options[key]) for key in kept), self.measure.at)
        weight = side * (
            self._unit(formula, self.open[0], 1.0) - self._unit(formula, self.open[1], 1.0)
        )
        weight = np.where(self.is_open, weight, -np.inf)
        by_weight = np.argsort(-weight, axis=-1, kind="stable")
        deepest = self.base.shape[-1] + self.is_open.shape[-1]
        places = np.arange(1, deepest + 1, dtype=np.float64)
        steps = np.ones(deepest) if name == "CG" else self._unit(formula, places, 1.0)
        ideal = np.concatenate([[0.0], np.cumsum(steps)])
        grades = np.zeros(self.is_open.shape)
        for t, order in enumerate(by_weight):
            many = int(self.is_open[t].sum())
            if not many or not self.defined[t]:
                continue
            gains, levels = self._levels(self.base[t])
            base = self._gains(self.base[t])
            weights = np.concatenate([[0.0], np.cumsum(weight[t, order[:many]])])
            share = side * float(self.start[t])
            chosen = _largest_share(share, weights, ideal, gains, base)
            for j in range(many):
                reached = int((chosen > j).sum())  # how many levels hold the document
                grades[t, order[j]] = levels[reached - 1] if reached else 0.0
        return grades

    def _gains(self, grade: Array) -> Array:
        from assay.measures.arrays import gain_of

        options = self.measure.parameters
        if "rel" in options:
            return np.asarray(grade >= options["rel"], dtype=np.float64)
        return np.asarray(gain_of(grade, gain=options["gain"], gains=options["gains"]))

    def _singles(self) -> Any:
        """Every assignment with one relevant document a topic."""
        for j in range(self.is_open.shape[-1]):
            grades = np.zeros(self.is_open.shape)
            grades[:, j] = np.where(self.is_open[:, j], self.top, 0.0)
            yield grades

    def _searched(self) -> Any:
        """The best grade for the m documents that favour one run most, for several m."""
        with np.errstate(divide="ignore"):
            weight = 1 / np.log2(1 + self.open[0]) - 1 / np.log2(1 + self.open[1])
        top = self._best_grade()
        for side in (1, -1):
            order = np.argsort(
                np.where(self.is_open, -side * weight, np.inf), axis=-1, kind="stable"
            )
            place = np.argsort(order, axis=-1, kind="stable")
            width = self.is_open.shape[-1]
            for many in np.unique(np.linspace(1, width, min(width, SEARCHED)).astype(int)):
                yield np.where(self.is_open & (place < many), top, 0.0)


def _largest_share(share: float, weights: Array, ideal: Array, gains: Array, base: Array) -> Array:
    """How many open documents reach each gain level where the share of the ideal is largest.

    `share` is what the judged documents make alone, `weights[c]` the weight of the best c open
    ones, `ideal[c]` the ideal of c documents of gain 1; `gains` are the levels, rising, `base` the
    gains of the judged documents.
    """
    rise = np.diff(np.concatenate([[0.0], gains]))[:, None]
    below = (base[None, :] >= gains[:, None]).sum(axis=-1)
    reach = ideal[below[:, None] + np.arange(len(weights))]
    chosen = np.zeros(len(gains), dtype=np.int64)
    shown = share * float((rise[:, 0] * reach[:, 0]).sum())
    for _ in range(ROUNDS):
        worth = rise * (weights - share * reach)
        best = (
            worth.argmax(axis=-1) if share >= 0 else np.full(len(gains), worth.sum(axis=0).argmax())
        )
        number = shown + float((rise[:, 0] * weights[best]).sum())
        found = number / float((rise[:, 0] * reach[np.arange(len(gains)), best]).sum())
        if not found > share + 1e-13:
            break
        chosen, share = best, found
    return chosen


def _resolved(measure: Measure, top: float) -> Measure:
    """The measure with the top of the scale filled in."""
    options = measure.parameters
    if "max" in options and options["max"] is None and options.get("rel") is None:
        return measure(max=top)
    return measure


def _reach(measure: Measure, top: float) -> float:
    """The top of the scale: the largest grade judged, or one that the measure's options name."""
    options = measure.parameters
    named = [options.get("max"), options.get("rel"), *(options.get("gains") or ())]
    return max([top, *(float(each) for each in named if each is not None)])


def _padded(rows: Sequence[Array], padding: float) -> Array:
    out = np.full((len(rows), max([1, *(len(row) for row in rows)])), padding)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out
