"""Hits as trec_eval looks at them: cut at a depth, ties the other way round, gains by a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.align import CELLS, Hits, Packer, empty_hits
from assay.blocks import ranges
from assay.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.align import Judged

    Table = Sequence[tuple[int, float]]

__all__ = [
    "bare",
    "chunks",
    "cut",
    "docno_ascending",
    "gain_rankings",
    "merged",
    "relevance",
    "strings",
]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]

UNJUDGED, POOLED = -1.0, -2.0  # not in the relevance file; there, with a negative value


def bare(hits: Hits) -> Hits:
    """The hits without the scores of documents that nobody judged."""
    return replace(hits, scores=np.zeros(0), scores_start=np.zeros_like(hits.scores_start))


def merged(parts: Sequence[Hits]) -> Hits:
    """The hits of all blocks of a run."""
    if not parts:
        return empty_hits(np.zeros(0, dtype=np.int64))
    names = ("topic", "retrieved", "pair", "rank", "tie_first", "tie_last", "score", "scores")
    many = np.concatenate([np.diff(part.start) for part in parts])
    start = np.concatenate(([0], np.cumsum(many))).astype(np.int64)
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Hits(start=start, scores_start=np.zeros_like(start), **columns)


def cut(hits: Hits, depth: int) -> Hits:
    """The first `depth` documents of each topic."""
    if not len(hits.retrieved) or depth >= hits.retrieved.max():
        return hits
    shallow = _kept(hits, hits.rank <= depth)
    return replace(shallow, retrieved=np.minimum(hits.retrieved, depth))


def docno_ascending(hits: Hits) -> Hits:
    """The same list with documents of equal score in ascending order, as preferences have it."""
    rank = hits.tie_first + hits.tie_last - hits.rank
    order = np.lexsort((rank, _topic_of(hits)))
    return _kept(replace(hits, rank=rank), order)


def _topic_of(hits: Hits) -> Ints:
    return np.repeat(np.arange(len(hits.topic)), np.diff(hits.start))


def _kept(hits: Hits, rows: Any) -> Hits:
    """The hits at these rows, by number or by mask."""
    counts = np.bincount(_topic_of(hits)[rows], minlength=len(hits.topic))
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    names = ("pair", "rank", "tie_first", "tie_last", "score")
    return replace(hits, start=start, **{name: getattr(hits, name)[rows] for name in names})


def relevance(hits: Hits, grade: Floats, *, judged_only: bool) -> tuple[Ints, Floats]:
    """The relevance value of every document retrieved, topic by topic in rank order."""
    start = np.concatenate(([0], np.cumsum(hits.retrieved))).astype(np.int64)
    found = np.full(start[-1], UNJUDGED)
    grades = grade[hits.pair]
    topic = _topic_of(hits)
    found[start[topic] + hits.rank - 1] = np.where(grades < 0, POOLED, grades)
    if judged_only:
        counts = np.concatenate(([0], np.cumsum(found >= 0)))
        start, found = counts[start], found[found >= 0]
    return start, found


def strings(hits: Hits, grade: Floats, depth: int, *, judged_only: bool) -> list[str]:
    """The first relevance values of each topic, a character each."""
    start, values = relevance(
        hits if judged_only else cut(hits, depth), grade, judged_only=judged_only
    )
    letters = np.where(values > 9, ord(">"), ord("0") + values)
    letters = np.where(values == UNJUDGED, ord("-"), letters)
    letters = np.where(values == POOLED, ord("."), letters)
    text = letters.astype(np.uint8).tobytes().decode("ascii")
    ends = np.minimum(start[1:], start[:-1] + depth)
    return [text[a:b] for a, b in zip(start[:-1].tolist(), ends.tolist(), strict=True)]


# ------------------------------------------------------------------------------------------ gains


def gain_rankings(
    hits: Hits, judged: Judged, table: Table, *, judged_only: bool, scaled: bool
) -> Iterator[tuple[Ints, Ranking]]:
    """Rankings whose grades are gains, as the table of level and gain sets them.

    A level may be negative: that of documents not judged (-1) or pooled only (-2). The ideal, as
    trec_eval's, holds the judged documents with a positive gain. With `scaled` the gains of each
    topic run from 0 to 1 where its table leaves that range (rbp).
    """
    start, values = relevance(hits, judged.grade[0], judged_only=judged_only)
    base_start, base = judged.base(0)
    rows = ranges(base_start[hits.topic], base_start[hits.topic + 1])
    many = base_start[hits.topic + 1] - base_start[hits.topic]
    topic_of, of_topic = np.repeat(np.arange(len(many)), many), base[rows]
    low, size = _scales(of_topic, many, table if scaled else None)
    listed = np.repeat(np.arange(len(many)), np.diff(start))
    gain = _gain(values, table, low[listed], size[listed])
    worth = _gain(of_topic, table, low[topic_of], size[topic_of])
    order = np.lexsort((-worth, topic_of))
    order = order[worth[order] > 0]
    worth, topic_of = worth[order], topic_of[order]
    ideal_start = np.searchsorted(topic_of, np.arange(len(many) + 1))
    rank = np.arange(len(values)) - start[listed] + 1.0
    for places in chunks(np.maximum(np.diff(start), np.diff(ideal_start))):
        pack = Packer(start[places], start[places + 1])
        ideal = Packer(ideal_start[places], ideal_start[places + 1])
        yield (
            places,
            Ranking(
                grade=pack(gain, 0.0),
                rank=pack(rank, np.inf),
                base=ideal(worth, 0.0),
                judged=many[places].astype(np.float64),
                retrieved=np.diff(start)[places].astype(np.float64),
            ),
        )


def chunks(many: Ints) -> Iterator[Ints]:
    """Lists of like length together, as many at a time as the cache holds."""
    order = np.argsort(-many, kind="stable")
    at = 0
    while at < len(order):
        places = order[at : at + max(1, CELLS // max(1, int(many[order[at]])))]
        at += len(places)
        yield places


def _gain(level: Floats, table: Table, low: Floats, size: Floats) -> Floats:
    """Gain of each level: by the table, whose first word counts, else the level itself, else 0."""
    gain = np.where(level >= 0, level, 0.0)
    named = level >= 0
    for wanted, value in reversed(table):
        gain[level == wanted] = value
        named |= level == wanted
    return np.where(named, (gain - low) / size, 0.0)


def _scales(base: Floats, many: Ints, table: Table | None) -> tuple[Floats, Floats]:
    """For each topic the gain that becomes 0 and the length of the scale; 0 and 1 within 0 to 1."""
    low: Floats = np.zeros(len(many))
    size: Floats = np.ones(len(many))
    if table is None:
        return low, size
    first = np.concatenate(([0], np.cumsum(many)))[:-1]
    top = np.full(len(many), -1.0)
    top[many > 0] = base[first[many > 0]]  # descending within each topic
    named = dict(reversed(table))
    for highest in np.unique(top).tolist():
        levels = [g for g in range(len(named) + 1) if g not in named and g <= highest][:1]
        levels += [g for g in _down(int(highest), len(named)) if g not in named][:1]
        gains = [*named.values(), *map(float, levels)]  # the least and the most suffice
        least, most = min(gains), max(gains)
        if least < 0 or most > 1:
            low[top == highest], size[top == highest] = least, most - least
    return low, size


def _down(highest: int, many: int) -> range:
    """Levels from the highest, as many and one more."""
    return range(highest, max(-1, highest - many - 1), -1)
