"""Runs and judgments to files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, RUN
from assay.io.write import Content, write
from assay.judgments import Judgments, read_judgment_sets
from assay.run import Run, read_runs

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_judgments", "write_run"]


def write_run(run: Any, path: str | Path, *, format: str | None = None) -> None:  # noqa: A002
    """Write a run, or several under a column `run`; what is read back is what was written.

    The form is `format`, or what the file's suffix says: .csv, .tsv, .jsonl, .json, .parquet,
    .arrow, each but the last two also with .gz, .bz2, .xz or .zst; TREC's otherwise. `marco` keeps
    the order but not the scores. The file appears whole or not at all.
    """
    runs = _several(run, Run, read_runs, "a run")
    tag = runs[0][1].tag or runs[0][0]
    write(Content(RUN, _stacked(runs, "run"), runs[0][0], tag), path, format)


def write_judgments(judgments: Any, path: str | Path, *, format: str | None = None) -> None:  # noqa: A002
    """Write judgments, or those of several judges under a column `judge`; see `write_run`."""
    sets = _several(judgments, Judgments, read_judgment_sets, "judgments")
    write(Content(JUDGMENTS, _stacked(sets, "judge"), sets[0][0]), path, format)


def _several(given: Any, kind: type, read: Any, what: str) -> list[tuple[str, Any]]:
    """Each set or run that is given, with its label."""
    verb = "are" if kind is Judgments else "is"
    if isinstance(given, Run | Judgments):
        if not isinstance(given, kind):
            raise AssayError(f"{given!r} stands where {what} {verb} expected")
        return [(given.label, given)]
    if (
        isinstance(given, Mapping)
        and given
        and all(isinstance(each, kind) for each in given.values())
    ):
        return [(str(label), each) for label, each in given.items()]
    return list(read(given).items())


def _stacked(items: list[tuple[str, Any]], part: str) -> pl.DataFrame:
    """One frame; with several items their labels come first."""
    if len(items) == 1:
        alone: pl.DataFrame = items[0][1].frame
        return alone
    frames: list[pl.DataFrame] = [item.frame for _, item in items]
    named = zip(items, frames, strict=True)
    return pl.concat(
        [each.select(pl.lit(label).alias(part), pl.all()) for (label, _), each in named]
    )
