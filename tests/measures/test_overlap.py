"""Compatibility by hand: overlap at each depth, weighted."""

from __future__ import annotations

import math

import pytest

from lists import listed, value

QRELS = {"a": 3, "b": 1, "c": 1, "e": 0}


def test_by_hand():
    """Ideal a c b (c before b, as in the list); overlap of the list c u a with it: 0, 1, 2."""
    p = 0.8
    weights = 1 + p + p**2
    shown = (0 / 1 + p * 1 / 2 + p**2 * 2 / 3) / weights
    run = listed("c u a")
    assert value("Compat(p=0.8,normalize=False)", QRELS, run) == pytest.approx(shown)
    assert value("Compat(p=0.8)", QRELS, run) == pytest.approx(shown)  # the ideal overlaps fully


def test_the_depth_is_that_of_the_longer_list():
    """A list of four: the ideal of three overlaps with itself 3/4 at depth 4."""
    p = 0.5
    shown = 1 + p * 2 / 2 + p**2 * 2 / 3 + p**3 * 2 / 4
    best = 1 + p + p**2 + p**3 * 3 / 4
    assert value("Compat(p=0.5)", QRELS, listed("a b u e")) == pytest.approx(shown / best)


def test_best_worst_and_undefined():
    assert value("Compat", QRELS, listed("a c b")) == pytest.approx(1)
    assert value("Compat", QRELS, listed("e u")) == 0
    assert value("Compat", QRELS, {}) == 0
    for name in ("Compat", "Compat(normalize=False)"):
        assert math.isnan(value(name, {"e": 0}, listed("e")))
        assert math.isnan(value(name, {}, {}))


def test_retrieved_documents_of_a_grade_come_first_in_the_ideal():
    """ir_measures gives b the score 0 and so places it before c, whose score is below 0."""
    assert value("Compat", {"b": 1, "c": 1}, {"c": -1.0}) == pytest.approx(
        (1 + 0.95 * 1 / 2) / (1 + 0.95)
    )


def test_a_long_list():
    run = listed(["a", *(f"u{i}" for i in range(5000))])
    p = 0.95
    depth = range(1, 5002)
    shown = sum(p ** (d - 1) * 1 / d for d in depth)
    best = sum(p ** (d - 1) * min(3, d) / d for d in depth)
    assert value("Compat", QRELS, run) == pytest.approx(shown / best, rel=1e-12)
