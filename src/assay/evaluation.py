"""Judgments and runs to scores: the only place where policy is applied."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.align import Block, Hits, Judged, block_of, blocks_of, empty_hits, join, rankings
from assay.bounds import bound
from assay.errors import AssayError
from assay.io.lines import RUN, Dropped
from assay.io.spool import spooled
from assay.io.stream import Piece, ahead, label_of
from assay.io.trec import Rows, empty_file, last_tag, read_rows
from assay.judgments import Judgments, read_judgments
from assay.measures.measure import Measure, parse_all
from assay.policy import Policy
from assay.ranking import Ranking
from assay.run import Run
from assay.scores import MISSING, NOT_JUDGED, SCORED, UNDEFINED, Scores

__all__ = ["evaluate"]

REREAD_BYTES = 2 << 30  # of a run whose topics are scattered, held at once


def evaluate(  # noqa: PLR0913 - each keyword is one policy, documented below
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
    objects, or lists or dictionaries (by label) of these.

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
    judges = _judges(judgments, strict=strict)
    asked = _spread(parse_all(measures), policy)
    sources = _sources(runs)
    return _Evaluation(judges, sources, asked, policy, strict=strict).scores(progress)


# ------------------------------------------------------------------------------------------ inputs


@dataclass(frozen=True)
class _Source:
    label: str
    run: Run | None = None
    path: str | None = None


def _judges(given: Any, *, strict: bool) -> list[Judgments]:
    if _is_many(given):
        pairs = given.items() if isinstance(given, Mapping) else ((None, item) for item in given)
        judges = [_judge(item, label, strict=strict) for label, item in pairs]
    else:
        judges = [_judge(given, None, strict=strict)]
    _distinct([judge.label for judge in judges], "judgment sets")
    return judges


def _judge(given: Any, label: str | None, *, strict: bool) -> Judgments:
    if isinstance(given, str | Path):
        return read_judgments(given, label=label, strict=strict)
    if isinstance(given, Judgments):
        same = label is None or label == given.label
        return given if same else Judgments(given.frame, label=label or "", source=given.source)
    return Judgments(given, label=label or "judgments")


def _sources(given: Any) -> list[_Source]:
    if _is_many(given):
        pairs = given.items() if isinstance(given, Mapping) else ((None, item) for item in given)
        sources = [_source(item, label) for label, item in pairs]
    else:
        sources = [_source(given, None)]
    _distinct([source.label for source in sources], "runs")
    return sources


def _source(given: Any, label: str | None) -> _Source:
    if isinstance(given, str | Path):
        return _Source(label or label_of(given), path=str(given))
    if isinstance(given, Run):
        return _Source(label or given.label, run=given)
    return _Source(label or "run", run=Run(given, label=label or "run"))


def _is_many(given: Any) -> bool:
    """Whether several sets or runs are given, rather than one in a dictionary of dictionaries."""
    if isinstance(given, Mapping):
        if not given:
            raise AssayError("an empty dictionary: no judgments, or no run, to work with")
        first = next(iter(given.values()))
        if isinstance(first, Mapping):
            return bool(first) and isinstance(next(iter(first.values())), Mapping)
        return isinstance(first, str | Path | Run | Judgments | pl.DataFrame)
    if isinstance(given, list | tuple):
        if not given:
            raise AssayError("an empty list: no judgments, or no run, to work with")
        return True
    return False


def _distinct(labels: list[str], what: str) -> None:
    for label in labels:
        if labels.count(label) > 1:
            raise AssayError(
                f"{labels.count(label)} {what} are labelled {label!r}; labels come from file names: "
                "give each its own, as NAME=FILE in the shell or {'name': file} in Python"
            )


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
class _Progress:
    """What is known of one run while it is read."""

    seen: set[str] = field(default_factory=set)
    scattered: bool = False  # a topic came back after others
    rows: int = 0
    met: int = 0  # judged documents retrieved
    foreign: list[str] = field(default_factory=list)  # topics that nobody judged
    tail: Piece | None = None
    name: str = ""


class _Evaluation:
    def __init__(
        self,
        judges: list[Judgments],
        sources: list[_Source],
        measures: tuple[Measure, ...],
        policy: Policy,
        *,
        strict: bool,
    ) -> None:
        self.judges, self.sources, self.policy, self.strict = judges, sources, policy, strict
        self.measures = measures
        self.notes: list[str] = []
        self.warnings: list[str] = []
        self.resolved = tuple(self._with_top(measure) for measure in measures)
        self.judged = Judged(judges, policy.negative)
        self.dropped = [Dropped(lenient=not strict) for _ in sources]
        shape = (len(judges), len(sources), len(measures), len(self.judged.topics))
        self.values = np.full(shape, np.nan)
        self.reasons = np.full(shape, NOT_JUDGED, dtype=np.int8)
        self.cutoffs = sorted(
            {m.at for m in measures if m.at is not None and m.definition.cutoff != "recall level"}
        )
        self.shown = np.full((len(judges), len(sources), len(self.cutoffs), shape[3]), np.nan)
        self.modes: dict[str, list[int]] = {}
        for i, measure in enumerate(measures):
            self._check_ties(measure)
            self.modes.setdefault(measure.unjudged or policy.unjudged, []).append(i)
        if self.cutoffs:
            self.modes.setdefault("nonrelevant", [])
        for judge in judges:
            if judge.dropped:
                self.warnings.append(f"{judge.source or judge.label}: left out {judge.dropped}")

    def _with_top(self, measure: Measure) -> Measure:
        """`max` filled in with the largest grade of the judgments, and said so."""
        parameters = measure.parameters
        if "max" not in parameters or parameters.get("rel") is not None:
            return measure
        tops = {judge.top for judge in self.judges}
        top = parameters["max"]
        if top is None and len(tops) > 1:
            found = ", ".join(f"{judge.label} {judge.top:g}" for judge in self.judges)
            raise AssayError(
                f"{measure}: the judgment sets have different largest grades ({found}); say which is "
                f"the top of the scale, such as {measure(max=max(tops))}"
            )
        if top is None:
            top = max(tops) or 1.0
            self.notes.append(f"{measure}: max={top:g}, the largest grade judged")
        elif max(tops) > top:
            raise AssayError(f"{measure}: max={top:g}, but there are grades up to {max(tops):g}")
        return measure(max=top)

    def _check_ties(self, measure: Measure) -> None:
        ties, definition = self.policy.ties, measure.definition
        mode = measure.unjudged or self.policy.unjudged
        if ties == "expected" and not definition.has_expected:
            raise AssayError(
                f"{measure}: no expected value under ties is known for {measure.name}; "
                "use ties='best' and ties='worst' as bounds, or ties='trec'"
            )
        if ties in ("best", "worst") and "swap" in definition.exempt:
            raise AssayError(
                f"{measure}: the best and the worst order of ties bound nothing here: {definition.exempt['swap']}"
            )
        if ties == "expected" and mode in ("lowest", "highest"):
            raise AssayError(f"{measure}: bounds over unjudged documents need one order; use ties='trec'")

    # ------------------------------------------------------------------------------------- running

    def scores(self, progress: Callable[[float], None] | None) -> Scores:
        with spooled([source.path for source in self.sources]) as paths:
            self._read_all(paths, progress)
        for i, source in enumerate(self.sources):
            if self.dropped[i]:
                self.warnings.append(f"{source.path or source.label}: left out {self.dropped[i]}")
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

    def _read_all(self, paths: list[str | None], progress: Callable[[float], None] | None) -> None:
        current, state = 0, _Progress()
        for i, item in ahead(self._stream(paths), depth=2):
            while current < i:
                self._finish(current, state, paths[current])
                current, state = current + 1, _Progress()
                if progress:
                    progress(current / len(paths))
            self._take(i, state, item)
        while current < len(paths):
            self._finish(current, state, paths[current])
            current, state = current + 1, _Progress()
        if progress:
            progress(1.0)

    def _stream(self, paths: list[str | None]) -> Iterator[tuple[int, Rows | Block]]:
        for i, (source, path) in enumerate(zip(self.sources, paths, strict=True)):
            if source.run is not None:
                for block in blocks_of(source.run):
                    yield i, block
            elif path is not None:
                dropped = None if self.strict else self.dropped[i]
                for rows in read_rows(path, RUN, dropped=dropped, whole_topics=True, name=source.path):
                    yield i, rows

    def _take(self, i: int, state: _Progress, item: Rows | Block) -> None:
        if isinstance(item, Rows):
            state.tail, state.name = item.piece, item.name
            state.rows += len(item)
            if state.scattered:
                return
            block = block_of(item.topic, item.doc, item.value)
        else:
            block = item
            state.rows += len(block.score)
        before = len(state.seen)
        state.seen.update(block.topics)
        if len(state.seen) < before + len(block.topics):
            state.scattered = True
            return
        self._score(i, state, block)

    def _finish(self, i: int, state: _Progress, path: str | None) -> None:
        source = self.sources[i]
        if path is not None:
            if not state.rows and (self.strict or not self.dropped[i]):
                raise empty_file(state.name or str(source.path), RUN)
            if state.tail is not None:
                warning = last_tag(state.tail, state.name)[1]
                self.warnings += [] if warning is None else [warning]
            if state.scattered:
                state.foreign.clear()
                state.met = 0
                for block in _regrouped(path):
                    self._score(i, state, block)
        self._report(source, state)
        absent = np.asarray([t not in state.seen for t in self.judged.topics], dtype=bool)
        self._missing(i, absent)

    def _report(self, source: _Source, state: _Progress) -> None:
        topics, judged = len(state.seen), self.judged
        if topics and len(state.foreign) == topics:
            raise AssayError(
                f"{source.path or source.label}: none of its {topics} topics is judged; topics of the run such as "
                f"{state.foreign[0]!r}, of the judgments such as {judged.topics[0]!r}"
            )
        if state.foreign:
            shown = _some(state.foreign)
            self.notes.append(
                f"{len(state.foreign)} of {topics} topics of {source.label} are not judged ({shown}); ignored"
            )
        if topics and not state.met:
            self.warnings.append(
                f"{source.path or source.label}: none of its documents is judged for its topic; do document ids "
                f"have the same form? Judged is, for example, {judged.doc[0]!r}"
            )

    # ------------------------------------------------------------------------------------- scoring

    def _score(self, i: int, state: _Progress, block: Block) -> None:
        source = self.sources[i]
        state.foreign += [topic for topic in block.topics if topic not in self.judged.number]
        hits = join(
            block,
            self.judged,
            label=source.label,
            source=source.path,
            precision=self.policy.precision,
            ignore_self=self.policy.ignore_self,
            dropped=self.dropped[i],
        )
        state.met += len(hits.pair)
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
                ):
                    topics = hits.topic[places]
                    for m, measure in zip(chosen, wanted, strict=True):
                        value = self._value(measure, ranking, mode, j)
                        self.values[j, i, m, topics] = value
                        self.reasons[j, i, m, topics] = np.where(np.isnan(value), UNDEFINED, SCORED)
                    if watch:
                        for c, k in enumerate(self.cutoffs):
                            self.shown[j, i, c, topics] = _judged_at(ranking, k)
                self._refuse_undefined(i, chosen)
        self._zero_undefined(i)

    def _needs(self, measures: Sequence[Measure]) -> frozenset[str]:
        needs = {name for measure in measures for name in measure.definition.fields}
        return frozenset(needs | ({"tie_first"} if self.policy.ties == "expected" else set()))

    def _value(self, measure: Measure, ranking: Ranking, mode: str, judge: int) -> Any:
        if mode in ("lowest", "highest"):
            top = float(measure.parameters.get("max") or self.judges[judge].top)
            return bound(measure, ranking, mode, top)
        return apply(measure, ranking, expected=self.policy.ties == "expected")

    def _refuse_undefined(self, i: int, chosen: Sequence[int]) -> None:
        if self.policy.undefined != "error":
            return
        for m in chosen:
            bad = np.argwhere(self.reasons[:, i, m] == UNDEFINED)
            if len(bad):
                topic = self.judged.topics[bad[0][1]]
                why = self.measures[m].definition.undefined or "its formula divides by nothing"
                error = AssayError(
                    f"{self.measures[m]} is undefined for {len(bad)} topic(s), the first {topic}: {why} (undefined='error')"
                )
                error.check_failed = True
                raise error

    def _zero_undefined(self, i: int) -> None:
        if self.policy.undefined == "zero":
            self.values[:, i][self.reasons[:, i] == UNDEFINED] = 0.0

    def _missing(self, i: int, absent: Any) -> None:
        """Topics that the run lacks: undefined where any list would be, else as the policy says."""
        topics = np.flatnonzero(absent)
        if not len(topics):
            return
        if self.policy.missing == "error":
            names = [self.judged.topics[t] for t in topics]
            error = AssayError(
                f"{self.sources[i].label} lacks {len(topics)} of {len(absent)} topics ({_some(names)}) (missing='error')"
            )
            error.check_failed = True
            raise error
        self._fill(i, empty_hits(topics))
        for j in range(len(self.judges)):
            for places, ranking in rankings(empty_hits(topics), self.judged, j):
                at = topics[places]
                for m, measure in enumerate(self.resolved):
                    ours = at[self.reasons[j, i, m, at] == SCORED]
                    self.reasons[j, i, m, ours] = MISSING
                    worst = np.broadcast_to(_worst(measure, ranking), at.shape)
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

    # ------------------------------------------------------------------------------------ Judged@k

    def _judged_means(self) -> Any:
        means = np.full(self.values.shape[:3], np.nan)
        for m, measure in enumerate(self.measures):
            if measure.at in self.cutoffs and measure.definition.cutoff != "recall level":
                shown = self.shown[:, :, self.cutoffs.index(measure.at)]
                counts = (~np.isnan(shown)).sum(axis=-1)
                with np.errstate(invalid="ignore"):
                    means[:, :, m] = np.nansum(shown, axis=-1) / np.where(counts, counts, np.nan)
        return means

    def _warn_of_uneven_judging(self) -> None:
        means = self._judged_means()
        for c, k in enumerate(self.cutoffs):
            at = next(m for m, measure in enumerate(self.measures) if measure.at == k)
            for j, judge in enumerate(self.judges):
                row = means[j, :, at]
                if np.isnan(row).all():
                    continue
                low, high = int(np.nanargmin(row)), int(np.nanargmax(row))
                if row[high] - row[low] > 0.1:  # noqa: PLR2004 - DECISIONS
                    under = f" under {judge.label}" if len(self.judges) > 1 else ""
                    self.warnings.append(
                        f"Judged@{k} runs from {row[low]:.2f} ({self.sources[low].label}) to {row[high]:.2f} "
                        f"({self.sources[high].label}){under}: runs with more unjudged documents may be "
                        "underrated; compare under --unjudged condensed and bounds"
                    )
            del c


def apply(measure: Measure, ranking: Ranking, *, expected: bool = False) -> Any:
    """The measure's values for a ranking, one for each list."""
    fields = {name: getattr(ranking, name) for name in measure.definition.fields}
    if expected:
        fields |= {"tie_first": ranking.tie_first, "tie_last": ranking.tie_last}
    return measure.kernel(**fields)


def _worst(measure: Measure, ranking: Ranking) -> Any:
    worst = measure.definition.worst
    if not callable(worst):
        return worst
    fields = {
        name: measure.parameters[name] if name in measure.parameters else getattr(ranking, name)
        for name in inspect.signature(worst).parameters
    }
    return worst(**fields)


def _judged_at(ranking: Ranking, k: float) -> Any:
    """Share of judged documents among the first k."""
    shown = np.minimum(ranking.retrieved, k)
    return (ranking.rank <= k).sum(axis=-1) / np.where(shown, shown, np.nan)


def _some(names: Sequence[str], most: int = 5) -> str:
    return " ".join(names[:most]) + (" ..." if len(names) > most else "")


def _regrouped(path: str) -> Iterator[Block]:
    """The blocks of a run whose topics are scattered over the file, a share of topics at a time."""
    passes = 1 + Path(path).stat().st_size // REREAD_BYTES
    for part in range(passes):
        kept = []
        for rows in read_rows(path, RUN):
            mine = (rows.topic.hash() % passes == part) if passes > 1 else None
            columns = {"topic": rows.topic, "doc": rows.doc, "score": pl.Series(rows.value)}
            frame = pl.DataFrame(columns)
            kept.append(frame if mine is None else frame.filter(mine))
        frame = pl.concat(kept)
        first = frame.with_row_index("_row").with_columns(pl.col("_row").min().over("topic").alias("_first"))
        frame = first.sort("_first", "_row")
        if frame.height:
            yield block_of(frame["topic"].rechunk(), frame["doc"].rechunk(), frame["score"].to_numpy())
