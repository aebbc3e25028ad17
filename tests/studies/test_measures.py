"""`study_measures` against slow twins, against the paper's identities, and on real runs."""

from __future__ import annotations

import json
from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy.stats import kendalltau

import assay
from assay.stats.swaps import BINS, swaps
from assay.studies.measures import GRID_COLUMNS, GRID_ROWS, grid
from shell import assay as shell

MEASURES = ["AP", "P@5", "nDCG@10", "NDPM", "RR"]


def by_hand(judgments, runs, measures):
    """Values by single evaluations: {(run, measure): {topic: value}}."""
    found = {}
    for label, run in runs.items():
        for measure in measures:
            scores = assay.evaluate(judgments, {label: run}, measure)
            found[label, measure] = dict(zip(scores.topics, scores.values[0, 0, 0], strict=True))
    return found


def test_tau_is_that_of_means_signs_kept(small):
    judgments, runs = small
    study = assay.study_measures(judgments, runs, MEASURES, resamples=200, draws=50)
    values = by_hand(judgments, runs, MEASURES)
    means = {
        measure: [np.mean(list(values[run, measure].values())) for run in runs]
        for measure in MEASURES
    }
    for a, b in combinations(MEASURES, 2):
        assert study.of(a, b) == pytest.approx(kendalltau(means[a], means[b]).statistic)
    assert study.of("AP", "NDPM") < 0 < study.of("AP", "nDCG@10")


@pytest.mark.parametrize("short", ["pad", "retrieved"])
def test_the_identities_hold_where_the_paper_breaks_them(small, short):
    judgments, runs = small
    runs = {**runs, "short": {t: dict(list(docs.items())[:3]) for t, docs in runs["run0"].items()}}
    names = [f"{name}(short='{short}')@10" for name in GRID_ROWS]
    study = assay.study_measures(judgments, runs, [*names, "AP", "P@5"], resamples=100, draws=5)
    r1, e1, r2, e2, r3 = range(5)
    np.testing.assert_allclose(study.tau[r3], -study.tau[e1], atol=1e-12)
    np.testing.assert_allclose(study.tau[r2], -study.tau[e2], atol=1e-12)
    assert [round(gap, 12) for *_, gap in study.identities()] == [0, 0]
    assert np.abs(study.tau[r1] + study.tau[e1]).max() > 0.1  # not every pair is opposite


def test_an_identity_that_short_lists_break_is_told():
    judgments = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    runs = {
        "long": {t: {"a": 3.0, "b": 2.0, "x": 1.0} for t in "12"},
        "less": {t: {"b": 3.0, "a": 2.0, "x": 1.0} for t in "12"},
        "short": {t: {"a": 1.0} for t in "12"},
    }
    study = assay.study_measures(judgments, runs, ["RSVr3@3", "RSVe1@3"], resamples=100, draws=5)
    # e1: 1/6, 1/3, 0; r3: 5/6, 2/3, 1/3, for two empty ranks add nothing: tau 1/3 instead of -1
    assert study.of("RSVr3@3", "RSVe1@3") == pytest.approx(1 / 3)
    assert "should rank runs in opposite order and do not" in study.verdict()
    table = next(each for each in study.tabulars() if each.name == "identities")
    assert table.rows[0][-1] == "no"
    assert any("shorter than n" in note for note in table.notes)


def test_the_grid_is_the_papers(small):
    study = assay.study_measures(*small, resamples=100, draws=5)
    table = study.tabulars()[0]
    assert table.name == "grid"
    assert table.heads == ("measure", *GRID_COLUMNS)
    assert [row[0] for row in table.rows] == list(GRID_ROWS)
    assert study.main[0] == "grid"
    assert [str(each) for each in study.measures] == list(grid())


def test_discriminative_power_against_every_permutation():
    """Three runs and four topics have 6^4 permutations: the test's p-values to the last one."""
    x = np.array([[0.9, 0.8, 0.7, 0.9], [0.2, 0.1, 0.3, 0.2], [0.25, 0.05, 0.3, 0.1]])
    ranges = []
    for orders in product(permutations(range(3)), repeat=4):
        means = [np.mean([x[orders[t][r], t] for t in range(4)]) for r in range(3)]
        ranges.append(max(means) - min(means))
    exact = {
        (a, b): np.mean([each >= abs(x[a].mean() - x[b].mean()) - 1e-12 for each in ranges])
        for a, b in combinations(range(3), 2)
    }
    alpha = 0.05
    apart = sum(p <= alpha for p in exact.values())
    assert 0 < apart < 3
    docs = [f"d{i}" for i in range(20)]
    judgments = {f"t{t}": dict.fromkeys(docs, 1) | {"n": 0} for t in range(4)}
    runs = {  # P@20 is the share of the documents retrieved
        f"r{r}": {f"t{t}": dict.fromkeys(docs[: round(20 * x[r, t])], 1.0) for t in range(4)}
        for r in range(3)
    }
    study = assay.study_measures(judgments, runs, "P@20", alpha=alpha, resamples=5000, draws=5)
    power = study.power[0]
    assert (power.pairs, power.significant) == (3, apart)
    bound = sorted(ranges)[-int(alpha * len(ranges)) - 1]
    assert power.least == pytest.approx(bound, abs=0.03)


def splits(topics, size):
    """Every ordered pair of disjoint sets of topics."""
    for first in combinations(range(topics), size):
        rest = [t for t in range(topics) if t not in first]
        for second in combinations(rest, size):
            yield first, second


def test_swap_rate_against_every_split():
    x = np.random.default_rng(3).random((4, 6)).round(2)
    pairs = np.array(list(combinations(range(4), 2)))
    swapped = compared = 0
    bins = np.zeros(BINS)
    for first, second in splits(6, 3):
        for a, b in pairs:
            one = np.mean([x[b, t] - x[a, t] for t in first])
            other = np.mean([x[b, t] - x[a, t] for t in second])
            compared += 1
            swapped += one * other < -1e-15
            bins[min(int(abs(one) / 0.05 + 1e-9), BINS - 1)] += 1
    found = swaps(x, pairs, size=3, width=0.05, draws=20_000)
    assert found.compared.sum() == 20_000 * 6
    assert found.rate == pytest.approx(swapped / compared, abs=0.01)
    np.testing.assert_allclose(found.compared / found.compared.sum(), bins / compared, atol=0.01)


def test_swaps_by_a_loop_over_the_same_draws():
    """Every comparison and every swap, counted one by one."""
    x = np.random.default_rng(5).random((5, 9)).round(3)
    pairs = np.array(list(combinations(range(5), 2)))
    found = swaps(x, pairs, size=4, width=0.02, draws=40, seed=7)
    compared, swapped = np.zeros(BINS, int), np.zeros(BINS, int)
    orders = np.random.default_rng([7, 0]).random((40, 9)).argsort(axis=-1)
    for order in orders.tolist():
        for a, b in pairs:
            one, other = (
                sum(x[b, t] - x[a, t] for t in half) / 4 for half in (order[:4], order[4:8])
            )
            place = min(int(abs(one) / 0.02 + 1e-9), BINS - 1)
            compared[place] += 1
            swapped[place] += one * other < -1e-15
    np.testing.assert_array_equal(found.compared, compared)
    np.testing.assert_array_equal(found.swapped, swapped)
    for most in (0.5, 0.2, 0.05, 0.0):
        safe = [
            i
            for i in range(BINS)
            if all(swapped[j] <= most * compared[j] for j in range(i, BINS)) and compared[i:].any()
        ]
        if safe:
            assert found.needed(most) == pytest.approx(0.02 * safe[0])
            share = compared[safe[0] :].sum() / compared.sum()
            assert found.reached(found.needed(most)) == pytest.approx(share)
        else:
            assert np.isnan(found.needed(most))


def test_verdict_says_that_discriminative_is_not_valid(small):
    study = assay.study_measures(*small, ["AP", "P@5"], resamples=100, draws=5)
    assert "Discriminative is not valid" in study.verdict()
    assert "Over 6 topics and 5 runs the tau of AP and P@5 is " in study.verdict()


def test_a_measure_by_which_all_runs_are_equal():
    judgments = {t: {"a": 1, "b": 1} for t in "12"}
    runs = {"x": {t: {"a": 2.0, "n": 1.0} for t in "12"}, "y": {t: {"b": 2.0} for t in "12"}}
    study = assay.study_measures(judgments, runs, ["P@1", "P@2"], resamples=100, draws=5)
    assert np.isnan(study.of("P@1", "P@2"))
    assert study.notes[-1] == "P@2: every run has the mean 0.5, so it ranks none of them"
    assert "No two measures can be compared" in study.verdict()
    assert np.isnan(study.power[0].least)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": "NumRet"}, "NumRet: a count over all topics"),
        ({"runs": ["run0"]}, "one run \\(run0\\): a study compares at least two"),
        ({"topics": ["t0"]}, "on 1 of 1 topics .* needs at least 2"),
        ({"alpha": 2}, "alpha"),
        ({"draws": 0}, "draws=0: must be a whole number of at least 1"),
        ({"judges": True}, "2 judgment sets \\(a, b\\): a study of runs takes one"),
    ],
)
def test_errors(small, change, message):
    judgments, runs = small
    runs = {name: runs[name] for name in change.pop("runs", runs)}
    judgments = {name: judgments[name] for name in change.pop("topics", judgments)}
    if change.pop("judges", False):
        judgments = {"a": judgments, "b": judgments}
    measures = change.pop("measures", "AP")
    with pytest.raises(assay.AssayError, match=message):
        assay.study_measures(judgments, runs, measures, **change)


# ------------------------------------------------------------------------------------------ shell


def test_from_the_shell(files):
    runs = [f"run{i}.run" for i in range(5)]
    words = ("study", "measures", "q.txt", *runs, "--resamples", "100", "--draws", "5")
    result = shell(*words)
    assert result.exit_code == 0, result.output
    assert "tau: measure  IPrec@0.0" in result.stdout
    assert "no -m given: the grid" in result.stderr
    page = json.loads(shell(*words, "-o", "json").stdout)
    names = ["grid", "tau", "intervals", "power", "swaps", "identities", "means"]
    assert [table["name"] for table in page["tables"]] == names
    assert page["verdict"]
    rows = shell(*words, "-o", "csv", "--show", "power").stdout.splitlines()
    assert rows[0].startswith("measure,pairs,apart,power")
    assert len(rows) == 15
    assert "\\toprule" in shell(*words, "-o", "latex").stdout
    assert "| measure" in shell(*words, "-o", "markdown", "--show", "intervals").stdout.replace(
        "| tau: measure", "| measure"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["q.txt"], "expected JUDGMENTS and two RUNs or more, found 1 file(s)"),
        (["q.txt", "run0.run", "run1.run", "--show", "x"], "--show x: no such table; there are"),
        (["q.txt", "run0.run", "run1.run", "-m", "nDGC"], "did you mean 'nDCG'"),
    ],
)
def test_what_a_user_gets_wrong(files, words, message):
    result = shell("study", "measures", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") <= 2


def test_a_word_that_is_no_study(files):
    assert shell("study", "mesures").stderr == (
        "assay: no study 'mesures'; did you mean 'measures'?  All studies: assay study --help\n"
    )


@pytest.mark.parametrize("name", ["trec-covid-r3", "dl21"])
def test_on_real_runs(large, name):
    """Every run that there is; the identities that the paper's own table breaks."""
    judgments, runs = large[name]
    study = assay.study_measures(judgments, runs, resamples=200, draws=100)
    assert len(study.runs) == len(runs)
    assert all(gap < 1e-9 for *_, gap in study.identities())
    means = dict(zip(map(str, study.measures), study.means.T, strict=True))
    expected = kendalltau(means["AP"], means["P@10"]).statistic
    assert study.of("AP", "P@10") == pytest.approx(expected)
