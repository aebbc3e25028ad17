"""What a caller may give as judgments and as runs: files, dictionaries, frames, one or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from assay.errors import AssayError
from assay.io.forms import opened, several_in
from assay.io.frames import is_frame
from assay.io.lines import RUN
from assay.io.locate import Origin
from assay.io.objects import PREFIX, is_rows, nested
from assay.io.spool import once_only
from assay.io.stream import label_of
from assay.judgments import Judgments, read_judgment_sets
from assay.preferences import GRADES, Preferences
from assay.run import Run, read_run, read_runs

__all__ = ["File", "Source", "inputs", "loaded"]


@dataclass(frozen=True)
class Source:
    """A run to evaluate: in memory, or a file that is read piece by piece."""

    label: str
    run: Run | None = None
    path: str | Path | None = None
    format: str | None = None
    columns: Mapping[str, str | int] | None = None

    def labelled(self, label: str) -> Source:
        """The same run under another label."""
        return replace(self, label=label)


@dataclass(frozen=True)
class File:
    """A file to read with what its reader must be told."""

    path: str | Path
    format: str | None = None
    columns: Mapping[str, str | int] | None = None


def inputs(judgments: Any, runs: Any, *, strict: bool) -> tuple[list[Judgments], list[Source]]:
    """Judgment sets, read, and runs, still to be read, each under a label of its own.

    `runs` may be None: there are none.
    """
    given_judges, given_runs = _several(judgments), [] if runs is None else _several(runs)
    paths = [_path(given) for _, given in (*given_judges, *given_runs)]
    once_only([str(path) for path in paths if path is not None])
    given_sources = [_sources(given, label) for label, given in given_runs]
    _distinct([label for label, _ in given_sources], "runs")
    sets = [_judges(given, label, strict=strict) for label, given in given_judges]
    judges = [judge for each in _told_apart(sets) for judge in each]
    _distinct([judge.label for judge in judges], "judgment sets")
    parts = [
        (label, [part for source in each for part in _expanded(source, strict=strict)])
        for label, each in given_sources
    ]
    sources = [source for each in _told_apart(parts) for source in each]
    _distinct([source.label for source in sources], "runs")
    return judges, sources


def loaded(source: Source, *, strict: bool) -> Run:
    """The whole run in memory, under the source's label."""
    if source.run is not None:
        run = Run.__new__(Run)
        run.__dict__.update(source.run.__dict__ | {"label": source.label})
        return run
    return read_run(
        source.path, format=source.format, columns=source.columns, label=source.label, strict=strict
    )


def _path(given: Any) -> str | Path | None:
    given = given.path if isinstance(given, File) else given
    return given if isinstance(given, str | Path) else None


Labelled = TypeVar("Labelled", Source, Judgments)


def _told_apart(sets: list[tuple[str, list[Labelled]]]) -> list[list[Labelled]]:
    """Where several files hold equal labels, the file's own stands before them."""
    counts = Counter(item.label for _, items in sets for item in items)
    return [
        [
            item.labelled(f"{label}:{item.label}")
            if len(items) > 1 and counts[item.label] > 1
            else item
            for item in items
        ]
        for label, items in sets
    ]


def _expanded(source: Source, *, strict: bool) -> list[Source]:
    """The runs of a file, which may be several; its form is found out once."""
    if source.path is None:
        return [source]
    path = str(source.path)
    if path.startswith(PREFIX):
        return [replace(source, run=read_run(path, label=source.label), path=None)]
    if path == "-" or not Path(path).is_file():  # a pipe is read once; what is absent is said later
        return [source]
    origin = opened(Origin(path, path), RUN, format=source.format, columns=source.columns)
    form = "trec" if origin.door is None else origin.door.form
    if not several_in(origin, RUN):
        return [replace(source, format=form)]
    runs = read_runs(path, format=form, columns=source.columns, strict=strict)
    if len(runs) == 1:
        return [replace(source, run=run, path=None) for run in runs.values()]
    return [Source(label, run=run) for label, run in runs.items()]


def _several(given: Any) -> list[tuple[str | None, Any]]:
    """What is given, each with its label if it has one."""
    if isinstance(given, Mapping | list | tuple) and not given:
        kind = "dictionary" if isinstance(given, Mapping) else "list"
        raise AssayError(f"an empty {kind}: no judgments, or no run, to work with")
    if isinstance(given, list | tuple) and not is_rows(given):
        return [(None, item) for item in given]
    if isinstance(given, Mapping) and _by_label(given):
        return [(str(label), item) for label, item in given.items()]
    return [(None, given)]


def _by_label(given: Mapping[Any, Any]) -> bool:
    """Whether a dictionary holds several sets or runs, rather than the topics of one."""
    for item in given.values():
        if isinstance(item, str | Path | File | Run | Judgments | Preferences) or is_frame(item):
            return True
        if nested(item) is not None or (not isinstance(item, Mapping) and is_rows(item)):
            return True
        if isinstance(item, Mapping) and item:
            return isinstance(next(iter(item.values())), Mapping)
    return False


def _judges(given: Any, label: str | None, *, strict: bool) -> tuple[str, list[Judgments]]:
    """The judgment sets of what is given under one label: several where a column names judges."""
    if isinstance(given, str | Path):
        given = File(given)
    if isinstance(given, File):
        name = label or label_of(given.path)
        sets = read_judgment_sets(
            given.path, format=given.format, columns=given.columns, label=name, strict=strict
        )
        if len(sets) == 1:
            return name, [each.labelled(name) for each in sets.values()]
        return name, list(sets.values())
    if isinstance(given, Judgments):
        return given.label, [given if label is None else given.labelled(label)]
    if isinstance(given, Preferences):
        raise AssayError(f"{given!r} stands where grades are expected; {GRADES}")
    if isinstance(given, Run):
        raise AssayError(f"{given!r} stands where judgments are expected; judgments come first")
    name = label or "judgments"
    sets = read_judgment_sets(given, label=name, strict=strict)
    if len(sets) == 1:
        return name, [each.labelled(name) for each in sets.values()]
    return name, list(sets.values())


def _sources(given: Any, label: str | None) -> tuple[str, list[Source]]:
    """The runs of what is given under one label: several where a frame's column names runs."""
    if isinstance(given, File):
        source = Source(
            label or label_of(given.path), None, given.path, given.format, given.columns
        )
        return source.label, [source]
    if isinstance(given, str | Path):
        return label or label_of(given), [Source(label or label_of(given), path=given)]
    if isinstance(given, Run):
        return label or given.label, [Source(label or given.label, run=given)]
    if isinstance(given, Judgments | Preferences):
        raise AssayError(f"{given!r} stands where a run is expected; judgments come first")
    runs = read_runs(given, label=label)
    if len(runs) == 1:
        run = next(iter(runs.values()))
        name = label or ("run" if run.tag else run.label)
        return name, [Source(name, run=run)]
    return label or "runs", [Source(name, run=run) for name, run in runs.items()]


def _distinct(labels: list[str], what: str) -> None:
    for label in labels:
        if labels.count(label) > 1:
            raise AssayError(
                f"{labels.count(label)} {what} are labelled {label!r}; labels come from file "
                "names: give each its own, as NAME=FILE in the shell or {'name': file} in Python"
            )
