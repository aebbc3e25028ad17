from __future__ import annotations

import random
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.measures import parse
from assay.measures.weak_orders import earlier_below, inversions, middle


@given(st.lists(st.integers(-3, 3) | st.floats(-2, 2), max_size=20))
def test_earlier_and_smaller(values):
    weights = [1.0 + i for i in range(len(values))]
    expected = [
        sum(w for v, w in zip(values[:i], weights, strict=False) if v < here)
        for i, here in enumerate(values)
    ]
    array = np.asarray(values, dtype=np.float64)
    assert earlier_below(array, np.asarray(weights)).tolist() == expected
    pairs = sum(a < b for i, b in enumerate(values) for a in values[:i])
    assert inversions(np.stack([array, array])).tolist() == [pairs, pairs]


@given(st.lists(st.integers(-3, 3) | st.floats(-2, 2), min_size=1, max_size=20))
def test_middle_ranks(values):
    ours = middle(np.asarray(values, dtype=np.float64)) + 1
    assert ours.tolist() == stats.rankdata(values).tolist()


def topic(number, seed):
    """Real-valued grades, some documents tied by the system, some not retrieved."""
    rng = np.random.default_rng(seed)
    grade = rng.random(number).round(3 if seed % 2 else 12)
    score = np.sort(rng.integers(0, number // 2, number))[::-1].astype(float)
    left = number // 10
    rank = np.arange(1.0, number - left + 1)
    shown = score[: number - left]
    first = 1 + np.searchsorted(-shown, -shown, side="left")
    missed = np.sort(grade[number - left :])[::-1]
    scores = np.concatenate([shown, np.full(left, -1.0)])
    fields = {"grade": grade[: number - left], "rank": rank, "missed": missed}
    return fields | {"tie_first": first.astype(float)}, grade, scores


@pytest.mark.parametrize("seed", [1, 2])
def test_large_topics_against_scipy(seed):
    fields, grade, scores = topic(3000, seed)
    scores[2700:] = -1.0
    for name, expected in (
        ("Rho", stats.spearmanr(grade, scores).statistic),
        ("TauB", stats.kendalltau(grade, scores).statistic),
        ("TauC", stats.kendalltau(grade, scores, variant="c").statistic),
    ):
        assert float(parse(name).kernel(**fields)) == pytest.approx(expected, rel=1e-10)


def test_memory_grows_with_the_documents_not_with_the_pairs():
    peaks = []
    for number in (5_000, 20_000):
        fields, *_ = topic(number, 2)
        tracemalloc.start()
        parse("NDPM").kernel(**fields)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 5 * peaks[0] < 20_000 * 20_000


def test_the_order_of_judged_documents_is_all_that_counts():
    """Ranks far apart, as among documents that nobody judged, change nothing."""
    rng = random.Random(3)
    fields, *_ = topic(200, 1)
    spread = np.cumsum([rng.randint(1, 9) for _ in fields["rank"]]).astype(float)
    first = spread[fields["tie_first"].astype(int) - 1]
    moved = fields | {"rank": spread, "tie_first": first}
    for name in ("NDPM", "Rho", "TauA", "TauB", "TauC"):
        assert parse(name).kernel(**moved) == parse(name).kernel(**fields)
