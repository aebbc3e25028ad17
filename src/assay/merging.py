"""Several rankings of the same documents merged into one: Borda, Copeland, Markov chain, Kemeny.

The rankings come from judges (preferences or grades), or from the systems themselves, which makes
judgments without people (Zhou & Yao 2010, section 7, https://doi.org/10.1007/s10844-009-0096-5).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.ballots import Ballot, Ballots, from_preferences, from_rankings
from assay.errors import AssayError
from assay.judgments import Judgments
from assay.kemeny import HEURISTIC, kemeny
from assay.orders import WeakOrder
from assay.pictured import Pictured
from assay.preferences import Preferences
from assay.preferred import preferences_in
from assay.run import Run, read_run

if TYPE_CHECKING:
    import polars as pl

__all__ = ["METHODS", "Merged", "merge"]

METHODS = {
    "borda": "Borda 1781: points for every document a ranking puts below, minus those above",
    "copeland": "Copeland 1951: documents that a majority puts below, minus those it puts above",
    "mc4": "Dwork et al. 2001, https://doi.org/10.1145/371920.372165: time that a walk spends at a "
    "document, if it moves to a random other where a majority prefers that one",
    "kemeny": "Kemeny 1959: the order that contradicts the fewest votes",
}
STEPS = 10_000  # of the walk, at most
MOST_DOCUMENTS = 6000  # of a topic, where all their pairs are looked at

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class MergedTopic:
    """The merged order of one topic."""

    order: WeakOrder
    score: dict[str, float]  # what the method orders by; for kemeny the level from the last
    contradicted: int | None  # votes that the order contradicts, where pairs were counted
    least: int | None  # votes that every order contradicts
    exact: bool | None  # kemeny: whether no order contradicts fewer; else None
    voters: int


@dataclass(frozen=True, repr=False)
class Merged(Pictured):
    """One ranking for each topic, made of several."""

    method: str
    sources: tuple[str, ...]
    topics: dict[str, MergedTopic]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Merged({self.method!r} of {len(self.sources)} rankings, {len(self.topics)} topics)"

    @property
    def orders(self) -> dict[str, WeakOrder]:
        """Topic to the merged order."""
        return {topic: each.order for topic, each in self.topics.items()}

    def to_judgments(self, *, top: int | None = None, label: str | None = None) -> Judgments:
        """The merged order as grades: the level from the last, 0; or 1 for the `top` first, else 0.

        Of a level that `top` cuts through no document counts, unless the level is the first.
        """
        if top is not None and (isinstance(top, bool) or top != int(top) or top < 1):
            raise AssayError(f"top={top!r}: must be a whole number from 1, or None")
        grades: dict[str, dict[str, float]] = {}
        for topic, each in self.topics.items():
            grades[topic] = each.order.utility() if top is None else _first(each.order, int(top))
        return Judgments(grades, label=label or self.method)

    def to_run(self, *, label: str | None = None) -> Run:
        """The merged order as a run, scored by level; documents of a level are tied."""
        scores = {topic: each.order.utility() for topic, each in self.topics.items()}
        return Run(scores, label=label or self.method, tag=label or self.method)

    def to_polars(self) -> pl.DataFrame:
        """One row for each document: topic, doc, level (0 is the best), score."""
        import polars as pl

        rows = [
            (topic, doc, level, each.score[doc])
            for topic, each in self.topics.items()
            for doc, level in each.order.level.items()
        ]
        return pl.DataFrame(rows, schema=["topic", "doc", "level", "score"], orient="row")

    def table(self) -> Any:
        """A table for people, which prints itself in a terminal and in a notebook."""
        from assay.show.preferences import merged_page

        return merged_page(self)

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html


def merge(
    rankings: Any,
    method: str = "kemeny",
    *,
    depth: int | None = None,
    unretrieved: str = "last",
    seconds: float = 5.0,
) -> Merged:
    """Merge rankings into one for each topic.

    * rankings: `Preferences` (every statement and judge with its votes), or several; or a list, or
      dictionary by label, of `Judgments`, of runs (files or `Run`), or of dictionaries of topic to
      document to number. A judge says nothing of documents that it does not grade.
    * method: `"borda"`, `"copeland"`, `"mc4"` or `"kemeny"`; ties in their scores stay ties. Kemeny
      is exact where that can be shown within `seconds` a topic, else a heuristic, named as such.
    * depth: only the first `depth` documents of each run count.
    * unretrieved: a run ranks what it does not retrieve `"last"`, tied, or it is `"unknown"`.

    >>> first, second = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"a": 2, "b": 3, "c": 1}}
    >>> print(merge([first, second, {"q": {"b": 1, "c": 0}}]).orders["q"])
    a = b > c
    """
    if method not in METHODS:
        raise AssayError(f"method={method!r}: must be one of {', '.join(map(repr, METHODS))}")
    if unretrieved not in ("last", "unknown"):
        raise AssayError(f"unretrieved={unretrieved!r}: must be one of 'last', 'unknown'")
    if depth is not None and (isinstance(depth, bool) or depth != int(depth) or depth < 1):
        raise AssayError(f"depth={depth!r}: must be a whole number from 1, or None")
    several = preferences_in(rankings)
    if several is not None and not isinstance(rankings, Preferences):
        rankings = Preferences.pooled(several)
    if isinstance(rankings, Preferences):
        sources = tuple(judge or rankings.label for judge in rankings.judges)
        topics = dict(from_preferences(rankings))
    else:
        given = _several(rankings)
        sources = tuple(given)
        last = unretrieved == "last"
        ballots = [_ballot(item, depth, last) for item in given.values()]
        topics = dict(from_rankings(ballots))
    merged = {topic: _merged(topic, each, method, seconds) for topic, each in topics.items()}
    return Merged(method, sources, merged, _notes(method, merged))


def _notes(method: str, merged: Mapping[str, MergedTopic]) -> tuple[str, ...]:
    notes = [METHODS[method]]
    if method == "kemeny":
        open_ = [topic for topic, each in merged.items() if not each.exact]
        many = f"{len(merged) - len(open_)} of {len(merged)} topics exact"
        rest = f"; {' '.join(open_[:5])}{' ...' * (len(open_) > 5)}: {HEURISTIC}" if open_ else ""
        notes.append(many + rest)
    return tuple(notes)


def _several(given: Any) -> dict[str, Any]:
    """The rankings by label."""
    if isinstance(given, Mapping):
        named = {str(label): item for label, item in given.items()}
    elif isinstance(given, Sequence) and not isinstance(given, str | bytes):
        named = {}
        for i, item in enumerate(given, 1):
            label = getattr(item, "label", None) or (
                _label(item) if isinstance(item, str | Path) else f"ranking {i}"
            )
            if label in named:
                raise AssayError(
                    f"two rankings are labelled {label!r}; give a dictionary of label to ranking"
                )
            named[label] = item
    else:
        raise AssayError(
            "expected Preferences, or a list (or dictionary by label) of Judgments, runs or "
            f"dictionaries; found {type(given).__name__}"
        )
    if not named:
        raise AssayError("no ranking to merge")
    return named


def _label(path: str | Path) -> str:
    from assay.io.stream import label_of

    return label_of(path)


def _ballot(item: Any, depth: int | None, last: bool) -> Ballot:  # noqa: FBT001
    if isinstance(item, str | Path):
        item = read_run(item)
    if isinstance(item, Run):
        return Ballot.of_run(item, depth, last=last)
    if isinstance(item, Judgments):
        return Ballot.of_judgments(item)
    return Ballot.of_judgments(Judgments(item), least=-math.inf)


def _first(order: WeakOrder, top: int) -> dict[str, float]:
    taken = 0
    grades: dict[str, float] = {}
    for i, level in enumerate(order.levels):
        good = taken + len(level) <= top or i == 0
        grades |= dict.fromkeys(level, 1.0 if good else 0.0)
        taken += len(level) if good else top
    return grades


# ------------------------------------------------------------------------------------- the methods


def _merged(topic: str, ballots: Ballots, method: str, seconds: float) -> MergedTopic:
    if method == "borda":
        return _scored(ballots, ballots.borda(), None)
    if len(ballots.docs) > MOST_DOCUMENTS:
        raise AssayError(
            f"topic {topic}: {len(ballots.docs)} documents make too many pairs for {method!r}; use "
            f"depth= to cut the runs (at most {MOST_DOCUMENTS} documents), or method='borda'"
        )
    votes = ballots.votes()
    if method == "copeland":
        return _scored(ballots, np.sign(votes - votes.T).sum(axis=1), votes)
    if method == "mc4":
        return _scored(ballots, _mc4(votes), votes)
    found = kemeny(votes, seconds=seconds)
    top = int(found.level.max(initial=0))
    merged = _scored(ballots, top - found.level, votes)
    return MergedTopic(
        merged.order, merged.score, found.contradicted, found.least, found.exact, ballots.voters
    )


def _scored(ballots: Ballots, score: Array, votes: Array | None) -> MergedTopic:
    scores = dict(zip(ballots.docs, score.tolist(), strict=True))
    order = WeakOrder.of(scores)
    if votes is None:
        return MergedTopic(order, scores, None, None, None, ballots.voters)
    above = score[:, None] > score[None, :]
    tied = score[:, None] == score[None, :]
    fewer = np.triu(np.minimum(votes, votes.T), 1)
    wrong = (votes.T * above).sum() + (fewer * tied).sum()
    least = fewer.sum()
    return MergedTopic(order, scores, int(wrong), int(least), None, ballots.voters)


def _mc4(votes: Array) -> Array:
    """Score of each document: how many sets stand below its own, then the walk's time within it.

    A set is what majorities lead round in a circle. The walk leaves a set that a majority puts
    below another one and never comes back: the sets are ranked one after the other (Dwork et al.).
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(votes)
    beaten = votes < votes.T  # beaten[i, j]: a majority prefers j to i
    many, component = connected_components(csr_array(beaten), directed=True, connection="strong")
    depth = _depths(beaten, component, many)
    score = np.zeros(n)
    for each in range(many):
        mine = np.flatnonzero(component == each)
        score[mine] = depth[each] + _stationary(beaten[np.ix_(mine, mine)]) / 2
    return score


def _depths(beaten: Array, component: Array, many: int) -> Array:
    """How many sets stand below each, on the longest way down."""
    tails, heads = np.nonzero(beaten)
    ends = np.unique(np.stack([component[tails], component[heads]]), axis=1)
    ends = ends[:, ends[0] != ends[1]]
    depth = np.zeros(many, dtype=np.int64)
    while True:
        deeper = depth.copy()
        np.maximum.at(deeper, ends[1], depth[ends[0]] + 1)
        if (deeper == depth).all():
            return depth
        depth = deeper


def _stationary(beaten: Array) -> Array:
    """Share of its time that the walk spends at each document of a set it cannot leave."""
    if len(beaten) == 1:
        return np.ones(1)
    leaves = beaten.sum(axis=1)  # of n equally likely moves, those that are made
    jump = (beaten / leaves[:, None]).T
    visits = np.full(len(beaten), 1 / len(beaten))
    for _ in range(STEPS):
        after = (visits + jump @ visits) / 2  # half a step, so that it settles
        done = np.abs(after - visits).max() <= 1e-14 * after.max()
        visits = after
        if done:
            break
    time = visits / leaves
    share: Array = np.round(time / time.max(), 9)
    return share
