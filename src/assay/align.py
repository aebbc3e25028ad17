"""The only join: a run's rows meet the judged pairs. The tie rule lives here and nowhere else.

A run comes in blocks of whole topics. Pairs meet by 64-bit keys first and are confirmed on their
strings; order is settled only where it is open: in topics whose scores rise, and in tie groups that
hold a judged document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import RUN, Dropped
from assay.io.locate import lines_of
from assay.ranking import Ranking

if TYPE_CHECKING:
    from assay.judgments import Judgments
    from assay.run import Run

__all__ = ["Block", "Hits", "Judged", "block_of", "blocks_of", "empty_hits", "join", "rankings", "refuse_duplicates"]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]

CELLS = 1 << 18  # of one array in one call of a kernel: the cache's size
BLOCK_ROWS = 1 << 19


def ranges(starts: Ints, ends: Ints) -> Ints:
    """The numbers start, start+1, ..., end-1 of each pair, one after the other."""
    lengths = ends - starts
    total = int(lengths.sum())
    shift = np.repeat(starts - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
    return np.asarray(np.arange(total) + shift, dtype=np.int64)


def _mixed(number: Ints) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """A well-spread 64-bit key of each topic number (splitmix64)."""
    x = (number.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


# ------------------------------------------------------------------------------------ judged pairs


class Judged:
    """The judged pairs of all judges, ready for the join; an axis of judges is a row of `grade`."""

    def __init__(self, judges: Sequence[Judgments], negative: str = "unjudged") -> None:
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
            pairs = every.select("_topic", "doc").unique(maintain_order=True).sort("_topic", maintain_order=True)
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
        self.key = self.doc.hash().to_numpy() ^ _mixed(topic_of)
        self._bases: dict[int, tuple[Ints, Floats]] = {}

    def base(self, judge: int) -> tuple[Ints, Floats]:
        """Grades of all judged documents, topic by topic, each descending: starts and values."""
        if judge not in self._bases:
            grade = self.grade[judge]
            known = np.flatnonzero(grade >= 0)
            known = known[np.lexsort((-grade[known], self.topic_of[known]))]
            start = np.searchsorted(self.topic_of[known], np.arange(len(self.topics) + 1))
            self._bases[judge] = (start, grade[known])
        return self._bases[judge]


# ---------------------------------------------------------------------------------- blocks of runs


@dataclass(frozen=True)
class Block:
    """Whole topics of a run, the rows of each together."""

    topics: list[str]
    start: Ints  # first row of each topic, and the number of rows
    doc: pl.Series
    score: Floats

    def rows(self, keep: np.ndarray[Any, np.dtype[np.bool_]]) -> Block:
        """The block with only the rows to keep."""
        counts = np.concatenate(([0], np.cumsum(keep)))
        return Block(
            self.topics, counts[self.start].astype(np.int64), self.doc.filter(pl.Series(keep)), self.score[keep]
        )


def block_of(topic: pl.Series, doc: pl.Series, score: Floats) -> Block:
    """A block from columns whose rows stand together by topic; topics may come back."""
    new = (topic != topic.shift(1)).to_numpy().copy() if len(topic) else np.zeros(0, dtype=bool)
    new[:1] = True
    first = np.flatnonzero(new)
    topics = topic.gather(first).to_list()
    return Block(topics, np.append(first, len(topic)).astype(np.int64), doc, score)


def blocks_of(run: Run) -> Iterator[Block]:
    """An in-memory run in blocks of whole topics."""
    frame = run.frame
    whole = block_of(frame["topic"], frame["doc"].rechunk(), frame["score"].to_numpy())
    begin = 0
    while begin < len(whole.topics):
        limit = whole.start[begin] + BLOCK_ROWS
        end = max(begin + 1, int(np.searchsorted(whole.start, limit, side="right")) - 1)
        low, high = int(whole.start[begin]), int(whole.start[end])
        yield Block(
            whole.topics[begin:end],
            whole.start[begin : end + 1] - low,
            whole.doc.slice(low, high - low),
            whole.score[low:high],
        )
        begin = end


def refuse_duplicates(run: Run) -> pl.DataFrame:
    """The run's rows, each document once for a topic; lenient: the best-ranked occurrence."""
    pairs = run.frame.select("topic", "doc")
    if not pairs.is_duplicated().any():
        return run.frame
    frame = run.frame.with_row_index("_row")
    repeated = frame.filter(pairs.is_duplicated())
    if not run.dropped.lenient:
        topic, doc = repeated.select("topic", "doc").row(0)
        raise duplicate_error(run.label, run.source, topic, doc)
    best = frame.sort("score", descending=True, maintain_order=True)
    best = best.unique(["topic", "doc"], keep="first", maintain_order=True).sort("_row")
    topic, doc = repeated.select("topic", "doc").row(0)
    where = f"{run.source or run.label}, topic {topic}, document {doc}"
    run.dropped.add("a document given twice for a topic", where, frame.height - best.height)
    return best.drop("_row")


def duplicate_error(label: str, source: str | None, topic: str, doc: str) -> AssayError:
    """The error for a document that stands twice in one ranked list."""
    remedy = "keep one of the two, or use --lenient (strict=False): the best-ranked one stays"
    if source is None:
        return AssayError(f"{label}: document {doc!r} stands twice in the list of topic {topic!r}; {remedy}")
    lines = lines_of(source, RUN, topic, doc)
    return AssayError(
        f"{source}:{lines[1]}: document {doc!r} of topic {topic!r} again, first on line {lines[0]}; {remedy}"
    )


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
    *,
    label: str = "run",
    source: str | None = None,
    precision: str = "float64",
    ignore_self: bool = False,
    dropped: Dropped | None = None,
) -> Hits:
    """Find the judged documents of a block and settle their ranks."""
    if ignore_self:
        topic = pl.Series(block.topics, dtype=pl.String).gather(_segment(block))
        keep = (topic != block.doc).to_numpy()
        block = block if keep.all() else block.rows(keep)
    number = np.asarray([judged.number.get(topic, -1) for topic in block.topics], dtype=np.int64)
    foreign = number < 0
    mixes = np.where(foreign, len(judged.topics) + np.arange(len(number)), number)
    key = block.doc.hash().to_numpy() ^ np.repeat(_mixed(mixes), np.diff(block.start))
    repeated = _repeated(block, key)
    if repeated is not None:
        if dropped is None or not dropped.lenient:
            row = int(np.flatnonzero(repeated)[0])
            at = int(np.searchsorted(block.start, row, side="right")) - 1
            raise duplicate_error(label, source, block.topics[at], block.doc[row])
        block, key = _best_occurrences(block, key, repeated, label, dropped)
    start = block.start
    score = block.score.astype(np.float32) if precision == "float32" else block.score
    score, key, row_of = _descending(score, key, start)
    return _hits(block, judged, number, score, key, row_of)


def _segment(block: Block) -> Ints:
    return np.repeat(np.arange(len(block.topics)), np.diff(block.start))


def _repeated(block: Block, key: Any) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Rows whose document stands more than once in their topic; None where there is none."""
    ordered = np.sort(key)
    if not (ordered[1:] == ordered[:-1]).any():
        return None
    same = pl.DataFrame({"topic": _segment(block), "doc": block.doc}).is_duplicated().to_numpy()
    return same if same.any() else None


def _best_occurrences(
    block: Block, key: Any, repeated: Any, label: str, dropped: Dropped
) -> tuple[Block, Any]:
    rows = np.flatnonzero(repeated)
    frame = pl.DataFrame(
        {"row": rows, "topic": _segment(block)[rows], "doc": block.doc.gather(rows), "score": block.score[rows]}
    )
    best = frame.sort("score", descending=True, maintain_order=True).unique(
        ["topic", "doc"], keep="first", maintain_order=True
    )
    keep = np.ones(len(key), dtype=bool)
    keep[rows] = False
    keep[best["row"].to_numpy()] = True
    first = frame.row(0, named=True)
    where = f"{label}, topic {block.topics[first['topic']]}, document {first['doc']}"
    dropped.add("a document given twice for a topic", where, len(rows) - best.height)
    return block.rows(keep), key[keep]


def _descending(score: Any, key: Any, start: Ints) -> tuple[Any, Any, Ints | None]:
    """Scores descending within each topic; where rows moved, `row_of` says which row stands where."""
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
    place, pair = _meet(block, judged, topic, key, row_of)
    segment = np.searchsorted(start, place, side="right") - 1
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
    order = np.lexsort((rank, segment))
    counts = np.bincount(np.searchsorted(ours, segment), minlength=len(ours))
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
    block: Block, judged: Judged, topic: Ints, key: Any, row_of: Ints | None
) -> tuple[Ints, Ints]:
    """Places in the block that hold a judged pair, and which pair: by key, confirmed on strings."""
    pairs = ranges(judged.start[topic], judged.start[topic + 1])
    if not len(pairs) or not len(key):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    size = 1 << min(22, max(12, int(32 * len(pairs)).bit_length()))
    sieve = np.zeros(size, dtype=bool)
    sieve[judged.key[pairs].view(np.int64) & (size - 1)] = True
    place = np.flatnonzero(sieve[key.view(np.int64) & (size - 1)])
    pairs = pairs[np.argsort(judged.key[pairs], kind="stable")]
    keys = judged.key[pairs]
    found = np.minimum(np.searchsorted(keys, key[place]), len(keys) - 1)
    met = keys[found] == key[place]
    place, pair = place[met], pairs[found[met]]
    rows = place if row_of is None else row_of[place]
    same = (block.doc.gather(rows) == judged.doc.gather(pair)).to_numpy()
    return place[same], pair[same]


def _settle(block: Block, score: Any, place: Ints, row_of: Ints | None) -> tuple[Ints, Ints, Ints]:
    """First and last place of each tied place's group, and its own: documents descending by bytes."""
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
            "doc": block.doc.gather(rows),
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
) -> Iterator[tuple[Ints, Ranking]]:
    """The hits as one judge sees them, in padded arrays of at most CELLS cells.

    Yields the places of the topics within `hits.topic` and their Ranking.
    """
    seen = _seen(hits, judged.grade[judge], ties=ties, unjudged=unjudged)
    ours = np.flatnonzero(judged.has[judge, hits.topic])
    base_start, base_grade = judged.base(judge)
    topic = hits.topic[ours]
    width = np.diff(seen.start)[ours]
    depth = base_start[topic + 1] - base_start[topic]
    cells = np.maximum(width, depth)
    if "pooled" in needs:
        cells = np.maximum(cells, np.diff(seen.pooled_start)[ours])
    if "scores" in needs:
        cells = np.maximum(cells, hits.retrieved[ours])
    left = _unretrieved(hits, judged, judge) if "unretrieved" in needs else None
    order = np.argsort(-cells, kind="stable")
    at = 0
    while at < len(order):
        many = max(1, CELLS // max(1, int(cells[order[at]])))
        chunk = order[at : at + many]
        at += many
        places = ours[chunk]
        pack = _Packer(seen.start[places], seen.start[places + 1])
        base = _Packer(base_start[topic[chunk]], base_start[topic[chunk] + 1])
        extra: dict[str, Any] = {}
        if "score" in needs:
            extra["score"] = pack(seen.score, 0.0)
        if "tie_first" in needs:
            extra["tie_first"] = pack(seen.tie_first, np.inf)
            extra["tie_last"] = pack(seen.tie_last, np.inf)
        if "pooled" in needs:
            pooled = _Packer(seen.pooled_start[places], seen.pooled_start[places + 1])
            extra["pooled"] = pooled(seen.pooled, np.inf)
        if "scores" in needs:
            listed = _Packer(hits.scores_start[places], hits.scores_start[places + 1])
            extra["scores"] = listed(hits.scores, np.nan)
        if left is not None:
            remaining = _Packer(left[0][places], left[0][places + 1])
            extra["unretrieved"] = remaining(left[1], -1.0)
        yield (
            places,
            Ranking(
                grade=pack(seen.grade, 0.0),
                rank=pack(seen.rank, np.inf),
                base=base(base_grade, 0.0),
                judged=depth[chunk].astype(np.float64),
                retrieved=seen.retrieved[places].astype(np.float64),
                **extra,
            ),
        )


def _unretrieved(hits: Hits, judged: Judged, judge: int) -> tuple[Ints, Floats]:
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


class _Packer:
    """Rows of unequal length, laid side by side and padded."""

    def __init__(self, start: Ints, end: Ints) -> None:
        length = end - start
        self.shape = (len(start), max(1, int(length.max(initial=0))))
        self.source = ranges(start, end)
        row = np.repeat(np.arange(len(start)) * self.shape[1] - start, length)
        self.target = row + self.source

    def __call__(self, values: Any, padding: float) -> Floats:
        out = np.full(self.shape[0] * self.shape[1], padding)
        out[self.target] = values[self.source]
        return out.reshape(self.shape)


@dataclass(frozen=True)
class _Seen:
    """Hits under one judge and one policy."""

    start: Ints
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
    pooled_start = np.concatenate(([0], np.cumsum(np.bincount(segment[pooled], minlength=len(hits.topic)))))
    kept = segment[known]
    start = np.concatenate(([0], np.cumsum(np.bincount(kept, minlength=len(hits.topic)))))
    rank, first, last = hits.rank[known], hits.tie_first[known], hits.tie_last[known]
    grade, score, retrieved = grade[known], hits.score[known], hits.retrieved
    if unjudged == "condensed":
        retrieved = np.diff(start)
        rank = np.arange(len(rank)) - start[kept] + 1
        group = np.flatnonzero(np.concatenate(([True], (first[1:] != first[:-1]) | (kept[1:] != kept[:-1]))))
        sizes = np.diff(np.append(group, len(first)))[: len(group)] if len(first) else np.zeros(0, dtype=np.int64)
        group = group[: len(sizes)]
        first = np.repeat(rank[group], sizes)
        last = first + np.repeat(sizes, sizes) - 1
    if ties in ("best", "worst") and (last > first).any():
        # best: the judged documents of a group first, by grade; worst: last, in the other order
        order = np.lexsort((-grade if ties == "best" else grade, first, kept))
        grade, score = grade[order], score[order]
        new = np.concatenate(([True], (first[1:] != first[:-1]) | (kept[1:] != kept[:-1])))
        begin = np.flatnonzero(new)
        size = np.diff(np.append(begin, len(first)))
        within = np.arange(len(first)) - np.repeat(begin, size)
        rank = first + within if ties == "best" else last - (np.repeat(size, size) - 1 - within)
    return _Seen(
        start.astype(np.int64),
        grade,
        rank,
        first,
        last,
        score,
        retrieved,
        pooled_start.astype(np.int64),
        hits.rank[pooled],
    )
