"""The whole study: judgments and runs in, everything that Lesk & Salton asked out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.align import Judged
from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.inputs import inputs
from assay.judges.agreement import Agreement, agreement, confusion, consistency
from assay.judges.bands import EDGES, Bands, Strip, bands, strip
from assay.judges.counts import Counts, counts_of, is_counts, read_counts
from assay.judges.explain import Explanations, borderline, explanations
from assay.judges.groups import BOTH, EITHER, Groups, grouped
from assay.judges.pairs import PairClasses, classified
from assay.judges.panel import Panel, gathered, loaded
from assay.judges.performance import (
    Consistency,
    Machine,
    consistency_against_performance,
    judge_as_system,
)
from assay.judges.prepare import rescaled, thresholds, topic_groups
from assay.judges.ranges import Ranges, ranges_of
from assay.judges.stability import Stability, stability
from assay.judges.tabular import Array, Tabular, led, merged
from assay.judgments import Judgments
from assay.stats.many import randomized_tukey_hsd

if TYPE_CHECKING:
    from assay.measures.measure import Measure

__all__ = ["MEASURES", "PARTS", "GroupScores", "JudgeStudy", "compare_judges"]

MEASURES = ("nDCG@10", "AP")  # where none is asked for
PARTS = (  # what `.table()` shows
    "agreement",
    "kappa",
    "judges",
    "leniency",
    "strip",
    "recall-precision",
    "bands",
    "stability",
    "pairs",
    "disagreements",
    "explanations",
)
FEW = 6  # judges up to which every two are compared


@dataclass(frozen=True)
class GroupScores:
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

    def verdict(self) -> str:
        """One sentence."""
        means = self._means(np.ones(len(self.topics), dtype=bool))[0]
        orders = [
            tuple(np.argsort(-means[:, i, m], kind="stable"))
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
                self.runs[int(np.argmax(means[:, i, m]))]
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
        tables = [
            Tabular(
                "evaluation",
                "evaluation",
                ("measure", "run", "topics", *heads),
                tuple(self._rows((), everything, extra)),
                (note,),
            )
        ]
        for grouping, of in self.groups.items():
            rows: list[tuple[Any, ...]] = []
            for name in dict.fromkeys(of):
                inside = np.asarray([each == name for each in of])
                rows += self._rows((name,), inside, extra)
            columns: tuple[str, ...] = (grouping, "measure", "run", "topics", *heads)
            tables.append(
                Tabular("evaluation-groups", f"evaluation by {grouping}", columns, tuple(rows))
            )
        return tuple(tables)

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


@dataclass(frozen=True)
class JudgeStudy:
    """Everything that was found; parts that need runs are empty without them."""

    agreement: Agreement
    bands: tuple[Bands, ...] = ()
    strip: Strip | None = None
    scores: GroupScores | None = None
    stability: tuple[Stability, ...] = ()
    pairs: tuple[PairClasses, ...] = ()
    ranges: tuple[Ranges, ...] = ()
    consistency: tuple[Consistency, ...] = ()
    machines: tuple[Machine, ...] = ()
    explanations: tuple[Explanations, ...] = ()
    notes: tuple[str, ...] = ()
    main = PARTS

    @property
    def parts(self) -> tuple[Any, ...]:
        """Every part, each with its tables and verdict."""
        single = (self.agreement, self.strip, self.scores)
        return (
            *(each for each in single if each is not None),
            *self.bands,
            *self.stability,
            *self.pairs,
            *self.explanations,
            *self.ranges,
            *self.consistency,
            *self.machines,
        )

    def verdict(self) -> str:
        """Agreement; the ranking of systems; which of the four explanations the data support."""
        said = [self.agreement.verdict()]
        if self.stability:
            said.append(_first_or_range(self.stability[0]))
        if self.explanations:
            said.append(_explained(self.explanations))
        return " ".join(each for each in said if each)

    def table(self) -> object:
        """The main tables; `.tabulars()` has all."""
        from assay.judges.tabular import page

        return page(self, *PARTS)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Every table as data."""
        return merged(led(table, lead) for part, lead in self._led() for table in part.tabulars())

    def _led(self) -> Iterator[tuple[Any, dict[str, str]]]:
        """Every part with what its tables are about, where there may be several of a kind."""
        for part in self.parts:
            lead = {}
            if isinstance(part, Stability | PairClasses | Ranges):
                lead["measure"] = part.measure
            if isinstance(part, Bands | PairClasses | Consistency):
                lead["other judge"] = part.second
            if isinstance(part, Machine):
                lead["other judge"] = part.searcher
            yield part, lead


def _first_or_range(found: Stability) -> str:
    if len(found.judges) == 2:
        return found.verdict()
    taus = np.asarray([each["tau-b"].value for each in found.coefficients])
    if np.isnan(taus).all():
        return ""
    floor = found.bootstrap["tau-b"]
    best, worst = int(np.nanargmax(taus)), int(np.nanargmin(taus))
    return (
        f"By {found.measure} over {found.topics} topics, of {len(taus)} other judges "
        f"{found.judges[1 + best]} ranks the {len(found.runs)} systems most like {found.reference} "
        "(tau-b "
        f"{found.coefficients[best]['tau-b']}), {found.judges[1 + worst]} least "
        f"({found.coefficients[worst]['tau-b']}); two topic samples under {found.reference} alone "
        "agree "
        f"with {floor.mean:.3f} ({floor.low:.3f} to {floor.high:.3f}), and "
        f"{int((taus >= floor.low).sum())} "
        f"judges reach that."
    )


def _explained(found: tuple[Explanations, ...]) -> str:
    if len(found) == 1:
        return found[0].summary()
    counts = [
        f"{each.reason} for {sum(one.found[i].supported is True for one in found)}"
        for i, each in enumerate(found[0].found)
    ]
    return (
        f"Of Lesk & Salton's explanations the data support, for {len(found)} judges: "
        f"{', '.join(counts)}."
    )


def compare_judges(
    judgments: Any,
    runs: Any = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    rel: float | Mapping[str, float] = 1,
    groups: Any = None,
    mapping: Mapping[Any, Any] | None = None,
    scale: tuple[float, float] | None = None,
    stray: str = "keep",
    universe: int | None = None,
    available: bool = False,
    every_pair: bool | None = None,
    topic: str | None = None,
    run: str | None = None,
    edges: tuple[int, ...] = EDGES,
    alpha: float = 0.05,
    resamples: int | None = None,
    draws: int = 1000,
    seed: int = 0,
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
    **policies: Any,
) -> JudgeStudy | Counts:
    """Compare judges, and the rankings of systems under them; the first judge is the reference.

    `judgments` are several sets, as for `evaluate`, or the file of a table of counts (topic A B D).

    * rel: the lowest relevant grade, one for all or by label.
    * groups: topic to group, a dictionary or a file of two columns: tables by group too.
    * mapping: grades to other grades, for all judges or by label; scale and stray: the ends of the
      scale, and whether grades beyond are kept, dropped or clipped.
    * universe: documents in question for each topic, where those not judged are not relevant; kappa
      is otherwise over the pairs that both judged.
    * available: groups of judges on all documents that some judge judged, means on all their
      topics.
    * every_pair: agreement of every two judges (up to 6 judges), or of the first with each other.
    * topic, run: the strip of ranks (Fig. 3) of one topic in one run.
    * resamples: of the randomised Tukey HSD; 10,000 for up to 4 judges, 2,000 for more.
    * policies: as for `evaluate`.
    """
    counted = _counts(judgments, runs)
    if counted is not None:
        return counted
    judges, sources = inputs(
        judgments, runs if runs is not None else {"-": {"-": {"-": 0.0}}}, strict=strict
    )
    if len(judges) < 2:
        raise AssayError(
            "one set of judgments: a comparison needs at least two, or a table of counts"
        )
    judges, notes = rescaled(judges, mapping=mapping, scale=scale, stray=stray)
    judged = Judged(judges, "nonrelevant")
    labels, topics = tuple(judge.label for judge in judges), tuple(judged.topics)
    rels, of_topic = thresholds(rel, labels), topic_groups(groups, topics)
    notes += _twins(judged.grade, labels)
    every = len(judges) <= FEW if every_pair is None else every_pair
    pairs = None if every else tuple((0, j) for j in range(1, len(judges)))
    agreed = agreement(
        judged.grade,
        judged.topic_of,
        judges=labels,
        topics=topics,
        rel=rels,
        groups=of_topic,
        universe=universe,
        pairs=pairs,
    )
    if runs is None:
        return JudgeStudy(agreed, notes=tuple(notes))
    tell = progress or (lambda _: None)
    read = loaded(sources, strict=strict)
    panel = gathered(judged, read, precision=policies.get("precision", "float64"))
    named = list(MEASURES) if measures is None else measures
    tell(0.2)
    scores = evaluate(judges, read, named, **policies)
    tell(0.5)
    values, shown = scores.values, tuple(map(str, scores.measures))
    notes += [*scores.notes, *scores.warnings]
    grouping = grouped(
        judged.grade, judged.topic_of, judged.has, judges=labels, rel=rels, available=available
    )
    group_scores = _group_scores(
        grouping,
        judged,
        read,
        scores.measures,
        of_topic,
        len(labels),
        policies,
        available=available,
    )
    notes += group_scores[1]
    tell(0.7)
    banded = tuple(
        bands(
            judged.grade[0],
            judged.grade[j],
            panel.hits,
            len(topics),
            judges=(labels[0], labels[j]),
            rel=(rels[0], rels[j]),
            edges=edges,
        )
        for j in range(1, len(labels))
    )
    several = len(panel.runs) > 1
    stable = tuple(
        stability(values[:, :, m], measure=name, judges=labels, runs=panel.runs, seed=seed)
        for m, name in enumerate(shown)
        if several
    )
    many = resamples or (10_000 if len(judges) <= 4 else 2_000)
    classes = tuple(
        each
        for m, name in enumerate(shown)
        for each in _classes(values[:, :, m], name, labels, panel.runs, many, alpha, seed)
    )
    tell(0.9)
    tables = [
        confusion(
            _relevant(judged.grade[0], rels[0]),
            _relevant(judged.grade[k], rels[k]),
            judged.topic_of,
            len(topics),
            np.array([0.0, 1.0]),
        )
        for k in range(1, len(labels))
    ]
    performance, score = _performance(values, scores.measures)
    return JudgeStudy(
        agreed,
        banded,
        _strip(panel, labels, rels, topic, run),
        group_scores[0],
        stable,
        classes,
        tuple(
            ranges_of(
                values[:, :, m],
                measure=name,
                judges=labels,
                runs=panel.runs,
                draws=draws,
                seed=seed,
            )
            for m, name in enumerate(shown)
            if several
        ),
        tuple(
            consistency_against_performance(
                consistency(tables[j - 1]),
                score[[0, j]],
                topics=topics,
                judges=(labels[0], labels[j]),
                performance=performance,
            )
            for j in range(1, len(labels))
        ),
        tuple(
            judge_as_system(
                tables[j - 1],
                _found(panel, j, rels),
                topics=topics,
                judges=(labels[0], labels[j]),
                systems=panel.runs,
            )
            for j in range(1, len(labels))
        ),
        tuple(
            explanations(
                stable[0],
                j - 1,
                banded[j - 1],
                borderline(
                    judged.grade[[0, j, *(i for i in range(1, len(labels)) if i != j)]],
                    judged.topic_of,
                    len(topics),
                    judges=(labels[0], labels[j]),
                    rel=(rels[0], rels[j], *(rels[i] for i in range(1, len(labels)) if i != j)),
                ),
            )
            for j in range(1, len(labels))
            if several
        ),
        tuple(dict.fromkeys(notes)),
    )


def _counts(judgments: Any, runs: Any) -> Counts | None:
    """The study of a table of counts, where that is what was given."""
    items = list(judgments.values()) if isinstance(judgments, Mapping) else judgments
    one = items[0] if isinstance(items, list | tuple) and len(items) == 1 else items
    if not isinstance(one, str | Path) or not is_counts(one):
        return None
    if runs is not None:
        raise AssayError(f"{one}: a table of counts holds no judgments to evaluate runs with")
    return counts_of(read_counts(one), name=str(one))


def _relevant(grade: Array, rel: float) -> Array:
    return np.where(np.isnan(grade), np.nan, grade >= rel)


def _twins(grade: Array, labels: tuple[str, ...]) -> list[str]:
    """Judges that say the same of everything."""
    seen: dict[bytes, str] = {}
    notes = []
    for label, row in zip(labels, grade, strict=True):
        first = seen.setdefault(row.tobytes(), label)
        if first != label:
            notes.append(f"{first} and {label} give the same grades throughout")
    return notes


def _group_scores(
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
    )
    return found, notes


def _classes(
    values: Array,
    measure: str,
    judges: tuple[str, ...],
    runs: tuple[str, ...],
    resamples: int,
    alpha: float,
    seed: int,
) -> tuple[PairClasses, ...]:
    """Each other judge against the first, by randomised Tukey HSD."""
    good = ~np.isnan(values).any(axis=(0, 1))
    if len(runs) < 2 or good.sum() < 2:
        return ()
    left, right = np.triu_indices(len(runs), 1)
    pairs = np.column_stack([right, left])  # second minus first: left less right
    found = [
        randomized_tukey_hsd(x[:, good], pairs, resamples=resamples, seed=seed) for x in values
    ]
    test = f"randomised Tukey HSD, {resamples:,} permutations"
    return tuple(
        classified(
            np.stack([found[0].estimate, found[j].estimate]),
            np.stack([found[0].p, found[j].p]),
            left,
            right,
            measure=measure,
            judges=(judges[0], judges[j]),
            runs=runs,
            test=test,
            alpha=alpha,
        )
        for j in range(1, len(judges))
    )


def _performance(values: Array, measures: Sequence[Measure]) -> tuple[str, Array]:
    """One number for each judge and topic: NormR and NormP where asked, else the first measure."""
    both = [m for m, measure in enumerate(measures) if measure.name in ("NormR", "NormP")]
    chosen = both if len(both) == 2 else [0]
    name = " and ".join(str(measures[m]) for m in chosen)
    return f"mean {name} of the runs", values[:, :, chosen].mean(axis=(1, 2))


def _strip(
    panel: Panel,
    labels: tuple[str, ...],
    rels: tuple[float, ...],
    topic: str | None,
    run: str | None,
) -> Strip | None:
    if topic is None and run is None:
        return None
    judged = panel.judged
    name = topic if topic is not None else judged.topics[0]
    label = run if run is not None else panel.runs[0]
    if name not in judged.number:
        raise AssayError(
            f"no topic {name!r} is judged; judged is, for example, {judged.topics[0]!r}"
        )
    if label not in panel.runs:
        raise AssayError(
            f"no run is labelled {label!r}; there are {', '.join(panel.runs[:MOST_RUNS])}"
        )
    t = judged.number[name]
    return strip(
        judged.grade[0],
        judged.grade[1],
        panel.hits,
        np.arange(judged.start[t], judged.start[t + 1]),
        run=panel.runs.index(label),
        topic=(t, name),
        judges=(labels[0], labels[1]),
        rel=(rels[0], rels[1]),
    )


MOST_RUNS = 12


def _found(panel: Panel, j: int, rels: tuple[float, ...]) -> Array:
    """Documents relevant to the first judge among the first |B| that both judged: [run, topic]."""
    hits, grade = panel.hits, panel.judged.grade
    a, b = grade[0], grade[j]
    both = ~np.isnan(a) & ~np.isnan(b)
    T, R = len(panel.topics), len(panel.runs)
    cut = np.bincount(panel.judged.topic_of[both & (b >= rels[j])], minlength=T)
    kept = both[hits.pair]  # hits stand by topic, run, rank
    one = hits.topic[kept].astype(np.int64) * R + hits.run[kept]
    begins = np.flatnonzero(np.concatenate(([True], one[1:] != one[:-1])))[: len(one)]
    length = np.diff(np.append(begins, len(one)))
    place = np.arange(len(one)) - np.repeat(begins, length) + 1
    good = (place <= cut[hits.topic[kept]]) & (a[hits.pair[kept]] >= rels[0])
    counts = np.bincount(one[good], minlength=T * R).reshape(T, R)
    return np.asarray(counts.T, dtype=np.float64)
