"""Curves: what a measure gives at every rank, beside the ideal, and how such curves are read.

After Järvelin & Kekäläinen 2002, sections 2 and 3, https://doi.org/10.1145/582415.582418. The point
of a curve at rank r is the measure at the cut-off r, from its kernel and under the same policies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.evaluation import each_level, evaluate
from assay.inputs import inputs
from assay.measures.arrays import gain_of
from assay.measures.measure import Measure, parse
from assay.measures.registry import lookup
from assay.pictured import Pictured
from assay.policy import Policy
from assay.run import Run
from assay.scores import NOT_JUDGED, UNDEFINED, Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from assay.curve_bands import Band
    from assay.judgments import Judgments

__all__ = ["Curves", "curves"]

Array = np.ndarray[Any, np.dtype[Any]]

DEPTH = 100
LEVELS = tuple(level / 10 for level in range(11))
IDEAL = "ideal"
RAW = {"nCG": "CG", "nDCG": "DCG", "nDCG_JK": "DCG_JK"}  # a normalised vector: the one it divides
MOST = 1 << 28  # numbers that are held at once
MOST_POINTS = 10_000  # measures times ranks
NEAR = 1e-12


@dataclass(frozen=True)
class Reading:
    """One run's curve of one measure, read downwards (Järvelin & Kekäläinen, section 3)."""

    run: str
    area: float  # between the normalised curve and 1, as a share of the whole
    gap: float  # largest distance below the ideal: the effort wasted
    gap_rank: float
    behind: float  # largest distance below the best run at a rank
    behind_rank: float


@dataclass(frozen=True, eq=False, repr=False)
class Curves(Pictured):
    """Vectors [judge, run, measure, topic, point]; points are ranks, or levels of recall.

    `values` are the measure's, `gains` those of the vector that it normalises (else the same), and
    `ideal` [judge, measure, topic, point] what the topic's documents, best first, reach of that.
    """

    judges: tuple[str, ...]
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    points: tuple[float, ...]
    values: Array
    gains: Array
    ideal: Array
    normalised: tuple[bool, ...]  # which measures are shares of an ideal
    average: str = "ratios"
    axis: str = "rank"
    policy: Policy = field(default_factory=Policy)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.values, self.gains, self.ideal):
            array.setflags(write=False)

    def __repr__(self) -> str:
        shown, sizes = ", ".join(self.measures), map(len, (self.runs, self.topics, self.points))
        return "Curves({}: {} run(s), {} topic(s), {} points)".format(shown, *sizes)

    # ------------------------------------------------------------------------------------- vectors

    def of(
        self, run: str, topic: str, measure: str | None = None, judge: str | None = None
    ) -> Array:
        """The vector of one run on one topic."""
        j, m = self._place(measure, judge)
        if topic not in self.topics:
            raise AssayError(f"no topic {topic!r} in these curves")
        found: Array = self.values[j, self._run(run), m, self.topics.index(topic)]
        return found

    def mean(self, run: str, measure: str | None = None, judge: str | None = None) -> Array:
        """The curve of one run, averaged over topics.

        By `average="ratios"` the mean of the topics' values, as in a table; by `"vectors"` the mean
        of their gains over the mean of their ideals, as in the paper's figures.
        """
        j, m = self._place(measure, judge)
        r = self._run(run)
        if self.normalised[m] and self.average == "vectors":
            shown, best = self._means(j, r, m)
            return _ratio(shown, best)
        return _mean(self.values[j, r, m])

    def gain(self, run: str, measure: str | None = None, judge: str | None = None) -> Array:
        """The gains themselves, averaged over topics; of the run `ideal`, those of the ideal."""
        j, m = self._place(measure, judge)
        if run == IDEAL and IDEAL not in self.runs:
            return _mean(self.ideal[j, m])
        return self._means(j, self._run(run), m)[0]

    def _both(
        self, run: str, other: str, measure: str | None, judge: str | None
    ) -> tuple[Array, Array]:
        """Mean gains of a run and of another, or the ideal, over the topics that both have."""
        j, m = self._place(measure, judge)
        mine = self.gains[j, self._run(run), m]
        best = other == IDEAL and IDEAL not in self.runs
        theirs = self.ideal[j, m] if best else self.gains[j, self._run(other), m]
        known = ~(np.isnan(mine) | np.isnan(theirs)).any(axis=-1)
        return _mean(mine[known]), _mean(theirs[known])

    def _means(self, j: int, r: int, m: int) -> tuple[Array, Array]:
        """Mean vectors of a run and of the ideal, over the topics that the run's mean holds."""
        known = ~np.isnan(self.gains[j, r, m]).any(axis=-1)
        return _mean(self.gains[j, r, m][known]), _mean(self.ideal[j, m][known])

    def _place(self, measure: str | None, judge: str | None) -> tuple[int, int]:
        j = self._one("judgment set", judge, self.judges)
        return j, self._one("measure", measure, self.measures)

    def _run(self, run: str) -> int:
        return self._one("run", run, self.runs)

    def cumulated(self, measure: str) -> bool:
        """Whether the measure adds up gains, so that its ideal rises until nothing is left."""
        name = measure.partition("(")[0]
        return name in RAW or name in RAW.values()

    def vector(self, measure: str) -> str:
        """The vector that gaps and ranks are read off: the one that the measure normalises."""
        name, bracket, settings = measure.partition("(")
        return RAW.get(name, name) + bracket + settings

    @staticmethod
    def _one(what: str, name: str | None, names: tuple[str, ...]) -> int:
        if name is None and len(names) == 1:
            return 0
        if name is None:
            raise AssayError(
                f"these curves have {len(names)} {what}s; name one of {', '.join(names)}"
            )
        if name not in names:
            raise AssayError(f"no {what} {name!r} in these curves; there are: {', '.join(names)}")
        return names.index(name)

    # ---------------------------------------------------------------------------- read horizontally

    def reach(
        self, run: str, other: str = IDEAL, measure: str | None = None, judge: str | None = None
    ) -> Array:
        """For each rank r, the rank at which the run reaches what the other has gained at r.

        NaN where it does not within the depth. Gains are those averaged over topics.
        """
        self._ranks_only("reach")
        return self._reached(*self._both(run, other, measure, judge))

    def _reached(self, mine: Array, goal: Array) -> Array:
        best = np.maximum.accumulate(mine)
        at = np.searchsorted(best, goal - NEAR * np.maximum(1, np.abs(goal)), side="left")
        ranks = np.append(np.asarray(self.points, dtype=np.float64), np.nan)
        unknown = np.isnan(goal) | np.isnan(mine).any()
        found: Array = np.where(unknown, np.nan, ranks[at])
        return found

    def effort(
        self, run: str, other: str = IDEAL, measure: str | None = None, judge: str | None = None
    ) -> Array:
        """For each rank r, how many times r the run takes to reach what the other has at r."""
        found: Array = self.reach(run, other, measure, judge) / np.asarray(self.points)
        return found

    def flat(
        self, topic: str | None = None, measure: str | None = None, judge: str | None = None
    ) -> float:
        """The rank at which the ideal turns flat: nothing is left to be gained beyond it.

        Of one topic, or of the ideal averaged over topics; NaN where it still rises at the depth.
        """
        self._ranks_only("flat")
        j, m = self._place(measure, judge)
        best = (
            _mean(self.ideal[j, m]) if topic is None else self.ideal[j, m, self.topics.index(topic)]
        )
        rising = np.flatnonzero(
            np.diff(best) > NEAR * max(1.0, float(np.nanmax(best, initial=0.0)))
        )
        last = int(rising[-1]) + 1 if len(rising) else 0
        return np.nan if last == len(best) - 1 else self.points[last]

    def _ranks_only(self, what: str) -> None:
        if self.axis != "rank":
            raise AssayError(
                f"{what}: these curves run over levels of recall; it is read off ranks"
            )

    # ------------------------------------------------------------------------------ read vertically

    def gap(self, run: str, measure: str | None = None, judge: str | None = None) -> Array:
        """How far the run lies below the ideal at each rank: the paper's wasted effort."""
        mine, best = self._both(run, IDEAL, measure, judge)
        return best - mine

    def behind(self, run: str, measure: str | None = None, judge: str | None = None) -> Array:
        """How far the run lies below the best run of each rank."""
        ahead = [np.subtract(*self._both(each, run, measure, judge)) for each in self.runs]
        found: Array = np.max(ahead, axis=0)
        return found

    def area(self, run: str, measure: str | None = None, judge: str | None = None) -> float:
        """The mean distance of the normalised curve from 1, the ideal's."""
        j, m = self._place(measure, judge)
        if self.normalised[m]:
            curve = self.mean(run, measure, judge)
        else:
            r = self._run(run)
            by_topic = _ratio(self.gains[j, r, m], self.ideal[j, m])
            vectors = self.average == "vectors"
            curve = _ratio(*self._means(j, r, m)) if vectors else _mean(by_topic)
        return float(np.mean(1 - curve))

    def difference(
        self,
        run: str,
        baseline: str,
        measure: str | None = None,
        judge: str | None = None,
        level: float = 0.95,
    ) -> Band:
        """How far the run's curve lies above the baseline's, with an interval at each point.

        The intervals are of the topics' differences, which the two runs share; each holds by
        itself, not for the curve as a whole.
        """
        from assay.curve_bands import band

        return band(self, run, baseline, measure, judge, level)

    def crossings(
        self, run: str, other: str, measure: str | None = None, judge: str | None = None
    ) -> tuple[float, ...]:
        """The points from which the run, behind until then, leads the other, or the reverse."""
        difference = self.mean(run, measure, judge) - self.mean(other, measure, judge)
        difference[np.abs(difference) <= NEAR] = 0
        there = np.flatnonzero(np.nan_to_num(difference))
        turned = np.sign(difference[there[1:]]) != np.sign(difference[there[:-1]])
        return tuple(self.points[i] for i in there[1:][turned])

    def crossed(
        self, measure: str | None = None, judge: str | None = None
    ) -> dict[tuple[str, str], tuple[float, ...]]:
        """Two runs whose curves cross, and where: `crossings` of every such pair."""
        pairs = combinations(self.runs, 2)
        found = {pair: self.crossings(*pair, measure, judge) for pair in pairs}
        return {pair: points for pair, points in found.items() if points}

    def readings(self, measure: str | None = None, judge: str | None = None) -> tuple[Reading, ...]:
        """Area, largest gap and largest distance behind the best run, for each run."""
        found = []
        for run in self.runs:
            gap, behind = self.gap(run, measure, judge), self.behind(run, measure, judge)
            g, b = int(np.argmax(gap)), int(np.argmax(behind))
            area = self.area(run, measure, judge)
            found.append(
                Reading(run, area, float(gap[g]), self.points[g], float(behind[b]), self.points[b])
            )
        return tuple(found)

    # -------------------------------------------------------------------------------- other forms

    def to_polars(self, *, per_topic: bool = False, against: str = IDEAL) -> pl.DataFrame:
        """Long form: judge, run, measure, topic (or `all`), rank or recall, value, gain, ideal.

        By rank also `reach`: the rank at which the run has what `against`, the ideal or a run, has
        at this rank; null where it has it nowhere.
        """
        import polars as pl

        if against != IDEAL:
            self._run(against)
        frames = []
        topics = [*(self.topics if per_topic else ()), "all"]
        for judge in self.judges:
            for run in self.runs:
                for measure in self.measures:
                    parts = [self._three(run, measure, judge, topic) for topic in topics]
                    value, gain, ideal = (np.concatenate(each) for each in zip(*parts, strict=True))
                    columns = {
                        "judge": [judge] * len(value),
                        "run": [run] * len(value),
                        "measure": [measure] * len(value),
                        "topic": np.repeat(topics, len(self.points)),
                        self.axis: np.tile(self.points, len(topics)),
                        "value": value,
                        "gain": gain,
                        "ideal": ideal,
                    }
                    if self.axis == "rank":
                        reached = [self._reach(run, against, measure, judge, t) for t in topics]
                        columns["reach"] = np.concatenate(reached)
                    frames.append(pl.DataFrame(columns))
        found = pl.concat(frames)
        if self.axis != "rank":
            return found
        return found.with_columns(
            pl.col("rank").cast(pl.Int64), pl.col("reach").fill_nan(None).cast(pl.Int64)
        )

    def _reach(self, run: str, other: str, measure: str, judge: str, topic: str) -> Array:
        """The same as `reach`, of one topic or, as `all`, of the mean gains."""
        if topic == "all" and "all" not in self.topics:
            return self.reach(run, other, measure, judge)
        j, m = self._place(measure, judge)
        t, ideal = self.topics.index(topic), other == IDEAL and IDEAL not in self.runs
        goal = self.ideal[j, m, t] if ideal else self.gains[j, self._run(other), m, t]
        return self._reached(self.gains[j, self._run(run), m, t], goal)

    def _three(self, run: str, measure: str, judge: str, topic: str) -> tuple[Array, Array, Array]:
        j, m = self._place(measure, judge)
        r = self._run(run)
        if topic == "all" and "all" not in self.topics:
            return self.mean(run, measure, judge), *self._means(j, r, m)
        t = self.topics.index(topic)
        return self.values[j, r, m, t], self.gains[j, r, m, t], self.ideal[j, m, t]

    def table(self, *, against: str = IDEAL) -> Any:
        """A table for people, which prints itself in a terminal and in a notebook.

        It says at which ranks a run has what `against`, the ideal or a run, has at ranks 5, 10, 20.
        """
        from assay.show.curves import curves_page

        if against != IDEAL:
            self._run(against)
        return curves_page(self, against)

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html


def _mean(vectors: Array) -> Array:
    """Mean over topics, those without a value left out."""
    known = ~np.isnan(vectors)
    many = known.sum(axis=0)
    total = np.where(known, vectors, 0.0).sum(axis=0)
    return np.where(many > 0, total / np.maximum(many, 1), np.nan)


def _ratio(shown: Array, best: Array) -> Array:
    best = np.broadcast_to(best, shown.shape)
    return np.where(best == 0, np.nan, shown / np.where(best == 0, 1.0, best))


def curves(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] = "nDCG_JK",
    *,
    depth: int | None = None,
    average: str = "ratios",
    levels: Sequence[float] = LEVELS,
    missing: str = "worst",
    undefined: str = "skip",
    unjudged: str = "nonrelevant",
    ties: str = "trec",
    precision: str = "float64",
    negative: str = "unjudged",
    ignore_self: bool = False,
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Curves:
    """What measures give at every rank to `depth`, for each run and topic and on average.

    * measures: any with a cut-off, such as `"CG"`, `"DCG_JK(b=10)"`, `"nDCG"`, `"P"`, `"R"`; or
      `"PR"`, interpolated precision at the `levels` of recall. `nDCG@50` is `nDCG` with depth 50.
    * average: `"ratios"`, topics first, so that a point equals the table's value at that cut-off;
      or `"vectors"`, averaged gains over averaged ideals, as the paper's curves.

    The other settings are those of `assay.evaluate`.

    >>> judged = {"q": {"d1": 3, "d2": 3, "d3": 1}}
    >>> found = curves(judged, {"q": {"d3": 3.0, "d1": 2.0, "x": 1.0}}, "nCG", depth=4)
    >>> print(found.mean("run").round(3), found.gain("run"), found.gain("ideal"))
    [0.333 0.667 0.571 0.571] [1. 4. 4. 4.] [3. 6. 7. 7.]
    """
    if average not in ("ratios", "vectors"):
        raise AssayError(f"average={average!r}: must be one of 'ratios', 'vectors'")
    if unjudged == "bounds":
        raise AssayError("unjudged='bounds' makes two curves; ask for 'lowest' and for 'highest'")
    given = [measures] if isinstance(measures, str | Measure) else list(measures)
    judges, sources = inputs(judgments, runs, strict=strict)
    policy: dict[str, Any] = {
        "missing": missing,
        "undefined": undefined,
        "unjudged": unjudged,
        "ties": ties,
        "precision": precision,
        "negative": negative,
        "ignore_self": ignore_self,
        "strict": strict,
    }
    recall = {isinstance(each, str) and _PR.fullmatch(each) is not None for each in given}
    if len(recall) > 1:
        raise AssayError(
            "PR runs over levels of recall, the other measures over ranks; ask for them in turn"
        )
    if recall == {True}:
        asked = [parse(_of_recall(str(each), levels[0])) for each in given]
        points: list[float] = [float(level) for level in levels]
    else:
        depth = _depth(given, depth)
        _refuse_large(judges, len(sources), len(given) * depth)
        _refuse_deep(len(given), depth)
        asked = [_at(each, depth) for each in given]
        points = [float(rank) for rank in range(1, depth + 1)]
    bases = list(each_level(tuple(asked), judges))
    return _drawn(judges, runs, bases, points, policy, average, progress)


_PR = re.compile(r"\s*PR\s*(\(.*\))?\s*", re.DOTALL)


def _of_recall(text: str, level: float) -> str:
    form = _PR.fullmatch(text)
    return f"IPrec{(form and form[1]) or ''}@{float(level)!r}"


def _depth(given: Sequence[str | Measure], depth: int | None) -> int:
    if depth is None:
        named = [parse(each) for each in given if isinstance(each, Measure) or "@" in each]
        ranks = [each.at for each in named if each.definition.cutoff != "recall level"]
        depth = max((int(at) for at in ranks if at is not None), default=DEPTH)
    if isinstance(depth, bool) or depth != int(depth) or depth < 1:
        raise AssayError(f"depth={depth!r}: must be a whole number from 1")
    return int(depth)


def _at(given: str | Measure, depth: int) -> Measure:
    """The measure at the last rank of the curve."""
    if isinstance(given, str) and "@" not in given:
        name = given.partition("(")[0].strip()
        definition = lookup(name)
        if definition is not None and definition.cutoff == "required":
            given = f"{given}@{depth}"
    measure = parse(given)
    definition = measure.definition
    if not definition.takes_cutoff or definition.cutoff == "recall level" or measure.start != 1:
        raise AssayError(
            f"{measure}: a curve needs a measure with a cut-off, such as nDCG, CG, P, or PR"
        )
    return measure @ depth


def _drawn(
    judges: list[Judgments],
    runs: Any,
    bases: list[Measure],
    points: list[float],
    policy: dict[str, Any],
    average: str,
    progress: Callable[[float], None] | None,
) -> Curves:
    recall = bases[0].definition.cutoff == "recall level"
    raw = [_raw(base) for base in bases]
    at = [[base @ point for point in points] for base in bases]
    raw_at = [[base @ point for point in points] for base in raw]
    flat = list(dict.fromkeys(measure for row in (*at, *raw_at) for measure in row))
    scores = evaluate(judges, runs, flat, progress=progress, **policy)
    number = {measure: i for i, measure in enumerate(scores.measures)}
    values, gains = (
        np.stack([scores.values[:, :, [number[m] for m in row]] for row in rows], axis=2).swapaxes(
            -1, -2
        )
        for rows in (at, raw_at)
    )
    ideal = np.full((len(judges), len(bases), len(scores.topics), len(points)), np.nan)
    judged = scores.reasons[:, 0, 0] != NOT_JUDGED
    for j, judge in enumerate(judges):
        for m, row in enumerate(raw_at):
            best = _ideal(judge, row, policy)
            for t in np.flatnonzero(judged[j]):
                ideal[j, m, t] = best[scores.topics[t]]
    names = [_bare(base) for base in bases]
    return Curves(
        scores.judges,
        scores.runs,
        tuple(f"PR{name.removeprefix('IPrec')}" for name in names) if recall else tuple(names),
        scores.topics,
        tuple(points),
        values,
        gains,
        ideal,
        tuple(base.name in RAW for base in bases),
        average,
        "recall" if recall else "rank",
        scores.policy,
        (*_once(scores.notes, flat), *_undefined(scores, [row[-1] for row in at])),
        tuple(text for text in scores.warnings if not _earlier(text, points[-1])),
    )


def _refuse_large(judges: list[Judgments], runs: int, many: int) -> None:
    topics = len({topic for judge in judges for topic in judge.topics})
    cells = len(judges) * runs * topics * many
    if cells > MOST:
        raise AssayError(
            f"{cells:,} numbers are too many to hold at once ({many:,} measures and ranks, "
            f"{topics} "
            f"topics, {runs} runs); ask for a smaller depth, or for some of the runs"
        )


def _refuse_deep(measures: int, depth: int) -> None:
    if measures * depth > MOST_POINTS:
        raise AssayError(
            f"depth={depth}: every rank is a measure to evaluate, and {measures} x {depth} are "
            f"more than {MOST_POINTS:,}; ask for a depth (--depth) that the lists have"
        )


def _raw(measure: Measure) -> Measure:
    """The measure whose vector this one normalises, or itself."""
    if measure.name not in RAW:
        return measure
    settings = dict(measure.settings)
    if measure.unjudged is not None:
        settings["unjudged"] = measure.unjudged
    return (parse(RAW[measure.name])(**settings)) @ int(measure.k)


def _bare(measure: Measure) -> str:
    """The measure's name without its cut-off."""
    return str(measure).rpartition("@")[0]


def _ideal(judge: Judgments, row: list[Measure], policy: dict[str, Any]) -> dict[str, Array]:
    """Topic to the vector of its documents, largest gain first and nothing else."""
    parameters = row[0].parameters
    told = {name: parameters[name] for name in ("gain", "gains") if name in parameters}
    frame = judge.frame.with_columns(
        score=np.asarray(gain_of(judge.frame["grade"].to_numpy(), **told), dtype=np.float64)
    )
    good = frame.filter(frame["grade"] > 0)
    settings = {name: value for name, value in policy.items() if name in ("negative", "strict")}
    if not good.height:
        listed: Any = Run({judge.topics[0]: {}}, label=IDEAL)
    else:
        listed = Run(good.select("topic", "doc", "score"), label=IDEAL)
    scores = evaluate(judge, listed, row, missing="worst", undefined="skip", **settings)
    place = [scores.measures.index(measure) for measure in row]
    return dict(zip(scores.topics, scores.values[0, 0, place].T, strict=True))


def _undefined(scores: Scores, last: list[Measure]) -> list[str]:
    """On how many topics the measures are undefined."""
    notes = []
    for measure in last:
        many = int((scores.reasons[:, :, scores.measures.index(measure)] == UNDEFINED).any(1).sum())
        if many:
            why = measure.definition.undefined or "the formula divides by nothing"
            zero, one = scores.policy.undefined == "zero", many == 1
            treated = ("counts" if one else "count") + " as 0" if zero else "left out"
            topics = f"{many} topic{'' if one else 's'}"
            be = "" if zero else "is " if one else "are "
            notes.append(f"{_bare(measure)}: {topics} {be}{treated}, undefined there ({why})")
    return notes


def _once(notes: Sequence[str], measures: Sequence[Measure]) -> tuple[str, ...]:
    """Notes that repeat themselves for every rank, once."""
    found: dict[str, None] = {}
    names = {str(measure): _bare(measure) for measure in measures}
    for text in notes:
        head, colon, rest = text.partition(": ")
        heads = dict.fromkeys(names.get(each, each) for each in head.split(", "))
        found[", ".join(heads) + colon + rest] = None
    return tuple(found)


def _earlier(warning: str, last: float) -> bool:
    """Whether a warning speaks of Judged@k at a rank before the last."""
    head = re.match(r"Judged@(\d+) ", warning)
    return head is not None and int(head[1]) != int(last)
