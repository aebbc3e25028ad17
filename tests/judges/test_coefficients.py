"""Rank correlations against scipy, printed values, and slow twins."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.judges.coefficients import (
    COEFFICIENTS,
    rank_of_best,
    rbo,
    rbo_b,
    tau_ap,
    tau_ap_b,
    tau_b,
    weighted_tau,
)

scores = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


def floats(pair):
    return (np.asarray(values, dtype=np.float64) for values in pair)


@given(scores)
def test_tau_b_is_scipys(pair):
    x, y = floats(pair)
    assert tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12, nan_ok=True)


@given(scores)
def test_weighted_tau_is_scipys(pair):
    x, y = floats(pair)
    expected = stats.weightedtau(x, y).statistic
    assert weighted_tau(x, y) == pytest.approx(expected, abs=1e-12, nan_ok=True)


# the values that the authors' package ircor 1.0 (CRAN) checks itself with
X1 = [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992]
Y1 = [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988]
X1_TIES = [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1]
Y1_TIES = [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1]


def test_tau_ap_as_urbano_and_marrero_print_it():
    assert tau_ap(np.array(X1), np.array(Y1)) == pytest.approx(0.8519, abs=5e-5)
    assert tau_ap(np.array(X1), np.array(Y1_TIES)) == pytest.approx(0.7454, abs=5e-5)
    assert tau_ap_b(np.array(X1), np.array(Y1)) == pytest.approx(0.8333, abs=5e-5)
    assert tau_ap_b(np.array(X1_TIES), np.array(Y1_TIES)) == pytest.approx(0.7321, abs=5e-5)
    assert tau_ap_b(np.array(Y1_TIES), np.array(X1_TIES)) == pytest.approx(0.7321, abs=5e-5)


def orders(scores):
    """Every ranking, best first, that the scores allow."""
    n = len(scores)
    for order in permutations(range(n)):
        if all(scores[a] >= scores[b] for a, b in pairwise(order)):
            yield order


def slow_tau_ap(truth, order):
    """Yilmaz, Aslam & Robertson: 2/(n-1) sum of the share ranked right above each, less 1."""
    total = 0.0
    for i in range(1, len(order)):
        above = [truth[j] - truth[order[i]] for j in order[:i]]
        total += sum(1.0 if d > 0 else 0.5 if d == 0 else 0.0 for d in above) / i
    return 2 * total / (len(order) - 1) - 1


@given(scores)
def test_tau_ap_is_the_mean_over_all_orders_of_ties(pair):
    x, y = floats(pair)
    expected = np.mean([slow_tau_ap(x, order) for order in orders(y)])
    assert tau_ap(x, y) == pytest.approx(expected, abs=1e-12)


def slow_rbo(first, second, p=0.9):
    """Webber, Moffat & Zobel's extrapolated overlap of two full rankings without ties."""
    n = len(first)
    agreement = [len(set(first[:d]) & set(second[:d])) / d for d in range(1, n + 1)]
    body = sum((1 - p) * p ** (d - 1) * a for d, a in enumerate(agreement, start=1))
    return body + p**n * agreement[-1]


@given(scores)
def test_rbo_is_the_mean_over_all_orders_of_ties(pair):
    x, y = floats(pair)
    if len(x) > 5:
        x, y = x[:5], y[:5]
    every = [slow_rbo(a, b) for a in orders(x) for b in orders(y)]
    assert rbo(x, y) == pytest.approx(np.mean(every), abs=1e-12)


def slow_rbo_b(x, y, p=0.9):
    """Corsi & Urbano 2024, variant b: items shared at each depth over the lengths of both."""

    def shown(scores, item, depth):
        before = sum(other > scores[item] for other in scores)
        tied = sum(other == scores[item] for other in scores)
        return min(1.0, max(0.0, (depth - before) / tied))

    n, total = len(x), 0.0
    for depth in range(1, n + 1):
        a = [shown(x, i, depth) for i in range(n)]
        b = [shown(y, i, depth) for i in range(n)]
        shared = sum(u * v for u, v in zip(a, b, strict=True))
        length = (sum(u * u for u in a) * sum(v * v for v in b)) ** 0.5
        total += (1 - p) * p ** (depth - 1) * shared / length
    return total + p**n


@given(scores)
def test_rbo_b_is_its_definition(pair):
    x, y = floats(pair)
    assert rbo_b(x, y) == pytest.approx(slow_rbo_b(list(x), list(y)), abs=1e-12)
    assert rbo_b(x, x) == pytest.approx(1.0)
    if len(set(x)) == len(x) and len(set(y)) == len(y):
        assert rbo_b(x, y) == pytest.approx(float(rbo(x, y)))


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_a_batch_is_one_by_one(name):
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 5, (2, 3, 4, 7)).astype(float)
    together = COEFFICIENTS[name](x, y)
    assert together.shape == (3, 4)
    for i in np.ndindex(3, 4):
        assert together[i] == pytest.approx(float(COEFFICIENTS[name](x[i], y[i])), abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_the_same_ranking_gives_1_and_nan_stays_nan(name):
    x = np.array([0.5, 0.3, 0.9, 0.1])
    assert COEFFICIENTS[name](x, 2 * x + 1) == pytest.approx(1.0)
    assert np.isnan(COEFFICIENTS[name](x, np.array([0.1, np.nan, 0.2, 0.3])))


def test_rank_of_the_best():
    x = np.array([0.9, 0.5, 0.1])
    assert rank_of_best(x, np.array([0.2, 0.3, 0.1])) == 2
    assert rank_of_best(x, np.array([0.3, 0.3, 0.1])) == 1.5  # tied with another
