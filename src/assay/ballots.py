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
    """One voter's ranking of each topic: document to rank, 1 for the best; equal ranks are ties."""

    topics: dict[str, dict[str, float]]
    last: bool  # whether documents that it lacks stand last, tied; else nothing is said of them

    @classmethod
    def of_judgments(cls, judgments: Judgments, least: float = 0.0) -> Ballot:
        """Grades as ranks; a grade below 0, pooled but not judged, says nothing."""
        topics = {
            topic: _ranks({doc: grade for doc, grade in values.items() if grade >= least})
            for topic, values in judgments.to_dict().items()
        }
        return cls(topics, last=False)

    @classmethod
    def of_run(cls, run: Run, depth: int | None, *, last: bool) -> Ballot:
        """Scores as ranks; `depth` cuts in the order that evaluation settles ties by."""
        topics = {}
        for topic, values in run.to_dict().items():
            kept = values
            if depth is not None and len(values) > depth:
                order = sorted(values, key=lambda doc: doc.encode(), reverse=True)
                order.sort(key=values.__getitem__, reverse=True)
                kept = {doc: values[doc] for doc in order[:depth]}
            topics[topic] = _ranks(kept)
        return cls(topics, last=last)


def _ranks(values: dict[str, float]) -> dict[str, float]:
    from scipy.stats import rankdata

    ranks = rankdata([-value for value in values.values()], method="min")
    return dict(zip(values, ranks.tolist(), strict=True))


@dataclass(frozen=True)
class Ballots:
    """All votes on one topic: rankings [voter, doc], NaN where nothing is said; or pairs."""

    docs: tuple[str, ...]
    voters: int
    ranks: Array | None = None
    pairs: tuple[Array, Array, Array] | None = None  # better, worse, votes

    def votes(self) -> Array:
        """votes[a, b]: how many prefer document a to document b."""
        n = len(self.docs)
        found = np.zeros((n, n), dtype=np.int64)
        if self.pairs is not None:
            better, worse, votes = self.pairs
            np.add.at(found, (better, worse), votes)
        if self.ranks is not None:
            for rank in self.ranks.astype(np.float32):
                found += rank[:, None] < rank
        return found

    def borda(self) -> Array:
        """For each document the votes for it, minus those against it, over all pairs."""
        score = np.zeros(len(self.docs))
        if self.pairs is not None:
            better, worse, votes = self.pairs
            np.add.at(score, better, votes)
            np.subtract.at(score, worse, votes)
        if self.ranks is not None:
            for rank in self.ranks:
                known = np.flatnonzero(~np.isnan(rank))
                ordered = np.sort(rank[known])
                above = np.searchsorted(ordered, rank[known], side="left")
                below = len(known) - np.searchsorted(ordered, rank[known], side="right")
                score[known] += below - above
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
        with_it = [ballot for ballot in ballots if topic in ballot.topics]
        docs = tuple(dict.fromkeys(doc for ballot in with_it for doc in ballot.topics[topic]))
        ranks = np.full((len(with_it), len(docs)), np.nan)
        for row, ballot in zip(ranks, with_it, strict=True):
            ranking = ballot.topics[topic]
            missing = len(docs) + 1.0 if ballot.last else np.nan
            row[:] = [ranking.get(doc, missing) for doc in docs]
        yield topic, Ballots(docs, len(with_it), ranks=ranks)
