"""Tables on preferences: consistency, distances, merged orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.axioms import ACYCLICITY, ASYMMETRY, TRANSITIVITY
from assay.distances import COLUMNS
from assay.show.sheet import Sheet
from assay.show.table import Grid
from assay.show.text import number

if TYPE_CHECKING:
    from assay.consistency import Consistency, Finding
    from assay.distances import Distances
    from assay.merging import Merged
    from assay.orders import WeakOrder

__all__ = ["consistency_page", "distances_page", "levels_page", "merged_page"]

SHOWN = 10  # documents of an order that a table shows


def consistency_page(*checks: Consistency) -> Sheet:
    """A row for each topic and judge; then the violations listed and the verdicts to drop."""
    grids, said, made = [], [], []
    for found in checks:
        name = f"{found.label}: topic" if len(checks) > 1 else "topic"
        which = f"{found.label}: " if len(checks) > 1 else ""
        grids.append(_checked(found, name))
        said += [f"{which}{one}" for one in found.violations]
        said += [
            f"{which}{each.topic}{'' if each.judge is None else f', {each.judge}'}: drop {step}"
            for each in found.findings
            for step in each.dropped
        ]
        made.append(f"{which}{found.summary}")
    notes = tuple(dict.fromkeys(note for found in checks for note in found.notes))
    return Sheet("consistency", tuple(grids), tuple(said), tuple(made), notes)


def _checked(found: Consistency, name: str) -> Grid:
    judged = any(each.judge is not None for each in found.findings)
    heads = (
        name,
        *(["judge"] * judged),
        "verdict",
        "docs",
        "statements",
        "votes",
        "implied",
        "unknown",
        "asym.",
        "neg. trans.",
        "cycles",
        "drop",
    )
    rows = tuple(_row(each, judged=judged) for each in found.findings)
    return Grid(heads, rows, left=frozenset(range(3 if judged else 2)))


def _row(each: Finding, *, judged: bool) -> tuple[str, ...]:
    drop = "" if each.drop is None else str(each.drop.votes)
    if each.drop is not None and not each.drop.exact:
        drop = f"{each.drop.least} to {drop}"
    return (
        each.topic,
        *([each.judge or ""] * judged),
        each.verdict,
        str(each.documents),
        str(each.statements),
        str(each.votes),
        str(each.implied),
        str(each.unknown),
        *(str(each.counts.get(axiom, 0)) for axiom in (ASYMMETRY, TRANSITIVITY, ACYCLICITY)),
        drop,
    )


def distances_page(found: Distances) -> Sheet:
    """A row for each topic, and one for all."""
    heads = ("topic", "C+", "C-", "C^u", "C^s", "tied", "unknown", "beta", "dpm", "C", "ndpm")
    topics = [*found.topics.items(), ("all", found.total)]
    rows = []
    for topic, each in topics:
        cells = [getattr(each, name) for name in COLUMNS]
        shown = [number(cell) if isinstance(cell, float) else str(cell) for cell in cells]
        rows.append((topic, *shown))
    mean = number(found.mean)
    made = f"user {found.user}, system {found.system}; mean of ndpm over topics {mean}"
    return Sheet("distances", (Grid(heads, tuple(rows)),), print=(made,))


def merged_page(found: Merged) -> Sheet:
    """A row for each topic: how many documents and levels, what is contradicted, the best ones."""
    counted = any(each.contradicted is not None for each in found.topics.values())
    heads = (
        "topic",
        "voters",
        "docs",
        "levels",
        *(["contradicted", "at least"] * counted),
        "order",
    )
    rows = []
    for topic, each in found.topics.items():
        costs = [each.contradicted, each.least] if counted else []
        sizes = [each.voters, len(each.order), len(each.order.levels), *costs]
        rows.append((topic, *map(str, sizes), _cut(each.order)))
    left = frozenset({0, len(heads) - 1})
    method, *notes = found.notes
    return Sheet(found.method, (Grid(heads, tuple(rows), left=left),), (), (method,), tuple(notes))


def levels_page(orders: dict[str, WeakOrder], notes: tuple[str, ...] = ()) -> Sheet:
    """A row for each level of each topic."""
    rows = [
        (topic if not i else "", str(i + 1), str(len(order.levels) - 1 - i), " ".join(level))
        for topic, order in orders.items()
        for i, level in enumerate(order.levels)
    ]
    grid = Grid(("topic", "level", "utility", "documents"), tuple(rows), left=frozenset({0, 3}))
    return Sheet("levels", (grid,), notes=notes)


def _cut(order: WeakOrder) -> str:
    """The order as far as some documents, whole levels."""
    shown: list[str] = []
    many = 0
    for level in order.levels:
        if many and many + len(level) > SHOWN:
            break
        shown.append(" = ".join(level[:SHOWN]))
        many += len(level[:SHOWN])
    return " > ".join(shown) + (" > ..." if many < len(order) else "")
