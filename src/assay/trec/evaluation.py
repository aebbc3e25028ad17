"""trec_eval from Python: the values that the command prints, unrounded."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.policy import refuse_unclear
from assay.trec.asked import asked_for
from assay.trec.options import FORMATS, Options
from assay.trec.reading import NotUnicodeError, RunReader, read_rel_info, read_zscores
from assay.trec.report import Report, concluded, made_from_files, read_run, topics_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from assay.run import Run
    from assay.show.sheet import Sheet

__all__ = ["TrecScores", "checked_grades", "one_of", "trec_eval", "whole"]

COLUMNS = {
    "qrels": ("topic", "doc", "value"),
    "qrels_jg": ("topic", "group", "doc", "value"),
    "prefs": ("topic", "group", "sub", "doc", "value"),
    "qrels_prefs": ("topic", "group", "doc", "value"),
}


def trec_eval(
    qrels: Any,
    run: Any,
    measures: str | Sequence[str] | None = None,
    *,
    ver: int = 10,
    level: int = 1,
    complete: bool = False,
    judged_only: bool = False,
    collection: int = 0,
    depth: int | None = None,
    rel_format: str = "qrels",
    zscores: str | Path | None = None,
) -> TrecScores:
    """Score a run as trec_eval does, with its names and its averages, unrounded.

    `qrels` and `run` are file names, which are read by trec_eval's rules, or whatever `Judgments`
    and `Run` are made from. `measures` are trec_eval's names with parameters, `"P.5,10"`, names as
    they are printed, `"P_5"`, or nicknames; without any, `"official"`.

    * ver: 10, or 9, whose scores have 32 bits and which skips topics that the run lacks.
    * level: the lowest grade that is relevant (`-l`).
    * complete: average over all judged topics (`-c`); those that the run lacks count as 0. Without
      it version 10 refuses such a run.
    * judged_only: take out documents without a judgment (`-J`).
    * collection: documents in the collection (`-N`); depth: documents of a topic that count (`-M`).
    * rel_format: `"qrels"`, `"qrels_jg"`, `"prefs"` or `"qrels_prefs"` (`-R`); the last three come
      from a file or from a frame with the columns topic, group, sub (prefs alone), doc, value.
    * zscores: file of means and deviations (`-Z`); the values are then standard scores.

    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
    >>> run = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}
    >>> trec_eval(qrels, run, ["map", "P.5,10"]).summary
    {'map': 0.75, 'P_5': 0.2, 'P_10': 0.1}
    """
    options = Options(ver=one_of("ver", ver, (9, 10)))
    options.requested = asked_for(measures, ver)
    refuse_unclear(complete=complete, judged_only=judged_only)
    options.complete, options.judged_only = complete, judged_only
    options.level = whole("level", level)
    options.collection = whole("collection", collection)
    options.rel_format = one_of("rel_format", rel_format, FORMATS)
    options.zscores = None if zscores is None else fspath(zscores)
    if depth is not None:
        options.depth = whole("depth", depth, least=0)
    return TrecScores(_report(qrels, run, options))


def one_of(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    """The value, if it is one of those allowed."""
    if value not in allowed:
        raise AssayError(f"{name} must be one of {', '.join(map(str, allowed))}, found {value!r}")
    return value


def whole(name: str, value: Any, *, least: int | None = None) -> int:
    """A whole number that a program gives for one of trec_eval's flags."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise AssayError(f"{name}={value!r}: must be a whole number")
    if least is not None and value < least:
        raise AssayError(f"{name}={value!r}: must be at least {least}")
    return int(value)


def _report(qrels: Any, run: Any, options: Options) -> Report:
    if isinstance(qrels, str | Path) and isinstance(run, str | Path):
        options.files = [fspath(qrels), fspath(run)]
        report = made_from_files(options)
    else:
        report = _mixed(qrels, run, options)
    if report.stopped is not None:
        raise report.stopped
    return report


def _mixed(qrels: Any, run: Any, options: Options) -> Report:
    """Of two files at most one."""
    try:
        frame = _frame(qrels, options)
        columns = options.requested.columns(options.level, options.collection)
        topics = topics_of(frame, columns, options)
        tag = _take(topics, run, options)
        path = options.zscores
        zscores = None if path is None else read_zscores(path, ver=options.ver)
    except NotUnicodeError:
        raise AssayError(
            "a file holds bytes that are not UTF-8; convert it: iconv -f LATIN1 -t UTF-8"
        ) from None
    return concluded(topics, frame, options, tag=tag, zscores=zscores)


def _frame(qrels: Any, options: Options) -> pl.DataFrame:
    """Rows of judgments: topic, doc, value, and groups where the form has them."""
    from assay.judgments import Judgments

    form = options.rel_format
    if isinstance(qrels, str | Path):
        return read_rel_info(fspath(qrels), form, ver=options.ver)
    if form == "qrels":
        known = qrels if isinstance(qrels, Judgments) else Judgments(qrels)
        return checked_grades(known.frame.select("topic", "doc", value="grade"))
    return _grouped(qrels, form)


def _grouped(data: Any, form: str) -> pl.DataFrame:
    import polars as pl

    names = COLUMNS[form]
    if not isinstance(data, pl.DataFrame) or set(names) - set(data.columns):
        raise AssayError(
            f"rel_format={form!r}: expected a file, or a Polars frame with the columns "
            f"{', '.join(names)}; found {getattr(data, 'columns', type(data).__name__)}"
        )
    frame = data.select(pl.col(names[:-1]).cast(pl.String), pl.col("value").cast(pl.Float64))
    return frame if form == "prefs" else checked_grades(frame)


def checked_grades(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows whose grades are whole numbers, as trec_eval's are."""
    value = frame["value"].to_numpy()
    broken = np.flatnonzero(value != np.floor(value))
    if len(broken):
        row = frame.row(int(broken[0]), named=True)
        raise AssayError(
            f"topic {row['topic']!r}, document {row['doc']!r}: the grade {row['value']:g} is no "
            "whole number; trec_eval knows whole grades alone, assay.evaluate takes any"
        )
    return frame


def _take(topics: Any, run: Any, options: Options) -> str:
    """Score the run; give its tag."""
    from assay.io.spool import readable
    from assay.run import Run

    if isinstance(run, str | Path):
        with ExitStack() as stack:
            reader = RunReader(stack.enter_context(readable(fspath(run))), options.ver)
            read_run(topics, reader)
            return reader.tag
    known: Run = run if isinstance(run, Run) else Run(run)
    topics.take_run(known)
    return known.tag


@dataclass(frozen=True, eq=False, repr=False)
class TrecScores:
    """What trec_eval prints, as numbers."""

    report: Report

    @property
    def names(self) -> tuple[str, ...]:
        """The names that trec_eval prints, in its order."""
        return tuple(column.name for column in self.report.columns)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that were scored, in trec_eval's order."""
        return self.report.topics

    @property
    def tag(self) -> str:
        """The run's tag."""
        return self.report.tag

    @property
    def summary(self) -> dict[str, float]:
        """The value of each measure over all topics: mean, geometric mean, or sum."""
        pairs = zip(self.names, self.report.summary, strict=True)
        return {name: value for name, value in pairs if value is not None}

    def of(self, name: str) -> Any:
        """The values of a measure, one for each of `.topics`; logarithms for geometric means."""
        return self.report.values[self._place(name)]

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise AssayError(f"no measure {name!r} here; there are {', '.join(self.names)}")
        return self.names.index(name)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Topic to name to value; the text of relstring stays out, see `.texts`."""
        numbers = [
            (column.name, values)
            for column, values in zip(self.report.columns, self.report.values, strict=True)
            if column.measure is not None
        ]
        return {
            topic: {name: float(values[i]) for name, values in numbers}
            for i, topic in enumerate(self.topics)
        }

    @property
    def texts(self) -> dict[str, dict[str, str]]:
        """Name to topic to text, where relstring was asked for."""
        return {
            name: dict(texts)
            for name, texts in zip(self.names, self.report.texts, strict=True)
            if texts
        }

    def lines(self, *, per_topic: bool = False) -> str:
        """What the command prints."""
        from assay.trec.printing import summary_lines, topic_lines

        parts = [*(topic_lines(self.report) if per_topic else ()), summary_lines(self.report)]
        return b"".join(parts).decode(errors="surrogateescape")

    def to_polars(self, *, per_topic: bool = False) -> pl.DataFrame:
        """Columns measure, topic, value: one row for each value, `all` for the summary."""
        import polars as pl

        summary = self.summary
        rows = [(name, "all", value) for name, value in summary.items()]
        if per_topic:
            rows = [
                (name, topic, value)
                for topic, values in self.to_dict().items()
                for name, value in values.items()
            ] + rows
        return pl.DataFrame(
            rows,
            schema={"measure": pl.String, "topic": pl.String, "value": pl.Float64},
            orient="row",
        )

    def table(self) -> Sheet:
        """A table for people, which prints itself in a terminal and in a notebook."""
        from assay.show.trec import trec_page

        return trec_page(self)

    def __repr__(self) -> str:
        return f"TrecScores({len(self.names)} values, {len(self.topics)} topics)"

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html
