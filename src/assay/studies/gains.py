"""Whether conclusions survive other weights of the relevance levels, discounts and depths.

After Järvelin & Kekäläinen 2002, https://doi.org/10.1145/582415.582418: their Table II (averages
over topics, Friedman's test and analysis of variance), the depth down to which runs are compared,
the two scenarios of their discussion, and merges of levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.comparison import check_alpha, check_resampling
from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.judges.coefficients import tau_b
from assay.measures.measure import Measure, parse
from assay.measures.registry import lookup, registered
from assay.stats.arrays import steady
from assay.stats.corrections import adjusted
from assay.stats.many import conover, friedman
from assay.studies.bench import Bench
from assay.studies.gain_study import Collapsed, GainStudy, Imagined, Row, Sweep, named
from assay.studies.scoring import check_whole, pairs_of
from assay.studies.significance import apart, both, complete
from assay.studies.weights import (
    SCENARIOS,
    Merge,
    Scenario,
    Scheme,
    merge,
    merges,
    scheme,
    schemes,
    top_level,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assay.judges.tabular import Array

__all__ = ["MEASURES", "study_gains"]

MEASURES = ("AvgnCG", "AvgnDCG_JK")  # of Table II
SCENARIO_MEASURE = "AvgnDCG_JK"
DEPTH = 200
ALL = "all"


def study_gains(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    weights: Any = None,
    bases: float | Sequence[float] = (2,),
    depths: int | Sequence[int] = (DEPTH,),
    sweep: int | None = DEPTH,
    scenarios: str | Sequence[str] = tuple(SCENARIOS),
    collapse: str | Merge | Sequence[str | Merge] | None = None,
    alpha: float = 0.05,
    resamples: int = 2_000,
    seed: int = 0,
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
    **policies: Any,
) -> GainStudy:
    """Score runs under several weights, discounts and depths, and test what differs.

    * measures: any that take weights of levels; those of Table II without a word. A cut-off in the
      name holds for all depths.
    * weights: schemes such as `"0-1-10-100"`, a weight for each level; or mappings of level to
      weight. Without a word the paper's four, made for the scale of the judgments.
    * bases: of the logarithm, for measures that have one; depths: cut-offs.
    * sweep: the last depth of the sweep from 1; None for none.
    * scenarios: `"impatient"`, `"patient"`, or both.
    * collapse: `"all"`, every merge of neighbouring levels; or merges such as `"0-0-1-1"`, the
      class of each level.
    * policies: as for `evaluate`.
    """
    check_alpha(alpha)
    check_resampling(resamples, seed)
    if sweep is not None:
        check_whole("sweep", sweep)
    tell = progress or (lambda _: None)
    bench = Bench.of(judgments, runs, strict=strict, **policies)
    top = top_level(bench.judgments)
    families = _families(MEASURES if measures is None else measures, _bases(bases))
    chosen, cuts = _schemes(weights, top), _depths(depths)
    plans = list(
        {
            plan.measure: plan
            for plan in (
                _Plan(family, each, base, depth)
                for depth in cuts
                for each in chosen
                for family in families
                for base in family.bases
            )
        }.values()
    )
    asked = _asked_merges(collapse, top)
    users = [SCENARIOS[name] for name in _names(scenarios)]
    seen_as = [_user_plan(user, top) for user in users]
    scores = evaluate(
        bench.judgments,
        list(bench.read),
        list(dict.fromkeys(plan.measure for plan in (*plans, *seen_as))),
        **policies,
    )
    tell(0.1)
    place = {measure: i for i, measure in enumerate(scores.measures)}
    notes = list(scores.notes)
    rows = []
    for plan in plans:
        row = _row(plan, scores.values[0, :, place[plan.measure]], scores.topics, notes)
        rows += [] if row is None else [row]
    if not rows:
        raise AssayError("under no scheme of weights have 2 topics a value for every run")
    kept = {(row.name, row.weights, row.base) for row in rows}
    sweeps = _swept(bench, plans, kept, sweep, alpha, lambda done: tell(0.1 + 0.7 * done))
    seen = []
    for user, plan in zip(users, seen_as, strict=True):
        x = scores.values[0, :, place[plan.measure]]
        seen.append(_imagined(user, plan, x, resamples, seed))
    tell(0.85)
    merged = _merged(bench, families, asked, cuts[-1], alpha, resamples, seed)
    tell(1.0)
    return GainStudy(
        bench.runs,
        top,
        tuple(rows),
        tuple(sweeps),
        tuple(seen),
        tuple(merged),
        alpha,
        resamples,
        tuple(dict.fromkeys(notes)),
        scores.warnings,
    )


# --------------------------------------------------------------------------------- what is asked


@dataclass(frozen=True)
class _Family:
    """A measure whose weights, and perhaps base and cut-off, are still open."""

    measure: Measure
    cut: bool  # whether it takes the depths of the study
    bases: tuple[float | None, ...]

    @property
    def name(self) -> str:
        return str(self.measure).rpartition("@")[0] if self.cut else str(self.measure)

    def at(self, depth: float, base: float | None, weights: Scheme | None) -> Measure:
        """The measure with everything settled; without weights a level counts as it is."""
        given: dict[str, Any] = {} if weights is None else {"gains": weights.gains}
        given |= {} if base is None else {"b": base}
        found = self.measure(**given) if given else self.measure
        return found @ depth if self.cut else found


@dataclass(frozen=True)
class _Plan:
    """One line of Table II that is to be made."""

    family: _Family
    weights: Scheme
    base: float | None
    depth: int

    @property
    def measure(self) -> Measure:
        return self.family.at(self.depth, self.base, self.weights)


def _families(
    given: str | Measure | Sequence[str | Measure], bases: tuple[float, ...]
) -> list[_Family]:
    many = [given] if isinstance(given, str | Measure) else list(given)
    return [_family(each, bases) for each in many]


def _family(given: str | Measure, bases: tuple[float, ...]) -> _Family:
    if isinstance(given, str) and "@" not in given:
        definition = lookup(given.partition("(")[0].strip())
        if definition is not None and definition.takes_cutoff:
            return _checked(parse(f"{given}@{DEPTH}"), bases, cut=True)
    measure = parse(given)
    return _checked(measure, bases, cut=measure.at is None and measure.definition.takes_cutoff)


def _checked(measure: Measure, bases: tuple[float, ...], *, cut: bool) -> _Family:
    definition, given = measure.definition, dict(measure.settings)
    if "gains" not in definition.parameters:
        some = [name for name, each in registered().items() if "gains" in each.parameters]
        raise AssayError(f"{measure.name}: takes no weights of levels; these do: {', '.join(some)}")
    if "gains" in given:
        raise AssayError(f"{measure}: its weights are the study's own; leave gains= out")
    if not definition.higher_is_better:
        raise AssayError(f"{measure}: lower is better; this study takes gains, of which more is")
    varied = "b" in definition.parameters and "b" not in given
    return _Family(measure, cut, bases if varied else (None,))


def _schemes(weights: Any, top: int) -> list[Scheme]:
    if weights is None:
        found: list[Scheme] = list(schemes(top).values())
    else:
        single = isinstance(weights, str | dict | Scheme)
        found = [scheme(each, top) for each in ([weights] if single else weights)]
    if not found:
        raise AssayError("no weights: expected at least one scheme, such as 0-1-10-100")
    return list(dict.fromkeys(found))


def _bases(bases: float | Sequence[float]) -> tuple[float, ...]:
    found = (bases,) if isinstance(bases, int | float) else tuple(bases)
    if not found or not all(base > 1 for base in found):
        raise AssayError(f"bases={bases!r}: a logarithm needs a base above 1")
    return tuple(dict.fromkeys(found))


def _depths(depths: int | Sequence[int]) -> tuple[int, ...]:
    found = (depths,) if isinstance(depths, int) else tuple(depths)
    for depth in found:
        check_whole("depths", depth)
    if not found:
        raise AssayError("no depth: expected at least one, such as 200")
    return tuple(dict.fromkeys(found))


def _names(scenarios: str | Sequence[str]) -> tuple[str, ...]:
    found = (scenarios,) if isinstance(scenarios, str) else tuple(scenarios)
    for name in found:
        if name not in SCENARIOS:
            raise AssayError(f"no scenario {name!r}; there are {', '.join(SCENARIOS)}")
    return tuple(dict.fromkeys(found))


def _user_plan(user: Scenario, top: int) -> _Plan:
    family = _family(SCENARIO_MEASURE, (user.base,))
    return _Plan(family, schemes(top)[user.kind], user.base, user.depth)


def _asked_merges(collapse: Any, top: int) -> tuple[Merge, ...]:
    if collapse is None:
        return ()
    if collapse == ALL:
        return merges(top)
    single = isinstance(collapse, str | Merge)
    plain = Merge(tuple(range(top + 1)))
    found = [merge(each, top) for each in ([collapse] if single else collapse)]
    return tuple(dict.fromkeys([plain, *found]))


# -------------------------------------------------------------------------------------- its parts


def _row(plan: _Plan, x: Array, topics: Sequence[str], notes: list[str]) -> Row | None:
    """One line of Table II, on the topics on which every run has a value."""
    whole = complete(x)
    label = named(plan.family.name, plan.weights, plan.base)
    if whole.sum() < 2:
        notes.append(
            f"{label}: only {int(whole.sum())} topics have a value for every run; left out"
        )
        return None
    if not whole.all():
        notes.append(
            f"{label}: {int((~whole).sum())} of {len(topics)} topics left out, without a document "
            "of weight, or with a run that lacks a value"
        )
    kept = tuple(topic for topic, keep in zip(topics, whole, strict=True) if keep)
    x = x[:, whole]
    return Row(
        plan.measure,
        plan.family.name,
        plan.weights,
        plan.base,
        plan.measure.k,
        kept,
        steady(x.mean(axis=-1)),
        both(x),
    )


def _swept(
    bench: Bench,
    plans: Sequence[_Plan],
    kept: set[Any],
    last: int | None,
    alpha: float,
    progress: Callable[[float], None],
) -> list[Sweep]:
    """Every measure with every scheme at every depth."""
    if last is None:
        return []
    wanted = {
        (plan.family.name, plan.weights, plan.base): plan
        for plan in plans
        if plan.family.cut and (plan.family.name, plan.weights, plan.base) in kept
    }
    depths = tuple(range(1, last + 1))
    out = []
    for n, plan in enumerate(wanted.values()):
        measures = [plan.family.at(depth, plan.base, plan.weights) for depth in depths]
        part = _shifted(progress, n, len(wanted))
        values = bench.values(measures, progress=part)[0]
        x = steady(values[..., complete(values.reshape(-1, values.shape[-1]))])
        out.append(_sweep(plan, x, depths, alpha))
    return out


def _shifted(progress: Callable[[float], None], done: int, whole: int) -> Callable[[float], None]:
    """Progress of one part among several."""
    return lambda part: progress((done + part) / whole)


def _sweep(plan: _Plan, x: Array, depths: tuple[int, ...], alpha: float) -> Sweep:
    """Tests of x[run, depth, topic], corrected over all depths."""
    pairs = pairs_of(len(x))
    p = np.array([friedman(x[:, d]).p for d in range(len(depths))])
    pair_p = np.stack([conover(x[:, d], pairs).p for d in range(len(depths))])
    return Sweep(
        plan.family.name,
        plan.weights,
        plan.base,
        depths,
        p,
        adjusted(p, "holm"),
        adjusted(pair_p.ravel(), "holm").reshape(pair_p.shape),
        alpha,
    )


def _imagined(user: Scenario, plan: _Plan, x: Array, resamples: int, seed: int) -> Imagined:
    """The runs as one user sees them."""
    whole = complete(x)
    if whole.sum() < 2:
        raise AssayError(f"{user.name}: only {int(whole.sum())} topics have a value for every run")
    x = x[:, whole]
    return Imagined(
        user,
        plan.measure,
        plan.weights,
        int(whole.sum()),
        steady(x.mean(axis=-1)),
        apart(x, resamples=resamples, seed=seed),
    )


def _merged(
    bench: Bench,
    families: Sequence[_Family],
    asked: Sequence[Merge],
    depth: int,
    alpha: float,
    resamples: int,
    seed: int,
) -> Iterator[Collapsed]:
    """Every measure under every merge, its levels weighing 0, 1, 2, ..."""
    if not asked:
        return
    tables = [{float(old): float(new) for old, new in enumerate(each.classes)} for each in asked]
    measures = [family.at(depth, family.bases[0], None) for family in families]
    values = bench.values(measures, tables=tables)
    for t, each in enumerate(asked):
        for m, family in enumerate(families):
            x, plain = values[t, :, m], values[0, :, m]
            whole = complete(x) & complete(plain)
            if whole.sum() < 2:
                continue
            x, plain = x[:, whole], plain[:, whole]
            means = steady(x.mean(axis=-1))
            yield Collapsed(
                each,
                f"{family.name}@{depth}" if family.cut else family.name,
                int(whole.sum()),
                means,
                float(tau_b(means, steady(plain.mean(axis=-1)))),
                apart(x, resamples=resamples, seed=seed),
                apart(plain, resamples=resamples, seed=seed),
                alpha,
            )
