"""What a model of errors foretells: whether two systems keep their order under such a judge."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.judges.panel import batch_means
from assay.judges.tabular import Array, Tabular
from assay.stats.arrays import steady

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judges.panel import Panel
    from assay.judges.slipshod import ErrorModel
    from assay.measures.measure import Measure

__all__ = ["OrderKept", "order_kept"]

QUALITIES = (0.0, 0.25, 0.5, 0.75, 1.0)
GAPS = (0.01, 0.02, 0.05, 0.1)


@dataclass(frozen=True)
class OrderKept:
    """Probability that two systems keep their true order, by judge quality and number of topics."""

    model: str
    measure: str
    tested: bool  # whether the model was found to fit a real judge
    qualities: tuple[float, ...]  # share of labels that are true; 0 is the judge as modelled
    topics: tuple[int, ...]
    gaps: tuple[str, ...]  # true difference of the two means
    pairs: tuple[int, ...]  # how many pairs differ by so much
    kept: Array  # [quality, topics, gap]

    def verdict(self) -> str:
        """One sentence."""
        q, n = 0, len(self.topics) - 1
        said = ", ".join(
            f"{self.kept[q, n, g]:.0%} at {gap}" for g, gap in enumerate(self.gaps) if self.pairs[g]
        )
        who = "such a judge" if self.tested else "a judge as supposed, which nothing tested,"
        return (
            f"Under {who} and {self.topics[n]} topics two systems keep their order by "
            f"{self.measure} with probability {said} true difference."
        )

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for each quality and number of topics."""
        rows = tuple(
            (quality, topics, *(float(x) for x in self.kept[q, n]))
            for q, quality in enumerate(self.qualities)
            for n, topics in enumerate(self.topics)
        )
        named = tuple(f"difference {gap}" for gap in self.gaps)
        note = (
            f"errors {self.model}; quality: share of labels that are true, the "
            "rest as "
            "modelled; pairs of systems in each column: " + ", ".join(map(str, self.pairs))
        )
        return (Tabular("order", "order kept", ("quality", "topics", *named), rows, (note,)),)


def order_kept(
    panel: Panel,
    model: ErrorModel,
    measures: Sequence[Measure],
    *,
    tested: bool,
    judges: int = 100,
    seed: int = 0,
    qualities: tuple[float, ...] = QUALITIES,
    topics: tuple[int, ...] | None = None,
) -> tuple[OrderKept, ...]:
    """How often a judge's order of two systems on a sample of topics is the true one on all.

    One answer for each measure; `tested` says whether the model was found to fit a real judge.
    """
    start, T = panel.judged.start, len(panel.topics)
    sizes = topics or tuple(sorted({5, 10, 20, T, 2 * T}))

    def real(t: int) -> Array:
        return model.truth[int(start[t]) : int(start[t + 1])][None]

    true = steady(batch_means(panel, measures, real, 1)[0][0])  # [run, measure]
    left, right = np.triu_indices(len(true), 1)
    gap = true[left] - true[right]  # [pair, measure]
    level = (gap == 0) | np.isnan(gap)  # of those there is no order to keep
    which = np.where(level, -1, np.searchsorted(np.asarray(GAPS), np.abs(gap), side="right"))
    kept = np.full((len(measures), len(qualities), len(sizes), len(GAPS) + 1), np.nan)
    rng = np.random.default_rng([seed, 5])
    for q, quality in enumerate(qualities):

        def draw(t: int, quality: float = quality) -> Array:
            part = slice(int(start[t]), int(start[t + 1]))
            return model.draw(part, judges, (seed, 6, t), quality)

        if quality == 1:  # every such judge is the truth
            one = np.asarray(batch_means(panel, measures, real, 1, values=True)[1])
            values = np.broadcast_to(one, (judges, *one.shape[1:]))
        else:
            values = np.asarray(batch_means(panel, measures, draw, judges, values=True)[1])
        for n, size in enumerate(sizes):
            drawn = rng.integers(0, T, (judges, size)) + np.arange(judges)[:, None] * T
            weight = np.bincount(drawn.ravel(), minlength=judges * T).reshape(judges, 1, T)
            for m in range(len(measures)):
                means = _weighted(values[:, :, m], weight)
                turned = np.sign(means[:, left] - means[:, right]) * np.sign(gap[:, m])
                level = (turned == 0) | np.isnan(turned)
                right_way = np.where(level, 0.5, turned > 0).mean(axis=0)  # no order: half kept
                kept[m, q, n] = _by_gap(right_way, which[:, m])
    edges = ("0", *(f"{each:g}" for each in GAPS))
    names = (*tuple(f"{a} to {b}" for a, b in itertools.pairwise(edges)), f"over {edges[-1]}")
    return tuple(
        OrderKept(
            model.name,
            str(measure),
            tested,
            qualities,
            sizes,
            names,
            tuple(int((which[:, m] == g).sum()) for g in range(len(names))),
            kept[m],
        )
        for m, measure in enumerate(measures)
    )


def _weighted(values: Array, weight: Array) -> Array:
    """Means of values[judge, run, topic] over the drawn topics, undefined ones left out."""
    known = ~np.isnan(values)
    total = (weight * known).sum(axis=-1)
    sums = (weight * np.where(known, values, 0.0)).sum(axis=-1)
    return steady(sums / np.where(total == 0, np.nan, total))


def _by_gap(values: Array, which: Array) -> Array:
    """Means of the pairs of each gap, NaN without any."""
    differ = which >= 0
    count = np.bincount(which[differ], minlength=len(GAPS) + 1)
    sums = np.bincount(which[differ], values[differ], minlength=len(GAPS) + 1)
    return np.asarray(sums / np.where(count == 0, np.nan, count))
