"""trec_eval's values as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.show.sheet import Sheet
from assay.show.table import Grid
from assay.show.text import number

if TYPE_CHECKING:
    from assay.trec.evaluation import TrecScores

__all__ = ["trec_page"]


def trec_page(found: TrecScores) -> Sheet:
    """One line for each measure, over all topics."""
    rows = [
        (name, f"{value:g}" if value == int(value) and abs(value) > 1 else number(value))
        for name, value in found.summary.items()
    ]
    many = len(found.topics)
    made = f"{many} topic{'' if many == 1 else 's'} scored as trec_eval does"
    return Sheet(
        "trec_eval", (Grid((found.tag or "run", "all"), tuple(rows)),), (), (made,), (), ()
    )
