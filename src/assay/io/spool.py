"""Standard input and pipes, kept on disk while they are worked on: read twice, like a file."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from assay.errors import AssayError
from assay.io.locate import Origin
from assay.io.stream import open_raw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

__all__ = ["once_only", "readable"]


@contextmanager
def readable(source: str | Path) -> Iterator[Origin]:
    """A source that can be read more than once: `-` and pipes through a temporary file."""
    name = "standard input" if str(source) == "-" else str(source)
    if str(source) != "-" and not _is_pipe(source):
        yield Origin(name, str(source))
        return
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        copy = Path(folder, "copy")
        with _opened(source, name) as pipe, copy.open("wb") as file:
            try:
                shutil.copyfileobj(pipe, file, 1 << 20)
            except OSError as error:
                raise AssayError(
                    f"{name}: cannot be copied to {folder}: {error.strerror or error}; "
                    "set TMPDIR to a folder with room"
                ) from None
        yield Origin(name, str(copy))


def _opened(source: str | Path, name: str) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdin.buffer) if str(source) == "-" else open_raw(source, name)


def _is_pipe(source: str | Path) -> bool:
    try:
        path = Path(source)
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False


def once_only(sources: Sequence[str | None]) -> None:
    """Refuse standard input where it is named twice."""
    if sources.count("-") > 1:
        raise AssayError("'-' stands for standard input, which can be read only once")
