"""Corrections against statsmodels, and the agreement of intervals with p."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats import paired
from assay.stats.arrays import steady
from assay.stats.corrections import adjusted, agreeing, levels
from assay.stats.names import CORRECTIONS
from tables import simulated

NAMES = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh"}


@pytest.mark.parametrize("how", list(NAMES))
def test_corrections_are_those_of_statsmodels(how):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(1).random(30) ** 3
    np.testing.assert_allclose(adjusted(p, how), multitest.multipletests(p, method=NAMES[how])[1])


def test_by_hand():
    p = np.array([0.01, 0.04, 0.03])
    assert adjusted(p, "holm").tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert adjusted(p, "bonferroni").tolist() == pytest.approx([0.03, 0.12, 0.09])
    assert adjusted(p, "bh").tolist() == pytest.approx([0.03, 0.04, 0.04])
    assert adjusted(p, "none").tolist() == p.tolist()


def test_nan_does_not_count():
    p = np.array([0.01, np.nan, 0.03])
    np.testing.assert_allclose(adjusted(p, "holm"), [0.02, np.nan, 0.03])
    assert levels(p, "holm", 0.05) == 0.025
    assert np.isnan(adjusted(np.array([np.nan]), "bh")).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.sampled_from(CORRECTIONS))
def test_corrected_p_is_no_smaller_and_keeps_the_order(values, how):
    p = np.array(values)
    found = adjusted(p, how)
    assert (found >= p - 1e-15).all()
    assert (found <= 1).all()
    order = np.argsort(p)
    assert (np.diff(found[order]) >= -1e-15).all()


@pytest.mark.parametrize("how", CORRECTIONS)
@pytest.mark.parametrize("seed", range(12))
def test_intervals_agree_with_corrected_p(how, seed):
    x = simulated(runs=6, topics=15, seed=seed)
    d = steady(x[1:] - x[:1])
    outcome = paired.t(d)
    p = adjusted(outcome.p, how)
    low, high = outcome.interval(np.full(5, levels(outcome.p, how, 0.05)))
    rejected = p <= 0.05
    low, high, moved = agreeing(low, high, outcome.estimate, rejected, ~np.isnan(p))
    np.testing.assert_array_equal((low > 0) | (high < 0), rejected)
    if how != "holm":
        assert not moved.any()  # these agree of themselves


def test_holm_cuts_at_zero():
    # p .02 and .04: Holm rejects both, Bonferroni at .025 the first only
    low, high, moved = agreeing(
        np.array([0.01, -0.02]),
        np.array([0.3, 0.2]),
        np.array([0.15, 0.09]),
        np.array([True, True]),
        np.array([True, True]),
    )
    assert moved.tolist() == [False, True]
    assert low[0] == 0.01
    assert 0 < low[1] < 1e-300
    assert high.tolist() == [0.3, 0.2]
