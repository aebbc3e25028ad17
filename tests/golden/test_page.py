"""docs/papers.md says what the tests found."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_the_papers_is_current():
    made = runpy.run_path(str(DOCS / "make_papers.py"))["page"]()
    assert made == (DOCS / "papers.md").read_text(encoding="utf-8"), "run docs/make_papers.py"
    assert "differs" not in made
