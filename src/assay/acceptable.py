"""The ranking closest to a system's that obeys a user's preferences (Zhou & Yao, section 5.7)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.orders import WeakOrder, counted

if TYPE_CHECKING:
    from assay.relations import Relation

__all__ = ["Closest", "closest"]

HEURISTIC = "heuristic: the system's best document that nothing left is preferred to comes first"


@dataclass(frozen=True)
class Closest:
    """An acceptable ranking near the system's: what the user orders, it orders as the user does."""

    order: WeakOrder
    distance: int  # beta between it and the system's ranking
    exact: bool  # whether no acceptable ranking is closer

    @property
    def method(self) -> str:
        """`exact`, or the name of the heuristic."""
        return "exact" if self.exact else HEURISTIC


def closest(relation: Relation, system: WeakOrder) -> Closest:
    """The user's preferences, and where these say nothing the system's: exact if that is an order.

    Ties that the user states may be broken; documents that the system does not rank are one last
    tied level of its ranking.
    """
    user = relation.kept(~relation.tie)
    last = len(system.levels)
    level = np.asarray([system.level.get(doc, last) for doc in user.docs], dtype=np.int64)
    above = user.above()
    wanted = np.sign(level[None, :] - level[:, None])
    wanted[above], wanted[above.T] = 1, -1
    score = wanted.sum(axis=1)
    exact = bool((wanted == np.sign(score[:, None] - score[None, :])).all())
    place = -score if exact else _greedy(user, level)
    order = WeakOrder.of(dict(zip(user.docs, (-place).tolist(), strict=True)))
    return Closest(order, counted(place, level).beta, exact)


def _greedy(user: Relation, level: Any) -> Any:
    """Levels filled one after the other with what is free to come, the system's best first."""
    n = len(user.docs)
    ends = np.unique(np.stack([user.better, user.worse]), axis=1)
    waiting = np.bincount(ends[1], minlength=n)
    start = np.searchsorted(ends[0], np.arange(n + 1))
    free = [(int(level[doc]), doc) for doc in np.flatnonzero(waiting == 0).tolist()]
    heapq.heapify(free)
    place = np.zeros(n, dtype=np.int64)
    depth = 0
    while free:
        best = free[0][0]
        now = []
        while free and free[0][0] == best:
            now.append(heapq.heappop(free)[1])
        for doc in now:
            place[doc] = depth
            for below in ends[1, start[doc] : start[doc + 1]].tolist():
                waiting[below] -= 1
                if not waiting[below]:
                    heapq.heappush(free, (int(level[below]), below))
        depth += 1
    return place
