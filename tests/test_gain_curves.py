"""Curves: Järvelin & Kekäläinen's vectors, points that equal the table, readings by hand."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from assay import AssayError, Preferences, curves, evaluate

G = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]  # the paper's G', and its I' by documents that G' lacks
OTHERS = {"u1": 1, "u2": 1, "u3": 1}
PAPER = {"q": {f"d{i}": g for i, g in enumerate(G, 1)} | OTHERS}
LIST = {"q": {f"d{i}": -float(i) for i in range(1, 11)}}


def of(measure, **options):
    return curves(PAPER, LIST, measure, **{"depth": 10} | options)


def shown(vector):
    return np.round(vector + 1e-9, 2).tolist()


@pytest.mark.parametrize(
    ("measure", "vector", "ideal"),
    [
        ("CG", [3, 5, 8, 8, 8, 9, 11, 13, 16, 16], [3, 6, 9, 11, 13, 15, 16, 17, 18, 19]),
        (
            "DCG_JK(b=2)",
            [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61],
            # ranks 6 and 8 are printed 10.52 and 11.21, sums of rounded terms (GOLDEN.md)
            [3, 6, 7.89, 8.89, 9.75, 10.53, 10.88, 11.22, 11.53, 11.83],
        ),
        (
            "nCG",
            [1, 0.83, 0.89, 0.73, 0.62, 0.6, 0.69, 0.76, 0.89, 0.84],
            [3, 6, 9, 11, 13, 15, 16, 17, 18, 19],
        ),
        (
            "nDCG_JK(b=2)",
            [1, 0.83, 0.87, 0.78, 0.71, 0.69, 0.73, 0.77, 0.83, 0.81],
            [3, 6, 7.89, 8.89, 9.75, 10.53, 10.88, 11.22, 11.53, 11.83],
        ),
    ],
)
@pytest.mark.parametrize("average", ["ratios", "vectors"])
def test_the_papers_vectors(measure, vector, ideal, average):
    found = of(measure, average=average)
    assert shown(found.mean("run")) == vector
    assert shown(found.gain("ideal")) == ideal
    assert shown(found.of("run", "q")) == vector


def test_the_ideal_turns_flat_where_nothing_is_left():
    assert of("CG", depth=13).flat() == 10
    assert np.isnan(of("CG", depth=10).flat())
    assert of("CG", depth=13).flat("q") == 10


def test_read_horizontally():
    found = of("CG")
    # CG 3 5 8 8 8 9 11 13 16 16 against 3 6 9 11 13 15 16 17 18 19
    assert found.reach("run")[:7].tolist() == [1, 3, 6, 7, 8, 9, 9]
    assert np.isnan(found.reach("run")[7:]).all()
    assert found.effort("run")[:3].tolist() == [1, 1.5, 2]
    assert found.reach("run", "run").tolist() == [1, 2, 3, 3, 3, 6, 7, 8, 9, 9]


def test_read_vertically():
    found = of("nCG")
    assert found.gap("run").tolist() == [0, 1, 1, 3, 5, 6, 5, 4, 2, 3]
    (reading,) = found.readings()
    assert (reading.gap, reading.gap_rank) == (6, 6)
    assert (reading.behind, reading.behind_rank) == (0, 1)
    assert reading.area == pytest.approx(1 - 0.78481, abs=5e-6)  # avg-pos(nCG', 10) of GOLDEN.md
    assert of("CG").area("run") == pytest.approx(reading.area)


RUNS = {
    "early": {"q": {"d1": 9.0, "x": 8.0, "y": 7.0, "d2": 6.0}, "p": {"e1": 1.0}},
    "late": {"q": {"x": 9.0, "d1": 8.0, "d2": 7.0, "y": 6.0}, "p": {"e1": 1.0}},
}
TWO = {"q": {"d1": 2, "d2": 1, "z": 1}, "p": {"e1": 3, "e2": 0}}


def test_two_runs_cross_and_fall_behind():
    found = curves(
        {"q": TWO["q"]}, {name: {"q": run["q"]} for name, run in RUNS.items()}, "CG", depth=4
    )
    # early 2 2 2 3, late 0 2 3 3
    assert found.crossings("early", "late") == (3,)
    assert found.crossed() == {("early", "late"): (3,)}
    assert found.behind("late").tolist() == [2, 0, 0, 0]
    assert found.behind("early").tolist() == [0, 0, 1, 0]
    assert found.reach("late", "early").tolist() == [2, 2, 2, 3]
    assert found.effort("late", "early").tolist() == [2, 1, 2 / 3, 3 / 4]


def test_both_orders_of_averaging():
    one = curves(TWO, RUNS, "nCG", depth=2)
    other = curves(TWO, RUNS, "nCG", depth=2, average="vectors")
    # late: q 0/2 2/3, p 3/3 3/3
    assert one.mean("late").tolist() == [1 / 2, (2 / 3 + 1) / 2]
    assert other.mean("late").tolist() == [3 / 5, 5 / 6]
    assert one.gain("late").tolist() == other.gain("late").tolist() == [1.5, 2.5]


GRADES = st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3), min_size=1)
SCORES = st.dictionaries(st.sampled_from("abcdefxyz"), st.integers(0, 5).map(float), min_size=1)
MEASURES = [
    "CG",
    "nCG",
    "DCG",
    "nDCG(gain='exp')",
    "nDCG_JK(b=3)",
    "P",
    "R(rel=2)",
    "AP",
    "ERR(max=3)",
]


@settings(max_examples=25)
@given(
    measure=st.sampled_from(MEASURES),
    judgments=st.dictionaries(st.sampled_from("pq"), GRADES, min_size=1),
    run=st.dictionaries(st.sampled_from("pq"), SCORES, min_size=1),
    missing=st.sampled_from(["worst", "skip"]),
    ties=st.sampled_from(["trec", "expected"]),
)
def test_a_point_is_the_tables_value_at_that_cut_off(measure, judgments, run, missing, ties):
    run = {topic: docs for topic, docs in run.items() if topic in judgments}
    if not run or (ties == "expected" and measure.startswith("ERR")):
        return
    found = curves(judgments, run, measure, depth=7, missing=missing, ties=ties)
    for k in (1, 4, 7):
        scores = evaluate(judgments, run, f"{measure}@{k}", missing=missing, ties=ties)
        mean = scores.average("run", f"{measure}@{k}").value
        np.testing.assert_allclose(found.mean("run")[k - 1], mean, rtol=1e-12)
        np.testing.assert_array_equal(found.values[0, 0, 0, :, k - 1], scores.values[0, 0, 0])


@settings(max_examples=25)
@given(judgments=st.dictionaries(st.sampled_from("pq"), GRADES, min_size=1), run=SCORES)
def test_a_normalised_vector_is_gains_over_ideal(judgments, run):
    topic = next(iter(judgments))
    found = curves(judgments, {topic: run}, "nDCG(gains={1:5,2:1,3:7})", depth=6)
    best = np.where(found.ideal[0, 0] == 0, np.nan, found.ideal[0, 0])
    np.testing.assert_allclose(found.values[0, 0, 0], found.gains[0, 0, 0] / best, rtol=1e-12)
    assert (np.diff(found.ideal, axis=-1) >= 0).all()


def test_precision_by_rank_and_by_recall():
    judgments = {"q": {"a": 1, "b": 1, "c": 2, "d": 0}}
    run = {"q": {"a": 4.0, "d": 3.0, "b": 2.0, "x": 1.0}}
    found = curves(judgments, run, ["P", "R", "P(rel=2)"], depth=4)
    assert found.measures == ("P", "R", "P(rel=2)")
    assert found.mean("run", "P").tolist() == [1, 1 / 2, 2 / 3, 1 / 2]
    assert found.mean("run", "R").tolist() == [1 / 3, 1 / 3, 2 / 3, 2 / 3]
    assert found.gain("ideal", "P").tolist() == [1, 1, 1, 3 / 4]
    recall = curves(judgments, run, "PR")
    assert recall.axis == "recall"
    assert recall.mean("run").tolist() == [1] * 4 + [2 / 3] * 3 + [0] * 4
    assert recall.gain("ideal").tolist() == [1] * 11
    assert curves(judgments, run, "PR(rel=2)", levels=(0, 1)).mean("run").tolist() == [0, 0]
    with pytest.raises(AssayError, match="it is read off ranks"):
        recall.reach("run")


def test_each_relevance_level_has_its_curve():
    found = curves({"q": {"a": 1, "b": 2}}, {"q": {"b": 2.0, "a": 1.0}}, "P(rel=each)", depth=2)
    assert found.measures == ("P", "P(rel=2)")
    assert found.mean("run", "P(rel=2)").tolist() == [1, 1 / 2]


def test_topics_without_a_gain_are_left_out_and_counted():
    judgments = {"q": {"a": 1}, "p": {"b": 0}}
    run = {"q": {"x": 2.0, "a": 1.0}, "p": {"b": 1.0}}
    found = curves(judgments, run, "nCG", depth=2)
    assert found.mean("run").tolist() == [0, 1]
    assert found.notes == ("nCG: 1 topic is left out, undefined there (no document with a gain)",)
    assert curves(judgments, run, "nCG", depth=2, undefined="zero").mean("run").tolist() == [
        0,
        1 / 2,
    ]
    assert curves({"p": {"b": 0}}, {"p": {"b": 1.0}}, "CG", depth=2).mean("run").tolist() == [0, 0]


def test_a_topic_that_a_run_lacks_leaves_its_ideal_out_too():
    found = curves(TWO, {"q": RUNS["late"]["q"]}, "nCG", depth=2, missing="skip")
    assert found.gap("run").tolist() == [2, 1]
    assert found.mean("run").tolist() == [0, 2 / 3]
    worst = curves(TWO, {"q": RUNS["late"]["q"]}, "nCG", depth=2)
    assert worst.gap("run").tolist() == [(2 + 3) / 2, (1 + 3) / 2]


def test_depth_is_that_of_the_cut_offs():
    assert len(curves(PAPER, LIST, "nDCG@7").points) == 7
    assert len(curves(PAPER, LIST, ["nDCG@7", "CG@9"]).points) == 9
    assert len(curves(PAPER, LIST, "nDCG").points) == 100
    assert curves(PAPER, LIST, "nDCG@7", depth=3).measures == ("nDCG",)


def test_several_judges():
    found = curves(
        {"x": {"q": {"a": 1}}, "y": {"q": {"b": 1}, "p": {"a": 1}}},
        {"q": {"a": 1.0}},
        "nCG",
        depth=2,
    )
    assert found.judges == ("x", "y")
    assert found.mean("run", judge="x").tolist() == [1, 1]
    assert found.mean("run", judge="y").tolist() == [0, 0]
    assert found.flat(judge="y") == 1
    with pytest.raises(AssayError, match="have 2 judgment sets; name one of x, y"):
        found.mean("run")


def test_frame_and_table():
    found = curves(TWO, RUNS, "nCG", depth=3)
    frame = found.to_polars()
    names = ["judge", "run", "measure", "topic", "rank", "value", "gain", "ideal", "reach"]
    assert frame.columns == names
    assert curves(TWO, RUNS, "PR").to_polars().columns == [*names[:4], "recall", *names[5:-1]]
    assert frame.height == 2 * 3
    assert found.to_polars(per_topic=True)["topic"].unique(maintain_order=True).to_list() == [
        "q",
        "p",
        "all",
    ]
    assert found.vector("nDCG_JK(b=3)") == "DCG_JK(b=3)"
    text = str(found.table())
    assert "read off CG" in text
    assert text.splitlines()[0].split() == ["nCG", "@1", "@2", "@3"]
    assert "nCG: the ideal still rises at rank 3" in text
    assert "<table>" in found._repr_html_()
    assert repr(found) == "Curves(nCG: 2 run(s), 2 topic(s), 3 points)"


def test_warnings_speak_of_the_last_rank_alone(shared):
    folder = shared / "trec-covid-r3"
    runs = sorted((folder / "runs.top100").iterdir())[:4]
    found = curves(folder / "qrels.covid-round3.txt", runs, "nDCG", depth=50)
    assert [text.split()[0] for text in found.warnings] in ([], ["Judged@50"])
    scores = evaluate(folder / "qrels.covid-round3.txt", runs, "nDCG@50")
    for run in found.runs:
        assert found.mean(run)[-1] == pytest.approx(scores.average(run, "nDCG@50").value, rel=1e-12)
    assert found.notes.count("ERR") == 0


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("NDPM", {}, "NDPM: a curve needs a measure with a cut-off"),
        ("IPrec@0.5", {}, "a curve needs a measure with a cut-off"),
        ("nDGC", {}, "unknown measure 'nDGC'"),
        (["PR", "P"], {}, "PR runs over levels of recall"),
        ("nDCG", {"depth": 0}, "depth=0: must be a whole number from 1"),
        ("nDCG", {"average": "mean"}, "average='mean': must be one of 'ratios', 'vectors'"),
        ("nDCG", {"unjudged": "bounds"}, "ask for 'lowest' and for 'highest'"),
        ("nDCG", {"depth": 10**9}, "too many to hold at once"),
        (["nDCG", "CG"], {"depth": 5001}, "2 x 5001 are more than 10,000; ask for a depth"),
    ],
)
def test_bad_requests(measure, options, message):
    with pytest.raises(AssayError, match=message):
        curves(PAPER, LIST, measure, **options)


def test_preferences_have_no_gains():
    with pytest.raises(AssayError, match="stands where grades are expected"):
        curves(Preferences({"q": [("a", "b")]}), LIST, "nCG")


def test_names_that_are_not_there():
    found = of("CG")
    with pytest.raises(AssayError, match="no run 'x' in these curves; there are: run"):
        found.mean("x")
    with pytest.raises(AssayError, match="no topic 'x'"):
        found.of("run", "x")
