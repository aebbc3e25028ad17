"""The report as Markdown and LaTeX, marks of significance, methods and their references."""

from __future__ import annotations

import re

import pytest

import assay
import hostile
from assay.show.report.board import board
from assay.show.report.methods import bibtex, papers_of


@pytest.fixture(scope="module")
def collection():
    return assay.simulate(topics=20, docs=200, depth=30, pool=10, seed=7)


@pytest.fixture(scope="module")
def pairs(collection):
    return assay.report(collection.judgments, collection.runs, ["nDCG@10", "AP"], methods=True)


@pytest.fixture(scope="module")
def based(collection):
    return assay.report(
        collection.judgments, collection.runs, "nDCG@10", baseline="rounded", methods=True
    )


@pytest.fixture(scope="module")
def nasty():
    return assay.report(hostile.judged(), hostile.runs(), "AP", title=hostile.SCRIPT, methods=True)


def test_letters_say_what_the_comparison_found(pairs):
    for m, measure in enumerate(pairs.scores.measures):
        marks = {line.run: set(line.places[m].mark) for line in board(pairs).lines}
        for d in pairs.comparison.under(measure):
            assert d.significant != bool(marks[d.run] & marks[d.baseline])


def test_marks_against_a_baseline(based):
    found = board(based)
    assert found.baseline == "rounded"
    marks = {line.run: line.places[0].mark for line in found.lines}
    expected = {
        d.run: {True: "▲", False: "▼"}[d.difference > 0] if d.significant else ""
        for d in based.comparison.differences
    }
    assert marks == expected | {"rounded": ""}
    assert "▼" in marks.values()


def test_lines_are_numbered_best_first(pairs):
    lines = board(pairs).lines
    values = [line.places[0].mean.value for line in lines]
    assert values == sorted(values, reverse=True)
    assert [line.number for line in lines] == [1, 2, 3, 4]
    assert [line.places[0].best for line in lines] == [True, False, False, False]


def test_markdown_tells_the_story(pairs):
    text = pairs.markdown()
    assert text.startswith("# solid, rounded, newcomer, gappy\n")
    for head in ("## Leaderboard", "## Differences in nDCG@10", "## Topics", "## Judgments",
                 "## Methods", "<summary>How it was made</summary>"):  # fmt: skip
        assert head in text
    first = board(pairs).lines[0]
    assert f"| 1 | {first.run} | {first.places[0].mean.value:.4f} |" in text
    assert text.count("```") == 4
    assert len(text) < 65_536  # what a comment on a pull request may hold


def test_markdown_is_proof_against_names(nasty):
    text = nasty.markdown()
    outside = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    outside = re.sub(r"</?details>|</?summary>", "", outside)
    assert not re.search(r"(?<!\\)<", outside)
    rows = [line for line in outside.splitlines() if line.startswith("| ")]
    widths = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
    assert widths == {6, 10, 3}  # leaderboard, differences, topics: no name opens a cell


def test_latex_tables(pairs):
    text = pairs.latex()
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 2
    lines = [line for line in text.splitlines() if line.endswith(r"\\") and "&" in line]
    widths = {len(re.findall(r"(?<!\\)&", line)) for line in lines}
    assert widths == {4, 6}
    for line in board(pairs).lines:
        place = line.places[0]
        value = f"{place.mean.value:.4f}"
        value = rf"\textbf{{{value}}}" if place.best else value
        assert rf"{line.run} & {value}\textsuperscript{{{place.mark}}} & " in text
    starred = sum(r"$^{*}$ &" in line for line in text.splitlines())
    assert starred == sum(d.significant for d in pairs.comparison.under(pairs.scores.measures[0]))
    assert r"\cite{jarvelin2002,burges2005}" in text


def test_latex_is_proof_against_names(nasty):
    body = [line for line in nasty.latex().splitlines() if not line.startswith("%")]
    text = "\n".join(body)
    assert r"\input{" not in text
    assert "100%" not in text
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")


def test_methods_name_what_was_run(pairs, based):
    text = pairs.html()
    assert "by the randomised Tukey HSD test [carterette2012] with 10,000 random draws" in text
    words = based.markdown()
    assert r"Each run was compared with rounded by the paired t test \[student1908\]" in words
    assert r"Holm's correction \[holm1979\] over 3 differences" in words
    assert "carterette2012" not in words
    cited = set(re.findall(r"@\w+\{(\w+),", bibtex(based)))
    assert cited == {"jarvelin2002", "burges2005", "student1908", "holm1979"}


def test_every_measure_has_its_papers_or_none_that_has_a_year():
    from assay.measures.measure import Measure
    from assay.measures.registry import registered

    for name, definition in registered().items():
        entries = papers_of(Measure(name))
        assert bool(entries) == bool(re.search(r"\b(1[89]|20)\d\d\b", definition.paper)), name
        for entry in entries:
            assert re.fullmatch(r"[a-z]+\d{4}", entry.key), (name, entry.key)
            assert entry.bibtex().count("{") == entry.bibtex().count("}")


def test_unknown_papers_are_cited_as_their_measure_cites_them():
    from assay.measures.measure import Measure

    (entry,) = papers_of(Measure("PRR"))
    assert entry.key == "raghavan1989"
    assert entry.fields["author"] == "Raghavan and Bollmann and Jung"
    assert entry.fields["doi"] == "10.1145/65943.65945"
