from __future__ import annotations

import re

import numpy as np
import pytest

import assay

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

from assay.show.charts import html, svg

HOSTILE = "</script><img src=x onerror=alert(1)>"
JUDGED = {f"q{i}": {f"d{j}": (i + j) % 3 for j in range(6)} for i in range(5)}


def made(*names: str) -> assay.Scores:
    rng = np.random.default_rng(0)
    runs = {
        name: {topic: {doc: float(rng.random()) for doc in docs} for topic, docs in JUDGED.items()}
        for name in names
    }
    return assay.evaluate(JUDGED, runs, "nDCG@5")


def test_every_form_is_what_its_suffix_says_and_is_the_same_twice(tmp_path):
    scores = made("one", "two")
    starts = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
    for form, start in starts.items():
        for again in range(2):
            assay.save_picture(scores.plot(), tmp_path / f"{again}.{form}")
        first, second = ((tmp_path / f"{again}.{form}").read_bytes() for again in range(2))
        assert first.startswith(start)
        if form != "pdf":  # may carry a date
            assert first == second


def test_a_wrong_suffix_is_told_and_nothing_is_written(tmp_path):
    with pytest.raises(assay.AssayError, match=r"expected a suffix of png, svg, pdf, html, found"):
        assay.save_picture(made("one", "two").plot(), tmp_path / "x.gif")
    assert not list(tmp_path.iterdir())


def test_hostile_names_are_text():
    scores = made(HOSTILE, "a.b[0]", 'quote"\\', "new\nline\x00\x1b[31m")
    picture = svg(scores.plot())
    assert "<img" not in picture
    assert "\x00" not in picture
    page = html(scores.plot())
    assert HOSTILE not in page
    assert "\\u003c/script>\\u003cimg" in page.replace("\\u002f", "/")
    assert page.count("</script>") == html(made("one", "two").plot()).count("</script>")


def test_the_page_asks_nothing_of_any_network():
    page = html(made("one", "two").plot())
    assert "default-src 'none'" in page
    markup = re.sub(r"<(script|style)\b[^>]*>.*?</\1>", r"<\1>", page, flags=re.DOTALL)
    assert "</script>" not in markup
    assert not re.search(r"(src|href)=", markup)
    assert not re.search(r"<script[^>]+src=", page)


def test_paper_and_slide_are_as_wide_as_they_promise():
    scores = made("one", "a run with quite a long name of its own")
    for preset, width in (("paper", 240), ("slide", 960), ("screen", 640)):
        found = re.search(r'width="([\d.]+)"', svg(scores.plot(preset=preset)))
        assert found
        assert float(found[1]) == width
    with pytest.raises(assay.AssayError, match="must be one of screen, paper, slide"):
        scores.plot(preset="poster")


def test_a_wrong_kind_is_answered_with_all_kinds():
    with pytest.raises(assay.AssayError, match="Scores can be drawn as leaderboard"):
        made("one", "two").plot("pie")
