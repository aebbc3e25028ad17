"""Files that Spark reads: lines of TREC text, held to the rules of every file; Parquet, CSV, JSON.

A line of text is read by the reader of `assay.io`, on the workers. What is wrong with one travels
as a row of its own, so that it reaches the user in words and not as the stack of a failed task.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, Dropped, Form
from assay.spark.frames import PART, PROBLEM, Entry, Side, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["FORMATS", "check_form", "read_side"]

FORMATS = ("trec", "parquet", "csv", "tsv", "json")
SUFFIXES = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}
COMPRESSED = (".gz", ".bz2", ".zst", ".lz4", ".snappy")
LINE = f"topic string, doc string, value double, {PROBLEM} string"


def read_side(
    session: Any,
    paths: Mapping[str, str],
    kind: Form,
    *,
    form: str | None = None,
    columns: Mapping[str, str | int] | None = None,
    strict: bool = True,
) -> Side:
    """Label to path, as Spark takes paths, as one side of an evaluation."""
    check_form(form)
    what = "judgments" if kind is JUDGMENTS else "run"
    entries = []
    for label, path in paths.items():
        chosen = form or _form_of(path)
        frame = _opened(session, path, chosen)
        if chosen == "trec":
            frame = _parsed(frame, path, kind, what, strict=strict)
        else:
            frame = plain(frame, kind, columns, path, what, text=chosen in ("csv", "tsv"))
        entries.append(Entry(label, path, frame))
    return Side(kind, tuple(entries))


def check_form(form: str | None) -> None:
    """Refuse a form that Spark does not read."""
    if form is not None and form not in FORMATS:
        raise AssayError(f"--format {form}: on Spark it must be one of {', '.join(FORMATS)}")


def _form_of(path: str) -> str:
    name = PurePosixPath(path.rstrip("/"))
    if name.suffix.lower() in COMPRESSED:
        name = name.with_suffix("")
    return SUFFIXES.get(name.suffix.lower(), "trec")


def _opened(session: Any, path: str, form: str) -> Any:
    from pyspark.errors import PySparkException

    reader = session.read
    try:
        if form == "trec":
            return reader.option("lineSep", "\n").text(path)
        if form in ("csv", "tsv"):
            options = {"header": True, "sep": "," if form == "csv" else "\t", "mode": "FAILFAST"}
            return reader.options(**options).csv(path)
        return reader.parquet(path) if form == "parquet" else reader.json(path)
    except PySparkException as error:
        missing = "PATH_NOT_FOUND" in (error.getCondition() or "")
        why = "no such file" if missing else str(error).partition("\n")[0]
        raise AssayError(f"{path}: {why}") from None


def _parsed(frame: Any, path: str, kind: Form, part: str, *, strict: bool) -> Any:
    from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it

    rows = frame.mapInArrow(partial(parse, path, kind, strict), LINE)
    return rows.select(F.lit(part).alias(PART), "*")


def parse(name: str, form: Form, strict: bool, batches: Iterable[Any]) -> Iterator[Any]:  # noqa: FBT001
    """Lines of text, in Arrow batches, to rows; runs on the workers."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    import pyarrow as pa

    from assay.io.stream import Piece
    from assay.io.trec import parse_piece

    batches = iter(batches)
    dropped = None if strict else Dropped()
    for batch in batches:
        data = _joined(batch.column(0))
        try:
            rows = parse_piece(Piece(data, 1), name, form, dropped)
        except AssayError:
            for _ in batches:  # Spark waits until all is read
                pass
            yield _problem(_worded(data, name, form), "", 0)
            return
        columns = [rows.topic.to_arrow(), rows.doc.to_arrow(), pa.array(rows.value)]
        nothing = pa.nulls(len(rows), pa.string())
        yield pa.RecordBatch.from_arrays(
            [columns[0].cast(pa.string()), columns[1].cast(pa.string()), columns[2], nothing],
            names=["topic", "doc", "value", PROBLEM],
        )
    for kind, many in (dropped.counts if dropped else {}).items():
        yield _problem(kind, name, many)


def _joined(lines: Any) -> bytes:
    """The bytes of all lines, each closed by a line feed."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(lines):
        return b""
    lines = lines.cast(pa.large_binary())  # bytes that are no UTF-8 are found by the reader
    whole = pa.LargeListArray.from_arrays(pa.array([0, len(lines)], pa.int64()), lines)
    data: bytes = pc.binary_join(whole, pa.scalar(b"\n", pa.large_binary()))[0].as_py()
    return data + b"\n"


def _worded(data: bytes, name: str, form: Form) -> str:
    """What is wrong with the first bad line, and the line: its number is known to nobody."""
    from assay.io.lines import read_lines, shown

    for line in data.split(b"\n"):
        try:
            read_lines(line, 0, name, form, None)
        except AssayError as error:
            said = str(error).removeprefix(f"{name}:0: ")
            quoted = shown(line)
            return f"{name}: {said}" + ("" if quoted in said else f". The line is {quoted}")
    return f"{name}: a line cannot be read"  # pragma: no cover - the readers agree


def _problem(text: str, name: str, many: int) -> Any:
    import pyarrow as pa

    columns = [[None], [name], [float(many)], [text]]
    kinds = [pa.string(), pa.string(), pa.float64(), pa.string()]
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=["topic", "doc", "value", PROBLEM])
