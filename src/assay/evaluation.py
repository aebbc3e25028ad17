"""Judgments and runs to scores: what is read, in which order, and what is said of it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.blocks import Block, block_of, blocks_of, regrouped
from assay.findings import Finding, Names, refuse_undefined, uneven_judging
from assay.inputs import Source, inputs
from assay.io.ahead import ahead
from assay.io.forms import opened, rows_of
from assay.io.lines import RUN, Dropped
from assay.io.spool import readable
from assay.io.stream import plain_size
from assay.io.tag import TagWatch
from assay.io.trec import Rows, no_rows
from assay.measures.applying import apply
from assay.measures.measure import Measure, parse_all
from assay.plan import Plan, Scale, spread_bounds, spread_levels, uses_levels
from assay.policy import Policy, refuse_unclear
from assay.preferred import (
    grades_will_do,
    preferences_in,
    refuse_grades,
    remarks_on,
    stand_in,
)
from assay.scorer import Reading, Scorer
from assay.scores import UNDEFINED, Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from assay.io.locate import Origin
    from assay.judgments import Judgments
    from assay.preferences import Preferences

__all__ = ["apply", "each_level", "evaluate"]

ROW_BYTES = 32  # of a row that comes from no text


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
    refuse_unclear(strict=strict)
    named = parse_all(measures)
    stated = preferences_in(judgments)
    known = judgments if stated is None else [stand_in(each) for each in stated]
    judges, sources = inputs(known, runs, strict=strict)
    if stated is not None and grades_will_do(stated, named):
        stated = None
    asked = spread_bounds(each_level(named, judges), policy)
    plan = Plan.of(asked, _scales(judges, asked, policy), policy)
    if stated is not None:
        refuse_grades(plan.resolved, policy)
    return _Evaluation(judges, sources, plan, strict=strict, preferences=stated).scores(progress)


def each_level(measures: tuple[Measure, ...], judges: Sequence[Judgments]) -> tuple[Measure, ...]:
    """`rel='each'` becomes one measure for each grade above 0 that the judgments use."""
    if not any(measure.parameters.get("rel") == "each" for measure in measures):
        return measures
    return spread_levels(measures, {grade for judge in judges for grade in _used(judge)})


def _used(judge: Judgments) -> list[float]:
    """The grades in use, ascending."""
    grades: list[float] = judge.frame["grade"].unique().sort().to_list()
    return grades


def _scales(
    judges: Sequence[Judgments], measures: tuple[Measure, ...], policy: Policy
) -> list[Scale]:
    known = uses_levels(measures, policy)
    return [Scale(each.label, each.top, tuple(_used(each)) if known else ()) for each in judges]


# -------------------------------------------------------------------------------------- evaluation


@dataclass
class _Reading(Reading):
    """What is known of one run while it is read from a file."""

    rows: int = 0
    size: int = 0  # bytes
    whole: int = 0  # bytes that there are to read, 0 where that is not known
    tags: TagWatch = field(default_factory=TagWatch)
    scattered: bool = False  # a topic came back after others

    def anew(self) -> _Reading:
        """The same file, to be scored once more from its start."""
        return _Reading(self.origin, rows=self.rows, size=self.size, tags=self.tags)


class _Evaluation:
    def __init__(
        self,
        judges: list[Judgments],
        sources: list[Source],
        plan: Plan,
        *,
        strict: bool,
        preferences: Sequence[Preferences] | None = None,
    ) -> None:
        self.judges, self.sources, self.plan, self.strict = judges, sources, plan, strict
        self.notes = list(plan.notes)
        self.notes += [note for each in preferences or () for note in remarks_on(each)]
        self.warnings: list[str] = []
        self.scorer = Scorer(judges, len(sources), plan, strict=strict, preferences=preferences)
        self.dropped = [Dropped() for _ in sources]
        for judge in judges:
            if judge.dropped:
                self.warnings.append(f"{judge.origin.name}: left out {judge.dropped}")

    # ------------------------------------------------------------------------------------- running

    def scores(self, progress: Callable[[float], None] | None) -> Scores:
        with ExitStack() as stack:
            origins = [_origin(source, stack) for source in self.sources]
            self._read_all(origins, progress or (lambda _: None))
        shown, plan = _mean_known(self.scorer.shown), self.plan
        labels = [judge.label for judge in self.judges], [source.label for source in self.sources]
        self.warnings += uneven_judging(plan.cutoffs, *labels, shown)
        return Scores(
            judges=tuple(labels[0]),
            runs=tuple(labels[1]),
            measures=plan.measures,
            topics=tuple(self.scorer.judged.topics),
            values=self.scorer.values,
            reasons=self.scorer.reasons,
            judged=_by_measure(shown, plan),
            policy=plan.policy,
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
            self.scorer.score(i, reading, item)
            return
        reading.rows += len(item)
        reading.size += len(item.piece.data) or ROW_BYTES * len(item)
        reading.tags.see(item.piece)
        if reading.scattered:
            return
        block = block_of(item.topic, item.doc, item.value)
        reading.scattered = not reading.saw(block.topics)
        if not reading.scattered:
            self.scorer.score(i, reading, block)

    def _finish(self, i: int, reading: _Reading) -> None:
        if self.sources[i].run is None and not reading.rows:
            raise no_rows(reading.origin, RUN, self.dropped[i])
        if reading.scattered:
            reading = reading.anew()
            for block in regrouped(partial(self._rows_again, reading.origin), reading.size):
                reading.saw(block.topics)
                self.scorer.score(i, reading, block)
        self._warn_of_reading(i, reading)
        self._report(i, reading, self.scorer.finish(i, reading))

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

    def _report(self, i: int, reading: _Reading, missing: list[str]) -> None:
        """Say which topics and documents of the run meet no judgment."""
        scorer, policy = self.scorer, self.plan.policy
        found = Finding(
            self.sources[i].label,
            reading.origin.name,
            len(reading.seen),
            Names.of(reading.foreign),
            reading.met,
            Names.of(missing),
        )
        topics = scorer.judged.topics
        self.notes += found.notes(policy, len(topics), topics[0])
        self.warnings += found.warnings(scorer.judged.doc[0])
        if policy.undefined == "error":
            for m, measure in enumerate(self.plan.measures):
                bad = np.flatnonzero((scorer.reasons[:, i, m] == UNDEFINED).any(axis=0))
                refuse_undefined(measure, Names.of([topics[t] for t in bad]))


def _by_measure(shown: Any, plan: Plan) -> Any:
    """Mean Judged@k [judge, run, measure] of means [judge, run, cut-off]; NaN without one."""
    means = np.full((*shown.shape[:2], len(plan.measures)), np.nan)
    for m, measure in enumerate(plan.measures):
        c = plan.cutoff(measure)
        if c is not None:
            means[:, :, m] = shown[:, :, c]
    return means


def _mean_known(values: Any) -> Any:
    """The mean along the last axis of what is not NaN."""
    counts = (~np.isnan(values)).sum(axis=-1)
    return np.nansum(values, axis=-1) / np.where(counts, counts, np.nan)


def _origin(source: Source, stack: ExitStack) -> Origin:
    """Where a run comes from; what can be read only once is kept until the stack closes."""
    if source.run is not None:
        return source.run.origin
    origin = stack.enter_context(readable(source.path or ""))
    return opened(origin, RUN, format=source.format, columns=source.columns)
