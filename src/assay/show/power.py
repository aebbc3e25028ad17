"""Topic set sizes as tables for people, and as rows and JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from assay import __version__
from assay.show.comparison import finite, small_print
from assay.show.sheet import Sheet
from assay.show.table import Grid
from assay.show.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.powering import Design, Power, Present

__all__ = ["COLUMNS", "power_table", "row_of", "text"]

COLUMNS = (
    "measure",
    "difference",
    "t",
    "t_upper",
    "anova",
    "anova_upper",
    "interval",
    "interval_upper",
    "present_topics",
    "variance",
    "variance_upper",
)


def power_table(power: Power) -> Sheet:
    """Topics needed, then what the present topics can find."""
    grids = []
    for present in power.present:
        heads = (
            f"topics needed: {present.measure}",
            "paired t",
            "(upper)",
            f"ANOVA, {len(power.runs)} runs",
            "(upper)",
            "interval",
            "(upper)",
        )
        rows = tuple(
            (f"difference {each.difference:g}", *(_count(n, present) for n in _numbers(each)))
            for each in power.designs
            if each.measure == present.measure
        )
        grids.append(Grid(heads, rows))
    heads = (
        "present topics",
        "topics",
        "variance",
        "(upper)",
        "difference",
        "ANOVA range",
        "interval",
    )
    rows = tuple(
        (
            str(p.measure),
            str(p.topics),
            _small(p.variance),
            _small(p.upper),
            _found(p.difference),
            _found(p.reach),
            _found(p.width),
        )
        for p in power.present
    )
    grids.append(Grid(heads, rows))
    return Sheet(
        title="Topics needed",
        grids=tuple(grids),
        print=tuple(_how(power)),
        notes=power.notes,
        warnings=power.warnings,
    )


def _numbers(each: Design) -> tuple[int | None, ...]:
    return (
        each.t,
        each.t_upper,
        each.anova,
        each.anova_upper,
        each.interval,
        each.interval_upper,
    )


def _count(topics: int | None, present: Present) -> str:
    if topics is None:
        return "> 10 million" if present.variance else "-"
    return f"{topics:,}"


def _small(value: float) -> str:
    return f"{value:.5f}" if math.isfinite(value) else "-"


def _found(value: float) -> str:
    return number(value) if math.isfinite(value) else "-"


def _how(power: Power) -> Iterator[str]:
    many = power.comparisons
    split = f", divided by {many} comparisons except for ANOVA, one test" if many > 1 else ""
    yield (
        f"alpha {power.alpha:g} two-sided{split}, power {power.power:g}; Sakai's topic set size "
        "design, exact by the "
        "noncentral t and F"
    )
    yield (
        "paired t: two runs whose true means lie so far apart; ANOVA: one-way, best and worst so "
        "far apart; interval: "
        "expected to be so wide in all"
    )
    yield (
        "variance: of scores beside runs and topics, pooled over all runs (a difference has "
        "twice as much); (upper): "
        "with the upper 80 % bound of that variance"
    )
    yield small_print(power.policy)


def row_of(power: Power, each: Design) -> dict[str, Any]:
    """A design as one row."""
    present = next(p for p in power.present if p.measure == each.measure)
    row = {name: getattr(each, name) for name in COLUMNS if hasattr(each, name)}
    return row | {
        "measure": str(each.measure),
        "present_topics": present.topics,
        "variance": present.variance,
        "variance_upper": present.upper,
    }


def text(power: Power, form: str) -> Iterator[str]:
    """The sizes in one of the forms of `assay power -o`."""
    if form == "csv":
        page = io.StringIO()
        writer = csv.writer(page, lineterminator="\n")
        writer.writerow(COLUMNS)
        for each in power.designs:
            row = row_of(power, each)
            writer.writerow(
                [repr(row[n]) if isinstance(row[n], float) else row[n] for n in COLUMNS]
            )
        yield page.getvalue()
    elif form == "json":
        yield json.dumps(_object(power), ensure_ascii=False, indent=2) + "\n"
    else:
        sheet = power_table(power)
        made = {"markdown": sheet.to_markdown, "latex": sheet.to_latex, "html": sheet.to_html}[
            form
        ]()
        yield f"{made}\n"


def _object(power: Power) -> dict[str, Any]:
    return {
        "versions": {"assay": __version__},
        "policies": asdict(power.policy),
        "runs": list(power.runs),
        "alpha": power.alpha,
        "power": power.power,
        "comparisons": power.comparisons,
        "designs": [finite(row_of(power, each)) for each in power.designs],
        "present": [
            finite(
                {name: getattr(p, name) for name in p.__dataclass_fields__}
                | {"measure": str(p.measure)}
            )
            for p in power.present
        ],
        "notes": list(power.notes),
        "warnings": list(power.warnings),
    }
