"""Rows to files, in each form that has room for them; a file appears whole or not at all."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import polars as pl

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, RUN, Form
from assay.io.stream import COMPRESSED
from assay.io.whole import replacing

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["WRITABLE", "Content", "format_for", "write"]

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".letor": "letor",
    ".svmlight": "letor",
}
FOREIGN = (".xlsx", ".xls", ".ods", ".zip", ".lz4", ".7z", ".avro", ".orc", ".pkl", ".xml", ".html")
BINARY = ("parquet", "arrow")
NEITHER = {"letor": "its lines need labels and features at once", "table": "say csv or tsv"}
SPACE = r"[ \t\n\r\x0b\x0c\x00]"  # what may not stand in an id of lines cut at white space


@dataclass(frozen=True)
class Content:
    """What is written: topic, doc, number, and for several sets or runs their names."""

    kind: Form
    frame: pl.DataFrame  # topic, doc, then grade or score; with several a column run or judge first
    name: str  # in messages
    tag: str = ""

    @property
    def value(self) -> str:
        """`grade` or `score`."""
        return self.kind.columns[self.kind.value]

    @property
    def part(self) -> str | None:
        """`run` or `judge`, where there are several."""
        first = self.frame.columns[0]
        return first if first in ("run", "judge") else None


def format_for(path: str | Path, form: str | None, kind: Form, *, several: bool = False) -> str:
    """The form asked for, or what the file's suffix says; TREC where it says nothing."""
    if form is None:
        target = Path(path)
        suffix = target.suffix.lower()
        if suffix in COMPRESSED:
            suffix = target.with_suffix("").suffix.lower()
        if suffix in FOREIGN:
            raise AssayError(f"{path}: {suffix} is no form that assay writes; say format= (--to)")
        form = SUFFIXES.get(suffix, "judge_groups" if several and kind is JUDGMENTS else "trec")
    if form in NEITHER:
        raise AssayError(f"{path}: {form} cannot be written: {NEITHER[form]}")
    known = [name for name, (kinds, _) in WRITABLE.items() if kind in kinds]
    if form not in known:
        raise AssayError(
            f"format={form!r}: must be one of {', '.join(map(repr, known))} for {kind.what}"
        )
    return form


def write(content: Content, path: str | Path, form: str | None = None) -> None:
    """Write a file; `-` is standard output."""
    form = format_for(path, form, content.kind, several=content.part is not None)
    if not content.frame.height:
        raise AssayError(
            f"{path}: {content.name} holds no rows; an empty file could not be read back"
        )
    if content.part is not None and form in ("trec", "marco", "ntcir", "json"):
        raise AssayError(
            f"{path}: {form} holds one {content.part} only; use csv, tsv, jsonl or parquet"
        )
    packed = Path(path).suffix.lower() in COMPRESSED
    if packed and form in BINARY:
        raise AssayError(f"{path}: {form} is compressed inside; leave out {Path(path).suffix}")
    if form not in BINARY and content.frame["topic"].str.contains("\0", literal=True).any():
        raise AssayError(f"{path}: a topic holds a NUL byte, which text files cannot; use Parquet")
    suffix = Path(path).suffix.lower() if packed else ""
    try:
        if str(path) == "-":
            whole = io.BytesIO()
            WRITABLE[form][1](content, whole)
            sys.stdout.buffer.write(whole.getvalue())
            sys.stdout.buffer.flush()
            return
        with replacing(path) as work, _opened(work, suffix) as file:
            WRITABLE[form][1](content, file)
    except BrokenPipeError:  # a pipe whose reader has seen enough
        raise
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AssayError(f"{path}: cannot be written: {reason}") from error


@contextmanager
def _opened(path: Path, suffix: str) -> Iterator[Any]:
    """A file to write to, compressed as its suffix says."""
    with path.open("wb") as raw:
        if not suffix:
            yield raw
            return
        with _packing(raw, suffix) as file:
            yield file


def _packing(raw: IO[bytes], suffix: str) -> Any:
    if suffix == ".gz":
        import gzip

        return gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
    if suffix == ".bz2":
        import bz2

        return bz2.BZ2File(raw, "wb")
    if suffix == ".xz":
        import lzma

        return lzma.LZMAFile(raw, "wb")
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    return zstd.ZstdFile(raw, "wb")


def _no_blanks(content: Content, *names: str) -> None:
    """Ids that lines cut at white space can hold."""
    for name in names:
        bad = content.frame[name].filter(content.frame[name].str.contains(SPACE))
        if len(bad):
            what = "document" if name == "doc" else name
            raise AssayError(
                f"{content.name}: the id of {what} {bad[0]!r} holds white space, which this form "
                "cannot; "
                "use csv, jsonl or parquet"
            )
    first = content.frame["topic"]
    if first.str.starts_with("#").any() or first[0].startswith("\ufeff"):
        raise AssayError(
            f"{content.name}: a topic begins with '#', which starts a comment; use csv"
        )


def _lines(
    frame: pl.DataFrame, columns: Sequence[Any], file: IO[bytes], separator: str = " "
) -> None:
    exprs = [
        pl.lit(each).alias(f"_{i}") if isinstance(each, str) else each
        for i, each in enumerate(columns)
    ]
    frame.select(exprs).write_csv(
        file, include_header=False, separator=separator, quote_style="never"
    )


def _plain(content: Content) -> pl.DataFrame:
    """Grades as whole numbers where all are."""
    number = content.frame[content.value]
    whole = content.kind is JUDGMENTS and bool(
        ((number == number.floor()) & (number.abs() < 2**53)).all()
    )
    return content.frame.with_columns(number.cast(pl.Int64)) if whole else content.frame


def _trec(content: Content, file: IO[bytes]) -> None:
    _no_blanks(content, "topic", "doc")
    frame = _plain(content)
    if content.kind is JUDGMENTS:
        _lines(frame, [pl.col("topic"), "0", pl.col("doc"), pl.col("grade")], file)
        return
    frame = frame.with_columns(_rank=_ranks(frame))
    tag = " ".join(content.tag.split()) or "assay"
    _lines(
        frame, [pl.col("topic"), "Q0", pl.col("doc"), pl.col("_rank"), pl.col("score"), tag], file
    )


def _ranks(frame: pl.DataFrame) -> pl.Series:
    """Places in the list: scores descending, then ids descending."""
    numbered = frame.select("topic", "doc", "score").with_row_index("_row")
    ordered = numbered.sort("score", "doc", descending=True, maintain_order=True)
    place = pl.int_range(1, pl.len() + 1).over("topic").alias("_rank")
    return ordered.with_columns(place).sort("_row")["_rank"]


def _marco(content: Content, file: IO[bytes]) -> None:
    _no_blanks(content, "topic", "doc")
    frame = content.frame.with_columns(_rank=_ranks(content.frame))
    _lines(frame, [pl.col("topic"), pl.col("doc"), pl.col("_rank")], file, "\t")


def _judge_groups(content: Content, file: IO[bytes]) -> None:
    judged = content.part is not None
    _no_blanks(content, "topic", "doc", *(["judge"] if judged else []))
    judge = pl.col("judge") if judged else "1"
    _lines(_plain(content), [pl.col("topic"), judge, pl.col("doc"), pl.col("grade")], file)


def _ntcir(content: Content, file: IO[bytes]) -> None:
    _no_blanks(content, "topic", "doc")
    frame = _plain(content)
    if not frame["grade"].dtype.is_integer() or (frame["grade"] < 0).any():
        raise AssayError(f"{content.name}: NTCIREVAL's levels are whole numbers from 0; use trec")
    _lines(frame, [pl.col("topic"), pl.col("doc"), pl.concat_str(pl.lit("L"), "grade")], file)


def _delimited(separator: str) -> Callable[[Content, IO[bytes]], None]:
    def put(content: Content, file: IO[bytes]) -> None:
        _plain(content).write_csv(file, separator=separator)

    return put


def _jsonl(content: Content, file: IO[bytes]) -> None:
    _plain(content).write_ndjson(file)


def _json(content: Content, file: IO[bytes]) -> None:
    page: dict[str, dict[str, float]] = {}
    for topic, doc, number in _plain(content).iter_rows():
        page.setdefault(topic, {})[doc] = number
    file.write(json.dumps(page, ensure_ascii=False, indent=1).encode() + b"\n")


def _parquet(content: Content, file: IO[bytes]) -> None:
    content.frame.write_parquet(file)


def _arrow(content: Content, file: IO[bytes]) -> None:
    content.frame.write_ipc(file)


Writer = Callable[[Content, IO[bytes]], None]
WRITABLE: Mapping[str, tuple[tuple[Form, ...], Writer]] = {
    "trec": ((RUN, JUDGMENTS), _trec),
    "judge_groups": ((JUDGMENTS,), _judge_groups),
    "marco": ((RUN,), _marco),
    "ntcir": ((JUDGMENTS,), _ntcir),
    "csv": ((RUN, JUDGMENTS), _delimited(",")),
    "tsv": ((RUN, JUDGMENTS), _delimited("\t")),
    "jsonl": ((RUN, JUDGMENTS), _jsonl),
    "json": ((RUN, JUDGMENTS), _json),
    "parquet": ((RUN, JUDGMENTS), _parquet),
    "arrow": ((RUN, JUDGMENTS), _arrow),
}
