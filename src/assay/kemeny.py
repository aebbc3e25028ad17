"""Kemeny's order: the one that contradicts the fewest votes.

Documents fall into sets that majorities put one above the other; the order within a set is a
minimum feedback arc set on the leads of its majorities. Small sets are solved exactly; for large
ones an order is improved by moving single documents, which is a heuristic.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from assay.feedback import smallest_drop
from assay.relations import Relation

__all__ = ["HEURISTIC", "Kemeny", "kemeny"]

HEURISTIC = "heuristic: Borda's order, improved by moving single documents"
LARGEST = 150  # documents of a set for which the exact order is tried,
MOST_LEADS = 20_000  # or pairs of them that a majority settles
ROUNDS = 50

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Kemeny:
    """Level of each document, 0 for the best, and how good the order is."""

    level: Array
    contradicted: int  # votes
    least: int  # votes that every order contradicts
    exact: bool


def kemeny(votes: Array, *, seconds: float = 5.0) -> Kemeny:
    """The order for votes[a, b], the number of those who prefer a to b.

    Neighbours between which the votes are equal share a level, if that holds for all of the level.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    deadline = monotonic() + seconds
    lead = votes - votes.T
    many, component = connected_components(csr_array(lead > 0), directed=True, connection="strong")
    order: list[int] = []
    least = int(np.triu(np.minimum(votes, votes.T), 1).sum())
    for each in _top_down(lead, component, many):
        mine = np.flatnonzero(component == each)
        inner, bound = _of_set(lead[np.ix_(mine, mine)], deadline)
        order += mine[inner].tolist()
        least += bound
    level = _levels(lead, order)
    contradicted = int(np.triu(votes[np.ix_(order[::-1], order[::-1])], 1).sum())
    return Kemeny(level, contradicted, least, contradicted == least)


def _top_down(lead: Array, component: Array, many: int) -> list[int]:
    """The sets in an order that no majority contradicts; Borda's where majorities leave it open."""
    import heapq

    tails, heads = np.nonzero(lead > 0)
    ends = np.unique(np.stack([component[tails], component[heads]]), axis=1)
    ends = ends[:, ends[0] != ends[1]]
    waiting = np.bincount(ends[1], minlength=many)
    mean = np.bincount(component, weights=lead.sum(axis=1), minlength=many) / np.bincount(component)
    first = np.full(many, len(component))
    np.minimum.at(first, component, np.arange(len(component)))
    start = np.searchsorted(ends[0], np.arange(many + 1))
    free = [(-mean[i], int(first[i]), i) for i in np.flatnonzero(waiting == 0).tolist()]
    heapq.heapify(free)
    order = []
    while free:
        here = heapq.heappop(free)[2]
        order.append(here)
        for below in ends[1, start[here] : start[here + 1]].tolist():
            waiting[below] -= 1
            if not waiting[below]:
                heapq.heappush(free, (-mean[below], int(first[below]), below))
    return order


def _of_set(lead: Array, deadline: float) -> tuple[Array, int]:
    """An order within a set, and the leads that every order must contradict."""
    n = len(lead)
    if n == 1:
        return np.zeros(1, dtype=np.int64), 0
    order = _improved(lead, np.argsort(-lead.sum(axis=1), kind="stable"), deadline)
    better, worse = np.nonzero(lead > 0)
    if n > LARGEST and len(better) > MOST_LEADS:
        return order, 0
    size = lead[better, worse]
    tie = np.zeros(len(better), dtype=bool)
    relation = Relation(tuple(map(str, range(n))), better, worse, tie, size)
    drop = smallest_drop(relation, seconds=deadline - monotonic())
    if drop.votes < _cost(lead, order):
        stays = np.ones(len(better), dtype=bool)
        stays[list(drop.rows)] = False
        order = np.argsort(-relation.kept(stays).heights(), kind="stable")
    return order, drop.least


def _cost(lead: Array, order: Array) -> int:
    """Leads that an order contradicts."""
    lower = np.tril(lead[np.ix_(order, order)], -1)
    return int(np.maximum(lower, 0).sum())


def _improved(lead: Array, order: Array, deadline: float) -> Array:
    """Move single documents to where they contradict least, until no move helps or time is up."""
    for _ in range(ROUNDS):
        moved = False
        for doc in order.copy():
            if monotonic() > deadline:
                return order
            rest = order[order != doc]
            gain = np.concatenate(([0], np.cumsum(-lead[doc, rest])))  # placed after k of the rest
            best = int(np.argmax(gain))
            at = int(np.flatnonzero(order == doc)[0])
            if gain[best] > gain[at]:
                order = np.insert(rest, best, doc)
                moved = True
        if not moved:
            break
    return order


def _levels(lead: Array, order: list[int]) -> Array:
    level = np.zeros(len(order), dtype=np.int64)
    group: list[int] = []
    depth = -1
    for doc in order:
        if not group or lead[doc, group].any():
            depth, group = depth + 1, []
        group.append(doc)
        level[doc] = depth
    return level
