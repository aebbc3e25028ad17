"""A standalone cluster on loopback, one master and two workers, and a session on it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from standalone import HOST, Cluster

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": HOST,
    "spark.driver.bindAddress": HOST,
    "spark.driver.memory": "1g",
    "spark.executor.memory": "1g",
    "spark.executor.cores": "1",
    "spark.cores.max": "2",  # of four: the command line has an application of its own
    "spark.pyspark.python": sys.executable,
    "spark.pyspark.driver.python": sys.executable,
    "spark.sql.shuffle.partitions": "4",
    "spark.log.level": "FATAL",
}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    pyspark = pytest.importorskip("pyspark")
    from assay.spark.session import java_trouble

    trouble = java_trouble()
    if trouble:
        pytest.skip(trouble)
    folder = tmp_path_factory.mktemp("cluster")
    made = Cluster(Path(pyspark.__path__[0]), folder, cores=2, memory="2g")
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
