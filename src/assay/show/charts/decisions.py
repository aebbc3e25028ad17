"""A gate's decision, the topics that differences take, and how firm a claim is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.finish import finished
from assay.show.charts.look import look
from assay.show.charts.spans import Span, bars, spans
from assay.show.text import printable

if TYPE_CHECKING:
    from assay.gating import Gate
    from assay.measures.measure import Measure
    from assay.powering import Power
    from assay.studies.robust import RobustStudy

__all__ = ["gate", "power", "robust"]


def gate(found: Gate, *, preset: str = "screen") -> Any:
    """Draw the change under each measure with its bounds, and the drop that is allowed."""
    at = look(preset)
    rows = [
        Span(
            str(each.measure),
            each.change,
            each.lower,
            each.upper,
            mark=-each.max_drop,
            text=each.outcome,
            filled=each.outcome == "pass",
        )
        for each in found.checks
    ]
    chart = spans(at, rows, title="change, below 0 for the worse", value="change", rule=0.0)
    one, other = printable(found.candidate), printable(found.baseline)
    said = f"{one} less {other}; ends are one-sided bounds, each at level {1 - found.alpha:g}."
    if any(not math.isnan(each.max_drop) for each in found.checks):
        said += " Tick: the drop that is allowed."
    return finished(chart, at, f"{one} against {other}: {found.outcome}", [said])


def power(found: Power, *, measure: str | Measure | None = None, preset: str = "screen") -> Any:
    """Draw how many topics each difference takes, by a paired t test."""
    at = look(preset)
    from assay.measures.measure import parse

    known = [each.measure for each in found.present]
    wanted = known if measure is None else [parse(measure)]
    if wanted[0] not in known:
        raise AssayError(
            f"no measure {str(wanted[0])!r} here; there are: {', '.join(map(str, known))}"
        )
    rows = []
    for each in found.designs:
        if each.measure in wanted:
            name = f"{each.measure}, {each.difference:g}"
            low, high = (math.nan if n is None else float(n) for n in (each.t, each.t_upper))
            text = "beyond 10 million" if each.t is None else f"{each.t:,}"
            rows.append(Span(name, low, low, high, text=text))
    every = [x for row in rows for x in (row.low, row.high) if math.isfinite(x)]
    present = found.present[0].topics
    ends = [
        10.0 ** math.floor(math.log10(min([*every, present, 10]))),
        10.0 ** math.ceil(math.log10(max([*every, present, 100]))),
    ]
    chart = spans(
        at, rows, title="topics (logarithmic)", value="topics", ends=ends, rule=present, log=True
    )
    said = (
        f"Topics for which a paired t test finds a difference so large with power "
        f"{found.power:g} (alpha {found.alpha:g}"
        + (f", {found.comparisons} comparisons" if found.comparisons > 1 else "")
        + f"); the line ends at the number for the variance's upper 80 % bound. Upright: the "
        f"{present} topics at hand."
    )
    return finished(chart, at, "How many topics a difference takes", [said])


def robust(
    study: RobustStudy, *, measure: str | Measure | None = None, preset: str = "screen"
) -> Any:
    """Draw under which share of each kind of perturbation one run beats the other."""
    at = look(preset)
    claim = study.claims[0] if measure is None else study.of(measure)
    rows = [
        Span(each.name, each.share, text=f"{each.holds:,} of {each.tried:,}")
        for each in claim.perturbations
    ]
    chart = bars(
        at, rows, title="share of variants under which it holds", value="share", ends=[0.0, 1.0]
    )
    title = f"{printable(claim.better)} beats {printable(claim.worse)} by {claim.measure}: where?"
    return finished(chart, at, title, ["Shares count what was tried; they are no probabilities."])
