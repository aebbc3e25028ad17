"""The report as a result: what it holds, how it is saved, what it refuses."""

from __future__ import annotations

import hashlib
import json
from dataclasses import FrozenInstanceError

import pytest

import assay
from assay import AssayError

J = {"1": {"a": 2, "b": 1}, "2": {"a": 1, "c": 0}, "3": {"d": 1}}
R = {t: {"a": 3.0, "b": 2.0, "c": 1.0} for t in J}
S = {t: {"d": 3.0, "c": 2.0, "a": 1.0} for t in J}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assay.write_judgments(J, "q.txt")
    for name, run in (("one.run", R), ("two.run", S)):
        assay.write_run(run, name)
    lines = [{"id": d, "title": d.upper(), "text": f"about {d}"} for d in "abd"]
    (tmp_path / "docs.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    return tmp_path


def test_it_is_made_of_what_the_others_say(folder):
    made = assay.report("q.txt", ["one.run", "two.run"], ["P@2", "AP"])
    scores = assay.evaluate("q.txt", ["one.run", "two.run"], ["P@2", "AP"])
    assert (made.scores.values == scores.values).all()
    told = assay.compare(scores).with_residuals("q.txt", ["one.run", "two.run"])
    assert made.verdict() == told.verdict()
    assert made.description == assay.describe("q.txt", ["one.run", "two.run"])
    assert made.title == "one and two"
    with pytest.raises(FrozenInstanceError):
        made.title = "x"


def test_files_are_known_by_their_hash(folder):
    made = assay.report("q.txt", ["one.run", "two.run"], "P@2", texts="docs.jsonl")
    assert [file.role for file in made.files] == ["judgments", "run", "run", "texts"]
    for file in made.files:
        data = (folder / file.name).read_bytes()
        assert (file.size, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert assay.report(J, {"one": R}, "P@2").files[0].sha256 == ""


def test_texts_of_what_is_shown(folder):
    made = assay.report("q.txt", "one.run", "P@2", texts="docs.jsonl", depth=1)
    assert made.texts == {"a": "A\nabout a", "b": "B\nabout b", "d": "D\nabout d"}  # b, d relevant
    assert assay.report(J, {"one": R}, "P@2", texts={"c": "see"}).texts == {"c": "see"}


def test_the_call_is_told(folder):
    made = assay.report("q.txt", "one.run", ["P@2", "AP"], ties="expected", seed=3, title="x")
    assert made.command == (
        "assay.report(judgments, runs, ['P@2', 'AP'], title='x', seed=3, ties='expected')"
    )


@pytest.mark.parametrize(
    ("name", "start"),
    [("r.html", "<!doctype html>"), ("r.md", "# one"), ("r.tex", r"% \usepackage{booktabs}")],
)
def test_save_by_suffix(folder, name, start):
    made = assay.report("q.txt", "one.run", "P@2")
    made.save(name)
    assert (folder / name).read_text(encoding="utf-8").startswith(start)
    made.save("plain", format="markdown")
    assert (folder / "plain").read_text(encoding="utf-8").startswith("# one")


def test_save_leaves_nothing_half_done(folder):
    made = assay.report("q.txt", "one.run", "P@2")
    with pytest.raises(AssayError, match="there is no folder"):
        made.save("no/such/r.html")
    with pytest.raises(AssayError, match=r"expected a name that ends in \.html"):
        made.save("r.pdf")
    with pytest.raises(AssayError, match="format='pdf': must be one of"):
        made.save("r.html", format="pdf")
    assert not list(folder.glob("*.html"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depth": 0}, "depth=0: must be a whole number of at least 1"),
        ({"baseline": "one"}, "there is one run only, 'one'"),
        ({"unjudged": "bounds"}, "residuals bound the difference"),
        ({"texts": {"z": "?"}}, "none of the 4 documents shown has a text"),
        ({"judge": "x"}, "no judgment set 'x'"),
        ({"texts": "gone.jsonl"}, "gone.jsonl: no such file"),
    ],
)
def test_refused(settings, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssayError, match=message):
        assay.report(J, {"one": R}, "P@2", **settings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no text; expected lines such as"),
        ('{"id": "a"}\n', r"docs.jsonl:1: expected a text \(title, text, .*\), found 'id'"),
        ('{"id": "a", "text": "x"}\n[]\n', "docs.jsonl:2: expected a JSON object .* found list"),
        ('{"text": "x"}', r"docs.jsonl:1: expected an id"),
        ('{"id": "a", "text": 3}', "docs.jsonl:1: expected a text of words, found 3"),
        ("<html>", "docs.jsonl:1: expected a JSON object .* found '<html>'"),
    ],
)
def test_bad_texts(folder, text, message):
    (folder / "docs.jsonl").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.report("q.txt", "one.run", "P@2", texts="docs.jsonl")


def test_several_judges_need_a_choice():
    sets = {"ann": J, "bob": J}
    with pytest.raises(AssayError, match="2 judgment sets"):
        assay.report(sets, {"one": R, "two": S}, "P@2")
    made = assay.report(sets, {"one": R, "two": S}, "P@2", judge="bob")
    assert made.judge == "bob"
    assert made.comparison.judge == "bob"
    assert made.description.judgments[0].label == "bob"


def test_progress_only_grows():
    seen: list[float] = []
    assay.report(J, {"one": R, "two": S}, "P@2", progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0, abs=0.2)
