"""Paired tests against scipy, and against loops that go through every case."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats import paired
from assay.stats.arrays import CONSTANT, mid_ranks, steady
from tables import simulated

stats = pytest.importorskip("scipy.stats")

ALL = {
    "t": paired.t,
    "wilcoxon": paired.wilcoxon,
    "sign": paired.sign,
    "randomization": paired.randomization,
    "bootstrap": paired.bootstrap,
}


def differences(x):
    first, second = np.triu_indices(len(x), 1)
    return steady(x[second] - x[first])


@pytest.fixture(params=["simulated", "tied", "dl21", "robust03"])
def d(request):
    if request.param == "dl21":
        return differences(request.getfixturevalue("dl21")[::9])
    if request.param == "robust03":
        return differences(request.getfixturevalue("robust03"))
    return differences(simulated(step=0.1 if request.param == "tied" else None))


# ---------------------------------------------------------------------------------------- oracles


def test_t_is_scipys(d):
    wanted = stats.ttest_1samp(d, 0.0, axis=-1)
    found = paired.t(d)
    np.testing.assert_allclose(found.p, wanted.pvalue, rtol=1e-9)
    np.testing.assert_allclose(found.statistic, wanted.statistic, rtol=1e-9, atol=1e-12)
    interval = wanted.confidence_interval(0.99)
    low, high = found.interval(np.full(len(d), 0.01))
    np.testing.assert_allclose(low, interval.low, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(high, interval.high, rtol=1e-9, atol=1e-12)


def test_t_by_hand():
    # differences 1, 2, 3: mean 2, standard deviation 1, error 1/sqrt(3); t = 2 sqrt(3), 2 df
    found = paired.t(np.array([[1.0, 2.0, 3.0]]))
    t = 2 * math.sqrt(3)
    assert found.statistic == pytest.approx(t)
    assert found.p == pytest.approx(1 - t / math.sqrt(2 + t * t))  # of 2 df, in closed form


def test_wilcoxon_without_ties_is_scipys_exact_test():
    d = np.random.default_rng(2).normal(0.05, 0.2, (8, 40))
    wanted = [stats.wilcoxon(row, method="exact").pvalue for row in d]
    np.testing.assert_allclose(paired.wilcoxon(d).p, wanted, rtol=1e-9)


def test_wilcoxon_on_many_topics_is_scipys_approximation():
    d = differences(simulated(topics=120, step=0.1))
    wanted = [stats.wilcoxon(row, correction=False, method="approx").pvalue for row in d]
    np.testing.assert_allclose(paired.wilcoxon(d).p, wanted, rtol=1e-9)


def every_sign(row, statistic):
    """Two-sided p of a statistic of signs, by going through all of them."""
    row = row[row != 0]
    values = [
        statistic(np.array(signs) * np.abs(row))
        for signs in itertools.product((-1, 1), repeat=len(row))
    ]
    seen, middle = statistic(row), np.mean(values)
    return np.mean(np.abs(np.array(values) - middle) >= abs(seen - middle) - 1e-9)


def rank_sum(row):
    return stats.rankdata(np.abs(row))[row > 0].sum()


def test_wilcoxon_with_ties_and_zeros_by_all_signs():
    rows = np.array(
        [
            [0.1, 0.1, -0.1, 0.2, 0.0, 0.3, 0.2, -0.2, 0.4],
            [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, -0.1, 0.0],
            [0.5, 0.4, 0.3, 0.2, 0.1, -0.1, 0.0, 0.0, 0.0],
        ]
    )
    found = paired.wilcoxon(rows)
    np.testing.assert_allclose(found.p, [every_sign(row, rank_sum) for row in rows])
    assert found.used.tolist() == [8, 8, 6]


def test_pseudo_median_and_interval_by_all_walsh_averages():
    row = np.array([1.0, 2.5, -0.7, 3.1, 0.4, 1.9, 2.2, -1.3, 0.9, 4.0])
    n = len(row)
    walsh = np.sort([(row[i] + row[j]) / 2 for i in range(n) for j in range(i, n)])
    found = paired.wilcoxon(row[None])
    assert found.estimate[0] == pytest.approx(np.median(walsh))
    low, high = found.interval(np.array([0.05]))
    # R: wilcox.test(x, conf.int = TRUE): 9th smallest and largest of 55, psignrank(8, 10) = .0244
    assert (low[0], high[0]) == pytest.approx((walsh[8], walsh[-9]))


@pytest.mark.parametrize("name", ["wilcoxon", "sign"])
def test_estimate_and_interval_are_of_what_is_not_zero(name):
    row = np.array([0.05, 0.06, 0.08, 0.11, -0.02, 0.15, 0.2, 0.24, 0.31, 0.4, 0.47, 0.55])
    with_zeros = np.concatenate([row, np.zeros(20)])
    alone, among = ALL[name](row[None]), ALL[name](with_zeros[None])
    assert among.p == pytest.approx(alone.p)
    assert among.estimate == pytest.approx(alone.estimate)
    low, high = among.interval(np.array([0.05]))
    np.testing.assert_allclose((low, high), alone.interval(np.array([0.05])))
    if name == "sign":  # 12 values: of a coin 2 or fewer heads have .0193, 3 or fewer .073
        assert (low[0], high[0]) == (np.sort(row)[2], np.sort(row)[-3])
        assert among.estimate[0] == pytest.approx(np.median(row))


def test_walsh_averages_of_long_lists(monkeypatch):
    d = differences(simulated(runs=2, topics=90))
    wanted = paired.wilcoxon(d).interval(np.array([0.05]))
    monkeypatch.setattr(paired, "WALSH_TOPICS", 10)
    found = paired.wilcoxon(d).interval(np.array([0.05]))
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_sign_is_the_binomial_test(d):
    ups, downs = (d > 0).sum(-1), (d < 0).sum(-1)
    wanted = [stats.binomtest(int(u), int(u + v)).pvalue for u, v in zip(ups, downs, strict=True)]
    np.testing.assert_allclose(paired.sign(d).p, wanted, rtol=1e-9)


def test_exact_randomization_is_scipys():
    # in whole numbers: in tenths scipy takes sums that are 0 for some that are not
    d = np.rint(10 * differences(simulated(runs=4, topics=13, step=0.1)))
    wanted = [
        stats.permutation_test(
            (row,), np.mean, permutation_type="samples", n_resamples=math.inf
        ).pvalue
        for row in d
    ]
    np.testing.assert_allclose(paired.randomization(d).p, wanted, rtol=1e-12)


def test_drawn_randomization_comes_near_the_exact_one(monkeypatch):
    d = differences(simulated(runs=4, topics=15))
    exact = paired.randomization(d)
    monkeypatch.setattr(paired, "EXACT_TOPICS", 5)
    drawn = paired.randomization(d, resamples=20_000, seed=7)
    noise = np.sqrt(exact.p * (1 - exact.p) / 20_000)
    assert (np.abs(drawn.p - exact.p) < 4 * noise + 1e-4).all()
    alpha = np.full(len(d), 0.05)
    np.testing.assert_allclose(drawn.interval(alpha), exact.interval(alpha), atol=0.005)


@pytest.mark.parametrize("topics", [12, 30])
def test_randomization_interval_holds_the_shifts_not_rejected(topics):
    d = differences(simulated(runs=3, topics=topics))
    found = paired.randomization(d, resamples=999, seed=2)
    low, high = found.interval(np.full(len(d), 0.05))
    for row, a, b in zip(d, low, high, strict=True):
        for inside, outside in ((a + 1e-7, a - 1e-7), (b - 1e-7, b + 1e-7)):
            shifted = np.stack([row - inside, row - outside])
            p = paired.randomization(shifted, resamples=999, seed=2).p
            assert p[0] > 0.05 >= p[1]


def test_bootstrap_is_a_plain_loop():
    d = differences(simulated(runs=3, topics=22))
    found = paired.bootstrap(d, resamples=400, seed=5)
    from assay.stats.resampling import counts

    drawn = np.concatenate([count for _, count in counts(400, 22, 5)]).astype(int)
    for i, row in enumerate(d):
        mean, error = row.mean(), row.std(ddof=1) / math.sqrt(22)
        away = []
        for count in drawn:
            again = np.repeat(row, count)
            away.append(abs(again.mean() - mean) / (again.std(ddof=1) / math.sqrt(22)))
        reached = sum(value >= abs(mean / error) for value in away)
        assert found.p[i] == pytest.approx((1 + reached) / 401)
        low, high = found.interval(np.full(3, 0.05))
        half = sorted(away)[-20] * error  # 20 = .05 x 401
        assert (low[i], high[i]) == pytest.approx((mean - half, mean + half))


def test_each_topic_is_drawn_as_often():
    from assay.stats.resampling import counts, halves

    drawn = np.concatenate([count for _, count in counts(20_000, 9, 0)])
    assert (drawn.sum(-1) == 9).all()
    np.testing.assert_allclose(drawn.mean(0), 1, atol=0.04)
    np.testing.assert_allclose(drawn.var(0), 8 / 9, atol=0.05)
    np.testing.assert_allclose(
        np.concatenate([h for _, h in halves(20_000, 9, 0)]).mean(0), 0.5, atol=0.02
    )


# ------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("name", list(ALL))
@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01, 0.001])
def test_interval_leaves_out_zero_exactly_where_p_rejects(name, alpha):
    x = simulated(runs=8, topics=24)
    x += np.linspace(0, 0.25, 8)[:, None]
    d = differences(x)
    found = ALL[name](d, **({"alpha": 0.2} if name in ("randomization", "bootstrap") else {}))
    low, high = found.interval(np.full(len(d), alpha))
    np.testing.assert_array_equal((low > 0) | (high < 0), found.p <= alpha)
    assert (low <= found.estimate + 1e-12).all()
    assert (found.estimate <= high + 1e-12).all()


@pytest.mark.parametrize("name", list(ALL))
def test_the_sign_turns_with_the_runs(name):
    d = differences(simulated(runs=4, topics=23, step=0.05))
    there, back = ALL[name](d), ALL[name](-d)
    np.testing.assert_allclose(there.p, back.p)
    np.testing.assert_allclose(there.estimate, -back.estimate, atol=1e-12)
    alpha = np.full(len(d), 0.05)
    np.testing.assert_allclose(there.interval(alpha)[0], -back.interval(alpha)[1], atol=1e-12)


@pytest.mark.parametrize("name", list(ALL))
def test_pairs_do_not_depend_on_their_company(name, monkeypatch):
    monkeypatch.setattr("assay.stats.resampling.TOGETHER", 1 << 13)  # several blocks of pairs
    d = differences(simulated(runs=7, topics=24))
    whole, one = ALL[name](d), ALL[name](d[4:5])
    assert whole.p[4] == pytest.approx(one.p[0], rel=1e-12)
    ends = [each.interval(np.full(len(each.p), 0.05)) for each in (whole, one)]
    np.testing.assert_allclose([end[4] for end in ends[0]], [end[0] for end in ends[1]])


@pytest.mark.parametrize("name", list(ALL))
def test_equal_runs_have_p_one(name):
    found = ALL[name](np.zeros((2, 9)))
    assert found.p.tolist() == [1.0, 1.0]
    assert not found.reasons
    low, high = found.interval(np.full(2, 0.05))
    assert (low <= 0).all()
    assert (high >= 0).all()


@pytest.mark.parametrize("name", list(ALL))
def test_a_constant_difference_has_a_p_or_a_reason(name):
    found = ALL[name](np.full((1, 9), 0.1))
    if name in ("t", "bootstrap"):
        assert np.isnan(found.p[0])
        assert found.reasons == {0: CONSTANT}
    else:
        assert found.p[0] == pytest.approx(2 / 2**9)  # all nine signs alike


@pytest.mark.parametrize("name", list(ALL))
def test_two_topics(name):
    found = ALL[name](np.array([[0.1, 0.3]]))
    assert 0 < found.p[0] <= 1
    low, high = found.interval(np.array([0.05]))
    assert low[0] <= 0 <= high[0]


def test_rounding_parts_no_equal_differences():
    parted = np.array([[0.3 - 0.2, 0.2 - 0.1, 0.5 - 0.4, 0.1 + 0.2 - 0.3]])
    assert len(set(parted[0])) == 3
    assert steady(parted).tolist() == [[0.1, 0.1, 0.1, 0.0]]
    assert steady(np.array([12345.678, -0.0])).tolist() == [12345.678, 0.0]


@given(st.lists(st.lists(st.integers(0, 5), min_size=6, max_size=6), min_size=1, max_size=4))
def test_mid_ranks_are_scipys(rows):
    x = np.array(rows, dtype=float)
    np.testing.assert_allclose(mid_ranks(x), stats.rankdata(x, axis=-1))
