from __future__ import annotations

import math

import pytest

from lists import listed, value

QRELS = {"a": 1, "b": 1, "c": 1, "x": 0}


def test_e_is_the_complement_of_f():
    for run in (listed("a u b"), listed("u v"), {}):
        for b in (0, 0.5, 1, 2):
            assert value(f"E(b={b})@3", QRELS, run) == 1 - value(f"F(beta={b})@3", QRELS, run)
    assert value("E@3", QRELS, listed("u v w")) == 1
    assert math.isnan(value("E@3", {"x": 0}, listed("x")))


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (listed("a b c"), 1.0),
        ({}, 10 / 19),
        (listed("u v w x y z"), 0.0),  # a loss of 12, no worse than one of 10
        (listed("a u"), (3 - 2 + 10) / 19),
    ],
)
def test_scaled_utility(run, expected):
    assert value("ScaledUtility(s=5)", QRELS, run) == pytest.approx(expected)


def test_utility_without_a_relevant_document_is_best_for_an_empty_list():
    assert value("ScaledUtility", {"x": 0}, {}) == 1
    assert value("ScaledUtility(s=5)", {"x": 0}, listed("x y")) == pytest.approx(6 / 10)
