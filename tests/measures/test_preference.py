"""Bpref and Accuracy by hand."""

from __future__ import annotations

import math

from lists import listed, value

QRELS = {"a": 1, "b": 1, "c": 1, "x": 0, "y": 0}  # R = 3, N = 2


def test_bpref_counts_judged_documents_only():
    """One judged nonrelevant document above b, two above c; u and v were not judged."""
    run = listed("a u x b v y c")
    assert value("Bpref", QRELS, run) == (1 + (1 - 1 / 2) + (1 - 2 / 2)) / 3


def test_bpref_divides_by_the_smaller_of_n_and_r():
    qrels = {"a": 1, "x": 0, "y": 0, "z": 0}
    assert value("Bpref", qrels, listed("x a")) == 1 - 1 / 1
    assert (
        value("Bpref", {"a": 1, "b": 1, "c": 1, "x": 0}, listed("a x b")) == (1 + (1 - 1 / 1)) / 3
    )


def test_bpref_ignores_pooled_documents():
    assert value("Bpref", QRELS | {"p": -1}, listed("p a")) == 1 / 3


def test_bpref_without_nonrelevant_documents():
    assert value("Bpref", {"a": 1, "b": 1}, listed("u a")) == 1 / 2  # ranx: NaN
    assert math.isnan(value("Bpref", {"x": 0}, listed("x")))


def test_accuracy_is_the_share_of_pairs_in_order():
    run = listed("a u b x")  # a before u, x; b before x; u before b
    assert value("Accuracy", QRELS, run) == 3 / 4
    assert value("Accuracy@3", QRELS, run) == 1 / 2
    assert value("Accuracy", QRELS, listed("x u a")) == 0


def test_accuracy_with_nothing_to_compare():
    assert value("Accuracy", QRELS, listed("a b")) == 1 / 2
    assert value("Accuracy", QRELS, listed("x u")) == 1 / 2
    assert value("Accuracy", QRELS, {}) == 1 / 2
    assert math.isnan(value("Accuracy", {"x": 0}, listed("x")))
