"""What an evaluation is asked, settled before any run is read: measures, policy, what to say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from assay.errors import AssayError
from assay.measures.parameters import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assay.measures.measure import Measure
    from assay.policy import Policy

__all__ = ["Plan", "Scale", "some", "spread_bounds", "spread_levels", "uses_levels"]

MOST_LEVELS = 100  # that `rel='each'` spreads into


@dataclass(frozen=True)
class Scale:
    """What measures must know of all grades of one judge."""

    label: str
    top: float  # the largest grade, 0 where nothing is judged relevant
    grades: tuple[float, ...] = ()  # those in use, where bounds over unjudged documents need them


@dataclass(frozen=True)
class Plan:
    """Measures by the names that were asked for, and as they are computed."""

    measures: tuple[Measure, ...]
    resolved: tuple[Measure, ...]  # with the scale's top filled in
    policy: Policy
    scales: tuple[Scale, ...]
    notes: tuple[str, ...]
    modes: Mapping[str, tuple[int, ...]]  # treatment of unjudged documents: measures, by number

    @classmethod
    def of(cls, measures: tuple[Measure, ...], scales: Sequence[Scale], policy: Policy) -> Plan:
        """Check what is asked, and note what the measures assume."""
        notes: list[str] = []
        resolved = tuple(_with_top(measure, scales, notes) for measure in measures)
        _note_collection(measures, notes)
        for measure in measures:
            _check_ties(measure, policy, notes)
            _check_sets(measure)
        modes: dict[str, tuple[int, ...]] = {}
        for i, measure in enumerate(measures):
            mode = measure.unjudged or policy.unjudged
            modes[mode] = (*modes.get(mode, ()), i)
        if any(measure.at and _cuts(measure) for measure in measures):  # for Judged@k
            modes.setdefault("nonrelevant", ())
        return cls(measures, resolved, policy, tuple(scales), tuple(notes), modes)

    def bare(self) -> Plan:
        """The same without measures: documents treated as before, nothing computed."""
        return replace(self, measures=(), resolved=(), modes=dict.fromkeys(self.modes, ()))

    @cached_property
    def cutoffs(self) -> list[float]:
        """The ranks to which Judged@k looks."""
        return sorted({measure.at for measure in self.measures if measure.at and _cuts(measure)})

    def cutoff(self, measure: Measure) -> int | None:
        """Which of `cutoffs` is the measure's."""
        return self.cutoffs.index(measure.at) if measure.at and _cuts(measure) else None


def _cuts(measure: Measure) -> bool:
    return measure.definition.cutoff != "recall level"


def some(names: Sequence[str], most: int = 5) -> str:
    """The first few of these names."""
    return " ".join(names[:most]) + (" ..." if len(names) > most else "")


# ------------------------------------------------------------------------------------- measures


def spread_levels(measures: Iterable[Measure], used: Iterable[float]) -> tuple[Measure, ...]:
    """`rel='each'` becomes one measure for each grade above 0 that is used."""
    spread: list[Measure] = []
    levels = sorted({grade for grade in used if grade > 0}) or [1.0]
    for measure in measures:
        if measure.parameters.get("rel") != "each":
            spread.append(measure)
            continue
        if len(levels) > MOST_LEVELS:
            example = measure(rel=levels[len(levels) // 2])
            raise AssayError(
                f"{measure}: the judgments use {len(levels)} levels above 0, more than "
                f"{MOST_LEVELS}; name those that you want, such as {example}"
            )
        spread += [measure(rel=level) for level in levels]
    return tuple(dict.fromkeys(spread))


def spread_bounds(measures: Iterable[Measure], policy: Policy) -> tuple[Measure, ...]:
    """`bounds` becomes two measures, `lowest` and `highest`."""
    spread: list[Measure] = []
    for measure in measures:
        if (measure.unjudged or policy.unjudged) == "bounds":
            spread += [measure(unjudged="lowest"), measure(unjudged="highest")]
        else:
            spread.append(measure)
    return tuple(dict.fromkeys(spread))


def uses_levels(measures: Iterable[Measure], policy: Policy) -> bool:
    """Whether the grades in use must be known: for `rel='each'`, or for bounds."""
    return any(
        measure.parameters.get("rel") == "each"
        or (measure.unjudged or policy.unjudged) in ("lowest", "highest", "bounds")
        for measure in measures
    )


def _with_top(measure: Measure, scales: Sequence[Scale], notes: list[str]) -> Measure:
    """`max` filled in with the largest grade of the judgments, and said so."""
    if not measure.uses_top:
        return measure
    tops = {scale.top for scale in scales}
    top = measure.parameters["max"]
    if top is None and len(tops) > 1:
        found = ", ".join(f"{scale.label} {scale.top:g}" for scale in scales)
        raise AssayError(
            f"{measure}: the judgment sets have different largest grades ({found}); say which "
            f"is the top of the scale, such as {measure(max=max(tops))}"
        )
    if top is None:
        top = max(tops) or 1.0
        notes.append(f"{measure}: max={top:g}, the largest grade judged")
    elif max(tops) > top:
        raise AssayError(f"{measure}: max={top:g}, but there are grades up to {max(tops):g}")
    return measure(max=top)


def _note_collection(measures: Iterable[Measure], notes: list[str]) -> None:
    """Say which measures lack the size of the collection, and what stands for it."""
    without = [
        str(measure)
        for measure in measures
        if measure.definition.parameters.get("N") is PARAMETERS["N"]
        and measure.parameters["N"] is None
    ]
    if without:
        notes.append(
            f"{some(without, 20)}: N, the size of the collection, is not given; the documents "
            "known for a topic (retrieved or judged) stand for it"
        )


def _check_ties(measure: Measure, policy: Policy, notes: list[str]) -> None:
    ties, definition = policy.ties, measure.definition
    mode = measure.unjudged or policy.unjudged
    if ties == "expected" and not definition.has_expected and not definition.weak:
        raise AssayError(
            f"{measure}: no expected value under ties is known for {measure.name}; "
            "use ties='best' and ties='worst' as bounds, or ties='trec'"
        )
    if ties in ("best", "worst") and "swap" in definition.exempt and not definition.weak:
        notes.append(
            f"{measure}: the {ties} order of ties need not give its {ties} value: "
            f"{definition.exempt['swap']}"
        )
    if mode in ("lowest", "highest") and "swap" in definition.exempt:
        notes.append(
            f"{measure}: some judgment of the unjudged documents may go beyond this bound: "
            f"{definition.exempt['swap']}"
        )
    if ties == "expected" and mode in ("lowest", "highest"):
        raise AssayError(
            f"{measure}: bounds over unjudged documents need one order; use ties='trec'"
        )


def _check_sets(measure: Measure) -> None:
    for name in measure.definition.sets:
        if measure.parameters[name] is None:
            raise AssayError(
                f"{measure}: needs to be told {name}=, a file of lines 'topic doc', such as "
                f"{measure.name}({name}=FILE), or in Python a mapping of topic to documents"
            )
