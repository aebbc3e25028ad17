"""Pages with a picture in a real browser: drawn, quiet, hostile names as text, lines on hover."""

from __future__ import annotations

import pytest

import assay
import hostile

pytest.importorskip("altair")
pytest.importorskip("vl_convert")
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """A page with ten curves; one run is named by a hostile text."""
    path = tmp_path_factory.mktemp("plot") / "curves.html"
    judged = {"q": {f"d{i}": i % 3 for i in range(12)}}
    runs = {}
    for i in range(10):
        name = hostile.SCRIPT if i == 9 else f"run {i}"
        runs[name] = {"q": {f"d{j}": float((j * (i + 3)) % 13) for j in range(12)}}
    found = assay.curves(judged, runs, "CG", depth=12)
    assay.save_picture(found.plot(highlight=["run 0"]), path)
    return path


@pytest.mark.parametrize("kind", ["leaderboard", "topics", "heatmap", "swings", "scatter"])
def test_hostile_names_are_text(tmp_path, opened, kind):
    scores = assay.evaluate(hostile.judged(), hostile.runs(), "nDCG@5")
    assay.save_picture(scores.plot(kind), tmp_path / "picture.html")
    with opened(tmp_path / "picture.html") as page:
        page.wait_for_selector("svg.marks")
        assert page.locator("img").count() == 0
        assert page.locator("u").count() == 0
        assert "<u>under</u>" in page.locator("svg.marks").text_content()


def test_a_line_comes_forward_under_the_pointer(lines, opened):
    with opened(lines) as page:
        page.wait_for_selector("svg.marks")
        text = page.locator("svg.marks")
        assert "run 0" in text.text_content()
        assert "run 3" not in text.text_content()
        box = page.locator("svg.marks").bounding_box()
        shown = set()
        for step in range(60):  # down across the lines
            page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 60 + step * 5)
            found = text.text_content()
            shown |= {name for name in (*(f"run {i}" for i in range(1, 9)), hostile.SCRIPT)
                      if name in found}  # fmt: skip
        assert shown
        assert page.locator("img").count() == 0


def test_nothing_of_the_page_leads_out(lines, opened):
    with opened(lines) as page:
        page.wait_for_selector("svg.marks")
        assert page.title() == "CG by rank"
        assert page.locator("html").get_attribute("lang") == "en"
        menu = page.locator(".vega-actions a").all_text_contents()
        assert menu == ["Save as SVG", "Save as PNG"]
