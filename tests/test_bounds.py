"""Bounds over unjudged documents against all judgments that there could be."""

from __future__ import annotations

import math
import random
from itertools import product

import numpy as np
import pytest

import lists
from assay import AssayError, bounds, evaluate
from assay.bounds import bound, scale
from assay.measures import parse
from assay.ranking import Ranking
from variants import VARIANTS

MEASURES = [m for m in VARIANTS if bounds.FIELDS.issuperset(m.definition.fields)]
FREE = [m for m in MEASURES if "swap" in m.definition.exempt]
EXACT = [
    "nDCG", "nDCG@3", "nDCG(gain='exp')@5", "nDCG(gains={1:1,2:10,3:100})@4", "nDCG_JK",
    "nDCG(gains={1:1,2:5,3:2})", "nDCG(discount='zipf')", "nDCG_JK(b=3.5)@5", "CG@3", "DCG",
    "AP", "AP@3", "AP(rel=2)", "P@3", "R@3", "F@3", "Rprec", "RR", "Bpref", "RBP(max=3)",
]  # fmt: skip


def ranking(cases):
    arrays = lists.batch(cases, spare=1)
    return Ranking(**{name: arrays[name] for name in bounds.FIELDS})


def random_case(rng):
    """Judgments, a list with 1 to 4 unjudged documents, all ways to judge these, and the top."""
    top, docs = rng.choice((1, 2, 3)), [f"d{i}" for i in range(rng.randint(1, 6))]
    unknown = rng.sample(docs, min(len(docs), rng.randint(1, 4)))
    known = [doc for doc in docs if doc not in unknown] + [
        f"m{i}" for i in range(rng.randint(0, 4))
    ]
    judged, run = {doc: rng.randint(0, top) for doc in known}, lists.listed(docs)
    ways = product(range(top + 1), repeat=len(unknown))
    return (
        (judged, run),
        [(judged | dict(zip(unknown, way, strict=True)), run) for way in ways],
        top,
    )


def with_top(measure, top):
    if "max" not in measure.parameters:
        return measure
    return measure(max=max(top, measure.parameters["max"] or top))


def check(measure, case, ways, top, *, exact):
    """The bound is the utmost of all judgments; where it need not be, at least one of them."""
    measure = with_top(measure, top)

    def values(cases):
        arrays = ranking(cases)
        return measure.kernel(**{name: getattr(arrays, name) for name in measure.definition.fields})

    if np.isnan(values([case])).any():
        return
    every = np.unique(values(ways))
    low, high = np.nanmin(every), np.nanmax(every)
    if not measure.definition.higher_is_better:
        low, high = high, low
    for side, utmost in (("lowest", low), ("highest", high)):
        found = bound(measure, ranking([case]), side, scale([], top)).item()
        where = (str(measure), side, case, top)
        if exact:
            assert found == pytest.approx(utmost, abs=1e-12), where
        else:
            assert np.isclose(every, found, atol=1e-12).any(), where


def check_all(seed, cases, measures, *, exact):
    """Random cases, each with some of the measures."""
    rng = random.Random(seed)
    for _ in range(cases):
        case, ways, top = random_case(rng)
        for measure in rng.sample(measures, min(len(measures), 20)):
            check(measure, case, ways, top, exact=exact and measure not in FREE)


def test_bounds_are_the_utmost_of_all_judgments():
    check_all(5, 25, MEASURES, exact=True)


@pytest.mark.proof
def test_bounds_are_the_utmost_in_1_000_cases():
    check_all(15, 1000, MEASURES, exact=True)


@pytest.fixture
def climbing(monkeypatch):
    monkeypatch.setattr(bounds, "CELLS", 0)  # too little to try every judgment


def test_climbing_is_exact_for_binary_measures_and_cumulated_gain(climbing):
    check_all(6, 15, list(map(parse, EXACT)), exact=True)


@pytest.mark.proof
def test_climbing_is_exact_in_500_cases(climbing):
    check_all(16, 500, list(map(parse, EXACT)), exact=True)


def test_climbing_finds_what_some_judgment_gives(climbing):
    check_all(7, 10, MEASURES, exact=False)


def test_a_grid_of_thresholds_finds_what_all_of_them_do(monkeypatch):
    rng = random.Random(8)
    docs = [f"d{i}" for i in range(400)]
    judged = {doc: rng.choice((0, 0, 1, 2, 3)) for doc in rng.sample(docs, 120)}
    run = lists.listed(sorted(docs[:300], key=lambda doc: rng.gauss(-judged.get(doc, 0), 2)))
    measures = ["nDCG", "AP", "Bpref", "RBP", "nDCG@20", "R@100"]
    coarse = evaluate({"1": judged}, {"1": run}, measures, unjudged="bounds")
    monkeypatch.setattr(bounds, "GRID", 1000)
    fine = evaluate({"1": judged}, {"1": run}, measures, unjudged="bounds")
    np.testing.assert_allclose(coarse.values, fine.values, rtol=1e-12)


def test_a_middle_grade_can_be_the_best():
    """d1 first and d2 second, graded 2 and 2 or more: the ideal list is only then the run's."""
    judged, run = {"d1": 1, "m": 1}, lists.listed("x d1 y")
    scores = evaluate({"1": judged | {"d9": 3}}, {"1": run}, "nDCG", unjudged="highest")
    rows = [
        lists.value("nDCG", judged | {"d9": 3, "x": x, "y": y}, run)
        for x in range(4)
        for y in range(4)
    ]
    assert scores.values.item() == pytest.approx(max(rows))
    scores = evaluate({"1": {"d1": 2}, "2": {"e": 3}}, {"1": lists.listed("d1 x")}, "nDCG",
                      unjudged="bounds")  # fmt: skip
    low, high = (2 + 3 / math.log2(3)) / (3 + 2 / math.log2(3)), 1.0
    assert scores.values[0, 0, :, 0].tolist() == pytest.approx([low, high])


def test_bounds_of_every_topic_and_of_missing_ones():
    judgments = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 0}}
    scores = evaluate(judgments, {"1": {"x": 2, "a": 1}, "3": {"x": 1}}, "AP", unjudged="bounds")
    low, high = scores.values[0, 0].tolist()
    assert low == pytest.approx([0.5, 0.0, math.nan], nan_ok=True)
    assert high == pytest.approx([1.0, 0.0, math.nan], nan_ok=True)


def test_a_note_where_a_bound_may_be_passed():
    measure = next(m for m in FREE if "max" not in m.parameters)
    scores = evaluate({"1": {"a": 1}}, {"1": {"a": 1}}, [measure, "AP"], unjudged="lowest")
    (note,) = (note for note in scores.notes if "beyond" in note)
    assert note.startswith(f"{measure}: some judgment of the unjudged documents may go beyond this")


def test_measures_of_scores_have_no_bounds():
    measure = next(m for m in map(parse, ("ADM", "Rho", "NDPM")) if m not in MEASURES)
    with pytest.raises(AssayError, match="bounds over unjudged documents exist only for measures"):
        evaluate({"1": {"a": 1}}, {"1": {"x": 2, "a": 1}}, measure, unjudged="lowest")


@pytest.mark.parametrize(
    ("grades", "top", "levels"),
    [
        ([], 1, [0, 1]),
        ([2, 0], 3, [0, 1, 2, 3]),
        ([-1, 0.5, 1], 1, [0, 0.5, 1]),
        ([0.25, 4], 2, [0, 0.25, 2]),
        ([], 2.5, [0, 2.5]),
        (range(101), 100, [0, 9, 18, 27, 36, 45, 55, 64, 73, 82, 91, 100]),
    ],
)
def test_scales(grades, top, levels):
    assert scale(grades, top) == levels


def test_a_scale_is_not_written_out():
    assert scale([0, 1], 3) == [0, 1, 2, 3]
    assert scale([0, 1], 22) == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]
    found = scale([1], 1e308)
    assert (found[0], found[-1], len(found)) == (0.0, 1e308, 12)
    assert scale([0.5, 2], 2) == [0, 0.5, 2]
