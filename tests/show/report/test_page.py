"""The page as text: what is embedded, what is escaped, what its policy allows."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

import assay
import hostile
from assay.show.report.embed import in_html, in_script

VOID = {"meta", "link", "line", "circle", "rect", "img", "br"}


class Elements(HTMLParser):
    """Elements with their attributes, and the text of each kind of element."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: dict[str, list[str]] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.setdefault(self.open[-1] if self.open else "", []).append(data)


def data_of(page: str, name: str = "data"):
    return json.loads(
        re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)[
            1
        ]
    )


@pytest.fixture(scope="module")
def small():
    made = assay.simulate(topics=12, docs=150, depth=30, pool=10, seed=5)
    return assay.report(made.judgments, made.runs, ["nDCG@10", "AP"], methods=True)


@pytest.fixture(scope="module")
def nasty():
    return assay.report(
        hostile.judged(), hostile.runs(), ["nDCG@10", "AP"], title=hostile.SCRIPT,
        texts=hostile.texts(), command=f"assay report {hostile.SCRIPT}", methods=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def small_page(small):
    return small.html()


@pytest.fixture(scope="module")
def nasty_page(nasty):
    return nasty.html()


def test_every_element_closes_and_ids_are_one_of_a_kind(small_page):
    elements = Elements(small_page)
    assert elements.open == []
    ids = [attributes["id"] for _, attributes in elements.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in elements.tags:
        for name in ("href", "for", "aria-labelledby"):
            target = attributes.get(name) or ""
            if name != "href" or target.startswith("#"):
                assert not target or target.removeprefix("#") in ids
        assert not any(name.startswith("on") or name == "style" for name in attributes)


def test_nothing_hostile_becomes_an_element(nasty_page, small_page):
    page = nasty_page
    kinds = {tag for tag, _ in Elements(page).tags}
    assert kinds <= {tag for tag, _ in Elements(small_page).tags}
    assert "u" not in kinds
    assert len([tag for tag, _ in Elements(page).tags if tag == "script"]) == 3
    assert "onerror=alert(1)>" not in page
    assert "\u2028" not in page
    assert "\u202e" not in page
    title = Elements(page).words["title"]
    assert title == [hostile.SCRIPT]


def test_the_policy_allows_this_script_and_this_style_alone(nasty_page):
    page = nasty_page
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    for text in (script, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "innerHTML" not in script
    assert not re.findall(r'(?:src|href)="(?!#|data:)', page)


def test_data_hold_every_list(nasty_page):
    """Read back with nothing but json, the lists are the runs that were given."""
    data = data_of(nasty_page)
    assert data["runs"] == list(hostile.runs())
    assert data["topics"] == list(hostile.TOPICS)
    for r, run in enumerate(data["runs"]):
        for t, topic in enumerate(data["topics"]):
            numbers = []
            pool = data["pools"][t]
            for start, many in zip(pool["docs"][::2], pool["docs"][1::2], strict=True):
                numbers += range(start, start + many)
            grades = []
            for grade, many in zip(pool["grades"][::2], pool["grades"][1::2], strict=True):
                grades += [None if grade < 0 else float(data["grades"][grade])] * many
            shown = [data["prefix"] + data["docs"][numbers[i]] for i in data["lists"][r][t]]
            scores = hostile.runs()[run][topic]
            assert shown == sorted(scores, key=lambda doc: -scores[doc])
            assert [grades[i] for i in data["lists"][r][t]] == [
                hostile.judged()[topic].get(doc) for doc in shown
            ]


def test_what_ranks_add_sums_to_the_values(small_page):
    data = data_of(small_page)
    for m in range(2):
        for r in range(len(data["runs"])):
            for t in range(len(data["topics"])):
                packed, value = data["adds"][m][r][t], data["values"][m][r][t]
                if value is None:
                    assert packed is None
                    continue
                numbers = iter(packed)
                total = sum(x or 0 * next(numbers) for x in numbers) / data["scale"]
                assert total == pytest.approx(value, abs=2e-3)


def test_texts(nasty, nasty_page, small_page):
    assert data_of(nasty_page, "texts") == hostile.texts()
    assert data_of(small_page, "texts") == {}
    assert nasty.notes[-1] == "texts: 1 of 9 documents have none"


def test_the_same_input_makes_the_same_bytes(small_page):
    made = assay.simulate(topics=12, docs=150, depth=30, pool=10, seed=5)
    again = assay.report(made.judgments, made.runs, ["nDCG@10", "AP"], methods=True)
    assert again.html() == small_page


def test_the_leaderboard_holds_means_intervals_and_letters(small, small_page):
    page = small_page
    scores = small.scores
    for run in scores.runs:
        mean = scores.average(run, "nDCG@10")
        row = re.search(rf"<tr><td[^>]*>\d</td><th[^>]*><bdi>{run}</bdi>.*?</tr>", page)[0]
        assert f">{mean.value:.4f}<" in row
        assert f"{mean.low:.4f}–{mean.high:.4f}</td>" in row
        assert re.search(r'<td class="mark">[a-z]+</td>', row)


def test_one_run_needs_no_comparison():
    made = assay.simulate(topics=5, docs=80, runs=1, depth=10, pool=10)
    alone = assay.report(made.judgments, made.runs, "P@5")
    assert alone.comparison is None
    assert alone.verdict().startswith("solid has a mean P@5 of 0.")
    page = alone.html()
    assert 'id="pairs"' not in page
    assert data_of(page)["pairs"] is None
    assert "no other run" in alone.markdown()
    assert r"\begin{tabular}" in alone.latex()


def test_script_and_text_escapes():
    assert json.loads(in_script("</script>\u2028&")) == "</script>\u2028&"
    assert not set(in_script("</script>\u2028\u2029&")) & set("<>&\u2028\u2029")
    assert in_html("<a href='x'>\x00\u202e") == "&lt;a href=&#x27;x&#x27;&gt;\\x00\\u202e"


def test_without_what_draws_the_numbers_stay(monkeypatch):
    monkeypatch.setattr("assay.show.report.pictures.drawable", lambda: False)
    monkeypatch.setattr("assay.show.report.sections.drawable", lambda: False)
    made = assay.simulate(topics=5, docs=80, runs=2, depth=20, pool=10)
    report = assay.report(made.judgments, made.runs, "nDCG@10")
    page = report.html()
    assert "Pictures need Altair: pip install &#x27;assay[show]&#x27;." in page
    assert "<img" not in page
    last = report.curves[0].mean("solid")[-1]
    assert f"<td>{last:.4f}</td></tr>" in page


def test_too_many_letters_are_said_to_be_missing(monkeypatch, small):
    monkeypatch.setattr("assay.show.report.board.letters", lambda different: None)
    assert "would be too many to tell anything" in small.markdown()
