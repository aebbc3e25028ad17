"""Asymmetry and negative transitivity: whether preferences are a weak order, and if not, where."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.relations import Relation

__all__ = ["ACYCLICITY", "ASYMMETRY", "TRANSITIVITY", "Step", "Violation", "counts", "violations"]

ASYMMETRY = "asymmetry"
TRANSITIVITY = "negative transitivity"
ACYCLICITY = "acyclicity"

Bools = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Step:
    """One statement of a violation: `a > b`, `a = b`, or `a ? b` where nothing is said."""

    first: str
    sign: str
    second: str
    votes: int = 0
    lines: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.sign == "?":
            return f"nothing between {self.first} and {self.second}"
        said = []
        if self.lines:
            shown = " ".join(map(str, self.lines[:5])) + (" ..." if len(self.lines) > 5 else "")
            said.append(f"line{'s' * (len(self.lines) > 1)} {shown}")
        if self.votes > 1:
            said.append(f"{self.votes} votes")
        return f"{self.first} {self.sign} {self.second}" + (f" ({', '.join(said)})" if said else "")


@dataclass(frozen=True)
class Violation:
    """Statements that no weak order obeys together."""

    axiom: str
    steps: tuple[Step, ...]
    topic: str = ""
    judge: str | None = None

    @property
    def docs(self) -> tuple[str, ...]:
        """The documents involved."""
        return tuple(dict.fromkeys(doc for step in self.steps for doc in (step.first, step.second)))

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines involved."""
        return tuple(sorted({line for step in self.steps for line in step.lines}))

    def __str__(self) -> str:
        who = self.topic + (f", {self.judge}" if self.judge is not None else "")
        *before, last = map(str, self.steps)
        return f"{who + ': ' if who else ''}{self.axiom}: {', '.join(before)}, yet {last}"


class _Pairs:
    """The statements as matrices over some of the documents; contested pairs stand apart."""

    def __init__(self, relation: Relation, docs: Any, missing: str) -> None:
        self.relation, self.docs = relation, docs
        n = len(docs)
        place = np.full(len(relation.docs), -1)
        place[docs] = np.arange(n)
        a, b = place[relation.better], place[relation.worse]
        inside = (a >= 0) & (b >= 0)
        strict, tie = inside & ~relation.tie, inside & relation.tie
        P, E = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
        P[a[strict], b[strict]] = True
        E[a[tie], b[tie]] = E[b[tie], a[tie]] = True
        self.contested = (P & P.T) | ((P | P.T) & E)
        self.P: Bools = P & ~self.contested
        self.E: Bools = E & ~self.contested
        if missing == "tie":
            self.E |= ~(P | P.T | E)
            np.fill_diagonal(self.E, val=False)
        self.rows: dict[tuple[int, int], list[int]] = {}
        for row in np.flatnonzero(inside).tolist():
            pair = int(relation.better[row]), int(relation.worse[row])
            self.rows.setdefault(pair, []).append(row)
            if relation.tie[row]:
                self.rows.setdefault(pair[::-1], []).append(row)

    def steps(self, a: int, b: int, *, tie: bool) -> list[Step]:
        """The statements that prefer place a to place b, or tie them."""
        one, two = int(self.docs[a]), int(self.docs[b])
        names, relation = self.relation.docs, self.relation
        found = [row for row in self.rows.get((one, two), ()) if relation.tie[row] == tie]
        if not found:
            return [Step(names[one], "?", names[two])]
        lines = tuple(
            line for row in found for line in (relation.lines[row] if relation.lines else ())
        )
        votes = int(relation.votes[found].sum())
        return [Step(names[one], "=" if tie else ">", names[two], votes, lines)]

    def asymmetry(self) -> Iterator[tuple[Step, ...]]:
        """Pairs of which more than one thing is said."""
        for a, b in np.argwhere(np.triu(self.contested)):
            kinds = [(a, b, False), (b, a, False), (a, b, True)]
            found = [step for x, y, tie in kinds for step in self.steps(x, y, tie=tie)]
            yield tuple(step for step in found if step.sign != "?")

    def transitivity(self) -> Iterator[tuple[Step, ...]]:
        """Threes a > c, c at least as good as b, b at least as good as a; each once."""
        P, E = self.P, self.E
        R = P | E
        every = np.arange(len(P))
        for a in every:
            c = np.flatnonzero(P[a])
            if not len(c):
                continue
            both = R[c] & R[:, a]
            once = E[:, a] | (P[c] & P[:, a] & (every > a) & (c > a)[:, None])
            for i, b in np.argwhere(both & once):
                steps = [(a, c[i], False), (c[i], b, bool(E[c[i], b])), (b, a, bool(E[b, a]))]
                yield tuple(step for x, y, tie in steps for step in self.steps(x, y, tie=tie))

    def many(self) -> int:
        """How many such threes there are."""
        P, E = self.P.astype(np.float32), self.E.astype(np.float32)
        PP, PE = P @ P, P @ E
        total = (PP * P.T).sum(dtype=np.float64) / 3 + (PP * E).sum(dtype=np.float64)
        return round(float(total + (PE * E).sum(dtype=np.float64)))


def _parts(relation: Relation, missing: str) -> Iterator[tuple[_Pairs, bool]]:
    """Sets of documents that can hold a violation, and whether what is said of them is broken."""
    if missing == "tie":
        yield _Pairs(relation, np.arange(len(relation.docs)), missing), not relation.consistent
        return
    for each in np.unique(relation.component[relation.better[relation.contradictory]]):
        yield _Pairs(relation, np.flatnonzero(relation.component == each), missing), True


def violations(
    relation: Relation, *, missing: str = "unknown", limit: int | None = None
) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Each violation: its axiom and its statements; at most `limit` for each part of the documents.

    Asymmetry comes first: pairs stated both ways, or both preferred and tied. Then threes that
    break negative transitivity, among pairs that are not contested. A longer cycle is shown, one
    for each set of documents, where nothing shorter explains why no order obeys the statements.
    """
    for pairs, bad in _parts(relation, missing):
        shown = False
        for axiom, found in ((ASYMMETRY, pairs.asymmetry()), (TRANSITIVITY, pairs.transitivity())):
            for steps in islice(found, limit):
                shown = True
                yield axiom, steps
        if bad and not shown:
            yield ACYCLICITY, _long_cycle(pairs)


def counts(relation: Relation, *, missing: str = "unknown") -> dict[str, int]:
    """How many violations of each axiom there are; of acyclicity, sets with long cycles only."""
    found = {ASYMMETRY: 0, TRANSITIVITY: 0, ACYCLICITY: 0}
    for pairs, bad in _parts(relation, missing):
        asymmetric, threes = int(np.triu(pairs.contested).sum()), pairs.many()
        found[ASYMMETRY] += asymmetric
        found[TRANSITIVITY] += threes
        found[ACYCLICITY] += bad and not asymmetric and not threes
    return found


def _long_cycle(pairs: _Pairs) -> tuple[Step, ...]:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    R = pairs.P | pairs.E
    starts, goals = np.nonzero(pairs.P)
    length, before = dijkstra(csr_array(R.astype(float)), unweighted=True, return_predecessors=True)
    back = length[goals, starts]
    best = int(np.argmin(back))
    here, chain = int(starts[best]), [int(starts[best])]
    while here != goals[best]:
        here = int(before[goals[best], here])
        chain.append(here)
    chain.reverse()  # goal, ..., start
    links = [(chain[-1], chain[0]), *pairwise(chain)]
    return tuple(step for a, b in links for step in pairs.steps(a, b, tie=not bool(pairs.P[a, b])))
