"""One value explained: the list as the measure sees it, the arithmetic, what other tools say."""

from __future__ import annotations

import math
from contextlib import ExitStack
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.align import Hits, Judged, join, rankings
from assay.arithmetic import Place, arithmetic
from assay.blocks import block_of
from assay.conventions import Retrieved
from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.inputs import Source, inputs
from assay.io.forms import opened, rows_of
from assay.io.lines import RUN, Dropped
from assay.io.locate import Origin
from assay.io.spool import readable
from assay.io.trec import no_rows
from assay.judgments import Judgments
from assay.measures.measure import Measure, parse
from assay.pictured import Pictured
from assay.policy import Policy
from assay.run import Run
from assay.tools import Print, prints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.show.explanation import ExplanationTable

__all__ = ["Explanation", "Step", "explain"]

IN_ORDER = ("nonrelevant", "condensed")  # treatments of the unjudged under which a list is a list


@dataclass(frozen=True)
class Step:
    """A document of the list, or of the ideal list, and its share in the value."""

    rank: int | None  # None: taken out, as unjudged documents are from a condensed list
    doc: str
    score: float  # NaN in the ideal list
    grade: float | None  # None: unjudged
    tie: str = ""  # the same letter for documents of the same score
    numbers: tuple[float, ...] = ()  # one for each of the columns


@dataclass(frozen=True)
class Explanation(Pictured):
    """A measure's value for one topic of one run, and how it comes about."""

    topic: str
    run: str
    measure: Measure
    policy: Policy
    value: float
    reason: str  # why there is no ordinary value
    columns: tuple[str, ...]
    steps: tuple[Step, ...]
    ideal_columns: tuple[str, ...]
    ideal: tuple[Step, ...]
    last: str  # the last line of the arithmetic
    tools: tuple[Print, ...]
    notes: tuple[str, ...] = ()

    def table(self, *, rows: int | None = 40) -> ExplanationTable:
        """The explanation for people; at most so many rows of the list, None for all."""
        from assay.show.explanation import ExplanationTable

        return ExplanationTable(self, rows)

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def explain(
    judgments: Any,
    run: Any,
    topic: str,
    measure: str | Measure,
    *,
    unjudged: str = "nonrelevant",
    ties: str = "trec",
    precision: str = "float64",
    negative: str = "unjudged",
    ignore_self: bool = False,
    strict: bool = True,
) -> Explanation:
    """Explain a measure's value for one topic, rank by rank, beside what other tools would print.

    Judgments, run and policies are those of `evaluate`.

    >>> judgments = {"1": {"a": 3, "b": 2, "c": 1}}
    >>> explanation = explain(judgments, {"1": {"b": 3.0, "x": 2.0, "a": 1.0}}, "1", "nDCG@3")
    >>> explanation.last
    'nDCG@3 = DCG / ideal DCG = 3.5000 / 4.7619 = 0.7350'
    """
    policy = Policy(
        unjudged=unjudged,
        ties=ties,
        precision=precision,
        negative=negative,
        ignore_self=ignore_self,
    )
    wanted = parse(measure)
    _refuse_many(wanted, policy)
    judges, sources = inputs(judgments, run, strict=strict)
    if len(judges) != 1 or len(sources) != 1:
        raise AssayError(
            f"one judgment set and one run can be explained at a time, not {len(judges)} and "
            f"{len(sources)}"
        )
    if not isinstance(judges[0], Judgments):
        raise AssayError("values from preferences cannot be explained; give graded judgments")
    list_of_topic = _run_of(sources[0], topic, strict=strict)
    _refuse_unknown(topic, judges[0])
    return _explained(judges[0], list_of_topic, topic, wanted, policy)


def _refuse_many(measure: Measure, policy: Policy) -> None:
    if (measure.unjudged or policy.unjudged) == "bounds":
        raise AssayError("one bound can be explained at a time; say unjudged='lowest' or 'highest'")
    if measure.parameters.get("rel") == "each":
        raise AssayError(f"{measure}: one level can be explained at a time, such as rel=1")


def _refuse_unknown(topic: str, judge: Judgments) -> None:
    judged = judge.topics
    if topic in judged:
        return
    close = get_close_matches(topic, judged, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"judged is, for example, {judged[0]!r}"
    raise AssayError(f"{judge.label}: topic {topic!r} is not judged; {hint}")


def _run_of(source: Source, topic: str, *, strict: bool) -> Run:
    """The run's list for the topic alone, in the order of its file."""
    if source.run is not None:
        frame = source.run.frame.filter(pl.col("topic") == topic)
        return Run(frame, label=source.label, origin=source.run.origin)
    dropped = None if strict else Dropped()
    with ExitStack() as stack:
        spooled = stack.enter_context(readable(source.path or ""))
        origin = opened(spooled, RUN, format=source.format, columns=source.columns)
        kept = [
            pl.DataFrame({"topic": rows.topic, "doc": rows.doc, "score": rows.value}).filter(
                pl.col("topic") == topic
            )
            for rows in rows_of(origin, RUN, dropped=dropped)
        ]
        if not kept:
            raise no_rows(origin, RUN, dropped)
        return Run(pl.concat(kept), label=source.label, origin=origin, dropped=dropped)


def _explained(
    judge: Judgments, run: Run, topic: str, measure: Measure, policy: Policy
) -> Explanation:
    scores = evaluate(
        judge,
        run,
        measure,
        unjudged=policy.unjudged,
        ties=policy.ties,
        precision=policy.precision,
        negative=policy.negative,
        ignore_self=policy.ignore_self,
    )
    found = scores.measures[0]
    value = float(scores.of(run.label, found)[scores.topics.index(topic)])
    own = Judgments(judge.frame.filter(pl.col("topic") == topic), label=judge.label)
    steps, places, base = _list_of(own, run, topic, found, policy)
    mode = found.unjudged or policy.unjudged
    top = float(found.parameters.get("max") or judge.top or 1.0)
    written = None
    if mode in IN_ORDER:
        written = arithmetic(found, places, [grade for _, grade in base], top=top)
    ideal = zip(_ideal_order(base, found), () if written is None else written.ideal, strict=False)
    retrieved = _retrieved(run.frame, own, topic, policy)
    return Explanation(
        topic=topic,
        run=run.label,
        measure=found,
        policy=policy,
        value=value,
        reason=scores.reason(run.label, found, topic),
        columns=() if written is None else written.columns,
        steps=tuple(_numbered(steps, () if written is None else written.rows)),
        ideal_columns=() if written is None else written.ideal_columns,
        ideal=tuple(
            Step(i, doc, math.nan, grade, numbers=numbers)
            for i, ((doc, grade), numbers) in enumerate(ideal, 1)
        ),
        last=f"{found} = {value:.4f}" if written is None else written.last,
        tools=tuple(prints(found, retrieved, policy, top, value)),
        notes=tuple(_notes(scores.notes, (written is not None, mode), found, policy)),
    )


def _list_of(
    own: Judgments, run: Run, topic: str, measure: Measure, policy: Policy
) -> tuple[tuple[Step, ...], list[Place], list[tuple[str, float]]]:
    """The list in rank order, its places for the arithmetic, and the judged documents, best first.

    The order comes from `align`: of the judged documents under the policies, and, with every
    document taken as judged, of all.
    """
    judged = Judged([own], policy.negative)
    _, grades = judged.base(0)
    base = [
        (judged.doc[int(pair)], float(grade))
        for pair, grade in zip(judged.base_pairs(0), grades, strict=True)
    ]
    rows = run.frame
    if policy.ignore_self:
        rows = rows.filter(pl.col("doc") != topic)
    if not rows.height:
        return (), [], base
    block = block_of(rows["topic"], rows["doc"].rechunk(), rows["score"].to_numpy())
    origin = Origin(run.label)
    every = Judged([Judgments(rows.select("topic", "doc", pl.lit(0.0).alias("grade")))])
    whole = join(block, every, origin, precision=policy.precision)
    ranked = [every.doc[int(pair)] for pair in whole.pair]
    score = dict(zip(ranked, whole.score.tolist(), strict=True))
    mode = "condensed" if (measure.unjudged or policy.unjudged) == "condensed" else "nonrelevant"
    hits = join(block, judged, origin, precision=policy.precision)
    known = _judged_places(hits, judged, policy.ties, mode)
    ties = _letters(ranked, score)
    if mode == "condensed":
        order = [*sorted(known, key=lambda doc: known[doc].rank)]
        removed = [
            Step(None, doc, score[doc], None, ties[doc]) for doc in ranked if doc not in known
        ]
        places = [known[doc] for doc in order]
    else:
        taken = {place.rank for place in known.values()}
        free = iter(rank for rank in range(1, len(ranked) + 1) if rank not in taken)
        extent = {
            doc: (int(first), int(last))
            for doc, first, last in zip(ranked, whole.tie_first, whole.tie_last, strict=True)
        }
        for doc in ranked:
            if doc not in known:
                rank = next(free)
                first, last = extent[doc] if policy.ties == "expected" else (rank, rank)
                known[doc] = Place(rank, None, first, last)
        order = sorted(ranked, key=lambda doc: known[doc].rank)
        removed, places = [], [known[doc] for doc in order]
    steps = [Step(known[doc].rank, doc, score[doc], known[doc].grade, ties[doc]) for doc in order]
    return (*steps, *removed), places, base


def _judged_places(hits: Hits, judged: Judged, ties: str, mode: str) -> dict[str, Place]:
    """Where align puts the judged documents."""
    found: dict[str, Place] = {}
    needs = frozenset({"tie_first", "known"})
    for _, ranking in rankings(hits, judged, 0, ties=ties, unjudged=mode, needs=needs):
        real = np.flatnonzero(np.isfinite(ranking.rank[0]))
        for j in real.tolist():
            rank = int(ranking.rank[0, j])
            first, last = int(ranking.tie_first[0, j]), int(ranking.tie_last[0, j])
            if ties != "expected":
                first, last = rank, rank
            place = Place(rank, float(ranking.grade[0, j]), first, last)
            found[judged.doc[int(ranking.pair[0, j])]] = place
    return found


def _letters(ranked: list[str], score: dict[str, float]) -> dict[str, str]:
    """A letter for each group of documents of the same score, none for a document alone."""
    letters = dict.fromkeys(ranked, "")
    groups = 0
    for i, doc in enumerate(ranked):
        above = i > 0 and score[ranked[i - 1]] == score[doc]
        below = i + 1 < len(ranked) and score[ranked[i + 1]] == score[doc]
        groups += below and not above
        if above or below:
            letters[doc] = _letter(groups)
    return letters


def _letter(number: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    text = ""
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text


def _numbered(steps: tuple[Step, ...], rows: tuple[tuple[float, ...], ...]) -> Iterator[Step]:
    numbers = iter(rows)
    for step in steps:
        yield step if step.rank is None else replace(step, numbers=next(numbers, ()))


def _ideal_order(base: list[tuple[str, float]], measure: Measure) -> list[tuple[str, float]]:
    """Judged documents by what they are worth to the measure, as its gains may say."""
    gains = measure.parameters.get("gains")
    if gains is None:
        return base
    return sorted(base, key=lambda pair: -gains.get(pair[1], pair[1]))


def _retrieved(rows: pl.DataFrame, own: Judgments, topic: str, policy: Policy) -> Retrieved:
    """The list as its file has it, for the tools."""
    if policy.ignore_self:
        rows = rows.filter(pl.col("doc") != topic)
    return Retrieved(
        tuple(rows["doc"].to_list()),
        tuple(rows["score"].to_list()),
        dict(zip(own.frame["doc"].to_list(), own.frame["grade"].to_list(), strict=True)),
        topic,
    )


def _notes(
    notes: tuple[str, ...], explanation: tuple[bool, str], measure: Measure, policy: Policy
) -> Iterator[str]:
    written, mode = explanation
    for note in notes:
        if note.startswith(f"{measure}: "):
            yield note
    if not written and mode not in IN_ORDER:
        yield f"the value is a bound over judgments of the unjudged documents ({mode})"
    elif not written:
        yield f"the arithmetic of {measure.name} is not written out rank by rank"
    if policy.ignore_self:
        yield "a document named like its topic was dropped"
