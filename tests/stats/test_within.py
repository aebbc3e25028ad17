from __future__ import annotations

import numpy as np
import pytest

from assay.stats.within import within

stats = pytest.importorskip("scipy.stats")


def test_two_intervals_meet_where_the_paired_t_test_is_just_significant():
    rng = np.random.default_rng(1)
    x = rng.random((2, 30))
    for alpha in (0.01, 0.05, 0.3):
        mean, low, high = within(x, alpha)
        bound = stats.ttest_rel(*x).confidence_interval(1 - alpha)
        apart = abs(mean[0] - mean[1]) - (high[0] - low[0] + high[1] - low[1]) / 2
        assert apart == pytest.approx(
            abs(mean[0] - mean[1]) - (bound.high - bound.low) / 2, abs=1e-12
        )


def test_cousineau_morey_by_hand_for_three_runs():
    x = np.array([[0.1, 0.5, 0.6, 0.9], [0.2, 0.4, 0.8, 0.7], [0.0, 0.3, 0.1, 0.8]])
    means, low, high = within(x)
    for run in range(3):
        normed = [x[run][t] - sum(x[:, t]) / 3 + x.mean() for t in range(4)]
        error = np.std(normed, ddof=1) * np.sqrt(3 / 2) / np.sqrt(4)
        half = stats.t.ppf(0.975, 3) * error * np.sqrt(2) / 2
        assert (means[run], low[run], high[run]) == pytest.approx(
            (x[run].mean(), x[run].mean() - half, x[run].mean() + half)
        )


def test_difficulty_that_all_runs_share_changes_no_width():
    x = np.random.default_rng(2).random((4, 12))
    harder = x - np.linspace(0, 5, 12)
    for one, other in zip(within(x), within(harder), strict=True):
        np.testing.assert_allclose(one - x.mean(-1), other - harder.mean(-1), atol=1e-12)


def test_one_run_or_one_topic_has_no_interval():
    assert np.isnan(within(np.ones((1, 5)))[1]).all()
    assert np.isnan(within(np.ones((3, 1)))[2]).all()
