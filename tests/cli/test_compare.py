"""compare, gate and power as a user types them."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from assay.simulation import simulate
from shell import assay, terminal

STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "c"
    simulate(topics=30, docs=200, depth=30, pool=10, seed=7).write(folder)
    return folder


@pytest.fixture
def here(made, monkeypatch):
    monkeypatch.chdir(made)
    return made


def test_two_runs(here):
    result = assay("compare", "qrels.txt", "solid.run", "rounded.run", "-m", "nDCG@10")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == [
        "nDCG@10",
        "mean",
        "sd",
        "95",
        "%",
        "interval",
        "topics",
        "Judged@10",
    ]
    assert lines[4].split()[:3] == ["difference", "of", "means"]
    assert lines[5].startswith("rounded - solid ")
    assert "paired t p" in result.stdout
    assert "test: paired t (the default here), two-sided" in result.stdout
    assert "warning" not in result.stdout


def test_several_runs_and_options(here):
    runs = ["solid.run", "rounded.run", "new=newcomer.run"]
    result = assay(
        "compare", "qrels.txt", *runs, "-m", "P@5", "--baseline", "new", "--test", "sign"
    )
    assert "solid - new" in result.stdout
    assert "another hypothesis than that of equal means" in result.stdout
    assert "Judged@5" in result.stderr  # uneven judging is a warning


@pytest.mark.parametrize(
    ("form", "start"),
    [("markdown", "| nDCG@10 |"), ("latex", r"\begin{tabular}"), ("html", "<!doctype html>"),
     ("json", "{"), ("csv", "measure,run,baseline,")],
)  # fmt: skip
def test_forms(here, form, start):
    words = ("compare", "qrels.txt", "solid.run", "rounded.run", "-m", "nDCG@10", "-o", form)
    assert assay(*words).stdout.startswith(start)


def test_form_by_suffix(here, tmp_path):
    page = tmp_path / "c.json"
    assay("compare", "qrels.txt", "solid.run", "rounded.run", "-m", "AP", "--output", page)
    found = json.loads(page.read_text())
    assert found["differences"][0]["run"] == "rounded"
    assert found["differences"][0]["residual_exact"] is False


def test_a_terminal_of_80_columns_shows_every_column(here):
    names = ("qrels.txt", "solid.run", "rounded.run", "new=newcomer.run", "-m", "nDCG@10")
    shown = STYLE.sub("", terminal("compare", *names, "--no-residuals", columns=80))
    for head in ("of means", "low", "high", "d_z", "won", "tied", "lost", "size"):
        assert f" {head}" in shown
    assert shown.count("material") >= 2
    assert all(len(line) <= 80 for line in shown.splitlines() if "assay:" not in line)


def test_residuals_on_request(here):
    words = ("compare", "qrels.txt", "solid.run", "newcomer.run", "-m", "nDCG@10")
    assert "unjudged documents" in assay(*words).stdout
    assert "unjudged documents" not in assay(*words, "--no-residuals").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["qrels.txt", "solid.run"], "expected JUDGMENTS and two RUNs or more, found 2 file(s)"),
        (
            ["qrels.txt", "solid.run", "a=solid.run", "--baseline", "b"],
            "no run 'b' to be the baseline",
        ),
        (["qrels.txt", "solid.run", "solid.run"], "two runs are labelled 'solid'"),
        (
            ["qrels.txt", "solid.run", "rounded.run", "--test", "tukey-hsd"],
            "three runs or more, found 2",
        ),
    ],
)
def test_errors(here, words, message):
    result = assay("compare", *words, "-m", "nDCG@10")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not result.stdout


def test_gate_passes_and_fails(here, tmp_path):
    result = assay(
        "gate", "qrels.txt", "solid.run", "again=solid.run", "-m", "nDCG@10", "--max-drop", "2%"
    )
    assert result.exit_code == 0
    assert "PASS: " in result.stdout
    summary, junit = tmp_path / "s.md", tmp_path / "j.xml"
    result = assay(
        "gate", "qrels.txt", "solid.run", "gappy.run", "-m", "nDCG@10", "--max-drop", "0.01",
        "--summary", summary, "--junit", junit,
    )  # fmt: skip
    assert result.exit_code == 1
    assert "gappy lacks 1 topic(s)" in result.stdout
    assert "assay: warning: inconclusive: gappy against solid" in result.stderr
    assert summary.read_text().startswith("### assay gate: INCONCLUSIVE (the build stops)")
    assert ET.parse(junit).getroot().attrib["failures"] == "1"  # noqa: S314 - our own


@pytest.mark.parametrize(
    "words",
    [["--summary", "x", "--junit", "x"], ["--junit", "solid.run"], ["--output", "qrels.txt"]],
)
def test_gate_writes_over_nothing_it_needs(here, words):
    before = (here / "solid.run").read_bytes()
    result = assay("gate", "qrels.txt", "solid.run", "rounded.run", "--max-drop", "1%", *words)
    assert result.exit_code == 2
    assert f"{words[-2]} {words[-1]}: is the file of" in result.stderr
    assert (here / "solid.run").read_bytes() == before
    assert not (here / "x").exists()


def test_baseline_by_its_file(here):
    words = ("compare", "qrels.txt", "a=solid.run", "rounded.run", "newcomer.run", "-m", "P@5")
    by_label = assay(*words, "--baseline", "a").stdout
    assert "rounded - a" in by_label
    assert assay(*words, "--baseline", "solid.run").stdout == by_label
    assert assay(*words, "--baseline", "a=solid.run").stdout == by_label


def test_gate_looks_at_judging_whatever_the_measure(here):
    words = ("gate", "qrels.txt", "solid.run", "newcomer.run", "-m", "AP", "--max-drop", "0.5")
    result = assay(*words)
    assert result.exit_code == 0
    assert "Judged@10 of newcomer" in result.stdout
    assert "Judged@10    " not in result.stdout  # no measure of the decision
    assert assay(*words, "--strict").exit_code == 1


def test_gate_decides_on_every_measure_asked_for(here):
    words = ("gate", "qrels.txt", "solid.run", "rounded.run", "--max-drop", "0.5", "-o", "json")
    for asked in (["Judged@10", "AP"], ["AP", "Judged@10"], ["Judged@10"], ["AP"]):
        named = [word for measure in asked for word in ("-m", measure)]
        found = json.loads(assay(*words, *named).stdout)
        assert [check["measure"] for check in found["checks"]] == asked


def test_bounds_are_refused_with_the_way_out(here):
    words = ("qrels.txt", "solid.run", "rounded.run", "-m", "AP", "--unjudged", "bounds")
    for command in (["compare"], ["gate", "--max-drop", "0.1"]):
        result = assay(*command, *words)
        assert result.exit_code == 2
        assert "residuals bound the difference under the same grades" in result.stderr


def test_gate_needs_a_margin(here):
    result = assay("gate", "qrels.txt", "solid.run", "gappy.run", "-m", "AP")
    assert result.exit_code == 2
    assert "needs max_drop" in result.stderr


def test_gate_in_json(here):
    result = assay(
        "gate",
        "qrels.txt",
        "solid.run",
        "rounded.run",
        "-m",
        "AP",
        "--require-gain",
        "0",
        "-o",
        "json",
    )
    found = json.loads(result.stdout)
    assert found["exit_code"] == result.exit_code == 1
    assert found["checks"][0]["max_drop"] is None


def test_power(here):
    result = assay(
        "power", "qrels.txt", "solid.run", "rounded.run", "-m", "AP", "--difference", "0.1"
    )
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:3] == ["topics", "needed:", "AP"]
    assert lines[1].split()[:2] == ["difference", "0.1"]
    found = json.loads(
        assay("power", "qrels.txt", "solid.run", "rounded.run", "-m", "AP", "-o", "json").stdout
    )
    assert [row["difference"] for row in found["designs"]] == [0.01, 0.02, 0.05, 0.1]
