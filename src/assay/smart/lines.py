"""A collection's file as text, and text as lines; compressed files and pipes too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.errors import AssayError
from assay.io.spool import readable
from assay.io.stream import BOM, open_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Filed", "numbered", "text_of"]


@dataclass(frozen=True)
class Filed:
    """A file's text, with the name that messages use."""

    file: str
    text: str


def text_of(path: str | Path) -> Filed:
    """The text of a file, UTF-8 or ASCII, compressed or not; `-` is standard input."""
    with readable(path) as origin, open_bytes(origin.path or "", origin.name) as file:
        data = file.read().removeprefix(BOM)
    try:
        return Filed(origin.name, data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AssayError(
            f"{origin.name}:{line}: expected UTF-8 text, found the byte {data[error.start]:#04x}; "
            "convert the file first, as in iconv -f LATIN1 -t UTF-8"
        ) from None


def numbered(filed: Filed) -> Iterator[tuple[str, str]]:
    """Each line that is not blank, with `file:line` for messages."""
    for number, line in enumerate(filed.text.split("\n"), 1):
        if line.strip():
            yield f"{filed.file}:{number}", line.rstrip("\r")
