"""The report in a real browser: what it shows, under the mouse and the keyboard, and hostile names.

Expected values are read from the files by a few lines of plain Python.
"""

from __future__ import annotations

import math
from importlib.metadata import distribution

import pytest

import assay
import hostile

pytestmark = pytest.mark.browser

TEXTS = {f"d{i:03d}": f"Text of document {i}" for i in range(1, 151)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "c"
    assay.simulate(topics=12, docs=150, depth=60, pool=10, seed=5).write(folder)
    return folder


@pytest.fixture(scope="module")
def made(folder):
    runs = [folder / f"{name}.run" for name in ("solid", "rounded", "newcomer", "gappy")]
    report = assay.report(folder / "qrels.txt", runs, ["nDCG@10", "AP"], texts=TEXTS, methods=True)
    report.save(folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    assay.report(
        hostile.judged(), hostile.runs(), ["nDCG@10", "AP"], title=hostile.SCRIPT,
        texts=hostile.texts(), methods=True,
    ).save(path)  # fmt: skip
    return path


def judged(folder):
    found = {}
    for line in (folder / "qrels.txt").read_text().splitlines():
        topic, _, doc, grade = line.split()
        found.setdefault(topic, {})[doc] = int(grade)
    return found


def ranked(folder, name):
    """Documents by score, ties by decreasing id, as trec_eval orders them."""
    found = {}
    for line in (folder / f"{name}.run").read_text().splitlines():
        topic, _, doc, _, score, _ = line.split()
        found.setdefault(topic, []).append((float(score), doc))
    return {topic: [doc for _, doc in sorted(rows, reverse=True)] for topic, rows in found.items()}


def ndcg(grades, docs, k=10):
    """What each rank adds, and so the whole."""
    ideal = sum(
        g / math.log2(i + 1) for i, g in enumerate(sorted(grades.values(), reverse=True)[:k], 1)
    )
    return [
        grades.get(doc, 0) / math.log2(i + 1) / ideal if i <= k else 0.0
        for i, doc in enumerate(docs, 1)
    ]


def rows(page, side):
    """Rank, grade, document and what it adds, as a reader sees them."""
    return page.evaluate(
        """(side) => [...document.querySelectorAll(`#${side}-list li[data-doc]`)].map((li) => [
          li.querySelector(".rank").textContent, li.querySelector(".grade").textContent,
          li.querySelector(".doc").textContent, li.querySelector(".moved").textContent,
          li.querySelector(".adds").textContent])""",
        side,
    )


def column(page, number):
    return page.locator(f"table.board tbody tr > :nth-child({number})").all_inner_texts()


# --------------------------------------------------------------------------------------- it opens


def test_it_is_ready_at_once(made, opened):
    with opened(made) as page:
        assert page.title() == "solid, rounded, newcomer, gappy"
        ready = page.evaluate("performance.getEntriesByName('assay-ready')[0].startTime")
        assert ready < 2000
        assert page.locator("main h2").all_inner_texts() == [
            "Verdict", "Leaderboard", "Pictures", "Differences", "Topics", "Judgments", "Methods",
            "How it was made",
        ]  # fmt: skip


def test_63_runs_are_ready_within_two_seconds(tmp_path, opened):
    """53 topics, 100 documents each; by the browser's own clock."""
    made = assay.simulate(topics=53, docs=2000, runs=63, depth=100, pool=20)
    path = tmp_path / "large.html"
    assay.report(made.judgments, made.runs, ["nDCG@10", "AP"]).save(path)
    assert path.stat().st_size < 6_000_000
    with opened(path) as page:
        ready = page.evaluate("performance.getEntriesByName('assay-ready')[0].startTime")
        assert ready < 2000
        assert page.locator("table.board tbody tr").count() == 63
        assert page.locator("#matrix tbody td").count() == 63 * 63
        assert page.locator("#topic option").count() == 53


@pytest.mark.parametrize("width", [1280, 800, 400])
def test_nothing_sticks_out(made, opened, width):
    with opened(made, viewport={"width": width, "height": 800}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_pictures_are_drawn(made, opened):
    with opened(made) as page:
        sizes = page.evaluate("[...document.images].map((i) => [i.naturalWidth, i.alt.length])")
        assert len(sizes) == 3
        assert all(width > 300 and words > 20 for width, words in sizes)


# -------------------------------------------------------------------------------------- the board


def test_the_board_sorts_by_click_and_by_key(made, opened):
    with opened(made) as page:
        values = [float(text) for text in column(page, 3)]
        assert values == sorted(values, reverse=True)
        name = page.get_by_role("button", name="run", exact=True).first
        name.click()
        assert column(page, 2) == sorted(column(page, 2))
        head = page.locator("table.board th", has=name)
        assert head.get_attribute("aria-sort") == "ascending"
        name.focus()
        page.keyboard.press("Enter")
        assert column(page, 2) == sorted(column(page, 2), reverse=True)
        assert head.get_attribute("aria-sort") == "descending"
        assert page.locator("#sorted").inner_text() == "Sorted by run, descending."
        page.locator("table.board").get_by_role("button", name="AP").press("Space")
        values = [float(text) for text in column(page, 7)]
        assert values == sorted(values, reverse=True)
        assert page.locator("table.board [aria-sort]").count() == 1


def test_means_are_those_of_the_files(made, folder, opened):
    grades = judged(folder)
    with opened(made) as page:
        for run, shown in zip(column(page, 2), column(page, 3), strict=True):
            lists = ranked(folder, run)
            values = [
                sum(ndcg(grades[t], lists.get(t, []))) for t in grades if max(grades[t].values())
            ]
            assert float(shown) == pytest.approx(sum(values) / len(values), abs=5e-5)


# ------------------------------------------------------------------------------------- the topics


def test_every_list_has_the_right_grades_at_the_right_ranks(made, folder, opened):
    grades = judged(folder)
    names = ["solid", "rounded", "newcomer", "gappy"]
    lists = {name: ranked(folder, name) for name in names}
    with opened(made) as page:
        page.select_option("#rows", label="first 60")
        for a, b in (("solid", "newcomer"), ("rounded", "gappy")):
            page.select_option("#left", label=a)
            page.select_option("#right", label=b)
            for t, topic in enumerate(grades):
                page.select_option("#topic", str(t))
                for side, name, other in (("left", a, b), ("right", b, a)):
                    docs, there = lists[name].get(topic, []), lists[other].get(topic, [])
                    shown = rows(page, side)
                    assert [row[2] for row in shown] == docs
                    assert [row[0] for row in shown] == [str(i) for i in range(1, len(docs) + 1)]
                    assert [row[1] for row in shown] == [
                        str(grades[topic].get(doc, "unj.")) for doc in docs
                    ]
                    for rank, row in enumerate(shown, 1):
                        told = row[3].split()[:2]
                        word = "now" if side == "left" else "was"
                        expected = [word, str(there.index(row[2]) + 1)] if row[2] in there else [
                            "gone" if side == "left" else "new"
                        ]  # fmt: skip
                        assert told == expected, (topic, rank)
                    if max(grades[topic].values()):
                        adds = [f"{x:+.4f}" if round(1e4 * x) else "0"
                                for x in ndcg(grades[topic], docs)]  # fmt: skip
                        assert [row[4] for row in shown] == adds


def test_values_of_a_topic_are_told(made, folder, opened):
    grades, lists = judged(folder), ranked(folder, "solid")
    with opened(made) as page:
        page.select_option("#left", label="solid")
        for t, topic in enumerate(grades):
            page.select_option("#topic", str(t))
            told = page.locator("#summary").inner_text()
            assert told.startswith(f"Topic {topic}: ")
            if max(grades[topic].values()):
                value = sum(ndcg(grades[topic], lists[topic]))
                assert f"solid has nDCG@10 {value:.4f}" in told
            else:
                assert "has no value here" in told


def test_topics_by_difference_and_by_steps(made, opened):
    with opened(made) as page:
        page.select_option("#sort", "best")
        options = page.locator("#topic option").all_inner_texts()
        gaps = [
            float(o.rpartition("(")[2].rstrip(")").replace("−", "-")) for o in options if "(" in o
        ]
        assert gaps == sorted(gaps, reverse=True)
        values = page.evaluate("[...document.getElementById('topic').options].map((o) => o.value)")
        assert page.locator("#topic").input_value() == values[0]
        before = page.locator("#summary").inner_text()
        page.get_by_label("Next topic").press("Enter")
        assert page.locator("#summary").inner_text() != before
        page.get_by_label("Previous topic").click()
        assert page.locator("#summary").inner_text() == before
        page.locator("#strip rect.hit").nth(5).click()
        assert page.locator("#topic").input_value() == values[5]


def test_a_moved_document_leads_to_its_place(made, opened):
    with opened(made) as page:
        button = page.locator("#left-list button.moved").first
        doc = button.evaluate("(e) => e.closest('li').dataset.doc")
        button.focus()
        assert page.locator("li.on").first.get_attribute("data-doc") == doc
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.closest('li').dataset.doc") == doc
        assert page.evaluate("document.activeElement.closest('ol').id") == "right-list"
        assert page.locator("#lines path.on, #right-list li.on").count() >= 1


def test_a_text_opens_and_closes_by_key(made, opened):
    with opened(made) as page:
        first = page.locator("#right-list button.doc").first
        name = first.inner_text()
        first.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        assert dialog.locator("h2").inner_text() == name
        assert dialog.locator(".body").inner_text() == TEXTS[name]
        assert "rank 1 in" in dialog.locator(".facts").inner_text()
        page.keyboard.press("Escape")
        assert not dialog.is_visible()
        assert page.evaluate("document.activeElement.textContent") == name


def test_the_ideal_order(made, folder, opened):
    grades = judged(folder)
    with opened(made) as page:
        page.select_option("#right", label="the ideal order")
        for t, topic in enumerate(grades):
            page.select_option("#topic", str(t))
            best = sorted((g for g in grades[topic].values() if g), reverse=True)
            assert [int(row[1]) for row in rows(page, "right")] == best[:20]


# ---------------------------------------------------------------------------------- the differences


def test_the_matrix_is_read_by_arrow_keys(made, folder, opened):
    scores = assay.evaluate(
        folder / "qrels.txt", [folder / f"{n}.run" for n in ("solid", "newcomer")], "AP"
    )
    gap = scores.value("solid", "AP") - scores.value("newcomer", "AP")
    with opened(made) as page:
        page.select_option("#matrix-measure", label="AP")
        runs = page.locator("#matrix tbody th").all_inner_texts()
        assert [name.split()[1] for name in runs] == ["solid", "newcomer", "rounded", "gappy"]
        page.locator("#matrix td[tabindex='0']").focus()
        said = page.locator("#matrix-said")
        assert said.inner_text().startswith("solid minus newcomer, AP: ")
        assert f"{gap:+.4f}".replace("-", "−") in said.inner_text()
        page.keyboard.press("ArrowRight")
        assert said.inner_text().startswith("solid minus rounded, AP: ")
        page.keyboard.press("ArrowDown")
        assert said.inner_text().startswith("newcomer minus rounded, AP: ")


# -------------------------------------------------------------------------------- hostile names


def test_hostile_names_stay_names(nasty, opened):
    with opened(nasty) as page:
        assert page.title() == hostile.SCRIPT
        assert page.locator("h1").inner_text() == hostile.SCRIPT
        assert page.locator("main u, main img[src=x], svg[onload]").count() == 0
        assert sorted(column(page, 2)) == sorted(hostile.runs())
        shown = {name.replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")
                 .replace("\u202e", r"\u202e") for name in hostile.NAMES}  # fmt: skip
        for t, topic in enumerate(hostile.TOPICS):
            page.select_option("#topic", str(t))
            assert f"Topic {topic}: " in page.locator("#summary").inner_text()
            assert {row[2] for row in rows(page, "left")} == shown
        for i in range(len(hostile.NAMES)):
            page.locator("#left-list button.doc").nth(i).click()
            body = page.locator("#text .body").inner_text()
            name = page.locator("#text h2").inner_text()
            if name == r"\input{/etc/passwd} $x$ 100% #1 ~_^":
                assert body == "No text was given for this document."
            else:
                assert body.startswith(f"{hostile.SCRIPT}\n{name}\n")
                assert hostile.ARABIC in body
                assert hostile.CHINESE in body
            page.get_by_label("Close").click()
        assert page.locator("img[src=x]").count() == 0


# ------------------------------------------------------------------------------------- for everyone


def axe() -> str:
    files = distribution("axe-playwright-python").files or []
    return next(file for file in files if file.name == "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["made", "nasty"])
def test_axe_finds_nothing_serious(which, scheme, request, opened):
    pytest.importorskip("axe_playwright_python")
    with opened(request.getfixturevalue(which), color_scheme=scheme) as page:
        page.evaluate(axe())
        for step in ("as it opens", "with a text"):
            if step == "with a text":
                page.locator("#left-list button.doc").first.click()
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            bad = [
                (each["id"], node["html"][:200], node["failureSummary"])
                for each in found["violations"]
                if each["impact"] in ("serious", "critical")
                for node in each["nodes"][:3]
            ]
            assert bad == [], step


def test_everything_is_reached_by_tab(made, opened):
    with opened(made) as page:
        reached = set()
        for _ in range(220):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    "(e => e.id || e.className || e.textContent.trim())(document.activeElement)"
                )
            )
        for name in ("skip", "matrix-measure", "topic", "sort", "measure", "rows", "left", "right",
                     "previous", "next", "doc"):  # fmt: skip
            assert name in reached
        assert any("moved" in name for name in reached)


def test_in_print_nothing_is_cut_off(made, opened):
    with opened(made, viewport={"width": 760, "height": 1000}) as page:
        page.emulate_media(media="print")
        assert not page.locator("nav").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 760
        assert page.locator("#left-list li").first.is_visible()
        pdf = page.pdf(format="A4")
        assert pdf.startswith(b"%PDF")
