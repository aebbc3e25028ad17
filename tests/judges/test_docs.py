"""The pages on real collections show what their commands say."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def load(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.setitem(sys.modules, "build", load("build"))
    return load("make_shared")


def test_every_page_that_names_a_collection_is_on_the_list(pages):
    found = {
        page.name
        for page in DOCS.glob("*.md")
        if any(f"${folder}" in page.read_text(encoding="utf-8") for folder in pages.FOLDERS)
    }
    assert found == set(pages.PAGES)


@pytest.mark.proof
@pytest.mark.parametrize(
    "page",
    [
        "judges.md",
        "lesk-salton.md",
        "measures-and-axioms.md",
        "gains-and-scales.md",
        "pools-and-robustness.md",
    ],
)
def test_a_page_is_up_to_date(shared, pages, page):
    assert page in pages.PAGES
    if page != "judges.md":
        pytest.importorskip("snowballstemmer")
    text = (DOCS / page).read_text(encoding="utf-8")
    assert pages.fresh(page, shared) == text, f"run docs/make_shared.py {page}"


def test_the_walk_through_names_every_command():
    text = (DOCS / "judges.md").read_text(encoding="utf-8")
    for command in ("compare", "simulate", "estimate"):
        assert f"$ assay judges {command} " in text
