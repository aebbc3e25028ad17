"""`assay curves`: exact output, forms for programs, bad usage."""

from __future__ import annotations

import json

import pytest

from shell import assay, write


@pytest.fixture
def files(tmp_path):
    qrels = write(tmp_path, "q.txt", "q 0 a 2\nq 0 b 1\np 0 c 1\n")
    run = write(tmp_path, "r.run", "q Q0 x 1 3 t\nq Q0 a 2 2 t\nq Q0 b 3 1 t\np Q0 c 1 1 t\n")
    return qrels, run


def test_table(files):
    found = assay("curves", *files, "-m", "CG", "--depth", 3)
    assert found.exit_code == 0
    assert found.stdout.splitlines()[:8] == [
        "CG         @1      @2      @3",
        "r      0.5000  1.5000  2.0000",
        "ideal  1.5000  2.0000  2.0000",
        "",
        "read off CG  area to 1  gap to ideal  gap at  behind best  behind at",
        "r               0.2222        1.0000       1       0.0000          1",
        "",
        "CG: the ideal turns flat at rank 2",
    ]
    assert found.stderr == ""


def test_tsv_keeps_every_digit(files):
    found = assay("curves", *files, "-m", "nCG", "--depth", 2, "-o", "tsv", "--per-topic")
    assert [line.split("\t") for line in found.stdout.splitlines()] == [
        ["run", "measure", "topic", "rank", "value", "gain", "ideal", "reach"],
        ["r", "nCG", "q", "1", "0.0", "0.0", "2.0", "2"],
        ["r", "nCG", "q", "2", "0.6666666666666666", "2.0", "3.0", ""],
        ["r", "nCG", "p", "1", "1.0", "1.0", "1.0", "1"],
        ["r", "nCG", "p", "2", "1.0", "1.0", "1.0", "1"],
        ["r", "nCG", "all", "1", "0.5", "0.5", "1.5", "2"],
        ["r", "nCG", "all", "2", "0.8333333333333333", "1.5", "2.0", ""],
    ]


def test_json_and_the_other_average(files):
    words = ("curves", *files, "-m", "nCG", "--depth", 2, "-o", "json", "--average", "vectors")
    page = json.loads(assay(*words).stdout)
    assert [point["value"] for point in page["points"]] == [0.5 / 1.5, 1.5 / 2]
    assert page["average"] == "vectors"
    assert page["readings"][0]["gap"] == 1
    assert page["readings"][0]["ideal_flat"] is None


def test_two_runs_against_each_other(tmp_path):
    qrels = write(tmp_path, "q.txt", "q 0 a 2\nq 0 b 1\nq 0 c 1\n")
    early = write(tmp_path, "early.run", "q Q0 a 1 4 t\nq Q0 x 2 3 t\nq Q0 y 3 2 t\nq Q0 b 4 1 t\n")
    late = write(tmp_path, "late.run", "q Q0 x 1 4 t\nq Q0 a 2 3 t\nq Q0 b 3 2 t\nq Q0 y 4 1 t\n")
    words = ("curves", qrels, early, late, "-m", "CG", "--depth", 5, "--against", "early")
    # CG of early 2 2 2 3 3, of late 0 2 3 3 3
    found = assay(*words)
    assert "CG: early and late cross at rank 3" in found.stdout
    assert "early@5 at" in found.stdout
    page = json.loads(assay(*words, "-o", "json").stdout)
    assert page["against"] == "early"
    assert page["crossings"] == [
        {"judge": "q", "measure": "CG", "run": "early", "other": "late", "rank": [3.0]}
    ]
    reach = {
        run: [p["reach"] for p in page["points"] if p["run"] == run] for run in ("early", "late")
    }
    assert reach == {"early": [1, 1, 1, 4, 4], "late": [2, 2, 2, 3, 3]}
    found = assay(*words[:-1], "bm25")
    assert found.exit_code == 2
    assert "no run 'bm25' in these curves; there are: early, late" in found.stderr


def test_recall_levels(files):
    found = assay("curves", *files, "-m", "PR", "-o", "tsv")
    *words, value, gain, ideal = found.stdout.splitlines()[1].split("\t")
    assert words == ["r", "PR", "all", "0.0"]
    assert (float(value), gain, ideal) == (pytest.approx((2 / 3 + 1) / 2), value, "1.0")


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_other_forms(form, files):
    found = assay("curves", *files, "-m", "CG", "-o", form)
    assert found.exit_code == 0
    assert "ideal" in found.stdout


def test_bad_usage(files):
    found = assay("curves", files[0])
    assert found.exit_code == 2
    assert "expected JUDGMENTS and one RUN or more, found only" in found.stderr
    found = assay("curves", *files, "-m", "NDPM")
    assert "NDPM: a curve needs a measure with a cut-off" in found.stderr


def test_a_default_measure_is_said(files):
    assert "no -m given: nDCG_JK" in assay("curves", *files, "--depth", 2).stderr
