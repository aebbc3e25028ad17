"""The adapter beside pytrec_eval itself: the same keys, and values equal to 1e-9."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay import pytrec_eval as ours
from differential.test_peers import COLLECTIONS, as_ints
from differential.test_published import runs_of

theirs = pytest.importorskip("pytrec_eval")

DOCS = [f"d{i}" for i in range(9)]
PARAMETERS = [  # in ascending order: pytrec_eval sorts them, even those of utility
    {"P.1,3", "recall_2", "success.2", "map_cut_4", "ndcg_cut.1,7", "relative_P.2,3"},
    {"Rprec_mult.0.1,0.5,1.0", "iprec_at_recall.0.25,0.5,1.0", "11pt_avg.0.0,0.5,1.0"},
    {"set_F.0.5", "utility.0,1,2,3", "relstring.4", "P_5", "P_2"},
    {"official"},
    {"set", "gm_bpref"},
]
SCORES = st.one_of(
    st.integers(0, 3).map(float),
    st.floats(-1e4, 1e4, width=32),
    st.floats(1, 1 + 1e-7),  # ties in float32 alone
    st.floats(-1e300, 1e300),
)


@st.composite
def collections(draw):
    """Judgments and a run; each topic has a grade that is not negative, see docs/trec_eval.md."""
    topics = draw(st.lists(st.sampled_from(["q1", "q10", "q2", "é"]), min_size=1, unique=True))
    grades = st.sampled_from((-2, -1, 0, 0, 1, 1, 2, 3, 12))
    qrels = {
        topic: {
            **draw(st.dictionaries(st.sampled_from(DOCS), grades)),
            "d0": draw(st.integers(0, 2)),
        }
        for topic in topics
    }
    lists = st.dictionaries(st.sampled_from([*DOCS, "u1", "é"]), SCORES, min_size=1)
    run = draw(st.dictionaries(st.sampled_from([*topics, "other"]), lists, min_size=1))
    return qrels, run


def same(found, expected):
    assert list(found) == list(expected)
    for topic, values in expected.items():
        assert list(found[topic]) == list(values)
        for name, value in values.items():
            # nothing judged is retrieved under -J: theirs is 0/0, ours 0
            wanted = 0.0 if math.isnan(value) else value
            assert found[topic][name] == pytest.approx(wanted, abs=1e-9), (topic, name)


@settings(max_examples=200)
@given(
    collections(),
    st.sampled_from([theirs.supported_measures, theirs.supported_measures, *PARAMETERS]),
    st.sampled_from((1, 1, 2, 3)),  # pytrec_eval refuses 0
    st.booleans(),
)
def test_random(collection, measures, level, judged_only):
    qrels, run = collection
    mine = ours.RelevanceEvaluator(qrels, measures, level, judged_only).evaluate(run)
    same(mine, theirs.RelevanceEvaluator(qrels, measures, level, judged_only).evaluate(run))


@pytest.mark.parametrize("name", COLLECTIONS)
@pytest.mark.parametrize("level", [1, 2])
def test_every_real_run(shared, name, level):
    path, folder, prefix = COLLECTIONS[name]
    judgments = assay.read_judgments(shared / path)
    qrels = as_ints(judgments)
    measures = theirs.supported_measures
    evaluator = ours.RelevanceEvaluator(qrels, measures, level)
    other = theirs.RelevanceEvaluator(qrels, measures, level)
    compared = 0
    for label, file in runs_of(shared / folder, prefix).items():
        run = assay.read_run(file, label=label).to_dict()
        same(evaluator.evaluate(run), other.evaluate(run))
        compared += 1
    assert compared > 10


def test_what_is_supported():
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == theirs.supported_nicknames


def test_readers():
    qrels = ["q 0 a 1\n", "q 0 b -1\n", "r\t0\ta\t2"]
    assert ours.parse_qrel(qrels) == theirs.parse_qrel(qrels)
    run = ["q Q0 a 1 2.5 tag\n", "r Q0 a 1 1e3 tag"]
    assert ours.parse_run(run) == theirs.parse_run(run)


@pytest.mark.parametrize("measure", ["num_ret", "gm_map", "map"])
def test_aggregates(measure):
    values = [-1.0, -2.5, 0.25]
    expected = theirs.compute_aggregated_measure(measure, values)
    assert ours.compute_aggregated_measure(measure, values) == pytest.approx(expected, abs=1e-15)


def test_an_evaluator_forgets_the_run_before():
    evaluator = ours.RelevanceEvaluator({"q": {"a": 1}, "r": {"a": 1}}, ["map"])
    assert set(evaluator.evaluate({"q": {"a": 1.0}, "r": {"b": 1.0}})) == {"q", "r"}
    assert evaluator.evaluate({"r": {"a": 1.0}}) == {"r": {"map": 1.0}}
    assert evaluator.evaluate({"r": {}}) == {"r": {"map": 0.0}}
    assert evaluator.evaluate({"x": {"a": 1.0}}) == evaluator.evaluate({}) == {}


def test_version_10():
    """Scores that are equal in 32 bits alone; and a measure that version 9 lacks."""
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}
    assert ours.RelevanceEvaluator(qrels, ["map"]).evaluate(run) == {"q": {"map": 0.5}}
    assert ours.RelevanceEvaluator(qrels, ["map"], ver=10).evaluate(run) == {"q": {"map": 1.0}}
    found = ours.RelevanceEvaluator(qrels, ["unj_2", "rbp"], ver=10).evaluate(run)
    assert found == {"q": {"unj_2": 0.0, "rbp": pytest.approx(0.1)}}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ours.RelevanceEvaluator({"q": {"a": 1}}, ["nDCG"]),
            "no measure 'nDCG'; did you mean 'ndcg'",
        ),
        (lambda: ours.RelevanceEvaluator({"q": {"a": 1}}, ["rbp"]), "9 has no measure 'rbp'"),
        (lambda: ours.RelevanceEvaluator({"q": {"a": 0.5}}, ["map"]), "'a': the grade 0.5 is no"),
        (lambda: ours.RelevanceEvaluator({"q": {"a": 1}}, ["map", 3]), "names such as 'map'.*3"),
        (
            lambda: ours.RelevanceEvaluator({"q": {"a": 1}}, ["map"], 1.5),
            "relevance_level=1.5: must",
        ),
        (lambda: ours.RelevanceEvaluator({"q": {"a": 1}}, ["map"], ver=8), "ver must be one of 9"),
        (lambda: ours.parse_run(["q Q0 a"]), "run:1: expected 6 columns"),
        (lambda: ours.parse_run(["q Q0 a 1 1 t"] * 2), "run:2: document 'a' stands twice"),
        (lambda: ours.parse_qrel(["q 0 a x"]), "qrel:1: expected a finite number as grade"),
        (lambda: ours.parse_qrel(["q 0 a 1.5"]), "the grade 1.5 is no whole number"),
    ],
)
def test_mistakes(make, message):
    with pytest.raises(assay.AssayError, match=message):
        make()
