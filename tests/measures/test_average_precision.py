"""AP, infAP and Q by hand, and Q as Zhou & Yao print it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from assay.measures.average_precision import q
from lists import listed, value

QRELS = {"a": 2, "b": 1, "c": 1, "e": 0}
RUN = listed("a u b e")


def test_average_precision():
    assert value("AP", QRELS, RUN) == (1 + 2 / 3) / 3
    assert value("AP(rel=2)", QRELS, RUN) == 1
    assert math.isnan(value("AP", {"e": 0}, RUN))
    assert value("AP", QRELS, {}) == 0


def test_at_k_the_divisor_is_r_or_the_smaller_of_both():
    assert value("AP@1", QRELS, RUN) == 1 / 3
    assert value("AP(norm='min')@1", QRELS, RUN) == 1
    assert value("AP(norm='min')@2", QRELS, RUN) == 1 / 2
    assert value("AP(norm='min')@10", QRELS, RUN) == (1 + 2 / 3) / 3


def test_inferred_ap_is_ap_where_all_is_judged():
    qrels = {"a": 1, "b": 0, "c": 1}
    run = listed("a b c")
    assert value("infAP", qrels, run) == pytest.approx(value("AP", qrels, run), abs=1e-5)


def test_inferred_ap_by_hand():
    """Above rank 4 stand one relevant, one other and one pooled document: precision there, 1/2."""
    qrels = {"a": 1, "p": -1, "e": 0, "b": 1}
    above = 3 / 3 * (1 + 1e-5) / (2 + 2e-5)
    expected = (1 + (1 / 4 + 3 / 4 * above)) / 2
    assert value("infAP", qrels, listed("a p e b")) == pytest.approx(expected, rel=1e-12)


def test_inferred_ap_skips_documents_outside_the_pool():
    qrels = {"a": 1, "b": 1}
    above = 1 / 2 * (1 + 1e-5) / (1 + 2e-5)
    expected = (1 + (1 / 3 + 2 / 3 * above)) / 2
    assert value("infAP", qrels, listed("a u b")) == pytest.approx(expected, rel=1e-12)


def test_q_by_hand():
    """Gains 2, 0, 1, 0 against the ideal 2, 1, 1."""
    first, third = (1 + 2) / (1 + 2), (2 + 3) / (3 + 4)
    assert value("Q", QRELS, RUN) == pytest.approx((first + third) / 3)
    assert value("Q@1", QRELS, RUN) == first  # Sakai & Song: min(R, k)
    assert value("Q(norm='R')@1", QRELS, RUN) == first / 3
    blended = (1 + (2 + 10 * 3) / (3 + 10 * 4)) / 3
    assert value("Q(beta=10)", QRELS, RUN) == pytest.approx(blended)
    assert value("Q(beta=0)", QRELS, RUN) == pytest.approx(value("AP", QRELS, RUN))


def test_q_needs_a_relevant_document():
    assert math.isnan(value("Q", {"e": 0}, RUN))
    assert value("Q", QRELS, {}) == 0


def test_q_can_fall_when_a_better_document_moves_up():
    """Why Q is exempt from the swap law: a small gain before large ones is a small share."""
    qrels = {"x": 100, "y": 100, "z": 100, "small": 1, "bad": 0}
    before = value("Q", qrels, listed("bad x y z small"))
    assert value("Q", qrels, listed("small x y z bad")) < before - 0.2


def test_zhou_and_yao(shared):
    """Tables 2 and 3: gains at ranks 1 to 5 in steps of .1; Example 5: levels 3, 2, 1. Bonus 1."""
    cases = json.loads((shared.parent / "papers/golden.json").read_text())
    cases = [case for case in cases if case["measure"] == "q_measure" and "-t4-" not in case["id"]]
    assert len(cases) == 8
    for case in cases:
        given = case["inputs"]
        gains, ideal = given.get("row") or given["gains"], given.get("ur") or given["ideal"]
        rel = 0.1 if "row" in given else 1
        found = q(np.asarray(gains, float), np.arange(1.0, 6), np.asarray(ideal, float), rel=rel)
        assert abs(found - case["printed"]) <= 0.5 * 10 ** -case["decimals"] + 1e-9, case["id"]
