"""Values of trec_eval's measures, topic by topic, from graded judgments of one judge or several."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.align import Hits, Judged, empty_hits, join, rankings
from assay.blocks import blocks_of
from assay.duplicates import best_rows
from assay.io.lines import Dropped
from assay.io.locate import Origin
from assay.trec.errors import TrecError
from assay.trec.views import bare, cut, gain_rankings, merged, strings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.blocks import Block
    from assay.measures.measure import Measure
    from assay.ranking import Ranking
    from assay.run import Run
    from assay.trec.names import Column

__all__ = ["GradedTopics", "Looking", "Table", "Topics", "apply"]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]

PAIR = ("topic", "doc")
FLOOR = 0.00001  # of what a geometric mean takes the logarithm


@dataclass(frozen=True)
class Table:
    """Judgments that the reader has checked: topic, doc, grade, each pair once."""

    frame: pl.DataFrame


@dataclass(frozen=True)
class Looking:
    """How a list is looked at."""

    ver: int = 10
    level: int = 1
    depth: int = 1 << 31
    judged_only: bool = False


class Topics:
    """The topics of a relevance file and the values of a run for them, [column, topic]."""

    reads: tuple[str, ...]
    repeated = "form_res_qrels"  # what complains of a document that stands twice
    descending = True  # documents of equal score

    def __init__(self, judged: Judged, columns: Sequence[Column], look: Looking) -> None:
        self.judged, self.columns, self.look = judged, columns, look
        self.values: Floats = np.full((len(columns), len(judged.topics)), np.nan)
        # relstring's texts by column and topic, and why a topic cannot be evaluated
        self.texts: dict[int, dict[int, str]] = {
            i: {} for i, column in enumerate(columns) if column.entry.name == "relstring"
        }
        self.problems: dict[int, tuple[str, ...]] = {}
        self._own_problems: dict[int, tuple[str, ...]] = {}  # of the judgments, whatever the run
        self.seen: set[int] = set()
        self._hits: list[Hits] = []

    def take(self, block: Block) -> None:
        """Find the judged documents of a block of whole topics."""
        dropped = Dropped()
        precision = "float64" if self.look.ver > 9 else "float32"
        hits = join(block, self.judged, Origin("run"), precision=precision, dropped=dropped)
        if dropped:
            self._note_repeated(block, precision)
        self._hits.append(self.settled(bare(hits)))

    def take_run(self, run: Run) -> None:
        """Score a run that is in memory."""
        for block in blocks_of(run):
            self.take(block)
        self.finish()

    def finish(self) -> None:
        """Score what was taken, all at once."""
        hits = merged(self._hits)
        self.seen.update(hits.topic.tolist())
        self.score(hits)

    def score_empty(self, topics: Sequence[int]) -> None:
        """Score lists that are there without a document."""
        if topics:
            self.score(empty_hits(np.asarray(topics, dtype=np.int64)))
            self.seen.update(topics)

    def restart(self) -> None:
        """Forget the run; the judgments' own problems stay."""
        self._hits.clear()
        self.seen.clear()
        self.values.fill(np.nan)
        self.problems = dict(self._own_problems)

    def absent(self, topics: Ints) -> None:
        """Score topics that the run lacks: trec_eval imagines a list of one unknown document."""
        one = np.ones(len(topics), dtype=np.int64)
        self.score(cut(replace(empty_hits(topics), retrieved=one), self.look.depth))
        for i, column in enumerate(self.columns):
            if column.name in {"num_ret", "utility", "rbp_resid"} or column.name.startswith("unj"):
                self.values[i, topics] = 0.0
            if column.name == "relstring":
                self.texts[i].update(dict.fromkeys(topics.tolist(), ""))

    def settled(self, hits: Hits) -> Hits:
        """The lists in their order, as deep as they count."""
        return cut(hits, self.look.depth)

    def score(self, hits: Hits) -> None:
        """Fill in the values of the topics."""
        raise NotImplementedError

    def _note_repeated(self, block: Block, precision: str) -> None:
        """Topics in which a document stands twice as deep as the list counts."""
        segment = np.repeat(np.arange(len(block.topics)), np.diff(block.start))
        topic = pl.Series(block.topics, dtype=pl.String).gather(segment)
        keep = best_rows(topic, block.doc, block.score, Origin("run"), Dropped())
        rows = np.flatnonzero(~keep) if keep is not None else np.zeros(0, dtype=np.int64)
        for number in np.unique(segment[rows]).tolist():
            judged = self.judged.number.get(block.topics[number])
            if judged is None:
                continue
            here = slice(int(block.start[number]), int(block.start[number + 1]))
            score = block.score[here].astype(precision).astype(np.float64)
            frame = pl.DataFrame({"doc": block.doc[here], "score": score})
            counted = frame.sort("score", "doc", descending=[True, self.descending])
            counted = counted.head(self.look.depth)
            if counted["doc"].is_duplicated().any():
                why = f"trec_eval.{self.repeated}: duplicate docs {_twice(counted, 'doc')}"
                self.problems[judged] = (why,)  # before what is wrong with the judgments


class GradedTopics(Topics):
    """Topics with the grades of one judge (qrels) or several (qrels_jg)."""

    def __init__(self, frame: pl.DataFrame, columns: Sequence[Column], look: Looking) -> None:
        several = "group" in frame.columns
        self.reads = ("qrels_jg",) if several else ("qrels",)
        parts = [frame]
        if several:
            names = sorted(frame["group"].unique())
            parts = [frame.filter(pl.col("group") == name) for name in names]
        unlike = [_each_once(part) for part in parts]
        if several:
            for part, whole in zip(unlike, parts, strict=True):
                if part.height < whole.height:
                    raise TrecError(
                        2, f"trec_eval.get_qrels: duplicate docs {_twice(whole, *PAIR)}"
                    )
        judges = [Table(part.select("topic", "doc", grade="value")) for part in unlike]
        super().__init__(Judged(judges), columns, look)
        for topic, docs in parts[0].group_by("topic") if unlike[0].height < frame.height else ():
            if docs["doc"].is_duplicated().any() and not several:
                why = f"trec_eval.form_res_rels: duplicate docs {_twice(docs, *PAIR)}"
                self._own_problems[self.judged.number[topic[0]]] = (why,)
        self.restart()
        self.groups = self.judged.has.sum(axis=0)
        self.leveled = self.judged if look.level >= 1 else _raised(self.judged)
        hit = self.leveled.grade[0] >= max(1, look.level)
        self.relevant = np.bincount(
            self.judged.topic_of, weights=hit, minlength=len(self.judged.topics)
        )

    def score(self, hits: Hits) -> None:
        """Fill in the values of the topics; what is undefined is 0."""
        if not len(hits.topic):
            return
        found = np.zeros((len(self.columns), len(hits.topic)))
        with np.errstate(all="ignore"):
            for judge in range(len(self.judged.grade)):
                for places, ranking, chosen in self._views(hits, judge):
                    for i, measure in chosen:
                        found[i, places] += np.nan_to_num(
                            apply(measure, ranking), nan=0.0, posinf=np.inf, neginf=-np.inf
                        )
            found /= self.groups[hits.topic]
        for i, column in enumerate(self.columns):
            if column.entry.name == "Rndcg":
                found[i, self.relevant[hits.topic] == 0] = 0.0
            if column.entry.average == "geometric":
                found[i] = np.log(np.maximum(found[i], FLOOR))
            if i in self.texts and column.entry.reads in self.reads:
                grade, only = self.judged.grade[0], self.look.judged_only
                texts = strings(hits, grade, column.depth, judged_only=only)
                self.texts[i].update(zip(hits.topic.tolist(), texts, strict=True))
        self.values[:, hits.topic] = found

    def _views(
        self, hits: Hits, judge: int
    ) -> Iterator[tuple[Ints, Ranking, list[tuple[int, Measure]]]]:
        """Rankings with the columns that are to look at them."""
        plain: list[tuple[int, Measure]] = []
        leveled: list[tuple[int, Measure]] = []
        by_table: dict[tuple[Any, bool], list[tuple[int, Measure]]] = {}
        for i, column in enumerate(self.columns):
            if column.measure is None or column.entry.reads not in self.reads:
                continue
            if column.gains and column.entry.name != "rbp_resid":
                key = column.gains, column.entry.name == "rbp"
                by_table.setdefault(key, []).append((i, column.measure))
            elif column.entry.graded or self.leveled is self.judged:
                plain.append((i, column.measure))
            else:
                leveled.append((i, column.measure))
        only = self.look.judged_only
        for judged, chosen in ((self.judged, plain), (self.leveled, leveled)):
            if chosen:
                needs = frozenset(
                    name for _, measure in chosen for name in measure.definition.fields
                )
                how = "condensed" if only else "nonrelevant"
                for places, ranking in rankings(hits, judged, judge, unjudged=how, needs=needs):
                    yield places, ranking, chosen
        for (table, scaled), chosen in by_table.items():
            for places, ranking in gain_rankings(
                hits, self.judged, table, judged_only=only, scaled=scaled
            ):
                yield places, ranking, chosen


def apply(measure: Measure, ranking: Ranking) -> Any:
    """The measure's values for a ranking, one for each list."""
    return measure.kernel(**{name: getattr(ranking, name) for name in measure.definition.fields})


def _each_once(frame: pl.DataFrame) -> pl.DataFrame:
    if not frame.select("topic", "doc").is_duplicated().any():
        return frame
    return frame.unique(["topic", "doc"], keep="first", maintain_order=True)


def _twice(frame: pl.DataFrame, *columns: str) -> Any:
    """The first document, by name, of the rows that stand twice."""
    return frame.filter(frame.select(columns).is_duplicated())["doc"].min()


def _raised(judged: Judged) -> Judged:
    """The same judgments on a scale that starts at 1, so that every judged document is relevant."""
    raised = copy.copy(judged)
    raised.grade = np.where(judged.grade >= 0, judged.grade + 1.0, judged.grade)
    raised._bases = {}  # noqa: SLF001 - another table has other bases
    return raised
