"""Run assay's command line: in this process for exact output, in another for pipes and signals."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner, Result

from assay.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path

MODULE = [sys.executable, "-m", "assay"]


def assay(*words: object, **settings: Any) -> Result:
    """Run a command line in this process; `.stdout` and `.stderr` stay apart."""
    try:
        runner = CliRunner(mix_stderr=False)
    except TypeError:  # click 8.2 always keeps them apart
        runner = CliRunner()
    return runner.invoke(app, [str(word) for word in words], catch_exceptions=False, **settings)


def process(*words: object, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run a command line in a process of its own."""
    command = [*MODULE, *map(str, words)]
    settings = {"capture_output": True, "text": True, "timeout": 60, **settings}
    return subprocess.run(command, check=False, **settings)


def terminal(*words: object, columns: int = 80, code: int = 0) -> str:
    """What a command line shows in a terminal of so many columns, stderr included."""
    import pty

    main, other = pty.openpty()
    env = os.environ | {"COLUMNS": str(columns), "TERM": "xterm-256color"}
    env.pop("NO_COLOR", None)
    child = subprocess.Popen(
        [*MODULE, *map(str, words)], stdin=other, stdout=other, stderr=other, env=env
    )
    os.close(other)
    parts = []
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(main)
    assert child.wait(60) == code
    return b"".join(parts).decode().replace("\r\n", "\n")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
