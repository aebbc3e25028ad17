"""Evaluation on preferences: NDPM from pairs, against grades and against a slow twin."""

from __future__ import annotations

import array_api_strict
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from assay import AssayError, Judgments, Preferences, Run, evaluate, read_preferences
from assay.measures.distance import ndpm_of_pairs

DOCS = [f"d{i}" for i in range(7)]
GRADES = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1)
SCORES = st.dictionaries(st.sampled_from([*DOCS, "x", "y"]), st.integers(0, 4).map(float))
PAIR = st.tuples(st.sampled_from(DOCS), st.sampled_from(">="), st.sampled_from(DOCS))
PAIRS = st.lists(PAIR.filter(lambda pair: pair[0] != pair[2]), min_size=1)
MEASURES = [
    f"{name}(unretrieved='{way}')" for name in ("NDPM", "NDPMp") for way in ("tied", "worst")
]


def slow_ndpm(pairs, scores):
    """(2 C- + C^u) / 2C over preferred pairs; what is not retrieved is one last level."""
    against = level = 0
    for a, b in pairs:
        x, y = scores.get(a, -np.inf), scores.get(b, -np.inf)
        against += x < y
        level += x == y
    return (2 * against + level) / (2 * len(pairs)) if pairs else np.nan


@settings(max_examples=50)
@given(
    grades=st.lists(GRADES, min_size=1, max_size=3), scores=st.lists(SCORES, min_size=3, max_size=3)
)
def test_preferences_of_grades_give_what_the_grades_give(grades, scores):
    judgments = Judgments({str(i): each for i, each in enumerate(grades)})
    run = {str(i): each for i, each in enumerate(scores) if each} or {"0": {"x": 1.0}}
    preferences = judgments.to_preferences()
    if not len(preferences):
        return
    topics = set(preferences.frame["topic"])
    run = {topic: docs for topic, docs in run.items() if topic in topics} or {
        min(topics): {"x": 1.0}
    }
    wanted = evaluate(judgments, run, MEASURES)
    for each in (preferences, Preferences(preferences.frame)):
        found = evaluate(each, run, MEASURES)
        for topic in found.topics:
            j, t = wanted.topics.index(topic), found.topics.index(topic)
            np.testing.assert_array_equal(found.values[0, 0, :, t], wanted.values[0, 0, :, j])


@settings(max_examples=50)
@given(pairs=PAIRS, scores=SCORES.filter(bool))
def test_partial_preferences_against_the_slow_twin(pairs, scores):
    preferences = Preferences({"q": pairs})
    settled = [(a, b) for _, a, sign, b in preferences.majority() if sign == ">"]
    value = evaluate(preferences, {"q": scores}, "NDPM").values[0, 0, 0, 0]
    np.testing.assert_equal(value, slow_ndpm(settled, scores))


def test_a_missing_topic_is_worst_and_no_preference_is_undefined():
    preferences = Preferences({"q": [("a", "b")], "p": [("a", "b")], "o": [("a", "=", "b")]})
    scores = evaluate(preferences, {"q": {"a": 2.0, "b": 1.0}, "o": {"a": 1.0}}, ["NDPM", "NDPMp"])
    np.testing.assert_array_equal(scores.values[0, 0], [[0, 1, np.nan], [1, 0, np.nan]])
    assert scores.reason("run", "NDPM", "p").startswith("the run lacks this topic")
    assert scores.reason("run", "NDPM", "o").startswith("undefined: the user prefers no document")


def test_several_judges_count_as_their_majority_or_apart():
    stated = {"x": [("a", "b")], "y": [("b", "a")], "z": [("b", "a")]}
    sets = [Preferences({"q": pairs}, label=judge) for judge, pairs in stated.items()]
    run = {"q": {"a": 2.0, "b": 1.0}}
    pooled = evaluate(Preferences.pooled(sets), run, "NDPM")
    assert pooled.values.ravel().tolist() == [1]
    assert pooled.notes == (
        (
            "pooled: where judges or votes differ on a pair, the verdict closest to all of them "
            "counts (.majority())"
        ),
    )
    apart = evaluate(sets, run, "NDPM")
    assert apart.judges == ("x", "y", "z")
    assert apart.values.ravel().tolist() == [0, 1, 1]
    named = evaluate(Preferences.pooled(sets).by_judge(), run, "NDPM")
    assert (named.judges, named.values.ravel().tolist()) == (("x", "y", "z"), [0, 1, 1])


def test_unjudged_documents_and_other_topics_do_not_matter():
    preferences = Preferences({"q": [("a", "b")]})
    run = Run({"q": {"x": 9, "a": 2, "y": 1.5, "b": 1}, "r": {"z": 1}})
    scores = evaluate(preferences, run, "NDPM")
    assert scores.values.ravel().tolist() == [0]
    assert "1 of 2 topics of run are not judged (r); ignored" in scores.notes


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        (
            "nDCG@10",
            {},
            r"nDCG@10 needs grades, and these are preferences: .*to_judgments\(\).*merge",
        ),
        ("NDPM", {"ties": "best"}, "ties='best' orders ties by grade"),
        ("NDPM", {"unjudged": "lowest"}, "NDPM: bounds over unjudged documents"),
    ],
)
def test_what_needs_grades_says_so(measure, options, message):
    with pytest.raises(AssayError, match=message):
        evaluate(Preferences({"q": [("a", "b")]}), {"q": {"a": 1.0, "x": 0.5}}, measure, **options)


def test_preferences_and_judgments_do_not_mix():
    with pytest.raises(AssayError, match="preferences and judgments stand side by side"):
        evaluate(
            [Preferences({"q": [("a", "b")]}), Judgments({"q": {"a": 1}})],
            {"q": {"a": 1.0}},
            "NDPM",
        )


@pytest.mark.parametrize("xp", [np, array_api_strict])
def test_the_kernel_speaks_the_array_api(xp):
    nan, inf = float("nan"), float("inf")
    better = xp.asarray([[1.0, 2.0, 4.0, nan], [inf, 3.0, nan, nan]], dtype=xp.float64)
    worse = xp.asarray([[2.0, 2.0, 1.0, nan], [inf, inf, nan, nan]], dtype=xp.float64)
    tied, worst = (ndpm_of_pairs(better, worse, unretrieved=way) for way in ("tied", "worst"))
    assert [float(x) for x in tied] == [3 / 6, 1 / 4]
    assert [float(x) for x in worst] == [3 / 6, 2 / 4]


def test_real_verdicts(shared):
    folder = shared / "dl21"
    human = read_preferences(folder / "prefs" / "human.human.gz")
    path = folder / "runs.judged" / "input.p_bm25.gz"
    scores = evaluate(human, path, "NDPM")
    assert len(scores.topics) == 23
    run = {}
    import gzip

    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        topic, _, doc, _, score, _ = line.split(None, 5)
        run.setdefault(topic, {})[doc] = float(score)
    for t, topic in enumerate(scores.topics):
        pairs = [(a, b) for name, a, sign, b in human.majority() if name == topic and sign == ">"]
        assert scores.values[0, 0, 0, t] == slow_ndpm(pairs, run[topic])


def test_preferences_that_grades_make_are_scored_by_the_grades():
    """Their pairs, 40 million here, are never made."""
    docs = [f"d{i}" for i in range(9000)]
    user = Judgments({"q": {doc: float(i) for i, doc in enumerate(docs)}}).to_preferences()
    run = {"q": {doc: float(-i) for i, doc in enumerate(docs)}}
    assert evaluate(user, run, ["NDPM", "NDPMp"]).values.ravel().tolist() == [1, 0]
    with pytest.raises(AssayError, match="AP needs grades"):
        evaluate(user, run, ["NDPM", "AP"])
