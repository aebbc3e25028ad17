"""Preferences: which of two documents a judge found better, by topic."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import Dropped
from assay.io.locate import Origin
from assay.io.spool import readable
from assay.io.stream import label_of
from assay.io.verdicts import Graded, read_statements
from assay.judgments import Judgments, read_judgments
from assay.orders import WeakOrder
from assay.statements import (
    BLOCK,
    SCHEMA,
    by_topic,
    checked,
    frame_of,
    from_dict,
    gathered,
    pairs_of,
    relation_of,
    stated_by,
)
from assay.subgroups import of_levels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from assay.acceptable import Closest
    from assay.consistency import Consistency
    from assay.relations import Relation
    from assay.run import Run

__all__ = ["GRADES", "Preferences", "read_preferences"]

GRADES = (
    "make them of preferences by .to_judgments(), where nothing is contradictory, or by "
    "assay.merge(preferences).to_judgments()"
)
MOST = 30_000_000  # statements that are held at once

Pair = tuple[str, str] | tuple[str, str, str]


class Grades(Protocol):
    """Graded judgments of one judge."""

    @property
    def frame(self) -> pl.DataFrame:
        """The rows: topic, doc, grade."""
        ...

    @property
    def label(self) -> str:
        """What the judge is called."""
        ...

    @property
    def origin(self) -> Origin:
        """Where the rows come from."""
        ...

    @property
    def dropped(self) -> Dropped:
        """What was left out."""
        ...


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Preferences:
    """Statements on pairs of documents: one preferred to the other, or a tie.

    Made from a dictionary, `Preferences({"301": [("d1", "d2"), ("d2", "=", "d3")]})`, from a Polars
    frame with the columns topic, better, worse and, if wanted, judge, tie and votes, by
    `read_preferences`, or from grades by `Judgments.to_preferences()`. A pair that is not stated is
    unknown, not a tie. Nothing is assumed of what is stated: `check` says whether it is consistent.
    """

    label: str
    origin: Origin
    dropped: Dropped
    notes: tuple[str, ...]
    grades: pl.DataFrame | None  # where grades stand for the statements, which are made on request

    def __init__(
        self,
        data: Mapping[str, Iterable[Pair]] | pl.DataFrame,
        *,
        label: str = "preferences",
        origin: Origin | None = None,
        dropped: Dropped | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        """Check the data; equal statements become one, with their votes added."""
        frame = data if isinstance(data, pl.DataFrame) else from_dict(data)
        frame = gathered(checked(frame, label))
        if not frame.height:
            raise AssayError(f"{label}: no preferences")
        self._set(label, origin, dropped, notes)
        self.__dict__["frame"] = frame

    def _set(
        self,
        label: str,
        origin: Origin | None,
        dropped: Dropped | None,
        notes: Sequence[str],
        grades: pl.DataFrame | None = None,
    ) -> None:
        values = {
            "label": label,
            "origin": origin or Origin(label),
            "dropped": Dropped() if dropped is None else dropped,
            "notes": tuple(notes),
            "grades": grades,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of_grades(cls, judgments: Grades) -> Preferences:
        """What grades state: of two documents of a topic, the better graded, else a tie.

        Documents with a grade below 0, pooled but not judged, are left out.
        The n (n - 1) / 2 statements of a topic are made when they are asked for, by blocks.
        """
        made = cls.__new__(cls)
        grades = judgments.frame.select("topic", "doc", "grade").filter(pl.col("grade") >= 0)
        made._set(judgments.label, judgments.origin, judgments.dropped, (), grades)  # noqa: SLF001
        return made

    # ------------------------------------------------------------------------------------ the rows

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Statements: topic, judge, better, worse, tie, votes, lines; each once."""
        if len(self) > MOST:
            raise AssayError(
                f"{self.label}: {len(self):,} statements follow from these grades, too many to "
                "hold at once; take them from .blocks()"
            )
        blocks = list(self.blocks())
        return pl.concat(blocks) if blocks else pl.DataFrame(schema=SCHEMA)

    def blocks(self) -> Iterator[pl.DataFrame]:
        """The statements, some at a time."""
        if self.grades is None:
            yield from self.frame.iter_slices(BLOCK)
            return
        for topic, docs, grade in by_topic(self.grades):
            yield from stated_by(topic, docs, grade)

    def __len__(self) -> int:
        if self.grades is None:
            return self.frame.height
        many = self.grades.group_by("topic").len()["len"]
        return int((many * (many - 1) // 2).sum())

    def __iter__(self) -> Iterator[tuple[str, str, str, str]]:
        for block in self.blocks():
            for topic, better, worse, tie in block.select(
                "topic", "better", "worse", "tie"
            ).iter_rows():
                yield topic, better, "=" if tie else ">", worse

    def __repr__(self) -> str:
        return f"Preferences({self.label!r}: {len(self)} statements, {len(self.topics)} topics)"

    @property
    def topics(self) -> list[str]:
        """Topics in order of first appearance."""
        source = self.frame if self.grades is None else self.grades
        topics: list[str] = source["topic"].unique(maintain_order=True).to_list()
        return topics

    @property
    def judges(self) -> list[str | None]:
        """Judges in order of first appearance; None stands for statements without one."""
        if self.grades is not None:
            return [None]
        judges: list[str | None] = self.frame["judge"].unique(maintain_order=True).to_list()
        return judges

    def labelled(self, label: str) -> Preferences:
        """The same preferences under another label."""
        other = copy.copy(self)
        object.__setattr__(other, "label", label)
        return other

    def _with(self, frame: pl.DataFrame, label: str | None = None) -> Preferences:
        made = Preferences.__new__(Preferences)
        made._set(label or self.label, self.origin, self.dropped, self.notes)  # noqa: SLF001
        made.__dict__["frame"] = frame
        return made

    # ------------------------------------------------------------------------------------- judges

    @classmethod
    def pooled(cls, sets: Sequence[Preferences], *, label: str = "pooled") -> Preferences:
        """Several sets as one; the label of a set is the judge of what has none in it."""
        parts = [each.frame.with_columns(pl.col("judge").fill_null(each.label)) for each in sets]
        notes = [note for each in sets for note in each.notes]
        return cls(pl.concat(parts), label=label, notes=notes)

    def by_judge(self) -> dict[str, Preferences]:
        """Label to the preferences of each judge."""
        found = {}
        for judge in self.judges:
            name = self.label if judge is None else judge
            found[name] = self._with(self.frame.filter(pl.col("judge").eq_missing(judge)), name)
        return found if len(found) > 1 else {self.label: self}

    @cached_property
    def single(self) -> bool:
        """Whether there is one judge, who says one thing of each pair."""
        return self.grades is not None or (
            len(self.judges) == 1 and not pairs_of(self.frame).is_duplicated().any()
        )

    def majority(self) -> Preferences:
        """One statement for each pair: the one closest to all votes by Zhou & Yao's distance.

        A document is preferred where its votes lead by more than there are votes for a tie; else
        the pair is tied. `.votes` counts those that agree.
        """
        if self.single:
            return self
        low, high = pl.min_horizontal("better", "worse"), pl.max_horizontal("better", "worse")
        votes, tie = pl.col("votes"), pl.col("tie")
        first = pl.col("better") < pl.col("worse")
        for_low, for_high = (votes.filter(~tie & side).sum() for side in (first, ~first))
        merged = (
            self.frame.with_columns(low=low, high=high)
            .group_by("topic", "low", "high", maintain_order=True)
            .agg(
                a=for_low,
                b=for_high,
                t=votes.filter(tie).sum(),
                lines=pl.col("lines").explode().drop_nulls(),
            )
        )
        lead = pl.col("a") - pl.col("b")
        tied = lead.abs() <= pl.col("t")
        ahead = (lead > 0) | tied
        frame = merged.select(
            "topic",
            judge=pl.lit(None, dtype=pl.String),
            better=pl.when(ahead).then("low").otherwise("high"),
            worse=pl.when(ahead).then("high").otherwise("low"),
            tie=tied,
            votes=pl.when(tied).then("t").when(lead > 0).then("a").otherwise("b"),
            lines="lines",
        )
        return self._with(frame)

    # ------------------------------------------------------------------------------------- orders

    def relations(self) -> Iterator[tuple[str, str | None, Relation]]:
        """What each judge states of each topic: topic, judge, relation."""
        for part in self.frame.partition_by("topic", "judge", maintain_order=True):
            yield part["topic"][0], part["judge"][0], relation_of(part)

    def check(
        self,
        *,
        missing: str = "unknown",
        limit: int | None = 20,
        drop: bool = True,
        seconds: float = 5.0,
    ) -> Consistency:
        """Whether each judge's preferences on each topic are a weak order, and if not, where.

        * missing: a pair that is not stated is `"unknown"`, or a `"tie"` as in Zhou & Yao, whose
          indifference is the absence of a preference.
        * limit: violations that are listed for each axiom and topic; None lists all.
        * drop: look for the fewest verdicts that, dropped, leave a consistent rest, for at most
          `seconds` a topic; after that a heuristic, named as such, takes over.
        """
        from assay.consistency import consistency

        return consistency(self, missing=missing, limit=limit, drop=drop, seconds=seconds)

    def consistent(self, *, seconds: float = 5.0) -> Preferences:
        """The preferences without the fewest votes that make them contradict themselves."""
        from assay.feedback import smallest_drop

        if self.grades is not None:
            return self
        parts = self.frame.partition_by("topic", "judge", maintain_order=True)
        kept = []
        for part in parts:
            stays = np.ones(part.height, dtype=bool)
            stays[list(smallest_drop(relation_of(part), seconds=seconds).rows)] = False
            kept.append(part.filter(pl.Series(stays)))
        return self._with(pl.concat(kept))

    def closure(self) -> Preferences:
        """The statements with all that follow from them by transitivity, for each judge."""
        made = []
        for topic, judge, relation in self.relations():
            try:
                made.append(frame_of(topic, judge, relation.closure()))
            except AssayError as error:
                raise _contradiction(self, topic, judge, relation, error) from None
        return self._with(pl.concat(made))

    def orders(self) -> dict[str, WeakOrder]:
        """Topic to a weak order that obeys every statement.

        Where the statements leave room, a document stands as high as the longest chain of
        preferences below it proves.
        Several judges, or votes against each other, count as their `majority`.
        """
        if self.grades is not None:
            return {
                topic: WeakOrder.of(dict(zip(docs, grade.tolist(), strict=True)))
                for topic, docs, grade in by_topic(self.grades)
            }
        found = {}
        for topic, judge, relation in self.majority().relations():
            try:
                found[topic] = relation.order()
            except AssayError as error:
                raise _contradiction(self, topic, judge, relation, error) from None
        return found

    def to_judgments(self) -> Judgments:
        """Grades that say the same: the level of each document, 0 for the last.

        They exist where the preferences (of several judges: their majority) contradict themselves
        nowhere; else first drop what does, `.consistent()`, or merge, `assay.merge`.
        """
        if self.grades is not None:
            rank = pl.col("grade").rank("dense").over("topic") - 1
            frame = self.grades.with_columns(grade=rank.cast(pl.Float64))
            return Judgments(frame, label=self.label)
        orders = self.orders()
        grades = {topic: order.utility() for topic, order in orders.items()}
        return Judgments(grades, label=self.label)

    def closest(
        self, ranking: Mapping[str, float] | WeakOrder | Run, topic: str | None = None
    ) -> Closest:
        """Of the rankings that obey the preferences on a topic, the one closest to a system's.

        The system's is a dictionary of document to score, an order, or a run that has the topic.
        It is exact where the preferences, followed by the system's wherever they say nothing, are a
        weak order; elsewhere a heuristic, named as such.
        """
        from assay.acceptable import closest
        from assay.run import Run

        topics = self.topics
        if topic is None and len(topics) > 1:
            hint = f"say which, such as topic={topics[0]!r}"
            raise AssayError(f"{self.label} speaks of {len(topics)} topics; {hint}")
        name = topics[0] if topic is None else topic
        if name not in topics:
            shown = ", ".join(topics[:5])
            raise AssayError(
                f"{self.label}: nothing is stated on topic {name!r}; there are {shown}"
            )
        if isinstance(ranking, Run):
            ranking = ranking.to_dict().get(name, {})
        system = ranking if isinstance(ranking, WeakOrder) else WeakOrder.of(ranking)
        _, judge, relation = next(self._of_topic(name).majority().relations())
        if not relation.consistent:
            raise _contradiction(self, name, judge, relation, AssayError("no order"))
        return closest(relation, system)

    def _of_topic(self, topic: str) -> Preferences:
        if self.grades is None:
            return self._with(self.frame.filter(pl.col("topic") == topic))
        grades = Judgments(self.grades.filter(pl.col("topic") == topic), label=self.label)
        return self._with(Preferences.of_grades(grades).frame)


def read_preferences(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word that people look for
    label: str | None = None,
    strict: bool = True,
) -> Preferences:
    """Read preferences, one statement a line.

    Forms: `"pairs"` is `topic better worse` or `topic judge better worse`, ties as `topic doc =
    doc`; `"verdicts"` is `topic doc doc winner`, or with a judge after the topic, winner `=` for a
    tie; `"prefs"` is trec_eval's `topic judge group doc level`; `"marked"` is `@ topic better worse
    !`; `"qrels_prefs"` reads grades as preferences. Without `format` the form is found out, and so
    are CSV, TSV and JSON lines with the names topic, better, worse (or doc1, doc2, winner), judge,
    tie, votes. With `strict=False` bad lines are left out and counted in `.dropped`.
    """
    if format == "qrels_prefs":
        return read_judgments(source, label=label, strict=strict).to_preferences()
    dropped = None if strict else Dropped()
    with readable(source) as origin:
        found, remark = read_statements(origin, format, dropped)
        name = label or label_of(source)
        notes = [] if remark is None else [f"{origin.name}: {remark}"]
        if isinstance(found, Graded):
            frame = of_levels(found, origin, dropped)
        else:
            names = [name for name in SCHEMA if name != "lines"]
            kinds = {**SCHEMA, "line": pl.Int64}
            columns = {name: getattr(found, name) for name in (*names, "line")}
            frame = pl.DataFrame(columns, schema={name: kinds[name] for name in columns})
            frame = frame.select(*names, lines=pl.concat_list("line"))
        if not frame.height:
            left_out = f"; left out {dropped}" if dropped else ""
            raise AssayError(f"{origin.name}: no preference is stated{left_out}")
        return Preferences(frame, label=name, origin=origin, dropped=dropped, notes=notes)


def _contradiction(
    preferences: Preferences, topic: str, judge: str | None, relation: Relation, error: AssayError
) -> AssayError:
    from assay.axioms import Violation, violations

    first = next(violations(relation, limit=1), None)
    if first is None:
        return error
    shown = Violation(first[0], first[1], topic, judge)
    return AssayError(
        f"{preferences.label}: no order obeys these preferences: {shown}. "
        "See .check(), drop what contradicts with .consistent(), or merge with assay.merge"
    )
