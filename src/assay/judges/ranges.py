"""How far a system's mean and rank move if chance decides, topic by topic, who judges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.judges.tabular import Array, Tabular, whole
from assay.stats.arrays import mid_ranks, steady

__all__ = ["Ranges", "ranges_of"]

DRAWS = 1000


@dataclass(frozen=True)
class Ranges:
    """Means and ranks of systems over random choices of a judge for each topic."""

    measure: str
    judges: tuple[str, ...]
    runs: tuple[str, ...]
    topics: int
    means: Array  # [draw, run]
    ranks: Array  # [draw, run], 1 is best

    def verdict(self) -> str:
        """One sentence."""
        if not self.topics:
            return f"No topic has a value by {self.measure}."
        first = (self.ranks == self.ranks.min(axis=-1, keepdims=True)).mean(axis=0)
        best = int(np.argmax(first))
        spread = np.median(self.ranks.max(axis=0) - self.ranks.min(axis=0))
        return (
            f"If chance draws one of {len(self.judges)} judges for each of {self.topics} topics, "
            f"{self.runs[best]} is first by {self.measure} in {first[best]:.0%} of "
            f"{len(self.means)} draws; "
            f"half the systems move by {spread:g} ranks or more between their best and worst draw."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for each run, best first."""
        order = np.argsort(self.ranks.mean(axis=0), kind="stable")
        low, high = np.quantile(self.means, [0.025, 0.975], axis=0)
        rows = tuple(
            (
                self.runs[r],
                float(self.means[:, r].mean()),
                float(self.means[:, r].min()),
                float(low[r]),
                float(high[r]),
                float(self.means[:, r].max()),
                whole(self.ranks[:, r].min()),
                whole(np.median(self.ranks[:, r])),
                whole(self.ranks[:, r].max()),
            )
            for r in order
        )
        heads = ("run", "mean", "lowest", "2.5 %", "97.5 %", "highest", "best rank", "median rank")
        note = (
            f"{self.measure}, {len(self.means)} draws; for each of {self.topics} topics a "
            "judge is drawn of those under whom it has a value"
        )
        return (Tabular("ranges", "random judges", (*heads, "worst rank"), rows, (note,)),)


def ranges_of(
    values: Array,
    *,
    measure: str,
    judges: tuple[str, ...],
    runs: tuple[str, ...],
    higher: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
) -> Ranges:
    """Draw for each topic one of the judges under whom it has values; values[judge, run, topic].

    A topic without any is left out.
    """
    known = np.asarray(~np.isnan(values).any(axis=1))  # [judge, topic]
    used = np.flatnonzero(known.any(axis=0))
    T = len(used)
    rng = np.random.default_rng([seed, 2])
    means = np.zeros((draws, len(runs)))
    for t in used:
        able = np.flatnonzero(known[:, t])
        means += values[able[rng.integers(0, len(able), draws)], :, t]
    means = steady(means / T) if T else np.full(means.shape, np.nan)
    return Ranges(measure, judges, runs, T, means, mid_ranks(-means if higher else means))
