"""What a command says, on stderr, and where its data go."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

import click

from assay.errors import AssayError
from assay.io.whole import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["deliver", "progress", "say", "warn"]


def say(message: str) -> None:
    """Say something on stderr."""
    _say(message)


def warn(message: str) -> None:
    """Say something on stderr that a careful reader of the numbers must know."""
    _say(message, mark=True)


def _say(message: str, *, mark: bool = False) -> None:
    from assay.show.text import printable

    color = sys.stderr is not None and sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    head = (
        click.style("warning: ", fg="yellow", bold=True) if mark and color else "warning: " * mark
    )
    with suppress(BrokenPipeError):
        click.echo(f"assay: {head}{printable(message)}", err=True, color=color)


def deliver(parts: Iterable[str | bytes], output: str | None = None) -> None:
    """Write text as UTF-8, or bytes, to standard output or to a file, which appears complete."""
    if output is not None:
        with replacing(output) as path, path.open("wb") as file:
            _write(parts, file)
        return
    if sys.stdout is None:
        raise AssayError("standard output is closed")
    sys.stdout.flush()
    _write(parts, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _write(parts: Iterable[str | bytes], file: Any) -> None:
    for part in parts:
        file.write(part if isinstance(part, bytes) else part.encode("utf-8", "backslashreplace"))


@contextmanager
def progress(what: str, after: float = 1.0) -> Iterator[Callable[[float], None] | None]:
    """A bar on work that lasts longer than a second, where stderr is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(what)
    timer = Timer(after, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield bar.advance
    finally:
        timer.cancel()
        bar.stop()


class _Bar:
    def __init__(self, what: str) -> None:
        self.what, self.done, self.ended = what, 0.0, False
        self.bar: Any = None
        self.task: Any = None
        self.lock = Lock()
        self.began = time.monotonic()

    def start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self.lock:
            if self.ended:
                return
            self.bar = Progress(
                TextColumn("assay: {task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f} %"),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.task = self.bar.add_task(self.what, total=None if self.done == 0 else 1.0)
            self.bar.start()
            self.bar.update(self.task, completed=self.done)

    def advance(self, done: float) -> None:
        with self.lock:
            self.done = done
            if self.bar is not None:
                self.bar.update(self.task, completed=done, total=1.0)

    def stop(self) -> None:
        with self.lock:
            self.ended = True
            if self.bar is not None:
                self.bar.stop()
