"""Ranked lists to look at: what each run shows for each topic, graded, and what each rank adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.align import Hits, Judged, join, rankings
from assay.blocks import blocks_of
from assay.contributions import contributions, why_none
from assay.io.lines import Dropped
from assay.judgments import Judgments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assay.measures.measure import Measure
    from assay.policy import Policy
    from assay.ranking import Ranking
    from assay.run import Run

__all__ = ["Listing", "Shown", "TopicDocs", "listing"]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class TopicDocs:
    """The documents that anybody shows for a topic, and those judged relevant: best first."""

    docs: tuple[str, ...]
    grades: tuple[float | None, ...]  # None: unjudged

    @property
    def relevant(self) -> int:
        """How many have a grade above 0."""
        return sum(grade is not None and grade > 0 for grade in self.grades)


@dataclass(frozen=True)
class Shown:
    """One run's list for one topic."""

    docs: tuple[int, ...]  # places in TopicDocs, by rank
    adds: tuple[tuple[float, ...] | None, ...]  # for each measure: by rank; None where not known
    length: int  # of the whole list, of which no more than the depth is here


@dataclass(frozen=True, eq=False, repr=False)
class Listing:
    """Every run's list for every topic, down to a depth."""

    topics: tuple[str, ...]
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    depth: int
    documents: tuple[TopicDocs, ...]  # one for each topic
    lists: tuple[tuple[Shown, ...], ...]  # [run][topic]
    reasons: tuple[str, ...]  # for each measure why ranks add nothing that can be told; empty

    def __repr__(self) -> str:
        sizes = len(self.runs), len(self.topics), self.depth
        return "Listing({} run(s), {} topic(s), depth {})".format(*sizes)


def listing(
    judgments: Judgments,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    policy: Policy,
    *,
    depth: int = 100,
    progress: Callable[[float], None] | None = None,
) -> Listing:
    """Lists down to `depth` in the order that measures see under the policy.

    `measures` know the top of their scale. Unjudged documents keep their places whatever the
    policy.
    """
    judged = Judged([judgments], policy.negative)
    reasons = [why_none(measure) for measure in measures]
    wanted = [m for m, why in enumerate(reasons) if not why]
    heads = [_Head(run, judged, policy, depth) for run in runs]
    universe = _universe(heads, judged)
    documents = tuple(_documents(universe, t) for t in range(len(judged.topics)))
    lists = []
    for r, head in enumerate(heads):
        adds: dict[int, dict[int, Floats]] = {t: {} for t in range(len(judged.topics))}
        for m in list(wanted):
            for topic, pairs, values in head.added(measures[m]):
                if values is None:
                    reasons[m] = "a list of nothing already has a value"
                    wanted.remove(m)
                    break
                adds[topic][m] = _spread(head.lists[topic], pairs, values)
        lists.append(
            tuple(
                _shown(head, universe, t, adds[t], len(measures)) for t in range(len(judged.topics))
            )
        )
        if progress:
            progress((r + 1) / len(heads))
    return Listing(
        tuple(judged.topics),
        tuple(run.label for run in runs),
        tuple(measures),
        depth,
        documents,
        tuple(lists),
        tuple(reasons),
    )


# -------------------------------------------------------------------------------------- one run


@dataclass(frozen=True)
class _List:
    """A run's documents for a topic in rank order."""

    docs: list[str]
    pairs: Ints  # the judged pair at each rank, -1 where it is unjudged
    length: int


NOTHING = _List([], np.zeros(0, dtype=np.int64), 0)


class _Head:
    """The first documents of a run, and what is judged of the whole."""

    def __init__(self, run: Run, judged: Judged, policy: Policy, depth: int) -> None:
        self.judged, self.policy, self.depth = judged, policy, depth
        self.hits: list[Hits] = []
        self.lists: list[_List] = [NOTHING] * len(judged.topics)
        known = run.frame.filter(pl.col("topic").is_in(judged.topics))
        if not known.height:
            return
        whole = Judged([Judgments(known.select("topic", "doc", pl.lit(0.0).alias("grade")))])
        how: dict[str, Any] = {
            "precision": policy.precision,
            "ignore_self": policy.ignore_self,
            "dropped": Dropped(),
        }
        for block in blocks_of(run):
            hits = join(block, judged, run.origin, **how)
            self.hits.append(hits)
            every = join(block, whole, run.origin, **how)
            self._take(hits, every, whole, depth)

    def _take(self, hits: Hits, every: Hits, whole: Judged, depth: int) -> None:
        """Put the judged documents at the ranks that the policy gives them, the others between."""
        mine = {int(t): i for i, t in enumerate(hits.topic)}
        for i, number in enumerate(every.topic.tolist()):
            topic = self.judged.number[whole.topics[number]]
            at = slice(int(every.start[i]), int(every.start[i + 1]))
            docs = whole.doc[every.pair[at]].to_list()
            pairs = np.full(len(docs), -1, dtype=np.int64)
            j = mine[topic]
            ours = slice(int(hits.start[j]), int(hits.start[j + 1]))
            pairs[hits.rank[ours] - 1] = hits.pair[ours]
            if self.policy.ties in ("best", "worst"):
                docs, pairs = self._settled(hits, j, docs, pairs)
            self.lists[topic] = _List(docs[:depth], pairs[:depth], len(docs))

    def _settled(self, hits: Hits, j: int, docs: list[str], pairs: Ints) -> tuple[list[str], Ints]:
        """The order in which ties are broken for the best, or against it."""
        ours = slice(int(hits.start[j]), int(hits.start[j + 1]))
        grade = self.judged.grade[0][hits.pair[ours]]
        known = grade >= 0
        sign = -1 if self.policy.ties == "best" else 1
        first, last = hits.tie_first[ours][known], hits.tie_last[ours][known]
        pair = hits.pair[ours][known]
        order = np.lexsort((sign * grade[known], first))
        place = np.full(len(docs), -1, dtype=np.int64)
        for group in np.unique(first):
            members = order[first[order] == group]
            low = group if self.policy.ties == "best" else last[members[0]] - len(members) + 1
            place[low - 1 : low - 1 + len(members)] = pair[members]
        named = dict(zip(pairs.tolist(), docs, strict=True))
        others = iter(
            [(doc, at) for doc, at in zip(docs, pairs.tolist(), strict=True) if at not in set(pair)]
        )
        settled = [(named[at], at) if at >= 0 else next(others) for at in place.tolist()]
        return [doc for doc, _ in settled], np.asarray([at for _, at in settled], dtype=np.int64)

    def added(self, measure: Measure) -> Iterator[tuple[int, Ints, Floats | None]]:
        """Topic, judged pairs in rank order, and what each adds, list by list."""
        mode = measure.unjudged or self.policy.unjudged
        fields = set(measure.definition.fields) | {"known"}
        expected = self.policy.ties == "expected"
        if expected:
            fields |= {"tie_first"}
        for hits in self.hits:
            for places, ranking in rankings(
                hits,
                self.judged,
                0,
                ties=self.policy.ties,
                unjudged="condensed" if mode == "condensed" else "nonrelevant",
                needs=frozenset(fields),
            ):
                values = contributions(measure, ranking, depth=self.depth, expected=expected)
                yield from _each(hits.topic[places], ranking, values)


def _each(
    topics: Ints, ranking: Ranking, values: Floats | None
) -> Iterator[tuple[int, Ints, Floats | None]]:
    if values is None:
        yield -1, np.zeros(0, dtype=np.int64), None
        return
    for i, topic in enumerate(topics.tolist()):
        pairs, adds = ranking.pair[i][: values.shape[1]], values[i]
        real = pairs >= 0
        yield topic, pairs[real].astype(np.int64), adds[real]


def _spread(mine: _List, pairs: Ints, values: Floats) -> Floats:
    """What the document at each rank adds, 0 where it is unjudged."""
    of = dict(zip(pairs.tolist(), values.tolist(), strict=True))
    return np.array([of.get(pair, 0.0) for pair in mine.pairs.tolist()])


# ------------------------------------------------------------------------------------- together


@dataclass(frozen=True)
class _Universe:
    """Of each topic the documents in the order of their numbers: best grade first, then shown."""

    docs: list[list[str]]
    grades: list[list[float | None]]
    places: list[dict[str, int]]


def _universe(heads: Sequence[_Head], judged: Judged) -> _Universe:
    found = _Universe([], [], [])
    grades = judged.grade[0]
    for t in range(len(judged.topics)):
        pairs = range(int(judged.start[t]), int(judged.start[t + 1]))
        names = judged.doc[pairs.start : pairs.stop].to_list()
        known = {name: float(grades[pair]) for name, pair in zip(names, pairs, strict=True)}
        times: dict[str, int] = {name: 0 for name, grade in known.items() if grade > 0}
        for head in heads:
            for doc in head.lists[t].docs:
                times[doc] = times.get(doc, 0) + 1

        def grade_of(doc: str, known: dict[str, float] = known) -> float | None:
            grade = known.get(doc, -1.0)
            return grade if grade >= 0 else None

        def order(doc: str, times: dict[str, int] = times) -> tuple[float, int, str]:
            grade = grade_of(doc)
            return -1.0 if grade is None else grade, times[doc], doc

        docs = sorted(times, key=order, reverse=True)
        found.docs.append(docs)
        found.grades.append([grade_of(doc) for doc in docs])
        found.places.append({doc: i for i, doc in enumerate(docs)})
    return found


def _documents(universe: _Universe, topic: int) -> TopicDocs:
    return TopicDocs(tuple(universe.docs[topic]), tuple(universe.grades[topic]))


def _shown(
    head: _Head, universe: _Universe, topic: int, adds: dict[int, Floats], measures: int
) -> Shown:
    mine, places = head.lists[topic], universe.places[topic]
    return Shown(
        tuple(places[doc] for doc in mine.docs),
        tuple(tuple(adds[m].tolist()) if m in adds else None for m in range(measures)),
        mine.length,
    )
