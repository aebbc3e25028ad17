"""Standard input kept on disk while it is worked on, so that it can be read twice like a file."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from assay.errors import AssayError

__all__ = ["spooled"]


@contextmanager
def spooled(paths: Sequence[str | None]) -> Iterator[list[str | None]]:
    """The paths, with `-` replaced by a temporary file that holds standard input."""
    if "-" not in paths:
        yield list(paths)
        return
    if list(paths).count("-") > 1:
        raise AssayError("'-' stands for standard input, which can be read only once")
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        copy = Path(folder) / "stdin"
        with copy.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
        yield [str(copy) if path == "-" else path for path in paths]
