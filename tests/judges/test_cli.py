"""`assay judges` from the shell."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

from assay.cli.app import app
from judges.conftest import collection


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given, runs = collection()
    for label, topics in given.items():
        lines = [f"{t} 0 {d} {g}\n" for t, docs in topics.items() for d, g in docs.items()]
        (tmp_path / f"{label}.txt").write_text("".join(lines))
    for label, topics in runs.items():
        lines = [f"{t} Q0 {d} 1 {s} x\n" for t, docs in topics.items() for d, s in docs.items()]
        (tmp_path / f"{label}.run").write_text("".join(lines))
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, ["judges", *words])


RUNS = ("--runs", "run0.run", "run1.run", "run2.run")


def test_compare_prints_tables_and_a_verdict(files):
    result = run("compare", "judge0.txt", "judge1.txt", *RUNS, "-m", "AP", "--rel", "2")
    assert result.exit_code == 0, result.output
    assert "agreement: first" in result.stdout
    assert "judge1 ranks 3 systems as judge0 does" in result.stdout
    assert "Lesk & Salton's explanations" in result.stdout


def test_json_holds_every_table(files):
    result = run("compare", "judge0.txt", "judge1.txt", *RUNS, "-m", "AP", "-o", "json")
    page = json.loads(result.stdout)
    assert {"agreement", "evaluation", "machine", "ranges"} <= {t["name"] for t in page["tables"]}
    assert page["verdict"]


def test_csv_of_one_table_and_of_several(files):
    words = (
        "compare",
        "judge0.txt",
        "judge1.txt",
        *RUNS,
        "-m",
        "AP",
        "-o",
        "csv",
        "--show",
        "machine",
    )
    rows = list(csv.DictReader(io.StringIO(run(*words).stdout)))
    assert [row["system"] for row in rows] == ["judge1 (judge)", "run0", "run1", "run2"]
    rows = list(csv.reader(io.StringIO(run(*words, "--show", "pairs").stdout)))
    assert rows[0] == ["table", "title", "row", "column", "value"]


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_forms_for_papers(files, form):
    result = run("compare", "judge0.txt", "judge1.txt", "-o", form)
    assert result.exit_code == 0
    mark = {"markdown": "| judge0 |", "latex": r"\begin{tabular}", "html": "<table>"}[form]
    assert mark in result.stdout


def test_options_between_runs(files):
    words = ("compare", "--runs", "run0.run", "run1.run", "-m", "AP", "--rel", "judge1=2")
    for line in (
        (*words, "judge0.txt", "judge1.txt"),
        ("compare", "judge0.txt", "judge1.txt", *words[1:]),
    ):
        result = run(*line)
        assert result.exit_code == 0, result.output
        assert "2 systems" in result.stdout


def test_a_table_of_counts_stands_alone(files):
    (files / "counts.txt").write_text("topic A B D\n1 3 4 2\n")
    for more, message in (
        (("judge0.txt",), "a table of counts holds two judges already; give it alone"),
        (("--rel", "2"), "a table of counts holds no judgments, so rel has nothing to act on"),
    ):
        result = run("compare", "counts.txt", *more)
        assert result.exit_code == 2
        assert message in result.stderr


def test_groups_of_topics_are_shown(files):
    (files / "groups.txt").write_text("".join(f"t{t} {'ab'[t % 2]}\n" for t in range(6)))
    words = ("compare", "judge0.txt", "judge1.txt", "--groups", "groups.txt")
    assert "by topic group" in run(*words).stdout
    runs = ("--runs", "run0.run", "run1.run", "-m", "AP", "--show", "evaluation")
    assert "evaluation by group" in run(*words, *runs).stdout


def test_simulate_without_files():
    words = "--pr .8 --pnr .01 --precision-of .2 --recall-of .5 --collection 1000 --relevant 20"
    result = run("simulate", *words.split(), "--retrieved", "50")
    assert result.exit_code == 0, result.output
    assert "sees precision 0.1680 for 0.2 and recall 0.3256 for 0.5" in result.stdout


def test_simulate_with_a_second_judge(files):
    (files / "families.txt").write_text("run0 own\nrun1 own\n")
    words = ("simulate", "judge0.txt", "judge1.txt", *RUNS, "-m", "nDCG@10", "--judges", "50")
    result = run(*words, "--run-groups", "families.txt")
    assert result.exit_code == 0, result.output
    assert "models of error" in result.stdout
    assert "favoured runs" in result.stdout


def test_simulate_without_runs_or_truth(files):
    given, _ = collection(judges=3)
    lines = [f"{t} 0 {d} {g}\n" for t, docs in given["judge2"].items() for d, g in docs.items()]
    (files / "judge2.txt").write_text("".join(lines))
    result = run("simulate", "judge0.txt", "judge1.txt", "judge2.txt")
    assert result.exit_code == 0, result.output
    assert "errors without a truth" in result.stdout


def test_estimate(files):
    lines = (files / "judge0.txt").read_text().splitlines(keepends=True)
    (files / "human.txt").write_text("".join(line for line in lines if line[:2] in "t0 t1 t2 t4"))
    words = ("estimate", "--human", "human.txt", "--cheap", "judge1.txt", "run0.run", "run1.run")
    result = run(*words, "--width", ".1")
    assert result.exit_code == 0, result.output
    assert "random sample of all topics" in result.stdout
    assert result.stdout.count("more topics: further human topics for an interval 0.1 wide") == 2
    alone = run(*words[:-1], "--width", ".1")
    assert "more topics" in alone.stdout  # of a mean


ESTIMATE = ("estimate", "--human", "judge0.txt", "--cheap", "judge1.txt", "run0.run")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("compare",), "expected two JUDGMENTS or more"),
        (("compare", "judge0.txt"), "one set of judgments"),
        (("compare", "judge0.txt", "judge1.txt", "--rel", "x"), "--rel x: expected a number"),
        (("compare", "judge0.txt", "judge1.txt", "--scale", "3"), "expected LOW..HIGH"),
        (("compare", "judge0.txt", "judge1.txt", "--map", "5"), "expected OLD=NEW, found '5'"),
        (("compare", "judge0.txt", "judge1.txt", "--show", "x"), "no such table; there are"),
        (("compare", "judge0.txt", "judge1.txt", "--scale", "3..0"), "scale 3..0: expected its"),
        (("compare", "judge0.txt", "judge1.txt", "--rel", "nan"), "rel=nan: expected the lowest"),
        (("compare", "judge0.txt", "judge1.txt", "--map", "1=nan"), "mapping: nan is no grade"),
        (("compare", "judge0.txt", "judge1.txt", "-m", "AP"), "measures: nothing to act on"),
        (("compare", "judge0.txt", "judge1.txt", "--topic", "t0"), "topic: nothing to act on"),
        (("compare", "judge0.txt", "judge1.txt", "--run", "run0"), "run: nothing to act on"),
        (("simulate", "judge0.txt", "judge1.txt", "--run-groups", "x"), "run_groups: nothing to"),
        (("simulate", "judge0.txt", "judge1.txt", "--relevant", "3"), "--relevant: describes one"),
        (("simulate", "--runs", "run0.run", "--pr", ".8"), "--runs: goes with JUDGMENTS"),
        (
            ("simulate", "judge0.txt", "--runs", "run0.run", "--pr", "2", "--pnr", "0"),
            "p_r=2: a probability lies between 0 and 1",
        ),
        (
            (*ESTIMATE, "--width", "0"),
            "width=0: expected the width of an interval",
        ),
        (
            (*ESTIMATE, "--weight", "nan"),
            "weight=nan: expected a finite number",
        ),
        (("simulate",), "expected JUDGMENTS and --runs"),
        (
            ("estimate", "--human", "judge0.txt", "--cheap", "judge1.txt"),
            "expected RUN..., found none",
        ),
    ],
)
def test_errors_are_one_line(files, words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["compare", "simulate", "estimate"])
def test_help(command):
    result = run(command, "-h")
    assert result.exit_code == 0
    assert f"assay judges {command}" in result.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic A B D\n1 3 4\n", "counts.tsv:2: expected 4 columns"),
        ("topic A B D\n1 3 4 x\n", "D of topic '1': expected a count, found 'x'"),
        ("topic A B D\n1 3 4 5\n", "D is larger than A or B"),
        ("topic A B C D\n1 3 4 6 2\n", "C is not A \\+ B - D"),
        ("topic A B D\n1 3 4 2\n1 3 4 2\n", "topic '1' stands there twice"),
        ("topic A B D N\n1 3 4 2 4\n", "N is smaller than C"),
    ],
)
def test_tables_of_counts_are_checked(tmp_path, text, message):
    file = tmp_path / "counts.tsv"
    file.write_text(text)
    result = run("compare", str(file))
    assert result.exit_code == 2
    import re

    assert re.search(message, result.stderr)
