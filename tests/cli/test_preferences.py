"""`assay preferences`: exact output of each command, exit statuses, forms for programs."""

from __future__ import annotations

import json

import pytest

from assay import read_judgments, read_run
from shell import assay, write

VERDICTS = "q a b a\nq b c b\nq a c =\np x y y\n"


@pytest.fixture
def verdicts(tmp_path):
    return write(tmp_path, "verdicts.txt", VERDICTS)


@pytest.fixture
def circle(tmp_path):
    return write(tmp_path, "circle.txt", "q a b\nq b c\nq c a\nq a b\n")


def test_check_says_what_is_wrong_and_exits_1(verdicts):
    found = assay("preferences", "check", verdicts)
    assert found.exit_code == 1
    assert (
        found.stdout
        == """\
topic  verdict        docs  statements  votes  implied  unknown  asym.  neg. trans.  cycles  drop
q      contradictory     3           3      3        0        0      0            1       0     1
p      weak order        2           1      1        0        0      0            0       0

q: negative transitivity: a > b (line 1), b > c (line 2), yet c = a (line 3)
q: drop a > b (line 1)

1 weak order, 1 contradictory
"""
    )
    assert found.stderr == ""


def test_check_of_consistent_verdicts_exits_0(tmp_path):
    path = write(tmp_path, "v.txt", "q a b a\n")
    found = assay("preferences", "check", path)
    assert (found.exit_code, found.stdout.splitlines()[-1]) == (0, "1 weak order")


def test_check_several_files_and_forms(verdicts, circle):
    found = assay("preferences", "check", verdicts, circle, "-o", "tsv")
    rows = [line.split("\t") for line in found.stdout.splitlines()]
    assert rows[0][:4] == ["file", "topic", "judge", "verdict"]
    assert [row[0] for row in rows[1:]] == ["verdicts", "verdicts", "circle"]
    page = json.loads(assay("preferences", "check", verdicts, circle, "-o", "json").stdout)
    assert page["summary"]["circle"] == "1 contradictory"
    assert page["violations"][1]["lines"] == [1, 2, 3, 4]
    assert page["drop"][1] | {"file": "circle"} == page["drop"][1]
    assert "three columns, read as topic, better, worse" in found.stderr


def test_levels(circle, tmp_path):
    found = assay("preferences", "levels", circle)
    assert found.exit_code == 2
    assert "circle: no order obeys these preferences: q: negative transitivity" in found.stderr
    found = assay("preferences", "levels", circle, "--drop")
    assert found.stdout.splitlines()[0].split() == ["topic", "level", "utility", "documents"]
    assert "1 of 3 verdicts dropped" in found.stderr
    qrels = tmp_path / "levels.qrels"
    assay("preferences", "levels", circle, "--drop", "-o", "qrels", "--output", qrels)
    grades = read_judgments(qrels).to_dict()["q"]
    assert sorted(grades.values()) == [0, 1, 2]
    assert grades["a"] > grades["b"]


def test_merge_judges(circle, tmp_path):
    other = write(tmp_path, "other.txt", "q b c\nq b c\nq b c\n")
    found = assay("preferences", "merge", circle, other)
    assert found.exit_code == 0
    assert (
        found.stdout
        == """\
topic  voters  docs  levels  contradicted  at least  order
q           2     3       3             1         1  a > b > c

Kemeny 1959: the order that contradicts the fewest votes
"""
    )
    assert "assay: 1 of 1 topics exact" in found.stderr


def test_merge_runs_into_pseudo_judgments(tmp_path):
    runs = [
        write(
            tmp_path,
            f"{name}.run",
            "".join(f"q Q0 {d} {i} {9 - i} t\n" for i, d in enumerate(docs, 1)),
        )
        for name, docs in (("one", "abc"), ("two", "acb"), ("three", "bad"))
    ]
    words = ("preferences", "merge", "--of", "runs", *runs, "--depth", 2)
    assert assay(*words, "--top", 1, "-o", "qrels").stdout == "q 0 a 1\nq 0 b 0\nq 0 c 0\n"
    target = tmp_path / "merged.run"
    assay(*words, "-o", "run", "--output", target)
    assert read_run(target).to_dict() == {"q": {"a": 2, "b": 1, "c": 0}}
    rows = json.loads(assay(*words, "--method", "borda", "-o", "json").stdout)["rows"]
    # a stands before both others twice, and between them once
    assert rows[0] == {"topic": "q", "level": 1, "score": 2 + 2 + 0, "doc": "a"}


def test_merge_judgments(tmp_path):
    paths = [write(tmp_path, f"{i}.qrels", f"q 0 a {i}\nq 0 b 1\n") for i in (0, 2, 3)]
    found = assay("preferences", "merge", "--of", "judgments", *paths, "--method", "copeland")
    assert found.stdout.splitlines()[1].split()[-3:] == ["a", ">", "b"]


def test_distance(verdicts, tmp_path):
    run = write(tmp_path, "r.run", "q Q0 c 1 3 t\nq Q0 a 2 3 t\nq Q0 b 3 1 t\np Q0 y 1 1 t\n")
    found = assay("preferences", "distance", verdicts, run, "--system", "runs")
    assert found.stdout.splitlines()[:4] == [
        "topic  C+  C-  C^u  C^s  tied  unknown  beta  dpm  C    ndpm",
        "q       1   1    0    0     1        0     2    2  2  0.5000",
        "p       1   0    0    0     0        0     0    0  1  0.0000",
        "all     2   1    0    0     1        0     2    2  3  0.3333",
    ]
    same = assay("preferences", "distance", verdicts, f"twin={verdicts}", "-o", "tsv")
    assert same.stdout.splitlines()[1].split("\t")[1:4] == ["2", "0", "0"]


def test_lenient_warns_of_what_is_left_out(tmp_path):
    path = write(tmp_path, "v.txt", "q a b a\nq a b x\n")
    assert assay("preferences", "check", path).exit_code == 2
    found = assay("preferences", "check", path, "--lenient")
    assert found.exit_code == 0
    assert "left out 1 row with a winner that was not compared" in found.stderr


@pytest.mark.parametrize("name", ["check", "levels", "merge", "distance"])
def test_help(name):
    found = assay("preferences", name, "-h")
    assert found.exit_code == 0
    assert f"assay preferences {name} " in found.stdout


def test_a_form_is_asked_for(tmp_path):
    path = write(tmp_path, "requests.txt", "q a b\n")
    assert "pairs still to be judged" in assay("preferences", "check", path).stderr
    assert assay("preferences", "check", path, "--format", "pairs").exit_code == 0
