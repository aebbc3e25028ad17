from __future__ import annotations

import math
import random

import pytest

from lists import listed, random_list, random_topic, value

# Zhou & Yao, example 4: five relevant documents, and two systems that show four of them
QRELS = {"a": 0.3, "b": 0.2, "c": 0.2, "d": 0.1, "e": 0.1, "x": 0.0}
FIRST, SECOND = listed("a b d e x"), listed("d e b a x")


def test_the_ideal_of_the_recall_base_or_of_the_list_itself():
    for run in (FIRST, SECOND):
        assert value("SR@5", QRELS, run) == pytest.approx(0.7 / 0.9)
        assert value("SR(ideal='retrieved')@5", QRELS, run) == pytest.approx(1.0)
    own = (0.1 + 0.1 / 2 + 0.2 / 3 + 0.3 / 4) / (0.3 + 0.2 / 2 + 0.1 / 3 + 0.1 / 4)
    assert value("MSR(ideal='retrieved')@5", QRELS, SECOND) == pytest.approx(own)


def test_the_whole_list_is_sorted_before_it_is_cut():
    assert value("SR(ideal='retrieved')@1", QRELS, SECOND) == pytest.approx(0.1 / 0.3)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8, 100])
def test_sr_is_ncg_at_every_rank_and_so_is_the_lists_own_where_it_holds_all_there_is(k):
    rng = random.Random(k)
    for _ in range(40):
        qrels, docs = random_topic(rng)
        run, all_shown = random_list(rng, docs), listed(rng.sample(docs, len(docs)))
        if any(grade > 0 for grade in qrels.values()):
            assert value(f"SR@{k}", qrels, run) == value(f"nCG@{k}", qrels, run)
            own = value(f"SR(ideal='retrieved')@{k}", qrels, all_shown)
            assert own == pytest.approx(value(f"nCG@{k}", qrels, all_shown))


def test_nothing_of_worth_retrieved_is_0_and_nothing_to_retrieve_is_undefined():
    for ideal in ("recall_base", "retrieved"):
        assert value(f"SR(ideal='{ideal}')", QRELS, listed("x y")) == 0
        assert value(f"MSR(ideal='{ideal}')", QRELS, {}) == 0
        assert math.isnan(value(f"SR(ideal='{ideal}')", {"x": 0}, listed("x y")))
