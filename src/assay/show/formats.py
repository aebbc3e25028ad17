"""Scores in formats for programs, at full precision."""

from __future__ import annotations

import csv
import io
import json
import math
import platform
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay import __version__
from assay.errors import AssayError
from assay.show.scores import remarks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import polars as pl

    from assay.scores import Scores

__all__ = ["parquet", "text"]

ALL = "all"  # stands for the mean where a topic would stand, as in trec_eval


@dataclass(frozen=True)
class _Group:
    """The values of one judge, run and measure, the mean as the last, each with its topic."""

    judge: str
    run: str
    measure: str
    topics: tuple[str, ...]
    values: list[float]
    reasons: dict[int, str]  # why there is no value, by place

    def names(self, *, judge: bool) -> dict[str, str]:
        """What the values are of, under the heads of the columns."""
        first = {"judge": self.judge} if judge else {}
        return {**first, "run": self.run, "measure": self.measure}


def _groups(scores: Scores, *, per_topic: bool) -> Iterator[_Group]:
    for j, judge in enumerate(scores.judges):
        for r, run in enumerate(scores.runs):
            for m, measure in enumerate(scores.measures):
                mean = scores.value(run, measure, judge)
                reasons: dict[int, str] = {}
                values: list[float] = []
                if per_topic:
                    values = scores.values[j, r, m].tolist()
                    words: dict[int, str] = {}
                    for t in np.flatnonzero(np.isnan(scores.values[j, r, m])).tolist():
                        code = int(scores.reasons[j, r, m, t])
                        if code not in words:
                            words[code] = scores.reason(run, measure, scores.topics[t], judge)
                        reasons[t] = words[code]
                topics = (*scores.topics, ALL) if per_topic else (ALL,)
                yield _Group(judge, run, str(measure), topics, [*values, mean], reasons)


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
    for group in _groups(scores, per_topic=per_topic):
        names = "\t".join(name.translate(_TAB) for name in group.names(judge=several).values())
        topics = [topic.translate(_TAB) for topic in group.topics]
        rows = zip(topics, group.values, strict=True)
        yield "".join([f"{names}\t{topic}\t{value!r}\n" for topic, value in rows])


def _csv(scores: Scores, *, per_topic: bool) -> Iterator[str]:
    several = len(scores.judges) > 1
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(_head(scores))
    for group in _groups(scores, per_topic=per_topic):
        names = group.names(judge=several).values()
        rows = zip(group.topics, group.values, strict=True)
        writer.writerows([[*names, topic, repr(value)] for topic, value in rows])
        yield page.getvalue()
        page.seek(0)
        page.truncate()


def _jsonl(scores: Scores, *, per_topic: bool) -> Iterator[str]:
    several = len(scores.judges) > 1
    for group in _groups(scores, per_topic=per_topic):
        yield "".join([f"{line}\n" for line in _objects(group, judge=several)])


def _objects(group: _Group, *, judge: bool) -> Iterator[str]:
    """A JSON object for each value."""
    names = json.dumps(group.names(judge=judge), ensure_ascii=False).removesuffix("}")
    for place, (topic, value) in enumerate(zip(group.topics, group.values, strict=True)):
        shown = repr(value) if math.isfinite(value) else "null"
        why = group.reasons.get(place)
        reason = "" if why is None else f', "reason": {json.dumps(why, ensure_ascii=False)}'
        name = json.dumps(topic, ensure_ascii=False)
        yield f'{names}, "topic": {name}, "value": {shown}{reason}}}'


def _finite(value: float) -> float | None:
    """A number as JSON knows them."""
    return value if math.isfinite(value) else None


def _json(scores: Scores, *, per_topic: bool) -> Iterator[str]:
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
    means = [json.dumps(mean, ensure_ascii=False) for mean in page.pop("means")]
    yield json.dumps(page, ensure_ascii=False, indent=2).removesuffix("\n}")
    yield ',\n  "means": [\n    ' + ",\n    ".join(means) + "\n  ]"
    if per_topic:
        before = ',\n  "values": [\n    '
        for group in _groups(scores, per_topic=True):
            lines = list(_objects(group, judge=True))[:-1]  # the means stand above
            yield before + ",\n    ".join(lines)
            before = ",\n    "
        yield "\n  ]"
    yield "\n}\n"


def parquet(scores: Scores, *, per_topic: bool = False) -> bytes:
    """The columns of the tab-separated form, as the bytes of a Parquet file."""
    page = io.BytesIO()
    _frame(scores, per_topic=per_topic).write_parquet(page)
    return page.getvalue()


def _frame(scores: Scores, *, per_topic: bool) -> pl.DataFrame:
    import polars as pl

    columns: dict[str, list[Any]] = {name: [] for name in _head(scores)}
    for group in _groups(scores, per_topic=per_topic):
        for name, word in group.names(judge=len(scores.judges) > 1).items():
            columns[name] += [word] * len(group.values)
        columns["topic"] += group.topics
        columns["value"] += group.values
    try:
        return pl.DataFrame(columns)
    except UnicodeEncodeError:
        raise AssayError(
            "the name of a file is not UTF-8; Parquet holds UTF-8 only: label it, as NAME=FILE"
        ) from None
