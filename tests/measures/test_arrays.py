"""The idioms that kernels share."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.measures import arrays
from assay.measures.arrays import (
    at_rank,
    count_above,
    first_hit,
    group_counts,
    largest,
    mean_weight,
    pick,
    ratio,
    within,
)


def test_all_names_exist_once():
    assert all(hasattr(arrays, name) for name in arrays.__all__)
    assert len(set(arrays.__all__)) == len(arrays.__all__)


def test_ratio():
    found = ratio(np.asarray([1.0, 1, 0]), np.asarray([2.0, 0, 0]))
    np.testing.assert_array_equal(found, [0.5, math.nan, math.nan])
    np.testing.assert_array_equal(ratio(np.asarray([1.0]), np.asarray([0.0]), empty=0.5), [0.5])


def test_largest_of_nothing():
    assert largest(np.zeros((2, 0))).tolist() == [0, 0]
    assert largest(np.zeros((2, 0)), empty=-math.inf).tolist() == [-math.inf] * 2
    assert largest(np.asarray([[1.0, 3], [2, -1]])).tolist() == [3, 2]


def test_at_rank_gives_the_last_value_beyond_the_end():
    vector = np.asarray([[5.0, 7, 9], [1, 2, 3]])
    rank = np.asarray([[1.0, 3, 4, math.inf]])
    assert at_rank(vector, rank).tolist() == [[5, 9, 9, 9], [1, 3, 3, 3]]
    assert at_rank(np.zeros((2, 0)), np.ones((2, 3))).tolist() == [[0, 0, 0]] * 2


def test_pick_broadcasts_leading_axes():
    vector = np.arange(6.0).reshape(2, 1, 3)
    place = np.asarray([[0.0, 2], [1, 1], [2, 0]])
    assert pick(vector, place).shape == (2, 3, 2)
    assert pick(vector, place)[1].tolist() == [[3, 5], [4, 4], [5, 3]]


@pytest.mark.parametrize("seed", range(5))
def test_count_above(seed):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 4, (3, 7)).astype(float)
    grade = rng.integers(-1, 5, (2, 3, 5)).astype(float)
    slow = (base[None, :, None, :] > grade[..., None]).sum(axis=-1)
    np.testing.assert_array_equal(count_above(base, grade), slow)


def test_count_above_of_nothing():
    assert count_above(np.zeros((2, 0)), np.ones((2, 3))).tolist() == [[0, 0, 0]] * 2
    assert count_above(np.ones((2, 3)), np.zeros((2, 0))).shape == (2, 0)


# ranks 1, 3, 4 of a list in which rank 1 stands alone and 2 to 5 tie; one place of padding
RANK = np.asarray([[1.0, 3, 4, math.inf]])
FIRST = np.asarray([[1.0, 2, 2, math.inf]])
LAST = np.asarray([[1.0, 5, 5, math.inf]])


def test_within_is_a_share_of_the_tie_group():
    assert within(3, RANK, None, None).tolist() == [[1, 1, 0, 0]]
    assert within(math.inf, RANK, None, None).tolist() == [[1, 1, 1, 0]]
    assert within(3, RANK, FIRST, LAST).tolist() == [[1, 2 / 4, 2 / 4, 0]]
    assert within(math.inf, RANK, FIRST, LAST).tolist() == [[1, 1, 1, 0]]


def test_mean_weight():
    shared = (1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 4
    found = mean_weight(lambda rank: 1 / rank, RANK, FIRST, LAST)
    np.testing.assert_allclose(found, [[1, shared, shared, 0]], rtol=1e-15)
    assert mean_weight(lambda rank: 1 / rank, RANK, None, None).tolist() == [[1, 1 / 3, 1 / 4, 0]]


def test_group_counts():
    outside, inside = group_counts(np.asarray([[1.0, 0, 1, 0]]), RANK, FIRST, LAST)
    assert outside[0, :3].tolist() == [0, 1, 1]
    assert inside[0, :3].tolist() == [1, 1, 1]


def test_first_hit():
    hit = np.asarray([[0.0, 0, 1, 0]])
    assert first_hit(lambda rank: 1 / rank, hit, RANK, None, None).tolist() == [1 / 4]
    shared = (1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 4
    found = first_hit(lambda rank: 1 / rank, hit, RANK, FIRST, LAST)
    np.testing.assert_allclose(found, [shared], rtol=1e-15)
    none = first_hit(lambda rank: 1 / rank, 0 * hit, RANK, FIRST, LAST)
    assert none.tolist() == [0]
