"""Judgments and runs to scores: the only place where policy is applied."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.align import Hits, Judged, empty_hits, join, rankings
from assay.blocks import Block, block_of, blocks_of, regrouped
from assay.bounds import bound, scale
from assay.errors import AssayError
from assay.inputs import Source, inputs
from assay.io.ahead import ahead
from assay.io.forms import opened, rows_of
from assay.io.lines import RUN, Dropped
from assay.io.spool import readable
from assay.io.stream import plain_size
from assay.io.tag import TagWatch
from assay.io.trec import Rows, no_rows
from assay.measures.applying import apply, worst_value
from assay.measures.measure import Measure, parse_all
from assay.measures.parameters import PARAMETERS
from assay.policy import Policy
from assay.preferred import (
    Preferred,
    grades_will_do,
    preferences_in,
    refuse_grades,
    remarks_on,
    stand_in,
)
from assay.scores import MISSING, NOT_JUDGED, SCORED, UNDEFINED, Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from assay.document_sets import DocumentSets
    from assay.io.locate import Origin
    from assay.judgments import Judgments
    from assay.preferences import Preferences
    from assay.ranking import Ranking

__all__ = ["apply", "each_level", "evaluate"]

ROW_BYTES = 32  # of a row that comes from no text
MOST_LEVELS = 100  # that `rel='each'` spreads into


def evaluate(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure],
    *,
    missing: str = "worst",
    undefined: str = "skip",
    unjudged: str = "nonrelevant",
    ties: str = "trec",
    precision: str = "float64",
    mean: str = "arithmetic",
    negative: str = "unjudged",
    ignore_self: bool = False,
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Scores:
    """Score runs against judgments.

    `judgments` and `runs` are file names, dictionaries of dictionaries, `Judgments` and `Run`
    objects, or lists or dictionaries (by label) of these. Measures on pairs, such as NDPM, take
    `Preferences` in the place of judgments.

    * missing: a topic that a run lacks gets the `"worst"` value of the measure, is left out
      (`"skip"`), or stops everything (`"error"`).
    * undefined: a topic on which a measure is undefined, such as nDCG without a relevant document,
      is left out and counted (`"skip"`), counts as 0 (`"zero"`), or stops everything (`"error"`).
    * unjudged: documents without a judgment are `"nonrelevant"`, removed (`"condensed"`), or judged
      as badly (`"lowest"`) or as well (`"highest"`) as possible, or both (`"bounds"`).
    * ties: among equal scores the document id decreases (`"trec"`); or the `"expected"` value over
      all orders; or the `"best"` or `"worst"` order.
    * precision: `"float32"` rounds scores first, as trec_eval 9 and most published numbers did.
    * mean: `"arithmetic"`, `"geometric"` or `"median"` over topics.
    * negative: grades below 0 mean pooled but `"unjudged"`, or `"nonrelevant"`.
    * ignore_self: drop documents whose id is the topic's own.
    * strict: `False` leaves out bad lines and reports how many.
    """
    policy = Policy(missing, undefined, unjudged, ties, precision, mean, negative, ignore_self)
    named = parse_all(measures)
    stated = preferences_in(judgments)
    known = judgments if stated is None else [stand_in(each) for each in stated]
    judges, sources = inputs(known, runs, strict=strict)
    if stated is not None and grades_will_do(stated, named):
        stated = None
    asked = _spread(each_level(named, judges), policy)
    evaluation = _Evaluation(judges, sources, asked, policy, strict=strict, preferences=stated)
    return evaluation.scores(progress)


def each_level(measures: tuple[Measure, ...], judges: Sequence[Judgments]) -> tuple[Measure, ...]:
    """`rel='each'` becomes one measure for each grade above 0 that the judgments use."""
    spread: list[Measure] = []
    for measure in measures:
        if measure.parameters.get("rel") != "each":
            spread.append(measure)
            continue
        used = {grade for judge in judges for grade in judge.frame["grade"].unique().to_list()}
        levels = sorted(grade for grade in used if grade > 0) or [1.0]
        if len(levels) > MOST_LEVELS:
            example = measure(rel=levels[len(levels) // 2])
            raise AssayError(
                f"{measure}: the judgments use {len(levels)} levels above 0, more than "
                f"{MOST_LEVELS}; name those that you want, such as {example}"
            )
        spread += [measure(rel=level) for level in levels]
    return tuple(dict.fromkeys(spread))


def _spread(measures: tuple[Measure, ...], policy: Policy) -> tuple[Measure, ...]:
    """`bounds` becomes two measures, `lowest` and `highest`."""
    spread: list[Measure] = []
    for measure in measures:
        if (measure.unjudged or policy.unjudged) == "bounds":
            spread += [measure(unjudged="lowest"), measure(unjudged="highest")]
        else:
            spread.append(measure)
    return tuple(dict.fromkeys(spread))


# -------------------------------------------------------------------------------------- evaluation


@dataclass
class _Reading:
    """What is known of one run while it is read."""

    origin: Origin
    rows: int = 0
    size: int = 0  # bytes
    whole: int = 0  # bytes that there are to read, 0 where that is not known
    tags: TagWatch = field(default_factory=TagWatch)
    scattered: bool = False  # a topic came back after others
    seen: set[str] = field(default_factory=set)
    present: set[int] = field(default_factory=set)  # numbers of the judged topics with documents
    foreign: list[str] = field(default_factory=list)  # topics that nobody judged
    met: int = 0  # judged documents retrieved
    repeats: Dropped = field(default_factory=Dropped)

    def saw(self, topics: Sequence[str]) -> bool:
        """Take note of a block's topics; False where one of them was there before."""
        before = len(self.seen)
        self.seen.update(topics)
        return len(self.seen) == before + len(topics)

    def anew(self) -> _Reading:
        """The same file, to be scored once more from its start."""
        return _Reading(self.origin, self.rows, self.size, tags=self.tags)


class _Evaluation:
    def __init__(
        self,
        judges: list[Judgments],
        sources: list[Source],
        measures: tuple[Measure, ...],
        policy: Policy,
        *,
        strict: bool,
        preferences: Sequence[Preferences] | None = None,
    ) -> None:
        self.judges, self.sources, self.policy, self.strict = judges, sources, policy, strict
        self.measures = measures
        self.notes: list[str] = []
        self.warnings: list[str] = []
        self.resolved = tuple(self._with_top(measure) for measure in measures)
        self.judged = Judged(judges, policy.negative)
        self.by_pairs = preferences is not None
        if preferences is not None:
            refuse_grades(self.resolved, policy)
            self.notes += [note for each in preferences for note in remarks_on(each)]
        elif any("better" in measure.definition.fields for measure in measures):
            preferences = [judge.to_preferences() for judge in judges]
        self.preferred = [Preferred(each, self.judged) for each in preferences or ()]
        self.dropped = [Dropped() for _ in sources]
        shape = (len(judges), len(sources), len(measures), len(self.judged.topics))
        self.values = np.full(shape, np.nan)
        self.reasons = np.full(shape, NOT_JUDGED, dtype=np.int8)
        self.cutoffs = sorted(
            {m.at for m in measures if m.at is not None and m.definition.cutoff != "recall level"}
        )
        self.shown = np.full((len(judges), len(sources), len(self.cutoffs), shape[3]), np.nan)
        self.modes: dict[str, list[int]] = {}
        self.longest = [0] * len(sources)
        self.members: dict[DocumentSets, Any] = {}
        self._note_collection()
        for i, measure in enumerate(measures):
            self._check_ties(measure)
            self._check_sets(measure)
            self.modes.setdefault(measure.unjudged or policy.unjudged, []).append(i)
        if self.cutoffs:
            self.modes.setdefault("nonrelevant", [])
        for judge in judges:
            if judge.dropped:
                self.warnings.append(f"{judge.origin.name}: left out {judge.dropped}")

    def _with_top(self, measure: Measure) -> Measure:
        """`max` filled in with the largest grade of the judgments, and said so."""
        if not measure.uses_top:
            return measure
        tops = {judge.top for judge in self.judges}
        top = measure.parameters["max"]
        if top is None and len(tops) > 1:
            found = ", ".join(f"{judge.label} {judge.top:g}" for judge in self.judges)
            raise AssayError(
                f"{measure}: the judgment sets have different largest grades ({found}); say which "
                f"is the top of the scale, such as {measure(max=max(tops))}"
            )
        if top is None:
            top = max(tops) or 1.0
            self.notes.append(f"{measure}: max={top:g}, the largest grade judged")
        elif max(tops) > top:
            raise AssayError(f"{measure}: max={top:g}, but there are grades up to {max(tops):g}")
        return measure(max=top)

    def _note_collection(self) -> None:
        """Say which measures lack the size of the collection, and what stands for it."""
        without = [
            str(measure)
            for measure in self.measures
            if measure.definition.parameters.get("N") is PARAMETERS["N"]
            and measure.parameters["N"] is None
        ]
        if without:
            self.notes.append(
                f"{_some(without, 20)}: N, the size of the collection, is not given; the documents "
                "known for a topic (retrieved or judged) stand for it"
            )

    def _check_ties(self, measure: Measure) -> None:
        ties, definition = self.policy.ties, measure.definition
        mode = measure.unjudged or self.policy.unjudged
        if ties == "expected" and not definition.has_expected and not definition.weak:
            raise AssayError(
                f"{measure}: no expected value under ties is known for {measure.name}; "
                "use ties='best' and ties='worst' as bounds, or ties='trec'"
            )
        if ties in ("best", "worst") and "swap" in definition.exempt and not definition.weak:
            self.notes.append(
                f"{measure}: the {ties} order of ties need not give its {ties} value: "
                f"{definition.exempt['swap']}"
            )
        if mode in ("lowest", "highest") and "swap" in definition.exempt:
            self.notes.append(
                f"{measure}: some judgment of the unjudged documents may go beyond this bound: "
                f"{definition.exempt['swap']}"
            )
        if ties == "expected" and mode in ("lowest", "highest"):
            raise AssayError(
                f"{measure}: bounds over unjudged documents need one order; use ties='trec'"
            )

    # ------------------------------------------------------------------------------------- running

    def scores(self, progress: Callable[[float], None] | None) -> Scores:
        with ExitStack() as stack:
            origins = [_origin(source, stack) for source in self.sources]
            self._read_all(origins, progress or (lambda _: None))
        self._warn_of_uneven_judging()
        return Scores(
            judges=tuple(judge.label for judge in self.judges),
            runs=tuple(source.label for source in self.sources),
            measures=self.measures,
            topics=tuple(self.judged.topics),
            values=self.values,
            reasons=self.reasons,
            judged=self._judged_means(),
            policy=self.policy,
            notes=tuple(dict.fromkeys(self.notes)),
            warnings=tuple(self.warnings),
        )

    def _read_all(self, origins: list[Origin], progress: Callable[[float], None]) -> None:
        readings = {
            i: _Reading(origin, whole=plain_size(origin.path)) for i, origin in enumerate(origins)
        }

        def finish(until: int) -> None:
            for i in range(len(origins) - len(readings), until):
                self._finish(i, readings.pop(i))
                progress((i + 1) / len(origins))

        for i, item in ahead(self._stream(origins), depth=2):
            finish(until=i)
            self._take(i, readings[i], item)
            if readings[i].whole:
                progress((i + min(1.0, readings[i].size / readings[i].whole)) / len(origins))
        finish(until=len(origins))

    def _stream(self, origins: list[Origin]) -> Generator[tuple[int, Rows | Block]]:
        """Blocks of all runs; made in a second thread."""
        for i, (source, origin) in enumerate(zip(self.sources, origins, strict=True)):
            if source.run is not None:
                for block in blocks_of(source.run):
                    yield i, block
            else:
                dropped = None if self.strict else self.dropped[i]
                for rows in rows_of(origin, RUN, dropped=dropped, whole_topics=True):
                    yield i, rows

    def _take(self, i: int, reading: _Reading, item: Rows | Block) -> None:
        if isinstance(item, Block):
            reading.saw(item.topics)
            self._score(i, reading, item)
            return
        reading.rows += len(item)
        reading.size += len(item.piece.data) or ROW_BYTES * len(item)
        reading.tags.see(item.piece)
        if reading.scattered:
            return
        block = block_of(item.topic, item.doc, item.value)
        reading.scattered = not reading.saw(block.topics)
        if not reading.scattered:
            self._score(i, reading, block)

    def _finish(self, i: int, reading: _Reading) -> None:
        if self.sources[i].run is None and not reading.rows:
            raise no_rows(reading.origin, RUN, self.dropped[i])
        if reading.scattered:
            reading = reading.anew()
            for block in regrouped(partial(self._rows_again, reading.origin), reading.size):
                reading.saw(block.topics)
                self._score(i, reading, block)
        self._warn_of_reading(i, reading)
        self._report(self.sources[i], reading)
        absent = np.ones(len(self.judged.topics), dtype=bool)
        absent[list(reading.present)] = False
        self._missing(i, absent)
        self._treat_undefined(i)

    def _rows_again(self, origin: Origin) -> Generator[Rows]:
        return rows_of(origin, RUN, dropped=None if self.strict else Dropped())

    def _warn_of_reading(self, i: int, reading: _Reading) -> None:
        name, run = reading.origin.name, self.sources[i].run
        dropped = Dropped()
        for part in (self.dropped[i], reading.repeats, *([run.dropped] if run else [])):
            dropped.update(part)
        if dropped:
            self.warnings.append(f"{name}: left out {dropped}")
        cut_short = reading.tags.warning(name)
        if cut_short:
            self.warnings.append(cut_short)

    def _report(self, source: Source, reading: _Reading) -> None:
        """Say which topics and documents of the run meet no judgment."""
        topics, judged, foreign = len(reading.seen), self.judged, reading.foreign
        if topics and len(foreign) == topics:
            raise AssayError(
                f"{reading.origin.name}: none of its {topics} topics is judged; topics of the run "
                f"such as {foreign[0]!r}, of the judgments such as {judged.topics[0]!r}"
            )
        if foreign:
            self.notes.append(
                f"{len(foreign)} of {topics} topics of {source.label} are not judged "
                f"({_some(foreign)}); ignored"
            )
        if topics and not reading.met:
            self.warnings.append(
                f"{reading.origin.name}: none of its documents is judged for its topic; do "
                f"document ids have the same form? Judged is, for example, {judged.doc[0]!r}"
            )

    # ------------------------------------------------------------------------------------- scoring

    def _score(self, i: int, reading: _Reading, block: Block) -> None:
        hits = join(
            block,
            self.judged,
            reading.origin,
            precision=self.policy.precision,
            ignore_self=self.policy.ignore_self,
            dropped=None if self.strict else reading.repeats,
        )
        if len(hits.topic) < len(block.topics):
            reading.foreign += [name for name in block.topics if name not in self.judged.number]
        reading.met += len(hits.pair)
        reading.present.update(hits.topic.tolist())
        self._fill(i, hits)

    def _fill(self, i: int, hits: Hits) -> None:
        for j in range(len(self.judges)):
            for mode, chosen in self.modes.items():
                wanted = [self.resolved[m] for m in chosen]
                watch = mode == "nonrelevant"
                for places, ranking in rankings(
                    hits,
                    self.judged,
                    j,
                    ties=self.policy.ties,
                    unjudged="condensed" if mode == "condensed" else "nonrelevant",
                    needs=self._needs(wanted),
                    preferred=self.preferred[j] if self.preferred else None,
                ):
                    topics = hits.topic[places]
                    longest = int(ranking.retrieved.max(initial=0))
                    self.longest[i] = max(self.longest[i], longest)
                    for m, measure in zip(chosen, wanted, strict=True):
                        self._check_collection(measure, ranking, topics)
                        fields = self._with_sets(measure, ranking, topics)
                        value = self._value(measure, fields, mode, j)
                        self.values[j, i, m, topics] = value
                        self.reasons[j, i, m, topics] = np.where(np.isnan(value), UNDEFINED, SCORED)
                    if watch:
                        for c, k in enumerate(self.cutoffs):
                            self.shown[j, i, c, topics] = _judged_at(ranking, k)

    def _check_collection(self, measure: Measure, ranking: Ranking, topics: Any) -> None:
        """Refuse a collection smaller than what is known of it."""
        size = measure.parameters.get("N")
        if size is None:
            return
        known = ranking.retrieved + ranking.judged - np.isfinite(ranking.rank).sum(axis=-1)
        worst = int(known.argmax()) if known.size else 0
        if known.size and known[worst] > size:
            raise AssayError(
                f"{measure}: {int(known[worst])} documents are known for topic "
                f"{self.judged.topics[topics[worst]]} (retrieved or judged), more than N={size}"
            )

    @staticmethod
    def _check_sets(measure: Measure) -> None:
        for name in measure.definition.sets:
            if measure.parameters[name] is None:
                raise AssayError(
                    f"{measure}: needs to be told {name}=, a file of lines 'topic doc', such as "
                    f"{measure.name}({name}=FILE), or in Python a mapping of topic to documents"
                )

    def _with_sets(self, measure: Measure, ranking: Ranking, topics: Any) -> Ranking:
        """The ranking with the documents that the measure's parameters name."""
        given = {name: measure.parameters[name] for name in measure.definition.sets}
        fields: dict[str, Any] = {}
        if "known" in given:
            sets = given["known"]
            if sets not in self.members:
                self.members[sets] = self.judged.holds(sets)
            held = self.members[sets]
            pair, base_pair = (x.astype(np.int64) for x in (ranking.pair, ranking.base_pair))
            fields = {"known": held[pair], "known_base": held[base_pair]}
        if "wanted" in given:
            sets = given["wanted"]
            names = [self.judged.topics[t] for t in topics]
            sizes = [sets if isinstance(sets, int) else len(sets.of.get(t, ())) for t in names]
            fields["wanted"] = np.asarray(sizes, dtype=np.float64)
        return replace(ranking, **fields) if fields else ranking

    def _needs(self, measures: Sequence[Measure]) -> frozenset[str]:
        needs = {
            name
            for measure in measures
            for name in (
                ("level_better",)
                if self.by_pairs and measure.definition.from_preferences
                else measure.definition.fields
            )
        }
        return frozenset(needs | ({"tie_first"} if self.policy.ties == "expected" else set()))

    def _value(self, measure: Measure, ranking: Ranking, mode: str, judge: int) -> Any:
        if mode in ("lowest", "highest"):
            return bound(measure, ranking, mode, self._scale(measure, judge))
        return apply(measure, ranking, expected=self.policy.ties == "expected")

    def _scale(self, measure: Measure, judge: int) -> list[float]:
        """The grades that a judge may give to documents that nobody judged."""
        top = measure.parameters.get("max") or max(1.0, self.judges[judge].top)
        return scale(self.judges[judge].frame["grade"].unique().to_list(), float(top))

    def _treat_undefined(self, i: int) -> None:
        if self.policy.undefined == "zero":
            self.values[:, i][self.reasons[:, i] == UNDEFINED] = 0.0
        if self.policy.undefined != "error":
            return
        for m, measure in enumerate(self.measures):
            bad = np.flatnonzero((self.reasons[:, i, m] == UNDEFINED).any(axis=0))
            if len(bad):
                topic = self.judged.topics[bad[0]]
                why = measure.definition.undefined or "its formula divides by nothing"
                error = AssayError(
                    f"{measure} is undefined for {len(bad)} topic(s), the first {topic}: "
                    f"{why} (undefined='error')"
                )
                error.check_failed = True
                raise error

    def _missing(self, i: int, absent: Any) -> None:
        """Topics that the run lacks: undefined where any list would be, else as the policy says."""
        topics = np.flatnonzero(absent)
        if not len(topics):
            return
        if self.policy.missing == "error":
            names = [self.judged.topics[t] for t in topics]
            error = AssayError(
                f"{self.sources[i].label} lacks {len(topics)} of {len(absent)} topics "
                f"({_some(names)}) (missing='error')"
            )
            error.check_failed = True
            raise error
        self._fill(i, empty_hits(topics))
        for j in range(len(self.judges)):
            for places, empty in rankings(empty_hits(topics), self.judged, j):
                # for measures of the collection: no fewer documents than anybody judged, nor than
                # stand in the run's longest list beside those judged for the topic
                others = np.maximum(self.longest[i], self._judged_documents - empty.judged)
                ranking = replace(empty, retrieved=others)
                at = topics[places]
                for m, measure in enumerate(self.resolved):
                    ours = at[self.reasons[j, i, m, at] == SCORED]
                    self.reasons[j, i, m, ours] = MISSING
                    worst = np.broadcast_to(worst_value(measure, ranking), at.shape)
                    chosen = self.reasons[j, i, m, at] == MISSING
                    skip = self.policy.missing == "skip"
                    self.values[j, i, m, at[chosen]] = np.nan if skip else worst[chosen]
                for c in range(len(self.cutoffs)):
                    self.shown[j, i, c, at] = np.nan
        names = [self.judged.topics[t] for t in topics]
        treated = "scored as worst" if self.policy.missing == "worst" else "left out"
        self.notes.append(
            f"{len(topics)} of {len(absent)} topics have no line in {self.sources[i].label} "
            f"({_some(names)}); {treated} (missing={self.policy.missing!r})"
        )

    @cached_property
    def _judged_documents(self) -> int:
        """How many documents were judged for any topic."""
        return self.judged.doc.n_unique()

    # ------------------------------------------------------------------------------------ Judged@k

    def _judged_means(self) -> Any:
        means = np.full(self.values.shape[:3], np.nan)
        for m, measure in enumerate(self.measures):
            if measure.at in self.cutoffs and measure.definition.cutoff != "recall level":
                means[:, :, m] = _mean_known(self.shown[:, :, self.cutoffs.index(measure.at)])
        return means

    def _warn_of_uneven_judging(self) -> None:
        for c, k in enumerate(self.cutoffs):
            for judge, row in zip(self.judges, _mean_known(self.shown[:, :, c]), strict=True):
                if np.isnan(row).all():
                    continue
                low, high = int(np.nanargmin(row)), int(np.nanargmax(row))
                if row[high] - row[low] > 0.1:
                    under = f" under {judge.label}" if len(self.judges) > 1 else ""
                    self.warnings.append(
                        f"Judged@{k:g} runs from {row[low]:.2f} ({self.sources[low].label}) to "
                        f"{row[high]:.2f} ({self.sources[high].label}){under}: runs with more "
                        "unjudged documents may be underrated; compare under --unjudged condensed "
                        "and bounds"
                    )


def _judged_at(ranking: Ranking, k: float) -> Any:
    """Share of judged documents among the first k."""
    shown = np.minimum(ranking.retrieved, k)
    return (ranking.rank <= k).sum(axis=-1) / np.where(shown, shown, np.nan)


def _mean_known(values: Any) -> Any:
    """The mean along the last axis of what is not NaN."""
    counts = (~np.isnan(values)).sum(axis=-1)
    return np.nansum(values, axis=-1) / np.where(counts, counts, np.nan)


def _some(names: Sequence[str], most: int = 5) -> str:
    return " ".join(names[:most]) + (" ..." if len(names) > most else "")


def _origin(source: Source, stack: ExitStack) -> Origin:
    """Where a run comes from; what can be read only once is kept until the stack closes."""
    if source.run is not None:
        return source.run.origin
    origin = stack.enter_context(readable(source.path or ""))
    return opened(origin, RUN, format=source.format, columns=source.columns)
