"""Groups of judges, bands of ranks, a judge as a system, pairs, ranges: against slow twins."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.judges.bands import Hits, band_names, bands, strip
from assay.judges.groups import BOTH, CONSENSUS, EITHER, MAJORITY, grouped, lower_median
from assay.judges.pairs import classified
from assay.judges.performance import consistency_against_performance, judge_as_system, thirds
from assay.judges.ranges import ranges_of
from assay.judges.slipshod import fused_rank

NAN = math.nan
GRADE = np.array(
    [
        [3.0, 2, 0, 0, NAN, 1, 2],
        [2.0, 0, 1, 0, 2, NAN, 3],
        [1.0, 1, 0, 0, 1, 0, 3],
    ]
)
TOPIC = np.array([0, 0, 0, 0, 0, 0, 1])


def groups(**settings):
    has = np.ones((3, 2), dtype=bool)
    return grouped(GRADE, TOPIC, has, judges=("a", "b", "c"), rel=(1, 1, 1), **settings)


def test_groups_use_documents_judged_by_all():
    found = groups()
    rows = dict(zip(found.names, found.grade, strict=True))
    assert (found.counted, found.judged, found.graded) == (5, 7, True)
    assert np.array_equal(rows[EITHER], [3, 2, 1, 0, NAN, NAN, 3], equal_nan=True)
    assert np.array_equal(rows[BOTH], [1, 0, 0, 0, NAN, NAN, 2], equal_nan=True)
    assert np.array_equal(rows[MAJORITY], [1, 1, 0, 0, NAN, NAN, 1], equal_nan=True)
    assert np.array_equal(rows[CONSENSUS], [2, 1, 0, 0, NAN, NAN, 3], equal_nan=True)
    assert np.array_equal(rows["a"], [3, 2, 0, 0, NAN, NAN, 2], equal_nan=True)


def test_available_takes_what_some_judge_judged():
    found = groups(available=True)
    rows = dict(zip(found.names, found.grade, strict=True))
    assert found.counted == 7
    assert rows[MAJORITY].tolist() == [1, 1, 0, 0, 1, 0, 1]  # a tie, in the sixth, is not relevant
    assert rows[CONSENSUS].tolist() == [2, 1, 0, 0, 1, 0, 3]
    assert np.isnan(rows["a"][4])


def test_a_judge_who_did_not_judge_a_topic_is_not_asked_there():
    grade = np.array([[1.0, NAN], [1.0, 1.0]])
    has = np.array([[True, False], [True, True]])
    found = grouped(grade, np.array([0, 1]), has, judges=("a", "b"), rel=(1, 1))
    assert found.counted == 2


def test_different_scales_make_groups_binary():
    found = grouped(
        np.array([[3.0, 2, 0], [1.0, 0, 1]]),
        np.zeros(3, int),
        np.ones((2, 1), dtype=bool),
        judges=("a", "b"),
        rel=(2, 1),
    )
    rows = dict(zip(found.names, found.grade, strict=True))
    assert not found.graded
    assert (rows[EITHER].tolist(), rows[BOTH].tolist()) == ([1, 1, 1], [1, 0, 0])
    assert MAJORITY not in rows
    assert CONSENSUS not in rows


def test_the_lower_median():
    assert lower_median(np.array([[3.0, NAN], [1.0, 2.0], [0.0, NAN], [2.0, 1.0]])).tolist() == [
        1,
        1,
    ]


def hits():
    rng = np.random.default_rng(1)
    rows = [
        (run, topic, topic * 40 + pair, rank)
        for topic in range(3)
        for run in range(2)
        for rank, pair in enumerate(rng.permutation(40)[:25], start=1)
    ]
    run, topic, pair, rank = (np.asarray(column) for column in zip(*rows, strict=True))
    return Hits(run, topic, pair, rank, ("r0", "r1"))


def judges():
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 3, (2, 120)).astype(float)
    b[rng.random(120) < 0.2] = np.nan
    return a, b


def test_bands_are_counts_by_rank():
    (a, b), where = judges(), hits()
    found = bands(a, b, where, 3, judges=("a", "b"), rel=(1, 2), edges=(5, 10, 20))
    assert found.names == ("1-5", "6-10", "11-20", "21+")
    rows = zip(where.run, where.topic, where.pair, where.rank, strict=True)
    table = np.zeros((2, 3, 4, 2, 2))
    for run, topic, pair, rank in rows:
        if not np.isnan(b[pair]):
            band = 0 if rank <= 5 else 1 if rank <= 10 else 2 if rank <= 20 else 3
            table[run, topic, band, int(a[pair] >= 1), int(b[pair] >= 2)] += 1
    assert np.array_equal(found.tables, table)
    total = table.sum(axis=(0, 1))[0]
    assert found.overlap[0].value == total[1, 1] / (total.sum() - total[0, 0])
    assert found.verdict().startswith("a and b agree")
    assert [row[0] for row in found.tabulars()[0].rows] == list(found.names)


def test_bands_beyond_the_longest_list_are_left_out():
    (a, b), where = judges(), hits()
    found = bands(a, b, where, 3, judges=("a", "b"), rel=(1, 1), edges=(5, 10, 20, 50, 100))
    assert found.names == ("1-5", "6-10", "11-20", "21-50")
    assert band_names((5,)) == ("1-5", "6+")


def test_the_strip_of_ranks():
    (a, b), where = judges(), hits()
    found = strip(
        a, b, where, np.arange(40, 80), run=1, topic=(1, "t1"), judges=("a", "b"), rel=(1, 1)
    )
    mine = [
        (rank, a[pair] >= 1, b[pair] >= 1)
        for run, topic, pair, rank in zip(
            where.run, where.topic, where.pair, where.rank, strict=True
        )
        if (run, topic) == (1, 1) and (a[pair] >= 1 or b[pair] >= 1)
    ]
    assert list(zip(found.ranks, found.in_first, found.in_second, strict=True)) == mine
    at_10 = found.points[0, found.cutoffs.index(10)]
    inside = sum(x for rank, x, _ in mine if rank <= 10)
    assert at_10.tolist() == [inside / (a[40:80] >= 1).sum(), inside / 10]
    assert sum(found.in_first) + found.missed[0] == (a[40:80] >= 1).sum()


def test_a_judge_as_a_system():
    table = np.array([[[5.0, 1], [2, 4]], [[9, 0], [3, 0]], [[4, 6], [0, 0]]])
    found = np.array([[3.0, 1, 0]])
    machine = judge_as_system(
        table, found, topics=("x", "y", "z"), judges=("a", "b"), systems=("run",)
    )
    assert machine.topics == ("x", "y")  # nothing is relevant to a on z
    assert machine.recall.tolist() == [[4 / 6, 0], [3 / 6, 1 / 3]]
    assert machine.precision.tolist() == [[4 / 5, 0], [3 / 5, 0]]  # b finds nothing on y
    assert machine.wins.tolist() == [1]
    skipped = judge_as_system(
        table, found, topics=("x", "y", "z"), judges=("a", "b"), systems=("run",), empty="skip"
    )
    assert np.isnan(skipped.precision[:, 1]).all()


def test_quarters():
    assert thirds(np.arange(48.0)).tolist() == [2] * 12 + [1] * 24 + [0] * 12


def test_consistency_and_performance():
    x = np.arange(8.0)
    found = consistency_against_performance(
        x,
        np.stack([x, x + np.array([1, -1, 0, 0, 0, 0, 1, -1])]),
        topics=tuple("abcdefgh"),
        judges=("a", "b"),
        performance="AP",
    )
    assert found.spearman.value > 0.9
    assert found.cells[0, 0].tolist() == [1, 1, 0]  # second better, first better, equal
    assert found.cells.sum() == 8


def test_classes_of_pairs():
    difference = np.array([[0.2, 0.2, 0.2, 0.1], [0.3, -0.2, 0.1, -0.1]])
    p = np.array([[0.01, 0.01, 0.01, 0.5], [0.02, 0.04, 0.5, 0.6]])
    found = classified(
        difference,
        p,
        np.array([0, 0, 0, 1]),
        np.array([1, 2, 3, 2]),
        measure="AP",
        judges=("a", "b"),
        runs=tuple("wxyz"),
        test="test",
    )
    assert list(found.counts.values()) == [1, 1, 1, 1]
    assert found.disagreements == (("w", "y"),)
    assert list(found.turned.values()) == [0, 1, 0, 1]
    assert "w over y under a" in found.verdict()


def test_ranges_lie_between_the_judges():
    rng = np.random.default_rng(3)
    values = rng.random((3, 4, 10))
    found = ranges_of(values, measure="AP", judges=("a", "b", "c"), runs=tuple("wxyz"), draws=500)
    assert found.means.shape == (500, 4)
    assert (found.means <= values.max(axis=0).mean(axis=-1) + 1e-12).all()
    assert (found.means >= values.min(axis=0).mean(axis=-1) - 1e-12).all()
    error = values.std(axis=0).max() / math.sqrt(500)
    assert found.means.mean(axis=0) == pytest.approx(values.mean(axis=(0, 2)), abs=4 * error)


def test_the_fused_rank():
    class Judged:
        topic_of = np.array([0, 0, 0, 1, 1])
        start = np.array([0, 3, 5])

    class Panel:
        judged = Judged()
        hits = Hits(
            np.array([0, 0, 1, 1]),
            np.array([0, 0, 0, 1]),
            np.array([1, 0, 1, 4]),
            np.array([1, 2, 5, 1]),
            ("r0", "r1"),
        )

    rank = fused_rank(Panel())
    assert rank[:2].tolist() == [2, 1]
    assert rank[4] == 1
    assert (rank[[2, 3]] > 1000).all()
