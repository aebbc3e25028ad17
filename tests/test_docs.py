"""Every example in docs/ gives what it shows, and what is generated is up to date."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
SPEC = importlib.util.spec_from_file_location("docs_build", DOCS / "build.py")
build = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(build)
STALE = "out of date: run ./dev docs"


@pytest.mark.parametrize("page", build.pages(), ids=lambda page: page.stem)
def test_page(page):
    text, failures = build.replayed(page)
    assert not failures, "".join(failures)
    assert text == page.read_text(encoding="utf-8"), STALE


def test_reference():
    assert build.reference() == (DOCS / "reference.md").read_text(encoding="utf-8"), STALE


def test_every_command_is_in_the_reference():
    from assay.cli.app import COMMANDS

    text = (DOCS / "reference.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"\n## assay {name}\n" in text


@pytest.mark.parametrize("page", build.pages(), ids=lambda page: page.stem)
def test_pages_lead_on(page):
    """Links between pages hold."""
    import re

    for target in re.findall(r"\]\(([\w.-]+\.md)\)", page.read_text(encoding="utf-8")):
        assert (DOCS / target).is_file(), target


@pytest.mark.parametrize(
    "needs", ["ir_measures pytrec_eval", "ranx", "sklearn", "pandas", "torch torchmetrics"]
)
def test_pairs_with_other_tools_were_run(needs):
    """The page runs a pair where the tool is there; here it says where it is not."""
    text = (DOCS / "5-coming-from-other-tools.md").read_text(encoding="utf-8")
    assert f"<!-- needs: {needs} -->" in text
    if build.missing(needs):
        pytest.skip(f"{', '.join(build.missing(needs))} not installed: its examples were not run")
