"""`assay smart` from the shell."""

from __future__ import annotations

import json

import pytest

import assay
from shell import assay as run

pytest.importorskip("snowballstemmer")


def test_search_writes_three_runs_and_says_what_it_did(folder):
    words = ("search", "docs.txt", "--queries", "queries.txt", "--synonyms", "words.txt")
    result = run("smart", *words, "--out", "runs")
    assert result.exit_code == 0, result.stderr
    assert "word-form" in result.stdout
    assert result.stderr.splitlines() == [
        "assay: runs/word-form.run",
        "assay: runs/word-stem.run",
        "assay: runs/thesaurus.run",
    ]
    read = assay.read_run("runs/thesaurus.run")
    assert len(read) == 6
    assert read.tag == "thesaurus"


def test_nothing_is_left_where_something_fails(folder):
    for words, message in (
        (("docs.txt", "--queries", "absent"), "absent: no such file"),
        (("docs.txt", "--queries", "words.txt"), "words.txt: expected SMART's marks"),
        (("docs.txt", "docs.txt", "--queries", "queries.txt"), "the id '1' was there before"),
    ):
        result = run("smart", "search", *words, "--out", "runs")
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
        assert not (folder / "runs").exists()
    (folder / "runs").mkdir()
    (folder / "runs" / "mine").touch()
    result = run("smart", "search", "docs.txt", "--queries", "queries.txt", "--out", "runs")
    assert result.exit_code == 2
    assert "runs: exists already; name a new folder, or an empty one" in result.stderr
    assert [path.name for path in (folder / "runs").iterdir()] == ["mine"]


def test_forms_of_output(folder):
    words = ("smart", "search", "docs.txt", "--queries", "queries.txt")
    page = json.loads(run(*words, "--out", "a", "-o", "json").stdout)
    assert [row["process"] for row in page["tables"][0]["rows"]] == ["word-form", "word-stem"]
    assert run(*words, "--out", "b", "-o", "csv").stdout.startswith("process,terms,")


def test_judgments_can_be_compared(folder):
    items = "".join(f'<Item score="{i % 3}{i % 2}01">{i}</Item>\n' for i in (1, 2, 3))
    (folder / "q.xml").write_text(
        "<FILEQUERY><QUERY><QueryNumber>1</QueryNumber><QueryText>x</QueryText>\n"
        f"<Results>3</Results><Records>{items}</Records></QUERY></FILEQUERY>"
    )
    made = run("smart", "judgments", "q.xml", "judges.csv", "--form", "cystic-fibrosis")
    assert made.exit_code == 0, made.stderr
    assert made.stderr == "assay: judges.csv: 3 judgments of each of 4 judges\n"
    result = run("judges", "compare", "judges.csv", "-o", "json")
    rows = {t["name"]: t["rows"] for t in json.loads(result.stdout)["tables"]}["leniency"]
    assert [row["judge"] for row in rows] == ["judge1", "judge2", "judge3", "judge4"]
    assert [row["relevant"] for row in rows] == [2, 2, 0, 3]


def test_lenient_says_what_was_left_out(folder):
    (folder / "cranqrel").write_text("1 2 3\n1 4 9\n")
    strict = run("smart", "judgments", "cranqrel", "out.txt", "--form", "cranfield")
    assert strict.exit_code == 2
    assert "cranqrel:2: expected a code among" in strict.stderr
    assert not (folder / "out.txt").exists()
    lenient = run("smart", "judgments", "cranqrel", "out.txt", "--form", "cranfield", "--lenient")
    assert "left out 1 row with an unknown code (first: cranqrel:2)" in lenient.stderr
    assert (folder / "out.txt").read_text() == "1 0 2 2\n"


def test_whose_judgments_must_be_said(folder):
    result = run("smart", "judgments", "docs.txt", "out.txt")
    assert result.exit_code == 2
    assert result.stderr == (
        "assay: docs.txt: say whose judgments these are: --form cystic-fibrosis, cranfield or "
        "cacm\n"
    )


def test_synonyms_are_printed_and_written(folder):
    printed = run("smart", "synonyms").stdout
    assert run("smart", "synonyms", "--output", "s.txt").exit_code == 0
    assert (folder / "s.txt").read_text() == printed
    assert "lung, lungs, pulmonary" in printed


def test_choices_are_those_of_the_library():
    from assay.cli import smart
    from assay.smart.assessments import FORMS
    from assay.smart.vectors import WEIGHTS

    assert tuple(FORMS) == smart.COLLECTIONS
    assert WEIGHTS == smart.WEIGHTS
