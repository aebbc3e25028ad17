"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["new_folder", "replacing"]


@contextmanager
def replacing(output: str | Path) -> Iterator[Path]:
    """A path to write to; what is there becomes `output` at the end, or nothing does."""
    given = Path(output)
    if given.exists() and not given.is_file() and not given.is_dir():
        yield given  # a device or a pipe, such as /dev/stdout
        return
    target = Path(os.path.realpath(output))  # a link stays one
    if not target.parent.is_dir():
        raise AssayError(f"{output}: there is no folder {given.parent}")
    if target.is_dir():
        raise AssayError(f"{output}: a folder; expected the name of a file")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    except OSError as error:
        raise AssayError(f"{output}: cannot be written: {error.strerror or error}") from None
    os.close(handle)
    try:
        yield Path(name)
        with Path(name).open("rb") as written:  # on the disk before it takes its name
            os.fsync(written.fileno())
        mask = os.umask(0)
        os.umask(mask)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def new_folder(folder: str | Path) -> Iterator[Path]:
    """A folder to write into; it becomes `folder`, new or empty, at the end, or nothing does."""
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise AssayError(f"{target}: exists already; name a new folder, or an empty one")
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        yield made
        mask = os.umask(0)
        os.umask(mask)
        made.chmod(0o777 & ~mask)
        if target.is_dir():
            target.rmdir()
        made.rename(target)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
