"""The whole study: judgments and runs in, everything that Lesk & Salton asked out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.align import Judged
from assay.comparison import check_alpha
from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.inputs import inputs
from assay.judges.agreement import Agreement, agreement, framed
from assay.judges.bands import EDGES, Bands, Strip, bands, strip
from assay.judges.contingency import consistency
from assay.judges.counts import Counts, counts_of, is_counts, read_counts
from assay.judges.explain import Borderline, Explanations, borderline, explanations
from assay.judges.group_scores import GroupScores, group_scores
from assay.judges.groups import grouped
from assay.judges.overview import overview
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
from assay.judges.tabular import Array, Tabular, led, listed, merged
from assay.pictured import Pictured
from assay.policy import Policy
from assay.stats.arrays import Outcome, steady
from assay.stats.many import randomized_tukey_hsd
from assay.stats.paired import t

if TYPE_CHECKING:
    from assay.measures.measure import Measure

__all__ = ["MEASURES", "PARTS", "JudgeStudy", "compare_judges"]

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
MANY = ("overview", "judges", "strip", "recall-precision")  # the same of more than three judges
FEW = 6  # judges up to which every two are compared


@dataclass(frozen=True)
class JudgeStudy(Pictured):
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

    @property
    def main(self) -> tuple[str, ...]:
        """The tables that `.table()` shows: one row for each judge, where there are many."""
        shown = MANY if len(self.agreement.judges) > 3 and self.stability else PARTS
        return (*shown, "groups") if self.agreement.groups else shown

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
            said.append(self.stability[0].verdict())
        if self.explanations:
            said.append(_explained(self.explanations))
        return " ".join(each for each in said if each)

    def table(self) -> object:
        """The main tables; `.tabulars()` has all."""
        from assay.judges.tabular import page

        return page(self, *self.main)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Every table as data."""
        every = (led(table, lead) for part, lead in self._led() for table in part.tabulars())
        return merged([*([overview(self)] if self.stability else []), *every])

    def _led(self) -> Iterator[tuple[Any, dict[str, str]]]:
        """Every part with what its tables are about, where there may be several of a kind."""
        for part in self.parts:
            lead = {}
            if isinstance(part, Stability | PairClasses | Ranges | Explanations):
                lead["measure"] = part.measure
            if isinstance(part, Bands | PairClasses | Consistency):
                lead["other judge"] = part.second
            if isinstance(part, Machine):
                lead["other judge"] = part.searcher
            yield part, lead


def _explained(found: tuple[Explanations, ...]) -> str:
    found = tuple(each for each in found if each.measure == found[0].measure)
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
    * groups: topic to group, a dictionary or a file of two columns: agreement, evaluation,
      differences and the judge as a system by group too.
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
    check_alpha(alpha)
    Policy(**policies)
    unused = _asked(measures=measures, topic=topic, run=run, available=available)
    counted = _counts(judgments)
    if counted is not None:
        asked = {"rel": None if rel == 1 else rel, "groups": groups, "mapping": mapping}
        unused |= _asked(**asked, scale=scale, universe=universe)
        _refuse_for_counts(judgments, runs, unused)
        return counted
    if runs is None and unused:
        raise AssayError(
            f"{next(iter(unused))}: nothing to act on without runs; give some (runs=, --runs)"
        )
    no_runs = {"-": {"-": {"-": 0.0}}}
    judges, sources = inputs(judgments, no_runs if runs is None else runs, strict=strict)
    if len(judges) < 2:
        raise AssayError(
            "one set of judgments: a comparison needs at least two, or a table of counts"
        )
    judges, notes = rescaled(judges, mapping=mapping, scale=scale, stray=stray)
    judged = Judged(judges, policies.get("negative", "unjudged"))
    labels, topics = tuple(judge.label for judge in judges), tuple(judged.topics)
    grade = _known(judged.grade, labels)
    rels, of_topic = thresholds(rel, labels), topic_groups(groups, topics)
    notes += _twins(grade, labels)
    every = len(judges) <= FEW if every_pair is None else every_pair
    agreed = agreement(
        grade,
        judged.topic_of,
        judges=labels,
        topics=topics,
        rel=rels,
        groups=of_topic,
        universe=universe,
        pairs=None if every else tuple((0, j) for j in range(1, len(judges))),
    )
    notes += agreed.notes
    if runs is None:
        return JudgeStudy(agreed, notes=tuple(notes))
    tell = progress or (lambda _: None)
    read = loaded(sources, strict=strict)
    panel = gathered(judged, read, precision=policies.get("precision", "float64"))
    tell(0.2)
    scores = evaluate(judges, read, list(MEASURES) if measures is None else measures, **policies)
    tell(0.5)
    notes += _thresholds_apart(scores.measures, rels)
    notes += [*scores.notes, *_once(scores.warnings, labels)]
    grade, frame = framed(grade, judged.topic_of, topics, universe)
    by_group, more = group_scores(
        grouped(grade, judged.topic_of, frame.has, judges=labels, rel=rels, available=available),
        judged,
        read,
        scores.measures,
        of_topic,
        len(labels),
        policies,
        available=available,
    )
    notes += more
    tell(0.7)
    beside = _Beside(panel, grade, labels, rels, edges, whole=universe is not None)
    tables = {pair.second: pair.binary for pair in agreed.pairs if pair.first == labels[0]}
    values = [_Values(scores.values[:, :, m], each) for m, each in enumerate(scores.measures)]
    several = values if len(panel.runs) > 1 else []
    many = resamples or (10_000 if len(judges) <= 4 else 2_000)
    banded = beside.bands()
    stable = tuple(
        stability(each.values, judges=labels, runs=panel.runs, seed=seed, **each.named)
        for each in several
    )
    classes = tuple(
        found for each in several for found in _classes(each, labels, panel.runs, many, alpha, seed)
    )
    tell(0.9)
    performance, score, up = _performance(scores.values, scores.measures)
    return JudgeStudy(
        agreed,
        banded,
        _strip(panel, grade, labels, rels, topic, run),
        by_group,
        stable,
        classes,
        tuple(
            ranges_of(
                each.values, judges=labels, runs=panel.runs, draws=draws, seed=seed, **each.named
            )
            for each in several
        ),
        tuple(
            consistency_against_performance(
                consistency(tables[label]),
                score[[0, j]],
                topics=topics,
                judges=(labels[0], label),
                performance=performance,
                higher=up,
            )
            for j, label in enumerate(labels)
            if j
        ),
        tuple(
            judge_as_system(
                tables[label],
                beside.found(j),
                topics=topics,
                judges=(labels[0], label),
                systems=panel.runs,
                groups=of_topic,
            )
            for j, label in enumerate(labels)
            if j
        ),
        tuple(
            explanations(found, j - 1, banded[j - 1], beside.borderline(j))
            for found in stable
            for j in range(1, len(labels))
        ),
        tuple(dict.fromkeys(notes)),
    )


@dataclass(frozen=True)
class _Values:
    """Scores [judge, run, topic] by one measure."""

    values: Array
    measure: Measure

    @property
    def named(self) -> dict[str, Any]:
        return {"measure": str(self.measure), "higher": self.measure.definition.higher_is_better}


@dataclass(frozen=True)
class _Beside:
    """What concerns the documents that two judges judged, the reference and another."""

    panel: Panel
    grade: Array  # [judge, pair]
    labels: tuple[str, ...]
    rels: tuple[float, ...]
    edges: tuple[int, ...]
    whole: bool  # whether the judges judged all documents of the collection

    def bands(self) -> tuple[Bands, ...]:
        """Agreement by rank with each other judge."""
        return tuple(
            bands(
                self.grade[0],
                self.grade[j],
                self.panel.hits,
                len(self.panel.topics),
                judges=(self.labels[0], self.labels[j]),
                rel=(self.rels[0], self.rels[j]),
                edges=self.edges,
                retrieved=self.panel.retrieved if self.whole else None,
            )
            for j in range(1, len(self.labels))
        )

    def borderline(self, j: int) -> Borderline | None:
        """Where the two give opposite verdicts, all further judges after them."""
        order = [0, j, *(i for i in range(1, len(self.labels)) if i != j)]
        return borderline(
            self.grade[order],
            self.panel.judged.topic_of,
            len(self.panel.topics),
            judges=(self.labels[0], self.labels[j]),
            rel=tuple(self.rels[i] for i in order),
        )

    def found(self, j: int) -> Array:
        """Documents relevant to the reference among the first |B| that both judged: [run, topic].

        Where the judges judged everything, that is among the first |B|.
        """
        hits, T, R = self.panel.hits, len(self.panel.topics), len(self.panel.runs)
        a, b = self.grade[0], self.grade[j]
        both = ~np.isnan(a) & ~np.isnan(b)
        cut = np.bincount(self.panel.judged.topic_of[both & (b >= self.rels[j])], minlength=T)
        kept = both[hits.pair]  # hits stand by topic, run, rank
        one = hits.topic[kept].astype(np.int64) * R + hits.run[kept]
        if self.whole:
            place = hits.rank[kept]
        else:
            begins = np.flatnonzero(np.concatenate(([True], one[1:] != one[:-1])))[: len(one)]
            length = np.diff(np.append(begins, len(one)))
            place = np.arange(len(one)) - np.repeat(begins, length) + 1
        good = (place <= cut[hits.topic[kept]]) & (a[hits.pair[kept]] >= self.rels[0])
        counts = np.bincount(one[good], minlength=T * R).reshape(T, R)
        return np.asarray(counts.T, dtype=np.float64)


def _known(grade: Array, labels: tuple[str, ...]) -> Array:
    """Grades, NaN where a judge did not judge, or a negative grade says so."""
    grade = np.where(grade < 0, np.nan, grade)
    for label, row in zip(labels, grade, strict=True):
        if np.isnan(row).all():
            raise AssayError(
                f"{label}: all grades are negative, which means unjudged; "
                "use --negative nonrelevant (negative='nonrelevant'), or map them"
            )
    return grade


def _thresholds_apart(measures: Sequence[Measure], rels: tuple[float, ...]) -> list[str]:
    """Measures that count other documents as relevant than the judges' thresholds do."""
    said = []
    for measure in measures:
        least = measure.parameters.get("rel")
        if isinstance(least, int | float) and any(rel != least for rel in rels):
            apart = sorted(set(rels))
            said.append(
                f"{measure} takes grades of at least {least:g} as relevant, agreement those of at "
                f"least {' or '.join(f'{rel:g}' for rel in apart)}; "
                + (
                    f"{measure(rel=apart[0])} would take the same"
                    if len(apart) == 1
                    else "--map brings the judges to one scale"
                )
            )
    return said


def _once(texts: Sequence[str], labels: tuple[str, ...]) -> list[str]:
    """Remarks that differ in the judge alone, said once with all judges."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name = next((f" under {label}:" for label in labels if f" under {label}:" in text), "")
        shared = text.replace(name, " under {}:") if name else text
        found.setdefault(shared, []).append(name[7:-1])
    return [
        text.replace("{}", listed(names)) if names[0] else text for text, names in found.items()
    ]


def _asked(**settings: Any) -> dict[str, Any]:
    """The settings that were given."""
    return {
        name: value for name, value in settings.items() if value is not None and value is not False
    }


def _file(judgments: Any) -> Any:
    """What was given, out of a list or dictionary of one."""
    items = list(judgments.values()) if isinstance(judgments, Mapping) else judgments
    return items[0] if isinstance(items, list | tuple) and len(items) == 1 else items


def _counts(judgments: Any) -> Counts | None:
    """The study of a table of counts, where that is what was given."""
    one = _file(judgments)
    if isinstance(one, list | tuple):
        several = [each for each in one if isinstance(each, str | Path) and is_counts(each)]
        if several:
            raise AssayError(
                f"{several[0]}: a table of counts holds two judges already; give it alone"
            )
    if not isinstance(one, str | Path) or not is_counts(one):
        return None
    return counts_of(read_counts(one), name=str(one))


def _refuse_for_counts(judgments: Any, runs: Any, unused: Mapping[str, Any]) -> None:
    """Settings that counts leave nothing to do for."""
    if runs is not None:
        raise AssayError(
            f"{_file(judgments)}: a table of counts holds no judgments to evaluate runs with"
        )
    if unused:
        raise AssayError(
            f"{_file(judgments)}: a table of counts holds no judgments, so {next(iter(unused))} "
            "has nothing to act on; topics are grouped by further columns of the table"
        )


def _twins(grade: Array, labels: tuple[str, ...]) -> list[str]:
    """Judges that say the same of everything."""
    seen: dict[bytes, str] = {}
    notes = []
    for label, row in zip(labels, grade, strict=True):
        first = seen.setdefault(row.tobytes(), label)
        if first != label:
            notes.append(f"{first} and {label} give the same grades throughout")
    return notes


def _classes(
    scores: _Values,
    judges: tuple[str, ...],
    runs: tuple[str, ...],
    resamples: int,
    alpha: float,
    seed: int,
) -> tuple[PairClasses, ...]:
    """Each other judge against the first, by the test of `compare`, on the topics of both."""
    values, measure = scores.values, str(scores.measure)
    left, right = np.triu_indices(len(runs), 1)
    pairs = np.column_stack([right, left])  # second minus first: left less right
    missing = np.asarray(np.isnan(values).any(axis=1))
    known: dict[bytes, Outcome] = {}
    out = []

    def tested(x: Array) -> Outcome:
        if len(runs) == 2:
            return t(x[left] - x[right])
        return randomized_tukey_hsd(steady(x), pairs, resamples=resamples, seed=seed)

    for j in range(1, len(judges)):
        good = ~(missing[0] | missing[j])
        if good.sum() < 2:
            continue
        if good.tobytes() not in known:
            known[good.tobytes()] = tested(values[0][:, good])
        sides = known[good.tobytes()], tested(values[j][:, good])
        out.append(
            classified(
                np.stack([side.estimate for side in sides]),
                np.stack([side.p for side in sides]),
                left,
                right,
                measure=measure,
                judges=(judges[0], judges[j]),
                runs=runs,
                test="paired t test"
                if len(runs) == 2
                else f"randomised Tukey HSD, {resamples:,} permutations",
                alpha=alpha,
                higher=scores.named["higher"],
            )
        )
    return tuple(out)


def _performance(values: Array, measures: Sequence[Measure]) -> tuple[str, Array, bool]:
    """One number for each judge and topic: NormR and NormP where asked, else the first measure."""
    both = [m for m, measure in enumerate(measures) if measure.name in ("NormR", "NormP")]
    chosen = both if len(both) == 2 else [0]
    name = " and ".join(str(measures[m]) for m in chosen)
    up = measures[chosen[0]].definition.higher_is_better
    return f"mean {name} of the runs", values[:, :, chosen].mean(axis=(1, 2)), up


def _strip(
    panel: Panel,
    grade: Array,
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
        raise AssayError(f"no run is labelled {label!r}; there are {listed(panel.runs)}")
    t = judged.number[name]
    return strip(
        grade[0],
        grade[1],
        panel.hits,
        np.arange(judged.start[t], judged.start[t + 1]),
        run=panel.runs.index(label),
        topic=(t, name),
        judges=(labels[0], labels[1]),
        rel=(rels[0], rels[1]),
    )
