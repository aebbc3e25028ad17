"""Weak orders and the distance between two: the paper's examples, and a slow twin, pair by pair."""

from __future__ import annotations

import math
from itertools import combinations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from assay.errors import AssayError
from assay.orders import Distance, WeakOrder, counted, inversions

LEVELS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


def slow_distance(user, system):
    """Zhou & Yao's counts as section 5.7 defines them, a pair at a time."""
    agreed = contradicted = only_user = only_system = tied = 0
    for i, j in combinations(range(len(user)), 2):
        u, s = (np.sign(order[i] - order[j]) for order in (user, system))
        agreed += u * s > 0
        contradicted += u * s < 0
        only_user += u != 0 and s == 0
        only_system += u == 0 and s != 0
        tied += u == s == 0
    return Distance(agreed, contradicted, only_user, only_system, tied)


@given(levels=LEVELS)
def test_the_distance_is_that_of_all_pairs(levels):
    user, system = [u for u, _ in levels], [s for _, s in levels]
    assert counted(np.asarray(user), np.asarray(system)) == slow_distance(user, system)


@given(values=st.lists(st.integers(0, 9)))
def test_inversions_are_the_pairs_in_the_wrong_order(values):
    wrong = sum(a > b for a, b in combinations(values, 2))
    assert inversions(np.asarray(values, dtype=np.int64)) == wrong


def test_example_1_levels_and_utilities():
    order = WeakOrder.of({"d1": 0.0, "d2": 0.0, "d3": 0.0, "d4": 0.1, "d5": 0.2})
    assert order.levels == (("d5",), ("d4",), ("d1", "d2", "d3"))
    assert order.utility(0.1) == {"d5": 0.2, "d4": 0.1, "d1": 0.0, "d2": 0.0, "d3": 0.0}
    assert order.utility(0.2) == {"d5": 0.4, "d4": 0.2, "d1": 0.0, "d2": 0.0, "d3": 0.0}


def test_example_6_closest_acceptable_ranking_and_distance():
    user = WeakOrder((("d1", "d2"), ("d3",), ("d4", "d5"), ("d6",)))
    system = WeakOrder((("d1", "d3"), ("d2", "d5"), ("d6",), ("d4",)))
    closest = user.closest(system)
    assert str(closest) == "d1 > d2 > d3 > d5 > d4 > d6"
    found = user.distance(system)
    assert (found.pairs, found.contradicted, found.only_user) == (13, 2, 2)
    assert (found.dpm, found.beta) == (6, 2 * 2 + 2 + found.only_system)
    assert found.ndpm == 6 / 26
    assert closest.distance(system).beta == found.dpm  # dpm is the distance to the closest one
    assert user.distance(user.converse()).ndpm == 1


def test_documents_that_the_system_lacks_are_one_last_level():
    user = WeakOrder((("a",), ("b",), ("c",)))
    found = user.distance(WeakOrder((("c",),)))
    assert found == Distance(agreed=0, contradicted=2, only_user=1, only_system=0)
    assert str(user.closest(WeakOrder((("c",),)))) == "a > b > c"


def test_nothing_preferred_has_no_ndpm():
    assert math.isnan(WeakOrder((("a", "b"),)).distance(WeakOrder((("a",), ("b",)))).ndpm)


def test_distances_add_up():
    one = Distance(1, 2, 3, 4, 5, 6)
    assert one + one == Distance(2, 4, 6, 8, 10, 12)


def test_a_document_has_one_level():
    with pytest.raises(AssayError, match="'a' stands twice"):
        WeakOrder((("a",), ("b", "a")))
    with pytest.raises(AssayError, match="'a' has no number"):
        WeakOrder.of({"a": math.nan})
