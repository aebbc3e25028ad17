"""Letters: two runs share one exactly where they are not shown to differ."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.letters import letter, letters


def matrix(n, pairs):
    found = np.zeros((n, n), dtype=bool)
    for i, j in pairs:
        found[i, j] = found[j, i] = True
    return found


@pytest.mark.parametrize(
    ("n", "pairs", "expected"),
    [
        (0, [], ()),
        (1, [], ("a",)),
        (3, [], ("a", "a", "a")),
        (2, [(0, 1)], ("a", "b")),
        (3, [(0, 2)], ("a", "ab", "b")),  # a chain
        (3, [(0, 1), (0, 2), (1, 2)], ("a", "b", "c")),
        (4, [(0, 3), (1, 3)], ("a", "a", "ab", "b")),
        # worked by hand: a square 0-1-2-3-0 of which the diagonals differ
        (4, [(0, 2), (1, 3)], ("ab", "ac", "cd", "bd")),
    ],
)
def test_by_hand(n, pairs, expected):
    found = letters(matrix(n, pairs))
    if n == 4 and len(pairs) == 2 and pairs[0] == (0, 2):  # which of two letters is free
        assert sorted(map(len, found)) == [2, 2, 2, 2]
        shared = {(i, j) for i in range(4) for j in range(i) if set(found[i]) & set(found[j])}
        assert shared == {(1, 0), (2, 1), (3, 2), (3, 0)}
        return
    assert found == expected


@given(st.integers(1, 9), st.data())
def test_letters_are_shared_exactly_where_runs_do_not_differ(n, data):
    pairs = [(i, j) for i in range(n) for j in range(i)]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    found = [set(re.findall(r"[a-zA-Z]\d*", text)) for text in letters(matrix(n, chosen))]
    assert all(found)  # every run has one
    for i, j in pairs:
        assert bool(found[i] & found[j]) == ((i, j) not in chosen)
    for name in set().union(*found):  # no letter could be left out
        assert any(found[i] & found[j] == {name} for i in range(n) for j in range(i + 1))


def test_one_direction_is_enough():
    lower = np.tril(matrix(3, [(0, 2)]))
    assert letters(lower) == letters(lower.T) == ("a", "ab", "b")


def test_more_than_the_alphabet_holds():
    assert [letter(i) for i in (0, 25, 26, 51, 52, 104)] == ["a", "z", "A", "Z", "a2", "a3"]
    everyone = letters(~np.eye(60, dtype=bool))
    assert len(set(everyone)) == 60
    assert everyone[0] == "a"
    assert everyone[59] == "h2"


def test_a_tangle_has_no_letters():
    """Where 2n runs differ only within n pairs, 2^n groups come up on the way."""
    assert letters(matrix(10, [(2 * i, 2 * i + 1) for i in range(5)])) is not None
    assert letters(matrix(40, [(2 * i, 2 * i + 1) for i in range(20)])) is None
