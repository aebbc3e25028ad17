"""Tables for people, JSON for later, and the summary under `results/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cases import Case, Outcome, Outcomes
    from tools import Collection

RESULTS = Path(__file__).parent / "results"
BUSY = 0.25  # a spread above this share says that something else used the machine

Table = list[list[str]]


def ratio_to(outcome: Outcome, other: Outcome | None) -> str:
    """Median time in units of another's, blank where the comparison would be idle."""
    if other is None or not (outcome.usable and other.usable):
        return ""
    return f"{outcome.seconds / other.seconds:.2f}"


def timing_row(outcome: Outcome, done: Outcomes) -> list[str]:
    """One line of the table of times."""
    if not outcome.samples:
        return [outcome.entry.label, outcome.status]
    note = outcome.numbers if outcome.status == "ok" else outcome.status
    return [
        outcome.entry.label,
        f"{outcome.seconds:.3f}",
        str(len(outcome.samples)),
        f"{outcome.spread:.0%}",
        ratio_to(outcome, done.get("polars read")),
        ratio_to(outcome, done.get("assay")),
        f"{outcome.peak_mb:.0f}",
        note,
    ]


def timing_table(done: Outcomes) -> Table:
    """Table of times, with its head."""
    head = ["", "median s", "runs", "spread", "x read", "x assay", "peak MB", "numbers"]
    return [head, *(timing_row(outcome, done) for outcome in done.values())]


def judged(case: Case, done: Outcomes) -> list[dict[str, Any]]:
    """Each target with the figure reached and whether that is enough (None: not known)."""
    rows = []
    for target in case.targets:
        value = target.value(done)
        met = None if value is None else target.met(value)
        wanted = f"{'>=' if target.at_least else '<='} {target.limit:g} {target.unit}".rstrip()
        rows.append(
            {"target": target.text, "wanted": wanted, "got": value, "unit": target.unit, "met": met}
        )
    return rows


def target_table(rows: list[dict[str, Any]]) -> Table:
    """Table of targets, with its head."""
    verdicts = {True: "met", False: "MISSED", None: "not known"}
    table = [["target", "wanted", "got", ""]]
    for row in rows:
        got = "" if row["got"] is None else f"{row['got']:.3g} {row['unit']}".rstrip()
        table.append([row["target"], row["wanted"], got, verdicts[row["met"]]])
    return table


def plain(table: Table) -> str:
    """Lay a table out in columns; figures to the right, words to the left."""
    columns = len(table[0])
    full = [row + [""] * (columns - len(row)) for row in table]
    widths = [max(len(row[c]) for row in table if len(row) == columns) for c in range(columns)]
    widths[0] = max(len(row[0]) for row in table)
    lines = []
    for row, cells in zip(table, full, strict=True):
        if len(row) < columns:
            lines.append(f"  {row[0]:<{widths[0]}}  {row[1]}")
            continue
        ends = (0, columns - 1)
        padded = [
            cell.ljust(width) if column in ends else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        lines.append(("  " + "  ".join(padded)).rstrip())
    return "\n".join(lines)


def markdown(table: Table) -> str:
    """Lay a table out for Markdown."""
    columns = len(table[0])
    rows = [row + [""] * (columns - len(row)) for row in table]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * columns + "|", *lines[1:]])


def sizes(collections: list[Collection]) -> str:
    """Describe the collections in a line each."""
    lines = []
    for c in collections:
        spec, about = c.about["spec"], c.about
        lines.append(
            f"{c.name}: {spec['runs']} x {spec['topics']:,} topics x {spec['depth']:,} documents, "
            f"{about['lines']:,} lines, {about['bytes'] / 1e6:,.0f} MB, "
            f"{about['judgments']:,} judgments"
        )
    return "\n".join(lines)


def text(case: Case, done: Outcomes, collections: list[Collection]) -> str:
    """Give the whole report of a case."""
    parts = [f"\n== {case.name}: {case.title}", sizes(collections), plain(timing_table(done)), ""]
    return "\n".join([*filter(None, parts), "", plain(target_table(judged(case, done)))])


def busy(done: Outcomes) -> list[str]:
    """Entries whose times scatter so much that the machine was not quiet."""
    return [o.entry.label for o in done.values() if len(o.samples) > 1 and o.spread > BUSY]


def raw(outcome: Outcome) -> dict[str, Any]:
    """Keep everything that was measured of one entry."""
    return {
        "tool": outcome.entry.tool,
        "collection": outcome.entry.collection,
        "status": outcome.status,
        "numbers": outcome.numbers,
        "seconds": [round(s.seconds, 4) for s in outcome.samples],
        "cpu_seconds": [round(s.cpu_seconds, 4) for s in outcome.samples],
        "peak_mb": [round(s.peak_mb, 1) for s in outcome.samples],
        "values": outcome.values[0] if outcome.values else None,
    }


def save(
    case: Case, done: Outcomes, collections: list[Collection], context: dict[str, Any]
) -> Path:
    """Keep the raw figures of a case as JSON."""
    record = {
        "case": case.name,
        "title": case.title,
        **context,
        "collections": {c.name: c.about for c in collections},
        "entries": {label: raw(outcome) for label, outcome in done.items()},
        "targets": judged(case, done),
        "times": timing_table(done),
        "scattered": busy(done),
    }
    path = RESULTS / f"{context['date']}-{case.name}.json"
    RESULTS.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")
    return path


def section(record: dict[str, Any]) -> str:
    """One case in the summary."""
    machine, versions = record["machine"], record["versions"]
    known = ", ".join(f"{name} {v}" for name, v in versions.items() if v)
    where = (
        f"{record['date']}. {machine['cpu']}, {machine['cores_used']} of {machine['cores']} cores, "
        f"{machine['memory_gb']} GB, {machine['system']}; {known}."
    )
    lines = [f"## {record['case']}: {record['title']}", where]
    if record["scattered"]:
        lines.append(f"Times scattered (busy machine?): {', '.join(record['scattered'])}.")
    tables = [markdown(record["times"]), markdown(target_table(record["targets"]))]
    return "\n\n".join([*lines, *tables])


def study(record: dict[str, Any]) -> str:
    """Say what a study without times, such as the calibration, found, and where all of it is."""
    head = f"## {record['case']}: {record['title']}"
    rest = f"All figures: [{record['page']}]({record['page']})."
    return "\n\n".join([head, record["about"], markdown(record["summary"]), rest])


def summarise(order: list[str]) -> None:
    """Write `results/README.md` from the latest record of each case."""
    latest: dict[str, dict[str, Any]] = {}
    for path in sorted(RESULTS.glob("*.json")):  # names begin with the date
        record = json.loads(path.read_text())
        latest[record["case"]] = record
    origin = (
        "Written by `bench/run.py` from the JSON files beside it; do not edit. "
        "What is measured, and how, stands in [the README above](../README.md)."
    )
    parts = [
        "# Latest figures",
        origin,
        *(section(latest[name]) for name in order if name in latest),
        *(study(record) for record in latest.values() if "page" in record),
    ]
    (RESULTS / "README.md").write_text("\n\n".join(parts) + "\n")
