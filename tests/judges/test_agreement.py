"""Kappas, alpha and their kin against statsmodels, krippendorff, scikit-learn and hand counts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.judges.agreement import agreement
from assay.judges.contingency import (
    alpha,
    coincidences,
    confusion,
    consistency,
    fleiss,
    gwet,
    kappa,
    negative_agreement,
    overlap,
    positive_agreement,
    prevalence,
    sizes,
)
from assay.judges.jackknife import mean_of, of_sums

TABLE = np.array([[40.0, 9], [6, 45]])  # rows: the first judge


def raters(seed, judges=4, pairs=60, levels=4, gaps=0.0):
    """Grades [judge, pair] that agree more than by chance, some missing, and topics."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, levels, pairs)
    noise = rng.integers(0, levels, (judges, pairs))
    grade = np.where(rng.random((judges, pairs)) < 0.6, truth, noise).astype(float)
    grade[rng.random((judges, pairs)) < gaps] = np.nan
    return grade, np.sort(rng.integers(0, 5, pairs))


def test_two_judges_by_hand():
    A, B, C, D, N = sizes(TABLE)
    assert (A, B, C, D, N) == (51, 54, 60, 45, 100)
    assert overlap(TABLE) == 45 / 60
    assert consistency(TABLE) == 45 / math.sqrt(51 * 54)
    assert positive_agreement(TABLE) == 90 / 105
    assert negative_agreement(TABLE) == 80 / 95
    assert prevalence(TABLE) == 5 / 100
    expected = (51 * 54 + 49 * 46) / 100**2
    assert kappa(TABLE) == pytest.approx((0.85 - expected) / (1 - expected))
    share = (51 + 54) / 200
    chance = 2 * share * (1 - share)
    assert gwet(TABLE) == pytest.approx((0.85 - chance) / (1 - chance))


def test_where_there_is_nothing_to_agree_on():
    nobody, one = np.array([[5.0, 0], [0, 0]]), np.array([[5.0, 3], [0, 0]])
    assert np.isnan(overlap(nobody))
    assert np.isnan(consistency(nobody))
    assert overlap(one) == 0
    assert consistency(one) == 0  # GOLDEN.md, query 86


@pytest.mark.parametrize(
    ("ours", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")]
)
def test_kappa_is_statsmodels(ours, theirs):
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    grade, topic = raters(1)
    table = confusion(grade[0], grade[1], topic, 5, np.arange(4.0)).sum(axis=0)
    expected = rater.cohens_kappa(table, wt=theirs, return_results=False)
    assert kappa(table, np.arange(4.0), ours) == pytest.approx(expected, abs=1e-12)


def test_kappa_is_scikit_learns():
    metrics = pytest.importorskip("sklearn.metrics")
    grade, topic = raters(2)
    table = confusion(grade[0], grade[1], topic, 5, np.arange(4.0))
    assert table.shape == (5, 4, 4)
    expected = metrics.cohen_kappa_score(grade[0], grade[1], weights="quadratic")
    assert kappa(table.sum(axis=0), np.arange(4.0), "quadratic") == pytest.approx(expected)


def test_fleiss_is_statsmodels():
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    grade, topic = raters(3)
    votes, _ = rater.aggregate_raters(grade.T.astype(int))
    expected = rater.fleiss_kappa(votes)
    assert fleiss(grade, topic, 5, np.arange(4.0)).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("gaps", [0.0, 0.4])
def test_alpha_is_krippendorffs(level, gaps):
    krippendorff = pytest.importorskip("krippendorff")
    grade, topic = raters(4, gaps=gaps)
    table = coincidences(grade, topic, 5, np.arange(4.0)).sum(axis=0)
    expected = krippendorff.alpha(grade, level_of_measurement=level, value_domain=list(range(4)))
    assert alpha(table, np.arange(4.0), level) == pytest.approx(expected, abs=1e-12)


def gwet_by_hand(grade, weights):
    """Gwet 2008 as a sum over pairs of judgments."""
    first, second = grade
    n, q = len(first), 4
    w = [
        [1 - abs(i - j) / 3 if weights == "linear" else float(i == j) for j in range(q)]
        for i in range(q)
    ]
    observed = sum(w[int(a)][int(b)] for a, b in zip(first, second, strict=True)) / n
    share = [((first == k).mean() + (second == k).mean()) / 2 for k in range(q)]
    chance = sum(map(sum, w)) / (q * (q - 1)) * sum(p * (1 - p) for p in share)
    return (observed - chance) / (1 - chance)


@pytest.mark.parametrize("weights", ["none", "linear"])
def test_gwet_by_hand(weights):
    grade, topic = raters(5)
    table = confusion(grade[0], grade[1], topic, 5, np.arange(4.0)).sum(axis=0)
    assert gwet(table, np.arange(4.0), weights) == pytest.approx(gwet_by_hand(grade[:2], weights))


def test_the_kappa_paradox():
    """High agreement, one rare class: kappa about 0, AC1 high; prevalence tells why."""
    table = np.array([[90.0, 5], [5, 0]])
    assert kappa(table) < 0
    assert gwet(table) > 0.85
    assert prevalence(table) == -0.9


def test_intervals_leave_topics_out():
    grade, topic = raters(6)
    tables = confusion(grade[0], grade[1], topic, 5, np.arange(4.0))
    found = of_sums(kappa, tables, (-1, 1))
    without = [float(kappa(np.delete(tables, t, axis=0).sum(axis=0))) for t in range(5)]
    error = math.sqrt(4 / 5 * sum((x - np.mean(without)) ** 2 for x in without))
    assert found.low == pytest.approx(found.value - 2.7764451 * error)
    assert found.low < found.value < found.high


def test_the_mean_has_the_t_interval():
    x = np.array([0.2, 0.5, np.nan, 0.9, 0.4])
    found = mean_of(x)
    half = 3.1824463 * np.nanstd(x, ddof=1) / 2
    assert (found.value, found.low) == pytest.approx((0.5, 0.5 - half))
    assert found.topics == 4


def test_any_number_of_judges_incomplete_with_thresholds_and_groups():
    grade, topic = raters(7, judges=3, gaps=0.2)
    found = agreement(
        grade,
        topic,
        judges=("a", "b", "c"),
        topics=tuple("vwxyz"),
        rel=(1, 2, 1),
        groups={"group": ("g", "g", "h", "h", "h")},
    )
    assert [(p.first, p.second) for p in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    both = ~np.isnan(grade[0]) & ~np.isnan(grade[1])
    a, b = grade[0][both] >= 1, grade[1][both] >= 2
    first = found.pairs[0]
    assert first.micro["overlap"].value == (a & b).sum() / (a | b).sum()
    assert first.micro["bias"].value == pytest.approx(a.mean() - b.mean())
    names = [table.name for table in found.tabulars()]
    assert names == ["agreement", "kappa", "judges", "leniency", "topics", "groups", "confusion"]
    for table in found.tabulars():
        assert all(len(row) == len(table.heads) for row in table.rows)
    assert found.verdict().endswith(".")


def test_confusion_percentages():
    grade, topic = raters(8)
    found = agreement(grade[:2], topic, judges=("a", "b"), topics=tuple("vwxyz"), rel=(1, 1))
    table = next(t for t in found.tabulars() if t.name == "confusion")
    rows = [row for row in table.records() if row["grade by first"] == 2.0]
    assert sum(row["% of row"] for row in rows) == pytest.approx(100)
    assert sum(row["pairs"] for row in rows) == (grade[0] == 2).sum()


def test_a_universe_larger_than_the_judged_pairs():
    grade, topic = raters(9, pairs=50)
    found = agreement(
        grade[:2], topic, judges=("a", "b"), topics=tuple("vwxyz"), rel=(2, 2), universe=1000
    )
    table = found.pairs[0].binary.sum(axis=0)
    assert table.sum() == 5000
    assert found.pairs[0].micro["overlap"].value == overlap(table)
