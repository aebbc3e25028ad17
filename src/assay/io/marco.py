"""MS MARCO's runs: `topic doc rank`, or `topic doc` in rank order. The rank gives the order.

A document's score is its rank, negated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.delimited import BATCH, BLANKS, Layout, fields_of, first_line, read_laid_out
from assay.io.lines import RUN, data_lines, shown
from assay.io.names import Chosen
from assay.io.stream import pieces
from assay.io.tables import NO_PIECE, Wanted
from assay.io.trec import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.io.locate import Origin

__all__ = ["is_marco", "read"]

PLACEHOLDERS = ("Q0", "q0", "0")  # second columns of TREC files that were cut


def read(origin: Origin, wanted: Wanted) -> Iterator[Rows]:
    """The rows of a file, which has three columns or two."""
    number, line = first_line(origin)
    width = len(fields_of(line))
    if width == 3:
        return read_laid_out(origin, wanted, Layout(BLANKS, 3, Chosen(0, 1, 2, ranked=True)))
    if width == 2:
        return _in_order(origin, wanted)
    raise AssayError(
        f"{origin.name}:{number}: expected MS MARCO's 3 columns (topic doc rank) or 2 (topic doc), "
        f"found {width}: {shown(line.encode())}"
    )


def _in_order(origin: Origin, wanted: Wanted) -> Iterator[Rows]:
    """Two columns: a document's rank is its place among its topic's lines."""
    seen: dict[str, int] = {}
    topics: list[str] = []
    docs: list[str] = []
    ranks: list[int] = []
    lines: list[int] = []
    for piece in pieces(origin.path or origin.name, name=origin.name):
        for number, line in data_lines(piece.data, piece.line):
            pair = _pair(line, f"{origin.name}:{number}", wanted)
            if pair is None:
                continue
            topic, doc = pair
            seen[topic] = rank = seen.get(topic, 0) + 1
            topics.append(topic)
            docs.append(doc)
            ranks.append(rank)
            lines.append(number)
            if len(lines) >= BATCH:
                yield _made(topics, docs, ranks, lines)
                topics, docs, ranks, lines = [], [], [], []
    if lines:
        yield _made(topics, docs, ranks, lines)


def _made(topics: list[str], docs: list[str], ranks: list[int], lines: list[int]) -> Rows:
    topic = pl.Series("topic", topics, dtype=pl.String)
    doc = pl.Series("doc", docs, dtype=pl.String)
    return Rows(topic, doc, -np.asarray(ranks, dtype=np.float64), NO_PIECE, lines)


def _pair(line: bytes, where: str, wanted: Wanted) -> tuple[str, str] | None:
    try:
        fields = fields_of(line.decode())
        if len(fields) == 2 and "\0" not in line.decode():
            return fields[0], fields[1]
        kind, message = (
            "a wrong number of columns",
            f"expected 2 columns (topic doc), found {len(fields)}",
        )
    except UnicodeDecodeError as error:
        kind = "invalid UTF-8"
        message = f"byte {line[error.start]:#04x} is not valid UTF-8; expected UTF-8 text"
    if wanted.dropped is None:
        raise AssayError(f"{where}: {message}: {shown(line)}")
    wanted.dropped.add(kind, where)
    return None


def is_marco(origin: Origin, line: str) -> bool:
    """Whether every line has the shape of MS MARCO's runs, so that none was cut.

    Three columns: each topic's ranks are 1, 2, ..., n, or 0, 1, ..., n - 1, in some order. Two
    columns: separated by a tab.
    """
    fields = fields_of(line)
    if len(fields) not in (2, 3) or fields[1] in PLACEHOLDERS:
        return False
    if (len(fields) == 2 and "\t" not in line) or (len(fields) == 3 and not fields[2].isdecimal()):
        return False
    try:
        parts = [
            pl.DataFrame({"topic": rows.topic, "rank": -rows.value})
            for rows in read(origin, Wanted(RUN))
        ]
    except AssayError:
        return False
    rank = pl.col("rank")
    found = (
        pl.concat(parts)
        .group_by("topic")
        .agg(low=rank.min(), high=rank.max(), kinds=rank.n_unique(), many=pl.len())
    )
    whole = (pl.col("kinds") == pl.col("many")) & (
        pl.col("high") - pl.col("low") + 1 == pl.col("many")
    )
    return bool(found.select((whole & pl.col("low").is_in([0.0, 1.0])).all()).item())
