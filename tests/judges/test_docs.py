"""docs/judges.md shows what its commands say."""

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


@pytest.mark.proof
def test_the_walk_through_is_up_to_date(shared, monkeypatch):
    monkeypatch.setitem(sys.modules, "build", load("build"))
    page = load("make_judges").fresh(shared)
    assert page == (DOCS / "judges.md").read_text(encoding="utf-8"), "run docs/make_judges.py"


def test_the_walk_through_names_every_command():
    text = (DOCS / "judges.md").read_text(encoding="utf-8")
    for command in ("compare", "simulate", "estimate"):
        assert f"$ assay judges {command} " in text
