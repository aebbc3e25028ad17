"""The papers' measures against scipy, scikit-learn, the standard library, and each other."""

from __future__ import annotations

import math
import random
import re
import statistics

import numpy as np
import pytest

from assay.measures import parse
from lists import in_order, is_known, random_list, random_topic, value
from oracles.test_oracles import ORACLES


def pairs(kind):
    return [
        pytest.param(ours, theirs, id=f"{ours} {theirs}")
        for entry in ORACLES.values()
        for ours, theirs in entry.get(kind, {}).items()
    ]


def random_cases(number=60):
    """Topics with judgments of several grades, lists with ties every other time."""
    rng = random.Random(17)
    cases = []
    while len(cases) < number:
        qrels, docs = random_topic(rng)
        qrels = {doc: grade for doc, grade in qrels.items() if grade >= 0}
        run = random_list(rng, docs, ties=len(cases) % 2 == 0)
        if run and len(set(qrels.values())) > 1:
            cases.append((qrels, run))
    return cases


CASES = random_cases()


def of(measure, qrels, run):
    return float(value(measure, qrels, run))


# -------------------------------------------------------------------------- other people's code


def both_sides(qrels, run):
    """Grades and scores of all judged documents; those not retrieved are below all others."""
    low = min(run.values()) - 1
    return list(qrels.values()), [run.get(doc, low) for doc in qrels]


def spearmanr(stats, measure, qrels, run):
    user, system = both_sides(qrels, run)
    return stats.spearmanr(user, system).statistic if len(set(system)) > 1 else 0.0


def kendalltau_b(stats, measure, qrels, run):
    user, system = both_sides(qrels, run)
    return stats.kendalltau(user, system).statistic if len(set(system)) > 1 else 0.0


def kendalltau_c(stats, measure, qrels, run):
    user, system = both_sides(qrels, run)
    if len(set(system)) < 2:
        return 0.0
    return stats.kendalltau(user, system, variant="c").statistic


def whole_collection(measure, qrels, run):
    """Relevance and score of each of N documents; order within the list settled, none after it."""
    shown = in_order(run)
    rest = sorted(set(qrels) - set(run))
    size = measure.parameters["N"] or len(shown) + len(rest)
    docs = [*shown, *rest, *range(size - len(shown) - len(rest))]
    scores = [max(len(shown) - i, 0) for i in range(size)]
    return [qrels.get(doc, 0) >= 1 for doc in docs], scores


def relevant_ranks(stats, measure, qrels, run):
    good, scores = whole_collection(measure, qrels, run)
    ranks = stats.rankdata([-score for score in scores])
    return [rank for rank, is_good in zip(ranks, good, strict=True) if is_good]


def mean_of_ranks(stats, measure, qrels, run):
    return statistics.mean(relevant_ranks(stats, measure, qrels, run))


def ranks_over_best(stats, measure, qrels, run):
    ranks = relevant_ranks(stats, measure, qrels, run)
    return sum(range(1, len(ranks) + 1)) / sum(ranks)


def levels(measure, qrels, run):
    """(relevant, other) documents of each level of the weak order."""
    scores = sorted(set(run.values()), reverse=True)
    groups = [[qrels.get(doc, 0) >= 1 for doc in run if run[doc] == score] for score in scores]
    left = len([doc for doc in qrels if qrels[doc] >= 1 and doc not in run])
    size = measure.parameters["N"] or len(set(qrels) | set(run))
    found = [(sum(group), len(group) - sum(group)) for group in groups]
    return [*found, (left, size - len(run) - left)]


def negative_hypergeometric(stats, n, groups):
    """Distribution of the others before the n-th relevant document: shift and scipy's variable."""
    t = j = 0
    for r, i in groups:
        if t < n <= t + r:
            # scipy counts successes (our others, i of i + r) until the (n - t)-th failure
            return j, stats.nhypergeom(i + r, i, n - t), range(i + 1)
        t, j = t + r, j + i
    return None


def expectation(stats, n, groups, function):
    found = negative_hypergeometric(stats, n, groups)
    if found is None:
        return math.nan
    j, variable, support = found
    return sum(variable.pmf(v) * function(j + v) for v in support)


def nhypergeom_mean(stats, measure, qrels, run):
    n = measure.parameters["n"]
    return expectation(stats, n, levels(measure, qrels, run), float)


def nhypergeom_reduction(stats, measure, qrels, run):
    n, groups = measure.parameters["n"], levels(measure, qrels, run)
    whole = (sum(r for r, _ in groups), sum(i for _, i in groups))
    at_random = expectation(stats, n, [whole], float)
    return 1 - expectation(stats, n, groups, float) / at_random


def wanted_at(measure, qrels):
    return max(1, math.ceil(measure.k * sum(grade >= 1 for grade in qrels.values())))


def nhypergeom_ratio(stats, measure, qrels, run):
    n = wanted_at(measure, qrels)
    return n / (n + expectation(stats, n, levels(measure, qrels, run), float))


def nhypergeom_expected(stats, measure, qrels, run):
    n = wanted_at(measure, qrels)
    return expectation(stats, n, levels(measure, qrels, run), lambda v: n / (n + v))


def cosine(stats, measure, qrels, run):
    from scipy.spatial import distance

    docs = [doc for doc in run if doc in qrels]
    scores, grades = [run[doc] for doc in docs], [qrels[doc] for doc in docs]
    return 1 - distance.cosine(scores, grades) if any(grades) else 0.0


def median_grouped(stats, measure, qrels, run):
    """Each rank once for each unit of gain; Python's classes reach half a rank to both sides."""
    docs = in_order(run)[: int(min(measure.k, len(run)))]
    ranks = [i for i, doc in enumerate(docs, start=1) for _ in range(qrels.get(doc, 0))]
    if not ranks or statistics.median_low(ranks) != statistics.median_high(ranks):
        return None  # the half falls between two ranks: any rank in between would do
    return statistics.median_grouped(ranks) - 0.5


def roc_auc_score(stats, measure, qrels, run):
    metrics = pytest.importorskip("sklearn.metrics")
    good, scores = whole_collection(measure, qrels, run)
    return metrics.roc_auc_score(good, scores) if len(set(good)) > 1 else None


def fbeta_loss(stats, measure, qrels, run):
    metrics = pytest.importorskip("sklearn.metrics")
    docs = [*in_order(run), *(doc for doc in qrels if doc not in run)]
    k, beta = int(measure.k), measure.parameters["b"]
    spare = max(0, k - len(run))  # P@k divides by k even where the list is shorter
    good = [qrels.get(doc, 0) >= 1 for doc in docs] + [False] * spare
    shown = [i < min(k, len(run)) for i in range(len(docs))] + [True] * spare
    return 1 - metrics.fbeta_score(good, shown, beta=beta, zero_division=0.0)


@pytest.mark.parametrize(("ours", "theirs"), pairs("foreign"))
def test_a_foreign_function_gives_the_same(ours, theirs):
    from scipy import stats

    measure, compared = parse(ours), 0
    for qrels, run in CASES:
        found = of(measure, qrels, run)
        expected = globals()[theirs](stats, measure, qrels, run) if not math.isnan(found) else None
        if expected is not None:
            assert found == pytest.approx(expected, rel=1e-10, abs=1e-10), (qrels, run)
            compared += 1
    assert compared > len(CASES) / 3


# ------------------------------------------------------------------------------------- identities


def precision_where_scores_are_equal(measure, qrels, run):
    """Scores that are all equal say nothing: what is left is P@n."""
    level = dict.fromkeys(run, 1.0)
    return of(measure, qrels, level), of(f"P@{measure.at}", qrels, level)


def satisfaction_of_the_rest(measure, qrels, run):
    """Nonrelevant documents as if they alone were worth something."""
    turned = {doc: float(qrels.get(doc, 0) < 1) for doc in {*qrels, *run}}
    expected = of(f"Satisfaction@{measure.at}", turned, run)
    return of(measure, qrels, run), 0.0 if math.isnan(expected) else expected


def recall_of_the_known(measure, qrels, run):
    known = {doc: float(grade >= 1 and is_known(grade)) for doc, grade in qrels.items()}
    return of(measure, qrels, run), of(f"R@{measure.at}", known, run)


def share_of_the_new(measure, qrels, run):
    known = {doc: float(grade >= 1 and is_known(grade)) for doc, grade in qrels.items()}
    shown, old = (of(f"NumRelRet@{measure.at}", judged, run) for judged in (qrels, known))
    return of(measure, qrels, run), 1 - old / shown if shown else 0.0


def found_for_each_wanted(measure, qrels, run):
    wanted = sum(is_known(grade) for grade in qrels.values())  # see `lists.fields`
    found = of(f"NumRelRet@{measure.at}", qrels, run)
    return of(measure, qrels, run), found / wanted if wanted else math.nan


@pytest.mark.parametrize(("ours", "theirs"), pairs("identity"))
def test_an_identity_holds(ours, theirs):
    measure, twin = parse(ours), globals().get(theirs)
    for qrels, run in CASES:
        if twin is None:
            found, expected = of(measure, qrels, run), of(parse(theirs), qrels, run)
        else:
            found, expected = twin(measure, qrels, run)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=f"{qrels} {run}")


@pytest.mark.parametrize(("ours", "theirs"), pairs("printed"))
def test_a_number_from_another_book(ours, theirs):
    number, ranks = re.fullmatch(r"([\d.]+): .*, ranks ([\d ]+)", theirs).groups()
    places = [int(rank) for rank in ranks.split()]
    docs = [f"d{i}" for i in range(1, max(places) + 1)]
    qrels = {f"d{i}": 1 for i in places}
    run = {doc: -float(i) for i, doc in enumerate(docs)}
    assert (
        abs(of(ours, qrels, run) - float(number)) <= 0.5 * 10 ** -len(number.split(".")[1]) + 1e-9
    )
