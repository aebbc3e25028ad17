from __future__ import annotations

import itertools

import numpy as np

from assay.stats.cliques import cliques


def slow(apart):
    """All stretches without a pair that differs, of which none lies inside another."""
    n = len(apart)
    fine = [
        (a, b)
        for a, b in itertools.combinations(range(n), 2)
        if not any(apart[i, j] for i in range(a, b + 1) for j in range(a, b + 1))
    ]
    return [
        (a, b) for a, b in fine if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in fine)
    ]


def test_against_all_stretches():
    rng = np.random.default_rng(0)
    for _ in range(300):
        n = int(rng.integers(1, 9))
        upper = np.triu(rng.random((n, n)) < 0.3, 1)
        apart = upper | upper.T
        assert cliques(apart) == slow(apart)


def test_none_differ_and_all_differ():
    assert cliques(np.zeros((4, 4), dtype=bool)) == [(0, 3)]
    assert cliques(~np.eye(4, dtype=bool)) == []
