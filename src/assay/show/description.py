"""A description as tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.show.sheet import Sheet
from assay.show.table import Grid
from assay.show.text import share

if TYPE_CHECKING:
    from assay.description import Description, JudgmentFacts, RunFacts

__all__ = ["description_page"]

MANY = 8  # runs up to which overlap and tau are shown as squares


def description_page(found: Description) -> Sheet:
    """Judgments, runs, how alike these are; the findings as notes."""
    grids = [_judgments(found.judgments), _grades(found.judgments)]
    if found.runs:
        grids += [_runs(found.runs), _judged(found.runs)]
    if 1 < len(found.runs) <= MANY:
        grids += [_square("overlap@20", found.overlap), _square("tau@20", found.tau)]
    elif len(found.runs) > MANY:
        grids.append(_nearest(found))
    return Sheet("A look before measuring", tuple(grids), tuple(map(str, found.findings)))


def _judgments(facts: tuple[JudgmentFacts, ...]) -> Grid:
    heads = ("judgments", "rows", "topics", "relevant", "per topic", "median")
    rows = tuple(
        (
            each.label,
            f"{each.judgments}",
            f"{each.topics}",
            f"{each.relevant}",
            f"{each.relevant_least}-{each.relevant_most}",
            f"{each.relevant_median:g}",
        )
        for each in facts
    )
    return Grid(heads, rows)


def _grades(facts: tuple[JudgmentFacts, ...]) -> Grid:
    levels = sorted({grade for each in facts for grade in each.grades}, key=float)
    if len(levels) > 12:
        levels = [*levels[:6], *levels[-6:]]
    rows = tuple(
        (each.label, *(f"{each.grades.get(level, 0) / each.judgments:.1%}" for level in levels))
        for each in facts
    )
    return Grid(("share of grade", *levels), rows, folds=True)


def _runs(facts: tuple[RunFacts, ...]) -> Grid:
    heads = (
        "runs",
        "rows",
        "topics",
        "missing",
        "depth",
        "tied",
        "pool depth",
        "relevant",
        "unique",
    )
    rows = tuple(
        (
            each.label,
            f"{each.documents}",
            f"{each.topics}",
            f"{each.missing}",
            f"{each.depth_least}-{each.depth_most}",
            f"{each.tied:.0%}",
            f"{each.pool_depth}",
            f"{each.relevant}",
            f"{each.unique}" if len(facts) > 1 else "-",
        )
        for each in facts
    )
    return Grid(heads, rows, folds=True)


def _judged(facts: tuple[RunFacts, ...]) -> Grid:
    depths = list(dict.fromkeys(k for each in facts for k in each.judged))
    rows = tuple(
        (each.label, *(share(each.judged.get(k, math.nan)) for k in depths)) for each in facts
    )
    return Grid(("Judged@k", *depths), rows, folds=True)


def _square(title: str, values: dict[str, dict[str, float]]) -> Grid:
    labels = list(values)
    rows = tuple((a, *("" if a == b else share(values[a][b]) for b in labels)) for a in labels)
    return Grid((title, *labels), rows, folds=True)


def _nearest(found: Description) -> Grid:
    """For each run the one that is most like it."""
    rows = []
    for label, others in found.overlap.items():
        near = max(others, key=lambda other: (others[other], other))
        rows.append((label, near, share(others[near]), share(found.tau[label][near])))
    return Grid(("nearest run", "is", "overlap@20", "tau@20"), tuple(rows), left=frozenset({0, 1}))
