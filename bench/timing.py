"""Run a whole process and say what it cost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MB_PER_RSS_UNIT = 1e-6 if sys.platform == "darwin" else 1024e-6  # bytes there, KiB elsewhere


@dataclass(frozen=True)
class Sample:
    """One process: wall seconds, processor seconds, peak resident memory in MB (10^6 bytes)."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """Last line the process wrote on stderr."""
        lines = self.err.strip().splitlines()
        return lines[-1] if lines else f"exit code {self.code}"


def measure(command: list[str]) -> Sample:
    """Run a command from start to exit.

    Peak memory comes from wait4. The kernel counts in what the child held before exec, a copy of
    this process, so nothing large may be imported here.
    """
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Sample(
            seconds=seconds,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            peak_mb=usage.ru_maxrss * MB_PER_RSS_UNIT,
            code=process.returncode,
            out=out.read(),
            err=err.read(),
        )


def limit_cores(count: int) -> int:
    """Keep this process and its children on so many cores, where the system can; return how many.

    Polars, numba and NumPy size their thread pools by what they are allowed to use.
    """
    if not hasattr(os, "sched_setaffinity"):
        return os.cpu_count() or 1
    allowed = sorted(os.sched_getaffinity(0))[:count]
    os.sched_setaffinity(0, allowed)
    return len(allowed)


def settle() -> None:
    """Wait until the system has written what it still holds, such as data made just now."""
    os.sync()


def warm(path: Path) -> None:
    """Read a file once, so that it lies in the page cache."""
    buffer = bytearray(1 << 20)
    with path.open("rb", buffering=0) as file:
        while file.readinto(buffer):
            pass
