"""Tensors give what files give: every measure, every mask, both rules for ties."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from assay import AssayError, tensors
from tensors.conftest import MEASURES, World

EXPECTED = [m for m in MEASURES if m.definition.has_expected or m.definition.weak]
MASKS = [(), ("mask",), ("mask", "retrieved"), ("judged",), ("mask", "retrieved", "judged")]
EMPTY = 4  # the list of which nothing is retrieved
GUESSED = {str(m) for m in MEASURES if "N" in m.parameters and m.parameters["N"] is None}


def given(world, names):
    return {name: getattr(world, name) for name in names}


@pytest.mark.parametrize("names", MASKS, ids="+".join)
def test_every_measure_equals_evaluate(world, names):
    masks = given(world, names)
    found = tensors.evaluate(world.scores, world.grades, MEASURES, **masks)
    lists, wanted = world.expected(MEASURES, **masks)
    assert list(found) == list(wanted)
    for name, values in found.items():
        # without N the collection of an empty list is as large as the arrays allow
        some = [i for i in range(len(lists)) if lists[i] != EMPTY or name not in GUESSED]
        theirs, ours = wanted[name][some], values[lists][some]
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("names", MASKS[:3] + MASKS[4:], ids="+".join)
def test_expected_values_under_ties(world, names):
    masks = given(world, names)
    found = tensors.evaluate(world.scores, world.grades, EXPECTED, **masks, ties="expected")
    lists, wanted = world.expected(EXPECTED, **masks, ties="expected")
    for name, values in found.items():
        some = [i for i in range(len(lists)) if lists[i] != EMPTY or name not in GUESSED]
        theirs, ours = wanted[name][some], values[lists][some]
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12, err_msg=name)


SHALLOW = ["nDCG@2", "P@1", "RR@3", "AP@3", "nDCG(gains={1:5,2:1})@2", "RBP(rel=1)@3", "R@2"]


@pytest.mark.parametrize("seed", range(4))
def test_a_selection_equals_a_sort(seed):
    """Measures with a small cut-off alone: long lists are not sorted, ties and all."""
    world = World(seed, longest=60)
    alone = tensors.evaluate(world.scores, world.grades, SHALLOW, world.mask)
    beside = tensors.evaluate(world.scores, world.grades, [*SHALLOW, "AP"], world.mask)
    for name, values in alone.items():
        np.testing.assert_array_equal(values, beside[name], err_msg=name)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
def test_types_of_scores(dtype):
    world = World(1, ties=False)
    scores = np.argsort(np.argsort(world.scores, axis=-1), axis=-1).astype(dtype) - 5
    found = tensors.evaluate(scores, world.grades.astype(np.int8), ["nDCG", "AP", "RR@3"])
    wanted = tensors.evaluate(world.scores, world.grades, ["nDCG", "AP", "RR@3"])
    for name, values in found.items():
        assert values.dtype == (np.float64 if dtype == np.float64 else np.float32)
        np.testing.assert_allclose(values, wanted[name], rtol=1e-5, err_msg=name)


def by_loop(scores, grades):
    """Precision at the relevant documents of one list, as it stands in a book."""
    order = sorted(range(len(scores)), key=lambda j: -scores[j])  # stable
    hits, found = 0, 0.0
    for rank, j in enumerate(order, start=1):
        if grades[j] >= 1:
            hits += 1
            found += hits / rank
    return found / hits if hits else np.nan


def test_equal_scores_stay_in_the_order_in_which_they_came():
    rng = np.random.default_rng(0)
    for dtype in (np.float32, np.float64):
        scores = rng.integers(-1, 2, (50, 30)).astype(dtype)
        scores[scores == 0] *= rng.choice([-1, 1], (scores == 0).sum())  # 0.0 and -0.0 are equal
        grades = rng.integers(0, 2, scores.shape)
        found = tensors.evaluate(scores, grades, "AP")["AP"]
        wanted = [by_loop(s, g) for s, g in zip(scores, grades, strict=True)]
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_negative_and_infinite_scores_are_scores():
    scores = np.array([[-5.0, -np.inf, -7.0], [np.inf, 1.0, -np.inf]])
    found = tensors.evaluate(scores, np.array([[0, 1, 0], [0, 0, 1]]), ["RR", "P@3"])
    np.testing.assert_allclose(found["RR"], [1 / 3, 1 / 3])
    np.testing.assert_allclose(found["P@3"], [1 / 3, 1 / 3])


def test_padding_comes_after_a_score_of_minus_infinity():
    scores = np.array([[-np.inf, 9.0, -np.inf]])
    mask = np.array([[True, False, True]])
    found = tensors.evaluate(scores, np.array([[0, 5, 1]]), "RR", mask)
    np.testing.assert_allclose(found["RR"], [1 / 2])


@pytest.mark.parametrize("cells", [1, 24, 100, 10**6])
def test_blocks_change_nothing(world, cells):
    masks = given(world, ("mask", "retrieved", "judged"))
    found = tensors.evaluate(world.scores, world.grades, MEASURES, **masks, cells=cells)
    for name, values in tensors.evaluate(world.scores, world.grades, MEASURES, **masks).items():
        np.testing.assert_array_equal(found[name], values, err_msg=name)


def test_leading_axes_stay(world):
    shape = (4, 5, 2, 24)
    found = tensors.evaluate(world.scores.reshape(shape), world.grades.reshape(shape), "nDCG@5")
    plain = tensors.evaluate(world.scores, world.grades, "nDCG@5")["nDCG@5"]
    np.testing.assert_array_equal(found["nDCG@5"], plain.reshape(4, 5, 2))
    one = tensors.evaluate(world.scores[9], world.grades[9], "nDCG@5")["nDCG@5"]
    assert one.shape == ()
    assert one == plain[9]


def test_no_lists_and_no_documents():
    found = tensors.evaluate(np.zeros((0, 5)), np.zeros((0, 5)), ["AP", "P@3"])
    assert found["AP"].shape == found["P@3"].shape == (0,)
    found = tensors.evaluate(np.zeros((2, 0)), np.zeros((2, 0)), ["AP", "P@3"])
    assert np.isnan(found["AP"]).all()
    assert (found["P@3"] == 0).all()


def test_what_is_no_number_gives_none():
    scores = np.array([[1.0, np.nan], [1, 2], [1, 2], [1, 2], [2, 1]])
    grades = np.array([[1.0, 0], [np.nan, 1], [1, -1], [1, 9], [1, 0]])
    found = tensors.evaluate(scores, grades, ["P@1", "ERR(max=4)"])
    assert list(np.isnan(found["P@1"])) == [True, True, True, False, False]
    assert list(np.isnan(found["ERR(max=4)"])) == [True, True, True, True, False]


def test_condensed_lists(world):
    masks = given(world, ("mask", "judged"))
    measure = "nDCG(unjudged='condensed')@5"
    found = tensors.evaluate(world.scores, world.grades, measure, **masks)
    lists, wanted = world.expected(measure, **masks)
    np.testing.assert_allclose(found[measure][lists], wanted[measure], rtol=1e-12)


def test_inputs_stay_as_they_are(world):
    inputs = [a.copy() for a in (world.scores, world.grades, world.mask)]
    for array in inputs:
        array.setflags(write=False)
    tensors.evaluate(*inputs[:2], MEASURES, inputs[2])
    np.testing.assert_array_equal(inputs[0], world.scores)


ONES = np.ones((2, 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tensors.evaluate(ONES, ONES[:, :2], "AP"), r"grades: expected the shape of the "),
        (lambda: tensors.evaluate(ONES, ONES, "AP", ONES[0] > 0), r"mask: expected the shape"),
        (lambda: tensors.evaluate(1.0, ONES, "AP"), r"scores: expected an array of NumPy"),
        (lambda: tensors.evaluate(np.float64(1), np.float64(1), "AP"), r"found a single number"),
        (lambda: tensors.evaluate(ONES, ONES, "AP", ties="best"), r"'order' or 'expected'"),
        (lambda: tensors.evaluate(ONES, ONES, "AP", cells=0), r"at least 1, found 0"),
        (lambda: tensors.evaluate(ONES, ONES, "AP", cells=2.5), r"at least 1, found 2.5"),
        (lambda: tensors.evaluate(ONES * 1j, ONES, "AP"), r"scores: expected real numbers"),
        (lambda: tensors.evaluate(ONES, ONES.astype(str), "AP"), r"grades: expected real numbers"),
        (lambda: tensors.evaluate([[1, 2], [1]], [[1, 2], [1]], "AP"), r"lists of different len"),
        (lambda: tensors.evaluate(ONES[0], ONES[0], "AP", index=[0, 0, 0], shape=3), r"found 3"),
        (lambda: tensors.evaluate(ONES, ONES, "ERR@5"), r"such as ERR\(max=3\)@5"),
        (lambda: tensors.evaluate(ONES, ONES, "Coverage"), r"more than scores and grades"),
        (lambda: tensors.evaluate(ONES, ONES, "infAP", ties="expected"), r"no expected value"),
        (lambda: tensors.evaluate(ONES, ONES, "AP(unjudged='bounds')"), r"assay.evaluate"),
        (lambda: tensors.evaluate(ONES, ONES, "AP", shape=(1, 1)), r"it needs index="),
        (lambda: tensors.evaluate(ONES, ONES, "AP", index=ONES), r"arrays of one axis"),
        (lambda: tensors.evaluate(ONES[0], ONES[0], "AP", index=ONES[0]), r"whole numbers"),
        (lambda: tensors.evaluate(ONES, ONES, "nDGC@10"), r"did you mean 'nDCG@10'"),
    ],
)
def test_errors(call, message):
    with pytest.raises(AssayError, match=message):
        call()


def peak(lists):
    """Bytes that an evaluation takes beside its input and its result."""
    scores = np.random.default_rng(0).standard_normal((lists, 50)).astype(np.float32)
    grades = (scores > 1).astype(np.float32)
    evaluator = tensors.Evaluator(["nDCG@10", "AP", "RR"], cells=10_000)
    tracemalloc.start()
    try:
        found = evaluator(scores, grades)
        return tracemalloc.get_traced_memory()[1] - 3 * sum(v.nbytes for v in found.values())
    finally:
        tracemalloc.stop()


def test_memory_is_that_of_a_block():
    peak(10)  # imports
    few = peak(1000)
    assert peak(20_000) < 1.2 * few
    assert few < 200 * 10_000
