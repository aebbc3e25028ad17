"""The slipshod judge: formulas, models that are right and wrong, judges without a truth."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import AssayError
from assay.judges.favouring import favour
from assay.judges.one_system import apparent_precision, apparent_recall, appendix
from assay.judges.slipshod import fitted, given, rates
from assay.judges.without_truth import dawid_skene
from judges.conftest import GPT4O, collection


@pytest.mark.parametrize(("p_r", "p_nr"), [(1, 0), (0.8, 0.01), (0.3, 0.2), (0.5, 0.5), (0.1, 0.6)])
def test_formulas_against_simulation(p_r, p_nr):
    found = appendix(
        precision=0.4, recall=0.25, N=500, G=80, n=50, p_r=p_r, p_nr=p_nr, judges=20_000
    )
    for formula, simulated, error in zip(found.formula, found.simulated, found.error, strict=True):
        assert abs(formula - simulated) <= 4 * error + 1e-12


def test_a_perfect_judge_changes_nothing():
    assert apparent_precision(0.4, 1, 0) == 0.4
    assert apparent_recall(0.25, 80, 500, 50, 1, 0) == 0.25
    assert np.isnan(apparent_recall(0.25, 80, 500, 50, 0, 0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"p_r": 1.2}, "p_r=1.2: a probability lies between 0 and 1"),
        ({"recall": 0.3}, "they must be the same whole number"),
        ({"N": 90}, "do not fit into N=90"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    right = {"precision": 0.4, "recall": 0.25, "N": 500, "G": 80, "n": 50, "p_r": 0.8, "p_nr": 0.1}
    with pytest.raises(AssayError, match=message):
        appendix(**(right | change))


def test_fitted_models_have_the_pairs_rates():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, 4000).astype(float)
    other = np.clip(truth + rng.integers(-1, 2, 4000), 0, 3)
    topic = np.repeat(np.arange(8), 500)
    model = fitted("independent", truth, other, rel=(2, 2), topic=topic)
    assert model.chance[1, 1] == np.mean(other[truth >= 2] >= 2)
    assert model.chance[0, 1] == np.mean(other[truth < 2] >= 2)
    graded = fitted("by-grade", truth, other, rel=(2, 2), topic=topic)
    for grade in range(4):
        shares = [np.mean(other[truth == grade] == label) for label in range(4)]
        assert graded.chance[grade] == pytest.approx(shares, abs=1e-6)
    drawn = graded.draw(slice(0, 4000), 200, (1, 2))
    for grade in range(4):
        assert np.mean(drawn[:, truth == grade] == 1) == pytest.approx(
            graded.chance[grade, 1], abs=0.01
        )
    by_topic = fitted("by-topic", truth, other, rel=(2, 2), topic=topic)
    assert by_topic.chance.shape == (32, 4)


def test_quality_mixes_in_the_truth():
    truth = np.array([0.0, 2, 3, 1])
    model = given(truth, rel=2, p_r=0, p_nr=1)  # always wrong
    right = model.draw(slice(0, 4), 2000, (1,), quality=1.0)
    assert (right == [0, 2, 2, 0]).all()
    half = model.draw(slice(0, 4), 2000, (1,), quality=0.5)
    assert np.mean(half == [0, 2, 2, 0]) == pytest.approx(0.5, abs=0.03)


def test_draws_depend_on_the_seed_alone():
    model = given(np.array([0.0, 2, 3, 1]), rel=2, p_r=0.5, p_nr=0.5)
    one, same, other = (model.draw(slice(0, 4), 50, (seed, 1)) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_rates_with_intervals():
    table = np.array([[[8.0, 2], [1, 9]], [[18, 2], [4, 6]]])
    p_r, p_nr = rates(table)
    assert (p_r.value, p_nr.value) == (15 / 20, 4 / 30)
    assert p_r.low < p_r.value < p_r.high


def made_by_the_model(truth, seed, p_r=0.8, p_nr=0.1):
    rng = np.random.default_rng([4, seed])
    return {
        topic: {
            doc: 2 if rng.random() < (p_r if grade >= 2 else p_nr) else 0
            for doc, grade in grades.items()
        }
        for topic, grades in truth.items()
    }


def test_judges_made_by_the_model_fit_it():
    given, runs = collection(seed=3, topics=20, docs=60, runs=8, judges=1)
    truth = given["judge0"]
    fits = 0
    for seed in range(10):
        found = assay.simulate_judges(
            {"truth": truth, "made": made_by_the_model(truth, seed)},
            runs,
            ["P(rel=2)@10"],
            rel=2,
            errors="independent",
            judges=200,
        )
        fits += found.checks[0].fits
        assert bool(found.order) == found.checks[0].fits
    assert fits >= 8  # two ranges of 95 % each


def test_what_follows_from_a_model_that_fits():
    given, runs = collection(seed=3, topics=20, docs=60, runs=8, judges=1)
    truth = given["judge0"]
    found = assay.simulate_judges(
        {"truth": truth, "made": made_by_the_model(truth, 1)}, runs, ["P(rel=2)@10"], rel=2
    )
    assert found.checks[0].fits
    assert found.rates.p_r.value == pytest.approx(0.8, abs=0.05)
    assert found.rates.p_nr.value == pytest.approx(0.1, abs=0.05)
    (order,) = found.order
    kept = order.kept
    many = np.asarray(order.pairs) > 0
    assert (kept[-1, -1][many] >= kept[0, 0][many] - 0.05).all()  # better judge, more topics
    assert "Fitting: independent" in found.verdict()
    rows = np.asarray([row[1:] for row in found.formulas], dtype=float)
    assert rows[:, 1] == pytest.approx(rows[:, 2], abs=0.01)  # P' by formula and simulated
    assert rows[:, 4] == pytest.approx(rows[:, 5], abs=0.02)


def test_a_judge_who_favours_good_runs_does_not_fit(dl21):
    """p_r .63 and p_nr .17 predict tau .66 to .86 where .887 is observed."""
    nist, others, runs = dl21
    found = assay.simulate_judges(
        {"nist": nist, "gpt-4o": others[GPT4O]},
        runs,
        ["P(rel=2)@10"],
        rel=2,
        judges=200,
        precision="float32",
    )
    assert found.rates.p_r.value == pytest.approx(0.63, abs=0.005)
    assert found.rates.p_nr.value == pytest.approx(0.17, abs=0.005)
    check = found.checks[0]
    assert check.model == "independent"
    assert check.tau.observed == pytest.approx(0.887, abs=0.0005)
    assert 0.63 < check.tau.low < 0.72
    assert 0.82 < check.tau.high < 0.87
    assert not check.fits
    assert found.order == ()
    assert "nothing follows from simulation" in found.verdict()


def test_given_rates_are_untested():
    truth, runs = collection(judges=1)
    found = assay.simulate_judges(truth, runs, "nDCG@10", p_r=0.8, p_nr=0.05, judges=100)
    assert not found.checks[0].tested
    assert "untested" in found.verdict()
    assert not found.order[0].tested


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"p_r": 0.8}, "p_r and p_nr go together"),
        ({}, "a judge's errors are needed"),
        ({"p_r": 0.8, "p_nr": 0.1, "errors": "by-rank"}, "describe independent errors"),
        ({"p_r": 2, "p_nr": 0.1}, "p_r=2: a probability"),
        ({"p_r": 0.8, "p_nr": 0.1, "judges": 1}, "judges=1: a range of judges"),
        ({"p_r": 0.8, "p_nr": 0.1, "run_groups": {"run0": "x"}}, "need a second set of judgments"),
    ],
)
def test_what_is_missing_is_said(settings, message):
    truth, runs = collection(judges=1)
    with pytest.raises(AssayError, match=message):
        assay.simulate_judges(truth, runs, "AP", **settings)


RANKED = {"r": {"t": {"a": 2.0, "b": 1.0}}, "s": {"t": {"b": 2.0, "a": 1.0}}}


def test_a_real_judge_who_cannot_be_compared_leaves_nothing_to_conclude():
    truth, all_relevant = {"t": {"a": 1, "b": 0}}, {"t": {"a": 1, "b": 1}}
    found = assay.simulate_judges({"x": truth, "y": all_relevant}, RANKED, "AP")
    assert not found.checks[0].tested
    assert found.checks[0].real
    assert found.order == ()
    assert "no model of error could be tested by AP" in found.notes[-1]
    assert "nan" not in found.verdict()


def test_systems_that_are_level_have_no_order_to_keep():
    found = assay.simulate_judges({"t": {"a": 0, "b": 0}}, RANKED, "AP", p_r=0.8, p_nr=0.1)
    assert found.order == ()
    assert "by AP no two systems differ" in found.notes[-1]
    assert "no tau is predicted" in found.verdict()


def test_a_judge_who_finds_nothing_tells_no_order():
    """p_r = p_nr = 0: every pair is undecided, and so kept half the time."""
    truth = {"t": {"a": 1, "b": 0}, "u": {"a": 1, "b": 0}}
    runs = {name: dict.fromkeys("tu", run["t"]) for name, run in RANKED.items()}
    found = assay.simulate_judges(truth, runs, "AP", p_r=0, p_nr=0)
    assert np.nanmax(found.order[0].kept[0]) == np.nanmin(found.order[0].kept[0]) == 0.5


def slow_dawid_skene(grade, levels, rounds):
    """Dawid & Skene's two steps, loop by loop."""
    J, P = grade.shape
    votes = np.array([[(grade[:, p] == k).sum() for k in levels] for p in range(P)], float)
    posterior = votes / votes.sum(axis=1, keepdims=True)
    for _ in range(rounds):
        prior = posterior.mean(axis=0)
        confusion = np.zeros((J, len(levels), len(levels)))
        for j in range(J):
            for p in range(P):
                if not np.isnan(grade[j, p]):
                    confusion[j, :, levels.index(grade[j, p])] += posterior[p]
        confusion = confusion + 1e-6
        confusion /= confusion.sum(axis=-1, keepdims=True)
        for p in range(P):
            chance = prior.copy()
            for j in range(J):
                if not np.isnan(grade[j, p]):
                    chance *= confusion[j, :, levels.index(grade[j, p])]
            posterior[p] = chance / chance.sum()
    return prior, confusion, posterior


def test_dawid_skene_against_a_slow_twin_and_the_truth():
    rng = np.random.default_rng(5)
    truth = (rng.random(800) < 0.4).astype(float)
    right = np.array([0.95, 0.8, 0.7, 0.6])
    grade = np.where(rng.random((4, 800)) < right[:, None], truth, 1 - truth)
    grade[rng.random((4, 800)) < 0.1] = np.nan
    grade = grade[:, ~np.isnan(grade).all(axis=0)]
    found = dawid_skene(grade, judges=tuple("abcd"), rounds=20, tolerance=0.0)
    prior, confusion, posterior = slow_dawid_skene(grade, [0.0, 1.0], found.rounds)
    assert found.prior == pytest.approx(prior)
    assert found.confusion == pytest.approx(confusion)
    assert found.posterior == pytest.approx(posterior)
    settled = dawid_skene(grade, judges=tuple("abcd"))
    assert settled.settled
    assert settled.accuracy == pytest.approx(right, abs=0.06)
    assert settled.rates(1)[0] == pytest.approx([0.95, 0.05], abs=0.1)


def test_two_judges_are_too_few_without_a_truth():
    with pytest.raises(AssayError, match="from three judges on"):
        dawid_skene(np.ones((2, 3)), judges=("a", "b"))


def test_favour_is_a_difference_of_differences():
    rng = np.random.default_rng(6)
    first = rng.random((6, 40))
    second = first + 0.1 + 0.02 * rng.normal(size=(6, 40))
    second[:2] += 0.05  # the judge's own family
    found = favour(
        np.stack([first, second]),
        ("own", "own", "x", "x", "x", "x"),
        measure="AP",
        judges=("a", "b"),
    )
    own = found.gain[0]
    assert own.low < 0.05 < own.high
    assert own.low > 0.03
    assert "b favours own by" in found.verdict()
    assert " and disfavours x by -0.0" in found.verdict()


def test_confusion_by_topic_band_and_run():
    given, runs = collection(seed=8, judges=2)
    found = assay.simulate_judges(given, runs, "P@5", judges=20)
    table = next(t for t in found.tabulars() if t.name == "confusion-by")
    rows = {(r["by"], r["which"], r["grade by judge0"], r["label"]): r for r in table.records()}
    a, b = given["judge0"], given["judge1"]

    def counted(pairs, true, label):
        return sum(a[t][d] == true and b[t][d] == label for t, d in pairs)

    every = [(t, d) for t in a for d in a[t]]
    assert rows["all", "", 2.0, 3.0]["pairs"] == counted(every, 2, 3)
    topic = [("t2", d) for d in a["t2"]]
    row = rows["topic", "t2", 3.0, 3.0]
    assert row["pairs"] == counted(topic, 3, 3)
    assert row["% of grade"] == pytest.approx(
        100 * row["pairs"] / sum(grade == 3 for grade in a["t2"].values())
    )
    first = {
        run: [
            (t, d)
            for t, docs in topics.items()
            for d in sorted(docs, key=lambda d, docs=docs: (docs[d], d), reverse=True)[:10]
            if d in a[t]
        ]
        for run, topics in runs.items()
    }
    assert rows["run, first 10", "run1", 3.0, 3.0]["pairs"] == counted(first["run1"], 3, 3)
    both = [
        (t, d)
        for topics in runs.values()
        for t, docs in topics.items()
        for d in sorted(docs, key=lambda d, docs=docs: (docs[d], d), reverse=True)[:5]
        if d in a[t]
    ]
    assert rows["ranks", "1-5", 3.0, 2.0]["pairs"] == counted(both, 3, 2)


def test_order_is_foretold_for_each_measure_that_a_model_fits():
    truth, runs = collection(judges=1)
    found = assay.simulate_judges(
        truth, runs, ["P@5", "nDCG@10", "AP"], p_r=0.8, p_nr=0.05, judges=100
    )
    assert [each.measure for each in found.order] == ["P@5", "nDCG@10", "AP"]
    (table,) = [t for t in found.tabulars() if t.name == "order"]
    assert table.heads[0] == "measure"
    for each in found.order:
        perfect = each.kept[-1, -1]  # the truth itself, on samples of topics
        assert (perfect[~np.isnan(perfect)] > 0.5).all()


def test_negative_grades_are_not_judged():
    given, runs = collection(judges=2)
    plain = assay.simulate_judges(given, runs, "P@5", judges=20)
    given["judge0"]["t1"]["unjudged1"] = -1
    marked = assay.simulate_judges(given, runs, "P@5", judges=20)
    assert marked.rates.p_r == plain.rates.p_r
    assert marked.rates.confusion == plain.rates.confusion
    assert marked.checks == plain.checks
