"""Rankings as votes on pairs of documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.judgments import Judgments
    from assay.preferences import Preferences
    from assay.run import Run

__all__ = ["Ballot", "Ballots", "from_preferences", "from_rankings"]

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Ballot:
    """One voter's ranking of each topic, by numbers, the largest first; equal numbers are ties."""

    topics: dict[str, dict[str, float]]
    last: bool  # whether documents that it lacks stand last, tied; else nothing is said of them

    @classmethod
    def of_judgments(cls, judgments: Judgments, least: float = 0.0) -> Ballot:
        """Grades; one below 0, pooled but not judged, says nothing."""
        topics = {
            topic: {doc: grade for doc, grade in values.items() if grade >= least}
            for topic, values in judgments.to_dict().items()
        }
        return cls(topics, last=False)

    @classmethod
    def of_run(cls, run: Run, depth: int | None, *, last: bool) -> Ballot:
        """Scores; `depth` cuts in the order that evaluation settles ties by."""
        topics = run.to_dict()
        for topic, values in topics.items():
            if depth is not None and len(values) > depth:
                order = sorted(values, key=lambda doc: doc.encode(), reverse=True)
                order.sort(key=values.__getitem__, reverse=True)
                topics[topic] = {doc: values[doc] for doc in order[:depth]}
        return cls(topics, last=last)


@dataclass(frozen=True)
class Ranked:
    """Documents that one voter ranks, as places, with their numbers, the largest first."""

    place: Array
    value: Array
    last: bool  # whether the other documents stand behind them, tied


@dataclass(frozen=True)
class Ballots:
    """All votes on one topic: whole rankings, or votes on pairs (better, worse, votes)."""

    docs: tuple[str, ...]
    voters: int
    rankings: tuple[Ranked, ...] = ()
    pairs: tuple[Array, Array, Array] | None = None

    def votes(self) -> Array:
        """votes[a, b]: how many prefer document a to document b."""
        n = len(self.docs)
        found = np.zeros((n, n), dtype=np.int64 if self.pairs else np.int32)
        if self.pairs is not None:
            better, worse, votes = self.pairs
            np.add.at(found, (better, worse), votes)
        for each in self.rankings:
            own = each.value[:, None] > each.value
            if each.last:
                found[each.place] += 1
                found[np.ix_(each.place, each.place)] -= ~own
            else:
                found[np.ix_(each.place, each.place)] += own
        return found

    def borda(self) -> Array:
        """For each document the votes for it, minus those against it, over all pairs."""
        score = np.zeros(len(self.docs))
        if self.pairs is not None:
            better, worse, votes = self.pairs
            np.add.at(score, better, votes)
            np.subtract.at(score, worse, votes)
        for each in self.rankings:
            ordered = np.sort(each.value)
            below = np.searchsorted(ordered, each.value, side="left")
            above = len(ordered) - np.searchsorted(ordered, each.value, side="right")
            score[each.place] += below - above
            if each.last:
                score -= len(ordered)  # for those that it does not rank
                score[each.place] += len(self.docs)
        return score


def from_preferences(preferences: Preferences) -> Iterator[tuple[str, Ballots]]:
    """Votes on pairs, by topic; ties are votes for neither."""
    from assay.statements import relation_of

    for part in preferences.frame.partition_by("topic", maintain_order=True):
        relation = relation_of(part)
        strict = ~relation.tie
        pairs = (relation.better[strict], relation.worse[strict], relation.votes[strict])
        yield part["topic"][0], Ballots(relation.docs, part["judge"].n_unique(), pairs=pairs)


def from_rankings(ballots: Sequence[Ballot]) -> Iterator[tuple[str, Ballots]]:
    """Rankings by topic, over all documents that any of them ranks."""
    for topic in dict.fromkeys(topic for ballot in ballots for topic in ballot.topics):
        place: dict[str, int] = {}
        ranked = []
        for ballot in ballots:
            values = ballot.topics.get(topic)
            if values is None:
                continue
            at = [place.setdefault(doc, len(place)) for doc in values]
            value = np.fromiter(values.values(), np.float64, len(values))
            ranked.append(Ranked(np.asarray(at, dtype=np.int64), value, ballot.last))
        yield topic, Ballots(tuple(place), len(ranked), tuple(ranked))
