"""A preference relation on the documents of a topic: what was stated, and what follows from it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from assay.errors import AssayError
from assay.orders import WeakOrder

__all__ = ["Relation"]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, eq=False)
class Relation:
    """Statements on pairs of documents, preferred or tied; a pair that is not stated is unknown.

    `better` and `worse` are places in `docs`.
    """

    docs: tuple[str, ...]
    better: Ints
    worse: Ints
    tie: Bools
    votes: Ints
    lines: tuple[tuple[int, ...], ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.better)

    @cached_property
    def component(self) -> Ints:
        """Number of each document's set of documents that the statements make equally good.

        `a > b`, `b > c`, `c = a` make one set of three: a set that holds a preference contradicts
        itself.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        tails = np.concatenate([self.better, self.worse[self.tie]])
        heads = np.concatenate([self.worse, self.better[self.tie]])
        n = len(self.docs)
        graph = coo_array((np.ones(len(tails)), (tails, heads)), shape=(n, n)).tocsr()
        _, component = connected_components(graph, directed=True, connection="strong")
        found: Ints = component.astype(np.int64)
        return found

    @cached_property
    def contradictory(self) -> Bools:
        """Which preferences lie on a cycle, so that no order of the documents obeys them all."""
        same = self.component[self.better] == self.component[self.worse]
        found: Bools = same & ~self.tie
        return found

    @property
    def consistent(self) -> bool:
        """Whether some weak order obeys every statement."""
        return not self.contradictory.any()

    @property
    def known(self) -> int:
        """How many pairs of documents the statements speak of."""
        low, high = np.minimum(self.better, self.worse), np.maximum(self.better, self.worse)
        return len(np.unique(low * max(1, len(self.docs)) + high))

    @property
    def pairs(self) -> int:
        """How many pairs the documents make."""
        return len(self.docs) * (len(self.docs) - 1) // 2

    def kept(self, rows: Any) -> Relation:
        """The same documents with only these statements."""
        index = np.arange(len(self))[rows]
        lines = tuple(self.lines[i] for i in index) if self.lines else ()
        return Relation(
            self.docs,
            self.better[index],
            self.worse[index],
            self.tie[index],
            self.votes[index],
            lines,
        )

    def order(self) -> WeakOrder:
        """A weak order that obeys every statement.

        Where the statements leave room, a document stands as many levels above the last as the
        longest chain of preferences below it proves.
        """
        height = self.heights()
        top = int(height.max(initial=0))
        levels: list[list[str]] = [[] for _ in range(top + 1)]
        for doc, h in zip(self.docs, height.tolist(), strict=True):
            levels[top - h].append(doc)
        return WeakOrder(tuple(map(tuple, levels)))

    def heights(self) -> Ints:
        """Length of the longest chain of preferences below each document."""
        if not self.consistent:
            raise AssayError("the preferences contradict each other: no order obeys them all")
        many = int(self.component.max(initial=-1)) + 1
        ends = np.stack([self.component[self.worse], self.component[self.better]])
        low, high = np.unique(ends[:, ~self.tie], axis=1)
        start = np.searchsorted(low, np.arange(many + 1)).tolist()
        above = high.tolist()
        waiting = np.bincount(high, minlength=many).tolist()
        height = [0] * many
        ready = deque(i for i in range(many) if not waiting[i])
        while ready:
            here = ready.popleft()
            for up in above[start[here] : start[here + 1]]:
                height[up] = max(height[up], height[here] + 1)
                waiting[up] -= 1
                if not waiting[up]:
                    ready.append(up)
        found: Ints = np.asarray(height, dtype=np.int64)[self.component]
        return found

    def closure(self) -> Relation:
        """The statements, and every preference and tie that follows from them by transitivity.

        What follows has one vote and no lines.
        """
        n = len(self.docs)
        above = self.above()
        stated = np.zeros((n, n), dtype=bool)
        stated[self.better, self.worse] = True
        stated[self.worse[self.tie], self.better[self.tie]] = True
        same = self.component[:, None] == self.component
        new = np.argwhere(above & ~stated)
        ties = np.argwhere(np.triu(same, 1) & ~stated & ~stated.T)
        more = np.concatenate([new, ties])
        return Relation(
            self.docs,
            np.concatenate([self.better, more[:, 0]]),
            np.concatenate([self.worse, more[:, 1]]),
            np.concatenate([self.tie, np.arange(len(more)) >= len(new)]),
            np.concatenate([self.votes, np.ones(len(more), dtype=np.int64)]),
            (*(self.lines or ((),) * len(self)), *((),) * len(more)),
        )

    def above(self) -> Bools:
        """Which document stands above which, by a chain of statements with a preference in it."""
        height, n = self.heights(), len(self.docs)
        same = self.component[:, None] == self.component
        above = np.zeros((n, n), dtype=bool)
        stated = np.zeros((n, n), dtype=bool)
        stated[self.better[~self.tie], self.worse[~self.tie]] = True
        for doc in np.argsort(height, kind="stable"):  # what stands lower is known already
            below = stated[same[doc]].any(axis=0)
            above[doc] = same[below].any(axis=0) | above[below].any(axis=0)
        return above
