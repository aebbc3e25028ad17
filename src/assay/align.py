"""The only join: a run's rows meet the judged pairs. The tie rule lives here and nowhere else.

A run comes in blocks of whole topics. Pairs meet by 64-bit keys first and are confirmed on their
strings; order is settled only where it is open: in topics whose scores rise, and in tie groups that
hold a judged document.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from assay.blocks import Block, ranges
from assay.duplicates import best_rows
from assay.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.document_sets import DocumentSets
    from assay.io.lines import Dropped
    from assay.io.locate import Origin
    from assay.preferred import Preferred

__all__ = ["Framed", "Hits", "Judged", "Packer", "empty_hits", "join", "keys", "rankings"]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Keys = np.ndarray[Any, np.dtype[np.uint64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]

CELLS = 1 << 18  # of one array in one call of a kernel: the cache's size


def keys(doc: pl.Series, topic: Ints, rows: Ints | int = 1) -> Keys:
    """A 64-bit key of each document with its topic's number, which holds for the next `rows` rows.

    Equal keys need not be equal pairs.
    """
    return np.asarray(doc.hash().to_numpy() ^ np.repeat(_mixed(topic), rows))


def _mixed(number: Ints) -> Keys:
    """The number's bits, well spread (splitmix64)."""
    x = (number.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


# ------------------------------------------------------------------------------------ judged pairs


class Framed(Protocol):
    """One judge's judgments, each pair once: topic, doc, grade."""

    @property
    def frame(self) -> pl.DataFrame:
        """The rows."""
        ...


class Judged:
    """The judged pairs of all judges, ready for the join; an axis of judges is a row of `grade`."""

    def __init__(self, judges: Sequence[Framed], negative: str = "unjudged") -> None:
        parts = [
            judge.frame.with_columns(pl.lit(i, dtype=pl.Int64).alias("judge"))
            for i, judge in enumerate(judges)
        ]
        every = pl.concat(parts) if len(parts) > 1 else parts[0]
        topics = every["topic"].unique(maintain_order=True)
        self.topics: list[str] = topics.to_list()
        self.number = {topic: i for i, topic in enumerate(self.topics)}
        places = pl.DataFrame({"topic": topics, "_topic": np.arange(len(topics))})
        every = every.join(places, on="topic", how="left", maintain_order="left")
        if len(parts) > 1:
            pairs = (
                every.select("_topic", "doc")
                .unique(maintain_order=True)
                .sort("_topic", maintain_order=True)
            )
            pairs = pairs.with_columns(pl.Series("_pair", np.arange(pairs.height)))
            every = every.join(pairs, on=["_topic", "doc"], how="left", maintain_order="left")
        else:
            every = every.sort("_topic", maintain_order=True)
            every = every.with_columns(pl.Series("_pair", np.arange(every.height)))
            pairs = every
        topic_of = pairs["_topic"].to_numpy()
        self.doc = pairs["doc"].rechunk()
        self.topic_of = topic_of
        self.start: Ints = np.searchsorted(topic_of, np.arange(len(topics) + 1))
        self.grade: Floats = np.full((len(judges), pairs.height), np.nan)
        self.grade[every["judge"].to_numpy(), every["_pair"].to_numpy()] = every["grade"].to_numpy()
        if negative == "nonrelevant":
            self.grade[self.grade < 0] = 0.0
        self.has = np.zeros((len(judges), len(topics)), dtype=bool)
        self.has[every["judge"].to_numpy(), every["_topic"].to_numpy()] = True
        self.key = keys(self.doc, topic_of)
        self.by_key: Ints = np.argsort(self.key, kind="stable")
        self.sorted_key = self.key[self.by_key]
        self.keys_differ = not (self.sorted_key[1:] == self.sorted_key[:-1]).any()
        self.sieve = _sieve(self.key)
        self._bases: dict[int, tuple[Ints, Floats, Ints]] = {}

    def base(self, judge: int) -> tuple[Ints, Floats]:
        """Grades of all judged documents, topic by topic, each descending: starts and values."""
        return self._base(judge)[:2]

    def base_pairs(self, judge: int) -> Ints:
        """Which judged pair each grade of `base` belongs to."""
        return self._base(judge)[2]

    def _base(self, judge: int) -> tuple[Ints, Floats, Ints]:
        if judge not in self._bases:
            grade = self.grade[judge]
            known = np.flatnonzero(grade >= 0)
            known = known[np.lexsort((-grade[known], self.topic_of[known]))]
            start = np.searchsorted(self.topic_of[known], np.arange(len(self.topics) + 1))
            self._bases[judge] = (start, grade[known], known)
        return self._bases[judge]

    def holds(self, documents: DocumentSets) -> np.ndarray[Any, np.dtype[np.float64]]:
        """For each judged pair 1 where the sets hold the document for the topic; a 0 at the end."""
        sets = [documents.of.get(topic, frozenset()) for topic in self.topics]
        held = [doc in sets[t] for t, doc in zip(self.topic_of.tolist(), self.doc, strict=True)]
        return np.asarray([*held, False], dtype=np.float64)


# ------------------------------------------------------------------------------------------- join


@dataclass(frozen=True)
class Hits:
    """The judged documents that a block retrieved, topic by topic in rank order."""

    topic: Ints  # [m] number of each topic in Judged
    start: Ints  # [m + 1] where its hits begin
    retrieved: Ints  # [m] documents retrieved for it
    pair: Ints  # [h] which judged pair
    rank: Ints  # [h]
    tie_first: Ints  # [h]
    tie_last: Ints  # [h]
    score: Floats  # [h]
    scores_start: Ints  # [m + 1] where all scores of each topic begin
    scores: Floats  # every score retrieved, descending within its topic


def empty_hits(topics: Ints) -> Hits:
    """Hits of topics for which nothing was retrieved."""
    none = np.zeros(0, dtype=np.int64)
    zeros = np.zeros(len(topics), dtype=np.int64)
    starts, no_score = np.zeros(len(topics) + 1, dtype=np.int64), np.zeros(0)
    return Hits(topics, starts, zeros, none, none, none, none, no_score, starts, no_score)


def join(
    block: Block,
    judged: Judged,
    origin: Origin,
    *,
    precision: str = "float64",
    ignore_self: bool = False,
    dropped: Dropped | None = None,
) -> Hits:
    """Find the judged documents of a block and settle their ranks.

    A document that a topic lists twice is an error, unless `dropped` is there to count it.
    """
    if ignore_self:
        keep = (_topics(block) != block.doc).to_numpy()
        block = block if keep.all() else block.rows(keep)
    number = np.fromiter(map(judged.number.get, block.topics, repeat(-1)), dtype=np.int64)
    key = _row_keys(block, judged, number)
    ordered = np.sort(key)
    if (ordered[1:] == ordered[:-1]).any():
        best = best_rows(_topics(block), block.doc, block.score, origin, dropped)
        if best is not None:
            block, key = block.rows(best), key[best]
    score = block.score
    if precision == "float32":
        with np.errstate(over="ignore"):
            score = score.astype(np.float32)
    score, key, row_of = _descending(score, key, block.start)
    return _hits(block, judged, number, score, key, row_of)


def _topics(block: Block) -> pl.Series:
    """The topic of each row."""
    return pl.Series(block.topics, dtype=pl.String).gather(_segment(block))


def _segment(block: Block) -> Ints:
    return np.repeat(np.arange(len(block.topics)), np.diff(block.start))


def _row_keys(block: Block, judged: Judged, number: Ints) -> Keys:
    """Keys that meet those of judged pairs; a topic that nobody judged gets a number of its own."""
    own = np.where(number < 0, len(judged.topics) + np.arange(len(number)), number)
    return keys(block.doc, own, np.diff(block.start))


def _descending(score: Any, key: Any, start: Ints) -> tuple[Any, Any, Ints | None]:
    """Scores descending within each topic; where rows moved, also which row stands where."""
    rising = score[1:] > score[:-1]
    inner = start[1:-1]
    inner = inner[(inner > 0) & (inner < len(score))]
    rising[inner - 1] = False
    at = np.flatnonzero(rising)
    if not len(at):
        return score, key, None
    unsorted = np.unique(np.searchsorted(start, at, side="right") - 1)
    rows = ranges(start[unsorted], start[unsorted + 1])
    segment = np.repeat(unsorted, start[unsorted + 1] - start[unsorted])
    order = rows[np.lexsort((-score[rows], segment))]
    row_of = np.arange(len(score))
    row_of[rows] = order
    score, key = score.copy(), key.copy()
    score[rows], key[rows] = score[order], key[order]
    return score, key, row_of


def _hits(
    block: Block, judged: Judged, number: Ints, score: Any, key: Any, row_of: Ints | None
) -> Hits:
    start = block.start
    ours = np.flatnonzero((number >= 0) & (np.diff(start) > 0))
    topic = number[ours]
    place, pair = _meet(block, judged, number, key, row_of)
    segment = _segments(start, place)
    first_row = start[segment]
    rank = place - first_row + 1
    tie_first, tie_last = rank.copy(), rank.copy()
    above = (place > first_row) & (score[place] == score[place - 1])
    below = place + 1 < start[segment + 1]
    below &= score[place] == score[np.minimum(place + 1, len(score) - 1)]
    tied = np.flatnonzero(above | below)
    if len(tied):
        first, last, settled = _settle(block, score, place[tied], row_of)
        tie_first[tied] = first - first_row[tied] + 1
        tie_last[tied] = last - first_row[tied] + 1
        rank[tied] = settled - first_row[tied] + 1
    order = np.argsort(first_row + rank, kind="stable")  # nearly in order: hardly any work
    counts = np.bincount(segment, minlength=len(number))[ours]
    lengths = np.diff(start)[ours]
    judged_rows = slice(None) if len(ours) == len(number) else ranges(start[ours], start[ours + 1])
    return Hits(
        topic,
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        lengths,
        pair[order],
        rank[order],
        tie_first[order],
        tie_last[order],
        score[place[order]].astype(np.float64),
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        score[judged_rows],
    )


def _meet(
    block: Block, judged: Judged, number: Ints, key: Keys, row_of: Ints | None
) -> tuple[Ints, Ints]:
    """Places in the block that hold a judged pair, and which pair: by key, then confirmed."""
    wanted, size = judged.sorted_key, len(judged.sieve)
    place = np.flatnonzero(judged.sieve[key.view(np.int64) & (size - 1)])
    found = key[place]
    first = np.searchsorted(wanted, found)
    if judged.keys_differ:
        met = wanted[np.minimum(first, len(wanted) - 1)] == found
        place, first = place[met], first[met]
    else:
        last = np.searchsorted(wanted, found, side="right")
        place, first = np.repeat(place, last - first), ranges(first, last)
    pair = judged.by_key[first]
    rows = place if row_of is None else row_of[place]
    same = (block.doc[rows] == judged.doc[pair]).to_numpy()
    same &= judged.topic_of[pair] == number[_segments(block.start, place)]
    return place[same], pair[same]


def _sieve(key: Keys) -> Mask:
    """Bits at the keys' last digits: most rows fall through, cheaper than a search for each."""
    size = 1 << min(22, max(12, int(32 * len(key)).bit_length()))
    sieve = np.zeros(size, dtype=bool)
    sieve[key.view(np.int64) & (size - 1)] = True
    return sieve


def _segments(start: Ints, place: Ints) -> Ints:
    """The topic, counted within the block, of each of these ascending rows."""
    if 8 * len(place) < start[-1]:
        return np.asarray(np.searchsorted(start, place, side="right") - 1, dtype=np.int64)
    return np.repeat(np.arange(len(start) - 1), np.diff(start))[place]


def _settle(block: Block, score: Any, place: Ints, row_of: Ints | None) -> tuple[Ints, Ints, Ints]:
    """First and last place of each tied place's group, and its own: documents decrease by bytes."""
    new = np.concatenate(([True], score[1:] != score[:-1]))
    new[block.start[:-1][np.diff(block.start) > 0]] = True
    begins = np.flatnonzero(new)
    ends = np.append(begins[1:], len(score))
    group = np.searchsorted(begins, place, side="right") - 1
    groups = np.unique(group)
    members = ranges(begins[groups], ends[groups])
    rows = members if row_of is None else row_of[members]
    frame = pl.DataFrame(
        {
            "group": np.repeat(groups, ends[groups] - begins[groups]),
            "doc": block.doc[rows],
            "at": np.arange(len(members)),
        }
    ).sort(["group", "doc"], descending=[False, True])
    settled = np.empty(len(members), dtype=np.int64)
    settled[frame["at"].to_numpy()] = members
    return begins[group], ends[group] - 1, settled[np.searchsorted(members, place)]


# --------------------------------------------------------------------------------------- rankings


def rankings(
    hits: Hits,
    judged: Judged,
    judge: int = 0,
    *,
    ties: str = "trec",
    unjudged: str = "nonrelevant",
    needs: frozenset[str] = frozenset(),
    preferred: Preferred | None = None,
) -> Iterator[tuple[Ints, Ranking]]:
    """The hits as one judge sees them, in padded arrays of at most CELLS cells.

    Yields the places of the topics within `hits.topic` and their Ranking.
    """
    seen = _seen(hits, judged.grade[judge], ties=ties, unjudged=unjudged)
    ours = np.flatnonzero(judged.has[judge, hits.topic])
    topic = hits.topic[ours]
    base_start, base_grade = judged.base(judge)
    columns = [
        _Column("grade", seen.start, seen.grade, 0.0),
        _Column("rank", seen.start, seen.rank, np.inf),
        _Column("base", base_start, base_grade, 0.0, of_topic=True),
        *_asked_for(needs, hits, judged, judge, seen, condensed=unjudged == "condensed"),
        *_preferred(needs, judged, seen, preferred),
    ]
    lengths = [np.diff(column.start)[topic if column.of_topic else ours] for column in columns]
    cells = np.max(lengths, axis=0)
    depth = base_start[topic + 1] - base_start[topic]
    order = np.argsort(-cells, kind="stable")
    at = 0
    while at < len(order):
        many = max(1, CELLS // max(1, int(cells[order[at]])))
        chunk = order[at : at + many]
        at += many
        places = ours[chunk]
        packers: dict[tuple[int, bool], Packer] = {}
        fields = {}
        for column in columns:
            key = id(column.start), column.of_topic
            if key not in packers:
                rows = topic[chunk] if column.of_topic else places
                packers[key] = Packer(column.start[rows], column.start[rows + 1])
            fields[column.name] = packers[key](column.values, column.padding)
        yield (
            places,
            Ranking(
                judged=depth[chunk].astype(np.float64),
                retrieved=seen.retrieved[places].astype(np.float64),
                **fields,
            ),
        )


@dataclass(frozen=True)
class _Column:
    """A field of a ranking, its rows one after the other; one for each list, or each topic."""

    name: str
    start: Ints
    values: Any
    padding: float
    of_topic: bool = False


def _asked_for(
    needs: frozenset[str], hits: Hits, judged: Judged, judge: int, seen: _Seen, *, condensed: bool
) -> Iterator[_Column]:
    """The fields that only some measures need."""
    if "score" in needs:
        yield _Column("score", seen.start, seen.score, 0.0)
    if "tie_first" in needs:
        yield _Column("tie_first", seen.start, seen.tie_first, np.inf)
        yield _Column("tie_last", seen.start, seen.tie_last, np.inf)
    if "pooled" in needs:
        yield _Column("pooled", seen.pooled_start, seen.pooled, np.inf)
    if "scores" in needs and condensed:
        yield _Column("scores", seen.start, seen.score, np.nan)
    elif "scores" in needs:
        yield _Column("scores", hits.scores_start, hits.scores, np.nan)
    if "missed" in needs:
        yield _Column("missed", *_missed(hits, judged, judge), -1.0)
    if "known" in needs:
        yield _Column("pair", seen.start, seen.pair, -1.0)
    if "known_base" in needs:
        start, pairs = judged.base(judge)[0], judged.base_pairs(judge)
        yield _Column("base_pair", start, pairs, -1.0, of_topic=True)


def _preferred(
    needs: frozenset[str], judged: Judged, seen: _Seen, preferred: Preferred | None
) -> Iterator[_Column]:
    """The fields of measures on preferences, which belong to topics."""
    if preferred is not None and "better" in needs:
        stated = preferred.stated
        better, worse = stated.ranks(len(judged.doc), seen.pair, seen.rank)
        yield _Column("better", stated.start, better, np.nan, of_topic=True)
        yield _Column("worse", stated.start, worse, np.nan, of_topic=True)
        yield _Column("votes", stated.start, stated.votes, 0.0, of_topic=True)
        yield _Column("against", stated.start, stated.against, 0.0, of_topic=True)
    if preferred is not None and "level_better" in needs:
        settled = preferred.settled
        better, worse = settled.ranks(len(judged.doc), seen.pair, seen.tie_first)
        yield _Column("level_better", settled.start, better, np.nan, of_topic=True)
        yield _Column("level_worse", settled.start, worse, np.nan, of_topic=True)


def _missed(hits: Hits, judged: Judged, judge: int) -> tuple[Ints, Floats]:
    """Grades of the judged documents that were not retrieved, topic by topic, each descending."""
    pairs = ranges(judged.start[hits.topic], judged.start[hits.topic + 1])
    segment = np.repeat(
        np.arange(len(hits.topic)), judged.start[hits.topic + 1] - judged.start[hits.topic]
    )
    grade = judged.grade[judge][pairs]
    left = (grade >= 0) & ~np.isin(pairs, hits.pair)
    segment, grade = segment[left], grade[left]
    order = np.lexsort((-grade, segment))
    counts = np.bincount(segment, minlength=len(hits.topic))
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64), grade[order]


class Packer:
    """Rows of unequal length, laid side by side and padded."""

    def __init__(self, start: Ints, end: Ints) -> None:
        length = end - start
        self.shape = (len(start), max(1, int(length.max(initial=0))))
        self.source = ranges(start, end)
        row = np.repeat(np.arange(len(start)) * self.shape[1] - start, length)
        self.target = row + self.source

    def __call__(self, values: Any, padding: float) -> Floats:
        """Values of the rows, padded."""
        out = np.full(self.shape[0] * self.shape[1], padding)
        out[self.target] = values[self.source]
        return out.reshape(self.shape)


@dataclass(frozen=True)
class _Seen:
    """Hits under one judge and one policy."""

    start: Ints
    pair: Ints
    grade: Floats
    rank: Any
    tie_first: Any
    tie_last: Any
    score: Floats
    retrieved: Ints
    pooled_start: Ints
    pooled: Any


def _seen(hits: Hits, grades: Floats, *, ties: str, unjudged: str) -> _Seen:
    grade = grades[hits.pair]
    segment = np.repeat(np.arange(len(hits.topic)), np.diff(hits.start))
    known = grade >= 0
    pooled = grade < 0
    pooled_start = np.concatenate(
        ([0], np.cumsum(np.bincount(segment[pooled], minlength=len(hits.topic))))
    )
    kept = segment[known]
    start = np.concatenate(([0], np.cumsum(np.bincount(kept, minlength=len(hits.topic)))))
    rank, first, last = hits.rank[known], hits.tie_first[known], hits.tie_last[known]
    grade, score, retrieved = grade[known], hits.score[known], hits.retrieved
    pair = hits.pair[known]
    if unjudged == "condensed":
        retrieved = np.diff(start)
        rank = np.arange(len(rank)) - start[kept] + 1
        begin, size = _groups(first, kept)
        first = np.repeat(rank[begin], size)
        last = first + np.repeat(size, size) - 1
        pooled_start, pooled = np.zeros_like(pooled_start), np.zeros_like(pooled)
    if ties in ("best", "worst") and (last > first).any():
        # best: the judged documents of a group first, by grade; worst: last, in the other order
        order = np.lexsort((-grade if ties == "best" else grade, first, kept))
        grade, score, pair = grade[order], score[order], pair[order]
        begin, size = _groups(first, kept)
        within = np.arange(len(first)) - np.repeat(begin, size)
        rank = first + within if ties == "best" else last - (np.repeat(size, size) - 1 - within)
        first, last = rank, rank  # the ties are broken
    return _Seen(
        start.astype(np.int64),
        pair,
        grade,
        rank,
        first,
        last,
        score,
        retrieved,
        pooled_start.astype(np.int64),
        hits.rank[pooled],
    )


def _groups(first: Ints, segment: Ints) -> tuple[Ints, Ints]:
    """Where the tie groups begin among the hits, and how many hits each one has."""
    new = (first[1:] != first[:-1]) | (segment[1:] != segment[:-1])
    begin = np.flatnonzero(np.concatenate(([True], new)))[: len(first)]
    return begin, np.diff(np.append(begin, len(first)))
