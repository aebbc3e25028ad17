"""Slipshod judges on real runs: rates of error, models tested, and what follows if one fits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.align import Judged
from assay.errors import AssayError
from assay.inputs import inputs
from assay.judges.agreement import LEVELS
from assay.judges.bands import EDGES, band_names
from assay.judges.contingency import confusion
from assay.judges.favouring import Favour, favour
from assay.judges.keeping_order import OrderKept, order_kept
from assay.judges.one_system import apparent_precision
from assay.judges.panel import Panel, batch_means, gathered, loaded, plain_measure
from assay.judges.prepare import read_groups, rescaled, thresholds, unknown_names
from assay.judges.slipshod import (
    ERRORS,
    ErrorModel,
    ModelCheck,
    check_model,
    check_rates,
    fitted,
    fused_rank,
    given,
    rates,
    simulated_means,
)
from assay.judges.tabular import Array, Tabular, led, merged
from assay.judges.without_truth import DawidSkene, dawid_skene
from assay.judgments import Judgments
from assay.measures.measure import Measure, parse, parse_all
from assay.pictured import Pictured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from assay.judges.jackknife import Estimate

__all__ = ["MEASURES", "Rates", "SlipshodStudy", "simulate_judges"]

MEASURES = ("nDCG@10", "AP")
CUTOFF = 10  # of precision and recall by the appendix's formulas


@dataclass(frozen=True)
class Rates:
    """p_r and p_nr of a real judge, overall and where they differ."""

    truth: str
    judge: str
    p_r: Estimate
    p_nr: Estimate
    by: tuple[tuple[str, str, int, float, float], ...]  # what, which, pairs, p_r, p_nr
    confusion: tuple[tuple[Any, ...], ...]  # what, which, true grade, label, pairs, % of true

    def verdict(self) -> str:
        """One sentence."""
        rates = f"p_r {self.p_r} and p_nr {self.p_nr}"
        return f"Taking {self.truth} as the truth, {self.judge} has {rates}."

    def tabulars(self) -> tuple[Tabular, ...]:
        """Overall; then by topic, rank and run."""
        overall = tuple(
            (name, each.value, each.low, each.high)
            for name, each in (("p_r", self.p_r), ("p_nr", self.p_nr))
        )
        note = f"{self.truth} taken as the truth, {self.judge} as the judge; intervals over topics"
        return (
            Tabular("rates", "rate", ("rate", "value", "low", "high"), overall, (note,)),
            Tabular("rates-by", "rates by", ("by", "which", "pairs", "p_r", "p_nr"), self.by),
            *([self._confusion()] if self.confusion else []),
        )

    def _confusion(self) -> Tabular:
        heads = ("by", "which", f"grade by {self.truth}", "label", "pairs", "% of grade")
        note = (
            f"labels of {self.judge} for each grade of {self.truth}, documents judged by both, "
            "labels never given left out; by ranks a document counts once for each run that "
            "retrieved it there"
        )
        return Tabular("confusion-by", "confusion by", heads, self.confusion, (note,))


@dataclass(frozen=True)
class SlipshodStudy(Pictured):
    """What random errors would do, tested against what a real judge's errors did."""

    truth: str
    judge: str | None
    rates: Rates | None
    checks: tuple[ModelCheck, ...]
    formulas: tuple[tuple[Any, ...], ...]  # run, P, P' by formula and simulated, R, R' likewise
    order: tuple[OrderKept, ...]  # for measures by which a model fits, or is untested
    favours: tuple[Favour, ...]
    skene: DawidSkene | None
    rel: float
    notes: tuple[str, ...] = ()
    main = ("rates", "models", "order", "favour", "dawid-skene")

    def verdict(self) -> str:
        """Which models fit, and only from those what follows."""
        said = [self.rates.verdict()] if self.rates else []
        primary = [check for check in self.checks if check.measure == self.checks[0].measure]
        tested = [check for check in primary if check.tested]
        if tested:
            fit = [check.model for check in tested if check.fits]
            shown = fit[0] if fit else tested[0].model
            said.append(next(check for check in tested if check.model == shown).verdict())
            if fit:
                said.append(f"Fitting: {', '.join(fit)}, of {len(tested)} models.")
            else:
                said.append(
                    f"{_none(len(tested))} fits by {primary[0].measure}, so nothing follows from "
                    f"simulation about {self.judge}."
                )
        else:
            said += [check.verdict() for check in primary[:1]]
        said += [each.verdict() for each in self.order[:1]]
        said += [each.verdict() for each in self.favours[:1]]
        if self.skene is not None:
            said.append(self.skene.verdict())
        return " ".join(said)

    def table(self) -> object:
        """The main tables; `.tabulars()` has all."""
        from assay.judges.tabular import page

        return page(self, *self.main)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Every table as data."""
        out = [*(self.rates.tabulars() if self.rates else ())]
        if self.checks:
            out.append(self._checks())
        if self.formulas:
            heads = (
                "run",
                f"P@{CUTOFF}",
                "by formula",
                "simulated",
                f"R@{CUTOFF}",
                "by its formula",
            )
            note = "formulas of the appendix with p_r and p_nr above; judged documents only"
            table = Tabular("formula", "formula", (*heads, "its mean"), self.formulas, (note,))
            out.append(table)
        parts: list[OrderKept | Favour] = [*self.order, *self.favours]
        for each in parts:
            out += [led(table, {"measure": each.measure}) for table in each.tabulars()]
        if self.skene is not None:
            out += self.skene.tabulars(self.rel)
        return merged(out)

    def _checks(self) -> Tabular:
        rows = tuple(
            (
                c.measure,
                c.model,
                c.tau.mean,
                c.tau.low,
                c.tau.high,
                c.tau.observed,
                c.slope.mean,
                c.slope.low,
                c.slope.high,
                c.slope.observed,
                ("yes" if c.fits else "no") if c.tested else "untested",
            )
            for c in self.checks
        )
        heads = ("measure", "errors", "tau", "2.5 %", "97.5 %", "observed", "slope", "from", "to")
        judges = self.checks[0].judges
        note = (
            f"tau-b and slope of the runs' means under {judges} simulated judges on those under "
            f"{self.truth}"
        )
        if self.judge is not None:
            note += (
                f"; observed: under {self.judge}; fits: both within 95 % of the simulated judges"
            )
        notes: tuple[str, ...] = (note,)
        if self.judge is not None and any(c.model == "independent" for c in self.checks):
            notes += ("independent: relevant or not, and so for the judge observed beside it",)
        return Tabular("models", "models of error", (*heads, "seen", "fits"), rows, notes)


def simulate_judges(
    judgments: Any,
    runs: Any = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    p_r: float | None = None,
    p_nr: float | None = None,
    errors: str | Sequence[str] | None = None,
    rel: float | Mapping[str, float] = 1,
    mapping: Mapping[Any, Any] | None = None,
    scale: tuple[float, float] | None = None,
    stray: str = "keep",
    run_groups: Any = None,
    judges: int = 1000,
    seed: int = 0,
    precision: str = "float64",
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
) -> SlipshodStudy:
    """Simulate judges who err, and test the models of their errors against a real one.

    The first set of judgments is taken as the truth. A second one is a real judge: models of his
    errors (`errors`: independent, by-grade, by-topic, by-rank; all of them without a word) are
    fitted and tested. Without one give p_r and p_nr. From three sets on, Dawid & Skene's model
    estimates all judges' errors without a truth. `run_groups`, run to group, asks whether the
    judge favours some.
    """
    _check(judges, p_r, p_nr)
    _refuse_without(runs, measures=measures, run_groups=run_groups, p_r=p_r, errors=errors)
    no_runs = {"-": {"-": {"-": 0.0}}}
    read_judges, sources = inputs(judgments, no_runs if runs is None else runs, strict=strict)
    read_judges, notes = rescaled(read_judges, mapping=mapping, scale=scale, stray=stray)
    read_judges = [_without_negative(judge) for judge in read_judges]
    rels = thresholds(rel, [judge.label for judge in read_judges])
    kinds = _kinds(errors, p_r, p_nr, len(read_judges))
    tell = progress or (lambda _: None)
    every = Judged(read_judges, "nonrelevant")
    judged = Judged(_within(read_judges), "nonrelevant")  # the truth's pairs
    pair = tuple(judge.label for judge in read_judges[:2])
    skene = _skene(every, read_judges, notes)
    if runs is None:
        if len(read_judges) < 2:
            raise AssayError("runs are needed to see what errors of judgment do to them")
        found = _rates(judged, None, pair, rels)
        return SlipshodStudy(pair[0], pair[1], found, (), (), (), (), skene, rels[0], tuple(notes))
    panel = gathered(judged, loaded(sources, strict=strict), precision=precision)
    tell(0.2)
    top = max(judge.top for judge in read_judges)
    asked = parse_all(list(MEASURES) if measures is None else measures)
    named = [plain_measure(each, top) for each in asked]
    truth = judged.grade[0]
    other = judged.grade[1] if len(read_judges) > 1 else None
    if other is not None and np.isnan(other).any():
        notes.append(
            f"{pair[1]} lacks {int(np.isnan(other).sum())} of {len(other)} pairs that {pair[0]} "
            "judged; where runs are scored they count as not relevant"
        )
    checks: list[ModelCheck] = []
    models: dict[str, ErrorModel] = {}
    for i, kind in enumerate(kinds):
        try:
            model = _model(kind, panel, rels, p_r, p_nr)
        except AssayError as error:
            if errors is not None:
                raise
            notes.append(str(error))
            continue
        models[kind] = model
        observed = other
        if other is not None and kind == "independent":
            observed = np.where(other >= rels[1], rels[0], 0.0)
        checks += check_model(panel, model, named, observed=observed, judges=judges, seed=seed)
        tell(0.2 + 0.5 * (i + 1) / len(kinds))
    order = _order(panel, models, checks, named, notes, min(judges, 100), seed)
    tell(0.9)
    favours = _favours(panel, truth, other, named, pair, run_groups, notes)
    formulas: tuple[tuple[Any, ...], ...] = ()
    if "independent" in models:
        formulas = _formulas(panel, models["independent"], rels[0], min(judges, 200), seed)
    return SlipshodStudy(
        pair[0],
        pair[1] if other is not None else None,
        None if other is None else _rates(judged, panel, pair, rels),
        tuple(checks),
        formulas,
        order,
        favours,
        skene,
        rels[0],
        tuple(notes),
    )


def _none(models: int) -> str:
    return f"None of the {models} models of error" if models > 1 else "No model of error tried"


def _check(judges: int, p_r: float | None, p_nr: float | None) -> None:
    if judges < 2:
        raise AssayError(f"judges={judges}: a range of judges needs at least 2")
    if p_r is not None and p_nr is not None:
        check_rates(p_r, p_nr)


def _refuse_without(runs: Any, **settings: Any) -> None:
    """Refuse what only runs give something to do."""
    asked = [name for name, value in settings.items() if value is not None]
    if runs is None and asked:
        raise AssayError(f"{asked[0]}: nothing to act on without runs; give some (runs=, --runs)")


def _kinds(
    errors: str | Sequence[str] | None, p_r: float | None, p_nr: float | None, judges: int
) -> tuple[str, ...]:
    """The models of error to try."""
    if (p_r is None) != (p_nr is None):
        raise AssayError("p_r and p_nr go together: give both, or a second set of judgments")
    if p_r is None and judges < 2:
        raise AssayError("a judge's errors are needed: p_r and p_nr, or a second set of judgments")
    chosen = (errors,) if isinstance(errors, str) else tuple(errors or ())
    if p_r is None:
        return chosen or ERRORS
    if chosen not in ((), ERRORS[:1]):
        raise AssayError(
            "p_r and p_nr describe independent errors; other models come from real judges"
        )
    return ERRORS[:1]


def _order(
    panel: Panel,
    models: Mapping[str, ErrorModel],
    checks: Sequence[ModelCheck],
    measures: Sequence[Measure],
    notes: list[str],
    judges: int,
    seed: int,
) -> tuple[OrderKept, ...]:
    """What the first model that fits by a measure, or that nothing speaks against, foretells."""
    if len(panel.runs) < 2:
        return ()
    chosen: dict[tuple[str, bool], list[Measure]] = {}
    for measure in measures:
        mine = [check for check in checks if check.measure == str(measure)]
        usable = [check for check in mine if check.fits or not check.real]
        if usable:
            chosen.setdefault((usable[0].model, usable[0].fits), []).append(measure)
        elif mine:
            what = "fits" if any(check.tested for check in mine) else "could be tested"
            notes.append(
                f"no model of error {what} by {measure}: the probability that two systems keep "
                "their order is not given"
            )
    found = [
        each
        for (model, fits), these in chosen.items()
        for each in order_kept(panel, models[model], these, tested=fits, judges=judges, seed=seed)
    ]
    names = [str(measure) for measure in measures]
    notes += [
        f"by {each.measure} no two systems differ: there is no order to keep"
        for each in found
        if not any(each.pairs)
    ]
    found = [each for each in found if any(each.pairs)]
    return tuple(sorted(found, key=lambda each: names.index(each.measure)))


def _without_negative(judge: Judgments) -> Judgments:
    """The judgments without negative grades, which mean unjudged."""
    frame = judge.frame.filter(pl.col("grade") >= 0)
    if frame.height == judge.frame.height:
        return judge
    if not frame.height:
        raise AssayError(f"{judge.label}: all grades are negative, which means unjudged; map them")
    return Judgments(frame, label=judge.label, origin=judge.origin)


def _within(judges: Sequence[Judgments]) -> list[Judgments]:
    """The judgments of pairs that the first judge judged."""
    first = judges[0].frame.select("topic", "doc")
    kept = [judges[0]]
    for judge in judges[1:]:
        frame = judge.frame.join(first, on=["topic", "doc"], how="semi", maintain_order="left")
        if not frame.height:
            raise AssayError(f"{judge.label} judged nothing that {judges[0].label} judged")
        kept.append(Judgments(frame, label=judge.label, origin=judge.origin))
    return kept


def _model(
    kind: str, panel: Panel, rels: tuple[float, ...], p_r: float | None, p_nr: float | None
) -> ErrorModel:
    judged = panel.judged
    if p_r is not None and p_nr is not None:
        return given(judged.grade[0], rel=rels[0], p_r=p_r, p_nr=p_nr)
    truth, other = judged.grade[:2]
    rank = fused_rank(panel) if kind == "by-rank" else None
    return fitted(kind, truth, other, rel=(rels[0], rels[1]), topic=judged.topic_of, rank=rank)


def _rates(
    judged: Judged, panel: Panel | None, names: tuple[str, ...], rels: tuple[float, ...]
) -> Rates:
    truth, other = judged.grade[:2]
    sides = [
        np.where(np.isnan(g), np.nan, g >= r) for g, r in zip((truth, other), rels, strict=False)
    ]
    parts = _parts(judged, panel)
    binary = np.array([0.0, 1.0])
    rows = [
        _rate_row(what, which, table)
        for what, which, table in _tables(sides[0], sides[1], parts, binary)
    ]
    levels = np.unique(np.concatenate([truth, other]))
    levels = levels[~np.isnan(levels)]
    cells: list[tuple[Any, ...]] = []
    if len(levels) <= LEVELS:
        for what, which, table in _tables(truth, other, parts, levels, whole=True):
            cells += _cells(what, which, table, levels)
    table = confusion(sides[0], sides[1], judged.topic_of, len(judged.topics), binary)
    return Rates(names[0], names[1], *rates(table), tuple(rows), tuple(cells))


@dataclass(frozen=True)
class _Part:
    """A way to part the judged pairs: which pair, in which part; a pair may stand in several."""

    what: str
    names: tuple[str, ...]
    pair: Array
    place: Array


def _parts(judged: Judged, panel: Panel | None) -> list[_Part]:
    """By topic; by band of ranks; by run, its first ten."""
    every = np.arange(len(judged.topic_of))
    parts = [_Part("topic", tuple(judged.topics), every, judged.topic_of)]
    if panel is not None:
        hits = panel.hits
        band = np.searchsorted(np.asarray(EDGES), hits.rank, side="left")
        names = band_names(EDGES)[: 1 + int(band.max(initial=0))]
        top = hits.rank <= CUTOFF
        parts.append(_Part("ranks", names, hits.pair, band))
        parts.append(_Part(f"run, first {CUTOFF}", panel.runs, hits.pair[top], hits.run[top]))
    return parts


def _tables(
    truth: Array,
    other: Array,
    parts: Sequence[_Part],
    levels: Array,
    *,
    whole: bool = False,
) -> Iterator[tuple[str, str, Array]]:
    """Confusion [level, level] of each part, the truth by row; first of all pairs if `whole`."""
    if whole:
        every = np.zeros(len(truth), dtype=np.int64)
        yield "all", "", confusion(truth, other, every, 1, levels)[0]
    for part in parts:
        found = confusion(truth[part.pair], other[part.pair], part.place, len(part.names), levels)
        for name, table in zip(part.names, found, strict=True):
            yield part.what, name, table


def _cells(what: str, which: str, table: Array, levels: Array) -> list[tuple[Any, ...]]:
    """The labels given to each true grade."""
    total = table.sum(axis=1)
    return [
        (what, which, float(levels[i]), float(levels[j]), int(table[i, j]), 100 * n / total[i])
        for (i, j), n in np.ndenumerate(table)
        if n
    ]


def _rate_row(what: str, which: str, table: Array) -> tuple[str, str, int, float, float]:
    total = table.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        yes = table[:, 1] / np.where(total == 0, np.nan, total)
    return what, which, int(table.sum()), float(yes[1]), float(yes[0])


def _formulas(
    panel: Panel, model: ErrorModel, rel: float, judges: int, seed: int
) -> tuple[tuple[Any, ...], ...]:
    """P@10 and R@10 of each run: true, by the appendix's formulas, and the mean simulated."""
    p_nr, p_r = (float(x) for x in model.chance[:, 1])
    measures = [parse(f"P(rel={rel:g})@{CUTOFF}"), parse(f"R(rel={rel:g})@{CUTOFF}")]
    start = panel.judged.start

    def real(t: int) -> Array:
        return model.truth[int(start[t]) : int(start[t + 1])][None]

    _, values = batch_means(panel, measures, real, 1, values=True)
    P, R = np.asarray(values)[0].transpose(1, 0, 2)  # [run, topic]
    shown = np.zeros(P.shape)
    near = panel.hits.rank <= CUTOFF
    np.add.at(shown, (panel.hits.run[near], panel.hits.topic[near]), 1)
    apparent = apparent_precision(P, p_r, p_nr) - p_nr * (1 - shown / CUTOFF)
    G = np.add.reduceat(model.truth >= rel, start[:-1]).astype(np.float64)
    called = G * p_r + (np.diff(start) - G) * p_nr
    recall = CUTOFF * apparent / np.where(called == 0, np.nan, called)
    drawn = simulated_means(panel, model, measures, judges=judges, seed=seed).mean(axis=0)
    rows = []
    for r, run in enumerate(panel.runs):
        numbers = (P[r], apparent[r], drawn[r, 0], R[r], recall[r], drawn[r, 1])
        rows.append((run, *(_mean_known(np.ravel(x)) for x in numbers)))
    return tuple(rows)


def _mean_known(x: Array) -> float:
    known = x[~np.isnan(x)]
    return float(known.mean()) if len(known) else math.nan


def _favours(
    panel: Panel,
    truth: Array,
    other: Array | None,
    measures: Sequence[Measure],
    names: tuple[str, ...],
    run_groups: Any,
    notes: list[str],
) -> tuple[Favour, ...]:
    if run_groups is None:
        return ()
    if other is None:
        raise AssayError("run groups need a second set of judgments: whom should it favour?")
    of = (
        read_groups(run_groups, "run")
        if isinstance(run_groups, str | Path)
        else {str(k): str(v) for k, v in run_groups.items()}
    )
    if not set(of) & set(panel.runs):
        raise AssayError(
            f"run groups: none of its runs is among those given, such as {panel.runs[0]!r}"
        )
    group = tuple(of.get(run, "others") for run in panel.runs)
    if len(set(group)) < 2:
        raise AssayError(f"run groups: all {len(group)} runs are in one group, {group[0]!r}")
    notes += unknown_names("run groups", of, panel.runs)
    start = panel.judged.start

    def both(t: int) -> Array:
        part = slice(int(start[t]), int(start[t + 1]))
        return np.asarray(np.nan_to_num(np.stack([truth[part], other[part]])))

    _, values = batch_means(panel, measures, both, 2, values=True)
    return tuple(
        favour(
            np.asarray(values)[:, :, m], group, measure=str(measure), judges=(names[0], names[1])
        )
        for m, measure in enumerate(measures)
    )


def _skene(judged: Judged, judges: Sequence[Judgments], notes: list[str]) -> DawidSkene | None:
    if len(judges) < 3:
        return None
    try:
        return dawid_skene(judged.grade, judges=tuple(judge.label for judge in judges))
    except AssayError as error:
        notes.append(str(error))
        return None
