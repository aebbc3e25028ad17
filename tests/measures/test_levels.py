from __future__ import annotations

import math
import random

import pytest

from lists import listed, random_list, random_topic, value


def test_on_two_levels_it_is_average_precision():
    rng = random.Random(5)
    for _ in range(40):
        qrels, docs = random_topic(rng, (0, 1))
        run = random_list(rng, docs)
        found, expected = value("muAP", qrels, run), value("AP", qrels, run)
        assert found == pytest.approx(expected, nan_ok=True)


def test_only_the_distances_of_the_levels_used_count():
    docs = [f"d{i}" for i in range(8)]
    levels, run = [1, 0, 3, 3, 2, 0, 1, 4], listed(docs)
    plain = value("muAP", dict(zip(docs, levels, strict=True)), run)
    scaled = value("muAP", dict(zip(docs, [2.5 * g for g in levels], strict=True)), run)
    assert plain == pytest.approx(scaled) == pytest.approx(0.44782, abs=1e-5)
    wide = {"a": 1.0, "b": 0.3, "c": 0.0}
    by_hand = 0.3 * value("AP(rel=0.3)", wide, listed("b a")) + 0.7 * 0.5
    assert value("muAP", wide, listed("b a")) == pytest.approx(by_hand)


def test_a_lowest_level_above_0_is_passed_by_all():
    """By hand: levels 2 and 3; AP_2 = 1 weighs 2, AP_3 = 1/2 weighs 1."""
    assert value("muAP", {"a": 2, "b": 3}, listed("a b")) == pytest.approx((2 * 1 + 0.5) / 3)


def test_no_level_above_0_is_undefined():
    for measure in ("muAP", "NDCNG@3"):
        for run in ({}, listed("a"), listed("u v")):
            assert math.isnan(value(measure, {"a": 0}, run))
            assert math.isnan(value(measure, {}, run))


def test_normalised_gain_takes_the_best_of_the_topic_or_of_the_scale():
    qrels, run = {"a": 1, "b": 2}, listed("a b")
    ideal = (2**1 - 1) + (2**0.5 - 1) / math.log2(3)
    assert value("NDCNG", qrels, run) == pytest.approx((2**0.5 - 1 + 1 / math.log2(3)) / ideal)
    ideal = (2**0.5 - 1) + (2**0.25 - 1) / math.log2(3)
    expected = (2**0.25 - 1 + (2**0.5 - 1) / math.log2(3)) / ideal
    assert value("NDCNG(max=4)", qrels, run) == pytest.approx(expected)
    halves = {doc: grade / 2 for doc, grade in qrels.items()}
    assert value("NDCNG", halves, run) == pytest.approx(value("NDCNG", qrels, run))
