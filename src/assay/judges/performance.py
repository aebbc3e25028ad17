"""Consistency against performance, and a judge scored as if he were a search system.

Lesk & Salton 1968, Tables 7 and 8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.judges.jackknife import Estimate, around, mean_of
from assay.judges.tabular import Array, Tabular
from assay.stats.arrays import mid_ranks

__all__ = ["Consistency", "Machine", "consistency_against_performance", "judge_as_system", "thirds"]

PLACES = ("top quarter", "middle half", "bottom quarter")


def thirds(x: Array) -> Array:
    """0 for the top quarter of the values, 2 for the bottom quarter, 1 between; ties by place."""
    n = len(x)
    order = np.argsort(-x, kind="stable")
    quarter = round(n / 4)
    place = np.ones(n, dtype=np.int64)
    place[order[:quarter]] = 0
    place[order[n - quarter :]] = 2
    return place


@dataclass(frozen=True)
class Consistency:
    """Topics by consistency of their judges and by performance (Table 7)."""

    first: str
    second: str
    performance: str
    topics: tuple[str, ...]
    consistency: Array  # [topic]
    score: Array  # [judge, topic] of the two judges
    cells: Array  # [consistency, performance, (second better, first better, equal)]
    spearman: Estimate

    def verdict(self) -> str:
        """One sentence."""
        total = self.cells.sum(axis=-1)
        direction = "better" if self.spearman.value > 0 else "worse"
        sure = self.spearman.low > 0 or self.spearman.high < 0
        claim = (
            f"topics on which {self.first} and {self.second} agree more are answered {direction}"
            if sure
            else f"agreement of {self.first} and {self.second} tells nothing of performance"
        )
        return (
            f"Over {len(self.topics)} topics, {claim}: Spearman {self.spearman} between D/sqrt(AB) "
            "and "
            f"{self.performance}; {int(total[0, 0])} of the {int(total[0].sum())} most consistent "
            "topics "
            f"are among the best answered, {int(total[2, 0])} of the least consistent."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self, "consistency")

    def tabulars(self) -> tuple[Tabular, ...]:
        """Three by three, and the topics."""
        rows = []
        for i, name in enumerate(PLACES):
            cells = [(int(c[0]), int(c[1]), int(c[2])) for c in self.cells[i]]
            rows.append((name, *(x for cell in cells for x in cell)))
        short = ("top", "middle", "bottom")
        heads = [f"{s}: {who}" for s in short for who in ("B better", "A better", "equal")]
        note = (
            f"rows: D/sqrt(AB) of {self.first} (A) and the other judge (B); columns: "
            f"{self.performance}, "
            f"mean of the two; Spearman {self.spearman}"
        )
        each = tuple(
            (
                topic,
                float(self.consistency[t]),
                float(self.score[:, t].mean()),
                float(self.score[0, t]),
                float(self.score[1, t]),
            )
            for t, topic in enumerate(self.topics)
        )
        columns: tuple[str, ...] = (
            "topic",
            "D/sqrt(AB)",
            "performance",
            f"under {self.first}",
            f"under {self.second}",
        )
        return (
            Tabular(
                "consistency",
                "consistency and performance",
                ("consistency", *heads),
                tuple(rows),
                (note,),
            ),
            Tabular("consistency-topics", "by topic", columns, each),
        )


def consistency_against_performance(
    consistency: Array,
    score: Array,
    *,
    topics: tuple[str, ...],
    judges: tuple[str, str],
    performance: str,
) -> Consistency:
    """Table 7: consistency[topic] and score[judge, topic], NaN left out."""
    good = ~np.isnan(consistency) & ~np.isnan(score).any(axis=0)
    consistency, score = consistency[good], score[:, good]
    mean = score.mean(axis=0)
    rows, columns = thirds(consistency), thirds(mean)
    better = np.where(score[1] > score[0], 0, np.where(score[0] > score[1], 1, 2))
    cells = np.zeros((3, 3, 3), dtype=np.int64)
    np.add.at(cells, (rows, columns, better), 1)
    kept = tuple(topic for topic, keep in zip(topics, good, strict=True) if keep)
    return Consistency(
        *judges, performance, kept, consistency, score, cells, _spearman(consistency, mean)
    )


def _spearman(x: Array, y: Array) -> Estimate:
    n = len(x)
    if n < 3:
        return Estimate(math.nan, topics=n)
    others = ~np.eye(n, dtype=bool)
    rows = np.broadcast_to(x, (n, n))[others], np.broadcast_to(y, (n, n))[others]
    without = _rank_correlation(*(row.reshape(n, n - 1) for row in rows))
    return around(float(_rank_correlation(x, y)), without, (-1.0, 1.0))


def _rank_correlation(x: Array, y: Array) -> Array:
    """Pearson's correlation of the mid-ranks along the last axis."""
    a, b = (mid_ranks(values) - (values.shape[-1] + 1) / 2 for values in (x, y))
    size = np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    return np.asarray((a * b).sum(axis=-1) / np.where(size == 0, np.nan, size))


@dataclass(frozen=True)
class Machine:
    """A judge scored as a search system beside the systems at the same cut-off (Table 8)."""

    truth: str
    searcher: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    recall: Array  # [1 + system, topic], the judge first
    precision: Array
    empty: str

    @property
    def wins(self) -> Array:
        """[system, (recall, precision)]: topics on which the system beats the judge."""
        with np.errstate(invalid="ignore"):
            return np.stack(
                [(x[1:] > x[0]).sum(axis=-1) for x in (self.recall, self.precision)], axis=-1
            )

    def verdict(self) -> str:
        """One sentence."""
        judge = float(np.nanmean(self.precision[0]))
        recall = float(np.nanmean(self.recall[0]))
        text = (
            f"Taken as a search system and judged by {self.truth}, {self.searcher} has precision "
            f"{judge:.2f} and recall {recall:.2f}"
        )
        if not self.systems:
            return text + "."
        means = np.nanmean(self.precision[1:], axis=-1)
        best = int(np.argmax(means))
        return (
            f"{text}; the best system at the same cut-off, {self.systems[best]}, has "
            f"{means[best]:.2f} "
            f"and {float(np.nanmean(self.recall[1 + best])):.2f}, and beats the judge's precision "
            "on "
            f"{int(self.wins[best, 1])} of {len(self.topics)} topics."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for the judge, then one for each system."""
        names = (f"{self.searcher} (judge)", *self.systems)
        rows = []
        for i, name in enumerate(names):
            r, p = mean_of(self.recall[i], (0.0, 1.0)), mean_of(self.precision[i], (0.0, 1.0))
            gap = mean_of(self.precision[i] - self.precision[0]) if i else Estimate(math.nan)
            wins = (int(self.wins[i - 1, 0]), int(self.wins[i - 1, 1])) if i else (None, None)
            rows.append((name, r.value, p.value, gap.value, gap.low, gap.high, *wins))
        heads: tuple[str, ...] = (
            "system",
            "recall",
            "precision",
            "precision less the judge's",
            "low",
            "high",
        )
        note = (
            f"judged by {self.truth}; the cut-off is the number of documents that {self.searcher} "
            "calls "
            "relevant, on the list of documents that both judged; a judge who finds nothing has "
            f"precision {'0' if self.empty == 'zero' else 'undefined'}"
        )
        heads += ("wins by recall", "wins by precision")
        return (Tabular("machine", "the judge as a system", heads, tuple(rows), (note,)),)


def judge_as_system(
    table: Array,
    found: Array,
    *,
    topics: tuple[str, ...],
    judges: tuple[str, str],
    systems: tuple[str, ...],
    empty: str = "zero",
) -> Machine:
    """Table 8: table[topic, 2, 2] of the two judges, found[system, topic] of A before the cut-off.

    Topics without a document relevant to the first judge are left out.
    """
    D, A, B = table[:, 1, 1], table[:, 1].sum(axis=-1), table[:, :, 1].sum(axis=-1)
    good = A > 0
    hits = np.concatenate([D[None], found])[:, good]
    A, B = A[good], B[good]
    nothing = 0.0 if empty == "zero" else np.nan
    precision = np.where(B > 0, hits / np.where(B > 0, B, 1), nothing)
    kept = tuple(topic for topic, keep in zip(topics, good, strict=True) if keep)
    return Machine(*judges, systems, kept, hits / A, precision, empty)
