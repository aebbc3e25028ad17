"""Means of runs under A, B, either, both, the majority: Lesk & Salton 1968, Tables 4 to 6."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.evaluation import evaluate
from assay.judges.groups import BOTH, EITHER, Groups
from assay.judges.jackknife import mean_of
from assay.judges.tabular import Array, Tabular
from assay.judgments import Judgments
from assay.pictured import Pictured

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.align import Judged
    from assay.measures.measure import Measure

__all__ = ["GroupScores", "group_scores"]


@dataclass(frozen=True)
class GroupScores(Pictured):
    """Means of the runs under A, B, either, both, the majority, the consensus (Tables 4 to 6)."""

    names: tuple[str, ...]
    judges: int  # how many of the names are single judges
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    values: Array  # [name, run, measure, topic]
    counted: int
    judged: int
    available: bool
    graded: bool
    higher: tuple[bool, ...]  # by measure, whether higher values are better

    def verdict(self) -> str:
        """One sentence."""
        means = self._means(np.ones(len(self.topics), dtype=bool))[0]
        orders = [
            tuple(np.argsort(-self._up(m) * means[:, i, m], kind="stable"))
            for i in range(len(self.names))
            for m in range(len(self.measures))
            if not np.isnan(means[:, i, m]).any()
        ]
        same = len(set(orders)) == 1 and len(self.measures) == 1
        if same:
            who = ", ".join(self.names)
            return f"All of {who} rank the runs in the same order by {self.measures[0]}."
        best = {
            str(self.measures[m]): {
                self.runs[int(np.argmax(self._up(m) * means[:, i, m]))]
                for i in range(len(self.names))
                if not np.isnan(means[:, i, m]).any()
            }
            for m in range(len(self.measures))
        }
        return " ".join(
            f"By {measure} "
            f"{'every judge and group puts' if len(runs) == 1 else 'judges and groups put'} "
            f"{' or '.join(sorted(runs)[:4])} first."
            for measure, runs in best.items()
            if runs
        )

    def means(self) -> Array:
        """Means over topics, [run, name, measure]."""
        return self._means(np.ones(len(self.topics), dtype=bool))[0]

    def _up(self, m: int) -> float:
        return 1.0 if self.higher[m] else -1.0

    def _means(self, inside: Array) -> tuple[Array, Array]:
        """Means [run, name, measure] and topics used [measure]."""
        values = self.values[..., inside]
        if not self.available:
            good = ~np.isnan(values).any(axis=(0, 1))
            values = np.where(good, values, np.nan)
        count = (~np.isnan(values)).sum(axis=-1)
        with np.errstate(invalid="ignore"):
            means = np.nansum(values, axis=-1) / np.where(count, count, np.nan)
        return np.moveaxis(means, 0, 1), count.min(axis=(0, 1))

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self, "evaluation")

    def tabulars(self) -> tuple[Tabular, ...]:
        """Means and differences over all topics, and by group of topics."""
        extra = []
        place = {name: i for i, name in enumerate(self.names)}
        if self.judges == 2:
            extra.append((f"{self.names[0]} - {self.names[1]}", 0, 1))
        if EITHER in place:
            extra.append(("D - C", place[BOTH], place[EITHER]))
        heads: tuple[str, ...] = (*self.names, *(name for name, _, _ in extra))
        kinds = "grades" if self.graded else "relevant or not, for the scales differ"
        note = (
            f"{self.counted} of {self.judged} pairs count: "
            + (
                "all that some judge judged"
                if self.available
                else "those judged by all judges of the topic"
            )
            + f"; C and D hold {kinds}; "
            + ("each mean over its own topics" if self.available else "topics defined under all")
        )
        everything = np.ones(len(self.topics), dtype=bool)
        beside = ("measure", "run", "judgments", "less", "topics", "difference", "low", "high")
        apart = "intervals over topics"
        tables = [
            Tabular(
                "evaluation",
                "evaluation",
                ("measure", "run", "topics", *heads),
                tuple(self._rows((), everything, extra)),
                (note,),
            ),
            Tabular(
                "differences",
                "differences of judgments",
                beside,
                tuple(self._differences((), everything)),
                (apart,),
            ),
        ]
        for grouping, of in self.groups.items():
            rows: list[tuple[Any, ...]] = []
            gaps: list[tuple[Any, ...]] = []
            for name in dict.fromkeys(of):
                inside = np.asarray([each == name for each in of])
                rows += self._rows((name,), inside, extra)
                gaps += self._differences((name,), inside)
            columns: tuple[str, ...] = (grouping, "measure", "run", "topics", *heads)
            tables.append(
                Tabular("evaluation-groups", f"evaluation by {grouping}", columns, tuple(rows))
            )
            title = f"differences by {grouping}"
            heads = (grouping, *beside)
            tables.append(Tabular("differences-groups", title, heads, tuple(gaps), (apart,)))
        return tuple(tables)

    def _differences(self, lead: tuple[str, ...], inside: Array) -> list[tuple[Any, ...]]:
        """The first judge less each other, and the intersection less the union, with intervals."""
        place = {name: i for i, name in enumerate(self.names)}
        chosen = [(0, j) for j in range(1, self.judges)]
        if EITHER in place and BOTH in place:
            chosen.append((place[BOTH], place[EITHER]))
        values = self.values[..., inside]
        if not self.available:
            values = np.where(np.isnan(values).any(axis=(0, 1)), np.nan, values)
        rows: list[tuple[Any, ...]] = []
        for m, measure in enumerate(self.measures):
            for r, run in enumerate(self.runs):
                for a, b in chosen:
                    gap = mean_of(values[a, r, m] - values[b, r, m])
                    names = (self.names[a], self.names[b])
                    found = (gap.topics, gap.value, gap.low, gap.high)
                    rows.append((*lead, measure, run, *names, *found))
        return rows

    def _rows(
        self, lead: tuple[str, ...], inside: Array, extra: list[tuple[str, int, int]]
    ) -> list[tuple[Any, ...]]:
        means, used = self._means(inside)
        return [
            (
                *lead,
                measure,
                run,
                int(used[m]),
                *map(float, means[r, :, m]),
                *tuple(float(means[r, a, m] - means[r, b, m]) for _, a, b in extra),
            )
            for m, measure in enumerate(self.measures)
            for r, run in enumerate(self.runs)
        ]


def group_scores(
    grouping: Groups,
    judged: Judged,
    runs: Sequence[Any],
    measures: Sequence[Measure],
    of_topic: Mapping[str, tuple[str, ...]],
    judges: int,
    policies: Mapping[str, Any],
    *,
    available: bool,
) -> tuple[GroupScores, list[str]]:
    """Score the runs under each row of the grouping; notes on rows that hold nothing."""
    topics = pl.Series(judged.topics).gather(judged.topic_of)
    made, notes, names = [], [], []
    for name, row in zip(grouping.names, grouping.grade, strict=True):
        known = np.flatnonzero(~np.isnan(row))
        if not len(known):
            notes.append(f"{name}: no document is judged by all judges of its topic; left out")
            continue
        columns = {
            "topic": topics.gather(known),
            "doc": judged.doc.gather(known),
            "grade": row[known],
        }
        made.append(Judgments(pl.DataFrame(columns), label=name))
        names.append(name)
    shape = (len(names), len(runs), len(measures), len(judged.topics))
    values = np.full(shape, np.nan)
    if made:
        scores = evaluate(made, list(runs), list(measures), **policies)
        at = [judged.number[topic] for topic in scores.topics]
        values[..., at] = scores.values
    found = GroupScores(
        tuple(names),
        sum(name in grouping.names[:judges] for name in names),
        tuple(run.label for run in runs),
        tuple(map(str, measures)),
        tuple(judged.topics),
        of_topic,
        values,
        grouping.counted,
        grouping.judged,
        available,
        grouping.graded,
        tuple(measure.definition.higher_is_better for measure in measures),
    )
    return found, notes
