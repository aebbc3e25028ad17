"""Preferences: rows, votes, judges, and the way to grades and back."""

from __future__ import annotations

import re

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from assay import AssayError, Judgments, Preferences, Run, WeakOrder, evaluate

DOCS = st.sampled_from([f"d{i}" for i in range(7)])
GRADES = st.integers(0, 3) | st.floats(0, 9)
TABLES = st.dictionaries(
    st.sampled_from("pq"), st.dictionaries(DOCS, GRADES, min_size=2), min_size=1
)
EXAMPLE_1 = [
    ("d5", "d4"),
    ("d5", "d1"),
    ("d5", "d2"),
    ("d5", "d3"),
    ("d4", "d1"),
    ("d4", "d2"),
    ("d4", "d3"),
]


def order_of(grades):
    """The weak order of a topic's grades, as comparisons."""
    return {(a, b): np.sign(grades[a] - grades[b]) for a in grades for b in grades}


@given(table=TABLES)
def test_grades_to_preferences_to_grades_keeps_every_order(table):
    preferences = Judgments(table).to_preferences()
    back = preferences.to_judgments().to_dict()
    explicit = Preferences(preferences.frame)  # the statements alone
    assert explicit.to_judgments().to_dict() == back
    for topic, grades in table.items():
        assert order_of(back[topic]) == order_of(grades)
        assert min(back[topic].values()) == 0
        assert set(back[topic].values()) == set(range(len(set(back[topic].values()))))


@given(table=TABLES)
def test_preferences_of_grades_are_all_pairs(table):
    preferences = Judgments(table).to_preferences()
    stated = {(t, a, sign, b) for t, a, sign, b in preferences}
    wanted = set()
    for topic, grades in table.items():
        for a in grades:
            for b in grades:
                if grades[a] > grades[b]:
                    wanted.add((topic, a, ">", b))
                if a < b and grades[a] == grades[b]:
                    wanted.add((topic, a, "=", b))
    assert stated == wanted
    assert len(preferences) == len(wanted)


def test_many_grades_are_never_held_as_pairs():
    n = 20_000
    grades = {f"d{i}": float(i % 1000) for i in range(n)}
    preferences = Judgments({"q": grades}).to_preferences()
    assert len(preferences) == n * (n - 1) // 2
    assert next(preferences.blocks()).height <= 1 << 20
    with pytest.raises(AssayError, match=r"199,990,000 statements .* \.blocks\(\)"):
        _ = preferences.frame
    assert preferences.to_judgments().top == 999
    assert preferences.check().findings[0].verdict == "weak order"


def test_grades_below_0_are_no_judgments():
    assert len(Judgments({"q": {"a": -1, "b": 0, "c": 2}}).to_preferences()) == 1


def test_example_1():
    preferences = Preferences({"q": EXAMPLE_1})
    assert preferences.orders()["q"] == WeakOrder((("d5",), ("d4",), ("d1", "d2", "d3")))
    assert preferences.to_judgments().to_dict()["q"] == {
        "d5": 2,
        "d4": 1,
        "d1": 0,
        "d2": 0,
        "d3": 0,
    }
    assert preferences.check().findings[0].verdict == "consistent"  # nothing is said of d1 d2 d3
    assert preferences.check(missing="tie").findings[0].verdict == "weak order"


def test_equal_statements_are_one_with_votes():
    preferences = Preferences(
        {"q": [("a", "b"), ("a", ">", "b"), ("b", "<", "a"), ("b", "=", "a")]}
    )
    assert preferences.frame.select("better", "worse", "tie", "votes").rows() == [
        ("a", "b", False, 3),
        ("a", "b", True, 1),
    ]


def test_from_a_frame():
    frame = pl.DataFrame(
        {"topic": ["q"], "better": ["a"], "worse": ["b"], "judge": ["x"], "votes": [4]}
    )
    assert Preferences(frame).frame.rows() == [("q", "x", "a", "b", False, 4, [])]


def majority_of(*votes):
    frame = Preferences({"q": list(votes)}).majority().frame
    return frame.select("better", "worse", "tie", "votes").rows()


@given(a=st.integers(0, 4), b=st.integers(0, 4), tie=st.integers(0, 4))
def test_the_majority_is_the_verdict_closest_to_all_votes(a, b, tie):
    if a + b + tie == 0:
        return
    votes = [("x", "y")] * a + [("y", "x")] * b + [("x", "=", "y")] * tie
    far = {("x", "y", False): 2 * b + tie, ("y", "x", False): 2 * a + tie, ("x", "y", True): a + b}
    ((better, worse, tied, number),) = majority_of(*votes)
    assert far[better, worse, tied] == min(far.values())
    assert number == (tie if tied else a if better == "x" else b)


def test_judges_apart_and_pooled():
    one, two = Preferences({"q": [("a", "b")]}), Preferences({"q": [("b", "a")], "p": [("a", "c")]})
    pooled = Preferences.pooled([one.labelled("one"), two.labelled("two")])
    assert pooled.judges == ["one", "two"]
    assert not pooled.single
    assert {name: list(each) for name, each in pooled.by_judge().items()} == {
        "one": [("q", "a", ">", "b")],
        "two": [("q", "b", ">", "a"), ("p", "a", ">", "c")],
    }
    assert list(pooled.majority()) == [("q", "a", "=", "b"), ("p", "a", ">", "c")]


def test_contradictions_have_no_grades_until_they_are_dropped():
    preferences = Preferences({"q": [("a", "b"), ("a", "b"), ("b", "c"), ("b", "c"), ("c", "a")]})
    with pytest.raises(
        AssayError, match="no order obeys these preferences: q: negative transitivity"
    ):
        preferences.to_judgments()
    assert str(preferences.consistent().orders()["q"]) == "a > b > c"


def test_closure():
    preferences = Preferences({"q": [("a", "b"), ("b", "=", "c")]})
    assert list(preferences.closure()) == [*preferences, ("q", "a", ">", "c")]
    with pytest.raises(AssayError, match="no order obeys"):
        Preferences({"q": [("a", "b"), ("b", "a")]}).closure()


def test_closest_to_a_systems_ranking():
    user = Judgments({"q": {"d1": 4, "d2": 4, "d3": 3, "d4": 2, "d5": 2, "d6": 1}}).to_preferences()
    found = user.closest({"d1": 4, "d3": 4, "d2": 3, "d5": 3, "d6": 2, "d4": 1})  # example 6
    assert str(found.order) == "d1 > d2 > d3 > d5 > d4 > d6"
    assert (found.exact, found.distance) == (True, 6)
    several = Preferences({"p": [("a", "b")], "q": [("b", "a")]})
    with pytest.raises(AssayError, match="speaks of 2 topics; say which, such as topic='p'"):
        several.closest({"a": 1})
    assert str(several.closest({"a": 1}, topic="q").order) == "b > a"
    with pytest.raises(AssayError, match="nothing is stated on topic 'r'; there are p, q"):
        several.closest({"a": 1}, topic="r")


@settings(max_examples=20)
@given(table=TABLES)
def test_checked_grades_are_weak_orders(table):
    preferences = Judgments(table).to_preferences()
    for each in (preferences, Preferences(preferences.frame)):
        checked = each.check()
        assert checked.consistent
        assert {finding.verdict for finding in checked.findings} == {"weak order"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "no preferences"),
        ([("a", "b")], "expected a dictionary of topic to pairs"),
        ({"q": [("a", "?", "b")]}, r"topic 'q': expected .* found \('a', '\?', 'b'\)"),
        ({"q": ["ab"]}, "found 'ab'"),
        ({"q": [("a", "a")]}, "expected two documents"),
        (pl.DataFrame({"topic": ["q"], "better": ["a"]}), "no column 'worse'"),
        (
            pl.DataFrame({"topic": ["q"], "better": ["a"], "worse": [None]}),
            "expected two documents",
        ),
        (pl.DataFrame({"topic": ["q"], "better": ["a"], "worse": ["b"], "votes": [0]}), "from 1"),
    ],
)
def test_bad_data(data, message):
    with pytest.raises(AssayError, match=message):
        Preferences(data)


def test_repr():
    assert (
        repr(Preferences({"q": [("a", "b")]}, label="x"))
        == "Preferences('x': 1 statements, 1 topics)"
    )


def test_grades_of_single_documents_state_nothing():
    judgments = Judgments({"a": {"d1": 1}, "b": {"d2": 0}})
    preferences = judgments.to_preferences()
    assert (len(preferences), preferences.frame.height) == (0, 0)
    assert list(preferences.blocks()) == []
    assert preferences.check().consistent
    for measure in ("NumPref", "PrefSimp", "NDPM"):
        for ties in ("trec", "worst"):
            found = evaluate(judgments, {"a": {"d1": 1.0}}, measure, ties=ties).values
            assert np.isnan(found).all() or not found.any()


def test_what_a_system_may_be():
    preferences = Judgments({"q": {"a": 1, "b": 0}}).to_preferences()
    order = str(preferences.closest({"b": 2, "a": 1}).order)
    assert order == str(preferences.closest(Run({"q": {"b": 2.0, "a": 1.0}, "p": {}})).order)
    for system, message in (
        ({"q": {"a": 1.0}}, "document 'q': expected a number, found {'a': 1.0}"),
        ({"a": "1"}, "document 'a': expected a number, found '1'"),
        (["a", "b"], "expected a WeakOrder, or a dictionary of document to number; found list"),
    ):
        with pytest.raises(AssayError, match=re.escape(message)):
            preferences.closest(system)
