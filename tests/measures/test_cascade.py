"""RBP, ERR and nERR by hand."""

from __future__ import annotations

import math

import pytest

from assay.errors import AssayError
from lists import listed, value

QRELS = {"a": 3, "b": 1, "c": 2, "e": 0}
RUN = listed("b u a e")


def test_rbp_of_graded_and_of_binary_judgments():
    p = 0.8
    assert value("RBP(max=3)", QRELS, RUN) == pytest.approx((1 - p) * (1 / 3 + p**2))
    assert value("RBP(max=6)", QRELS, RUN) == pytest.approx((1 - p) * (1 / 6 + 3 / 6 * p**2))
    assert value("RBP(rel=1)", QRELS, RUN) == pytest.approx((1 - p) * (1 + p**2))
    assert value("RBP(rel=2,p=0.5)", QRELS, RUN) == (1 - 0.5) * 0.5**2
    assert value("RBP(max=3)@2", QRELS, RUN) == pytest.approx((1 - p) / 3)


def test_rbp_of_a_topic_without_relevant_documents_is_zero():
    assert value("RBP(max=3)", {"e": 0}, RUN) == 0
    assert value("ERR(max=3)", {"e": 0}, RUN) == 0


def test_err():
    """Stopping probabilities (2 - 1)/8 at rank 1 and (8 - 1)/8 at rank 3."""
    assert value("ERR(max=3)", QRELS, RUN) == pytest.approx(1 / 8 + (7 / 8) * (7 / 8) / 3)
    assert value("ERR(max=3)@2", QRELS, RUN) == 1 / 8
    linear = 1 / 4 + (3 / 4) * (3 / 4) / 3
    assert value("ERR(max=3,gain='linear')", QRELS, RUN) == pytest.approx(linear)


def test_nerr():
    best = 7 / 8 + (1 / 8) * (3 / 8) / 2 + (1 / 8) * (5 / 8) * (1 / 8) / 3
    shown = 1 / 8 + (7 / 8) * (7 / 8) / 3
    assert value("nERR(max=3)", QRELS, RUN) == pytest.approx(shown / best)
    assert value("nERR(max=3)@1", QRELS, RUN) == pytest.approx((1 / 8) / (7 / 8))
    assert math.isnan(value("nERR(max=3)", {"e": 0}, RUN))


def test_the_tie_of_traps_md():
    """NTCIREVAL: ERR .6875, nERR@3 .8354, with d1 before x."""
    qrels = {"d1": 3, "d2": 2, "d3": 1, "d4": 0}
    run = listed("d2 d1 x d4")
    assert value("ERR(max=3,gain='linear')", qrels, run) == 0.6875
    assert round(value("nERR(max=3,gain='linear')@3", qrels, run), 4) == 0.8354


@pytest.mark.parametrize("name", ["RBP", "ERR", "nERR"])
def test_the_top_of_the_scale_must_be_known(name):
    with pytest.raises(AssayError, match=rf"{name}: the top of the grade scale is not known"):
        value(name, QRELS, RUN)


def test_a_scale_too_high_for_two_to_the_top():
    qrels = {"a": 5000, "b": 4999}
    assert value("ERR(max=5000)", qrels, listed("a")) == 1
    assert value("ERR(max=5000)", qrels, listed("b")) == 0.5
