"""The shape of PyTerrier's `pt.Experiment`, for scripts that come from there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.io.frames import is_frame
from assay.judgments import Judgments, read_judgments
from assay.measures.measure import Measure, parse
from assay.run import Run, read_run

if TYPE_CHECKING:
    from assay.scores import Scores

__all__ = ["experiment"]


def experiment(
    retr_systems: Sequence[Any],
    topics: Any,
    qrels: Any,
    eval_metrics: Sequence[Any],
    names: Sequence[str] | None = None,
    *,
    perquery: bool = False,
    baseline: int | None = None,
    correction: str | None = None,
    round: int | None = None,  # noqa: A002 - PyTerrier's word
    **policies: Any,
) -> Any:
    """Evaluate systems as `pt.Experiment` does: a pandas frame (Polars' where there is no pandas).

    `retr_systems` are result frames (`qid docno score`), runs, file names, or transformers, which
    are asked for the results of `topics`. `qrels` are a frame (`qid docno label`) or judgments, of
    which only `topics` count where these are given. `eval_metrics` are measures of ir_measures or
    names; each is a column. With `baseline`, the number of a system, there are columns `+`, `-`
    (topics on which a system does better, worse) and `p-value` (paired t test), with `correction`
    (`"holm"`, `"bonferroni"`, ...) also `p-value corrected`. `policies` go to `evaluate`.
    """
    if baseline is not None and not 0 <= baseline < len(retr_systems):
        raise AssayError(
            f"baseline={baseline}: there are {len(retr_systems)} systems, counted from 0"
        )
    if names is not None and len(names) != len(retr_systems):
        raise AssayError(f"{len(names)} names for {len(retr_systems)} systems")
    found = [_run(system, topics) for system in retr_systems]
    labels = list(names) if names is not None else _names(found)
    measures = {str(metric): _measure(metric) for metric in eval_metrics}
    judgments = _judged(qrels, topics)
    if len(set(labels)) < len(labels):
        raise AssayError(f"systems share a name: {', '.join(labels)}; give others by names=[...]")
    scores = evaluate(
        judgments, dict(zip(labels, found, strict=True)), list(measures.values()), **policies
    )
    rows = (
        _per_topic(scores, measures) if perquery else _means(scores, measures, baseline, correction)
    )
    digits = round
    if digits is not None:
        rows = [
            {k: np.round(v, digits) if isinstance(v, float) else v for k, v in row.items()}
            for row in rows
        ]
    return _frame(rows)


def _measure(metric: Any) -> Measure:
    return metric if isinstance(metric, Measure) else parse(str(metric))


def _run(system: Any, topics: Any) -> Run:
    """The results of a system: given, or asked for."""
    if isinstance(system, Run):
        return system
    transform = getattr(system, "transform", None)
    if callable(transform) and not is_frame(system):
        return Run(transform(topics))
    return read_run(system)


def _names(runs: Sequence[Run]) -> list[str]:
    labels = [run.label for run in runs]
    if len(set(labels)) == len(labels):
        return labels
    return [f"system{i}" if labels.count(name) > 1 else name for i, name in enumerate(labels)]


def _judged(qrels: Any, topics: Any) -> Judgments:
    """The judgments of the topics that are asked for."""
    judgments = qrels if isinstance(qrels, Judgments) else read_judgments(qrels)
    wanted = _topics(topics)
    if wanted is None:
        return judgments
    frame = judgments.frame.filter(judgments.frame["topic"].is_in(wanted))
    if not frame.height:
        raise AssayError(f"none of the {len(wanted)} topics is judged")
    return Judgments(frame, label=judgments.label)


def _topics(topics: Any) -> list[str] | None:
    if topics is None:
        return None
    if is_frame(topics):
        import polars as pl

        frame = topics if isinstance(topics, pl.DataFrame) else pl.DataFrame(topics)
        for name in ("qid", "topic", "query_id"):
            if name in frame.columns:
                return [str(topic) for topic in frame[name].unique(maintain_order=True)]
        raise AssayError(f"topics: no column 'qid'; found {', '.join(frame.columns)}")
    if isinstance(topics, Mapping) or not isinstance(topics, str):
        return [str(topic) for topic in topics]
    raise AssayError(
        f"topics: expected a frame with a column 'qid', or a list of ids; found {topics!r}"
    )


def _means(
    scores: Scores, measures: dict[str, Measure], baseline: int | None, correction: str | None
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    base = None if baseline is None else scores.runs[baseline]
    for run in scores.runs:
        row: dict[str, Any] = {"name": run}
        row |= {name: scores.average(run, measure).value for name, measure in measures.items()}
        for name, measure in measures.items() if base is not None else ():
            row |= _against(scores, run, base or "", name, measure)
        rows.append(row)
    if base is not None and correction is not None:
        _correct(rows, list(measures), base, correction)
    return rows


def _against(scores: Scores, run: str, base: str, name: str, measure: Measure) -> dict[str, Any]:
    """Topics won and lost against the baseline, and the p of the paired t test."""
    if run == base:
        return {f"{name} +": math.nan, f"{name} -": math.nan, f"{name} p-value": math.nan}
    from assay.stats import paired

    better = 1.0 if measure.definition.higher_is_better else -1.0
    d = better * (scores.of(run, measure) - scores.of(base, measure))
    d = d[~np.isnan(d)]
    p = float(paired.t(d[None, :]).p[0]) if len(d) > 1 else math.nan
    return {
        f"{name} +": float((d > 0).sum()),
        f"{name} -": float((d < 0).sum()),
        f"{name} p-value": p,
    }


def _correct(rows: list[dict[str, Any]], names: list[str], base: str, how: str) -> None:
    from assay.stats.corrections import adjusted

    for name in names:
        others = [row for row in rows if row["name"] != base]
        p = np.asarray([row[f"{name} p-value"] for row in others])
        known = ~np.isnan(p)
        p[known] = adjusted(p[known], how)
        for row in rows:
            row[f"{name} p-value corrected"] = math.nan
        for row, value in zip(others, p.tolist(), strict=True):
            row[f"{name} p-value corrected"] = value


def _per_topic(scores: Scores, measures: dict[str, Measure]) -> list[dict[str, Any]]:
    return [
        {"name": run, "qid": topic, "measure": name, "value": value}
        for run in scores.runs
        for name, measure in measures.items()
        for topic, value in zip(scores.topics, scores.of(run, measure).tolist(), strict=True)
    ]


def _frame(rows: list[dict[str, Any]]) -> Any:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    try:
        import pandas as pd
    except ImportError:
        import polars as pl

        return pl.DataFrame(columns)
    return pd.DataFrame(columns)
