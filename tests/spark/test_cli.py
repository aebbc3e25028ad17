"""`assay spark eval`: a real collection as `assay eval` scores it; what is wrong, in words."""

from __future__ import annotations

import math
import os
import sys

import pytest

from shell import assay, process
from standalone import HOST

MEASURES = ["-m", "nDCG@10", "-m", "AP", "-m", "P@5"]


@pytest.mark.spark
def test_all_runs_of_trec_covid(cluster, shared):
    folder = shared / "trec-covid-r3"
    files = [folder / "qrels.covid-round3.txt", *sorted((folder / "runs.top100").iterdir())]
    words = [*files, *MEASURES, "--per-topic", "-o", "tsv"]
    here = ["--master", cluster.url, "--conf", f"spark.driver.host={HOST}"]
    here += ["--conf", "spark.executor.memory=512m", "--conf", "spark.cores.max=2"]
    env = os.environ | {"SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable}
    found = process("spark", "eval", *here, *words, "--buckets", "5", env=env, timeout=900)
    local = process("eval", *words)
    assert found.returncode == 0, found.stderr
    rows, same = (_rows(done.stdout) for done in (found, local))
    assert len(rows) == 79 * 3 * 41 + 1
    assert [row[:3] for row in rows] == [row[:3] for row in same]
    for row, other in zip(rows[1:], same[1:], strict=True):
        assert math.isclose(float(row[3]), float(other[3]), rel_tol=1e-12) or row == other
    assert _said(found) == _said(local)


def _rows(text):
    return [line.split("\t") for line in text.splitlines()]


def _said(done):
    return [line for line in done.stderr.splitlines() if line.startswith("assay:")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["q.txt"], "expected JUDGMENTS and one RUN or more, found only 'q.txt'"),
        (["--judgments", "a=q.txt"], "expected one RUN or more, found none"),
        (["q", "r", "--conf", "memory=4g"], "--conf memory=4g: expected KEY=VALUE, such as"),
        (["q", "r", "-m", "nDGC@10"], "unknown measure 'nDGC@10'; did you mean 'nDCG@10'?"),
        (["q", "r", "--buckets", "0"], "invalid value for '--buckets': 0 is not in the range x>=1"),
        (["q", "r", "-o", "parquet", "--per-topic", "--output", "."], ".: there already; name a"),
        (["q", "r", "--format", "letor"], "--format letor: on Spark it must be one of trec, par"),
    ],
)
def test_wrong_words_are_told_before_java_starts(words, message, monkeypatch):
    monkeypatch.setattr("assay.spark.session.session_on", None)
    result = assay("spark", "eval", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith(f"assay: {message}")


@pytest.mark.spark
def test_without_java(monkeypatch, tmp_path):
    pytest.importorskip("pyspark")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr("assay.spark.session.find_spec", len)
    result = assay("spark", "eval", "q", "r", "-m", "AP")
    assert result.exit_code == 2
    assert "Spark needs Java 17 or later, and there is no java on the PATH" in result.stderr


@pytest.mark.parametrize(
    ("version", "good"), [("1.8.0_392", False), ("11.0.2", False), ("17", True)]
)
def test_java_that_is_too_old(monkeypatch, tmp_path, version, good):
    from assay.spark.session import java_trouble

    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    trouble = java_trouble()
    assert trouble is None if good else "or later, and" in trouble


def test_without_pyspark(monkeypatch):
    monkeypatch.setattr("assay.spark.session.find_spec", lambda name: None)
    result = assay("spark", "eval", "q", "r", "-m", "AP")
    assert result.exit_code == 2
    assert "assay: pyspark is not installed; type: pip install 'assay[spark]'" in result.stderr
