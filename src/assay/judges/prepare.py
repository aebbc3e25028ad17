"""Bring judges together: scales mapped, labels out of scale, thresholds, groups of topics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.judges.tabular import listed
from assay.judgments import Judgments

if TYPE_CHECKING:
    from assay.judges.tabular import Array

__all__ = [
    "STRAY",
    "read_groups",
    "rescaled",
    "thresholds",
    "topic_groups",
    "unknown_names",
]

STRAY = ("keep", "drop", "clip")

Mapped = Mapping[Any, Any]  # grade to grade, or (low, high) to (low, high)


def rescaled(
    judges: Sequence[Judgments],
    *,
    mapping: Mapping[Any, Any] | None = None,
    scale: tuple[float, float] | None = None,
    stray: str = "keep",
) -> tuple[list[Judgments], list[str]]:
    """Judges on one scale, and notes on what was done.

    `mapping` takes grades to grades, `{5: 3}`, or ranges of them to ranges, `{(0, 1): (0, 3)}`, for
    all judges, or by label, `{"llm": {5: 3}}`. Grades outside `scale` after that are kept, dropped
    (the pair is then not judged), or clipped.
    """
    _check_scale(scale, stray)
    tables = _mappings(mapping or {}, [judge.label for judge in judges])
    out, notes = [], []
    for judge in judges:
        frame = judge.frame
        if tables[judge.label]:
            grades = _mapped(frame["grade"].to_numpy(), tables[judge.label])
            frame = frame.with_columns(pl.Series("grade", grades))
        if scale is not None:
            low, high = scale
            outside = (pl.col("grade") < low) | (pl.col("grade") > high)
            strays = frame.filter(outside)
            if strays.height:
                values = sorted(strays["grade"].unique().to_list())
                shown = listed([f"{value:g}" for value in values], 12)
                what = {"keep": "kept", "drop": "dropped", "clip": "clipped"}[stray]
                notes.append(
                    f"{judge.label}: {strays.height} grades outside {low:g} to {high:g} ({shown}), "
                    f"{what}"
                )
            if stray == "drop":
                frame = frame.filter(~outside)
            elif stray == "clip":
                frame = frame.with_columns(pl.col("grade").clip(low, high))
        same = frame is judge.frame
        if not frame.height:
            raise AssayError(f"{judge.label}: no grade lies within the scale")
        out.append(judge if same else Judgments(frame, label=judge.label, origin=judge.origin))
    if scale is None:
        notes += _ranges(out)
    return out, notes


def _mappings(mapping: Mapping[Any, Any], labels: list[str]) -> dict[str, Mapped]:
    if any(isinstance(value, Mapping) for value in mapping.values()):
        return _by_label(mapping, labels, {}, "mapping")
    return dict.fromkeys(labels, mapping)


def _check_scale(scale: tuple[float, float] | None, stray: str) -> None:
    if stray not in STRAY:
        raise AssayError(f"stray={stray!r}: must be one of {', '.join(map(repr, STRAY))}")
    if scale is None:
        return
    low, high = scale
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise AssayError(
            f"scale {low:g}..{high:g}: expected its lower end, then its upper one, such as 0..3"
        )


def _by_label(
    given: Mapping[str, Any], labels: Sequence[str], default: Any, what: str
) -> dict[str, Any]:
    """What each judge is given, by label or by a pattern such as `gpt*`; the last that fits."""
    found = dict.fromkeys(labels, default)
    for name, value in given.items():
        fits = [label for label in labels if label == name or fnmatchcase(label, name)]
        if not fits:
            raise AssayError(f"{what}: no judge is labelled {name!r}; there are {listed(labels)}")
        found |= dict.fromkeys(fits, value)
    return found


def _mapped(grades: Array, table: Mapped) -> Array:
    """Single grades by the table, ranges of grades stretched to ranges; others stay."""
    out = grades.astype(np.float64)
    for old, new in table.items():
        if isinstance(old, tuple) != isinstance(new, tuple):
            raise AssayError(f"mapping {old} to {new}: a grade goes to a grade, a range to a range")
        if isinstance(old, tuple):
            (a, b), (c, d) = old, new
            if not a < b:
                raise AssayError(f"mapping {a:g}..{b:g}: the first end must be the lower one")
            _check_grades(a, b, c, d)
            inside = (grades >= a) & (grades <= b)
            out[inside] = c + (grades[inside] - a) / (b - a) * (d - c)
        else:
            _check_grades(old, new)
            out[grades == old] = new
    return out


def _check_grades(*grades: float) -> None:
    for grade in grades:
        if not math.isfinite(grade):
            raise AssayError(f"mapping: {grade:g} is no grade; expected finite numbers")


def _ranges(judges: Sequence[Judgments]) -> list[str]:
    """Say which judges use grades that the first does not span."""
    spans = [_span(judge) for judge in judges]
    low, high = spans[0]
    other = [
        f"{judge.label} {a:g} to {b:g}"
        for judge, (a, b) in zip(judges, spans, strict=True)
        if (a, b) != (low, high)
    ]
    if not other:
        return []
    return [
        (
            f"grades of {judges[0].label} run from {low:g} to {high:g}, of others: "
            f"{listed(other)}; --map and --scale bring them together"
        )
    ]


def _span(judge: Judgments) -> tuple[float, float]:
    grades = judge.frame["grade"].to_numpy()
    return float(np.min(grades)), float(np.max(grades))


def thresholds(rel: float | Mapping[str, float], labels: Sequence[str]) -> tuple[float, ...]:
    """Each judge's lowest relevant grade: one number, or by label or pattern (1 for the others)."""
    if isinstance(rel, Mapping):
        found = tuple(map(float, _by_label(rel, labels, 1.0, "rel").values()))
    else:
        found = (float(rel),) * len(labels)
    for each in found:
        if not math.isfinite(each):
            raise AssayError(f"rel={each:g}: expected the lowest relevant grade, a finite number")
    return found


def read_groups(path: str | Path, what: str = "topic") -> dict[str, str]:
    """Group by name from lines of two columns, such as `301 history`; # begins a comment."""
    found: dict[str, str] = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8-sig").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        fields = text.split("\t") if "\t" in text else text.split(None, 1)
        if len(fields) != 2:
            raise AssayError(f"{path}:{number}: expected a {what} and its group, found {text!r}")
        name, group = (field.strip() for field in fields)
        if found.setdefault(name, group) != group:
            raise AssayError(
                f"{path}:{number}: {what} {name!r} is in two groups, {found[name]!r} and {group!r}"
            )
    return found


def unknown_names(what: str, names: Iterable[str], runs: Sequence[str]) -> list[str]:
    """A note on names of a list that are no run's, since one may be misspelt."""
    strange = [name for name in names if name not in set(runs)]
    if not strange:
        return []
    many = f"{len(strange)} names are" if len(strange) > 1 else "1 name is"
    return [f"{what}: {many} of no run here ({listed(strange, 4)})"]


def topic_groups(groups: Any, topics: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The group of each topic, `-` where it has none; from a file or a dictionary."""
    if groups is None:
        return {}
    of = (
        read_groups(groups)
        if isinstance(groups, str | Path)
        else {str(k): str(v) for k, v in groups.items()}
    )
    if not set(of) & set(topics):
        raise AssayError(
            f"groups: none of its topics is judged; judged is, for example, {topics[0]!r}"
        )
    return {"group": tuple(of.get(topic, "-") for topic in topics)}
