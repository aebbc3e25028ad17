"""Judgments of several judges: `topic judge doc grade`."""

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
    """The rows, each with its judge."""
    return read_laid_out(origin, wanted, Layout(BLANKS, 4, Chosen(0, 2, 3, part=1)))
