"""A worker that dies changes nothing; measures of one's own travel to the workers."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import assay

pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

TASKS = 5  # that are done when a worker dies
BUCKETS = 16


def fatal(folder, tasks):
    """A measure that counts the tasks it is called in, and ends the worker that runs one of them.

    By value, so that the workers need no module of the tests.
    """

    def kernel(grade, rank):
        import os
        import signal
        from pathlib import Path

        from pyspark import TaskContext

        context = TaskContext.get()
        if context is not None:
            mark = Path(folder, f"{context.stageId()}-{context.partitionId()}")
            mark.touch()
            alive = not Path(folder, "killed").exists()
            if alive and len(list(Path(folder).iterdir())) > tasks:
                Path(folder, "killed").touch()
                mine = os.getsid(0)  # of the worker, with all that it started
                every = [int(e.name) for e in Path("/proc").iterdir() if e.name.isdigit()]
                for process in every:
                    if os.getsid(process) == mine and process != os.getpid():
                        os.kill(process, signal.SIGKILL)
                os.kill(os.getpid(), signal.SIGKILL)
        return (grade * (rank <= 3)).sum(axis=-1)

    return kernel


@pytest.fixture
def first_three(tmp_path):
    from assay.measures import registry

    name = "FirstThreeOrDeath"
    kernel = fatal(str(tmp_path), TASKS)
    kernel.__module__ = "__main__"
    assay.define(name, kernel)
    yield name
    del registry._REGISTER[name]


def test_a_worker_killed_changes_nothing(cluster, session, first_three, tmp_path):
    from assay import spark

    collection = assay.simulate(topics=80)
    measures = ["nDCG@10", "AP", first_three]
    local = assay.evaluate(collection.judgments, list(collection.runs), measures)
    judgments = session.createDataFrame(collection.judgments.frame.to_arrow())
    runs = {
        run.label: session.createDataFrame(run.frame.to_arrow()).repartition(3)
        for run in collection.runs
    }
    safe = spark.evaluate(judgments, runs, measures[:2], buckets=BUCKETS, tell=len).collect()
    try:
        means = spark.evaluate(judgments, runs, measures, buckets=BUCKETS, tell=len).collect()
    finally:
        cluster.start_worker()
    assert Path(tmp_path, "killed").exists()
    dead = [process for process in cluster.processes[1:] if process.poll() is not None]
    assert len(dead) == 1
    found = [row["value"] for row in means]
    np.testing.assert_allclose(found, local.mean()["value"].to_numpy(), rtol=1e-12)
    same = [tuple(row) for row in means if row["measure"] != first_three]
    assert same == [tuple(row) for row in safe]  # to the last digit


def test_nothing_stays_behind_when_a_daemon_ends(tmp_path):
    import subprocess
    import sys

    from standalone import end_session, session_of

    code = "import subprocess; subprocess.run(['sleep', '60'], process_group=0)"
    daemon = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    while len(list(session_of(daemon.pid))) < 2:
        assert daemon.poll() is None
    end_session(daemon.pid)
    daemon.wait(10)
    left = [pid for pid in session_of(daemon.pid) if b"sleep" in _command(pid)]
    assert not left


def _command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_loopback_alone(cluster):
    assert cluster.url.startswith("spark://127.0.0.1:")
    assert os.environ.get("SPARK_LOCAL_IP") in (None, "127.0.0.1")
