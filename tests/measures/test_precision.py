"""Precision, recall and their kin by hand."""

from __future__ import annotations

import math

import pytest

from lists import listed, value

QRELS = {"a": 2, "b": 1, "c": 1, "d": 1, "e": 0}
RUN = listed("a u b e c")  # hits at 1, 3, 5; u: nobody judged


def test_precision_divides_by_k_even_beyond_the_list():
    assert value("P@3", QRELS, RUN) == 2 / 3
    assert value("P@5", QRELS, RUN) == 3 / 5
    assert value("P@10", QRELS, RUN) == 3 / 10
    assert value("P(rel=2)@5", QRELS, RUN) == 1 / 5


def test_precision_of_a_topic_without_relevant_documents_is_zero():
    assert value("P@5", {"e": 0}, RUN) == 0


def test_recall():
    assert value("R@3", QRELS, RUN) == 2 / 4
    assert value("R@100", QRELS, RUN) == 3 / 4
    assert value("R(rel=2)@1", QRELS, RUN) == 1 / 1
    assert math.isnan(value("R@3", {"e": 0}, RUN))


def test_f_is_the_harmonic_mean():
    p, r = 2 / 3, 2 / 4
    assert value("F@3", QRELS, RUN) == pytest.approx(2 * p * r / (p + r))
    assert value("F(beta=2)@3", QRELS, RUN) == pytest.approx(5 * p * r / (4 * p + r))
    assert value("F(beta=0)@3", QRELS, RUN) == pytest.approx(p)


def test_f_without_a_cutoff_takes_the_whole_list():
    p, r = 3 / 5, 3 / 4
    assert value("F", QRELS, RUN) == pytest.approx(2 * p * r / (p + r))


def test_f_is_zero_where_nothing_is_found():
    assert value("F@3", QRELS, listed("u e")) == 0
    assert value("F", QRELS, {}) == 0
    assert value("F(beta=0)", QRELS, {}) == 0
    assert math.isnan(value("F", {"e": 0}, RUN))


def test_fallout_of_a_collection_of_known_size():
    assert value("Fallout(N=104)@3", QRELS, RUN) == 1 / 100
    assert value("Fallout(N=104)", QRELS, RUN) == 2 / 100


def test_fallout_without_the_size_takes_what_is_known():
    """Known and not relevant: u and e."""
    assert value("Fallout@3", QRELS, RUN) == 1 / 2
    assert value("Fallout", QRELS, RUN) == 1
    assert value("Fallout", QRELS, listed("a b")) == 0
    assert value("Fallout", {"a": 1}, listed("a")) == 0  # nothing nonrelevant shown, none known


def test_fallout_is_undefined_only_where_all_is_relevant():
    assert math.isnan(value("Fallout(N=1)", {"a": 1}, listed("a")))
    assert math.isnan(value("Fallout(N=1)", {"a": 1}, {}))


def test_success():
    run = listed("u e a")
    assert value("Success@2", QRELS, run) == 0
    assert value("Success@3", QRELS, run) == 1
    assert math.isnan(value("Success@3", {"e": 0}, run))


def test_r_precision():
    assert value("Rprec", QRELS, RUN) == 2 / 4  # 4 relevant: the first 4 hold 2
    assert value("Rprec(rel=2)", QRELS, RUN) == 1 / 1
    assert value("Rprec", QRELS, listed("a")) == 1 / 4
    assert math.isnan(value("Rprec(rel=3)", QRELS, RUN))
