"""A document that stands twice in a ranked list: an error, or the best-ranked occurrence stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import RUN, Dropped

if TYPE_CHECKING:
    from assay.io.locate import Origin

    Mask = np.ndarray[Any, np.dtype[np.bool_]]

__all__ = ["best_rows"]

KIND = "a document given twice for a topic"


def best_rows(
    topic: pl.Series, doc: pl.Series, score: Any, origin: Origin, dropped: Dropped | None
) -> Mask | None:
    """Which rows stay, so that a document stands once in its topic; None: all of them.

    Strict where `dropped` is None; otherwise it counts what had to go.
    """
    key = np.sort(topic.hash(1).to_numpy() ^ doc.hash(2).to_numpy())
    if not (key[1:] == key[:-1]).any():  # a suspicion is confirmed below, on the strings
        return None
    pairs = pl.DataFrame({"topic": topic, "doc": doc})
    repeated = pairs.is_duplicated().to_numpy()
    rows = np.flatnonzero(repeated)
    if not len(rows):
        return None
    first = pairs.row(int(rows[0]))
    if dropped is None:
        raise _twice(origin, *first)
    best = (
        pairs[rows]
        .with_columns(row=pl.Series(rows), score=pl.Series(score[rows]))
        .sort("score", descending=True, maintain_order=True)
        .unique(["topic", "doc"], keep="first", maintain_order=True)
    )
    keep = ~repeated
    keep[best["row"].to_numpy()] = True
    where = origin.again(RUN, *first)[0] if KIND not in dropped.counts else ""
    dropped.add(KIND, where, len(rows) - best.height)
    return keep


def _twice(origin: Origin, topic: str, doc: str) -> AssayError:
    where, before = origin.again(RUN, topic, doc)
    return AssayError(
        f"{where}: document {doc!r} of topic {topic!r} stands twice in the list{before}; "
        "keep one of the two, or use --lenient (strict=False): the best-ranked one stays"
    )
