"""The whole study, small and on dl21."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import polars as pl
import pytest
from scipy import stats

import assay
from assay.errors import AssayError
from assay.judges.stability import floors, stability
from judges.conftest import GPT4O, collection


def test_without_runs_there_is_agreement_alone(small):
    given, _ = small
    found = assay.compare_judges(given)
    assert found.stability == ()
    assert found.agreement.pairs[0].first == "judge0"
    assert "share" in found.verdict()


def test_everything_at_once(small):
    given, runs = small
    found = assay.compare_judges(
        given,
        runs,
        ["nDCG@10", "AP"],
        rel=2,
        topic="t1",
        run="run2",
        groups={f"t{t}": "even" if t % 2 == 0 else "odd" for t in range(6)},
    )
    names = {table.name for table in found.tabulars()}
    assert names >= {
        "agreement", "kappa", "judges", "leniency", "topics", "groups", "confusion", "strip",
        "recall-precision", "evaluation", "evaluation-groups", "bands", "run-bands", "stability",
        "levels", "means", "pairs", "explanations", "ranges", "consistency", "machine",
    }  # fmt: skip
    for table in found.tabulars():
        assert all(len(row) == len(table.heads) for row in table.rows), table.name
    assert len(found.explanations[0].found) == 4
    assert 2 <= found.verdict().count(". ") + 1 <= 4
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.notes = ()
    assert pickle.loads(pickle.dumps(found)).verdict() == found.verdict()


def test_scores_under_groups_are_evaluations_of_made_judgments(small):
    given, runs = small
    found = assay.compare_judges(given, runs, "AP(rel=2)", rel=2).scores
    either = {
        topic: {doc: max(grade, given["judge1"][topic][doc]) for doc, grade in grades.items()}
        for topic, grades in given["judge0"].items()
    }
    expected = assay.evaluate(either, runs, "AP(rel=2)").values[0]
    place = found.names.index("C (either)")
    assert np.allclose(found.values[place], expected, equal_nan=True)
    table, _ = found.tabulars()
    row = table.records()[0]
    assert row["D - C"] == pytest.approx(row["D (all)"] - row["C (either)"])
    assert row["judge0 - judge1"] == pytest.approx(row["judge0"] - row["judge1"])


def test_the_machine_counts_on_the_list_that_both_judged():
    given, runs = collection(seed=9, gaps=0.3)
    found = assay.compare_judges(given, runs, "AP", rel=2).machines[0]
    topic = found.topics[1]
    a, b = given["judge0"][topic], given["judge1"][topic]
    both = set(a) & set(b)
    cut = sum(b[doc] >= 2 for doc in both)
    scored = runs["run1"][topic]
    order = sorted(
        (doc for doc in scored if doc in both), key=lambda d: (scored[d], d), reverse=True
    )
    inside = sum(a[doc] >= 2 for doc in order[:cut])
    assert found.precision[2, 1] == pytest.approx(inside / cut)
    assert found.recall[2, 1] == pytest.approx(inside / sum(a[doc] >= 2 for doc in both))


def test_mapping_scale_and_strays(small):
    given, _ = small
    given["judge1"]["t0"]["d00"] = 10
    found = assay.compare_judges(given, scale=(0, 3), stray="drop")
    assert "judge1: 1 grades outside 0 to 3 (10), dropped" in found.notes
    mapped = assay.compare_judges(given, mapping={"judge1": {10: 3}})
    assert mapped.notes == ()
    kept = assay.compare_judges(given)
    assert "--map and --scale bring them together" in kept.notes[0]
    with pytest.raises(AssayError, match="no judge is labelled 'x'"):
        assay.compare_judges(given, mapping={"x": {1: 2}})


def test_judges_who_say_the_same_are_named(small):
    given, _ = small
    found = assay.compare_judges(given | {"copy": given["judge1"]})
    assert "judge1 and copy give the same grades throughout" in found.notes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"topic": "t9"}, "no topic 't9' is judged"),
        ({"run": "x"}, "no run is labelled 'x'"),
        ({"rel": {"x": 2}}, "no judge is labelled 'x'"),
        ({"groups": {"t9": "x"}}, "none of its topics is judged"),
        ({"stray": "hide"}, "stray='hide'"),
    ],
)
def test_errors(small, change, message):
    with pytest.raises(AssayError, match=message):
        assay.compare_judges(*small, "AP", **change)


def test_one_judge_is_refused(small):
    given, _ = small
    with pytest.raises(AssayError, match="at least two, or a table of counts"):
        assay.compare_judges({"a": given["judge0"]})


def test_a_constant_judge_gives_no_tau_but_no_crash(small):
    given, runs = small
    flat = {topic: dict.fromkeys(grades, 1) for topic, grades in given["judge0"].items()}
    found = assay.compare_judges({"a": given["judge0"], "flat": flat}, runs, "P@5")
    assert found.verdict()


# -------------------------------------------------------------------------------------------- dl21


@pytest.fixture(scope="module")
def scores(dl21):
    """[judge, run, topic] nDCG@10 under NIST and every other set that judged all its topics."""
    nist, others, runs = dl21
    judges = {"nist": nist}
    for name, path in others.items():
        judged = assay.read_judgments(path)
        inside = judged.frame.filter(pl.col("topic").is_in(nist.topics))
        judges[name] = assay.Judgments(inside, label=name)
    return assay.evaluate(judges, runs, "nDCG@10")


def test_tau_between_nist_and_each_label_set_two_ways(scores):
    values = scores.values[:, :, 0]
    checked = 0
    for j in range(1, len(scores.judges)):
        pair = values[[0, j]]
        found = (
            stability(pair, measure="nDCG@10", judges=("nist", "other"), runs=scores.runs, draws=2)
            .against[0]
            .coefficients
        )
        good = ~np.isnan(pair).any(axis=(0, 1))
        means = np.round(pair[..., good].mean(axis=-1), 12)
        expected = stats.kendalltau(means[0], means[1]).statistic
        assert found["tau-b"].value == pytest.approx(expected, abs=1e-12)
        checked += 1
    assert checked == 27


def percentile(values, draws=500):
    """The percentile bootstrap of tau over topics, which is biased."""
    rng = np.random.default_rng(1)
    T = values.shape[-1]
    taus = [
        stats.kendalltau(*values[..., rng.integers(0, T, T)].mean(axis=-1)).statistic
        for _ in range(draws)
    ]
    return np.quantile(taus, [0.025, 0.975])


def test_the_interval_holds_the_estimate_where_the_percentile_bootstrap_does_not(scores):
    left_out = 0
    for j, judge in enumerate(scores.judges):
        pair = scores.values[[0, j], :, 0]
        if j == 0 or np.isnan(pair).any():
            continue
        found = (
            stability(pair, measure="nDCG@10", judges=("nist", judge), runs=scores.runs, draws=2)
            .against[0]
            .coefficients
        )
        for each in found.values():
            assert each.low <= each.value <= each.high
        if found["tau-b"].value > 0.9:
            low, high = percentile(pair)
            left_out += not low <= found["tau-b"].value <= high
    assert left_out >= 2


def test_floors_are_what_topic_samples_give(scores):
    values = scores.values[0, :, 0]
    halves, bootstrap = floors(values, draws=200, seed=3)
    rng = np.random.default_rng(4)
    taus = []
    for _ in range(200):
        order = rng.permutation(27)
        a, b = (values[:, part].mean(axis=-1) for part in (order[:13], order[13:26]))
        taus.append(stats.kendalltau(a, b).statistic)
    assert halves["tau-b"].mean == pytest.approx(np.mean(taus), abs=0.02)
    assert halves["tau-b"].mean < bootstrap["tau-b"].mean < 1


def test_the_study_on_dl21(dl21):
    nist, others, runs = dl21
    found = assay.compare_judges(
        {"nist": nist, "gpt-4o": others[GPT4O]}, runs, "nDCG@10", rel=2, resamples=500
    )
    tau = found.stability[0].against[0].coefficients["tau-b"]
    assert tau.value == pytest.approx(0.92, abs=0.01)
    assert sum(found.pairs[0].counts.values()) == 1953
    assert len(found.bands[0].names) == 5
    assert "63 systems" in found.verdict()


def test_random_human_subsets_of_dl21(scores):
    """Their human mean over all 27 topics lies in the interval about these topics."""
    from assay.judges.estimate import powered

    j = scores.judges.index(GPT4O)
    human, cheap = scores.values[0, :, 0], scores.values[j, :, 0]
    truth = human.mean(axis=-1)
    rng = np.random.default_rng(5)
    held, narrower = [], []
    for _ in range(200):
        order = rng.permutation(27)
        some, rest = order[:12], order[12:]
        found = powered(human[:, some], cheap[:, some], cheap[:, rest], about="topics")
        held.append(((found.low <= truth) & (truth <= found.high)).mean())
        narrower.append((found.error / (found.human_high - found.human_low)).mean())
    assert 0.92 < np.mean(held) < 0.99
