from __future__ import annotations

import math

import pytest

from lists import listed, value

QRELS = {"a": 3, "b": 2, "c": 1, "x": 0, "m": 3}


def test_the_ideal_and_the_worst_order_are_those_of_the_same_list():
    run = listed("c u a b x")  # gains 1 0 3 2 0, best 3 2 1, worst x u first
    assert value("Satisfaction@2", QRELS, run) == pytest.approx(1 / 5)
    assert value("Satisfaction(rel=2)@3", QRELS, run) == pytest.approx(3 / 5)
    assert value("Frustration@2", QRELS, run) == pytest.approx(1 / 2)
    assert value("Frustration@5", QRELS, run) == pytest.approx(2 / 2)
    assert value("SFT(w=0.8)@2", QRELS, run) == pytest.approx(0.8 / 5 + 0.2 / 2)


def test_lists_without_either_kind():
    assert value("Frustration@3", QRELS, listed("a b")) == 0
    assert value("Frustration@3", QRELS, {}) == 0
    assert value("Satisfaction@3", QRELS, listed("u v")) == 0
    assert math.isnan(value("Satisfaction@3", {"x": 0}, listed("x")))
    assert math.isnan(value("SFT@3", {"x": 0}, listed("x")))
    assert value("Frustration@3", {"x": 0}, listed("x")) == 1
