from __future__ import annotations

import math

import pytest

import assay
from lists import listed, value

QRELS = {"a": 3, "b": 2, "c": 1, "x": 0}


def test_the_scale_of_generalised_precision():
    run = listed("a x c")
    assert value("gP(max=3)@3", QRELS, run) == pytest.approx((1 + 1 / 3) / 3)
    assert value("gP(max=3,gains={1:1,2:10,3:100})@3", QRELS, run) == pytest.approx(1.01 / 3)
    assert value("gR@3", QRELS, run) == pytest.approx(4 / 6)
    found = assay.evaluate({"t": QRELS}, {"t": run}, "gP@3")
    assert found.values.item() == pytest.approx((1 + 1 / 3) / 3)
    assert any("max=3, the largest grade judged" in note for note in found.notes)


def test_weighted_average_precision_does_not_see_what_comes_after_rank_r():
    """Zhou & Yao, example 5; Q does."""
    qrels = {"a": 2, "m": 3, "n": 1}
    late, later = listed("u v a w x"), listed("u v w x a")
    assert value("WAP", qrels, late) == value("WAP", qrels, later) == pytest.approx(2 / 6 / 3)
    assert value("Q", qrels, later) == pytest.approx(3 / 11 / 3)
    assert value("WAP(norm='min')@2", qrels, listed("a")) == pytest.approx(2 / 3 / 2)


def test_documents_of_gain_0_may_be_relevant():
    qrels = {"a": 1, "b": 2}
    found = value("WAP(gains={1:0,2:5})", qrels, listed("a b"))
    assert found == pytest.approx((0 / 5 + 5 / 5) / 2)


def test_the_levels_of_the_average_gain_ratio():
    """By hand: of two 2s and a 1, R = 3, the gains become 2 - 2/3 and 1 - 1/3."""
    qrels, run = {"a": 2, "b": 2, "c": 1}, listed("c a")
    two, one = 2 - 2 / 3, 1 - 1 / 3
    expected = (one / two + (one + two) / (2 * two)) / 3
    assert value("AGR", qrels, run) == pytest.approx(expected)
    own = 2 - 1 / 3  # a single 2 retrieved
    expected = (one / two + (one + own) / (2 * two)) / 3
    assert value("AGR(levels='retrieved')", qrels, run) == pytest.approx(expected)


def test_undefined_without_a_relevant_document():
    for measure in ("WAP", "AGR", "gR"):
        assert math.isnan(value(measure, {"x": 0}, listed("x")))
    assert value("gP(max=3)@5", {"x": 0}, listed("x")) == 0


@pytest.mark.parametrize("levels", ["recall_base", "retrieved"])
def test_one_level_leaves_the_average_gain_ratio_undefined(levels):
    """R_1 / R = 1: the adjusted gain of each is 1 - 1 (1 - 0) = 0, and so is the ideal's."""
    measure = f"AGR(levels='{levels}')"
    for run in (listed("a b"), listed("x"), {}):
        assert math.isnan(value(measure, {"a": 1, "b": 1, "c": 0}, run))
    assert value(measure, {"a": 2, "b": 2}, listed("a b")) == 1  # 2 - (2 - 1) = 1 is left
