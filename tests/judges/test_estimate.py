"""Prediction-powered intervals: the limits, coverage in simulation and on real topics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.errors import AssayError
from assay.judges.estimate import estimates, powered

WORLDS = 4000


def world(kind, n, N):
    """Human and cheap scores of many samples of topics, and the true mean."""
    rng = np.random.default_rng([1, n, N])
    noise = rng.normal(size=(WORLDS, N))
    if kind == "good":
        y = 0.5 + 0.2 * rng.normal(size=(WORLDS, N))
        return y, 0.2 + 0.7 * y + 0.05 * noise, 0.5
    if kind == "biased":  # lenient, worse on bad topics, and coarse
        y = rng.beta(2, 3, (WORLDS, N))
        return y, np.round(np.clip(0.4 + 0.5 * np.sqrt(y) + 0.1 * noise, 0, 1), 1), 0.4
    y = rng.beta(2, 3, (WORLDS, N))
    return y, np.abs(noise) % 1, 0.4  # useless


@pytest.mark.parametrize("kind", ["good", "biased", "useless"])
@pytest.mark.parametrize(("n", "N"), [(10, 50), (20, 100), (50, 200)])
@pytest.mark.parametrize("weight", [None, 0, 1])
def test_coverage_within_monte_carlo_error(kind, n, N, weight):
    y, c, mean = world(kind, n, N)
    found = powered(y[:, :n], c[:, :n], c[:, n:], weight=weight)
    held = ((found.low <= mean) & (mean <= found.high)).mean()
    error = np.sqrt(0.05 * 0.95 / WORLDS)
    # skewed scores cost the plain t interval, weight 0, about as much at n = 10
    assert 0.95 - 4 * error < held < 0.97 + 4 * error


def test_a_good_cheap_judge_narrows_and_a_useless_one_hardly_widens():
    y, c, _ = world("good", 20, 100)
    good = powered(y[:, :20], c[:, :20], c[:, 20:])
    assert np.median(good.high - good.low) < 0.6 * np.median(good.human_high - good.human_low)
    assert np.median(good.worth) > 3
    y, c, _ = world("useless", 20, 100)
    poor = powered(y[:, :20], c[:, :20], c[:, 20:])
    assert np.median(poor.high - poor.low) < 1.1 * np.median(poor.human_high - poor.human_low)


def test_weight_0_is_the_human_t_interval():
    rng = np.random.default_rng(2)
    y, c, rest = rng.random((3, 12)), rng.random((3, 12)), rng.random((3, 30))
    found = powered(y, c, rest, weight=0)
    for i in range(3):
        low, high = stats.ttest_1samp(y[i], 0).confidence_interval(0.95)
        assert (found.low[i], found.high[i]) == pytest.approx((low, high), abs=1e-12)
    assert found.value == pytest.approx(y.mean(axis=-1))
    assert found.worth == pytest.approx(1.0)


def test_weight_1_adds_the_bias_to_the_cheap_mean():
    rng = np.random.default_rng(3)
    y, c, rest = rng.random((1, 12)), rng.random((1, 12)), rng.random((1, 30))
    every = np.concatenate([c, rest], axis=-1)
    found = powered(y, c, rest, weight=1)
    assert found.value == pytest.approx(every.mean() + (y - c).mean())


def test_the_tuned_weight_is_least_squares():
    rng = np.random.default_rng(4)
    c = rng.random((1, 15))
    y = 0.3 + 0.5 * c + 0.1 * rng.random((1, 15))
    found = powered(y, c, rng.random((1, 40)))
    assert found.weight[0] == pytest.approx(stats.linregress(c[0], y[0]).slope)


def test_about_these_topics_holds_their_human_mean():
    y, c, _ = world("good", 10, 27)
    found = powered(y[:, :10], c[:, :10], c[:, 10:], about="topics")
    mean = y.mean(axis=-1)
    held = ((found.low <= mean) & (mean <= found.high)).mean()
    assert 0.935 < held < 0.985


def test_a_human_topic_without_help_is_worth_one():
    y, c, _ = world("good", 10, 27)
    for about in ("population", "topics"):
        found = powered(y[:, :10], c[:, :10], c[:, 10:], about=about, weight=0)
        assert found.worth == pytest.approx(np.ones(len(y)))


def test_a_cheap_judge_without_topics_of_his_own_adds_nothing():
    y, c, _ = world("good", 12, 12)
    found = powered(y, c, c[:, :0])
    low, high = stats.ttest_1samp(y[0], 0).confidence_interval(0.95)
    assert (found.low[0], found.high[0]) == pytest.approx((low, high))
    said = estimates(
        y[:2],
        c[:2],
        measure="AP",
        judges=("human", "llm"),
        runs=("a", "b"),
        pairs=((0, 1),),
        about="topics",
    )
    assert "are those of the human topics alone" in said.verdict()
    assert "llm has no topic beyond the 12 human ones" in said.notes[0]


def test_the_level_is_said_and_used():
    y, c, _ = world("good", 20, 80)
    args = {"measure": "AP", "judges": ("human", "llm"), "runs": ("a", "b"), "pairs": ((0, 1),)}
    human = np.concatenate([y[:2, :20], np.full((2, 60), np.nan)], axis=-1)
    found = estimates(human, c[:2], width=0.1, alpha=0.2, **args)
    assert "each interval by itself at 80 %" in found.tabulars()[1].notes[0]
    wide = estimates(human, c[:2], width=0.1, **args)
    assert found.tabulars()[1].rows[0][-1] < wide.tabulars()[1].rows[0][-1]
    with pytest.raises(AssayError, match="alpha"):
        estimates(human, c[:2], alpha=2, **args)


def test_more_topics_for_a_width():
    rng = np.random.default_rng(5)
    c = rng.random((1, 200))
    y = c + 0.2 * rng.normal(size=(1, 200))
    found = powered(y[:, :20], c[:, :20], c[:, 20:])
    width = float((found.high - found.low)[0])
    assert 15 <= found.topics_for(width)[0] <= 30
    assert found.topics_for(width / 2)[0] > found.topics_for(width)[0]
    assert found.topics_for(1e-9)[0] == np.inf


def test_errors_say_what_to_do():
    one = np.ones((1, 1))
    with pytest.raises(AssayError, match="needs at least 2"):
        powered(one, one, one)
    three = np.random.default_rng(6).random((1, 3))
    with pytest.raises(AssayError, match="a tuned weight needs 4; give one, such as 0"):
        powered(three, three, three)
    with pytest.raises(AssayError, match="about='planet'"):
        powered(three, three, three, weight=0, about="planet")


def test_a_cheap_judge_who_says_the_same_everywhere_tells_nothing():
    rng = np.random.default_rng(7)
    y = rng.random((1, 9))
    found = powered(y, np.ones((1, 9)), np.ones((1, 20)))
    low, high = stats.ttest_1samp(y[0], 0).confidence_interval(0.95)
    assert (found.low[0], found.high[0]) == pytest.approx((low, high))


def test_estimates_leave_out_topics_without_a_value():
    rng = np.random.default_rng(8)
    cheap = rng.random((2, 30))
    human = np.full((2, 30), np.nan)
    human[:, :12] = cheap[:, :12] + 0.1 * rng.random((2, 12))
    cheap[:, 3] = np.nan
    found = estimates(
        human,
        cheap,
        measure="nDCG@10",
        judges=("human", "cheap"),
        runs=("a", "b"),
        pairs=((0, 1),),
        width=0.05,
    )
    assert (found.means.n, found.means.N) == (11, 29)
    assert "1 human topics have no value under cheap" in found.notes[0]
    assert "random sample" in found.verdict()
    heads = found.tabulars()[1].heads
    assert heads[-1] == "more topics"
