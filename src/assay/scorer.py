"""Runs met with judgments, block after block: a value for each judge, run, measure and topic.

Numbers only: what is read, from where, and what is said of it is the business of others.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from assay.align import Framed, Hits, Judged, empty_hits, join, rankings
from assay.bounds import bound, scale
from assay.errors import AssayError
from assay.io.lines import Dropped
from assay.measures.applying import apply, worst_value
from assay.preferred import Preferred
from assay.scores import MISSING, NOT_JUDGED, SCORED, UNDEFINED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.blocks import Block
    from assay.document_sets import DocumentSets
    from assay.io.locate import Origin
    from assay.measures.measure import Measure
    from assay.plan import Plan
    from assay.preferences import Preferences
    from assay.ranking import Ranking

__all__ = ["Judge", "Reading", "Scorer", "Whole"]


class Judge(Framed, Protocol):
    """What a judge said: grades, from which preferences follow."""

    def to_preferences(self) -> Preferences:
        """What the grades say of each pair of documents."""
        ...


@dataclass
class Reading:
    """What is known of one run while it is read."""

    origin: Origin
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


@dataclass(frozen=True)
class Whole:
    """What the values of a topic missing from a run depend on beside the topic."""

    documents: int  # judged for any topic
    longest: tuple[int, ...]  # of each run's lists


class Scorer:
    """The values of all runs, filled in as blocks arrive."""

    def __init__(
        self,
        judges: Sequence[Judge],
        runs: int,
        plan: Plan,
        *,
        strict: bool,
        preferences: Sequence[Preferences] | None = None,
        whole: Whole | None = None,
    ) -> None:
        """Make room; where `judges` and blocks are a part of all topics, `whole` tells of all."""
        self.judges, self.plan, self.strict = judges, plan, strict
        self.judged = Judged(judges, plan.policy.negative)
        self.by_pairs = preferences is not None
        if preferences is None and any("better" in m.definition.fields for m in plan.measures):
            preferences = [judge.to_preferences() for judge in judges]
        self.preferred = [Preferred(each, self.judged) for each in preferences or ()]
        shape = (len(judges), runs, len(plan.measures), len(self.judged.topics))
        self.values = np.full(shape, np.nan)
        self.reasons = np.full(shape, NOT_JUDGED, dtype=np.int8)
        self.shown = np.full((len(judges), runs, len(plan.cutoffs), shape[3]), np.nan)
        self.longest = [0] * runs if whole is None else list(whole.longest)
        self._whole = whole
        self._members: dict[DocumentSets, Any] = {}

    def score(self, i: int, reading: Reading, block: Block) -> None:
        """Score the topics of a block of run `i`."""
        policy = self.plan.policy
        hits = join(
            block,
            self.judged,
            reading.origin,
            precision=policy.precision,
            ignore_self=policy.ignore_self,
            dropped=None if self.strict else reading.repeats,
        )
        if len(hits.topic) < len(block.topics):
            reading.foreign += [name for name in block.topics if name not in self.judged.number]
        reading.met += len(hits.pair)
        reading.present.update(hits.topic.tolist())
        self._fill(i, hits)

    def finish(self, i: int, reading: Reading) -> list[str]:
        """Treat the topics that run `i` lacks, which are returned, and those undefined."""
        absent = np.ones(len(self.judged.topics), dtype=bool)
        absent[list(reading.present)] = False
        topics = np.flatnonzero(absent)
        if len(topics):
            self._missing(i, topics)
        if self.plan.policy.undefined == "zero":
            self.values[:, i][self.reasons[:, i] == UNDEFINED] = 0.0
        return [self.judged.topics[t] for t in topics]

    # ------------------------------------------------------------------------------------- values

    def _fill(self, i: int, hits: Hits) -> None:
        plan = self.plan
        for j in range(len(self.judges)):
            for mode, chosen in plan.modes.items():
                wanted = [plan.resolved[m] for m in chosen]
                watch = mode == "nonrelevant"
                for places, ranking in rankings(
                    hits,
                    self.judged,
                    j,
                    ties=plan.policy.ties,
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
                        for c, k in enumerate(plan.cutoffs):
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

    def _with_sets(self, measure: Measure, ranking: Ranking, topics: Any) -> Ranking:
        """The ranking with the documents that the measure's parameters name."""
        given = {name: measure.parameters[name] for name in measure.definition.sets}
        fields: dict[str, Any] = {}
        if "known" in given:
            sets = given["known"]
            if sets not in self._members:
                self._members[sets] = self.judged.holds(sets)
            held = self._members[sets]
            places = {"known": ranking.pair, "known_base": ranking.base_pair}
            asked = measure.definition.fields
            fields = {
                name: held[at.astype(np.int64)] for name, at in places.items() if name in asked
            }
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
        return frozenset(needs | ({"tie_first"} if self.plan.policy.ties == "expected" else set()))

    def _value(self, measure: Measure, ranking: Ranking, mode: str, judge: int) -> Any:
        try:
            with np.errstate(over="raise"):
                if mode in ("lowest", "highest"):
                    return bound(measure, ranking, mode, self._levels(measure, judge))
                return apply(measure, ranking, expected=self.plan.policy.ties == "expected")
        except (FloatingPointError, OverflowError):
            raise AssayError(
                f"{measure}: some topic takes it beyond the largest float, 1.8e308; bring grades, "
                "gains or parameters to a smaller scale"
            ) from None

    def _levels(self, measure: Measure, judge: int) -> list[float]:
        """The grades that a judge may give to documents that nobody judged."""
        known = self.plan.scales[judge]
        top = measure.parameters.get("max") or max(1.0, known.top)
        return scale(known.grades, float(top))

    # ------------------------------------------------------------------------------------ missing

    def _missing(self, i: int, topics: Any) -> None:
        """Topics that the run lacks: undefined where any list would be, else as the policy says."""
        self._fill(i, empty_hits(topics))
        for j in range(len(self.judges)):
            for places, empty in rankings(empty_hits(topics), self.judged, j):
                # for measures of the collection: no fewer documents than anybody judged, nor than
                # stand in the run's longest list beside those judged for the topic
                others = np.maximum(self.longest[i], self._judged_documents - empty.judged)
                ranking = replace(empty, retrieved=others)
                at = topics[places]
                for m, measure in enumerate(self.plan.resolved):
                    ours = at[self.reasons[j, i, m, at] == SCORED]
                    self.reasons[j, i, m, ours] = MISSING
                    worst = np.broadcast_to(worst_value(measure, ranking), at.shape)
                    chosen = self.reasons[j, i, m, at] == MISSING
                    skip = self.plan.policy.missing == "skip"
                    self.values[j, i, m, at[chosen]] = np.nan if skip else worst[chosen]
                for c in range(len(self.plan.cutoffs)):
                    self.shown[j, i, c, at] = np.nan

    @cached_property
    def _judged_documents(self) -> int:
        """How many documents were judged for any topic."""
        return self.judged.doc.n_unique() if self._whole is None else self._whole.documents


def _judged_at(ranking: Ranking, k: float) -> Any:
    """Share of judged documents among the first k."""
    shown = np.minimum(ranking.retrieved, k)
    return (ranking.rank <= k).sum(axis=-1) / np.where(shown, shown, np.nan)
