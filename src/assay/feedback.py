"""The smallest set of verdicts to drop, so that those that stay do not contradict each other.

A minimum feedback arc set: choose statements, as few votes as possible, so that every cycle loses
one. Cycles are found as they are needed; with those at hand the choice is a covering problem, which
a mixed-integer solver settles exactly. Where its time runs out, the best choice that greedy rules
found stands, named as theirs, with the number of votes below which no choice can go.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.relations import Relation

__all__ = ["GREEDY", "Drop", "smallest_drop"]

GREEDY = "heuristic: cycles broken greedily"
HOP = 1e-7  # so that of equal cycles the shortest is found
NEAR = 1e-6
STARTS = 1000  # documents from which cycles are looked for at a time

Array = np.ndarray[Any, np.dtype[Any]]
Cycle = frozenset[int]


@dataclass(frozen=True)
class Drop:
    """Statements to drop, as places in the relation."""

    rows: tuple[int, ...] = ()
    votes: int = 0
    least: int = 0  # votes that any choice must drop; equal to `votes` where this one is exact

    @property
    def exact(self) -> bool:
        """Whether no other choice drops fewer votes."""
        return self.votes == self.least

    @property
    def method(self) -> str:
        """`exact`, or the name of the heuristic."""
        return "exact" if self.exact else GREEDY


def smallest_drop(relation: Relation, *, seconds: float = 5.0) -> Drop:
    """The fewest votes whose statements, dropped, leave a relation that some order obeys."""
    deadline = monotonic() + seconds
    rows: list[int] = []
    least = 0
    component = relation.component
    inner = component[relation.better] == component[relation.worse]
    for each in np.unique(component[relation.better[relation.contradictory]]):
        mine = np.flatnonzero(inner & (component[relation.better] == each))
        search = _Search(relation.kept(mine))
        search.run(deadline)
        rows += mine[sorted(search.best)].tolist()
        least += search.least
    votes = int(relation.votes[rows].sum()) if rows else 0
    return Drop(tuple(sorted(rows)), votes, least)


class _Search:
    """The search within documents that contradict each other, from below and from above."""

    def __init__(self, relation: Relation) -> None:
        self.relation = relation
        self.cycles: dict[Cycle, None] = {}
        self.least = 0
        self.best: set[int] = set(range(len(relation)))
        self._complete(np.zeros(len(relation)))

    def run(self, deadline: float) -> None:
        """Shares of statements first, until every cycle loses one in all; then whole statements."""
        whole = False
        while not self._settled:
            found = self._cover(deadline, whole=whole)
            if found is None:
                return
            if whole:
                self._complete(found)
                continue
            new = list(_cycles(self.relation, found))
            self.cycles.update(dict.fromkeys(new))
            if not new:
                self._complete(np.where(found > 1 - NEAR, 1.0, 0.0), found)
                whole = True

    @property
    def _settled(self) -> bool:
        return self._votes(self.best) <= self.least

    def _votes(self, rows: set[int]) -> int:
        return int(self.relation.votes[list(rows)].sum()) if rows else 0

    def _cover(self, deadline: float, *, whole: bool) -> Array | None:
        """The cheapest way to hit every cycle known, which no choice can undercut."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        left = deadline - monotonic()
        if left <= 0:
            return None
        votes = self.relation.votes.astype(np.float64)
        columns = [row for cycle in self.cycles for row in cycle]
        lines = np.repeat(np.arange(len(self.cycles)), [len(cycle) for cycle in self.cycles])
        shape = (len(self.cycles), len(votes))
        at = (lines.astype(np.int32), np.asarray(columns, dtype=np.int32))  # as milp reads
        hits = csr_array((np.ones(len(columns)), at), shape=shape)
        found = milp(
            votes,
            constraints=LinearConstraint(hits, 1, np.inf),
            integrality=np.full(len(votes), int(whole)),
            bounds=Bounds(0, 1),
            options={"time_limit": left, "mip_rel_gap": 0},
        )
        bound = found.mip_dual_bound if whole else found.fun
        if bound is not None and math.isfinite(bound):
            self.least = max(self.least, math.ceil(bound - NEAR))
        if found.status != 0 or found.x is None:
            return None
        values: Array = np.round(found.x) if whole else np.clip(found.x, 0, 1)
        return values

    def _complete(self, share: Array, hint: Array | None = None) -> None:
        """From a choice that breaks some cycles, greedily, to one that breaks all."""
        relation, share = self.relation, share.copy()
        cost = relation.votes * (1.0 if hint is None else 1.0 + NEAR - hint)
        while new := list(_cycles(relation, share)):
            self.cycles.update(dict.fromkeys(new))
            while new:
                many: dict[int, int] = {}
                for cycle in new:
                    for row in cycle:
                        many[row] = many.get(row, 0) + 1
                chosen = min(many, key=lambda row: (cost[row] / many[row], row))
                share[chosen] = 1
                new = [cycle for cycle in new if chosen not in cycle]
        dropped = set(np.flatnonzero(share).tolist())
        stays = share == 0
        for row in sorted(dropped, key=lambda row: (-int(relation.votes[row]), row)):
            stays[row] = True  # what contradicts nothing that stays may stay too
            if relation.kept(stays).consistent:
                dropped.discard(row)
            else:
                stays[row] = False
        if self._votes(dropped) < self._votes(self.best):
            self.best = dropped


def _cycles(relation: Relation, share: Array) -> Iterator[Cycle]:
    """Cycles of which less than one statement is dropped, as the places of their statements.

    For each preference, the cycle through it of which least is dropped and that is shortest.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    n = len(relation.docs)
    tie = np.flatnonzero(relation.tie)
    rows = np.concatenate([np.arange(len(relation)), tie])
    tails = np.concatenate([relation.better, relation.worse[tie]])
    heads = np.concatenate([relation.worse, relation.better[tie]])
    order = np.argsort(share[rows], kind="stable")  # of a pair's statements the one that stays most
    keys, first = np.unique((tails * n + heads)[order], return_index=True)
    rows = rows[order][first]
    statement = dict(zip(keys.tolist(), rows.tolist(), strict=True))
    at = ((keys // n).astype(np.int32), (keys % n).astype(np.int32))  # the type that dijkstra reads
    graph = csr_array((share[rows] + HOP, at), shape=(n, n))
    stays = np.flatnonzero(share < 1)
    strict = stays[relation.kept(stays).contradictory]
    if not len(strict):
        return
    starts = np.unique(relation.worse[strict])[:STARTS]
    strict = strict[np.isin(relation.worse[strict], starts)]
    place = np.searchsorted(starts, relation.worse[strict])
    length, before = dijkstra(graph, indices=starts, return_predecessors=True)
    seen: set[Cycle] = set()
    for row, start in zip(strict.tolist(), place.tolist(), strict=True):
        here = int(relation.better[row])
        if length[start, here] + share[row] >= 1:
            continue
        cycle = {row}
        while here != starts[start]:
            there = int(before[start, here])
            cycle.add(statement[there * n + here])
            here = there
        found = frozenset(cycle)
        if found not in seen and share[list(found)].sum() < 1 - NEAR:
            seen.add(found)
            yield found
