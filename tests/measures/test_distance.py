from __future__ import annotations

import math

import pytest

import assay
from lists import listed, value

CORRELATIONS = ("Rho", "TauA", "TauB", "TauC")
QRELS = {"a": 3, "b": 2, "c": 1, "d": 0}


def test_a_system_that_ties_everything_says_nothing():
    level = dict.fromkeys(QRELS, 1.0)
    for run in (level, {}, {"u": 1.0}):
        assert value("NDPM", QRELS, run) == value("NDPMp", QRELS, run) == 0.5
        assert [value(name, QRELS, run) for name in CORRELATIONS] == [0.0] * 4


def test_a_user_without_a_preference_leaves_it_undefined_for_every_run():
    for qrels in ({}, {"a": 2}, {"a": 1, "b": 1}):
        for run in ({}, listed("a b"), {"a": 1.0, "b": 1.0}):
            for name in ("NDPM", "NDPMp", *CORRELATIONS):
                assert math.isnan(value(name, qrels, run))


def test_perfect_and_reversed_orders():
    assert value("NDPM", QRELS, listed("a b c d")) == 0
    assert value("NDPM", QRELS, listed("d c b a")) == 1
    for name in CORRELATIONS:
        assert value(name, QRELS, listed("a b c d")) == pytest.approx(1)
        assert value(name, QRELS, listed("d c b a")) == pytest.approx(-1)


def test_documents_not_retrieved_are_one_last_level_or_the_worst_order():
    run = listed("b u a")  # C = 6: b before a is wrong; c and d tie, or stand d before c
    assert value("NDPM", QRELS, run) == pytest.approx((2 * 1 + 1) / 12)
    assert value("NDPM(unretrieved='worst')", QRELS, run) == pytest.approx((2 * 2) / 12)


def test_ties_count_half_except_where_an_order_is_asked_for():
    tied = {"a": 1.0, "b": 1.0, "c": 0.5, "d": 0.1}
    found = {
        ties: assay.evaluate({"t": QRELS}, {"t": tied}, ["NDPM", *CORRELATIONS], ties=ties).values
        for ties in ("trec", "expected", "best", "worst")
    }
    assert found["trec"].tolist() == found["expected"].tolist()
    assert found["trec"][0, 0, 0].item() == pytest.approx(1 / 12)
    assert found["best"][0, 0, :].ravel().tolist() == pytest.approx([0, 1, 1, 1, 1])
    assert found["worst"][0, 0, 0].item() == pytest.approx(2 / 12)
    assert (found["worst"][0, 0, 1:] < found["trec"][0, 0, 1:]).all()


def test_the_value_under_ties_is_the_mean_over_their_orders():
    best, worst = value("NDPM", QRELS, listed("a b c d")), value("NDPM", QRELS, listed("b a c d"))
    tied = value("NDPM", QRELS, {"a": 1.0, "b": 1.0, "c": 0.5, "d": 0.1})
    assert tied == pytest.approx((best + worst) / 2)


def test_average_distance():
    """By hand: scores 4, 3, 1 become 1, 2/3, 0; grades 3, 2, 0 of 3 become 1, 2/3, 0."""
    qrels, run = {"a": 3, "b": 0, "m": 2}, {"a": 4.0, "u": 3.0, "b": 1.0}
    assert value("ADM(max=3)", qrels, run) == pytest.approx(1 - (0 + 0 + 2 / 3) / 3)
    assert value("ADM(max=3,N=100)", qrels, run) == pytest.approx(1 - (2 / 3 + 2 / 3) / 100)
    expected = 1 - (0 + 1 / 4 + 2 / 3) / 3
    assert value("ADM(max=3,norm='max')", qrels, run) == pytest.approx(expected)
    assert value("ADM(max=3)", qrels, dict.fromkeys("ab", 2.0)) == pytest.approx(
        1 - (1 + 2 / 3) / 3
    )
    assert math.isnan(value("ADM(max=3)", {}, run))


def test_no_difference_of_the_average_distance_counts_more_than_1():
    """By hand: a differs by 3, b by 0.5, c, not retrieved, by 2; no list gives less than 0."""
    qrels, run = {"a": 0, "b": 1, "c": 2}, {"a": -3.0, "b": 0.5}
    assert value("ADM(norm='none')", qrels, run) == pytest.approx(1 - (1 + 0.5 + 1) / 3)
    assert value("ADM(norm='none',N=5)", qrels, run | {"u": 9.0}) == pytest.approx(1 - 3.5 / 5)
