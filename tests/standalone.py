"""A standalone Spark cluster on loopback, for tests and for the benchmark."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = "127.0.0.1"
DEADLINE = 180  # seconds for a daemon to stand


class Cluster:
    """A master, its workers, and what they leave behind."""

    def __init__(self, home: Path, folder: Path, *, cores: int, memory: str) -> None:
        self.home, self.folder, self.cores, self.memory = home, folder, cores, memory
        self.processes: list[subprocess.Popen[bytes]] = []
        self.url = ""

    def _start(self, kind: str, *words: str) -> Path:
        log = self.folder / f"{kind}-{len(self.processes)}.log"
        env = os.environ | {
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_LOCAL_DIRS": str(self.folder),
            "SPARK_DAEMON_MEMORY": "256m",
            "PYSPARK_PYTHON": sys.executable,
        }
        command = [
            str(self.home / "bin" / "spark-class"),
            f"org.apache.spark.deploy.{kind.lower()}.{kind}",
            *("--host", HOST, "--port", "0", "--webui-port", "0"),
            *words,
        ]
        with log.open("wb") as out:
            self.processes.append(
                subprocess.Popen(
                    command,
                    env=env,
                    stdout=out,
                    stderr=out,
                    cwd=self.folder,
                    start_new_session=True,
                )
            )
        return log

    def start_master(self) -> None:
        log = self._start("Master")
        self.url = self._wait(log, r"Starting Spark master at (spark://\S+)")

    def start_worker(self) -> None:
        room = ("--cores", str(self.cores), "--memory", self.memory)
        log = self._start("Worker", *room, "--work-dir", str(self.folder), self.url)
        self._wait(log, r"(Successfully registered) with master")

    @staticmethod
    def _wait(log: Path, pattern: str) -> str:
        until = time.monotonic() + DEADLINE
        while time.monotonic() < until:
            found = re.search(pattern, log.read_text(errors="replace"))
            if found:
                return found[1]
            time.sleep(0.1)
        raise RuntimeError(f"{log.name} does not say {pattern!r}:\n{log.read_text()[-3000:]}")

    def stop(self) -> None:
        for process in reversed(self.processes):
            end_session(process.pid)
            process.wait(30)


def session_of(leader: int) -> Iterator[int]:
    """The processes that a daemon started, and itself: Spark's Python workers leave its group."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(ProcessLookupError):
                if os.getsid(int(entry.name)) == leader:
                    yield int(entry.name)


def end_session(leader: int) -> None:
    """End a daemon with everything that it started."""
    for process in session_of(leader):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
