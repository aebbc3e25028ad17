"""The gate's decision: a table, a paragraph, a summary for a pull request, JUnit XML."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from assay import __version__
from assay.gating import FAIL, INCONCLUSIVE
from assay.show.comparison import finite, small_print
from assay.show.sheet import Sheet
from assay.show.table import Grid
from assay.show.text import number, printable
from assay.show.verdict import amount, p_value, percent, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.gating import Check, Gate

__all__ = ["gate_table", "junit", "paragraph", "summary", "text"]

NAMED = 10  # collapsed topics that are listed


def gate_table(gate: Gate) -> Sheet:
    """The gate as a sheet."""
    return Sheet(
        title=f"{gate.outcome.upper()}: {gate.candidate} against {gate.baseline}",
        grids=(_grid(gate),),
        paragraphs=(f"{gate.outcome.upper()}: {paragraph(gate)}", *_collapsed(gate)),
        print=tuple(_how(gate)),
        notes=gate.notes,
        warnings=gate.warnings,
    )


def _grid(gate: Gate) -> Grid:
    heads: tuple[str, ...] = ("gate", gate.baseline, gate.candidate, "change", "low", "high")
    drop, gain = gate.max_drop is not None, gate.require_gain is not None
    heads += ("allowed",) * drop + ("gain", "p of gain") * gain + ("topics", "outcome")
    rows = []
    for check in gate.checks:
        row = [
            str(check.measure),
            number(check.baseline_mean),
            number(check.candidate_mean),
            number(check.change),
            _bound(check.lower),
            _bound(check.upper),
        ]
        row += [number(-check.max_drop)] * drop
        p = "-" if math.isnan(check.gain_p) else p_value(check.gain_p).removeprefix("= ")
        row += [number(check.gain), p] * gain
        rows.append((*row, str(check.topics), check.outcome))
    left = frozenset({0, len(heads) - 1})
    return Grid(heads, tuple(rows), left=left, folds=True)


def _bound(value: float) -> str:
    return number(value) if math.isfinite(value) else "-"


def paragraph(gate: Gate) -> str:
    """Why, measure by measure, and what becomes of the build."""
    return " ".join([*(_why(gate, check) for check in gate.checks), _end(gate)])


def _end(gate: Gate) -> str:
    stopping = [
        f"{check.measure} {_stop(gate, check)}" for check in gate.checks if gate.stops(check)
    ]
    return f"The build stops: {'; '.join(stopping)}." if stopping else "The build goes on."


def _stop(gate: Gate, check: Check) -> str:
    """Why a measure stops the build."""
    if check.outcome == FAIL:
        return "fails"
    if check.dropped:
        return "is inconclusive and the drop seen exceeds what is allowed"
    if gate.require_gain is not None and not check.gained:
        return "is inconclusive and the required gain is not shown"
    return "is inconclusive, which stops under strict"


def _why(gate: Gate, check: Check) -> str:
    name, base = gate.candidate, gate.baseline
    level, n = percent(gate.alpha), check.topics
    allowed = f"the {amount(check.max_drop)} allowed" + (
        f" ({gate.max_drop} of {amount(check.baseline_mean)})"
        if gate.max_drop and gate.max_drop.percent
        else ""
    )
    seen = f"{name} changes {check.measure} by {signed(check.change)} against {base} on {n} topics"
    bounds = f"{amount(check.lower)} from below and {amount(check.upper)} from above"
    parts = []
    if check.reasons:
        parts.append(f"{seen}, but {'; '.join(check.reasons)}: nothing can be concluded.")
    elif check.lower == check.upper:
        within = "" if math.isnan(check.max_drop) else f", {_beside(check)} {allowed}"
        parts.append(f"{seen}, on every one of them alike{within}.")
    elif not math.isnan(check.max_drop) and check.lower > -check.max_drop:
        worst = (
            f"a drop beyond {amount(-check.lower)}, and so beyond {allowed}, is"
            if check.lower < 0
            else "any drop is"
        )
        parts.append(f"{seen}; {worst} excluded with {level} confidence.")
    elif check.change < -check.max_drop and check.upper < 0:
        parts.append(
            f"{seen}, a drop beyond {allowed}; with {level} confidence it is a loss of at least "
            f"{amount(-check.upper)}."
        )
    elif not math.isnan(check.max_drop):
        parts.append(
            f"{seen}; the bounds ({bounds}, {level} each) do not exclude a drop beyond {allowed}"
            f"{', nor that there is none' if check.dropped else ''}."
        )
    else:
        parts.append(f"{seen} (bounds {bounds}, {level} each).")
    if not math.isnan(check.gain):
        shown = "is shown" if check.gained else "is not shown"
        p = (
            ""
            if math.isnan(check.gain_p)
            else f" (p {p_value(check.gain_p)}, Holm over {len(gate.checks)})"
        )
        parts.append(f"A gain of more than {amount(check.gain)} {shown}{p}.")
    parts += _reach(check)
    return " ".join(parts)


def _beside(check: Check) -> str:
    return "beyond" if check.dropped else "within"


def _reach(check: Check) -> Iterator[str]:
    """What the topics at hand can exclude, and what it would take."""
    if math.isnan(check.excludable):
        return
    can = f"{check.topics} topics can exclude a drop of {amount(check.excludable)} at the smallest"
    if math.isnan(check.max_drop):
        yield f"{can} (where nothing changed, four times in five)."
    elif check.max_drop == 0:
        yield f"{can}; no number of topics excludes every drop where nothing changed."
    else:
        many = (
            "more than ten million topics" if check.needed is None else f"{check.needed:,} topics"
        )
        yield (
            f"{can}; excluding {amount(check.max_drop)} takes {many} (both where nothing "
            "changed, four times "
            "in five)."
        )


def _collapsed(gate: Gate) -> Iterator[str]:
    for check in gate.checks:
        if not check.collapsed:
            continue
        named = ", ".join(
            f"{topic} ({amount(before)} to {amount(after)})"
            for topic, before, after in check.collapsed[:NAMED]
        )
        more = f" and {len(check.collapsed) - NAMED} more" if len(check.collapsed) > NAMED else ""
        yield f"{check.measure}: {len(check.collapsed)} topic(s) collapsed: {named}{more}."


def _how(gate: Gate) -> Iterator[str]:
    level = percent(gate.alpha)
    rules = (
        "passes where the lower bound lies above minus what is allowed, fails where the mean lies "
        "below it and the upper bound below 0; all measures must pass"
    )
    if gate.max_drop is not None:
        yield f"max drop {gate.max_drop}: {rules}; one-sided t bounds, {level} each"
    if gate.require_gain is not None:
        yield (
            f"required gain {gate.require_gain}: one-sided t tests, Holm over measures, alpha "
            f"{gate.alpha:g}; a gain "
            "not shown stops the build"
        )
    if gate.max_drop is not None:
        stops = (
            "stops the build (strict)"
            if gate.strict
            else ("lets the build go on unless the drop seen exceeds what is allowed")
        )
        yield (
            f"inconclusive {stops}; collapsed: a topic that lost over half of its value, and "
            "over half "
            "of the baseline's mean"
        )
    yield small_print(gate.policy)


def summary(gate: Gate) -> str:
    """A summary for a pull request."""
    sheet = gate_table(gate)
    go = "the build goes on" if gate.exit_code == 0 else "the build stops"
    head = f"### assay gate: {gate.outcome.upper()} ({go})"
    return f"{head}\n\n{sheet.to_markdown()}"


def junit(gate: Gate) -> str:
    """One test case for each measure; inconclusive ones that stop nothing are skipped."""
    stopped = [check for check in gate.checks if gate.stops(check)]
    idle = [c for c in gate.checks if c.outcome == INCONCLUSIVE and not gate.stops(c)]
    suite = ET.Element(
        "testsuite",
        name="assay gate",
        tests=str(len(gate.checks)),
        failures=str(len(stopped)),
        errors="0",
        skipped=str(len(idle)),
    )
    for check in gate.checks:
        case = ET.SubElement(
            suite,
            "testcase",
            classname="assay.gate",
            name=printable(f"{check.measure}: {gate.candidate} against {gate.baseline}"),
        )
        why = printable(_why(gate, check))
        if gate.stops(check):
            kind = "failure" if check.outcome == FAIL else "inconclusive"
            ET.SubElement(case, "failure", message=f"{check.outcome}: {why}", type=kind)
        elif check.outcome == INCONCLUSIVE:
            ET.SubElement(case, "skipped", message=f"inconclusive: {why}")
        ET.SubElement(case, "system-out").text = why
    ET.indent(suite)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suite, encoding="unicode") + "\n"
    )


def text(gate: Gate, form: str) -> Iterator[str]:
    """The gate in one of the forms of `assay gate -o`."""
    if form == "markdown":
        yield f"{summary(gate)}\n"
    elif form == "html":
        yield f"{gate_table(gate).to_html()}\n"
    else:
        yield json.dumps(_object(gate), ensure_ascii=False, indent=2) + "\n"


def _object(gate: Gate) -> dict[str, Any]:
    checks = []
    for check in gate.checks:
        row = {name: getattr(check, name) for name in check.__dataclass_fields__}
        row["measure"] = str(check.measure)
        row["collapsed"] = [
            {"topic": topic, "baseline": before, "candidate": after}
            for topic, before, after in check.collapsed
        ]
        row["reasons"] = list(check.reasons)
        checks.append(finite(row))
    return {
        "versions": {"assay": __version__},
        "policies": asdict(gate.policy),
        "outcome": gate.outcome,
        "exit_code": gate.exit_code,
        "baseline": gate.baseline,
        "candidate": gate.candidate,
        "judge": gate.judge,
        "max_drop": None if gate.max_drop is None else str(gate.max_drop),
        "require_gain": None if gate.require_gain is None else str(gate.require_gain),
        "alpha": gate.alpha,
        "strict": gate.strict,
        "why": paragraph(gate),
        "checks": checks,
        "notes": list(gate.notes),
        "warnings": list(gate.warnings),
    }
