"""A ranking as measures see it: the judged documents that runs retrieved, in rank order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Ranking"]


@dataclass(frozen=True)
class Ranking:
    """Arrays whose last axis is judged documents in rank order (see `assay.measures`).

    Fields that no measure asked for are None.
    """

    grade: Any
    rank: Any
    base: Any
    judged: Any
    retrieved: Any
    pooled: Any = None
    score: Any = None
    tie_first: Any = None
    tie_last: Any = None
    missed: Any = None
    scores: Any = None
    pair: Any = None
    base_pair: Any = None
    known: Any = None
    known_base: Any = None
    wanted: Any = None
    better: Any = None
    worse: Any = None
    votes: Any = None
    against: Any = None
    level_better: Any = None
    level_worse: Any = None
