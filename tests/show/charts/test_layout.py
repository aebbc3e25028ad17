from __future__ import annotations

import itertools

import numpy as np
import pytest

from assay.show.charts.layout import apart, domain, labels, ticks


def test_places_far_enough_stay():
    assert apart([1.0, 5.0, 9.0], 1, 0, 10) == [1.0, 5.0, 9.0]


def test_places_too_close_part_about_their_middle():
    assert apart([5.0, 5.0], 2, 0, 10) == [4.0, 6.0]
    assert apart([10.0, 10.0, 10.0], 2, 0, 10) == [6.0, 8.0, 10.0]


def test_any_places_keep_order_and_distance():
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = int(rng.integers(1, 9))
        wanted = rng.random(n).tolist()
        found = apart(wanted, 0.1, 0, 1)
        pairs = sorted(zip(wanted, found, strict=True))
        for (_, one), (_, other) in itertools.pairwise(pairs):
            assert other - one >= 0.1 - 1e-9
        assert min(found) >= -1e-9
        assert max(found) <= 1 + 1e-9


@pytest.mark.parametrize(
    ("values", "ends"),
    [([0.03, 0.97], [0.0, 1.0]), ([0.41, 0.52], [0.4, 0.52]), ([3, 14.2], [2, 16]), ([], [0, 1])],
)
def test_an_axis_ends_at_round_numbers(values, ends):
    assert domain(values) == pytest.approx(ends)


def test_an_axis_of_one_value_has_some_length():
    low, high = domain([0.5, 0.5])
    assert low < 0.5 < high


def test_ticks_are_round_and_inside():
    assert ticks([0.0, 1.0], 5) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert ticks([1.0, 100.0], 10) == [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]


def test_long_labels_stay_apart():
    found = labels([f"a very long name of a run that says a great deal {i}" for i in range(3)])
    assert len(set(found)) == 3
    assert max(map(len, found)) <= 28
