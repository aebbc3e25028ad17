"""Merged rankings: worked elections, laws of the methods, pseudo-judgments of the systems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import AssayError, Judgments, Preferences, Run, evaluate, merge
from assay.merging import METHODS

ELECTION = ["a b c d"] * 4 + ["b c d a"] * 3 + ["c d b a"] * 2  # 9 voters


def ballots(*orders):
    return [{"q": {doc: -float(i) for i, doc in enumerate(order.split())}} for order in orders]


def of(orders, method, **options):
    return merge(ballots(*orders), method, **options).topics["q"]


def test_borda_counts_points():
    # below minus above: a 4*3 + 5*-3, b 4*1 + 3*3 + 2*-1, c 4*-1 + 3*1 + 2*3, d 4*-3 + 3*-1 + 2*1
    assert of(ELECTION, "borda").score == {"a": -3, "b": 11, "c": 5, "d": -13}


def test_copeland_counts_majorities():
    # b beats c (7:2), d (7:2), a (5:4); c beats d (9:0), a (5:4); d beats a (5:4)
    assert of(ELECTION, "copeland").score == {"a": -3, "b": 3, "c": 1, "d": -1}


def test_kemeny_contradicts_the_fewest():
    found = of(ELECTION, "kemeny")
    assert str(found.order) == "b > c > d > a"
    assert (found.contradicted, found.least, found.exact) == (2 + 2 + 4 + 0 + 4 + 4, 16, True)


def test_mc4_in_a_circle_of_three():
    # a beats b, b beats c, c beats a by 2:1; the walk spends equal time: all tied, and d behind
    found = of(["a b c d", "b c a d", "c a b d"], "mc4")
    assert str(found.order) == "a = b = c > d"


def test_mc4_by_hand():
    # the walk leaves a for c or d, b for a, c for b, d for b or c, each with probability 1/4:
    # time at b = 2 a, at d = a / 2, at c = a + d = 3/2 a; the longest counts 1/2
    circle = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("b", "d"), ("c", "d")]
    found = merge(Preferences({"q": circle}), "mc4").topics["q"]
    assert found.score == {"a": 0.25, "b": 0.5, "c": 0.375, "d": 0.125}


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=12)
@given(orders=st.lists(st.permutations("abcde").map(" ".join), min_size=1, max_size=5))
def test_unanimous_pairs_keep_their_order(method, orders):
    found = of(orders, method).order.level
    for x in "abcde":
        for y in "abcde":
            if all(order.index(x) < order.index(y) for order in orders):
                assert found[x] < found[y]


@pytest.mark.parametrize("method", ["copeland", "mc4", "kemeny"])
@settings(max_examples=12)
@given(orders=st.lists(st.permutations("abcde").map(" ".join), min_size=1, max_size=5))
def test_who_beats_everyone_comes_first(method, orders):
    def beats(x, y):
        return sum(order.index(x) < order.index(y) for order in orders) > len(orders) / 2

    for x in "abcde":
        if all(beats(x, y) for y in "abcde" if y != x):
            assert of(orders, method).order.levels[0] == (x,)


@pytest.mark.parametrize("method", METHODS)
def test_one_ranking_merges_into_itself(method):
    found = merge([{"q": {"a": 3, "b": 3, "c": 1}}], method)
    assert found.orders["q"].levels == (("a", "b"), ("c",))


def test_votes_of_preferences_and_of_several_judges():
    preferences = Preferences(
        {"q": [("a", "b"), ("a", "b"), ("b", "a"), ("b", "c"), ("a", "=", "c")]}
    )
    found = merge(preferences)
    assert str(found.orders["q"]) == "a > b > c"
    assert found.topics["q"].contradicted == 1
    pooled = merge({"x": preferences, "y": Preferences({"q": [("b", "a"), ("b", "a")]})})
    assert str(pooled.orders["q"]).startswith("b > ")
    assert pooled.sources == ("x", "y")


def test_unretrieved_documents_stand_last_or_are_unknown():
    runs = [Run({"q": {"a": 2, "b": 1}}, label="one"), Run({"q": {"c": 1}}, label="two")]
    assert merge(runs, "borda").topics["q"].score == {"a": 1, "b": -1, "c": 0}
    assert merge(runs, "borda", unretrieved="unknown").topics["q"].score == {
        "a": 1,
        "b": -1,
        "c": 0,
    }
    last = merge(runs, "copeland")
    assert last.topics["q"].score == {"a": 1, "b": -1, "c": 0}
    assert merge(runs, depth=1).topics["q"].score == {"a": 0, "c": 0}


def test_depth_cuts_ties_as_evaluation_does():
    run = Run({"q": {"a": 1.0, "b": 1.0, "c": 1.0}})
    assert set(merge([run], depth=2).orders["q"].docs) == {"b", "c"}


def test_pseudo_judgments_of_the_systems():
    runs = [
        Run({"q": {d: -float(i) for i, d in enumerate(o)}}, label=o) for o in ("abc", "acb", "bac")
    ]
    merged = merge(runs)
    assert merged.to_judgments().to_dict() == {"q": {"a": 2, "b": 1, "c": 0}}
    assert merged.to_judgments(top=1).to_dict() == {"q": {"a": 1, "b": 0, "c": 0}}
    scores = evaluate(merged.to_judgments(), runs, "NDPM")
    assert scores.values[0, :, 0, 0].tolist() == [0, 1 / 3, 1 / 3]
    assert merged.to_run().to_dict()["q"] == {"a": 2, "b": 1, "c": 0}


def test_a_first_level_that_top_cuts_through_counts_whole():
    merged = merge([{"q": {"a": 1, "b": 1, "c": 0, "d": 0}}])
    assert merged.to_judgments(top=1).to_dict()["q"] == {"a": 1, "b": 1, "c": 0, "d": 0}
    assert merged.to_judgments(top=3).to_dict()["q"] == {"a": 1, "b": 1, "c": 0, "d": 0}


def test_a_grade_below_0_says_nothing_a_number_does():
    judgments = Judgments({"q": {"a": -1, "b": 0, "c": 1}})
    assert set(merge([judgments]).orders["q"].docs) == {"b", "c"}
    assert str(merge([judgments.to_dict()]).orders["q"]) == "c > b > a"


@pytest.mark.parametrize(
    ("given_", "options", "message"),
    [
        ([], {}, "no ranking to merge"),
        ("abc", {}, "found str"),
        ([{"q": {"a": 1}}], {"method": "boda"}, "must be one of 'borda'"),
        ([{"q": {"a": 1}}], {"depth": 0}, "depth=0"),
        ([{"q": {"a": 1}}], {"unretrieved": "first"}, "must be one of 'last'"),
        ([Judgments({"q": {"a": 1}}), Judgments({"q": {"a": 1}})], {}, "two rankings are labelled"),
    ],
)
def test_bad_requests(given_, options, message):
    with pytest.raises(AssayError, match=message):
        merge(given_, **options)


def test_table_and_frame():
    found = merge(ballots(*ELECTION))
    text = str(found.table())
    assert "b > c > d > a" in text
    assert "1 of 1 topics exact" in text
    assert found.to_polars().rows()[0] == ("q", "b", 0, 3)
    assert "<table>" in found._repr_html_()


def test_large_pools_by_borda_alone():
    rng = np.random.default_rng(0)
    runs = [
        Run({"q": {f"d{i}": float(x) for i, x in enumerate(rng.random(6001))}}, label=str(r))
        for r in (1, 2)
    ]
    assert len(merge(runs, "borda").orders["q"]) == 6001
    with pytest.raises(AssayError, match="use depth= to cut the runs"):
        merge(runs, "copeland")
