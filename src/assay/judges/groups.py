"""Judgments made of several judges': A, B, either (C), both (D), the majority, the consensus.

Lesk & Salton 1968, Table 2. Documents judged by all judges of their topic count; with
`available`, those that any judge of the topic judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.judges.tabular import Array

__all__ = ["BOTH", "CONSENSUS", "EITHER", "MAJORITY", "Groups", "grouped", "lower_median"]

EITHER, BOTH, MAJORITY, CONSENSUS = "C (either)", "D (all)", "majority", "consensus"


@dataclass(frozen=True)
class Groups:
    """A row of grades for each way to put judges together; NaN where a document does not count."""

    names: tuple[str, ...]
    grade: Array  # [name, pair]
    counted: int  # pairs that count
    judged: int  # pairs that any judge judged
    graded: bool  # C and D keep the scale; otherwise they say relevant or not


def grouped(
    grade: Array,
    topic: Array,
    has: Array,
    *,
    judges: tuple[str, ...],
    rel: tuple[float, ...],
    available: bool = False,
) -> Groups:
    """Put judges together; has[judge, topic] says who judged which topic at all."""
    known = ~np.isnan(grade)
    asked = has[:, topic]  # who should have judged the pair
    full = known.any(axis=0) if available else (known | ~asked).all(axis=0) & known.any(axis=0)
    relevant = known & (grade >= np.asarray(rel)[:, None])
    tops = np.nanmax(grade, axis=1)
    graded = len(set(rel)) == 1 and len(set(tops.tolist())) == 1
    count, votes = known.sum(axis=0), relevant.sum(axis=0)
    with np.errstate(invalid="ignore"):
        if graded:
            either = np.where(known, grade, -np.inf).max(axis=0)
            both = np.where(known, grade, np.inf).min(axis=0)
        else:
            either, both = (votes > 0) * 1.0, (votes == count) * 1.0
    rows: list[tuple[str, Array]] = [
        (judge, np.where(known[j], grade[j], np.nan)) for j, judge in enumerate(judges)
    ]
    if len(judges) > 1:
        rows += [(EITHER, either), (BOTH, both)]
        if len(judges) > 2:
            rows.append((MAJORITY, (2 * votes > count) * 1.0))
        if graded and len(judges) > 2:  # of two it is D
            rows.append((CONSENSUS, lower_median(grade)))
    table = np.stack([np.where(full, row, np.nan) for _, row in rows])
    return Groups(
        tuple(name for name, _ in rows),
        table,
        int(full.sum()),
        int(known.any(axis=0).sum()),
        graded,
    )


def lower_median(grade: Array) -> Array:
    """The middle grade of each column, the lower of the two where their number is even."""
    ordered = np.sort(grade, axis=0)  # NaN last
    count = (~np.isnan(grade)).sum(axis=0)
    place = np.maximum(count - 1, 0) // 2
    return np.asarray(np.take_along_axis(ordered, place[None, :], axis=0)[0])
