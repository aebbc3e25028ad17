"""pytrec_eval's interface on assay: `from assay import pytrec_eval` replaces `import pytrec_eval`.

Numbers are trec_eval 9's, which pytrec_eval contains; `ver=10` asks for trec_eval 10's.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.judgments import Judgments
from assay.policy import refuse_unclear
from assay.run import Run
from assay.trec.asked import asked_for
from assay.trec.evaluation import checked_grades, one_of, whole
from assay.trec.names import NICKNAMES, Requested
from assay.trec.options import Options
from assay.trec.report import topics_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

TEXTS = {"runid": 0.0, "num_q": 1.0, "relstring": 0.0}  # what pytrec_eval has in their place


def _names(nickname: str) -> frozenset[str]:
    requested = Requested(9)
    requested.add(nickname)
    return frozenset(entry.name for entry in requested.entries())


supported_measures = _names("all_trec")
supported_nicknames = {name: _names(name) for name in NICKNAMES}


class RelevanceEvaluator:
    """Scores runs against the same judgments.

    >>> evaluator = RelevanceEvaluator({"q": {"a": 1, "b": 0}}, {"map", "ndcg_cut.1,5"})
    >>> evaluator.evaluate({"q": {"b": 2.0, "a": 1.0}})["q"]["map"]
    0.5
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,  # noqa: FBT001, FBT002 - pytrec_eval's signature
        *,
        ver: int = 9,
    ) -> None:
        """Prepare the judgments, topic to document to grade, and the measures."""
        options = Options(ver=one_of("ver", ver, (9, 10)), requested=asked_for(measures, ver))
        options.level = whole("relevance_level", relevance_level)
        refuse_unclear(judged_docs_only_flag=judged_docs_only_flag)
        options.judged_only = judged_docs_only_flag
        columns = options.requested.columns(relevance_level)
        frame = Judgments(query_relevance).frame.select("topic", "doc", value="grade")
        self._topics = topics_of(checked_grades(frame), columns, options)
        self._names = [
            column.entry.name if column.entry.takes == "numbers" else column.name
            for column in columns
        ]
        self._texts = {
            i: TEXTS[column.entry.name]
            for i, column in enumerate(columns)
            if column.measure is None and column.entry.name in TEXTS
        }

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """The values of every topic that has judgments and a list: topic to measure to value."""
        topics = self._topics
        topics.restart()
        topics.take_run(Run(dict(scores)))
        empty = [topics.judged.number.get(str(topic)) for topic, docs in scores.items() if not docs]
        topics.score_empty([number for number in empty if number is not None])
        for i, stand_in in self._texts.items():
            topics.values[i] = stand_in
        found: dict[str, dict[str, float]] = {}
        for topic in map(str, scores):
            number = topics.judged.number.get(topic)
            if number in topics.seen:
                values = topics.values[:, number].tolist()
                found[topic] = dict(zip(self._names, values, strict=True))
        return found


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Topic to document to grade, from lines of judgments."""
    found = _parsed(f_qrel, "qrel")
    checked_grades(
        pl.DataFrame(
            [(topic, doc, grade) for topic, docs in found.items() for doc, grade in docs.items()],
            schema=["topic", "doc", "value"],
            orient="row",
        )
    )
    return {
        topic: {doc: int(grade) for doc, grade in docs.items()} for topic, docs in found.items()
    }


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Topic to document to score, from lines of a run."""
    return _parsed(f_run, "run")


def _parsed(lines: Iterable[str], what: str) -> dict[str, dict[str, float]]:
    from assay.io.lines import JUDGMENTS, RUN, read_lines

    name = getattr(lines, "name", what)
    data = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines).encode()
    form = RUN if what == "run" else JUDGMENTS
    found: dict[str, dict[str, float]] = {}
    for topic, doc, value, number in zip(*read_lines(data, 1, name, form, None), strict=True):
        docs = found.setdefault(topic, {})
        if doc in docs:
            raise AssayError(f"{name}:{number}: document {doc!r} stands twice for topic {topic!r}")
        docs[doc] = value
    return found


def compute_aggregated_measure(measure: str, values: Any) -> float:
    """The value over topics: a sum for `num_`, a geometric mean for `gm_`, else the mean."""
    numbers = np.asarray(values, dtype=np.float64)
    if measure.startswith("num_"):
        return float(numbers.sum())
    mean = float(numbers.mean())
    return math.exp(mean) if measure.startswith("gm_") else mean
