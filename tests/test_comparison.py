"""compare: defaults, agreement of p and interval, families, words; and what can go wrong."""

from __future__ import annotations

import json
import math
import pickle
import warnings

import hypothesis
import hypothesis.extra.numpy
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.comparison import compare
from assay.errors import AssayError
from assay.show.comparison import text
from assay.stats.names import TESTS
from tables import scores_of, simulated

stats = pytest.importorskip("scipy.stats")

THREE = ("t", "wilcoxon", "sign", "randomization", "bootstrap")


def several(runs=5, topics=24, seed=1, measures=("nDCG@10",), spread=0.2):
    x = np.stack([simulated(runs, topics, seed + i) for i in range(len(measures))])
    x += np.linspace(0, spread, runs)[:, None]
    return scores_of(x, measures=measures)


# --------------------------------------------------------------------------------------- defaults


def test_two_runs_paired_t():
    x = simulated(runs=2, topics=30)
    found = compare(scores_of(x, runs=("old", "new")))
    d = found.of("new", "old")
    wanted = stats.ttest_rel(x[1], x[0])
    assert (found.plan.test, d.p) == ("t", pytest.approx(wanted.pvalue))
    interval = wanted.confidence_interval(0.95)
    assert (d.low, d.high) == pytest.approx((interval.low, interval.high))
    assert d.difference == pytest.approx(x[1].mean() - x[0].mean())
    assert d.won + d.tied + d.lost == d.topics == 30
    assert d.won == (x[1] > x[0]).sum()


def test_baseline_against_several_paired_t_with_holm():
    scores = several()
    found = compare(scores, baseline="run2")
    assert (found.plan.test, found.plan.correction) == ("t", "holm")
    assert [(d.run, d.baseline) for d in found.differences] == [
        (run, "run2") for run in ("run0", "run1", "run3", "run4")
    ]
    x = scores.values[0, :, 0]
    plain = np.array([stats.ttest_rel(x[i], x[2]).pvalue for i in (0, 1, 3, 4)])
    order = np.argsort(plain)
    holm = np.minimum(1, np.maximum.accumulate(plain[order] * [4, 3, 2, 1]))
    assert [found.differences[i].p for i in order] == pytest.approx(holm.tolist())


def test_all_pairs_randomised_tukey_hsd():
    found = compare(several())
    assert found.plan.test == "randomized-tukey-hsd"
    assert len(found.differences) == 10
    widths = [d.high - d.low for d in found.differences]
    assert widths == pytest.approx([widths[0]] * 10)  # one yardstick for all pairs


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, ["test: randomised Tukey HSD (the default here), two-sided", "none needed"]),
        ({"baseline": "run0"}, ["test: paired t (the default here)", "Holm (the default) over 4"]),
        ({"test": "sign"}, ["another hypothesis than that of equal means"]),
        ({"test": "wilcoxon"}, ["another hypothesis than that of equal means"]),
        ({"test": "friedman"}, ["another hypothesis than that of equal means", "Iman-Davenport F"]),
        ({"test": "anova"}, ["the interaction of run and topic"]),
        ({"test": "t", "interval": "plain"}, ["plain: each holds by itself"]),
        ({"test": "t", "correction": "bh"}, ["no more than 5 % are expected to miss"]),
        ({"test": "t", "correction": "none"},
         ["none over 10 differences", "uncorrected, so each by itself", "95 %, plain: each holds"]),
        ({"test": "bootstrap"}, ["10,000 times, seed 0", "Holm (the default) over 10"]),
    ],
)  # fmt: skip
def test_what_was_done_stands_under_the_table(settings, words):
    page = str(compare(several(), **settings).table())
    for each in words:
        assert each in page


# ------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh", "none"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_interval_and_p_agree(test, correction, seed):
    simultaneous = "tukey" in test
    scores = several(seed=seed, measures=("nDCG@10", "AP", "RR"))
    found = compare(scores, test=test, correction=None if simultaneous else correction)
    for d in found.differences:
        assert (d.low > 0 or d.high < 0) == (d.p <= 0.05) == d.significant
        assert d.p >= d.plain_p or d.p == pytest.approx(d.plain_p)
        if found.overviews[0].about == "mean":
            assert not (d.significant and (d.d_low <= 0 <= d.d_high))


@pytest.mark.parametrize("test", TESTS)
@given(
    hypothesis.extra.numpy.arrays(np.int8, (3, 14), elements=st.integers(0, 3)),
    st.sampled_from(["holm", "bonferroni", "bh", "none"]),
)
@hypothesis.settings(max_examples=15)
def test_interval_and_p_agree_on_coarse_values(test, table, correction):
    named = None if "tukey" in test else correction
    x = scores_of(table / 4, measures=("DCG",))
    for d in compare(x, test=test, correction=named, resamples=200).differences:
        assert (d.low > 0 or d.high < 0) == (d.p <= 0.05) == d.significant
        assert not d.significant or d.low <= d.estimate <= d.high


@pytest.mark.parametrize("test", THREE)
def test_plain_interval_agrees_with_plain_p(test):
    for d in compare(several(), test=test, interval="plain").differences:
        assert (d.low > 0 or d.high < 0) == (d.plain_p <= 0.05)


@pytest.mark.parametrize("test", [*TESTS, None])
def test_runs_in_another_order_change_no_p(test):
    scores = several()
    order = [3, 0, 4, 1, 2]
    x = scores.values[0, order, 0]
    there = compare(scores, test=test, seed=1)
    back = compare(scores_of(x, runs=[scores.runs[i] for i in order]), test=test, seed=1)
    found = {frozenset((d.run, d.baseline)): d.p for d in back.differences}
    resampled = test in (None, "randomized-tukey-hsd")
    for d in there.differences:
        p = found[frozenset((d.run, d.baseline))]
        assert d.p == pytest.approx(p, abs=0.02 if resampled else 1e-9)


def test_frozen_and_picklable():
    found = compare(several())
    with pytest.raises(AttributeError):
        found.runs = ()
    again = pickle.loads(pickle.dumps(found))
    assert [d.p for d in again.differences] == [d.p for d in found.differences]


def test_the_scores_stay_as_they_are():
    scores = several()
    before = scores.values.copy()
    compare(scores, test="friedman")
    np.testing.assert_array_equal(scores.values, before)


# ------------------------------------------------------------------------------- families, topics


def test_further_measures_are_a_family_of_their_own():
    scores = several(runs=2, measures=("nDCG@10", "AP", "RR"))
    apart, joined = compare(scores), compare(scores, family="all")
    first, *rest = apart.differences
    assert first.p == first.plain_p
    assert first.primary
    assert not any(d.primary for d in rest)
    assert max(d.p for d in rest) >= max(d.plain_p for d in rest)
    assert [o.tests for o in apart.overviews] == [1, 2, 2]
    assert [o.tests for o in joined.overviews] == [3, 3, 3]
    assert all(d.primary for d in joined.differences)
    assert "AP (exploratory)" in str(apart.table())
    assert "exploratory" not in str(joined.table())


def test_simultaneous_tests_share_alpha_among_the_measures_of_a_family():
    scores = several(measures=("nDCG@10", "AP", "RR"))
    found = compare(scores)
    for d in found.differences[:10]:
        assert d.p == d.plain_p
    for d in found.differences[10:]:
        assert d.p == min(1.0, 2 * d.plain_p)


def test_topics_enter_listwise():
    x = simulated(runs=3, topics=20)
    x[0, 3] = x[2, 7] = np.nan
    found = compare(scores_of(x, missing="skip"))
    assert {d.topics for d in found.differences} == {18}
    assert found.overviews[0].left_out == ("t03", "t07")
    assert "2 topic(s) left out for all runs" in " ".join(found.notes)
    keep = [i for i in range(20) if i not in (3, 7)]
    whole = compare(scores_of(x[:, keep]))
    assert [d.p for d in found.differences] == [d.p for d in whole.differences]


def test_lower_is_better():
    x = simulated(runs=2, topics=30) + np.array([[0.2], [0.0]])
    d = compare(scores_of(x, measures=("NDPM",))).differences[0]
    assert d.difference < 0
    assert d.better == "run1"
    assert d.won > d.lost


# ------------------------------------------------------------------------------------------ sizes


def test_swings_and_sparck_jones():
    x = np.full((2, 10), 0.5)
    x[1, 4], x[1, 7] = 0.1, 0.7
    x[1, 2] = 0.52
    d = compare(scores_of(x)).differences[0]
    assert d.swings == (("t04", -0.4), ("t07", pytest.approx(0.2)), ("t02", pytest.approx(0.02)))
    assert d.relative == pytest.approx(-0.018 / 0.5)
    assert d.label == "below 5 %"
    low = compare(scores_of(x / 10)).differences[0]
    assert math.isnan(low.relative)
    assert low.label == ""


def test_detectable_is_at_the_corrected_level():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        TTestPower = pytest.importorskip("statsmodels.stats.power").TTestPower

    x = simulated(runs=2, topics=30)
    found = compare(scores_of(x)).overviews[0]
    size = TTestPower().solve_power(nobs=30, alpha=0.05, power=0.8)
    assert found.detectable == pytest.approx(size * (x[1] - x[0]).std(ddof=1), rel=1e-6)
    several_runs = compare(several(), baseline="run0").overviews[0]
    size = TTestPower().solve_power(nobs=24, alpha=0.05 / 4, power=0.8)
    wanted = size * math.sqrt(2 * several_runs.residual_variance)
    assert several_runs.detectable == pytest.approx(wanted, rel=1e-6)


def test_rr_says_what_makes_its_mean():
    x = np.array([[1, 1, 0.5, 0.25, 0.1, 0.2], [1, 0.5, 0.5, 0.2, 0.1, 0.3]])
    notes = compare(scores_of(x, measures=("RR",))).notes
    assert (
        "RR: ranks 1 and 2 dominate its mean (80% of it); RR tells little of what comes after the "
        "first relevant document"
    ) in notes
    late = np.array([[1, 0.25, 0.25, 0.2, 0.1, 0.2, 0.25], [0.5, 0.2, 0.25, 0.2, 0.1, 0.3, 0.25]])
    (said,) = compare(scores_of(late, measures=("RR",))).notes
    assert said.startswith("RR: ranks 1 and 2 make 37% of its mean")  # 1.5 of 4.05


def test_stars():
    # the form of Järvelin & Kekäläinen's Table II
    x = np.random.default_rng(1).normal(0.5, 0.15, (5, 20))
    x += np.array([-0.12, 0, 0, 0.06, 0.06])[:, None]
    found = compare(scores_of(x, runs=tuple("ABCDE")), test="friedman")
    assert found.stars() == ["D, E > A**"]
    assert "D, E > A**" in str(found.table())


# ---------------------------------------------------------------------------------------- verdict


def test_verdict_of_a_difference():
    scores = scores_of(
        simulated(runs=2, topics=50) + np.array([[0.0], [0.1]]), runs=("bm25", "rm3")
    )
    d = compare(scores).differences[0]
    assert compare(scores).verdict() == (
        f"rm3 beats bm25 by {d.difference:.3f} nDCG@10 (95 % interval {d.low:.3f} to {d.high:.3f}, "
        f"paired t p < .001, 50 topics, {d.won} won {d.lost} lost)."
    )


def test_verdict_from_the_better_runs_side():
    x = simulated(runs=2, topics=50) + np.array([[0.2], [0.0]])
    found = compare(scores_of(x, runs=("bm25", "rm3")))
    d = found.differences[0]
    assert found.verdict().startswith(f"bm25 beats rm3 by {-d.difference:.3f} nDCG@10")
    assert f"interval {-d.high:.3f} to {-d.low:.3f}" in found.verdict()
    assert f"{d.lost} won {d.won} lost" in found.verdict()


def test_verdict_without_a_difference_claims_none():
    x = simulated(runs=2, topics=50) + np.array([[0.1], [0.0]])
    words = compare(scores_of(x)).verdict()
    assert words.startswith("No difference is shown:")
    assert "which is no proof that they are equal" in words
    assert "50 topics would find a true difference of means of 0.0" in words


def test_verdict_of_another_test_speaks_of_no_means():
    words = compare(scores_of(simulated(2, 30) + np.array([[0], [0.1]])), test="wilcoxon").verdict()
    assert "by a test that is not one of their means" in words
    assert "pseudo-median" in words
    assert "beats" not in words


def test_verdict_names_all_that_share_the_best_mean():
    base = simulated(runs=1, topics=30)[0]
    words = compare(scores_of(np.stack([base, base, base / 2]))).verdict()
    assert "run0 and run1 share the best mean" in words
    assert "has the best mean" not in words


def test_verdict_on_a_baseline_by_another_test_speaks_of_no_means():
    words = compare(several(spread=0.4), baseline="run1", test="wilcoxon").verdict()
    assert "shown to differ for the better from run1 in nDCG@10: run2 (pseudo-median +" in words
    assert "beat" not in words


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.0123, "= .012"), (0.0496, "= .0496"), (0.05, "= .050"), (0.05004, "= .05004"),
     (0.00996, "= .00996"), (0.0004, "< .001"), (1.0, "= 1"), (0.9996, "= 1"), (0.5, "= .500")],
)  # fmt: skip
def test_p_value_shows_on_which_side_of_the_usual_levels_it_lies(p, shown):
    from assay.show.verdict import p_value

    assert p_value(p) == shown


def test_interval_that_ends_at_zero_says_so_in_words():
    rng = np.random.default_rng(2)
    for _ in range(60):
        x = 0.5 + rng.normal(0, 0.1, (4, 30)) + np.array([0, 0.05, 0.3, 0.3])[:, None]
        found = compare(scores_of(x), baseline="run0")
        if found.differences[0].cut:
            assert "interval above 0 to " in found.verdict()
            return
    pytest.fail("no table had an interval that only Holm keeps from 0")


def test_verdict_on_a_baseline():
    words = compare(several(spread=0.4), baseline="run1").verdict()
    assert "of 4 runs beat run1 in nDCG@10: " in words
    assert "falls behind" in words or "no difference is shown for run0" in words
    assert words.endswith("(paired t with Holm over 4, 24 topics.)")


# ------------------------------------------------------------------------------ awkward questions


@pytest.mark.parametrize("test", [*TESTS, None])
def test_never_a_nan_p_without_a_reason(test):
    rng = np.random.default_rng(0)
    base = rng.random(8)
    tables = {
        "all equal": np.full((3, 8), 0.5),
        "equal by topic": np.tile(base, (3, 1)),
        "constant": np.stack([base, base + 0.1, base + 0.2]),
        "two topics": rng.random((3, 2)),
        "identical runs": np.stack([base, base, rng.random(8)]),
        "one order": np.stack([base, base + rng.random(8) / 9, base + 1]),
        "one topic differs": np.stack([base, base, base + np.eye(8)[0] / 9]),
    }
    for what, x in tables.items():
        found = compare(scores_of(x, measures=("DCG@10",)), test=test)
        for d in found.differences:
            assert bool(d.reason) == math.isnan(d.p), what
            assert not math.isnan(d.p) or not d.significant
        for form in ("json", "csv", "markdown", "latex", "html"):
            assert "".join(text(found, form))
        assert found.verdict()
        if any(d.reason for d in found.differences):
            assert "without a p-value" in " ".join(found.notes)


def test_identical_runs():
    x = simulated(runs=1, topics=9)
    found = compare(scores_of(np.concatenate([x, x]), runs=("a", "b")))
    assert found.differences[0].p == 1
    assert found.verdict() == "b and a have the same nDCG@10 on each of 9 topics."
    assert "equal on every topic: b and a" in " ".join(found.notes)


def test_constant_difference():
    x = simulated(runs=1, topics=9)
    found = compare(scores_of(np.concatenate([x, x + 0.1]), runs=("a", "b")))
    assert "there is no p-value: every topic differs by the same amount" in found.verdict()


@pytest.mark.parametrize(
    ("x", "settings", "message"),
    [
        (np.ones((1, 5)), {}, "comparing needs two runs or more, found 1: run0"),
        (np.ones((2, 1)), {}, "only one topic .t00. has a value for every run"),
        (np.full((2, 3), np.nan), {}, "on no topic do all runs have a value"),
        (np.ones((2, 5)), {"baseline": "run9"}, "no run 'run9' to be the baseline; did you mean"),
        (np.ones((2, 5)), {"test": "tt"}, "test='tt': must be one of 't', 'wilcoxon'"),
        (np.ones((2, 5)), {"test": "friedman"}, "compares three runs or more, found 2"),
        (np.ones((3, 5)), {"test": "tukey-hsd", "correction": "holm"}, "takes no correction"),
        (np.ones((3, 5)), {"correction": "sidak"}, "takes no correction"),
        (np.ones((2, 5)), {"correction": "sidak"}, "correction='sidak': must be one of 'holm'"),
        (np.ones((2, 5)), {"alpha": 5}, "alpha=5: must lie between 0 and 0.5"),
        (np.ones((2, 5)), {"interval": "bca"}, "BCa intervals need 30 topics, found 5"),
        (np.ones((2, 5)), {"interval": "bootstrap", "test": "t"}, "interval and p must agree"),
        (np.ones((3, 5)), {"interval": "plain"}, "its intervals hold for all pairs together"),
        (np.ones((2, 5)), {"resamples": 10}, "resamples=10: must be a whole number"),
        (np.ones((2, 5)), {"seed": -1}, "seed=-1"),
        (np.ones((2, 5)), {"judge": "me"}, "no judgment set 'me' in these scores"),
        (np.ones((2, 5)), {"family": "some"}, "family='some'"),
    ],
)  # fmt: skip
def test_errors(x, settings, message):
    with pytest.raises(AssayError, match=message):
        compare(scores_of(x), **settings)


@pytest.mark.parametrize(
    "ask", [compare, assay.power, lambda scores: assay.gate(scores, max_drop=0.1)]
)
def test_only_scores_are_compared(ask):
    with pytest.raises(AssayError, match=r"expected Scores, as assay.evaluate.*, found dict"):
        ask({"a": {"t": 1.0}})


def test_equal_names():
    with pytest.raises(AssayError, match="2 runs are labelled 'a'; give each its own name"):
        compare(scores_of(np.ones((2, 5)), runs=("a", "a")))


def test_several_judgment_sets_need_a_choice():
    judgments = {"one": {"t": {"d": 1}, "u": {"d": 1}}, "two": {"t": {"d": 1}, "u": {"e": 1}}}
    runs = {"a": {"t": {"d": 1.0}, "u": {"e": 1.0}}, "b": {"t": {"e": 1.0}, "u": {"d": 1.0}}}
    scores = assay.evaluate(judgments, runs, "P@1")
    with pytest.raises(AssayError, match=r"2 judgment sets .one, two.; say which"):
        compare(scores)
    found = compare(scores, judge="two")
    assert "under the judgments of two alone" in found.notes
    assert found.with_residuals(judgments, runs).differences[0].residual is not None


def test_bca_and_bootstrap_intervals():
    scores = scores_of(simulated(runs=2, topics=40))
    assert compare(scores, interval="bootstrap").plan.test == "bootstrap"
    page = str(compare(scores, interval="bca").table())
    assert "BCa, plain" in page


def test_coarse_tests_say_so():
    found = compare(scores_of(simulated(runs=2, topics=4)), test="sign")
    assert "no p of the sign test falls below 0.12" in " ".join(found.warnings)
    found = compare(several(runs=12), test="bootstrap", resamples=500)
    assert "ask for 1,319 resamples or more" in " ".join(found.warnings)  # 66 pairs / .05 - 1
    assert not compare(several(runs=12), test="bootstrap", resamples=1319).warnings
    assert not compare(scores_of(simulated(runs=2, topics=40)), test="sign").warnings


@pytest.mark.parametrize(("runs", "topics", "least"), [(3, 2, 1 / 6), (4, 2, 1 / 12), (3, 3, None)])
def test_topics_too_few_for_the_randomised_hsd(runs, topics, least):
    # the same order everywhere: no table of this size could have a smaller p
    x = np.arange(runs)[:, None] + np.zeros((runs, topics))
    found = compare(scores_of(x, measures=("DCG",)), resamples=40_000)
    smallest = min(d.p for d in found.differences)
    warned = [each for each in found.warnings if "nothing can be significant" in each]
    if least is None:
        assert smallest == pytest.approx(1 / 36, abs=0.004)
        assert not warned
    else:
        assert smallest == pytest.approx(least, abs=0.01)
        assert f"with {topics} topics and {runs} runs no p" in warned[0]


def test_bca_that_contradicts_p_is_said():
    d = np.r_[np.full(29, 0.02), np.full(3, -0.12)]  # skewed: t is not significant, BCa is near
    found = None
    for shift in np.linspace(0, 0.02, 41):
        x = np.stack([np.full(32, 0.4), 0.4 + d + shift])
        found = compare(scores_of(x), interval="bca")
        one = found.differences[0]
        apart = (one.low > 0 or one.high < 0) != one.significant
        assert apart == any("disagree with p" in each for each in found.warnings)
        assert "95 % BCa interval" in found.verdict()


@pytest.mark.parametrize("how", ["bounds", "lowest", "highest"])
def test_grades_of_its_own_for_each_run_are_refused(how):
    judgments = {"t": {"x": 1}, "u": {"x": 1}}
    runs = {"a": {"t": {"x": 1.0}, "u": {"n": 1.0}}, "b": {"t": {"m": 1.0}, "u": {"x": 1.0}}}
    for measures, policy in (("P@1", {"unjudged": how}), (f"P(unjudged='{how}')@1", {})):
        scores = assay.evaluate(judgments, runs, measures, **policy)
        with pytest.raises(AssayError, match="no judgments give both runs theirs"):
            compare(scores)
        with pytest.raises(AssayError, match="no judgments give both runs theirs"):
            assay.gate(scores, max_drop=0.1)


def test_exact_and_drawn_are_told_apart():
    x = np.stack([simulated(runs=2, topics=21), simulated(runs=2, topics=21, seed=9)])
    x[1, 0, 4] = np.nan
    page = str(compare(scores_of(x, measures=("AP", "R@5")), test="randomization").table())
    assert "R@5: exact, all 2^20 exchanges" in page
    assert "AP: drawn at random: 10,000 times" in page


def test_numbers_of_numpy_are_numbers():
    scores = several()
    found = compare(scores, resamples=np.int64(200), seed=np.int32(1), alpha=np.float64(0.05))
    assert json.loads("".join(text(found, "json")))["plan"]["resamples"] == 200
    assert assay.power(scores, difference=np.int64(1)).designs[0].difference == 1


def test_uneven_residuals_are_said():
    x = simulated(runs=4, topics=60)
    x[0] += np.random.default_rng(1).normal(0, 0.5, 60)
    for test in ("anova", "tukey-hsd", "randomized-tukey-hsd"):
        assert "spread unevenly" in " ".join(compare(scores_of(x), test=test).warnings)
    assert not compare(scores_of(x), test="t").warnings


# ---------------------------------------------------------------------------------------- outputs


def test_frame_and_csv_hold_every_digit():
    found = compare(several(measures=("nDCG@10", "AP")))
    frame = found.to_polars()
    assert frame.height == 20
    again = pl.read_csv("".join(text(found, "csv")).encode())
    assert again["difference"].to_list() == frame["difference"].to_list()
    assert again["p"].to_list() == frame["p"].to_list()


def test_json():
    found = compare(several(measures=("nDCG@10", "AP")), test="friedman", alpha=0.1)
    page = json.loads("".join(text(found, "json")))
    assert page["plan"]["test"] == "friedman"
    assert page["plan"]["alpha"] == 0.1
    assert len(page["differences"]) == 20
    assert page["measures"][0]["friedman"]["stars"] == found.stars()
    assert page["differences"][0]["swings"][0]["topic"] == found.differences[0].swings[0][0]
    assert page["verdict"] == found.verdict()


def test_names_are_escaped():
    x = simulated(runs=2, topics=9)
    found = compare(scores_of(x, runs=("<b>a", "b|c_d\x1b[31m")))
    assert "<b>a" not in "".join(text(found, "html"))
    assert r"b\|c\_d\\x1b\[31m" in "".join(text(found, "markdown"))
    assert r"b|c\_d\textbackslash{}x1b[31m" in "".join(text(found, "latex"))
    assert "\x1b" not in str(found.table())
    assert "&lt;b&gt;a" in found._repr_html_()


def test_many_pairs_show_the_smallest_p():
    page = str(compare(several(runs=12)).table())
    assert "30 of 66 differences" in page
    assert "Of 66 pairs" in page


def test_of_names_what_there_is():
    found = compare(several())
    with pytest.raises(AssayError, match="no difference of 'run0' and 'run1' under nDCG@10"):
        found.of("run0", "run1")
    assert repr(found) == "Comparison(5 runs, 1 measure(s), 10 difference(s), randomized-tukey-hsd)"


def test_verdict_counts_what_has_no_p_value():
    x = np.tile(np.linspace(0.2, 0.6, 12), (3, 1)) + np.array([[0.0], [0.1], [0.3]])
    words = compare(scores_of(x), test="t").verdict()
    assert "There is no p-value for 3 of the pairs: every topic differs by the same" in words
    assert "shown to differ from none" not in words
    x[2] = simulated(runs=1, topics=12)
    words = compare(scores_of(x), baseline="run0").verdict()
    assert "There is no p-value for run1: every topic" in words


def test_bootstrap_of_too_few_topics_says_so():
    x = simulated(runs=2, topics=3)
    assert "with 3 topics no p of the bootstrap test falls below 0.11" in " ".join(
        compare(scores_of(x), test="bootstrap").warnings
    )
    assert not compare(scores_of(simulated(runs=2, topics=4)), test="bootstrap").warnings


def test_intervals_over_pairs_and_measures():
    x = np.stack([simulated(), simulated(seed=2)])
    page = str(compare(scores_of(x, measures=("nDCG@10", "AP")), family="all").table())
    assert "simultaneous over all pairs and measures" in page


def test_means_stand_with_interval_and_judged():
    x = simulated(runs=3, topics=20)
    x[2] = 0.4
    found = compare(scores_of(x, judged=[[1.0], [0.95], [0.5]]), alpha=0.1).overviews[0]
    for row, ends in zip(x[:2], found.ends, strict=False):
        wanted = stats.t.interval(0.9, 19, row.mean(), stats.sem(row))
        assert ends == pytest.approx(wanted, abs=1e-9)
    assert found.ends[2] == (0.4, 0.4)
    assert found.judged == (1.0, 0.95, 0.5)
    page = str(compare(scores_of(x, judged=[[1.0], [0.95], [0.5]]), alpha=0.1).table())
    assert "90 %  interval  topics  Judged@10" in page
    assert "Judged" not in str(compare(scores_of(x, measures=("AP",))).table()).splitlines()[0]
