"""A standalone cluster on loopback, one master and two workers, and a session on it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HOST = "127.0.0.1"
DEADLINE = 120  # seconds for the cluster to stand
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": HOST,
    "spark.driver.bindAddress": HOST,
    "spark.driver.memory": "1g",
    "spark.executor.memory": "1g",
    "spark.pyspark.python": sys.executable,
    "spark.pyspark.driver.python": sys.executable,
    "spark.sql.shuffle.partitions": "4",
    "spark.log.level": "FATAL",
}


class Cluster:
    """A master, its workers, and what they leave behind."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
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
        log = self._start(
            "Worker", "--cores", "1", "--memory", "1g", "--work-dir", str(self.folder), self.url
        )
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


def end_session(leader: int) -> None:
    """End a daemon with everything that it started: Spark's Python workers leave its group."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if os.getsid(int(entry.name)) == leader:
                os.kill(int(entry.name), signal.SIGKILL)
        except ProcessLookupError:
            continue


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    pyspark = pytest.importorskip("pyspark")
    from assay.spark.session import java_trouble

    trouble = java_trouble()
    if trouble:
        pytest.skip(trouble)
    made = Cluster(Path(pyspark.__path__[0]), tmp_path_factory.mktemp("cluster"))
    try:
        made.start_master()
        made.start_worker()
        made.start_worker()
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="session")
def session(cluster):
    from pyspark.sql import SparkSession

    before = {name: os.environ.get(name) for name in ("SPARK_LOCAL_IP", "PYSPARK_PYTHON")}
    os.environ |= {"SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable}
    builder = SparkSession.builder.master(cluster.url).appName("assay tests")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    yield made
    made.stop()
    gateway = made.sparkContext._gateway
    if gateway is not None:
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(60)
    from pyspark import SparkContext

    SparkContext._gateway = SparkContext._jvm = None
    for name, value in before.items():
        if value is None:
            os.environ.pop(name)
        else:
            os.environ[name] = value
