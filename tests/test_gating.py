"""The gate: outcomes by the bounds, exit codes, and what makes it inconclusive."""

from __future__ import annotations

import itertools
import math
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from assay.errors import AssayError
from assay.gating import FAIL, INCONCLUSIVE, PASS, gate
from tables import scores_of, simulated

stats = pytest.importorskip("scipy.stats")


def pair(change, deviation=0.1, topics=50, measures=("nDCG@10",), **more):
    """A baseline around .5, and differences of exactly this mean and deviation."""
    z = stats.norm.ppf((np.arange(topics) + 0.5) / topics)
    z = (z - z.mean()) / z.std(ddof=1) if deviation else 0 * z
    base = 0.5 + 0.1 * np.cos(np.arange(topics))
    x = np.stack([base, base + change + deviation * np.random.default_rng(0).permutation(z)])
    return scores_of(np.stack([x] * len(measures)), runs=("main", "pr"), measures=measures, **more)


def bounds(change, deviation, topics, alpha=0.05):
    half = stats.t.ppf(1 - alpha, topics - 1) * deviation / math.sqrt(topics)
    return change - half, change + half


@pytest.mark.parametrize("change", np.linspace(-0.1, 0.05, 16))
@pytest.mark.parametrize("max_drop", [0.0, 0.01, 0.04])
def test_outcome_is_the_rule(change, max_drop):
    found = gate(pair(change), max_drop=max_drop)
    check = found.checks[0]
    low, high = bounds(change, 0.1, 50)
    assert (check.lower, check.upper) == (pytest.approx(low), pytest.approx(high))
    wanted = PASS if low > -max_drop else FAIL if change < -max_drop and high < 0 else INCONCLUSIVE
    assert found.outcome == check.outcome == wanted
    stops = wanted == FAIL or (wanted == INCONCLUSIVE and change < -max_drop)
    assert found.exit_code == int(stops)
    strict = gate(pair(change), max_drop=max_drop, strict=True)
    assert strict.exit_code == int(wanted != PASS)


def test_per_cent_of_the_baseline():
    scores = pair(-0.02, deviation=0.02)
    base = scores.of("main", "nDCG@10").mean()
    check = gate(scores, max_drop="5%").checks[0]
    assert check.max_drop == pytest.approx(0.05 * base)
    assert check.outcome == PASS
    assert gate(scores, max_drop="2 %").checks[0].outcome == FAIL


def test_what_the_topics_can_exclude():
    check = gate(pair(0.0, deviation=0.11), max_drop=0.01).checks[0]
    assert (
        check.needed == 750
    )  # R: power.t.test(delta=.01, sd=.11, power=.8, type="paired", alt="one")
    n, shift = 50, check.excludable / 0.11 * math.sqrt(50)
    assert stats.nct.sf(stats.t.ppf(0.95, n - 1), n - 1, shift) == pytest.approx(0.8, abs=1e-6)
    words = gate(pair(0.0, deviation=0.11), max_drop=0.01).paragraph()
    assert f"50 topics can exclude a drop of {check.excludable:.3f} at the smallest" in words
    assert "excluding 0.010 takes 750 topics" in words


def test_no_number_of_topics_excludes_every_drop():
    words = gate(pair(0.0), max_drop=0).paragraph()
    assert "no number of topics excludes every drop" in words


def test_all_measures_must_pass():
    good, bad = pair(0.05).values[0, :, 0], pair(-0.08).values[0, :, 0]
    found = gate(scores_of(np.stack([good, bad]), measures=("nDCG@10", "AP")), max_drop=0.01)
    assert [check.outcome for check in found.checks] == [PASS, FAIL]
    assert (found.outcome, found.exit_code) == (FAIL, 1)
    assert (
        gate(scores_of(np.stack([good, good]), measures=("nDCG@10", "AP")), max_drop=0.01).outcome
        == PASS
    )


def test_lower_is_better():
    assert gate(pair(0.05, measures=("NDPM",)), max_drop=0.01).outcome == FAIL
    assert gate(pair(-0.05, measures=("NDPM",)), max_drop=0.01).outcome == PASS
    check = gate(pair(0.05, measures=("NDPM",)), max_drop=0.01).checks[0]
    assert check.change == pytest.approx(-0.05)  # for the worse


def test_required_gain_with_holm_over_measures():
    values = [pair(change).values[0, :, 0] for change in (0.05, 0.028)]
    scores = scores_of(np.stack(values), measures=("nDCG@10", "AP"))
    found = gate(scores, require_gain=0)
    plain = [stats.ttest_rel(x[1], x[0], alternative="greater").pvalue for x in values]
    assert [check.gain_p for check in found.checks] == pytest.approx([2 * plain[0], plain[1]])
    assert found.outcome == PASS
    more = gate(scores, require_gain=0.02)
    assert [check.gained for check in more.checks] == [True, False]
    assert more.outcome == INCONCLUSIVE
    assert more.exit_code == 1  # what is required must be shown
    assert gate(scores, require_gain=0.08).outcome == FAIL


def test_uneven_judging_is_inconclusive():
    judged = np.array([[[1.0], [0.85]]])
    found = gate(pair(0.0, deviation=0.01, judged=judged), max_drop=0.02)
    assert found.outcome == INCONCLUSIVE
    assert "Judged@10 of pr is 0.85, of main 1.00" in found.paragraph()
    assert found.exit_code == 0
    assert (
        gate(pair(-0.08, judged=judged), max_drop=0.02).exit_code == 1
    )  # the drop seen is too large
    better = np.array([[[0.85], [1.0]]])
    assert gate(pair(0.0, deviation=0.01, judged=better), max_drop=0.02).outcome == PASS


def test_what_becomes_of_unjudged_documents_is_said_as_it_is():
    judged = np.array([[[1.0], [0.85]]])
    for policy, words in (
        ("nonrelevant", "count as not relevant"),
        ("condensed", "are left out, which flatters it"),
    ):
        found = gate(pair(0.0, judged=judged, unjudged=policy), max_drop=0.02)
        assert f"the candidate's unjudged documents {words}" in found.paragraph()


@pytest.mark.parametrize(("shown", "wanted"), [((0.4, 0.3), PASS), ((0.41, 0.3), INCONCLUSIVE)])
def test_judged_lower_by_exactly_a_tenth_is_not_more(shown, wanted):
    judged = np.array([[[shown[0]], [shown[1]]]])
    assert gate(pair(0.0, deviation=0.01, judged=judged), max_drop=0.02).outcome == wanted


def test_judging_is_taken_from_another_measure_where_one_has_none():
    values = np.stack([pair(0.0, deviation=0.01).values[0, :, 0]] * 2)
    judged = np.array([[[np.nan, 1.0], [np.nan, 0.7]]])
    scores = scores_of(values, measures=("AP", "P@10"), judged=judged)
    found = gate(scores, measures=["AP"], max_drop=0.02)
    assert [str(check.measure) for check in found.checks] == ["AP"]
    assert found.outcome == INCONCLUSIVE


def test_missing_topics_are_inconclusive():
    scores = pair(0.0, deviation=0.01)
    reasons = scores.reasons.copy()
    reasons[0, 1, 0, 3:5] = 2  # MISSING
    object.__setattr__(scores, "reasons", reasons)
    found = gate(scores, max_drop=0.02)
    assert found.outcome == INCONCLUSIVE
    assert "pr lacks 2 topic(s)" in found.paragraph()


def test_topics_that_the_baseline_lacks_are_a_warning():
    scores = pair(0.0, deviation=0.01)
    reasons = scores.reasons.copy()
    reasons[0, 0, 0, 3:5] = 2  # MISSING
    object.__setattr__(scores, "reasons", reasons)
    found = gate(scores, max_drop=0.02)
    assert found.outcome == PASS
    assert "main, the baseline, lacks 2 topic(s)" in found.warnings[0]


def test_nothing_changed_passes_whatever_is_allowed():
    found = gate(pair(0.0, deviation=0.0), max_drop=0, strict=True)
    assert (found.outcome, found.exit_code) == (PASS, 0)
    # a constant drop of all that is allowed is not less than it
    assert gate(pair(-0.25, deviation=0.0), max_drop=0.25).outcome == INCONCLUSIVE


@pytest.mark.parametrize(
    ("change", "settings", "end"),
    [
        (0.05, {"max_drop": 0.01}, "The build goes on."),
        (0.0, {"max_drop": 0.01}, "The build goes on."),
        (-0.08, {"max_drop": 0.01}, "The build stops: nDCG@10 fails."),
        (-0.015, {"max_drop": 0.01}, "is inconclusive and the drop seen exceeds what is allowed."),
        (0.0, {"max_drop": 0.01, "strict": True}, "is inconclusive, which stops under strict."),
        (0.01, {"require_gain": 0}, "is inconclusive and the required gain is not shown."),
    ],
)
def test_the_paragraph_says_what_becomes_of_the_build(change, settings, end):
    found = gate(pair(change), **settings)
    assert found.paragraph().endswith(end)
    assert found.exit_code == int("The build stops" in found.paragraph())


def test_junit_with_hostile_names():
    names = ("a\x00b]]>\ud800", "p\ufffe<\"&'r\n\u202e")
    topics = [f"t{i}\x01<!--" for i in range(50)]
    values = pair(-0.3, deviation=0.0).values[0, :, 0]
    found = gate(scores_of(values, runs=names, topics=topics), max_drop=0.01)
    suite = ET.fromstring(found.to_junit().encode())  # noqa: S314 - our own
    assert r"p\ufffe<" in suite[0].attrib["name"]
    for page in (found.to_markdown(), found.table().to_html(), str(found.table())):
        page.encode()
        assert "\x00" not in page
        assert "\u202e" not in page


def test_collapsed_topics_are_named():
    base = np.full(20, 0.6)
    after = base.copy()
    after[3], after[7], after[9] = 0.0, 0.25, 0.35
    found = gate(scores_of(np.stack([base, after])), max_drop=0.2)
    assert [topic for topic, _, _ in found.checks[0].collapsed] == ["t03", "t07"]
    assert "2 topic(s) collapsed: t03 (0.600 to 0), t07 (0.600 to 0.250)" in str(
        found.table()
    ).replace("0.000", "0")


@pytest.mark.parametrize(
    ("change", "wanted"), [(0.0, PASS), (0.1, PASS), (-0.1, FAIL), (-0.01, PASS)]
)
def test_no_spread(change, wanted):
    found = gate(pair(change, deviation=0.0), max_drop=0.02)
    assert found.outcome == wanted
    assert "alike" in found.paragraph()
    assert "confidence" not in found.paragraph()


def test_few_topics_without_spread_show_nothing():
    # that all of n topics change to one side has probability 2^-n: 1/16 is above .05, 1/32 below
    for topics, shown in ((4, False), (5, True)):
        for change, claimed in ((0.1, PASS), (-0.1, FAIL)):
            scores = pair(change, deviation=0.0, topics=topics)
            found = gate(scores, max_drop=0.02)
            assert found.outcome == (claimed if shown else INCONCLUSIVE)
            assert shown or "all 4 topics change by the same amount" in found.paragraph()
        check = gate(pair(0.1, deviation=0.0, topics=topics), require_gain=0).checks[0]
        assert check.gain_p == 2.0**-topics
        assert check.gained == shown


def test_nothing_changed_and_a_gain_required():
    words = gate(pair(0.0, deviation=0.0), max_drop=0, require_gain=0).paragraph()
    assert "on every one of them alike, within the 0.000 allowed. A gain" in words
    assert "do not exclude" not in words


def test_a_single_topic():
    found = gate(scores_of([[0.5], [0.5]]), max_drop=0.02)
    assert found.outcome == INCONCLUSIVE
    assert "a single topic has no spread" in found.paragraph()
    assert gate(scores_of([[0.5], [0.1]]), max_drop=0.02).exit_code == 1


# ---------------------------------------------------------------------------------------- outputs


def test_junit():
    values = np.stack([pair(change).values[0, :, 0] for change in (0.05, -0.08, -0.001)])
    scores = scores_of(values, runs=("main", "p<r"), measures=("nDCG@10", "AP", "RR"))
    suite = ET.fromstring(gate(scores, max_drop=0.01).to_junit())  # noqa: S314 - our own
    assert suite.attrib | {"name": ""} == {
        "name": "", "tests": "3", "failures": "1", "errors": "0", "skipped": "1",
    }  # fmt: skip
    passed, failed, skipped = suite
    assert passed.attrib["name"] == "nDCG@10: p<r against main"
    assert not passed.findall("failure")
    assert failed.find("failure").attrib["message"].startswith("fail: p<r changes AP by -0.080")
    assert skipped.find("skipped") is not None
    strict = ET.fromstring(gate(scores, max_drop=0.01, strict=True).to_junit())  # noqa: S314
    assert strict.attrib["failures"] == "2"


def test_summary_for_a_pull_request():
    found = gate(pair(-0.08), max_drop=0.01)
    lines = found.to_markdown().splitlines()
    assert lines[0] == "### assay gate: FAIL (the build stops)"
    assert lines[2].startswith("| gate | main | pr | change |")
    assert "with 95 % confidence it is a loss of at least" in found.to_markdown()
    assert (
        gate(pair(0.05), max_drop=0.01)
        .to_markdown()
        .startswith("### assay gate: PASS (the build goes on)")
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "needs max_drop, such as 0.01 or '2%', or require_gain"),
        ({"max_drop": "a lot"}, "max_drop: expected a number of at least 0"),
        ({"max_drop": -0.1}, "max_drop: expected a number of at least 0"),
        ({"max_drop": 0.1, "baseline": "x"}, "no run 'x' in these scores; there are: main, pr"),
        ({"max_drop": 0.1, "baseline": "pr", "candidate": "pr"}, "both 'pr'"),
        ({"max_drop": 0.1, "alpha": 0}, "alpha=0: must lie"),
        ({"max_drop": 2}, "nDCG@10 lies between 0 and 1, .* write 2%"),
        ({"max_drop": "100%"}, "allow less than 100%"),
        ({"max_drop": 0.1, "measures": ["AP"]}, "no measure 'AP' in these scores"),
    ],
)
def test_errors(settings, message):
    with pytest.raises(AssayError, match=message):
        gate(pair(0.0), **settings)


def test_runs_by_name():
    scores = scores_of(simulated(runs=3, topics=20))
    with pytest.raises(AssayError, match="compares two runs, found 3"):
        gate(scores, max_drop=0.1)
    found = gate(scores, baseline="run2", candidate="run0", max_drop=0.1)
    assert (found.baseline, found.candidate) == ("run2", "run0")
    assert gate(pair(0.0), candidate="main", max_drop=0.1).baseline == "pr"


def test_error_rates_of_the_gate():
    # each bound misses with probability alpha: PASS although the drop is what is not allowed
    rng = np.random.default_rng(0)
    passed = failed = 0
    for _ in range(2000):
        base = np.full(30, 0.5)
        x = np.stack([base, base - 0.05 + rng.normal(0, 0.1, 30)])
        passed += gate(scores_of(x), max_drop=0.05).outcome == PASS
        y = np.stack([base, base + rng.normal(0, 0.1, 30)])
        failed += gate(scores_of(y), max_drop=0.0).outcome == FAIL
    assert 0.04 < passed / 2000 < 0.06
    assert 0.04 < failed / 2000 < 0.06


def test_every_outcome_has_words():
    for change, drop, gain, strict in itertools.product(
        (-0.1, -0.02, 0.0, 0.1), (None, 0, "3%"), (None, 0.01), (True, False)
    ):
        if drop is None and gain is None:
            continue
        found = gate(pair(change), max_drop=drop, require_gain=gain, strict=strict)
        assert found.paragraph().startswith("pr changes nDCG@10 by ")
        assert "nan" not in str(found.table())
        assert found._repr_html_()
