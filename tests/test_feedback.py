"""The fewest votes to drop: against all weak orders there are, and what happens out of time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from assay import feedback
from assay.feedback import GREEDY, smallest_drop
from relation import broken, relations, stated, weak_orders


def rest_of(relation, drop):
    stays = np.ones(len(relation), dtype=bool)
    stays[list(drop.rows)] = False
    return relation.kept(stays)


@settings(max_examples=60)
@given(relation=relations())
def test_no_order_breaks_fewer_votes(relation):
    drop = smallest_drop(relation)
    orders = weak_orders(len(relation.docs))
    assert drop.votes == min(relation.votes[broken(relation, order)].sum() for order in orders)
    assert drop.exact
    assert drop.method == "exact"
    assert rest_of(relation, drop).consistent


@given(relation=relations())
def test_without_time_the_rest_is_consistent_and_the_bound_holds(relation):
    drop, best = smallest_drop(relation, seconds=0), smallest_drop(relation)
    assert rest_of(relation, drop).consistent
    assert drop.least <= best.votes <= drop.votes


@given(relation=relations())
def test_looking_for_cycles_from_few_documents_at_a_time(relation):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback, "STARTS", 1)
        assert smallest_drop(relation).votes == smallest_drop(relation).least
        out_of_time = smallest_drop(relation, seconds=0)
    assert rest_of(relation, out_of_time).consistent


def test_votes_decide():
    drop = smallest_drop(stated("a>b b>c c>a", [5, 4, 3]))
    assert (drop.rows, drop.votes) == ((2,), 3)


def test_the_heuristic_is_named():
    rng = np.random.default_rng(5)
    words = [
        f"d{a}>d{b}" if rng.random() < 0.5 else f"d{b}>d{a}" for a in range(30) for b in range(a)
    ]
    drop = smallest_drop(stated(" ".join(words)), seconds=0)
    assert not drop.exact
    assert drop.method == GREEDY
