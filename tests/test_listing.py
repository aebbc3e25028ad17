"""Lists to look at: order, grades, and what each rank adds."""

from __future__ import annotations

import math

import pytest

from assay.evaluation import evaluate
from assay.judgments import Judgments
from assay.listing import listing
from assay.measures.measure import parse_all
from assay.policy import Policy
from assay.run import Run
from assay.simulation import simulate

JUDGED = {"q": {"a": 3, "b": 2, "c": 1, "d": 0, "e": -1}, "none": {"x": 0}}
FOUND = {"q": {"b": 4.0, "u": 3.0, "a": 2.0, "d": 1.0, "e": 0.5}, "none": {"x": 1.0}}


def made(measures, *, judged=JUDGED, found=FOUND, depth=100, **policy):
    return listing(
        Judgments(judged), [Run(found)], parse_all(measures), Policy(**policy), depth=depth
    )


def docs(shown, topic=0, run=0):
    return [shown.documents[topic].docs[i] for i in shown.lists[run][topic].docs]


def test_documents_stand_best_grade_first_and_lists_by_rank():
    shown = made(["P@5"])
    assert shown.topics == ("q", "none")
    assert shown.documents[0].docs == ("a", "b", "c", "d", "u", "e")  # c was not retrieved
    assert shown.documents[0].grades == (3, 2, 1, 0, None, None)  # -1 is pooled, not judged
    assert shown.documents[0].relevant == 3
    assert docs(shown) == ["b", "u", "a", "d", "e"]
    assert shown.lists[0][0].length == 5


def test_what_each_rank_adds_is_the_arithmetic_of_the_papers():
    """By hand: ideal DCG of 3, 2, 1 is 3 + 2 / log2(3) + 1 / 2 = 4.7619."""
    ideal = 3 + 2 / math.log2(3) + 1 / 2
    by_hand = {
        "nDCG@10": [2 / ideal, 0, 1.5 / ideal, 0, 0],
        "nDCG@2": [2 / (3 + 2 / math.log2(3)), 0, 0, 0, 0],
        "AP": [1 / 3, 0, (2 / 3) / 3, 0, 0],
        "RR": [1, 0, 0, 0, 0],
        "P@5": [1 / 5, 0, 1 / 5, 0, 0],
        "R@5": [1 / 3, 0, 1 / 3, 0, 0],
        "RBP(p=0.5,rel=1)": [0.5, 0, 0.125, 0, 0],
    }
    shown = made(list(by_hand))
    for adds, expected in zip(shown.lists[0][0].adds, by_hand.values(), strict=True):
        assert adds == pytest.approx(expected)
    assert all(math.isnan(x) for x in shown.lists[0][1].adds[0])  # nDCG has no value there


@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"ties": "best"},
        {"ties": "worst"},
        {"ties": "expected"},
        {"unjudged": "condensed"},
        {"negative": "nonrelevant"},
    ],
)
def test_ranks_add_up_to_the_value(policy):
    """The value comes from `evaluate`; lists of `rounded` are full of ties."""
    made = simulate(topics=8, docs=120, runs=4, depth=40, pool=10, seed=3)
    measures = parse_all(["nDCG@10", "P@10", "DCG@5"])
    scores = evaluate(made.judgments, made.runs, measures, **policy)
    shown = listing(made.judgments, made.runs, measures, Policy(**policy))
    for r, run in enumerate(shown.runs):
        for t, topic in enumerate(shown.topics):
            for m, measure in enumerate(measures):
                value = scores.of(run, measure)[scores.topics.index(topic)]
                adds = shown.lists[r][t].adds[m]
                total = 0.0 if adds is None else sum(adds)  # gappy lacks a topic
                assert total == pytest.approx(value, nan_ok=True)


def test_ties_go_as_the_policy_says():
    tied = {"q": {"a": 1.0, "d": 1.0, "u": 1.0, "b": 2.0}}
    orders = {
        "trec": ["b", "u", "d", "a"],
        "best": ["b", "a", "d", "u"],
        "worst": ["b", "u", "d", "a"],
    }
    for ties, expected in orders.items():
        shown = made(["P@2"], found=tied, ties=ties)
        assert docs(shown) == expected
    shown = made(["P@2"], found=tied, ties="expected")
    assert shown.lists[0][0].adds[0] == pytest.approx((1 / 2, 0, 0, 1 / 6))  # a is second in 1 of 3


def test_depth_cuts_lists_and_says_how_long_they_were():
    shown = made(["AP"], depth=2)
    assert docs(shown) == ["b", "u"]
    assert shown.lists[0][0].length == 5
    assert shown.lists[0][0].adds[0] == pytest.approx((1 / 3, 0))
    assert "e" not in shown.documents[0].docs
    assert "a" in shown.documents[0].docs  # relevant, though nobody shows it


@pytest.mark.parametrize(
    ("measure", "why"),
    [
        ("NDPM", "more than grades and ranks"),
        ("RSVr1@5", "more than grades and ranks"),
        ("Q@5", "a better order may lower it"),
    ],
)
def test_measures_whose_ranks_do_not_add_up_say_why(measure, why):
    shown = made([measure, "P@5"])
    assert why in shown.reasons[0]
    assert shown.reasons[1] == ""
    assert shown.lists[0][0].adds[0] is None
    assert shown.lists[0][0].adds[1] is not None


def test_a_topic_that_a_run_lacks_and_one_that_nobody_judged():
    shown = made(["P@5"], found={"q": FOUND["q"], "foreign": {"a": 1.0}})
    assert shown.topics == ("q", "none")
    assert shown.lists[0][1].docs == ()
    assert shown.lists[0][1].length == 0
