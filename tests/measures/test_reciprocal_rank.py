"""Reciprocal rank by hand."""

from __future__ import annotations

import math

from lists import listed, value

QRELS = {"a": 2, "b": 1, "e": 0}


def test_reciprocal_rank():
    run = listed("e u b a")
    assert value("RR", QRELS, run) == 1 / 3
    assert value("RR(rel=2)", QRELS, run) == 1 / 4
    assert value("RR@3", QRELS, run) == 1 / 3
    assert value("RR@2", QRELS, run) == 0
    assert value("RR", QRELS, {}) == 0


def test_no_relevant_document():
    assert math.isnan(value("RR", {"e": 0}, listed("e")))
    assert math.isnan(value("RR(rel=3)", QRELS, listed("a")))


def test_with_and_without_a_cutoff_ties_break_alike():
    """ir_measures has RR = 1 and RR@10 = .5 on this list."""
    run = {"a": 1.0, "u": 1.0}
    assert value("RR", QRELS, run) == value("RR@10", QRELS, run) == 1 / 2
    assert value("RR@10", QRELS, run, expected=True) == (1 + 1 / 2) / 2


def test_two_relevant_documents_in_a_tie_of_four():
    """First at place 1, 2, 3 with probabilities 3/6, 2/6, 1/6."""
    run = dict.fromkeys(("a", "b", "e", "u"), 1.0)
    assert abs(value("RR", QRELS, run, expected=True) - (3 / 6 + 2 / 6 / 2 + 1 / 6 / 3)) < 1e-15
    assert abs(value("RR@2", QRELS, run, expected=True) - (3 / 6 + 2 / 6 / 2)) < 1e-15
