"""Kemeny's order against every order there is."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.kemeny import kemeny


def votes_of(ranks):
    return sum((rank[:, None] < rank).astype(np.int64) for rank in np.asarray(ranks, dtype=float))


def brute(votes):
    """Fewest votes that an order of up to seven documents contradicts."""
    return min(
        sum(votes[b, a] for i, a in enumerate(order) for b in order[i + 1 :])
        for order in permutations(range(len(votes)))
    )


@settings(max_examples=40)
@given(data=st.data(), n=st.integers(1, 7), voters=st.integers(1, 6))
def test_exact_is_the_best_of_all_orders(data, n, voters):
    rank = st.lists(st.integers(1, n) | st.just(np.nan), min_size=n, max_size=n)
    votes = votes_of(data.draw(st.lists(rank, min_size=voters, max_size=voters)))
    found = kemeny(votes)
    assert found.exact
    assert found.contradicted == found.least == brute(votes)
    above = found.level[:, None] < found.level
    tied = np.triu(found.level[:, None] == found.level, 1)
    assert votes.T[above].sum() + np.minimum(votes, votes.T)[tied].sum() == brute(votes)


def test_equal_votes_share_a_level():
    assert kemeny(votes_of([[1, 2, 3], [2, 1, 3]])).level.tolist() == [0, 0, 1]


@pytest.mark.parametrize(("n", "exact"), [(25, True), (160, False)])
def test_small_sets_are_exact_large_ones_within_their_bound(n, exact):
    rng = np.random.default_rng(n)
    votes = votes_of([rng.permutation(n) for _ in range(5)])
    found = kemeny(votes, seconds=20)
    assert found.exact == exact
    assert found.least <= found.contradicted <= votes.sum() / 2


def test_a_document_that_a_majority_prefers_to_all_comes_first():
    rng = np.random.default_rng(1)
    ranks = np.array([np.concatenate([[0], rng.permutation(9) + 1]) for _ in range(5)])
    assert kemeny(votes_of(ranks)).level[0] == 0
