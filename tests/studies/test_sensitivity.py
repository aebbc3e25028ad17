"""The artificial collection against the paper's figures, slow loops, and single evaluations."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest

import assay
from assay.studies.sensitivity import CONCENTRATION, _Collection
from shell import assay as shell

# shared/papers/GOLDEN.md, section 4: another simulation of the same experiment, two decimals
UNIFORM = {
    "nDCG(gain='exp')@100": (0.83, 0.66, 0.56, 0.44),
    "muAP": (0.56, 0.56, 0.57, 0.57),
    "NDCNG@100": (0.83, 0.83, 0.84, 0.84),
}
SKEWED = {
    "nDCG(gain='exp')@100": (0.72, 0.69, 0.57, 0.46),
    "muAP": (0.52, 0.57, 0.57, 0.58),
    "NDCNG@100": (0.72, 0.84, 0.85, 0.85),
}


@pytest.fixture(scope="module")
def study():
    """The defaults: 100 items, 99 swaps, 100 repeats."""
    return assay.study_sensitivity()


def last(study, distribution):
    return {
        str(each.measure): each.means for each in study.found if each.distribution == distribution
    }


def test_the_papers_figure_with_uniform_grades(study):
    found = last(study, "uniform")
    for measure, expected in UNIFORM.items():
        np.testing.assert_allclose(found[measure], expected, atol=0.035)
    assert np.ptp(found["muAP"]) < 0.01
    assert np.ptp(found["NDCNG@100"]) < 0.015


def test_the_papers_figure_with_skewed_grades(study):
    found = last(study, "skewed")
    for measure, expected in SKEWED.items():
        np.testing.assert_allclose(found[measure][1:], expected[1:], atol=0.035)
        assert found[measure][0] == pytest.approx(
            expected[0], abs=0.06
        )  # half the lists lean one way


def test_which_depend_on_the_number_of_levels(study):
    depends = {(str(e.measure), e.distribution): e.depends for e in study.found}
    assert depends == {
        ("nDCG(gain='exp')@100", "uniform"): "yes",
        ("nDCG(gain='exp')@100", "skewed"): "yes",
        ("muAP", "uniform"): "no",
        ("muAP", "skewed"): "no",
        ("NDCNG@100", "uniform"): "no",
        ("NDCNG@100", "skewed"): "with 2",
    }
    assert "depends on the number of levels; muAP and NDCNG@100 do not" in study.verdict()
    assert "NDCNG@100 differs with 2 levels alone" in study.verdict()


def test_no_swap_is_the_ideal_and_curves_fall(study):
    for measure in UNIFORM:
        for levels in study.levels:
            curve = study.curve(measure, levels)
            assert len(curve) == 100
            assert curve[0] == pytest.approx(1)
            assert curve[10] > curve[50] > curve[99]


def test_the_same_experiment_in_a_slow_loop():
    """Shuffled by `random`, graded and scored by hand: nDCG and muAP after 30 swaps of 20 items."""
    rng, repeats, items, swaps = random.Random(4), 400, 20, 30
    found = {(name, levels): [] for name in ("nDCG", "muAP") for levels in (2, 5)}
    for _ in range(repeats):
        order = list(range(items))
        for _ in range(swaps):
            i, j = rng.sample(range(items), 2)
            order[i], order[j] = order[j], order[i]
        for levels in (2, 5):
            grades = [levels - 1 - item * levels // items for item in order]
            gains = [(2**g - 1) / math.log2(i + 2) for i, g in enumerate(grades)]
            ideal = [
                (2**g - 1) / math.log2(i + 2) for i, g in enumerate(sorted(grades, reverse=True))
            ]
            found["nDCG", levels].append(sum(gains) / sum(ideal))
            aps = []
            for level in range(1, levels):
                ranks = [i + 1 for i, g in enumerate(grades) if g >= level]
                aps.append(sum((n + 1) / r for n, r in enumerate(ranks)) / len(ranks))
            found["muAP", levels].append(sum(aps) / len(aps))
    study = assay.study_sensitivity(
        ["nDCG(gain='exp')", "muAP"],
        levels=(2, 5),
        items=items,
        swaps=swaps,
        repeats=repeats,
        distributions="uniform",
    )
    for name, measure in (("nDCG", "nDCG(gain='exp')"), ("muAP", "muAP")):
        for levels in (2, 5):
            mine = found[name, levels]
            error = np.std(mine) / math.sqrt(repeats) * math.sqrt(2)
            assert study.curve(measure, levels)[-1] == pytest.approx(np.mean(mine), abs=4 * error)


@pytest.mark.parametrize(
    "measure", ["NDPM", "ERR@5", "RBP", "Q", "Bpref", "NumPref", "DCG@3", "RR"]
)
def test_any_measure_by_single_evaluations(measure):
    """Each list of a small collection, scored by `evaluate`."""
    sizes = {"items": 7, "swaps": 4, "repeats": 3}
    study = assay.study_sensitivity(
        [measure], levels=(2, 4), distributions="uniform", seed=5, **sizes
    )
    orders = _Collection(**sizes, seed=5).orders(0, 3)
    for levels in (2, 4):
        expected = []
        for swapped in range(5):
            total = []
            for repeat in range(3):
                items = orders[repeat, swapped].tolist()
                grade = {f"d{item}": levels - 1 - item * levels // 7 for item in items}
                run = {f"d{item}": float(7 - i) for i, item in enumerate(items)}
                scores = assay.evaluate({"t": grade}, {"t": run}, measure)
                total.append(scores.values[0, 0, 0, 0])
            expected.append(np.mean(total))
        np.testing.assert_allclose(study.curve(measure, levels), expected, atol=1e-12)


def test_each_swap_moves_two_items():
    orders = _Collection(items=9, swaps=20, repeats=6, seed=1).orders(2, 6)
    assert (orders[:, 0] == np.arange(9)).all()
    assert (np.sort(orders, axis=-1) == np.arange(9)).all()
    assert ((orders[:, 1:] != orders[:, :-1]).sum(axis=-1) == 2).all()


def test_uniform_levels_hold_equally_many_and_skewed_ones_do_not():
    made = _Collection(items=100, swaps=1, repeats=400, seed=0)
    for levels in (2, 10, 20, 50):
        grade = made.grades("uniform", levels, 0, 1)[0]
        assert (np.bincount(grade.astype(int)) == 100 // levels).all()
    skewed = made.grades("skewed", 2, 0, 400)
    assert (np.diff(skewed, axis=-1) <= 0).all()
    share = skewed.mean(axis=-1)
    # Beta(.5, .5): mean 1/2, variance 1/8, to which counting 100 items adds (1/4 - 1/8) / 100
    assert CONCENTRATION == 0.5
    assert share.mean() == pytest.approx(0.5, abs=0.06)
    assert share.var() == pytest.approx(0.125 + 0.00125, abs=0.02)


def test_the_seed_decides_and_blocks_do_not(monkeypatch):
    words = {"items": 10, "swaps": 5, "repeats": 8}
    one = assay.study_sensitivity("AP", **words, seed=3)
    monkeypatch.setattr("assay.studies.sensitivity.CELLS", 100)
    again = assay.study_sensitivity("AP", **words, seed=3)
    np.testing.assert_array_equal(one.curves, again.curves)
    other = assay.study_sensitivity("AP", **words, seed=4)
    assert not np.array_equal(one.curves, other.curves)


def test_lists_without_a_relevant_item_are_told():
    study = assay.study_sensitivity(
        "AP", items=3, swaps=2, repeats=40, levels=(2, 3), distributions="skewed"
    )
    assert 0 < study.found[0].undefined < 80
    assert "undefined on" in study.notes[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"levels": (2,)}, "at least two scales"),
        ({"levels": (1, 2)}, "levels=1: must be a whole number of at least 2"),
        ({"items": 1}, "items=1"),
        ({"swaps": 0}, "swaps=0"),
        ({"repeats": 1}, "repeats=1"),
        ({"seed": -1}, "seed=-1"),
        ({"tolerance": 0}, "tolerance=0: must lie between 0 and 1"),
        ({"distributions": "normal"}, "distribution 'normal': must be one of 'uniform', 'skewed'"),
        ({"measures": "Coverage(known='x')"}, "sets of documents by name"),
    ],
)
def test_errors(settings, message):
    with pytest.raises(assay.AssayError, match=message):
        assay.study_sensitivity(**settings)


# ------------------------------------------------------------------------------------------ shell

SMALL = ("study", "sensitivity", "--items", "10", "--swaps", "5", "--repeats", "5")


def test_from_the_shell():
    result = shell(*SMALL, "-m", "AP", "-m", "nDCG@5", "--levels", "2,3")
    assert result.exit_code == 0, result.output
    assert "sensitivity: measure  grades   2 levels  3 levels" in result.stdout
    page = json.loads(shell(*SMALL, "-o", "json", "--grades", "uniform").stdout)
    assert [table["name"] for table in page["tables"]] == ["sensitivity", "curves"]
    rows = shell(*SMALL, "-o", "csv", "--show", "curves", "-m", "AP").stdout.splitlines()
    assert len(rows) == 1 + 2 * 4 * 6


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--levels", "2,x"], "--levels 2,x: expected whole numbers, such as 2,10,20,50"),
        (["a.run"], "a.run: RUN... and --quantiles go with --virtual-user RUN"),
        (["--quantiles", "3"], "--quantiles: RUN... and --quantiles go with"),
        (["--virtual-user", "x"], "--virtual-user x: expected RUN..., the runs to score"),
        (["-m", "Coverage(known=x)"], "sets of documents by name"),
    ],
)
def test_what_a_user_gets_wrong(words, message):
    result = shell("study", "sensitivity", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
