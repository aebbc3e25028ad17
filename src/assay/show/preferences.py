"""Tables on preferences: consistency, distances, merged orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.axioms import ACYCLICITY, ASYMMETRY, TRANSITIVITY
from assay.distances import COLUMNS
from assay.show.page import Page
from assay.show.table import Grid
from assay.show.text import number

if TYPE_CHECKING:
    from assay.consistency import Consistency, Finding
    from assay.distances import Distances

__all__ = ["consistency_page", "distances_page"]


def consistency_page(found: Consistency) -> Page:
    """A row for each topic and judge; then the violations listed and the verdicts to drop."""
    judged = any(each.judge is not None for each in found.findings)
    heads = (
        "topic",
        *(["judge"] * judged),
        "verdict",
        "docs",
        "statements",
        "votes",
        "implied",
        "unknown",
        "asym.",
        "neg. trans.",
        "long cycles",
        "drop",
    )
    rows = tuple(_row(each, judged=judged) for each in found.findings)
    left = frozenset(range(3 if judged else 2))
    return Page((Grid(heads, rows, left=left),), (found.summary, *found.notes))


def _row(each: Finding, *, judged: bool) -> tuple[str, ...]:
    drop = "" if each.drop is None else f"{each.drop.votes}{'' if each.drop.exact else '*'}"
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


def distances_page(found: Distances) -> Page:
    """A row for each topic, and one for all."""
    heads = ("topic", "C+", "C-", "C^u", "C^s", "tied", "unknown", "beta", "dpm", "C", "ndpm")
    topics = [*found.topics.items(), ("all", found.total)]
    rows = []
    for topic, each in topics:
        cells = [getattr(each, name) for name in COLUMNS]
        shown = [number(cell) if isinstance(cell, float) else str(cell) for cell in cells]
        rows.append((topic, *shown))
    note = f"user {found.user}, system {found.system}; mean of ndpm over topics {number(found.mean)}"
    return Page((Grid(heads, tuple(rows)),), (note,))
