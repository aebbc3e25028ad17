"""`study_gains` against slow loops of single evaluations, scipy, and hand-made merges."""

from __future__ import annotations

import json
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from scipy import stats

import assay
from assay.studies.bench import Bench
from assay.studies.weights import Merge, merge, merges, scheme, schemes
from shell import assay as shell

SCHEMES = {
    "0-1-1-1": {1: 1, 2: 1, 3: 1},
    "0-0-0-1": {1: 0, 2: 0, 3: 1},
    "0-1-10-100": {1: 1, 2: 10, 3: 100},
    "0-1-2-3": {1: 1, 2: 2, 3: 3},
}


def regraded(judgments, table):
    """Judgments whose grades are the weights themselves."""
    return {
        topic: {doc: table.get(grade, grade) for doc, grade in docs.items()}
        for topic, docs in judgments.items()
    }


def single(judgments, runs, measure):
    """Values [run, topic] by one evaluation for each run and topic; NaN where undefined."""
    out = np.full((len(runs), len(judgments)), np.nan)
    for r, run in enumerate(runs.values()):
        for t, topic in enumerate(judgments):
            given = {topic: run[topic]} if topic in run else {"other": {"x": 1.0}}
            judged = {topic: judgments[topic], **({} if topic in run else {"other": {"x": 1}})}
            scores = assay.evaluate(judged, {"r": given}, measure)
            out[r, t] = scores.values[0, 0, 0, scores.topics.index(topic)]
    return out


@pytest.fixture
def study(small):
    return assay.study_gains(*small, sweep=8, collapse="all", resamples=500)


def test_table_ii_by_single_evaluations(small, study):
    """Grades replaced by weights, gain linear: no gain table is involved."""
    judgments, runs = small
    assert len(study.rows) == 8
    for row in study.rows:
        measure = {"AvgnCG": "AvgnCG@200", "AvgnDCG_JK": "AvgnDCG_JK(b=2)@200"}[row.name]
        x = single(regraded(judgments, SCHEMES[str(row.weights)]), runs, measure)
        x = x[:, ~np.isnan(x).any(axis=0)]
        assert len(row.topics) == x.shape[1]
        np.testing.assert_allclose(row.means, x.mean(axis=1), atol=1e-11)
        expected = stats.friedmanchisquare(*x)
        assert row.tests.friedman.chi_square == pytest.approx(expected.statistic)
        assert row.tests.friedman.p == pytest.approx(expected.pvalue)
        assert row.tests.anova.f == pytest.approx(two_way(x))


def two_way(x):
    """F of the rows of x[run, topic] with the interaction as error, sum by sum."""
    R, T = x.shape
    grand = x.mean()
    between = T * sum((x[r].mean() - grand) ** 2 for r in range(R)) / (R - 1)
    error = sum(
        (x[r, t] - x[r].mean() - x[:, t].mean() + grand) ** 2 for r in range(R) for t in range(T)
    )
    return between / (error / ((R - 1) * (T - 1)))


def holm(p):
    """Holm's correction, step by step."""
    p, out, last = np.asarray(p), np.empty(len(p)), 0.0
    for step, i in enumerate(np.argsort(p, kind="stable")):
        last = out[i] = max(last, min(1.0, p[i] * (len(p) - step)))
    return out


def test_pairs_after_friedman_are_conovers(study, small):
    """t = gap of rank sums / sqrt(2 (n sum r^2 - sum R^2) / ((n - 1)(k - 1))), by hand."""
    judgments, runs = small
    row = study.rows[0]
    x = single(regraded(judgments, SCHEMES["0-1-1-1"]), runs, "AvgnCG@200")
    ranks = np.apply_along_axis(stats.rankdata, 0, x)
    k, n = x.shape
    sums = ranks.sum(axis=1)
    error = np.sqrt(2 * (n * (ranks**2).sum() - (sums**2).sum()) / ((n - 1) * (k - 1)))
    t = [abs(sums[b] - sums[a]) / error for a, b in combinations(range(k), 2)]
    p = [2 * stats.t.sf(each, (n - 1) * (k - 1)) for each in t]
    np.testing.assert_allclose(row.tests.rank_p, holm(p), atol=1e-9)


def test_the_sweep_is_one_family(study, small):
    judgments, runs = small
    found = next(
        each
        for each in study.sweeps
        if (each.name, str(each.weights)) == ("AvgnDCG_JK", "0-1-10-100")
    )
    assert found.depths == tuple(range(1, 9))
    weighed = regraded(judgments, SCHEMES["0-1-10-100"])
    p, pair_p = [], []
    for depth in found.depths:
        x = single(weighed, runs, f"AvgnDCG_JK@{depth}").round(12)
        p.append(stats.friedmanchisquare(*x).pvalue)
        ranks = np.apply_along_axis(stats.rankdata, 0, x)
        k, n = x.shape
        sums = ranks.sum(axis=1)
        error = np.sqrt(2 * (n * (ranks**2).sum() - (sums**2).sum()) / ((n - 1) * (k - 1)))
        pair_p += [
            2 * stats.t.sf(abs(sums[b] - sums[a]) / error, (n - 1) * (k - 1))
            for a, b in combinations(range(k), 2)
        ]
    np.testing.assert_allclose(found.p, p, atol=1e-9)
    np.testing.assert_allclose(found.corrected, holm(p), atol=1e-9)
    np.testing.assert_allclose(found.pair_p.ravel(), holm(pair_p), atol=1e-9)
    assert found.apart.sum() == (holm(pair_p) <= 0.05).sum()


def test_scenarios_by_name(study, small):
    judgments, runs = small
    impatient, patient = study.scenarios
    for found, table, measure in (
        (impatient, SCHEMES["0-1-10-100"], "AvgnDCG_JK(b=2)@30"),
        (patient, SCHEMES["0-1-2-3"], "AvgnDCG_JK(b=10)@200"),
    ):
        x = single(regraded(judgments, table), runs, measure)
        np.testing.assert_allclose(found.means, x.mean(axis=1), atol=1e-11)
    assert [each.scenario.name for each in study.scenarios] == ["impatient", "patient"]


def test_superior_in_one_scenario_only():
    """`early` has the one perfect document first; `late` has all others, but later."""
    docs = [f"d{i:03}" for i in range(60)]
    judgments, runs = {}, {"early": {}, "late": {}, "other": {}}
    for t in range(12):
        judgments[f"t{t}"] = dict.fromkeys(docs, 1) | {"top": 3}
        filler = [f"n{i}" for i in range(200)]
        lists = {
            "early": ["top", *filler[: 40 + t]],
            "late": [*filler[:30], *docs, "top"],
            "other": [*filler[:60], *docs[: 20 + t]],
        }
        for name, order in lists.items():
            runs[name][f"t{t}"] = {doc: float(-i) for i, doc in enumerate(order)}
    study = assay.study_gains(judgments, runs, sweep=None, resamples=2000)
    table = next(each for each in study.tabulars() if each.name == "one-scenario")
    rows = {(row[0], row[1], row[2]) for row in table.rows}
    assert ("impatient", "early", "late") in rows
    assert ("patient", "late", "early") in rows
    assert "find early and late best" in study.verdict()
    counts = next(each for each in study.tabulars() if each.name == "scenarios").records()
    for record in counts:
        for user in ("impatient", "patient"):
            mine = [row for row in rows if row[:2] == (user, record["run"])]
            assert record[f"only {user}"] == len(mine)


def test_every_merge_of_levels_once():
    made = [each.classes for each in merges(3)]
    expected = {
        classes
        for classes in product(range(4), repeat=4)
        if classes[0] == 0
        and classes[-1] > 0
        and all(b - a in (0, 1) for a, b in pairwise(classes))
    }
    assert len(made) == len(expected) == 7
    assert set(made) == expected
    assert made[0] == (0, 1, 2, 3)
    assert str(Merge((0, 0, 1, 2))) == "0 1|2|3"


def test_merged_levels_by_single_evaluations(study, small):
    judgments, runs = small
    assert len(study.merged) == 7 * 2
    plain = {name: single(judgments, runs, f"{name}@200") for name in ("AvgnCG", "AvgnDCG_JK")}
    for each in study.merged:
        name = each.name.removesuffix("@200")
        x = single(regraded(judgments, dict(enumerate(each.merge.classes))), runs, f"{name}@200")
        before = plain[name]
        kept = ~np.isnan(x).any(axis=0) & ~np.isnan(before).any(axis=0)
        x, before = x[:, kept].mean(axis=1), before[:, kept].mean(axis=1)
        np.testing.assert_allclose(each.means, x, atol=1e-11)
        assert each.tau == pytest.approx(stats.kendalltau(x.round(11), before.round(11)).statistic)
        flipped = sum(
            (x[b] - x[a]) * (before[b] - before[a]) < -1e-20
            for a, b in combinations(range(len(runs)), 2)
        )
        assert each.turned.sum() == flipped
        if each.merge.classes == (0, 1, 2, 3):
            assert not each.lost.any()
            assert not each.won.any()


def test_a_merge_can_turn_a_conclusion_round():
    """`many` finds three documents of grade 1, `best` the one of grade 4: binary grades flip it."""
    judgments, runs = {}, {"many": {}, "best": {}}
    for t in range(20):
        judgments[f"t{t}"] = {"a": 1, "b": 1, "c": 1, "top": 4}
        runs["many"][f"t{t}"] = {"a": 9.0, "b": 8.0, "c": 7.0 - t / 100, "n": 1.0}
        runs["best"][f"t{t}"] = {"n": 9.0, "top": 8.0, "m": 2.0}
    study = assay.study_gains(
        judgments, runs, "nCG@3", sweep=None, collapse="all", weights="0-1-2-3-4", resamples=500
    )
    found = {str(each.merge): each for each in study.merged}
    binary = found["0|1 2 3 4"]
    assert binary.overturned.all()  # 3/6 against 4/6; 3/3 against 1/3
    assert "significant differences are turned round" in study.verdict()
    table = next(each for each in study.tabulars() if each.name == "flips")
    row = next(row for row in table.rows if row[0] == "0|1 2 3 4")
    assert row[:5] == ("0|1 2 3 4", "nCG@3", "reversed", "best", "many")
    assert row[5:8:2] == pytest.approx((4 / 6 - 3 / 6, 1 / 3 - 1))


def test_where_the_two_tests_differ(small, study):
    table = next(each for each in study.tabulars() if each.name == "differ")
    tests = next(each for each in study.tabulars() if each.name == "tests")
    counts = {row[0]: row[-2] for row in tests.rows}
    for label, count in counts.items():
        mine = [row for row in table.rows if row[0] == label]
        assert len(mine) == count
        for row in mine:
            friedman, anova, by = row[3:]
            assert (by == "Friedman") == (friedman <= 0.05) or (by == "ANOVA") == (anova <= 0.05)
            assert (friedman <= 0.05) != (anova <= 0.05) or by == "ANOVA"


def test_stars_and_signs(study):
    tests = next(each for each in study.tabulars() if each.name == "tests").records()
    for record, row in zip(tests, study.rows, strict=True):
        p = row.tests.friedman.p
        assert record["stars"] == ("**" if p < 0.01 else "*" if p < 0.05 else "")
        if p > 0.05:
            assert record["significant"] == "-"
    assert any(" > run4" in record["significant"] for record in tests)


def test_other_scales_get_the_same_kinds_of_weights(small):
    judgments, runs = small
    three = regraded(judgments, {3: 2})
    study = assay.study_gains(three, runs, sweep=None, scenarios=())
    assert list(dict.fromkeys(str(row.weights) for row in study.rows)) == [
        "0-1-1", "0-0-1", "0-1-10", "0-1-2",
    ]  # fmt: skip
    assert [str(each) for each in schemes(1).values()] == ["0-1"] * 4


def test_bases_depths_and_other_measures(small):
    judgments, runs = small
    study = assay.study_gains(
        judgments, runs, ["nDCG_JK", "Q@5", "nDCG_JK(b=3)"], weights=["0-1-2-3", {3: 5}],
        bases=(2, 10), depths=(5, 20), sweep=None, scenarios="patient",
    )  # fmt: skip
    made = {str(row.measure) for row in study.rows}
    assert "nDCG_JK(b=10,gains={1:1,2:2,3:3})@20" in made
    assert "nDCG_JK(gains={1:0,2:0,3:5})@5" in made
    assert "Q(gains={1:1,2:2,3:3})@5" in made
    assert len(made) == 2 * (2 * 2 + 2 + 1)
    assert [each.scenario.name for each in study.scenarios] == ["patient"]


@pytest.mark.parametrize("policies", [{}, {"unjudged": "condensed"}, {"missing": "skip"}])
def test_the_bench_is_evaluate(small, policies):
    judgments, runs = small
    runs = {**runs, "short": {"t0": {"d01": 3.0, "x": 2.0}}}
    bench = Bench.of(judgments, runs, **policies)
    assert (bench.panel is None) == bool(policies)
    measures = [assay.parse(name) for name in ("AvgnCG@7", "nDCG@5", "ERR@5", "AP", "NDPM")]
    tables = ({}, {1: 0, 2: 1, 3: 1})
    found = bench.values(measures, tables=tables)
    for t, table in enumerate(tables):
        scores = assay.evaluate(regraded(judgments, table), runs, measures, **policies)
        np.testing.assert_allclose(found[t], scores.values[0], atol=1e-12)


def test_grades_below_0_go_another_way(small):
    judgments, runs = small
    judgments = {topic: {**docs, "unjudged1": -1} for topic, docs in judgments.items()}
    bench = Bench.of(judgments, runs)
    assert bench.panel is None
    measure = assay.parse("nDCG@5")
    scores = assay.evaluate(judgments, runs, measure)
    np.testing.assert_allclose(bench.values([measure])[0], scores.values[0])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"weights": "0-1-10"}, "3 of them, but grades go up to 3; expected 4, such as 0-1-10-100"),
        ({"weights": "0-1-x-2"}, "expected one for each level"),
        ({"weights": "1-1-1-1"}, "must be 0 for level 0"),
        ({"weights": []}, "no weights"),
        ({"measures": "AP"}, "takes no weights of levels; these do: CG"),
        ({"measures": "nDCG(gains={1:5})"}, "leave gains= out"),
        ({"measures": "RHL@5"}, "lower is better"),
        ({"bases": (1,)}, "a base above 1"),
        ({"depths": (0,)}, "depths=0"),
        ({"depths": ()}, "no depth"),
        ({"sweep": 0}, "sweep=0"),
        ({"scenarios": "lazy"}, "no scenario 'lazy'; there are impatient, patient"),
        ({"collapse": "0-1"}, "expected 4 classes"),
        ({"collapse": "0-0-0-0"}, "at least two of them"),
        ({"collapse": "some"}, "expected 'all', or the class of each level"),
    ],
)
def test_errors(small, settings, message):
    with pytest.raises(assay.AssayError, match=message):
        assay.study_gains(*small, **settings)


@pytest.mark.parametrize(
    ("grades", "message"),
    [
        ({"a": 0.5}, "grade 0.5 is no level"),
        ({"a": 0}, "no grade above 0"),
    ],
)
def test_grades_that_are_no_levels(small, grades, message):
    with pytest.raises(assay.AssayError, match=message):
        assay.study_gains({"t0": grades, "t1": grades}, small[1])


def test_levels_by_the_dozen_cannot_all_be_merged():
    with pytest.raises(assay.AssayError, match="13 levels have 4,095 merges"):
        merges(12)
    assert merge("0-1-1-1", 3).classes == (0, 1, 1, 1)
    assert str(scheme({2: 5}, 3)) == "0-0-5-0"


# ------------------------------------------------------------------------------------------ shell


def test_from_the_shell(files):
    runs = [f"run{i}.run" for i in range(5)]
    words = ("study", "gains", "q.txt", *runs, "--sweep", "5", "--resamples", "100")
    result = shell(*words, "--collapse", "all")
    assert result.exit_code == 0, result.output
    assert "averages: run  AvgnCG 0-1-1-1  AvgnDCG_JK 0-1-1-1" in result.stdout
    assert "The impatient user and the patient one" in result.stdout
    page = json.loads(shell(*words, "--collapse", "0-0-1-1", "-o", "json").stdout)
    assert [table["name"] for table in page["tables"]] == [
        "averages", "tests", "differ", "sweep", "depths", "scenarios", "one-scenario", "collapse",
        "flips",
    ]  # fmt: skip
    merged = {row["levels"] for row in page["tables"][-2]["rows"]}
    assert merged == {"0|1|2|3", "0 1|2 3"}
    rows = shell(*words, "-o", "csv", "--show", "depths", "--weights", "0-1-2-3").stdout
    assert len(rows.splitlines()) == 1 + 2 * 5
    less = shell(*words, "--no-sweep", "--scenario", "patient", "--base", "3", "--depth", "7")
    assert "depth:" not in less.stdout
    assert "to rank 7, base of the logarithm 3" in less.stdout
    assert "\\toprule" in shell(*words, "-o", "latex").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--weights", "0-1"], "2 of them, but grades go up to 3"),
        (["--collapse", "x"], "collapse 'x': expected 'all', or the class of each level"),
        (["--base", "1"], "a logarithm needs a base above 1"),
        (["-m", "AP"], "AP: takes no weights of levels"),
    ],
)
def test_what_a_user_gets_wrong(files, words, message):
    result = shell("study", "gains", "q.txt", "run0.run", "run1.run", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


@pytest.mark.parametrize("name", ["trec-covid-r3", "dl21"])
def test_on_real_runs(large, name):
    judgments, runs = large[name]
    study = assay.study_gains(judgments, runs, sweep=None, collapse="all", resamples=200)
    top = 2 if name == "trec-covid-r3" else 3
    assert len(study.merged) == (2**top - 1) * 2
    assert len(study.runs) == len(runs)
    binary = study.rows[0]
    assert str(binary.weights) == ("0-1-1" if top == 2 else "0-1-1-1")
    scores = assay.evaluate(judgments, runs[:1], "AvgnCG(gains={1:1,2:1,3:1})@200")
    assert binary.means[0] == pytest.approx(np.nanmean(scores.values[0, 0, 0]))


@pytest.mark.proof
@pytest.mark.parametrize("name", ["trec-covid-r3", "dl21"])
def test_the_whole_sweep_on_real_runs(large, name):
    study = assay.study_gains(*large[name])
    assert all(each.depths[-1] == 200 for each in study.sweeps)
    assert (study.sweeps[0].corrected >= study.sweeps[0].p).all()
