"""What each rank adds to a measure's value: the list read one document further.

A document's contribution is the value of the list down to it minus the value of the list down to
the document before. Contributions add up to the value, whatever the measure's formula, because the
kernel itself is asked for both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.measures.applying import apply

if TYPE_CHECKING:
    from assay.measures.measure import Measure
    from assay.ranking import Ranking

__all__ = ["contributions", "why_none"]

Array = np.ndarray[Any, np.dtype[Any]]

PREFIXED = frozenset(
    {"grade", "rank", "base", "judged", "retrieved", "pooled", "tie_first", "tie_last"}
)
CELLS = 1 << 20  # of one array in one call of a kernel


def why_none(measure: Measure) -> str:
    """Why a measure's value is not the sum of what its ranks add; empty where it is."""
    definition = measure.definition
    beyond = [name for name in definition.fields if name not in PREFIXED]
    if beyond:
        return f"it looks at more than grades and ranks ({', '.join(beyond)})"
    if "swap" in definition.exempt:
        return f"a better order may lower it: {definition.exempt['swap']}"
    return ""


def contributions(
    measure: Measure, ranking: Ranking, *, depth: float = np.inf, expected: bool = False
) -> Array | None:
    """What the judged document in each place adds, down to rank `depth`; 0 beyond the list.

    None where a list of nothing already has a value. NaN where the measure is undefined.
    """
    if measure.at is not None and measure.definition.cutoff != "recall level":
        depth = min(depth, measure.at)
    lists = len(ranking.grade)
    first = ranking.tie_first if expected and ranking.tie_first is not None else ranking.rank
    width = int((first <= depth).sum(axis=-1).max(initial=0))
    ranking = _narrow(ranking, width)
    found = np.zeros((lists, width))
    step = max(1, CELLS // max(1, width * (width + 1)))
    with np.errstate(invalid="ignore"):
        for begin in range(0, lists, step):
            part = _rows(ranking, slice(begin, begin + step))
            values = _by_length(measure, part, expected=expected)
            if np.any(np.nan_to_num(values[:, 0]) != 0):
                return None
            found[begin : begin + step] = np.diff(values, axis=-1)
    return found


def _narrow(ranking: Ranking, width: int) -> Ranking:
    """Lists of no more than their first judged documents."""
    fields = {
        name: value[:, :width]
        for name in ("grade", "rank", "tie_first", "tie_last")
        if (value := getattr(ranking, name)) is not None
    }
    return replace(ranking, **fields)


def _rows(ranking: Ranking, rows: slice) -> Ranking:
    fields = {
        name: value[rows] for name, value in vars(ranking).items() if isinstance(value, np.ndarray)
    }
    return replace(ranking, **fields)


def _by_length(measure: Measure, ranking: Ranking, *, expected: bool) -> Array:
    """Values of each list cut after its first 0, 1, ..., all judged documents."""
    lists, width = ranking.grade.shape
    keep = np.arange(width) < np.arange(width + 1)[:, None]  # [length, place]
    keep = np.broadcast_to(keep, (lists, width + 1, width))

    def cut(values: Any, padding: float) -> Any:
        if values is None:
            return None
        return np.where(keep, values[:, None, :], padding).reshape(-1, width)

    def again(values: Any) -> Any:
        return None if values is None else np.repeat(values, width + 1, axis=0)

    prefix = replace(
        ranking,
        grade=cut(ranking.grade, 0.0),
        rank=cut(ranking.rank, np.inf),
        tie_first=cut(ranking.tie_first, np.inf),
        tie_last=cut(ranking.tie_last, np.inf),
        pooled=again(ranking.pooled),
        base=again(ranking.base),
        judged=again(ranking.judged),
        retrieved=again(ranking.retrieved),
    )
    values = np.asarray(apply(measure, prefix, expected=expected), dtype=np.float64)
    return values.reshape(lists, width + 1)
