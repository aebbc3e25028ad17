"""describe as a user types it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from assay.simulation import simulate
from shell import assay, terminal

STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def here(tmp_path, monkeypatch):
    simulate(topics=6, docs=100, runs=6, depth=20).write(tmp_path / "made")
    monkeypatch.chdir(tmp_path / "made")
    return sorted(path.name for path in (tmp_path / "made").glob("*.run"))


def test_no_line_is_wider_than_the_terminal(here):
    named = [f"a-run-of-a-long-name-{i}={name}" for i, name in enumerate(here)]
    shown = STYLE.sub("", terminal("describe", "qrels.txt", *named, columns=80))
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.count("\noverlap@20") > 1  # the square goes below itself
    wide = assay("describe", "qrels.txt", *named).stdout  # in a pipe nothing is folded
    assert wide.count("\noverlap@20") == 1


def test_the_suffix_says_the_form(here):
    for name, begins in (("a.json", "{"), ("a.html", "<!doctype html>"), ("a.txt", "judgments ")):
        result = assay("describe", "qrels.txt", *here, "--output", name)
        assert (result.exit_code, result.stdout) == (0, "")
        assert Path(name).read_text(encoding="utf-8").startswith(begins)
    page = json.loads(assay("describe", "qrels.txt", *here, "-o", "json").stdout)
    assert page == json.loads(Path("a.json").read_text(encoding="utf-8"))
    assert len(page["runs"]) == 6
    result = assay("describe", "qrels.txt", "--output", "a.csv")
    assert result.exit_code == 2
    assert "a description has no form csv" in result.stderr


def test_a_missing_file(here):
    result = assay("describe", "qrles.txt", *here)
    assert result.exit_code == 2
    assert result.stderr.startswith("assay: qrles.txt: no such file; did you mean qrels.txt?")
    result = assay("convert", "qrles.txt", "x.csv")  # before it asks what the file holds
    assert result.stderr.startswith("assay: qrles.txt: no such file; did you mean qrels.txt?")
