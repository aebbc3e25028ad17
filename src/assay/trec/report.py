"""One evaluation as trec_eval makes it: its order of events, topics, averages and exit codes."""

from __future__ import annotations

import math
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.blocks import block_of, regrouped
from assay.io.ahead import ahead
from assay.io.locate import Origin
from assay.io.spool import readable
from assay.trec.errors import TrecError
from assay.trec.options import FORMATS, USAGE
from assay.trec.reading import NotUnicodeError, RunReader, read_rel_info, read_zscores
from assay.trec.topics import FLOOR, GradedTopics, Looking, Topics

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl

    from assay.trec.names import Column, Entry
    from assay.trec.options import Options

    Finders = Mapping[str, Callable[[str], tuple[float, float] | None]]

__all__ = ["Report", "concluded", "made_from_files", "read_run", "topics_of"]

Floats = np.ndarray[Any, np.dtype[np.float64]]

UNKNOWN = -1000000.0  # the z-score of a value without a mean
WRONG_FORMAT = {
    "qrels": "trec_eval.form_res_qrels: rel_info format not qrels or results format not "
    "trec_results",
    "qrels_jg": "trec_eval: rel_info format not qrels_jg or results format not trec_results",
    "prefs": "trec_eval.form_prefs_info: prefs_info format not (prefs or qrels_prefs) or results "
    "format not trec_results",
}
FOUR = "trec_eval.calc_utility: improper number of coefficients"


@dataclass(frozen=True)
class Report:
    """What an evaluation found: for each column a value of each topic, and one for all."""

    columns: tuple[Column, ...]
    topics: tuple[str, ...]  # evaluated, in order
    values: Floats  # [column, topic]
    texts: tuple[Mapping[str, str], ...]  # of relstring: [column][topic]
    summary: tuple[float | None, ...]
    tag: str = ""
    zscores: bool = False
    latin: bool = False  # all files were read byte by byte
    stopped: TrecError | None = None  # why there are no more topics, and no summary


# ------------------------------------------------------------------------------------------- files


def made_from_files(options: Options) -> Report:
    """Read the files of a command line and evaluate."""
    if len(options.files) != 2:
        raise TrecError(1, USAGE)
    with ExitStack() as stack:
        files = _Files(options, stack)
        try:
            return files.read(latin=False)
        except NotUnicodeError:
            return files.read(latin=True)


class _Files:
    """The files of a command line, in the order in which trec_eval reads them."""

    def __init__(self, options: Options, stack: ExitStack) -> None:
        self.options, self.stack = options, stack
        self.results: Origin | None = None

    def read(self, *, latin: bool) -> Report:
        options = self.options
        if options.rel_format not in FORMATS:
            raise TrecError(2, f"trec_eval: Illegal rel_format '{options.rel_format}'")
        path = options.files[0]
        frame = read_rel_info(path, options.rel_format, ver=options.ver, latin=latin)
        if options.results_format != "trec_results":
            what = options.results_format
            raise TrecError(2, f"trec_eval: Illegal retrieval results format '{what}'")
        reader = RunReader(self._origin(), options.ver, latin)
        wrong: TrecError | None = None
        columns: list[Column] = []
        try:
            columns = options.requested.columns(options.level, options.collection)
        except TrecError as error:  # comes after whatever is wrong with a file
            wrong = error
        try:
            topics = topics_of(frame, columns, options)
        except TrecError as error:
            raise TrecError(error.code, *error.lines, _quit(path)) from None
        if wrong is not None:
            for _ in reader():
                pass
            self._zscores(latin=latin)
            raise wrong
        read_run(topics, reader)
        return concluded(
            topics, frame, options, tag=reader.tag, zscores=self._zscores(latin=latin), latin=latin
        )

    def _origin(self) -> Origin:
        """The results file; a name that begins with `-` is standard input, but not to version 9."""
        if self.results is None:
            path = self.options.files[1]
            if self.options.ver > 9 and path.startswith("-"):
                stdin = self.stack.enter_context(readable("-"))
                self.results = Origin(path, stdin.path)
            else:
                self.results = self.stack.enter_context(readable(path))
        return self.results

    def _zscores(self, *, latin: bool) -> Finders | None:
        path = self.options.zscores
        return None if path is None else read_zscores(path, ver=self.options.ver, latin=latin)


def _quit(path: str) -> str:
    return f"trec_eval: Quit in file '{path}'"


def read_run(topics: Topics, reader: RunReader) -> None:
    """Score the run while it is read; once more where its topics turn out to be scattered."""
    seen: set[str] = set()
    scattered = False
    for rows in ahead(reader(), depth=2):
        if scattered or not len(rows):
            continue
        block = block_of(rows.topic, rows.doc, rows.value)
        seen_before = len(seen)
        seen.update(block.topics)
        scattered = len(seen) < seen_before + len(block.topics)
        if not scattered:
            topics.take(block)
    if scattered:
        topics.restart()
        for block in regrouped(reader, reader.size):
            topics.take(block)
    topics.finish()


# -------------------------------------------------------------------------------------- evaluation


def topics_of(frame: pl.DataFrame, columns: list[Column], options: Options) -> Topics:
    """The topics of relevance information."""
    depth = max(0, options.depth)
    look = Looking(options.ver, options.level, depth, options.judged_only)
    if options.rel_format in ("qrels", "qrels_jg"):
        return GradedTopics(frame, columns, look)
    from assay.trec.preferences import PreferenceTopics

    return PreferenceTopics(frame, columns, look)


def concluded(
    topics: Topics,
    frame: pl.DataFrame,
    options: Options,
    *,
    tag: str = "",
    zscores: Finders | None = None,
    latin: bool = False,
) -> Report:
    """The report on a run that has been scored."""
    if options.complete and options.ver > 9:
        absent = [n for n in range(len(topics.judged.topics)) if n not in topics.seen]
        topics.absent(np.asarray(absent, dtype=np.int64))
    numbers, stopped = _evaluated(topics, options, latin=latin)
    names = tuple(topics.judged.topics[n] for n in numbers)
    values = topics.values[:, numbers]
    columns = tuple(topics.columns)
    if zscores is not None:
        values = _standardised(values, columns, names, zscores)
    return Report(
        columns=columns,
        topics=names,
        values=values,
        texts=tuple(
            {topics.judged.topics[n]: text for n, text in topics.texts.get(i, {}).items()}
            for i in range(len(columns))
        ),
        summary=() if stopped else _summary(values, columns, frame, options),
        tag=tag,
        zscores=zscores is not None,
        latin=latin,
        stopped=stopped,
    )


def _evaluated(
    topics: Topics, options: Options, *, latin: bool
) -> tuple[list[int], TrecError | None]:
    """Numbers of the topics in order, up to the first that cannot be evaluated, and why not."""
    chosen = sorted(topics.judged.number.items())
    if options.ver == 9:
        chosen = [(name, n) for name, n in chosen if n in topics.seen]
    if options.only_topic is not None:
        only = options.only_topic
        if latin:
            only = only.encode(errors="surrogateescape").decode("latin-1")
        chosen = [(name, n) for name, n in chosen if name == only]
    entries = list(dict.fromkeys(column.entry for column in topics.columns))
    failing = [entry for entry in entries if _failure(entry, topics)]
    numbers: list[int] = []
    for name, number in chosen:
        if number not in topics.seen and not options.complete:
            return numbers, TrecError(
                4,
                f"trec_eval: result qid '{name}' not found in qrels",
                f"assay: topic '{name}' is judged, but the results have no line for it; "
                "-c (complete=True) counts such topics as 0, --ver 9 (ver=9) skips them",
            )
        for entry in failing if number not in topics.problems else entries:
            why = _failure(entry, topics, number)
            if why:
                what = f"trec_eval: Can't calculate measure '{entry.name}'"
                return numbers, TrecError(4, *why, what)
        numbers.append(number)
    if not numbers:
        return [], TrecError(7, "trec_eval: No queries with both results and relevance info")
    return numbers, None


def _failure(entry: Entry, topics: Topics, number: int | None = None) -> tuple[str, ...]:
    """Why a measure cannot be calculated for a topic, or for any; empty where it can."""
    if entry.reads == "any":
        return ()
    if entry.reads not in topics.reads:
        return (WRONG_FORMAT[entry.reads],)
    if number is not None and number in topics.problems:
        return topics.problems[number]
    if entry.name == "utility" and any(
        column.measure is None for column in topics.columns if column.entry is entry
    ):
        return (FOUR,)
    return ()


def _standardised(
    values: Floats, columns: tuple[Column, ...], topics: tuple[str, ...], finders: Finders
) -> Floats:
    """How many standard deviations each value lies above its mean."""
    scores = np.full_like(values, UNKNOWN)
    for t, topic in enumerate(topics):
        find = finders.get(topic)
        for i, column in enumerate(columns):
            known = find(column.name) if find else None
            if known is None:
                continue
            mean, deviation = known
            if deviation != 0:
                scores[i, t] = (values[i, t] - mean) / deviation
            elif values[i, t] == mean:
                scores[i, t] = 0.0
    return scores


def _summary(
    values: Floats, columns: tuple[Column, ...], frame: pl.DataFrame, options: Options
) -> tuple[float | None, ...]:
    """A value of each column for all topics: mean, geometric mean or sum, added up in order."""
    many = values.shape[1]
    every = frame["topic"].n_unique() if options.complete else many
    totals = np.add.accumulate(values, axis=1)[:, -1].tolist()
    found: list[float | None] = []
    for column, total in zip(columns, totals, strict=True):
        average, name = column.entry.average, column.entry.name
        if average == "none":
            found.append(None)
        elif name == "num_q":
            found.append(float(every))
        elif name == "num_rel" and options.complete:
            found.append(float((frame["value"] > 0).sum()))
        elif average == "sum":
            found.append(total)
        elif average == "geometric":
            missing = (every - many) * math.log(FLOOR) if options.complete else 0.0
            found.append(math.exp((total + missing) / every))
        else:
            found.append(total / every)
    return tuple(found)
