"""Lists that studies make as arrays, against the same lists built document by document."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.measures import parse
from assay.studies.lists import PAIRS, listed, scorable, values_of, width_of
from lists import values
from variants import VARIANTS

SCORABLE = [each for each in VARIANTS if not each.definition.sets]


def drawn(seed, shape=(6, 4, 2), ties=False):
    """Rows of grades by rank, grades not retrieved, scores; and the same as dictionaries."""
    rows, found, missing = shape
    rng = np.random.default_rng(seed)
    grade = rng.integers(0, 4, (rows, found)).astype(float)
    missed = rng.integers(0, 4, (rows, missing)).astype(float)
    steps = rng.integers(0 if ties else 1, 3, (rows, found))
    score = np.flip(np.cumsum(steps, axis=-1), axis=-1) + 0.0
    cases = []
    for r in range(rows):
        # a tied group stands by decreasing id, so the ids fall with the rank
        run = {f"d{found - i}": score[r, i] for i in range(found)}
        judged = {f"d{found - i}": grade[r, i] for i in range(found)}
        cases.append((judged | {f"m{i}": missed[r, i] for i in range(missing)}, run))
    return grade, missed, score, cases


@pytest.mark.parametrize("measure", SCORABLE, ids=str)
@pytest.mark.parametrize("shape", [(6, 4, 2), (3, 5, 0), (2, 0, 3)])
def test_every_measure(measure, shape):
    for seed in range(3):
        grade, missed, score, cases = drawn(seed, shape, ties=seed == 2)
        pairs = any(name in PAIRS for name in measure.definition.fields)
        found = values_of(measure, listed(grade, missed, score, pairs=pairs))
        np.testing.assert_allclose(found, values(measure, cases), atol=1e-12)


def test_without_scores_there_are_no_ties():
    grade, missed, _, _ = drawn(1)
    made = listed(grade, missed)
    np.testing.assert_array_equal(made.tie_first, made.rank)
    assert (np.diff(made.score, axis=-1) < 0).all()


def test_the_top_of_the_scale_is_filled_in_where_it_counts():
    assert str(scorable(parse("ERR"), 3.0)) == "ERR(max=3)"
    assert str(scorable(parse("RBP(rel=2)"), 3.0)) == "RBP(rel=2)"
    assert str(scorable(parse("ERR(max=5)"), 3.0)) == "ERR(max=5)"
    assert str(scorable(parse("NDCNG"), 3.0)) == "NDCNG"  # its max is each topic's best


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Coverage(known='x')", "needs known"),
        ("AP(rel=each)", "one measure for each relevance level"),
        ("nDCG(unjudged='condensed')@10", "leave unjudged= out"),
    ],
)
def test_what_cannot_be_scored(name, message):
    with pytest.raises(assay.AssayError, match=message):
        scorable(parse(name))


def test_measures_on_pairs_are_wider():
    assert width_of(parse("AP"), 10) == 10
    assert width_of(parse("NumPref"), 10) == 45
