"""Pairs of systems under two judges: whether significance tests come to the same end.

Active agreement: both judges find the same system significantly better; active disagreement: each
another; mixed: one finds a difference, the other none; passive: neither does.
Moffat, Scholer & Thomas 2012, https://doi.org/10.1145/2407085.2407092
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.judges.tabular import Array, Tabular

__all__ = ["CLASSES", "PairClasses", "classified"]

CLASSES = ("active agreement", "active disagreement", "mixed", "passive")


@dataclass(frozen=True)
class PairClasses:
    """Every pair of systems, classed."""

    measure: str
    first: str
    second: str
    runs: tuple[str, ...]
    test: str
    alpha: float
    left: Array  # [pair] run
    right: Array
    difference: Array  # [judge, pair] mean of left less mean of right
    p: Array  # [judge, pair]
    kind: Array  # [pair] place in CLASSES
    higher: bool  # whether higher values are better

    @property
    def counts(self) -> dict[str, int]:
        """How many pairs are of each class."""
        return {name: int((self.kind == i).sum()) for i, name in enumerate(CLASSES)}

    @property
    def turned(self) -> dict[str, int]:
        """How many pairs of each class the judges order the other way round."""
        other_way = np.sign(self.difference[0]) * np.sign(self.difference[1]) < 0
        return {name: int((other_way & (self.kind == i)).sum()) for i, name in enumerate(CLASSES)}

    @property
    def disagreements(self) -> tuple[tuple[str, str], ...]:
        """Active disagreements: better by the first judge, better by the second."""
        found = []
        for i in np.flatnonzero(self.kind == 1):
            names = self.runs[self.left[i]], self.runs[self.right[i]]
            found.append(names if (self.difference[0, i] > 0) == self.higher else names[::-1])
        return tuple(found)

    def verdict(self) -> str:
        """One or two sentences."""
        counts, every = self.counts, len(self.kind)
        text = (
            f"Of {every} pairs of systems by {self.measure}, {counts['active agreement']} are "
            f"significantly different in the same direction under {self.first} and {self.second} "
            f"({self.test}, alpha {self.alpha:g}), {counts['mixed']} under one only and "
            f"{counts['active disagreement']} in opposite directions"
        )
        if self.disagreements:
            better, worse = self.disagreements[0]
            text += f", such as {better} over {worse} under {self.first}, not {self.second}"
        return text + "."

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Counts by class; the active disagreements by name."""
        every = max(1, len(self.kind))
        turned = self.turned
        rows = tuple((name, n, 100 * n / every, turned[name]) for name, n in self.counts.items())
        notes = (
            (
                f"{self.test}, alpha {self.alpha:g}; turned: pairs in "
                "opposite order under the two judges"
            ),
        )
        named = tuple(
            (
                self.runs[self.left[i]],
                self.runs[self.right[i]],
                float(self.difference[0, i]),
                float(self.p[0, i]),
                float(self.difference[1, i]),
                float(self.p[1, i]),
            )
            for i in np.flatnonzero(self.kind == 1)
        )
        heads = ("run", "other run", "difference", "p", "by the other judge", "its p")
        return (
            Tabular("pairs", "pairs of systems", ("class", "pairs", "%", "turned"), rows, notes),
            *([Tabular("disagreements", "active disagreements", heads, named)] if named else []),
        )


def classified(
    difference: Array,
    p: Array,
    left: Array,
    right: Array,
    *,
    measure: str,
    judges: tuple[str, str],
    runs: tuple[str, ...],
    test: str,
    alpha: float = 0.05,
    higher: bool = True,
) -> PairClasses:
    """Class each pair by the differences and p-values of two judges, [judge, pair]."""
    with np.errstate(invalid="ignore"):
        found = p <= alpha
    same = np.sign(difference[0]) == np.sign(difference[1])
    both, one = found.all(axis=0), found.any(axis=0)
    kind = np.where(both & same, 0, np.where(both, 1, np.where(one, 2, 3)))
    return PairClasses(
        measure, *judges, runs, test, alpha, left, right, difference, p, kind, higher
    )
