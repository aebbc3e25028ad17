"""What a caller may give as judgments and as runs: files, dictionaries, frames, one or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from assay.errors import AssayError
from assay.io.spool import once_only
from assay.io.stream import label_of
from assay.judgments import Judgments, read_judgments
from assay.preferences import GRADES, Preferences
from assay.run import Run

__all__ = ["Source", "inputs"]


@dataclass(frozen=True)
class Source:
    """A run to evaluate: in memory, or a file that is read piece by piece."""

    label: str
    run: Run | None = None
    path: str | Path | None = None


def inputs(judgments: Any, runs: Any, *, strict: bool) -> tuple[list[Judgments], list[Source]]:
    """Judgment sets, read, and runs, still to be read, each under a label of its own."""
    given_judges, given_runs = _several(judgments), _several(runs)
    paths = [given for _, given in (*given_judges, *given_runs) if isinstance(given, str | Path)]
    once_only([str(path) for path in paths])
    sources = [_source(given, label) for label, given in given_runs]
    _distinct([source.label for source in sources], "runs")
    judges = [_judge(given, label, strict=strict) for label, given in given_judges]
    _distinct([judge.label for judge in judges], "judgment sets")
    return judges, sources


def _several(given: Any) -> list[tuple[str | None, Any]]:
    """What is given, each with its label if it has one."""
    if isinstance(given, Mapping | list | tuple) and not given:
        kind = "dictionary" if isinstance(given, Mapping) else "list"
        raise AssayError(f"an empty {kind}: no judgments, or no run, to work with")
    if isinstance(given, list | tuple):
        return [(None, item) for item in given]
    if isinstance(given, Mapping) and _by_label(given):
        return [(str(label), item) for label, item in given.items()]
    return [(None, given)]


def _by_label(given: Mapping[Any, Any]) -> bool:
    """Whether a dictionary holds several sets or runs, rather than the topics of one."""
    for item in given.values():
        if isinstance(item, str | Path | Run | Judgments | Preferences | pl.DataFrame):
            return True
        if isinstance(item, Mapping) and item:
            return isinstance(next(iter(item.values())), Mapping)
    return False


def _judge(given: Any, label: str | None, *, strict: bool) -> Judgments:
    if isinstance(given, str | Path):
        return read_judgments(given, label=label, strict=strict)
    if isinstance(given, Judgments):
        return given if label is None else given.labelled(label)
    if isinstance(given, Preferences):
        raise AssayError(f"{given!r} stands where grades are expected; {GRADES}")
    if isinstance(given, Run):
        raise AssayError(f"{given!r} stands where judgments are expected; judgments come first")
    return Judgments(given, label=label or "judgments")


def _source(given: Any, label: str | None) -> Source:
    if isinstance(given, str | Path):
        return Source(label or label_of(given), path=given)
    if isinstance(given, Run):
        return Source(label or given.label, run=given)
    if isinstance(given, Judgments | Preferences):
        raise AssayError(f"{given!r} stands where a run is expected; judgments come first")
    label = label or "run"
    return Source(label, run=Run(given, label=label))


def _distinct(labels: list[str], what: str) -> None:
    for label in labels:
        if labels.count(label) > 1:
            raise AssayError(
                f"{labels.count(label)} {what} are labelled {label!r}; labels come from file "
                "names: give each its own, as NAME=FILE in the shell or {'name': file} in Python"
            )
