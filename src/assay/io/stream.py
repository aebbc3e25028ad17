"""A file, a pipe or a compressed file as pieces of bytes cut at line ends.

One loop serves plain and compressed files, standard input, and files larger than memory; every
piece knows its first physical line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import IO, Any, TypeVar, cast

from assay.errors import AssayError

T = TypeVar("T")

__all__ = ["PIECE", "Piece", "ahead", "label_of", "open_bytes", "pieces"]

PIECE = 16 << 20
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Piece:
    """Whole lines of a file, the last one closed by a line feed."""

    data: bytes
    line: int  # physical number of the first line, from 1
    last: bool = False


def label_of(source: str | Path) -> str:
    """A file's name without folder and suffixes: the label of a run or of a judgment set."""
    if str(source) == "-":
        return "stdin"
    name = Path(source).name
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    stem, dot, suffix = name.rpartition(".")
    known = {"run", "txt", "trec", "res", "results", "qrels", "qrel", "tsv", "csv", "jsonl", "parquet"}
    return stem if dot and stem and suffix.lower() in known else name


@contextmanager
def open_bytes(source: str | Path) -> Iterator[IO[bytes]]:
    """Open a path, or `-` for standard input, decompressed whatever its name says."""
    name = str(source)
    raw: IO[bytes]
    try:
        raw = sys.stdin.buffer if name == "-" else Path(source).open("rb", buffering=1 << 20)  # noqa: SIM115
    except OSError as error:
        raise AssayError(_cannot_open(name, error)) from None
    try:
        head = cast("Any", raw).peek(6)[:6]
        opener = _opener(head)
        if opener is None:
            yield raw
        else:
            with opener(raw) as plain:
                yield plain
    except OSError as error:
        raise AssayError(f"{name}: cannot be read: {error.strerror or error}") from None
    finally:
        if name != "-":
            raw.close()


def _cannot_open(name: str, error: OSError) -> str:
    path = Path(name)
    if isinstance(error, FileNotFoundError):
        folder = path.parent
        if not folder.is_dir():
            return f"{name}: no such file, and no folder {folder}"
        from difflib import get_close_matches

        near = get_close_matches(path.name, [entry.name for entry in folder.iterdir()], 1)
        return f"{name}: no such file" + (f"; did you mean {folder / near[0]}?" if near else "")
    if isinstance(error, IsADirectoryError):
        return f"{name}: a folder; expected a file"
    return f"{name}: cannot be opened: {error.strerror or error}"


def _opener(head: bytes) -> Callable[[IO[bytes]], Any] | None:
    """What undoes the compression that the first bytes show."""
    if head.startswith(b"\x1f\x8b"):
        import gzip

        return lambda raw: gzip.GzipFile(fileobj=raw, mode="rb")
    if head.startswith(b"BZh"):
        import bz2

        return bz2.BZ2File
    if head.startswith(b"\xfd7zXZ\x00"):
        import lzma

        return lzma.LZMAFile
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
        return lambda raw: zstd.ZstdFile(raw)
    return None


def pieces(source: str | Path, size: int = PIECE, *, whole_topics: bool = False) -> Iterator[Piece]:
    """Read a file piece by piece, each cut at a line end.

    With `whole_topics` a cut falls, wherever the file is grouped by topic, between two topics (the
    first column); a topic longer than a piece makes its piece longer.
    """
    name = str(source)
    with open_bytes(source) as file:
        rest, line, first, want = b"", 1, True, size
        while True:
            data = _read(file, want, name)
            if first:
                _refuse_foreign(data, name)
                data = data.removeprefix(_BOM)
                first = False
            ended = len(data) == 0
            data = rest + data
            if ended:
                if data:
                    yield Piece(data if data.endswith(b"\n") else data + b"\n", line, last=True)
                return
            cut = data.rfind(b"\n") + 1
            if whole_topics and cut:
                cut = _last_topic(data, cut)
            if not cut:  # one line or one topic fills the piece: look further, further each time
                rest, want = data, max(size, len(data))
                continue
            rest, data, want = data[cut:], data[:cut], size
            yield Piece(data, line)
            line += data.count(b"\n")


def _read(file: IO[bytes], size: int, name: str) -> bytes:
    parts, missing = [], size
    while missing > 0:
        try:
            part = file.read(missing)
        except (EOFError, ValueError, OSError) as error:
            raise AssayError(f"{name}: the compressed data is damaged or cut short: {error}") from None
        except Exception as error:  # zlib.error, LZMAError and ZstdError share no base
            if type(error).__name__ not in ("error", "LZMAError", "ZstdError"):
                raise
            raise AssayError(f"{name}: the compressed data is damaged: {error}") from None
        if not part:
            break
        parts.append(part)
        missing -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _refuse_foreign(data: bytes, name: str) -> None:
    if data.startswith(_UTF16):
        raise AssayError(f"{name}:1: UTF-16 text; expected UTF-8. Convert it: iconv -f UTF-16 -t UTF-8")
    if data.startswith(b"PAR1"):
        raise AssayError(f"{name}: a Parquet file; expected text lines in TREC form")


def _last_topic(data: bytes, end: int) -> int:
    """Where the lines of the last topic before `end` begin; 0 when they fill everything."""
    topic: bytes | None = None
    start = end
    while start:
        line_start = data.rfind(b"\n", 0, start - 1) + 1
        fields = data[line_start:start].split(None, 1)
        if fields and data[line_start : line_start + 1] != b"#":
            if topic is None:
                topic = fields[0]
            elif fields[0] != topic:
                return start
        start = line_start
    return 0


def ahead(items: Iterator[T], depth: int = 1) -> Iterator[T]:
    """Make the next items in a second thread while the present one is worked on."""
    queue: Queue[tuple[str, Any]] = Queue(maxsize=depth)
    stop = Event()

    def work() -> None:
        try:
            for item in items:
                queue.put(("item", item))
                if stop.is_set():
                    return
            queue.put(("end", None))
        except BaseException as error:  # noqa: BLE001 - handed to the reader's thread
            queue.put(("error", error))

    thread = Thread(target=work, daemon=True)
    thread.start()
    try:
        while True:
            kind, item = queue.get()
            if kind == "end":
                return
            if kind == "error":
                raise item
            yield item
    finally:
        stop.set()
        while not queue.empty():
            queue.get_nowait()
