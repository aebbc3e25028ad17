"""Consistency against performance, and a judge scored as if he were a search system.

Lesk & Salton 1968, Tables 7 and 8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.judges.jackknife import Estimate, around, mean_of
from assay.judges.tabular import Array, Tabular
from assay.stats.arrays import mid_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        if math.isnan(self.spearman.value):
            return (
                f"{len(self.topics)} topics tell nothing of how agreement of {self.first} and "
                f"{self.second} goes with performance."
            )
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

        return page(self, "consistency", "spearman")

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
            f"{self.performance}, mean of the two"
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
        rho = self.spearman
        found = (self.performance, len(self.topics), rho.value, rho.low, rho.high)
        beside = ("performance", "topics", "Spearman", "low", "high")
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
            Tabular("spearman", "consistency with performance", beside, (found,)),
            Tabular("consistency-topics", "by topic", columns, each),
        )


def consistency_against_performance(
    consistency: Array,
    score: Array,
    *,
    topics: tuple[str, ...],
    judges: tuple[str, str],
    performance: str,
    higher: bool = True,
) -> Consistency:
    """Table 7: consistency[topic] and score[judge, topic], NaN left out.

    `higher` says whether higher scores are better.
    """
    good = ~np.isnan(consistency) & ~np.isnan(score).any(axis=0)
    consistency, score = consistency[good], score[:, good]
    mean = score.mean(axis=0)
    up = 1.0 if higher else -1.0
    rows, columns = thirds(consistency), thirds(up * mean)
    gap = up * (score[1] - score[0])
    better = np.where(gap > 0, 0, np.where(gap < 0, 1, 2))
    cells = np.zeros((3, 3, 3), dtype=np.int64)
    np.add.at(cells, (rows, columns, better), 1)
    kept = tuple(topic for topic, keep in zip(topics, good, strict=True) if keep)
    return Consistency(
        *judges, performance, kept, consistency, score, cells, _spearman(consistency, up * mean)
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
    groups: Mapping[str, tuple[str, ...]]  # the group of each topic, by the name of the grouping

    @property
    def wins(self) -> Array:
        """[system] topics on which the system finds more than the judge, at the same cut-off."""
        return np.asarray((self.recall[1:] > self.recall[0]).sum(axis=-1))

    def verdict(self) -> str:
        """One sentence."""
        if np.isnan(self.precision[0]).all():
            return f"Nothing is relevant to {self.truth}, so {self.searcher} is no search system."
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
            f"{means[best]:.2f} and {float(np.nanmean(self.recall[1 + best])):.2f}, and finds more "
            f"than the judge on {int(self.wins[best])} of {len(self.topics)} topics."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for the judge, then one for each system; by group of topics; where systems win."""
        note = (
            f"judged by {self.truth}; the cut-off is the number of documents that the other judge "
            "calls relevant, on the list of documents that both judged; a judge who finds nothing "
            f"has precision {'0' if self.empty == 'zero' else 'undefined'}; less: precision less "
            "the judge's; wins: topics on which the system finds more"
        )
        heads: tuple[str, ...] = ("system", "topics", "recall", "precision", "less", "low", "high")
        heads += ("wins",)
        everything = np.ones(len(self.topics), dtype=bool)
        whole = self._rows((), everything)
        tables = [Tabular("machine", "the judge as a system", heads, tuple(whole), (note,))]
        for grouping, of in self.groups.items():
            rows: list[tuple[Any, ...]] = []
            for name in dict.fromkeys(of):
                rows += self._rows((name,), np.asarray([each == name for each in of]))
            title = f"the judge as a system by {grouping}"
            tables.append(Tabular("machine-groups", title, (grouping, *heads), tuple(rows)))
        if self.systems:
            columns = ("system", "topic", "recall", "the judge's", "precision", "its precision")
            won = self._won()
            tables.append(Tabular("machine-wins", "where a system beats the judge", columns, won))
        return tuple(tables)

    def _rows(self, lead: tuple[str, ...], inside: Array) -> list[tuple[Any, ...]]:
        """Judge and systems on some of the topics."""
        rows = []
        for i, name in enumerate((f"{self.searcher} (judge)", *self.systems)):
            r, p = mean_of(self.recall[i, inside]), mean_of(self.precision[i, inside])
            less = (self.precision[i] - self.precision[0])[inside]
            gap = mean_of(less) if i else Estimate(math.nan)
            wins = int((self.recall[i] > self.recall[0])[inside].sum()) if i else None
            means = (r.value, p.value, gap.value, gap.low, gap.high)
            rows.append((*lead, name, int(inside.sum()), *means, wins))
        return rows

    def _won(self) -> tuple[tuple[Any, ...], ...]:
        """Systems and topics where more was found than by the judge."""
        return tuple(
            (
                self.systems[i],
                self.topics[t],
                float(self.recall[1 + i, t]),
                float(self.recall[0, t]),
                float(self.precision[1 + i, t]),
                float(self.precision[0, t]),
            )
            for i, t in np.argwhere(self.recall[1:] > self.recall[0])
        )


def judge_as_system(
    table: Array,
    found: Array,
    *,
    topics: tuple[str, ...],
    judges: tuple[str, str],
    systems: tuple[str, ...],
    empty: str = "zero",
    groups: Mapping[str, tuple[str, ...]] | None = None,
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
    of = {
        name: tuple(group for group, keep in zip(each, good, strict=True) if keep)
        for name, each in (groups or {}).items()
    }
    return Machine(*judges, systems, kept, hits / A, precision, empty, of)
