"""Set measures by hand."""

from __future__ import annotations

import math

import pytest

from lists import listed, value

QRELS = {"a": 2, "b": 1, "c": 1, "e": 0}
RUN = listed("u a e b v")  # P = 2/5, R = 2/3


def test_set_precision():
    assert value("SetP", QRELS, RUN) == 2 / 5
    assert value("SetP(rel=2)", QRELS, RUN) == 1 / 5
    assert value("SetP", {"e": 0}, RUN) == 0
    assert value("SetP", QRELS, {}) == 0


def test_relative_to_the_best_set_of_this_size():
    assert value("SetP(relative=True)", QRELS, RUN) == 2 / 3
    assert value("SetP(relative=True)", QRELS, listed("a u")) == 1 / 2
    assert value("SetP(relative=True)", QRELS, {}) == 0
    assert math.isnan(value("SetP(relative=True)", {"e": 0}, RUN))


def test_set_recall():
    assert value("SetR", QRELS, RUN) == 2 / 3
    assert math.isnan(value("SetR", {"e": 0}, RUN))


def test_set_f():
    p, r = 2 / 5, 2 / 3
    assert value("SetF", QRELS, RUN) == pytest.approx(2 * p * r / (p + r))
    assert value("SetF(beta=2)", QRELS, RUN) == pytest.approx(5 * p * r / (4 * p + r))
    assert value("SetF", QRELS, listed("u")) == 0
    assert value("SetF(beta=0)", QRELS, {}) == 0
    assert math.isnan(value("SetF", {"e": 0}, RUN))


def test_set_average_precision():
    assert value("SetAP", QRELS, RUN) == pytest.approx(2 / 5 * 2 / 3)
    assert value("SetAP", QRELS, {}) == 0
    assert math.isnan(value("SetAP", {"e": 0}, RUN))


def test_f_without_a_cutoff_is_set_f():
    assert value("F(beta=2)", QRELS, RUN) == value("SetF(beta=2)", QRELS, RUN)
