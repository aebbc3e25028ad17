"""`assay report` as a user types it."""

from __future__ import annotations

import json
import re

import pytest

from shell import assay, terminal


def test_a_page(folder):
    result = assay("report", "q.txt", "bm25.run", "other.run", "-m", "nDCG@10", "-o", "r.html")
    assert result.exit_code == 0
    assert result.stdout == ""
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    command = "assay report q.txt bm25.run other.run -m nDCG@10 -o r.html"
    assert f"<pre>{command}</pre>" in page.replace("app report", "assay report")
    assert "1 of 3 topics have no line in other" in result.stderr


@pytest.mark.parametrize(("form", "start"), [("markdown", "# bm25"), ("latex", "% "),
                                            ("html", "<!doctype html>")])  # fmt: skip
def test_forms_go_to_standard_output(folder, form, start):
    result = assay("report", "q.txt", "bm25.run", "--format", form, "--title", "bm25")
    assert result.stdout.startswith(start)
    assert "no -m given: nDCG@10" in result.stderr


def test_options_reach_the_report(folder):
    (folder / "docs.jsonl").write_text('{"id": "d1", "text": "see"}\n')
    words = ("q.txt", "a=bm25.run", "b=other.run", "-m", "P@5", "--baseline", "a", "--methods")
    result = assay("report", *words, "--texts", "docs.jsonl", "--depth", "2", "-o", "r.html")
    assert result.exit_code == 0, result.stderr
    page = (folder / "r.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert data["depth"] == 2
    assert data["pairs"]["baseline"]
    assert '<section id="methods"' in page
    assert '{"d1":"see"}' in page


def test_an_input_form_has_its_own_option(folder):
    (folder / "q.csv").write_text("query;document;mark\n301;d1;2\n")
    words = ("q.csv", "bm25.run", "-m", "P@5", "--format", "markdown")
    columns = ("--columns", "judgments:topic=query,doc=document,grade=mark")
    assert assay("report", *words, *columns).exit_code == 0
    assert assay("report", *words, "--input-format", "judgments:trec").exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["q.txt"], "expected JUDGMENTS and one RUN or more, found only 'q.txt'"),
        (["q.txt", "bm25.run"], "name a file for the report: -o report.html"),
        (["q.txt", "bm25.run", "-o", "r.pdf"], "r.pdf: expected a name that ends in .html"),
        (["q.txt", "bm25.run", "-o", "r.html", "--texts", "x"], "--texts x: no such file"),
        (["q.txt", "bm25.run", "-o", "no/r.html"], "there is no folder no"),
        (["q.txt", "bm25.run", "-o", "r.html", "--format", "pdf"], "'html', 'markdown', 'latex'"),
    ],
)
def test_errors(folder, words, message):
    result = assay("report", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not result.stdout
    assert not list(folder.glob("*.html"))


def test_progress_in_a_terminal(folder, monkeypatch):
    """The bar comes after a second; here the work is told to last."""
    (folder / "slow.py").write_text(
        "import time, assay\n"
        "@assay.define\n"
        "def Slow(grade, rank):\n"
        "    time.sleep(0.3)\n"
        "    return (grade * (rank <= 2)).sum(axis=-1)\n"
    )
    words = ("q.txt", "bm25.run", "other.run", "-m", "Slow", "--plugin", "slow.py", "-o", "r.html")
    shown = terminal("report", *words)
    assert "assay: report" in shown
    assert "%" in shown
    assert (folder / "r.html").exists()
