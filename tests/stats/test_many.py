"""Tests over all runs against scipy, statsmodels, scikit-posthocs and a plain loop."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from assay.stats import many
from assay.stats.arrays import steady
from assay.stats.studentized_range import critical, upper_tail
from tables import simulated

stats = pytest.importorskip("scipy.stats")


def all_pairs(k):
    return np.stack(np.triu_indices(k, 1), axis=-1)


@pytest.fixture(params=["simulated", "tied", "dl21", "robust03"])
def x(request):
    if request.param == "dl21":
        return request.getfixturevalue("dl21")[::9]
    if request.param == "robust03":
        return request.getfixturevalue("robust03")
    return simulated(step=0.1 if request.param == "tied" else None)


# --------------------------------------------------------------------------------------- Friedman


def test_friedman_is_scipys(x):
    found = many.friedman(x)
    wanted = stats.friedmanchisquare(*x)
    assert found.chi_square == pytest.approx(wanted.statistic)
    assert found.p == pytest.approx(wanted.pvalue)
    k, n = x.shape
    f = (n - 1) * wanted.statistic / (n * (k - 1) - wanted.statistic)
    assert found.f == pytest.approx(f)
    assert found.f_p == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


def test_friedman_by_hand():
    # Conover 1999, section 5.8: ranks of 4 grasses by 12 home owners; T1 = 8.0973, T2 = 3.1922
    ranks = [
        [4, 3, 2, 1], [4, 2, 3, 1], [3, 1.5, 1.5, 4], [3, 1, 2, 4], [4, 2, 1, 3], [2, 2, 2, 4],
        [1, 3, 2, 4], [2, 4, 1, 3], [3.5, 1, 2, 3.5], [4, 1, 3, 2], [4, 2, 3, 1], [3.5, 1, 2, 3.5],
    ]  # fmt: skip
    found = many.friedman(np.array(ranks).T)
    assert found.chi_square == pytest.approx(8.0973, abs=5e-5)
    assert found.f == pytest.approx(3.1922, abs=5e-5)
    # two of them differ where their rank sums are more than 11.49 apart
    pairs = all_pairs(4)
    outcome = many.conover(np.array(ranks).T, pairs)
    sums = np.array([38, 23.5, 24.5, 34])
    apart = np.abs(sums[pairs[:, 0]] - sums[pairs[:, 1]])
    np.testing.assert_array_equal(outcome.p <= 0.05, apart > 11.49)
    low, high = outcome.interval(np.full(6, 0.05))
    np.testing.assert_allclose((high - low) / 2 * 12, 11.49, atol=0.01)


def test_one_order_throughout_and_none_at_all():
    same = np.array([[1.0, 2, 3], [2, 3, 4], [3, 4, 5]])
    found = many.friedman(same)
    assert found.f == math.inf
    assert found.f_p == pytest.approx((1 / 6) ** 2)  # three topics: the first sets the order
    outcome = many.conover(same, all_pairs(3))
    assert outcome.reasons.keys() == {0, 1, 2}
    tied = np.ones((3, 5))
    assert (many.friedman(tied).p, many.friedman(tied).f_p) == (1.0, 1.0)
    assert many.conover(tied, all_pairs(3)).p.tolist() == [1.0] * 3


@pytest.fixture(scope="module")
def posthocs():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("scikit_posthocs")


def lower(frame, pairs):
    return [float(frame.iloc[b, a]) for a, b in pairs.tolist()]


def test_conover_and_nemenyi_are_those_of_scikit_posthocs(x, posthocs):
    pairs = all_pairs(len(x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        conover = posthocs.posthoc_conover_friedman(x.T, p_adjust=None)
        nemenyi = posthocs.posthoc_nemenyi_friedman(x.T)
    np.testing.assert_allclose(many.conover(x, pairs).p, lower(conover, pairs), rtol=1e-6)
    np.testing.assert_allclose(many.nemenyi(x, pairs), lower(nemenyi, pairs), atol=1e-6)


# ------------------------------------------------------------------------------------------ anova


def test_anova_is_that_of_statsmodels(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api = pytest.importorskip("statsmodels.formula.api")
        from statsmodels.stats.anova import anova_lm
    pandas = pytest.importorskip("pandas")
    k, n = x.shape
    frame = pandas.DataFrame(
        {"value": x.ravel(), "run": np.repeat(np.arange(k), n), "topic": np.tile(np.arange(n), k)}
    )
    table = anova_lm(api.ols("value ~ C(run) + C(topic)", frame).fit())
    found = many.anova(x)
    assert found.f == pytest.approx(table.loc["C(run)", "F"])
    assert found.p == pytest.approx(table.loc["C(run)", "PR(>F)"], rel=1e-6)
    assert found.df == (k - 1, table.loc["Residual", "df"])
    assert found.mse == pytest.approx(table.loc["Residual", "mean_sq"])


def test_uneven_residuals_are_noticed():
    x = simulated(runs=4, topics=200)
    assert many.anova(x).uneven_p > 0.01
    x[0] += np.random.default_rng(1).normal(0, 0.4, 200)
    uneven = many.anova(x)
    assert uneven.uneven_p < 1e-6
    residual = x - x.mean(1, keepdims=True) - x.mean(0) + x.mean()
    assert uneven.uneven_p == pytest.approx(stats.levene(*residual, center="median").pvalue)


def test_tukey_by_the_studentised_range(x):
    pairs, table = all_pairs(len(x)), many.anova(x)
    gap = x[pairs[:, 1]].mean(-1) - x[pairs[:, 0]].mean(-1)
    error = math.sqrt(table.mse / x.shape[1])
    wanted = stats.studentized_range.sf(np.abs(gap) / error, len(x), table.df[1])
    found = many.tukey_hsd(x, pairs)
    np.testing.assert_allclose(found.p, wanted, atol=1e-7)
    half = stats.studentized_range.isf(0.05, len(x), table.df[1]) * error
    low, high = found.interval(np.full(len(pairs), 0.05))
    np.testing.assert_allclose(high - low, 2 * half, rtol=1e-6)


def test_ranx_forgets_the_topics_and_this_does_not():
    # TRAPS.md E.15: on independent groups scipy's tukey_hsd finds nothing here
    rng = np.random.default_rng(0)
    base = rng.normal(0.5, 0.25, 50)
    x = np.stack([base, base + rng.normal(0.02, 0.01, 50), base + rng.normal(0.01, 0.01, 50)])
    pairs = all_pairs(3)
    assert stats.tukey_hsd(*x).pvalue[0, 1] > 0.8
    assert many.tukey_hsd(x, pairs).p[0] < 1e-9
    assert many.randomized_tukey_hsd(x, pairs).p[0] == pytest.approx(1 / 10_001)


@pytest.mark.parametrize("k", [2, 3, 10, 63])
@pytest.mark.parametrize("df", [1, 2, 7, 40, 1612, math.inf])
def test_studentised_range_is_scipys(k, df):
    q = np.array([0.01, 0.5, 1, 2, 3.5, 5, 8])
    np.testing.assert_allclose(
        upper_tail(q, k, df), stats.studentized_range.sf(q, k, df), atol=5e-8
    )
    if df > 1:
        value = critical(0.05, k, df)
        assert value == pytest.approx(stats.studentized_range.isf(0.05, k, df), abs=1e-5)


# --------------------------------------------------------------------------------- randomised HSD


def slow_hsd(x, pairs, resamples, seed):
    """The same in plain loops, with labels drawn in its own way."""
    rng = np.random.default_rng(seed)
    k, n = x.shape
    gap = [abs(x[b].mean() - x[a].mean()) for a, b in pairs]
    reached = [0] * len(pairs)
    for _ in range(resamples):
        mixed = np.empty_like(x)
        for topic in range(n):
            mixed[:, topic] = x[rng.permutation(k), topic]
        means = [mixed[run].mean() for run in range(k)]
        spread = max(means) - min(means)
        for i, each in enumerate(gap):
            reached[i] += spread >= each - 1e-12
    return np.array([(1 + c) / (1 + resamples) for c in reached])


@pytest.mark.parametrize("step", [None, 0.2])
def test_randomised_hsd_is_the_slow_loop(step):
    x = steady(simulated(runs=5, topics=12, step=step))
    pairs = all_pairs(5)
    found = many.randomized_tukey_hsd(x, pairs, resamples=10_000, seed=1)
    slow = slow_hsd(x, pairs.tolist(), 4000, seed=2)
    noise = np.sqrt(found.p * (1 - found.p) * (1 / 4000 + 1 / 10_000))
    assert (np.abs(found.p - slow) <= 4 * noise + 3e-4).all()


def test_randomised_hsd_of_every_permutation():
    # two topics, three runs: 36 relabellings, and in how many the range reaches each difference
    import itertools

    x = np.array([[0.1, 0.2], [0.3, 0.5], [0.9, 0.7]])
    ranges = []
    for a, b in itertools.product(itertools.permutations(x[:, 0]), itertools.permutations(x[:, 1])):
        means = (np.array(a) + np.array(b)) / 2
        ranges.append(means.max() - means.min())
    pairs = all_pairs(3)
    gap = np.abs(x[pairs[:, 1]].mean(-1) - x[pairs[:, 0]].mean(-1))
    exact = [(np.array(ranges) >= each - 1e-12).mean() for each in gap]
    found = many.randomized_tukey_hsd(x, pairs, resamples=40_000)
    np.testing.assert_allclose(found.p, exact, atol=0.01)


def test_every_order_is_as_likely():
    import itertools
    from collections import Counter

    from assay.stats.resampling import orders

    found = orders(6000, 4, 3, 0, 0)
    for topic in range(4):
        seen = Counter(map(tuple, found[:, topic].tolist()))
        assert sorted(seen) == sorted(itertools.permutations(range(3)))
        assert all(
            abs(many_times - 1000) < 5 * math.sqrt(1000 * 5 / 6) for many_times in seen.values()
        )
    both = Counter(
        zip(map(tuple, found[:, 0].tolist()), map(tuple, found[:, 1].tolist()), strict=True)
    )
    assert len(both) == 36  # topics are shuffled each by itself
    assert max(both.values()) < 6000 / 36 + 5 * math.sqrt(6000 / 36)


@pytest.mark.parametrize("runs", [2, 63, 64, 65, 129])
def test_orders_of_many_runs_hold_each_once(runs):
    from assay.stats.resampling import orders

    found = orders(5, 3, runs, 1, 2)
    assert (np.sort(found, axis=-1) == np.arange(runs)).all()


def test_randomised_hsd_with_two_runs_is_the_randomisation_test():
    from assay.stats.paired import randomization

    x = simulated(runs=2, topics=14)
    exact = randomization(steady(x[1:] - x[:1])).p
    found = many.randomized_tukey_hsd(x, all_pairs(2), resamples=40_000).p
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact[0] / 40_000))


# ------------------------------------------------------------------------------------------- laws

PAIRED = [many.conover, many.anova_pairs, many.tukey_hsd, many.randomized_tukey_hsd]


@pytest.mark.parametrize("test", PAIRED)
@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.001])
def test_interval_leaves_out_zero_exactly_where_p_rejects(test, alpha, x):
    pairs = all_pairs(len(x))
    found = test(x, pairs)
    low, high = found.interval(np.full(len(pairs), alpha))
    np.testing.assert_array_equal((low > 0) | (high < 0), found.p <= alpha)


@pytest.mark.parametrize("test", PAIRED)
def test_all_equal(test):
    found = test(np.tile(np.linspace(0, 1, 9), (4, 1)), all_pairs(4))
    assert found.p.tolist() == [1.0] * 6
    assert not found.reasons


@pytest.mark.parametrize("test", PAIRED)
def test_no_residual_has_a_reason(test):
    x = np.tile(np.linspace(0, 1, 9), (3, 1)) + np.array([[0.0], [0.1], [0.2]])
    found = test(steady(x), all_pairs(3))
    missing = set(np.flatnonzero(np.isnan(found.p)).tolist())
    assert missing == set(found.reasons)


def test_same_seed_same_numbers():
    x, pairs = simulated(), all_pairs(6)
    one, two = (many.randomized_tukey_hsd(x, pairs, seed=4).p for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert (one != many.randomized_tukey_hsd(x, pairs, seed=5).p).any()
