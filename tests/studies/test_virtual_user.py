"""A run's scores as grades: the run itself must score 1."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import assay
from shell import assay as shell

TOPICS = 6


@pytest.fixture
def letor(tmp_path, monkeypatch):
    """Three features: a coarse score, nearly the same finer, and noise below 0."""
    monkeypatch.chdir(tmp_path)
    rng = random.Random(1)
    with (tmp_path / "features.txt").open("w") as file:
        for topic in range(TOPICS):
            for doc in range(20):
                x = rng.randint(0, 5)
                fine, noise = x + rng.random() * 0.5, rng.random() * 3 - 2
                line = f"{x // 3} qid:{topic} 1:{x} 2:{fine:.3f} 3:{noise:.3f} #docid = D{doc}\n"
                file.write(line)
    return "features.txt"


def test_the_reference_scores_1(letor):
    study = assay.study_virtual_user(letor, ["1", "2", "3"], quantiles=(2, 4))
    assert study.runs == ("1", "2", "3")
    assert study.scales == ("scores", "2 quantiles", "4 quantiles")
    np.testing.assert_allclose(study.own(), 1, atol=1e-12)
    assert "the references score 1 by every measure" in study.verdict()
    assert "By every measure 2 is nearest to 1." in study.verdict()
    assert study.levels[0].tolist() == [6, 2, 4]


def test_grades_are_the_scores(letor):
    """Against judgments written down as the scores are; below 0 they are shifted by topic."""
    study = assay.study_virtual_user(letor, ["1", "3"], ["muAP", "nDCG@5"])
    runs = assay.read_runs(letor)
    for u, user in enumerate(("1", "3")):
        judged = runs[user].to_dict()
        if user == "3":
            judged = {
                topic: {doc: score - min(0, *docs.values()) for doc, score in docs.items()}
                for topic, docs in judged.items()
            }
        scores = assay.evaluate(
            judged, {name: run.to_dict() for name, run in runs.items()}, ["muAP", "nDCG@5"]
        )
        np.testing.assert_allclose(
            study.means[u, 0], np.nanmean(scores.values[0], axis=-1), atol=1e-12
        )
    assert any("scores below 0 on 6 topics" in note for note in study.notes)


def test_quantiles_by_hand():
    """Of 5 documents 0, 1, 1, 3, 4 score lower than each: of 2 levels those with 3 and 4 are 1."""
    run = {"t": {"a": 9.0, "b": 5.0, "c": 3.0, "d": 3.0, "e": -2.0}}
    other = {"t": {"e": 3.0, "b": 2.0, "a": 1.0}}
    study = assay.study_virtual_user(
        {"one": run, "two": other}, "one", ["P@1", "DCG@3"], quantiles=[2, 5], scores=False
    )
    assert study.levels.tolist() == [[2, 4]]
    # two levels: a 1, b 1; five levels: lower 4 3 1 1 0 of 5, so a 4, b 3, c 1, d 1, e 0
    discounts = [1, 1 / np.log2(3), 1 / 2]
    np.testing.assert_allclose(study.means[0, 0, 1], [0, discounts[1] + discounts[2]])
    np.testing.assert_allclose(study.means[0, 1, 1], [0, 3 * discounts[1] + 4 * discounts[2]])
    assert "must score 1 under its own grades, and one scores 1.631 by DCG@3" in study.verdict()


def test_the_number_of_levels_moves_ndcg_alone(letor):
    study = assay.study_virtual_user(letor, "2", quantiles=2)
    change = dict(zip(map(str, study.measures), study.change()[0, 1], strict=True))
    assert change["nDCG(gain='exp')@100"] > change["NDCNG@100"]


@pytest.mark.parametrize(
    ("users", "settings", "message"),
    [
        ("4", {}, "no run is labelled '4'; there are 1, 2, 3"),
        ("1", {"quantiles": 1}, "quantiles=1: must be a whole number of at least 2"),
        ("1", {"scores": False}, "leaves no grades"),
    ],
)
def test_errors(letor, users, settings, message):
    with pytest.raises(assay.AssayError, match=message):
        assay.study_virtual_user(letor, users, **settings)


def test_scores_too_large_for_a_gain():
    runs = {"a": {"t": {"x": 2000.0, "y": 1.0}}, "b": {"t": {"x": 1.0}}}
    with pytest.raises(assay.AssayError, match="go up to 2000; take quantiles alone"):
        assay.study_virtual_user(runs, "a")
    study = assay.study_virtual_user(runs, "a", quantiles=2, scores=False)
    np.testing.assert_allclose(study.own(), 1)


def test_one_run_has_nobody_to_grade():
    with pytest.raises(assay.AssayError, match="needs others to grade"):
        assay.study_virtual_user({"a": {"t": {"x": 1.0}}}, "a")


def test_from_the_shell(letor):
    words = ("study", "sensitivity", letor, "--virtual-user", "1", "--quantiles", "3")
    result = shell(*words)
    assert result.exit_code == 0, result.output
    assert "Under its own grades 1 scores 1 by every measure" in result.stdout
    page = json.loads(shell(*words, "-o", "json").stdout)
    assert [table["name"] for table in page["tables"]] == ["runs", "levels"]


def test_a_file_as_the_user(files):
    words = ("study", "sensitivity", "-m", "muAP")
    one = shell(*words, "run0.run", "run1.run", "--virtual-user", "run0")
    other = shell(*words, "run1.run", "--virtual-user", "run0.run")
    named = shell(*words, "run1.run", "--virtual-user", "me=run0.run")
    assert one.exit_code == other.exit_code == named.exit_code == 0, named.output
    assert sorted(one.stdout.splitlines()[1:3]) == sorted(other.stdout.splitlines()[1:3])
    assert "me scores 1 by every measure" in named.stdout


@pytest.mark.parametrize("name", ["trec-covid-r3", "dl21"])
def test_on_real_runs(large, name):
    _, runs = large[name]
    label = assay.read_run(runs[0]).label
    study = assay.study_virtual_user(runs, label, ["muAP", "NDCNG@100"], quantiles=(2, 5))
    np.testing.assert_allclose(study.own(), 1, atol=1e-9)
    assert study.means.shape == (1, 3, len(runs), 2)
