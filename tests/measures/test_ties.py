"""Expected values under ties: the mean over every order of every tie group, one by one."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from assay.measures import parse
from lists import batch, listed, random_list, random_topic, value, wanted
from variants import VARIANTS

EXPECTED = [measure for measure in VARIANTS if measure.definition.has_expected]


def orders(run):
    """Every list that a random order inside tie groups can give, each as likely as the others."""
    levels = sorted(set(run.values()), reverse=True)
    groups = [[doc for doc in run if run[doc] == level] for level in levels]
    for parts in itertools.product(*map(itertools.permutations, groups)):
        yield listed(list(itertools.chain(*parts)))


def random_cases():
    rng = random.Random(7)
    grades = (0, 0, 1, 2, 3)
    cases = [({"a": 1}, {"a": 1.0}), ({"a": 2, "b": 1}, {}), ({"a": 1, "b": 0}, {"b": 1.0})]
    while len(cases) < 30:
        qrels, docs = random_topic(rng, grades, most=7)
        run = random_list(rng, docs, ties=True)
        groups = [list(run.values()).count(level) for level in set(run.values())]
        if len(run) <= 7 and max(groups, default=0) <= 5:
            cases.append((qrels, run))
    return cases


CASES = random_cases()
TIED = batch(CASES)
ALL_ORDERS = [batch([(qrels, run) for run in orders(run)]) for qrels, run in CASES]


@pytest.mark.parametrize("measure", EXPECTED, ids=str)
def test_expected_value_is_the_mean_over_all_orders(measure):
    found = measure.kernel(**wanted(measure, TIED, expected=True))
    means = [np.mean(measure.kernel(**wanted(measure, arrays))) for arrays in ALL_ORDERS]
    np.testing.assert_allclose(found, means, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("measure", EXPECTED, ids=str)
def test_without_ties_nothing_changes(measure):
    for arrays in ALL_ORDERS[:8]:
        exact = measure.kernel(**wanted(measure, arrays))
        np.testing.assert_array_equal(
            measure.kernel(**wanted(measure, arrays, expected=True)), exact
        )


def test_which_measures_know_their_expected_value():
    names = {measure.name for measure in EXPECTED}
    assert names == {
        *("P", "R", "F", "Fallout", "Success", "Rprec", "AP", "RR", "RBP"),
        *("CG", "DCG", "nDCG", "DCG_JK", "nDCG_JK"),
        *("SetP", "SetR", "SetF", "SetAP"),
        *("NumQ", "NumRet", "NumRel", "NumRelRet", "Judged"),
        *("nCG", "SR", "MSR", "AvgCG", "AvgDCG_JK", "AvgnCG", "AvgnDCG_JK", "gP", "gR", "NDCNG"),
        *("ASL", "NormR", "NormP", "Satisfaction", "Frustration", "SFT", "E"),
        *("Coverage", "RelRecall"),
        *("RelP", "SetFx", "RprecMult", "IdealDCG", "Unjudged"),
    }


def test_two_tied_documents_by_hand():
    """One relevant document among two that tie: first or second, half the time each."""
    qrels, run = {"good": 1, "bad": 0}, {"good": 1.0, "bad": 1.0}
    assert value("RR", qrels, run, expected=True) == (1 + 1 / 2) / 2
    assert value("P@1", qrels, run, expected=True) == 1 / 2
    assert value("AP", qrels, run, expected=True) == (1 + 1 / 2) / 2
    assert value("Success@1", qrels, run, expected=True) == 1 / 2


def test_a_long_group_of_mostly_unjudged_documents():
    """With one relevant document among n tied ones, E[RR] = E[AP] = H(n)/n."""
    n = 1000
    run = {f"d{i}": 0.0 for i in range(n)}
    harmonic = sum(1 / i for i in range(1, n + 1))
    for name in ("RR", "AP"):
        found = value(name, {"d5": 1}, run, expected=True)
        assert found == pytest.approx(harmonic / n, rel=1e-12)
    assert value("RR@10", {"d5": 1}, run, expected=True) == pytest.approx(
        sum(1 / i for i in range(1, 11)) / n, rel=1e-12
    )
    assert value("Success@10", {"d5": 1}, run, expected=True) == pytest.approx(10 / n, rel=1e-12)


def test_ranks_far_down_cost_few_digits():
    """A tie group at rank 10,000: AP's closed form subtracts numbers near 1."""
    run = {f"top{i}": 2.0 + i for i in range(10_000)} | {"x": 1.0, "y": 1.0, "z": 1.0}
    found = value("AP", {"x": 1, "y": 1}, run, expected=True)
    places = itertools.combinations((10_001, 10_002, 10_003), 2)
    assert found == pytest.approx(sum((1 / a + 2 / b) / 2 for a, b in places) / 3, abs=1e-11)


def test_scikit_learn_averages_over_ties_too():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = random.Random(3)
    for _ in range(20):
        docs = [f"d{i}" for i in range(6)]
        qrels = {doc: rng.randint(0, 3) for doc in docs}
        run = {doc: float(rng.randint(1, 3)) for doc in docs}
        found = value(parse("DCG@4"), qrels, run, expected=True)
        gains, scores = [list(qrels.values())], [list(run.values())]
        assert found == pytest.approx(metrics.dcg_score(gains, scores, k=4), rel=1e-12)
