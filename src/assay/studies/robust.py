"""Does "A beats B" survive? One table of the share of perturbations under which it holds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.comparison import check_resampling
from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.inputs import inputs
from assay.judges.panel import loaded, plain_measure
from assay.judges.tabular import Array, Tabular, page
from assay.measures.measure import Measure, parse, parse_all
from assay.pictured import Pictured
from assay.policy import Policy
from assay.stats.arrays import mid_ranks, steady
from assay.stats.resampling import counts
from assay.studies.redrawn import imputed_means, shuffled
from assay.studies.variants import CUT_OFFS, depths, related, weightings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from assay.judgments import Judgments
    from assay.run import Run

__all__ = ["Claim", "Perturbation", "RobustStudy", "study_robust"]

MEASURE = "nDCG@10"
ORDERS = 200  # random orders of ties, at most
ENOUGH = 0.5  # of what the reference judged, for another judge to count
TOGETHER = 25  # of these that are scored at once
SHARES = (
    "shares of the perturbations that were tried, by kind; they are no probabilities, and kinds "
    "cannot be weighed against each other"
)
NAMED = 8  # topics that a table names


@dataclass(frozen=True, eq=False)
class Perturbation:
    """One kind of change: the difference of means under each variant tried."""

    name: str
    about: str
    differences: Array  # [variant] better run less worse; below 0 where the order is reversed
    labels: tuple[str, ...] = ()  # of the variants; none where they were drawn at random

    @property
    def tried(self) -> int:
        """How many variants."""
        return len(self.differences)

    @property
    def holds(self) -> int:
        """Under how many of them the better run stays ahead; level is not ahead."""
        return int((self.differences > 0).sum())

    @property
    def share(self) -> float:
        """Under which share of them it does."""
        return self.holds / self.tried

    @property
    def median(self) -> float:
        """The difference in the middle."""
        return float(np.median(self.differences))

    @property
    def least(self) -> float:
        """The smallest difference."""
        return float(self.differences.min())

    @property
    def where(self) -> str:
        """The variant with the smallest difference; empty where variants were drawn."""
        return self.labels[int(self.differences.argmin())] if self.labels else ""


@dataclass(frozen=True, eq=False)
class Claim:
    """That one run beats the other by a measure, and how it fares."""

    measure: Measure
    better: str
    worse: str
    difference: float
    topics: tuple[str, ...]
    by_topic: Array  # better less worse, one for each of `topics`
    perturbations: tuple[Perturbation, ...]

    @property
    def fewest(self) -> tuple[str, ...] | None:
        """The fewest topics without which the order is reversed; None where no removal does it."""
        order = np.argsort(-self.by_topic, kind="stable")
        rest = steady(self.by_topic.sum() - np.cumsum(self.by_topic[order]))
        enough = np.flatnonzero(rest[:-1] < 0)  # one topic must stay
        if not len(enough):
            return None
        return tuple(self.topics[t] for t in order[: int(enough[0]) + 1])

    @property
    def weakest(self) -> Perturbation | None:
        """The kind under which the claim holds least often; None where it holds under all."""
        found = min(self.perturbations, key=lambda each: each.share)
        return found if found.share < 1 else None

    def sentence(self) -> str:
        """The weakest link, and what it takes to reverse the order, in words."""
        over = f"over {len(self.topics)} topics" if len(self.topics) > 1 else "on one topic"
        if self.difference == 0:
            return f"By {self.measure} {self.better} and {self.worse} are level {over}."
        text = f"By {self.measure} {self.better} beats {self.worse} by {self.difference:.4f} {over}"
        weak = self.weakest
        if weak is None:
            text += f"; no link is weak: it holds under every variant of {len(self.perturbations)}"
            text += " kinds of perturbation"
        else:
            text += (
                f"; the weakest link is {weak.name}: it holds under {weak.holds} of {weak.tried} "
                f"({weak.share:.0%})"
            )
            text += f", least under {weak.where}" if weak.where else ""
        few = self.fewest
        many = "no removal of topics reverses it"
        if few is not None:
            count = (
                "the removal of 1 topic" if len(few) == 1 else f"the removal of {len(few)} topics"
            )
            many = f"{count} reverses it"
        return f"{text}; {many}."


@dataclass(frozen=True)
class RobustStudy(Pictured):
    """What each perturbation does to the order of two runs."""

    runs: tuple[str, ...]
    judges: tuple[str, ...]
    claims: tuple[Claim, ...]
    draws: int
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    title = "robust"
    main = ("robust", "fewest")

    def of(self, measure: str | Measure) -> Claim:
        """What was found by one measure."""
        (wanted,) = parse_all(measure)
        for claim in self.claims:
            if claim.measure == wanted:
                return claim
        there = ", ".join(str(claim.measure) for claim in self.claims)
        raise AssayError(f"no measure {str(wanted)!r} in this study; there are: {there}")

    def verdict(self) -> str:
        """The weakest link by each measure, in words."""
        said = [claim.sentence() for claim in self.claims[:3]]
        return " ".join([*said, "Shares count what was tried; they are no probabilities."])

    def table(self) -> object:
        """The main tables; `.tabulars()` has all."""
        return page(self, *self.main)

    def to_polars(self) -> Any:
        """One row for each measure and kind of perturbation."""
        import polars as pl

        return pl.DataFrame(self._shares().records(), infer_schema_length=None)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Shares by kind of perturbation, fewest topics, every named variant, topics."""
        return (self._shares(), self._fewest(), self._variants(), self._topics())

    def _shares(self) -> Tabular:
        rows, notes = [], []
        for claim in self.claims:
            name, better = str(claim.measure), claim.better
            difference = claim.difference
            rows.append(
                (
                    *(name, better, "as it stands", 1, int(difference > 0)),
                    *(float(difference > 0), difference, difference, ""),
                )
            )
            for each in claim.perturbations:
                rows.append(
                    (
                        *(name, better, each.name, each.tried, each.holds),
                        *(each.share, each.median, each.least, each.where),
                    )
                )
                notes.append(f"{each.name}: {each.about}")
        heads = (
            *("measure", "better", "perturbation", "tried", "holds", "share"),
            *("median", "least", "in"),
        )
        gaps = "median, least: of the differences, better less worse run; in: where it is least"
        return Tabular(
            "robust", "robust", heads, tuple(rows), (SHARES, gaps, *dict.fromkeys(notes))
        )

    def _fewest(self) -> Tabular:
        rows = []
        for claim in self.claims:
            few = claim.fewest
            named = None if few is None else " ".join(few[:NAMED]) + " ..." * (len(few) > NAMED)
            rows.append(
                (
                    str(claim.measure),
                    claim.better,
                    len(claim.topics),
                    int((claim.by_topic > 0).sum()),
                    int((claim.by_topic < 0).sum()),
                    None if few is None else len(few),
                    named,
                )
            )
        heads = ("measure", "better", "topics", "won", "lost", "fewest", "which")
        note = "the fewest topics without which the order is reversed; none: no removal does it"
        return Tabular("fewest", "topics to remove", heads, tuple(rows), (note,))

    def _variants(self) -> Tabular:
        rows = tuple(
            (
                str(claim.measure),
                each.name,
                label,
                float(value),
                "yes" if value > 0 else "no" if value < 0 else "level",
            )
            for claim in self.claims
            for each in claim.perturbations
            for label, value in zip(each.labels, each.differences, strict=bool(each.labels))
        )
        heads = ("measure", "perturbation", "variant", "difference", "holds")
        return Tabular("variants", "variants", heads, rows, ("difference: better less worse run",))

    def _topics(self) -> Tabular:
        rows = tuple(
            (str(claim.measure), claim.topics[t], float(claim.by_topic[t]))
            for claim in self.claims
            for t in np.argsort(-claim.by_topic, kind="stable")
        )
        note = "better less worse run, the topics that carry the difference first"
        return Tabular("topics", "topics", ("measure", "topic", "difference"), rows, (note,))


# -------------------------------------------------------------------------------------- the study


def study_robust(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    draws: int = 1000,
    seed: int = 0,
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
    **policies: Any,
) -> RobustStudy:
    """Whether "A beats B" survives what could as well have been done, for each measure.

    `judgments` may be several sets: the first is the reference, the others are other judges. `runs`
    are two. Perturbed are topics (bootstrap), judges, weightings of grades, the measure, its depth,
    tie orders, grades of unjudged documents (drawn as judged ones at such ranks have them), and the
    scale of values. A judge who judged less than half of what the reference did is left out.

    * draws: of topics and of imputed grades; of tie orders at most 200.
    * policies: as for `evaluate`.
    """
    check_resampling(draws, seed)
    named = parse_all(MEASURE if measures is None else measures)
    _refuse(named, policies)
    judges, sources = inputs(judgments, runs, strict=strict)
    if len(sources) != 2:
        raise AssayError(f"{len(sources)} run(s): the question is whether one beats one other")
    pair = loaded(sources, strict=strict)
    work = _Work(judges, pair, named, draws, seed, policies, progress or (lambda _: None))
    claims = tuple(work.claim(m) for m in range(len(named)))
    return RobustStudy(
        tuple(run.label for run in pair),
        tuple(judge.label for judge in judges),
        claims,
        draws,
        (*work.scores.notes, *dict.fromkeys(work.notes)),
        work.scores.warnings,
    )


def _refuse(measures: Sequence[Measure], policies: Mapping[str, Any]) -> None:
    """What has no mean difference of two runs."""
    Policy(**policies)
    if policies.get("mean", "arithmetic") != "arithmetic":
        raise AssayError("mean: the study is about arithmetic means")
    bounds = [m for m in measures if m.unjudged == "bounds" or m.parameters.get("rel") == "each"]
    if bounds or policies.get("unjudged") == "bounds":
        raise AssayError(f"{(bounds or measures)[0]}: stands for several measures; name one")
    sums = [measure for measure in measures if measure.definition.average == "sum"]
    if sums:
        raise AssayError(f"{sums[0]}: a count over all topics, which has no mean to compare")


class _Work:
    """Everything that is scored once for all measures."""

    def __init__(
        self,
        judges: Sequence[Judgments],
        runs: Sequence[Run],
        measures: Sequence[Measure],
        draws: int,
        seed: int,
        policies: dict[str, Any],
        tell: Callable[[float], None],
    ) -> None:
        self.judges, self.runs, self.measures = judges, list(runs), list(measures)
        self.draws, self.seed, self.policies = draws, seed, policies
        self.notes = [f"{each.label}: left out {each.dropped}" for each in judges if each.dropped]
        self.scores = self._scores(self.measures)
        self.values = self.scores.values[0]  # [run, measure, topic]
        levels = np.unique(judges[0].frame["grade"].to_numpy())
        self.levels = [float(level) for level in levels if level > 0]
        sizes = [run.frame.group_by("topic").len()["len"].max() for run in runs]
        self.longest = max(int(str(size)) for size in sizes)
        tell(0.1)
        self.other = [self._scores(self.measures, judge).values[0] for judge in judges[1:]]
        self.cover = [self._judged_shares(judge) for judge in judges] if self.other else []
        tell(0.4)
        self.ties = self._ties()
        self.orders = self._orders()
        tell(0.7)
        self.imputed = self._imputed()
        tell(0.9)

    def _scores(
        self, measures: Sequence[Measure], judge: Judgments | None = None, **changed: Any
    ) -> Any:
        given = self.judges[0] if judge is None else judge
        return evaluate(given, self.runs, list(measures), **(self.policies | changed))

    def _judged_shares(self, judge: Judgments) -> list[float]:
        """The share of the documents that each measure looks at that a judge judged."""
        looked = [
            int(measure.k)
            if measure.definition.cutoff in CUT_OFFS and measure.at is not None
            else self.longest
            for measure in self.measures
        ]
        values = self._scores([parse(f"Judged@{k}") for k in dict.fromkeys(looked)], judge)
        shares = dict(
            zip(dict.fromkeys(looked), np.nanmean(values.values[0], axis=(0, 2)), strict=True)
        )
        return [float(shares[k]) for k in looked]

    # ------------------------------------------------------------------------------ one measure

    def claim(self, m: int) -> Claim:
        """What is claimed by a measure, and every perturbation of it."""
        measure = self.measures[m]
        ahead = _gap(self.values[:, m], measure)
        known = ~np.isnan(ahead)
        if not known.any():
            raise AssayError(f"{measure}: on no topic has it a value for both runs")
        flip = -1.0 if steady(ahead[known].mean()) < 0 else 1.0
        if steady(ahead[known].mean()) == 0:
            self.notes.append(
                f"{measure}: both runs have the same mean; {self.runs[0].label} is "
                "taken as the better one"
            )
        better, worse = (run.label for run in self.runs[:: int(flip)])
        mine = flip * ahead[known]
        topics = tuple(t for t, keep in zip(self.scores.topics, known, strict=True) if keep)
        found = tuple(self._perturbations(m, mine, flip))
        return Claim(measure, better, worse, float(steady(mine.mean())), topics, mine, found)

    def _perturbations(self, m: int, mine: Array, flip: float) -> Iterator[Perturbation]:
        measure = self.measures[m]
        yield from self._resampled(mine)
        yield from self._judged(m, flip)
        for name, about, variants in (
            (
                "weightings",
                "other weights or thresholds of the levels of relevance",
                weightings(measure, self.levels),
            ),
            ("measures", "measures taken for the same purpose", related(measure)),
            ("depth", "the measure at other depths", depths(measure, self.longest)),
        ):
            yield from self._measured(name, about, variants, flip)
        yield from self._tied(m, flip)
        means = None if self.imputed is None else self.imputed[0][m]
        if self.imputed is not None and means is not None:
            many = int((self.imputed[1] <= measure.k).sum())
            about = (
                f"documents that nobody judged get the grades of judged ones at such ranks "
                f"({measure}: {many} of them), {self.draws:,} draws"
            )
            yield Perturbation("unjudged", about, steady(flip * _signed(means, measure)))
        yield self._rescaled(m, flip)

    def _resampled(self, mine: Array) -> Iterator[Perturbation]:
        if len(mine) < 2:
            self.notes.append("one topic: topics are not perturbed")
            return
        means = np.empty(self.draws)
        for part, drawn in counts(self.draws, len(mine), self.seed):
            means[part] = drawn @ mine / len(mine)
        about = f"{self.draws:,} bootstrap samples of the {len(mine)} topics"
        yield Perturbation("topics", about, steady(means))

    def _judged(self, m: int, flip: float) -> Iterator[Perturbation]:
        measure, first = self.measures[m], self.judges[0]
        names, gaps, without, partial = [], [], [], []
        enough = ENOUGH * self.cover[0][m] if self.cover else 0.0
        for j, (judge, values) in enumerate(zip(self.judges[1:], self.other, strict=True), 1):
            gap = _gap(values[:, m], self.measures[m])
            if self.cover[j][m] < enough:
                partial.append(judge.label)
                continue
            if np.isnan(gap).all():
                without.append(judge.label)
                continue
            names.append(judge.label)
            gaps.append(np.nanmean(gap))
        for left, why in (
            (without, "it is defined on no topic of theirs"),
            (partial, f"they judged less than half as many of its documents as {first.label}"),
        ):
            if left:
                self.notes.append(
                    f"{len(left)} of {len(self.other)} other judges left out for {measure}: {why} "
                    f"({' '.join(left[:5])}{' ...' if len(left) > 5 else ''})"
                )
        if names:
            about = f"each other judge in place of {first.label}"
            yield Perturbation("judges", about, steady(flip * np.array(gaps)), tuple(names))
        elif len(self.judges) == 1:
            self.notes.append("one judge: judges are not perturbed")

    def _measured(
        self, name: str, about: str, variants: dict[str, Measure], flip: float
    ) -> Iterator[Perturbation]:
        if not variants:
            return
        values = self._scores(list(variants.values())).values[0]
        gaps = [_gap(values[:, i], each) for i, each in enumerate(variants.values())]
        whole = [i for i, gap in enumerate(gaps) if not np.isnan(gap).all()]
        labels = tuple(list(variants)[i] for i in whole)
        if whole:
            means = np.array([np.nanmean(gaps[i]) for i in whole])
            yield Perturbation(name, about, steady(flip * means), labels)

    def _tied(self, m: int, flip: float) -> Iterator[Perturbation]:
        if self.ties is None:
            return
        best, worst = (values[:, m] for values in self.ties)
        a, b = (run.label for run in self.runs)
        options = {
            "both in the best order": best,
            "both in the worst order": worst,
            f"{a} in the best, {b} in the worst order": np.stack([best[0], worst[1]]),
            f"{a} in the worst, {b} in the best order": np.stack([worst[0], best[1]]),
        }
        gaps = [np.nanmean(_gap(each, self.measures[m])) for each in options.values()]
        about = "documents of equal score in the best and the worst order"
        yield Perturbation("tie orders", about, steady(flip * np.array(gaps)), tuple(options))
        if self.orders is not None:
            gaps = [np.nanmean(_gap(each[:, m], self.measures[m])) for each in self.orders]
            about = f"documents of equal score in random order, {len(gaps)} draws"
            yield Perturbation("random tie orders", about, steady(flip * np.array(gaps)))

    def _rescaled(self, m: int, flip: float) -> Perturbation:
        """Values made interval-scaled: only their order is used."""
        measure = self.measures[m]
        both = self.values[:, m]
        both = steady(both[:, ~np.isnan(both).any(axis=0)])
        _, dense = np.unique(both, return_inverse=True)
        ranks = {
            "steps between the values seen": dense.reshape(both.shape).astype(np.float64),
            "mid-ranks of all values": mid_ranks(both.reshape(-1)).reshape(both.shape),
            "topics won less topics lost": np.sign(both - both[::-1]) / 2,
        }
        gaps = np.array([_gap(each, measure).mean() for each in ranks.values()])
        about = (
            "values replaced by their place among all values seen, so that steps are equal "
            "(after Ferrante, Ferro & Fuhr 2021, who take all values possible); in units of places"
        )
        return Perturbation("interval scale", about, steady(flip * gaps), tuple(ranks))

    # ------------------------------------------------------------------------- for all measures

    def _ties(self) -> tuple[Array, Array] | None:
        best, worst = (self._scores(self.measures, ties=how).values[0] for how in ("best", "worst"))
        if np.array_equal(best, worst, equal_nan=True):
            self.notes.append("no documents of equal score whose order matters")
            return None
        return best, worst

    def _orders(self) -> list[Array] | None:
        """Values [run, measure, topic] under random orders of ties."""
        fields = {"score", "scores"}
        if self.ties is None:
            return None
        bound = [m for m in self.measures if m.definition.weak or fields & set(m.definition.fields)]
        if bound:
            self.notes.append(f"{bound[0]}: looks at scores, so ties are not put in random order")
            return None
        draws = min(self.draws, ORDERS)
        precision = self.policies.get("precision", "float64")
        first, second = (
            shuffled(run, draws, self.seed + i, precision=precision)
            for i, run in enumerate(self.runs)
        )
        settings = self.policies | {"ties": "trec", "precision": "float64"}
        found: list[Array] = []
        for some in _batched(zip(first, second, strict=True), TOGETHER):
            runs = [run for pair in some for run in pair]
            values = evaluate(self.judges[0], runs, self.measures, **settings).values[0]
            found += [values[i : i + 2] for i in range(0, len(runs), 2)]
        return found

    def _imputed(self) -> tuple[list[Array | None], Array] | None:
        """Means [draw, run] of each measure with imputed grades, and the ranks of the documents."""
        usual = {"missing": "worst", "undefined": "skip", "ties": "trec", "ignore_self": False}
        other = [name for name, value in usual.items() if self.policies.get(name, value) != value]
        if other:
            self.notes.append(
                f"unjudged documents are not imputed under {other[0]} other than {usual[other[0]]}"
            )
            return None
        top = max(self.levels, default=1.0)
        plain: dict[int, Measure] = {}
        for m, measure in enumerate(self.measures):
            try:
                plain[m] = plain_measure(measure, top)
            except AssayError as error:
                self.notes.append(f"not imputed: {error}")
        if not plain:
            return None
        means, ranks = imputed_means(
            self.judges[0],
            self.runs,
            list(plain.values()),
            draws=self.draws,
            seed=self.seed,
            negative=self.policies.get("negative", "unjudged"),
            precision=self.policies.get("precision", "float64"),
        )
        if means is None:
            self.notes.append("no unjudged document down to the depth of the measures")
            return None
        found: list[Array | None] = [None] * len(self.measures)
        for i, m in enumerate(plain):
            found[m] = means[:, :, i]
        return found, ranks


def _batched(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """So many items at a time (itertools has this from Python 3.12 on)."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def _gap(values: Array, measure: Measure) -> Array:
    """How far the first run is ahead of the second on each topic, [2, topic]."""
    return _signed(values.T, measure)


def _signed(values: Array, measure: Measure) -> Array:
    """How far the first of two is ahead along the last axis."""
    sign = 1.0 if measure.definition.higher_is_better else -1.0
    return np.asarray(sign * (values[..., 0] - values[..., 1]))
