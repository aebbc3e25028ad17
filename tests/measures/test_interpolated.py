"""Interpolated precision: recall levels are decimal fractions, reached exactly."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from assay.measures.interpolated import needed
from lists import listed, value

QRELS = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 0}
RUN = listed("a e u b c")  # precision 1, 2/4, 3/5 at recall 1/4, 2/4, 3/4


@pytest.mark.parametrize(
    ("x", "best"), [(0.0, 1), (0.25, 1), (0.26, 3 / 5), (0.5, 3 / 5), (0.75, 3 / 5), (0.76, 0)]
)
def test_best_precision_from_a_recall_level_on(x, best):
    assert value(f"IPrec@{x}", QRELS, RUN) == best


def test_eleven_points_by_hand():
    """Recall 0, .1, .2 reach 1; .3 to .7 reach 3/5; .8, .9, 1 are never reached."""
    assert value("AP11", QRELS, RUN) == pytest.approx((3 * 1 + 5 * 3 / 5 + 3 * 0) / 11)


def test_no_relevant_document():
    assert math.isnan(value("IPrec@0.5", {"e": 0}, RUN))
    assert math.isnan(value("AP11", {"e": 0}, RUN))
    assert value("AP11", QRELS, {}) == 0


@pytest.mark.parametrize("hundredths", range(0, 101, 5))
def test_needed_is_the_exact_ceiling(hundredths):
    """.1 x 30 is 3.0000000000000004 in floating point, and its ceiling 4."""
    relevant = np.arange(1.0, 2000)
    exact = [math.ceil(Fraction(hundredths, 100) * int(r)) for r in relevant]
    assert needed(relevant, hundredths / 100, "exact").tolist() == exact


def test_a_level_written_with_many_digits():
    relevant = np.asarray([3.0, 3e6, 8e9])
    assert needed(relevant, 1 / 3, "exact").tolist() == [1, 1e6, math.ceil(8e9 / 3)]


def test_the_other_ways_to_cut():
    """trec_eval 10 rounds half up, trec_eval 9 adds .9 and cuts."""
    relevant = np.asarray([5.0, 5, 4, 1])
    assert needed(relevant[:2], 0.5, "round").tolist() == [3, 3]
    assert needed(np.asarray([4.0, 1]), 0.1, "round").tolist() == [0, 0]
    assert needed(np.asarray([4.0, 1]), 0.1, "9").tolist() == [1, 1]
    assert needed(np.asarray([1.0]), 0.05, "9").tolist() == [0]
    assert needed(np.asarray([1.0]), 0.05, "exact").tolist() == [1]


def test_rounding_accepts_a_lower_recall():
    """One of four relevant documents is recall .25: exact .3 needs two, rounded .3 one."""
    assert value("IPrec@0.3", QRELS, listed("a")) == 0
    assert value("IPrec(cut='round')@0.3", QRELS, listed("a")) == 1
