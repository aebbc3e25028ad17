"""The page's program and commands give what it shows."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.spark
def test_the_page(monkeypatch):
    pyspark = pytest.importorskip("pyspark")
    spec = importlib.util.spec_from_file_location("docs_build", DOCS / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    programs = Path(pyspark.__path__[0], "bin")  # spark-submit stands there
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"):
        monkeypatch.setenv(name, sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    page = DOCS / "spark.md"
    text, failures = build.replayed(page)
    assert not failures
    assert text == page.read_text(encoding="utf-8")
