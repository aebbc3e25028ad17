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


def test_judges_with_nothing_in_common_are_told():
    one, other = {"t": {"a": 1, "b": 0}}, {"u": {"c": 1}}
    runs = {"r": {"t": {"a": 2.0, "b": 1.0}}, "s": {"t": {"b": 2.0, "a": 1.0}}}
    apart = assay.compare_judges({"x": one, "y": other}, runs, "AP")
    assert apart.verdict().startswith("x and y judged no document in common. By AP, y and x cannot")
    assert not any("more than 20 levels" in note for note in apart.notes)
    assert all(each.supported is None for each in apart.explanations[0].found)

    said = [part.verdict() for part in apart.parts]
    assert not any("nan" in each.split() for each in said)
    assert "Nothing relevant to x or y stands among the first 10 ranks" in " ".join(said)

    nothing = {"t": {"a": 0, "b": 0}}
    none = assay.compare_judges({"x": nothing, "y": one}, runs, "AP")
    machine = "Nothing is relevant to x, so y is no search system."
    assert none.machines[0].verdict() == machine
    assert none.consistency[0].verdict().startswith("0 topics tell nothing of how agreement")
    said = "x and y judged the same documents, and no document is relevant to either."
    assert assay.compare_judges({"x": nothing, "y": nothing}).verdict() == said
    three = {"x": nothing, "y": nothing, "z": other}
    assert assay.compare_judges(three).verdict().startswith("No document that two judges judged is")


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


def test_the_best_has_a_floor_and_an_interval(scores):
    """Its rank in another sample of topics, and with each topic left out."""
    values = scores.values[:, :, 0]
    best = []
    rng = np.random.default_rng(4)
    for _ in range(200):
        order = rng.permutation(27)
        a, b = (values[0][:, part].mean(axis=-1) for part in (order[:13], order[13:26]))
        best.append(stats.rankdata(-b)[np.argmax(a)])
    halves, _ = floors(values[0], draws=500, seed=3)
    assert halves["rank of the best"].mean == pytest.approx(np.mean(best), abs=0.5)

    j = scores.judges.index(GPT4O)
    judges, pair = (scores.judges[0], GPT4O), values[[0, j]]
    one = stability(pair, measure="nDCG@10", judges=judges, runs=scores.runs).against[0]
    left = []
    for t in range(27):
        a, b = np.delete(pair, t, axis=-1).mean(axis=-1)
        left.append(stats.rankdata(-b)[np.argmax(a)])
    half = stats.t.ppf(0.975, 26) * np.sqrt(26 / 27 * np.square(left - np.mean(left)).sum())
    assert one.rank.value == one.rank_of_best == 2
    assert one.rank.high == pytest.approx(2 + half)
    assert one.rank.low == max(1, 2 - half)


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


# ------------------------------------------------------------------------------------ many judges


def test_each_judge_is_compared_on_the_topics_of_both(small):
    """What a third judge leaves undefined costs the second nothing."""
    given, runs = small
    given["judge2"] = {t: dict.fromkeys(docs, 0) for t, docs in given["judge0"].items()}
    given["judge2"] |= {t: given["judge1"][t] for t in ("t0", "t1", "t2")}
    found = assay.compare_judges(given, runs, "AP", rel=1)
    alone = assay.compare_judges({k: given[k] for k in ("judge0", "judge1")}, runs, "AP", rel=1)
    one, two = found.stability[0].against
    assert (one.topics, two.topics, two.left_out) == (6, 3, 3)
    assert one.coefficients == alone.stability[0].against[0].coefficients
    assert one.bootstrap == alone.stability[0].against[0].bootstrap
    assert found.pairs[0].counts == alone.pairs[0].counts
    assert found.ranges[0].topics == 6


def test_lower_is_better_where_the_measure_says_so(small):
    given, runs = small
    found = assay.compare_judges(given, runs, ["NDPM"])
    means = np.nanmean(assay.evaluate(given, runs, "NDPM").values[:, :, 0], axis=-1)
    one = found.stability[0].against[0]
    assert one.best == found.stability[0].runs[int(np.argmin(means[0]))]
    assert one.rank_of_best == stats.rankdata(means[1])[int(np.argmin(means[0]))]
    ranks = found.ranges[0].ranks.mean(axis=0)
    assert stats.spearmanr(ranks, means.mean(axis=0)).statistic > 0.5


def test_the_overview_has_a_row_for_each_judge_and_measure(small):
    given, runs = small
    given["judge2"] = given["judge1"]
    given["judge3"] = given["judge1"]
    found = assay.compare_judges(given, runs, ["AP(rel=2)", "nDCG@10"], rel=2)
    table = next(t for t in found.tabulars() if t.name == "overview")
    rows = table.records()
    assert [(r["judge"], r["measure"]) for r in rows][:4] == [
        ("judge1", "AP(rel=2)"),
        ("judge2", "AP(rel=2)"),
        ("judge3", "AP(rel=2)"),
        ("judge1", "nDCG@10"),
    ]
    tau = found.stability[1].against[0].coefficients["tau-b"]
    assert (rows[3]["tau-b"], rows[3]["low"]) == (tau.value, tau.low)
    assert rows[0]["D/C"] == found.agreement.pairs[0].micro["overlap"].value
    assert rows[0]["more"] == -found.agreement.pairs[0].micro["bias"].value
    assert len(rows[0]["why"]) == 4
    assert found.main[0] == "overview"


def test_thresholds_and_mappings_by_pattern(small):
    given, runs = small
    share = {t: {d: g / 3 for d, g in docs.items()} for t, docs in given["judge1"].items()}
    judges = {"a": given["judge0"], "gpt.x": share, "gpt.y": given["judge1"]}
    found = assay.compare_judges(judges, runs, "AP", rel={"*": 2, "gpt.x": 0.5})
    x, y = found.agreement.pairs[:2]
    assert np.array_equal(x.binary, y.binary)
    mapped = assay.compare_judges(judges, rel=2, mapping={"*.x": {(0, 1): (0, 3)}})
    x, y = mapped.agreement.pairs[:2]
    assert np.array_equal(x.binary, y.binary)
    assert x.micro["quadratic"].value == pytest.approx(y.micro["quadratic"].value)
    with pytest.raises(AssayError, match="a grade goes to a grade, a range to a range"):
        assay.compare_judges(judges, mapping={(0, 1): 3})
    with pytest.raises(AssayError, match=r"rel: no judge is labelled 'llm\*'; there are a, gpt.x"):
        assay.compare_judges(judges, rel={"llm*": 1})


def test_a_judge_of_another_scale_is_pointed_out(small):
    given, _ = small
    given["judge1"] = {t: dict.fromkeys(docs, 1) for t, docs in given["judge1"].items()}
    given["judge1"]["t0"]["d00"] = 0
    notes = assay.compare_judges(given, rel=2).notes
    assert any("to judge1 nothing is relevant from grade 2 on" in note for note in notes)
    notes = assay.compare_judges(given, rel=1).notes
    assert not any("is relevant from grade" in note for note in notes)


def test_a_measure_with_another_threshold_is_pointed_out(small):
    notes = assay.compare_judges(*small, ["AP", "AP(rel=2)"], rel=2).notes
    (note,) = [note for note in notes if "as relevant" in note]
    assert note.startswith("AP takes grades of at least 1")
    assert note.endswith("AP(rel=2) would take the same")


def test_negative_grades_are_not_judged(small):
    given, _ = small
    grades = given["judge1"]["t1"]
    grades["d01"] = -1
    found = assay.compare_judges(given).agreement.pairs[0]
    without = {**given, "judge1": {**given["judge1"], "t1": dict(grades)}}
    del without["judge1"]["t1"]["d01"]
    expected = assay.compare_judges(without).agreement.pairs[0]
    assert np.array_equal(found.binary, expected.binary)
    zero = assay.compare_judges(given, negative="nonrelevant").agreement.pairs[0]
    assert zero.binary.sum() == expected.binary.sum() + 1


def test_a_universe_must_hold_what_is_judged(small):
    with pytest.raises(AssayError, match=r"universe=10: topic 't0' has 30 judged documents"):
        assay.compare_judges(small[0], universe=10)


def test_in_a_whole_collection_the_machine_counts_every_document():
    """Table 8 as it stands: the cut-off is the rank, whoever judged what stands there."""
    given, runs = collection(seed=4)
    relevant = {
        judge: {t: {d: g for d, g in docs.items() if g >= 2} for t, docs in topics.items()}
        for judge, topics in given.items()
    }
    found = assay.compare_judges(relevant, runs, "AP(rel=2)", rel=2, universe=100)
    machine = found.machines[0]
    for t, topic in enumerate(machine.topics):
        a, b = relevant["judge0"][topic], relevant["judge1"][topic]
        scored = runs["run0"][topic]
        order = sorted(scored, key=lambda d: (scored[d], d), reverse=True)[: len(b)]
        hits = len(set(order) & set(a))
        assert machine.precision[1, t] == pytest.approx(hits / len(b))
        assert machine.recall[0, t] == pytest.approx(len(set(a) & set(b)) / len(a))
    table = found.bands[0].tables[0].sum(axis=(-2, -1))  # of the first run, [topic, band]
    shown = [len(runs["run0"][topic]) for topic in found.agreement.topics]
    assert table.sum(axis=-1).tolist() == shown


def test_where_systems_beat_the_judge_and_by_group(small):
    given, runs = small
    groups = {f"t{t}": "even" if t % 2 == 0 else "odd" for t in range(6)}
    found = assay.compare_judges(given, runs, "AP(rel=2)", rel=2, groups=groups)
    machine = found.machines[0]
    tables = {table.name: table.records() for table in machine.tabulars()}
    won = [(row["system"], row["topic"]) for row in tables["machine-wins"]]
    assert len(won) == machine.wins.sum()
    for row in tables["machine-wins"]:
        assert row["recall"] > row["the judge's"]
    even = [t for t, topic in enumerate(machine.topics) if groups[topic] == "even"]
    mine = [r for r in tables["machine-groups"] if r["system"] == "run1"]
    row = next(r for r in mine if r["group"] == "even")
    assert row["precision"] == pytest.approx(machine.precision[2, even].mean())


def test_differences_of_judgments_have_intervals(small):
    given, runs = small
    found = assay.compare_judges(given, runs, "AP(rel=2)", rel=2)
    values = assay.evaluate(given, runs, "AP(rel=2)").values[:, 0, 0]
    row = found.scores.tabulars()[1].records()[0]
    test = stats.ttest_rel(values[0], values[1])
    low, high = test.confidence_interval(0.95)
    assert (row["judgments"], row["less"]) == ("judge0", "judge1")
    assert row["difference"] == pytest.approx((values[0] - values[1]).mean())
    assert (row["low"], row["high"]) == pytest.approx((low, high))


def test_two_systems_are_compared_by_the_t_test(small):
    given, runs = small
    two = {name: runs[name] for name in ("run0", "run3")}
    found = assay.compare_judges(given, two, "nDCG@10").pairs[0]
    values = assay.evaluate(given, two, "nDCG@10").values[:, :, 0]
    expected = [stats.ttest_rel(x[0], x[1]).pvalue for x in values]
    assert found.p[:, 0] == pytest.approx(expected)
    assert found.test == "paired t test"
