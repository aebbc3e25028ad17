"""Runs in blocks of whole topics, in memory or from a file whose topics are scattered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assay.io.trec import Rows
    from assay.run import Run

__all__ = ["Block", "block_of", "blocks_of", "ranges", "regrouped"]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]

BLOCK_ROWS = 1 << 18
HELD_BYTES = 1 << 28  # of a file whose topics are scattered, held at once


def ranges(starts: Ints, ends: Ints) -> Ints:
    """The numbers start, start+1, ..., end-1 of each pair, one after the other."""
    lengths = ends - starts
    total = int(lengths.sum())
    shift = np.repeat(starts - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
    return np.asarray(np.arange(total) + shift, dtype=np.int64)


@dataclass(frozen=True)
class Block:
    """Whole topics of a run, the rows of each together."""

    topics: list[str]
    start: Ints  # first row of each topic, and the number of rows
    doc: pl.Series
    score: Floats

    def rows(self, keep: Mask) -> Block:
        """The block with only the rows to keep."""
        counts = np.concatenate(([0], np.cumsum(keep)))
        return Block(
            self.topics,
            counts[self.start].astype(np.int64),
            self.doc.filter(pl.Series(keep)),
            self.score[keep],
        )


def block_of(topic: pl.Series, doc: pl.Series, score: Floats) -> Block:
    """A block from columns whose rows stand together by topic; topics may come back.

    Slices and square brackets work in this thread; Polars' expressions would wait for its pool,
    which is busy with the next piece.
    """
    new = np.ones(len(topic), dtype=bool)
    new[1:] = (topic.slice(1) != topic.slice(0, max(0, len(topic) - 1))).to_numpy()
    first = np.flatnonzero(new)
    start = np.append(first, len(topic)).astype(np.int64)
    return Block(topic[first].to_list(), start, doc, score)


def blocks_of(run: Run) -> Iterator[Block]:
    """An in-memory run in blocks of whole topics."""
    frame = run.frame
    whole = block_of(frame["topic"], frame["doc"].rechunk(), frame["score"].to_numpy())
    for begin, end in _cuts(whole.start):
        low, high = int(whole.start[begin]), int(whole.start[end])
        start = whole.start[begin : end + 1] - low
        yield Block(
            whole.topics[begin:end], start, whole.doc.slice(low, high - low), whole.score[low:high]
        )


def _cuts(start: Ints) -> Iterator[tuple[int, int]]:
    """First topic and end of each block: about BLOCK_ROWS rows, at least one topic."""
    begin = 0
    while begin < len(start) - 1:
        limit = start[begin] + BLOCK_ROWS
        end = max(begin + 1, int(np.searchsorted(start, limit, side="right")) - 1)
        yield begin, end
        begin = end


def regrouped(read: Callable[[], Iterable[Rows]], size: int) -> Iterator[Block]:
    """The blocks of a file of `size` bytes whose topics are scattered: a share at a time.

    `read` reads the file, from its start each time.
    """
    shares = 1 + size // HELD_BYTES
    for share in range(shares):
        yield from _share(read(), share, shares)


def _share(pieces: Iterable[Rows], share: int, shares: int) -> Iterator[Block]:
    """The blocks of those topics whose number, in order of appearance, leaves the rest `share`."""
    numbers: dict[str, int] = {}
    topics, docs, scores = [], [], []
    for rows in pieces:
        number = _numbered(rows.topic, numbers)
        mine = np.flatnonzero(number % shares == share)
        topics.append(number[mine])
        docs.append(rows.doc.gather(mine))
        scores.append(rows.value[mine])
    topic, doc, score = np.concatenate(topics), pl.concat(docs), np.concatenate(scores)
    del topics, docs, scores
    order = np.argsort(topic, kind="stable")
    topic = topic[order]
    first = np.flatnonzero(np.concatenate((topic[:1] >= 0, topic[1:] != topic[:-1])))
    names = np.asarray(list(numbers), dtype=object)[topic[first]].tolist()
    start = np.append(first, len(order)).astype(np.int64)
    for begin, end in _cuts(start):
        place = order[start[begin] : start[end]]
        yield Block(
            names[begin:end],
            start[begin : end + 1] - start[begin],
            doc.gather(place).rechunk(),
            score[place],
        )


def _numbered(topic: pl.Series, numbers: dict[str, int]) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Number of each row's topic, in order of first appearance in the file."""
    for name in topic.unique(maintain_order=True):
        numbers.setdefault(name, len(numbers))
    known = pl.DataFrame({"topic": numbers.keys(), "number": numbers.values()})
    frame = topic.to_frame("topic").join(known, on="topic", how="left", maintain_order="left")
    return np.asarray(frame["number"].to_numpy(), dtype=np.int32)
