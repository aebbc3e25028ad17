"""Scores in formats for programs, at full precision."""

from __future__ import annotations

import csv
import io
import json
import math
import platform
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from assay import __version__
from assay.errors import AssayError
from assay.show.scores import remarks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import polars as pl

    from assay.scores import Scores

__all__ = ["text", "write_parquet"]

ALL = "all"  # stands for the mean where a topic would stand, as in trec_eval


class Row(NamedTuple):
    """One value and what it is of."""

    judge: str
    run: str
    measure: str
    topic: str
    value: float
    reason: str

    def names(self, *, judge: bool) -> list[str]:
        """What the value is of."""
        return [*([self.judge] if judge else []), self.run, self.measure, self.topic]


def _rows(scores: Scores, *, per_topic: bool) -> Iterator[Row]:
    for judge in scores.judges:
        for run in scores.runs:
            for measure in scores.measures:
                name = str(measure)
                if per_topic:
                    values = scores.of(run, measure, judge).tolist()
                    for topic, value in zip(scores.topics, values, strict=True):
                        reason = (
                            scores.reason(run, measure, topic, judge) if math.isnan(value) else ""
                        )
                        yield Row(judge, run, name, topic, value, reason)
                yield Row(judge, run, name, ALL, scores.average(run, measure, judge).value, "")


def text(scores: Scores, form: str, *, per_topic: bool = False) -> Iterator[str]:
    """The scores as text, in parts that may be written one after the other."""
    writers: dict[str, Callable[[], Iterator[str]]] = {
        "tsv": lambda: _tsv(scores, per_topic=per_topic),
        "csv": lambda: _csv(scores, per_topic=per_topic),
        "json": lambda: _json(scores, per_topic=per_topic),
        "jsonl": lambda: _jsonl(scores, per_topic=per_topic),
        "markdown": lambda: iter([f"{scores.table(per_topic=per_topic).to_markdown()}\n"]),
        "latex": lambda: iter([f"{scores.table(per_topic=per_topic).to_latex()}\n"]),
    }
    return writers[form]()


def _head(scores: Scores) -> list[str]:
    judge = ["judge"] if len(scores.judges) > 1 else []
    return [*judge, "run", "measure", "topic", "value"]


_TAB = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _tsv(scores: Scores, *, per_topic: bool) -> Iterator[str]:
    yield "\t".join(_head(scores)) + "\n"
    several = len(scores.judges) > 1
    for row in _rows(scores, per_topic=per_topic):
        words = [word.translate(_TAB) for word in row.names(judge=several)]
        yield "\t".join([*words, repr(row.value)]) + "\n"


def _csv(scores: Scores, *, per_topic: bool) -> Iterator[str]:
    several = len(scores.judges) > 1
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(_head(scores))
    for row in _rows(scores, per_topic=per_topic):
        writer.writerow([*row.names(judge=several), repr(row.value)])
        yield page.getvalue()
        page.seek(0)
        page.truncate()


def _jsonl(scores: Scores, *, per_topic: bool) -> Iterator[str]:
    several = len(scores.judges) > 1
    for row in _rows(scores, per_topic=per_topic):
        yield json.dumps(_object(row, judge=several), ensure_ascii=False) + "\n"


def _object(row: Row, *, judge: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"judge": row.judge} if judge else {}
    found |= {
        "run": row.run,
        "measure": row.measure,
        "topic": row.topic,
        "value": _finite(row.value),
    }
    if row.reason:
        found["reason"] = row.reason
    return found


def _finite(value: float) -> float | None:
    """A number as JSON knows them."""
    return value if math.isfinite(value) else None


def _json(scores: Scores, *, per_topic: bool) -> Iterator[str]:
    import numpy as np
    import polars as pl

    page: dict[str, Any] = {
        "versions": {
            "assay": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "polars": pl.__version__,
        },
        "policies": asdict(scores.policy),
        "judges": list(scores.judges),
        "runs": list(scores.runs),
        "measures": [str(measure) for measure in scores.measures],
        "topics": len(scores.topics),
        "notes": remarks(scores),
        "warnings": list(scores.warnings),
        "means": [
            {"judge": judge, "run": run, "measure": str(measure)}
            | {
                name: _finite(value) if isinstance(value, float) else value
                for name, value in asdict(scores.average(run, measure, judge)).items()
            }
            for judge in scores.judges
            for run in scores.runs
            for measure in scores.measures
        ],
    }
    lists = {"means": page.pop("means")}
    if per_topic:
        rows = _rows(scores, per_topic=True)
        lists["values"] = [_object(row, judge=True) for row in rows if row.topic != ALL]
    yield json.dumps(page, ensure_ascii=False, indent=2).removesuffix("\n}")
    for name, objects in lists.items():  # one object on each line, for eyes and for diff
        lines = ",\n".join("    " + json.dumps(each, ensure_ascii=False) for each in objects)
        yield f',\n  "{name}": [\n{lines}\n  ]'
    yield "\n}\n"


def write_parquet(scores: Scores, path: Path, *, per_topic: bool = False) -> None:
    """The columns of the tab-separated form, as Parquet."""
    _frame(scores, per_topic=per_topic).write_parquet(path)


def _frame(scores: Scores, *, per_topic: bool) -> pl.DataFrame:
    import polars as pl

    rows = list(_rows(scores, per_topic=per_topic))
    names = _head(scores)
    try:
        return pl.DataFrame({name: [getattr(row, name) for row in rows] for name in names})
    except UnicodeEncodeError:
        raise AssayError(
            "the name of a file is not UTF-8; Parquet holds UTF-8 only: label it, as NAME=FILE"
        ) from None
