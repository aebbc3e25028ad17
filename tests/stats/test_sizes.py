"""Effect sizes, one-sided bounds, BCa and power against scipy and statsmodels."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from assay.stats import effects, intervals, power
from assay.stats.arrays import steady
from tables import simulated

stats = pytest.importorskip("scipy.stats")


@pytest.fixture(scope="module")
def models():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("statsmodels.stats.power")


# ------------------------------------------------------------------------------------------ sizes


def test_hedges_inverts_the_noncentral_t():
    x = simulated(runs=4, topics=20)
    d = steady(x[1:] - x[:1])
    size, low, high = effects.hedges(d, np.full(3, 0.05))
    plain = d.mean(-1) / d.std(-1, ddof=1)
    np.testing.assert_allclose(
        size / plain, 1 - 3 / (4 * 19 - 1), rtol=2e-4
    )  # Hedges' own short form
    t = plain * math.sqrt(20)
    np.testing.assert_allclose(stats.nct.sf(t, 19, low * math.sqrt(20)), 0.025, rtol=1e-4)
    np.testing.assert_allclose(stats.nct.cdf(t, 19, high * math.sqrt(20)), 0.025, rtol=1e-4)


def test_hedges_interval_agrees_with_t():
    x = simulated(runs=12, topics=20)
    d = steady(x[1:] - x[:1])
    _, low, high = effects.hedges(d, np.full(11, 0.05))
    np.testing.assert_array_equal(
        (low > 0) | (high < 0), stats.ttest_1samp(d, 0, axis=-1).pvalue < 0.05
    )


def test_no_size_without_spread_or_with_two_topics():
    assert np.isnan(effects.hedges(np.full((1, 5), 0.1), np.array([0.05]))[0])
    assert np.isnan(effects.hedges(np.array([[0.1, 0.2]]), np.array([0.05]))[0])


@pytest.mark.parametrize(
    ("relative", "label"),
    [(0.049, "below 5 %"), (-0.049, "below 5 %"), (0.05, "noticeable"), (-0.1, "noticeable"),
     (0.101, "material"), (math.nan, "")],
)  # fmt: skip
def test_sparck_jones(relative, label):
    assert effects.material(relative) == label


# -------------------------------------------------------------------------------------- intervals


def test_one_sided_bounds_are_scipys():
    d = np.random.default_rng(0).normal(0.02, 0.1, 30)
    low, high = intervals.one_sided(d, 0.05)
    up = stats.ttest_1samp(d, 0, alternative="greater").confidence_interval(0.95)
    down = stats.ttest_1samp(d, 0, alternative="less").confidence_interval(0.95)
    assert (low, high) == pytest.approx((up.low, down.high))


def test_bca_comes_near_scipys():
    d = np.random.default_rng(1).exponential(size=(2, 40))
    low, high = intervals.bca(d, 0.05, resamples=20_000)
    for i, row in enumerate(d):
        wanted = stats.bootstrap((row,), np.mean, method="BCa", n_resamples=40_000)
        assert low[i] == pytest.approx(wanted.confidence_interval.low, abs=0.03)
        assert high[i] == pytest.approx(wanted.confidence_interval.high, abs=0.03)


# ------------------------------------------------------------------------------------------ power


@pytest.mark.parametrize(
    ("size", "alpha", "chance"), [(0.5, 0.05, 0.8), (0.2, 0.05, 0.9), (0.1, 0.01, 0.8)]
)
def test_topics_for_t_are_those_of_statsmodels(models, size, alpha, chance):
    for sides, alternative in ((2, "two-sided"), (1, "larger")):
        n = models.TTestPower().solve_power(
            size, alpha=alpha, power=chance, alternative=alternative
        )
        assert power.topics_for_t(size, 1.0, alpha, chance, sides=sides) == math.ceil(n)


def test_known_sizes():
    assert (
        power.topics_for_t(0.5, 1.0, 0.05, 0.8) == 34
    )  # Cohen 1988; R: power.t.test(type = "paired")
    # what a drop of .01 takes where differences have standard deviations of .11 and .197
    assert power.topics_for_t(0.01, 0.11**2, 0.05, 0.8, sides=1) == 750
    assert power.topics_for_t(0.01, 0.197**2, 0.05, 0.8, sides=1) == 2401


@pytest.mark.parametrize(
    ("runs", "reach", "variance"), [(3, 0.1, 0.05), (10, 0.2, 0.04), (2, 0.05, 0.02)]
)
def test_topics_for_anova_are_those_of_statsmodels(models, runs, reach, variance):
    f = math.sqrt(reach**2 / (2 * runs * variance))
    n = models.FTestAnovaPower().solve_power(f, k_groups=runs, alpha=0.05, power=0.8) / runs
    assert power.topics_for_anova(reach, runs, variance, 0.05, 0.8) == math.ceil(n)


def test_expected_width_by_simulation():
    rng = np.random.default_rng(0)
    deviation = rng.normal(size=(200_000, 10)).std(axis=1, ddof=1).mean()
    wanted = 2 * stats.t.ppf(0.975, 9) * deviation / math.sqrt(10)
    assert power.expected_width(10, 1.0, 0.05) == pytest.approx(wanted, rel=2e-3)
    n = power.topics_for_interval(0.2, 0.04, 0.05)
    assert power.expected_width(n, 0.04, 0.05) <= 0.2 < power.expected_width(n - 1, 0.04, 0.05)


def test_detectable_is_the_inverse():
    found = power.detectable(27, 0.04, 0.05, 0.8)
    assert power.t_power(27, found / 0.2, 0.05) == pytest.approx(0.8)
    reach = power.detectable_range(27, 5, 0.04, 0.05, 0.8)
    assert power.anova_power(27, 5, reach, 0.04, 0.05) == pytest.approx(0.8)


def test_upper_variance_covers_four_times_in_five():
    rng = np.random.default_rng(0)
    seen = rng.normal(size=(20_000, 12)).var(axis=1, ddof=1)
    upper = np.array([power.upper_variance(v, 11) for v in seen])
    assert (upper >= 1).mean() == pytest.approx(0.8, abs=0.01)


def test_pooled_variance_of_two_runs_is_half_that_of_their_difference():
    x = simulated(runs=2, topics=30)
    assert power.pooled_variance(x)[0] == pytest.approx((x[1] - x[0]).var(ddof=1) / 2)


def test_no_variance_and_no_number_of_topics():
    assert power.topics_for_t(0.1, 0.0, 0.05, 0.8) == 2
    assert power.topics_for_t(1e-6, 1.0, 0.05, 0.8) is None
    assert power.detectable(2, 1.0, 1e-9, 0.8) == math.inf
