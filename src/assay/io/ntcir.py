"""NTCIREVAL's judgments: `topic doc L2`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.io.delimited import BLANKS, Layout, read_laid_out
from assay.io.names import Chosen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.io.locate import Origin
    from assay.io.tables import Wanted
    from assay.io.trec import Rows

__all__ = ["read"]


def read(origin: Origin, wanted: Wanted) -> Iterator[Rows]:
    """The rows; level L2 is grade 2."""
    return read_laid_out(origin, wanted, Layout(BLANKS, 3, Chosen(0, 1, 2), levels=True))
