"""The acceptable ranking closest to a system's: against all acceptable rankings there are."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.acceptable import HEURISTIC, closest
from assay.orders import WeakOrder, counted
from relation import broken, relations, stated, weak_orders


@settings(max_examples=60)
@given(relation=relations(4), data=st.data())
def test_acceptable_and_where_exact_closest(relation, data):
    if not relation.consistent:
        return
    n = len(relation.docs)
    level = np.asarray(data.draw(st.lists(st.integers(0, n), min_size=n, max_size=n)))
    system = WeakOrder.of({doc: -float(i) for doc, i in zip(relation.docs, level, strict=True)})
    found = closest(relation, system)
    strict = relation.kept(~relation.tie)
    mine = np.asarray([found.order.level[doc] for doc in relation.docs])
    assert not broken(strict, mine).any()
    assert found.distance == counted(mine, level).beta
    best = min(
        counted(order, level).beta for order in weak_orders(n) if not broken(strict, order).any()
    )
    assert found.distance == best if found.exact else found.distance >= best


def test_a_weak_order_of_the_user_is_always_exact():
    user = WeakOrder((("d1", "d2"), ("d3",), ("d4", "d5"), ("d6",)))  # Zhou & Yao, example 6
    words = [f"{a}>{b}" for a in user.docs for b in user.docs if user.level[a] < user.level[b]]
    system = WeakOrder((("d1", "d3"), ("d2", "d5"), ("d6",), ("d4",)))
    found = closest(stated(" ".join([*words, "d1=d2", "d4=d5"])), system)
    assert found.exact
    assert found.order == user.closest(system)
    assert found.distance == user.distance(system).dpm


def test_the_greedy_way_is_named():
    found = closest(stated("c>a"), WeakOrder((("a",), ("b",), ("c",))))
    assert found.exact or found.method == HEURISTIC
