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


CORRECTIONS = {
    "bonferroni": "bonferroni",
    "b": "bonferroni",
    "holm": "holm",
    "h": "holm",
    "fdr_bh": "bh",
    "bh": "bh",
}
TESTS = ("t", "wilcoxon")


def experiment(
    retr_systems: Sequence[Any],
    topics: Any,
    qrels: Any,
    eval_metrics: Sequence[Any],
    names: Sequence[str] | None = None,
    *,
    perquery: bool = False,
    dataframe: bool = True,
    filter_by_topics: bool = True,
    baseline: int | None = None,
    test: str = "t",
    correction: str | None = None,
    correction_alpha: float = 0.05,
    round: int | Mapping[str, int] | None = None,  # noqa: A002 - PyTerrier's word
    **policies: Any,
) -> Any:
    """Evaluate systems as `pt.Experiment` does: a pandas frame (Polars' where there is no pandas).

    `retr_systems` are result frames (`qid docno score`), runs, file names, or transformers, which
    are asked for the results of `topics`. `qrels` are a frame (`qid docno label`) or judgments, of
    which only `topics` count where these are given, unless `filter_by_topics=False`. `eval_metrics`
    are measures of ir_measures or names; each is a column. `perquery` gives a row for each topic.
    With `dataframe=False` the answer is a dictionary, `{system: {measure: value}}`.

    With `baseline`, the number of a system, there are columns `+`, `-` (topics on which a system
    does better, worse) and `p-value` (paired `test`: `"t"` or `"wilcoxon"`), with `correction`
    (`"holm"`, `"bonferroni"`, `"fdr_bh"`) also `p-value corrected` and `reject`, at
    `correction_alpha`. `round` is a number of digits, or one for each measure. `policies` go to
    `evaluate`: PyTerrier counts a topic without a relevant document as 0, `undefined="zero"`.
    """
    how = _checked(len(retr_systems), baseline, test, correction, names)
    found = [_run(system, topics) for system in retr_systems]
    labels = list(names) if names is not None else _names(found)
    if len(set(labels)) < len(labels):
        raise AssayError(f"systems share a name: {', '.join(labels)}; give others by names=[...]")
    measures = {str(metric): parse(metric) for metric in eval_metrics}
    judgments = _judged(qrels, topics if filter_by_topics else None)
    scores = evaluate(
        judgments, dict(zip(labels, found, strict=True)), list(measures.values()), **policies
    )
    if perquery:
        rows = _per_topic(scores, measures)
    else:
        rows = _means(scores, measures, baseline, test)
        if baseline is not None and how is not None:
            _correct(rows, list(measures), scores.runs[baseline], how, correction_alpha)
    rows = [_rounded(row, round) for row in rows]
    return _frame(rows) if dataframe else _dictionary(rows, perquery=perquery)


def _checked(
    systems: int, baseline: int | None, test: str, correction: str | None, names: Any
) -> str | None:
    """The correction by our name; an error where an argument cannot be."""
    if baseline is not None and not 0 <= baseline < systems:
        raise AssayError(f"baseline={baseline}: there are {systems} systems, counted from 0")
    if names is not None and len(names) != systems:
        raise AssayError(f"{len(names)} names for {systems} systems")
    if test not in TESTS:
        raise AssayError(f"test={test!r}: must be one of {', '.join(map(repr, TESTS))}")
    if correction is not None and correction not in CORRECTIONS:
        known = ", ".join(map(repr, CORRECTIONS))
        raise AssayError(f"correction={correction!r}: must be one of {known}, or None")
    return None if correction is None else CORRECTIONS[correction]


def _rounded(row: dict[str, Any], digits: int | Mapping[str, int] | None) -> dict[str, Any]:
    if digits is None:
        return row
    if not isinstance(digits, Mapping):
        return {k: np.round(v, digits) if isinstance(v, float) else v for k, v in row.items()}
    many = digits.get(row["measure"]) if "measure" in row else None
    each = {"value": many} if many is not None else digits
    return {k: np.round(v, each[k]) if k in each else v for k, v in row.items()}


def _dictionary(rows: list[dict[str, Any]], *, perquery: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for row in rows:
        if perquery:
            topics = found.setdefault(row["name"], {})
            topics.setdefault(row["qid"], {})[row["measure"]] = row["value"]
        else:
            found[row["name"]] = {key: value for key, value in row.items() if key != "name"}
    return found


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
    return [f"{name}{i}" if labels.count(name) > 1 else name for i, name in enumerate(labels)]


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
    scores: Scores, measures: dict[str, Measure], baseline: int | None, test: str
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    base = None if baseline is None else scores.runs[baseline]
    for run in scores.runs:
        row: dict[str, Any] = {"name": run}
        row |= {name: scores.average(run, measure).value for name, measure in measures.items()}
        if base is not None:
            for name, measure in measures.items():
                row |= _against(scores, run, base, name, measure, test)
        rows.append(row)
    return rows


def _against(
    scores: Scores, run: str, base: str, name: str, measure: Measure, test: str
) -> dict[str, Any]:
    """Topics won and lost against the baseline, and the p of the paired test."""
    if run == base:
        return {f"{name} +": math.nan, f"{name} -": math.nan, f"{name} p-value": math.nan}
    from assay.stats import paired

    better = 1.0 if measure.definition.higher_is_better else -1.0
    d = better * (scores.of(run, measure) - scores.of(base, measure))
    d = d[~np.isnan(d)]
    ask = paired.t if test == "t" else paired.wilcoxon
    p = float(ask(d[None, :]).p[0]) if len(d) > 1 else math.nan
    return {
        f"{name} +": float((d > 0).sum()),
        f"{name} -": float((d < 0).sum()),
        f"{name} p-value": p,
    }


def _correct(
    rows: list[dict[str, Any]], names: list[str], base: str, how: str, alpha: float
) -> None:
    from assay.stats.corrections import adjusted

    for name in names:
        others = [row for row in rows if row["name"] != base]
        p = adjusted(np.asarray([row[f"{name} p-value"] for row in others]), how)
        for row in rows:
            row[f"{name} reject"] = False
            row[f"{name} p-value corrected"] = math.nan
        for row, value in zip(others, p.tolist(), strict=True):
            row[f"{name} reject"] = value < alpha
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
