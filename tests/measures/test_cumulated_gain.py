"""CG, DCG, nDCG and their first form, on Järvelin & Kekäläinen's own example and by hand."""

from __future__ import annotations

import math
from math import log2

import numpy as np
import pytest

from assay.measures.arrays import gain_of
from assay.measures.cumulated_gain import cg, dcg_jk, ndcg_jk
from lists import listed, value

# The paper's G' and I': 3, 3 and 4 documents at levels 3, 2 and 1.
G = np.asarray([3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0])
IDEAL = np.asarray([3.0, 3, 3, 2, 2, 2, 1, 1, 1, 1])
RANK = np.arange(1.0, 11)

QRELS = {"a": 3, "b": 2, "c": 1, "d": 0}
RUN = listed("b a u d c")  # u: nobody judged


def test_the_papers_cumulated_gain():
    assert [cg(G, RANK, k=k) for k in range(1, 11)] == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]


def test_the_papers_discounted_cumulated_gain():
    printed = [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
    assert [round(float(dcg_jk(G, RANK, k=k)), 2) for k in range(1, 11)] == printed


def test_the_papers_ideal_holds_the_topic_not_the_list():
    """Built from the documents retrieved the ideal would give .88."""
    by_hand = 3 + 2 + 3 / log2(3) + 1 / log2(6) + 2 / log2(7) + 2 / 3 + 3 / log2(9)
    best = 3 + 3 + 3 / log2(3) + 2 / 2 + 2 / log2(5) + 2 / log2(6)
    best += 1 / log2(7) + 1 / 3 + 1 / log2(9) + 1 / log2(10)
    assert ndcg_jk(G, RANK, IDEAL) == pytest.approx(by_hand / best)
    assert round(by_hand / best, 2) == 0.81
    assert round(float(ndcg_jk(G, RANK, -np.sort(-G))), 2) == 0.88


def test_ranks_before_the_base_are_not_discounted():
    run = listed("a b c d")
    assert value("DCG_JK(b=10)", QRELS, run) == 3 + 2 + 1
    assert value("DCG_JK(b=3)", QRELS, run) == pytest.approx(3 + 2 + 1 / 1)
    assert value("DCG_JK(b=2)", QRELS, run) == pytest.approx(3 + 2 / 1 + 1 / log2(3))


def test_dcg_by_hand():
    assert value("DCG", QRELS, RUN) == pytest.approx(2 + 3 / log2(3) + 1 / log2(6))
    assert value("DCG@2", QRELS, RUN) == pytest.approx(2 + 3 / log2(3))
    assert value("DCG(gain='exp')", QRELS, RUN) == pytest.approx(3 + 7 / log2(3) + 1 / log2(6))
    assert value("DCG(discount='zipf')", QRELS, RUN) == pytest.approx(2 + 3 / 2 + 1 / 5)
    assert value("DCG(discount='none')", QRELS, RUN) == 2 + 3 + 1
    assert value("CG", QRELS, RUN) == 2 + 3 + 1


def test_ndcg_is_cut_at_k_in_both_parts():
    best = 3 + 2 / log2(3) + 1 / 2
    assert value("nDCG", QRELS, RUN) == pytest.approx((2 + 3 / log2(3) + 1 / log2(6)) / best)
    assert value("nDCG@1", QRELS, RUN) == pytest.approx(2 / 3)
    assert value("nDCG@2", QRELS, RUN) == pytest.approx((2 + 3 / log2(3)) / (3 + 2 / log2(3)))


def test_the_ideal_holds_documents_that_were_not_retrieved():
    best = 3 + 2 / log2(3) + 1 / 2
    assert value("nDCG", QRELS, listed("c")) == pytest.approx(1 / best)


def test_ideal_is_sorted_by_gain_after_the_table():
    """Grades 3, 3, 2, 1 with gains 2, 2, 5, 1: the ideal is 5, 2, 2, 1, not 2, 2, 5, 1."""
    qrels = {"a": 3, "b": 3, "c": 2, "d": 1}
    best = 5 + 2 / log2(3) + 2 / 2 + 1 / log2(5)
    assert round(best, 2) == 7.69
    found = value("nDCG(gains={1:1,2:5,3:2})", qrels, listed("a b c d"))
    assert found == pytest.approx((2 + 2 / log2(3) + 5 / 2 + 1 / log2(5)) / best)
    assert value("nDCG(gains={1:1,2:5,3:2})", qrels, listed("c a b d")) == 1


def test_gain_table():
    grades = np.asarray([0.0, 0.5, 1, 2, 3, 7])
    table = {1: 1, 2: 10, 3: 100}
    assert gain_of(grades, gains=table).tolist() == [0, 0.5, 1, 10, 100, 7]
    assert gain_of(grades, gains={2: 3}, gain="exp")[3] == 2**3 - 1


def test_no_gain_is_undefined_for_the_normalised_alone():
    qrels = {"d": 0}
    assert math.isnan(value("nDCG@10", qrels, RUN))
    assert math.isnan(value("nDCG_JK", qrels, RUN))
    assert math.isnan(value("nDCG(gains={3:0})", {"a": 3}, RUN))
    assert value("DCG@10", qrels, RUN) == 0
    assert value("CG", qrels, RUN) == 0


def test_an_empty_list_gains_nothing():
    for name in ("CG", "DCG", "nDCG", "DCG_JK", "nDCG_JK@5"):
        assert value(name, QRELS, {}) == 0


def test_the_tie_of_traps_md():
    """d1 and an unjudged document share ranks 2 and 3: x first by id, or either half the time."""
    qrels = {"d1": 3, "d2": 2, "d3": 1, "d4": 0}
    run = {"d2": 3.0, "d1": 2.0, "x": 2.0, "d4": 1.0}
    assert round(value("nDCG@2", qrels, run), 4) == 0.4693
    assert round(value("nDCG@3", qrels, run), 4) == 0.7350
    assert value("nDCG(gain='exp')@2", qrels, run) == pytest.approx(0.3373, abs=1e-4)
    assert value("nDCG(gain='exp')@3", qrels, run) == pytest.approx(0.6920, abs=1e-4)
    assert round(value("nDCG@2", qrels, run, expected=True), 4) == 0.6913
    assert value("AP", qrels, run) == pytest.approx((1 + 2 / 3) / 3)  # .5556
