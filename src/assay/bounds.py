"""The lowest and the highest value that judging the unjudged documents could give.

The documents in question are those that the run retrieved and nobody judged. Raising a document's
grade helps most where it stands highest and, through the ideal ranking, hurts most where it stands
lowest; so the extremes are sought among the assignments that give the top grade to the m best or to
the m worst placed unjudged documents, for every m.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.errors import AssayError
from assay.measures.measure import Measure
from assay.ranking import Ranking

__all__ = ["bound"]

Array = np.ndarray[Any, np.dtype[Any]]

FIELDS = {"grade", "rank", "base", "judged", "retrieved", "pooled"}  # those built here
ROWS_CELLS = 1 << 18


def bound(measure: Measure, ranking: Ranking, side: str, top: float) -> Array:
    """The bound of each list: `side` is lowest or highest, `top` the best grade of the scale."""
    if not FIELDS.issuperset(measure.definition.fields):
        raise AssayError(
            f"{measure}: bounds over unjudged documents exist only for measures on grades and ranks"
        )
    better = measure.definition.higher_is_better
    pick = np.nanmin if (side == "lowest") == better else np.nanmax
    out = np.full(len(ranking.retrieved), np.nan)
    for i in range(len(out)):
        values = np.concatenate(list(_values(measure, ranking, i, max(top, 1.0))))
        if not np.isnan(values).all():
            out[i] = pick(values)
    plain = measure.kernel(**{name: getattr(ranking, name) for name in measure.definition.fields})
    return np.where(np.isnan(plain), np.nan, out)  # undefined stays a matter of the judgments


def _values(measure: Measure, ranking: Ranking, i: int, top: float) -> Any:
    """Values under the assignments that can be extreme, some rows at a time."""
    real = np.isfinite(ranking.rank[i])
    rank, grade = ranking.rank[i][real].astype(np.int64), ranking.grade[i][real]
    n = int(ranking.retrieved[i])
    known = ranking.base[i][: int(ranking.judged[i])]
    dense = np.zeros(max(1, n))
    dense[rank - 1] = grade
    open_ranks = np.setdiff1d(np.arange(1, n + 1), rank)
    unknown = len(open_ranks)
    rows = max(1, ROWS_CELLS // max(1, n + len(known)))
    for from_top in (True, False):
        order = open_ranks if from_top else open_ranks[::-1]
        for begin in range(0, unknown + 1, rows):
            raised = np.arange(begin, min(begin + rows, unknown + 1))
            lists = np.tile(dense, (len(raised), 1))
            base = np.zeros((len(raised), max(1, len(known) + unknown)))
            base[:, : len(known)] = known
            for row, many in enumerate(raised):
                lists[row, order[:many] - 1] = top
                base[row, len(known) : len(known) + many] = top
            base = -np.sort(-base, axis=-1)
            shape = (len(raised),)
            places = np.arange(1, n + 1, dtype=np.float64) if n else np.array([np.inf])
            filled = Ranking(
                grade=lists,
                rank=np.broadcast_to(places, lists.shape),
                base=base,
                judged=np.full(shape, float(len(known) + unknown)),
                retrieved=np.full(shape, float(n)),
                pooled=np.full((len(raised), 1), np.inf),
            )
            yield np.atleast_1d(
                measure.kernel(
                    **{name: getattr(filled, name) for name in measure.definition.fields}
                )
            )
