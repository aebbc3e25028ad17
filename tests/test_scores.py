"""Scores: averages with their intervals, and the forms in which they are handed on."""

from __future__ import annotations

import math
import pickle
import random
from statistics import mean, median, stdev

import numpy as np
import pytest

from assay import AssayError, evaluate
from assay.scores import summarize

JUDGMENTS = {"x": {"2": {"a": 1}, "1": {"a": 1, "b": 2}}, "y": {"1": {"a": 0}, "3": {"a": 1}}}
RUNS = {"s": {"1": {"c": 2, "a": 1}, "2": {"a": 1}}, "t": {"3": {"a": 1}, "1": {"b": 1}}}


@pytest.fixture(scope="module")
def scores():
    return evaluate(JUDGMENTS, RUNS, ["AP", "nDCG@2", "NumRet"])


def test_axes(scores):
    assert scores.values.shape == scores.reasons.shape == (2, 2, 3, 3)
    assert (scores.judges, scores.runs, scores.topics) == (("x", "y"), ("s", "t"), ("2", "1", "3"))
    assert repr(scores) == "Scores(2 judgment set(s), 2 run(s), 3 measure(s), 3 topic(s))"


def test_single_values(scores):
    nan = math.nan
    assert scores.of("s", "AP").tolist() == pytest.approx([1, 0.25, nan], nan_ok=True)
    assert scores.of("t", "map", judge="y").tolist() == pytest.approx([nan, nan, 1], nan_ok=True)
    assert [scores.reason("t", "AP", topic, "y") for topic in scores.topics] == [
        "not judged in this set", "undefined: no relevant document", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("u", "AP"), "no run 'u' in these scores; there are: s, t"),
        (("s", "RR"), "no measure 'RR' in these scores; there are: AP, nDCG@2, NumRet"),
        (("s", "AP", "z"), "no judgment set 'z' in these scores; there are: x, y"),
    ],
)
def test_what_is_not_there(scores, asked, message):
    with pytest.raises(AssayError, match=message):
        scores.of(*asked)
    with pytest.raises(AssayError, match="no topic '9' in these scores"):
        scores.reason("s", "AP", "9")


def test_long_form(scores):
    frame = scores.to_polars()
    assert frame.columns == ["judge", "run", "measure", "topic", "value"]
    found = scores.to_dict()
    assert frame.height == scores.values.size
    for judge, run, measure, topic, value in frame.iter_rows():
        assert value == pytest.approx(found[judge][run][measure][topic], abs=0, nan_ok=True)
        place = scores.topics.index(topic)
        assert value == pytest.approx(scores.of(run, measure, judge)[place], abs=0, nan_ok=True)


def test_pandas(scores):
    pytest.importorskip("pandas")
    frame = scores.to_pandas()
    assert list(frame.columns) == ["judge", "run", "measure", "topic", "value"]
    np.testing.assert_array_equal(frame["value"].to_numpy(), scores.to_polars()["value"].to_numpy())


def test_means(scores):
    frame = scores.mean()
    assert frame.columns == [
        "judge", "run", "measure", "value", "low", "high", "topics", "undefined",
    ]  # fmt: skip
    assert frame.height == 12
    for row in frame.iter_rows(named=True):
        average = scores.average(row["run"], row["measure"], row["judge"])
        assert row["value"] == pytest.approx(average.value, abs=0, nan_ok=True)
    average = scores.average("s", "AP", "x")
    assert (average.value, average.topics) == (0.625, 2)
    # t(1 degree of freedom, .975) = 12.7062
    assert average.high - average.value == pytest.approx(12.7062 * 0.75 / 2, rel=1e-5)
    assert scores.average("s", "nDCG@2", "x").judged == 0.75
    assert scores.average("s", "NumRet", "x").value == 3.0  # a sum


def test_scores_survive_pickle(scores):
    again = pickle.loads(pickle.dumps(scores))
    np.testing.assert_array_equal(again.values, scores.values)
    assert again.measures == scores.measures


def test_summaries_of_few_values():
    nan = math.nan
    for how in ("arithmetic", "geometric", "median"):
        assert summarize(np.array([nan]), how=how) == pytest.approx((nan,) * 4 + (0,), nan_ok=True)
        expected = (0.25, nan, nan, nan, 1)
        assert summarize(np.array([0.25, nan]), how=how) == pytest.approx(expected, nan_ok=True)


def test_an_arithmetic_mean_leaves_out_nan():
    values = [0.5, 0.25, 1.0, 0.0]
    found = summarize(np.array([*values, math.nan]))
    half = 3.182446 * stdev(values) / 2  # t(3, .975), from a table
    expected = (mean(values), mean(values) - half, mean(values) + half, stdev(values), 4)
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("n", range(2, 40))
def test_the_interval_of_a_median_is_the_narrowest_of_95_percent(n):
    """[x(l), x(n+1-l)] encloses the median with probability 1 - 2 P(Bin(n, 1/2) < l)."""
    values = random.Random(n).sample(range(1000), n)
    found = summarize(np.array(values, dtype=float), how="median")
    miss = [2 * sum(math.comb(n, i) for i in range(rank)) / 2**n for rank in range(n // 2 + 1)]
    best = max(rank for rank, chance in enumerate(miss) if chance <= 0.05)
    if best == 0:
        assert math.isnan(found[1])
        assert n < 6
    else:
        assert found[1:3] == (sorted(values)[best - 1], sorted(values)[n - best])
    assert found[0] == median(values)
    # the ranks that textbooks print
    assert {6: 1, 8: 1, 9: 2, 10: 2, 15: 4, 20: 6, 25: 8, 30: 10}.get(n, best) == best


@pytest.mark.parametrize("how", ["arithmetic", "median"])
def test_a_value_without_bound_has_no_deviation(how):
    """Utility has no worst value, so that a topic that a run lacks has -inf there."""
    found = evaluate({"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}}, "Utility(N=9)", mean=how)
    low, high = found.values.min(), found.values.max()
    assert (low, math.isfinite(high)) == (-math.inf, True)
    average = found.average("run", "Utility(N=9)")
    assert average.value == -math.inf
    assert "nan" not in str(found.table())
