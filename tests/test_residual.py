"""Residuals against every assignment of grades to the unjudged documents."""

from __future__ import annotations

import itertools
import random

import pytest

import assay
from assay.comparison import compare
from assay.errors import AssayError
from assay.residual import residuals

EXACT = [
    "nDCG@3",
    "nDCG@5",
    "nDCG",
    "nDCG(gain='exp')@4",
    "nDCG(gains={1:1,2:5,3:2})@4",
    "nDCG(discount='zipf')@4",
    "nDCG_JK@4",
    "R@4",
    "R(rel=2)@4",
    "P@4",
    "P(rel=2)@3",
    "CG@4",
    "DCG@4",
    "DCG_JK(b=3)@4",
    "RBP(p=0.8)@4",
    "RBP",
    "RR",
    "RR@3",
    "Success@2",
]


def world(seed, docs=7, depth=4, topics=2):
    """Two runs over a few documents, about half of them judged; a relevant one in each topic."""
    rng = random.Random(seed)
    judgments, runs = {}, {"a": {}, "b": {}}
    for t in range(topics):
        names = [f"d{i}" for i in range(docs)]
        judged = {name: rng.choice([0, 0, 1, 2, 3]) for name in names if rng.random() < 0.5}
        judged["best"] = rng.choice([1, 2, 3])
        judgments[f"t{t}"] = judged
        for run in runs.values():
            shown = rng.sample([*names, "best"], depth)
            run[f"t{t}"] = {doc: float(depth - i) for i, doc in enumerate(shown)}
    judgments["t0"]["best"] = 3  # the top of the scale is judged
    return judgments, runs


def every_assignment(judgments, runs, measure):
    """Lowest and highest difference of means over all grades of the unjudged documents in reach."""
    k = int(assay.parse(measure).at or 99)
    low = high = 0.0
    for topic, known in judgments.items():
        lists = [sorted(run[topic], key=run[topic].get, reverse=True)[:k] for run in runs.values()]
        unknown = sorted({doc for shown in lists for doc in shown} - set(known))
        filled, asked = {"z": {"x": 3}}, {name: {"z": {"x": 1.0}} for name in runs}
        for i, grades in enumerate(itertools.product((0, 1, 2, 3), repeat=len(unknown))):
            filled[f"{i}"] = known | dict(zip(unknown, grades, strict=True))
            for name, run in runs.items():
                asked[name][f"{i}"] = run[topic]
        scores = assay.evaluate(filled, asked, measure)
        values = (scores.of("b", measure) - scores.of("a", measure))[1:]
        low, high = low + min(values), high + max(values)
    return low / len(judgments), high / len(judgments)


@pytest.mark.parametrize("measure", EXACT)
@pytest.mark.parametrize("seed", range(3))
def test_extremes_are_those_of_every_assignment(measure, seed):
    judgments, runs = world(seed, docs=5, depth=3)
    found = compare(assay.evaluate(judgments, runs, measure)).with_residuals(judgments, runs)
    residual = found.differences[0].residual
    assert residual.exact
    low, high = every_assignment(judgments, runs, measure)
    assert residual.low == pytest.approx(low, abs=1e-9)
    assert residual.high == pytest.approx(high, abs=1e-9)


@pytest.mark.parametrize("measure", ["AP", "ERR@3", "F@3", "Q"])
def test_what_a_search_reaches_is_reachable(measure):
    for seed in range(4):
        judgments, runs = world(seed, docs=5, depth=3)
        found = compare(assay.evaluate(judgments, runs, measure)).with_residuals(judgments, runs)
        d = found.differences[0]
        assert not d.residual.exact
        low, high = every_assignment(judgments, runs, measure)
        assert low - 1e-9 <= d.residual.low <= d.difference <= d.residual.high <= high + 1e-9


def test_a_document_that_both_retrieved_has_one_grade():
    # x stands first in both lists: whatever its grade, the difference is that of the second ranks
    judgments = {"t": {"y": 1, "z": 0}, "u": {"y": 1, "z": 0}}
    runs = {
        "a": {t: {"x": 2.0, "z": 1.0} for t in "tu"},
        "b": {t: {"x": 2.0, "y": 1.0} for t in "tu"},
    }
    found = compare(assay.evaluate(judgments, runs, "P@2")).with_residuals(judgments, runs)
    d = found.differences[0]
    assert (d.difference, d.residual.low, d.residual.high) == (0.5, 0.5, 0.5)
    assert d.residual.could_reverse(d.difference) is False
    # nDCG: the grade enters the ideal; with 1, the largest judged, 2 documents of gain 1 can be had
    found = compare(assay.evaluate(judgments, runs, "nDCG@2")).with_residuals(judgments, runs)
    d, second = found.differences[0], 0.6309297535714575  # 1/log2(3)
    assert d.difference == pytest.approx(second)
    assert (d.residual.low, d.residual.high) == pytest.approx((second / (1 + second), second))


def test_reversal_is_claimed_only_where_known():
    from assay.residual import Residual

    assert Residual(0.01, 0.2, exact=True, documents=3).could_reverse(0.1) is False
    assert Residual(0.01, 0.2, exact=False, documents=3).could_reverse(0.1) is None
    assert Residual(-0.01, 0.2, exact=False, documents=3).could_reverse(0.1) is True
    assert Residual(-0.3, 0.0, exact=True, documents=3).could_reverse(-0.1) is True


def test_grades_that_a_measure_knows_count_though_no_judge_gave_them():
    judgments = {"t": {"y": 1}, "u": {"y": 1}}
    runs = {"a": {t: {"y": 1.0} for t in "tu"}, "b": {t: {"n": 1.0} for t in "tu"}}
    for measure, high in (("DCG(gains={1:1,2:10})@1", 9.0), ("RBP(p=0.5,max=4)@1", 0.375)):
        found = compare(assay.evaluate(judgments, runs, measure)).with_residuals(judgments, runs)
        assert found.differences[0].residual.high == pytest.approx(high)
        assert "may have any grade up to 1" in found.notes[-1]


def test_topics_that_a_run_lacks_stay_at_worst():
    judgments = {"t": {"x": 1}, "u": {"x": 1}, "v": {"x": 1}}
    runs = {"a": {"t": {"x": 1.0}, "u": {"n": 1.0}, "v": {"x": 1.0}}, "b": {"t": {"x": 1.0}}}
    found = compare(assay.evaluate(judgments, runs, "P@1")).with_residuals(judgments, runs)
    d = found.differences[0]
    assert (d.difference, d.residual.low, d.residual.high) == pytest.approx(
        (-1 / 3, -2 / 3, -1 / 3)
    )


def test_real_runs_agree_with_the_scores(shared):
    folder = shared / "trec-covid-r3"
    judgments = folder / "qrels.covid-round3.txt"
    runs = sorted((folder / "runs.top100").iterdir())[:3]
    measures = ["nDCG@10", "P@5", "RBP(p=0.5)@10"]
    scores = assay.evaluate(judgments, runs, measures)
    found = compare(scores, baseline=scores.runs[0]).with_residuals(judgments, runs)
    for d in found.differences:
        assert d.residual.exact
        assert d.residual.low <= d.difference + 1e-9
        assert d.difference <= d.residual.high + 1e-9
        assert d.residual.documents > 0


def test_progress_reaches_the_end():
    judgments, runs = world(0)
    seen = []
    scores = assay.evaluate(judgments, runs, ["P@3", "nDCG@3"])
    compare(scores).with_residuals(judgments, runs, progress=seen.append)
    assert seen == [0.5, 1.0]


def test_no_residuals_and_why():
    judgments, runs = world(0)
    for settings, why in (
        ({"unjudged": "condensed"}, "condensed"),
        ({"ties": "expected"}, "order"),
    ):
        scores = assay.evaluate(judgments, runs, "P@3", **settings)
        found = compare(scores).with_residuals(judgments, runs)
        assert found.differences[0].residual is None
        assert why in found.notes[-1]
    scores = assay.evaluate(judgments, runs, "P@3")
    with pytest.raises(AssayError, match="no run 'b' among those given again"):
        compare(scores).with_residuals(judgments, {"a": runs["a"]})
    assert residuals(judgments, runs, [], policy=scores.policy) == ([], [])
