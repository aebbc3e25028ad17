"""Lists told apart by an index equal the same lists, padded."""

from __future__ import annotations

import numpy as np
import pytest

from assay import tensors
from tensors.conftest import MEASURES, World


def shuffled(world, rng):
    """The documents of all lists in one axis, in any order, lists numbered with gaps."""
    lists = np.broadcast_to(np.arange(len(world.scores))[:, None], world.scores.shape)
    flat = [a[world.mask] for a in (world.scores, world.grades, lists)]
    order = rng.permutation(len(flat[0]))
    return [a[order] for a in flat]


@pytest.fixture(scope="module")
def lists():
    world = World(5, ties=False)
    return world, shuffled(world, np.random.default_rng(1))


@pytest.mark.parametrize("cells", [None, 1, 50, 300])
def test_index(lists, cells):
    world, (scores, grades, index) = lists
    found = tensors.evaluate(scores, grades, MEASURES, index=index * 10**12, cells=cells)
    padded = tensors.evaluate(world.scores, world.grades, MEASURES, world.mask)
    held = np.unique(index)
    for name, values in found.items():
        np.testing.assert_allclose(values, padded[name][held], rtol=1e-12, atol=1e-14, err_msg=name)


@pytest.mark.parametrize("cells", [None, 1, 50, 300])
def test_index_and_shape(lists, cells):
    world, (scores, grades, index) = lists
    shape = world.scores.shape
    found = tensors.evaluate(scores, grades, MEASURES, index=index, shape=shape, cells=cells)
    padded = tensors.evaluate(world.scores, world.grades, MEASURES, world.mask)
    for name, values in found.items():
        np.testing.assert_allclose(values, padded[name], rtol=1e-12, atol=1e-14, err_msg=name)


def test_masks_go_with_an_index(lists):
    _, (scores, grades, index) = lists
    mask = np.random.default_rng(2).random(len(scores)) < 0.7
    found = tensors.evaluate(scores, grades, "nDCG@5", mask, index=index)["nDCG@5"]
    held = np.unique(index)
    for i, number in enumerate(held):
        some = (index == number) & mask
        alone = tensors.evaluate(scores[some], grades[some], "nDCG@5")["nDCG@5"]
        np.testing.assert_allclose(found[i], alone, rtol=1e-12)


def test_ties_keep_the_order_of_the_axis():
    scores, grades = np.ones(6), np.array([0, 1, 0, 0, 0, 1])
    index = np.array([2, 1, 1, 2, 1, 2])
    found = tensors.evaluate(scores, grades, "RR", index=index)["RR"]
    np.testing.assert_array_equal(found, [1, 1 / 3])


def test_a_wrong_shape_is_told_by_nan():
    scores, grades, index = np.arange(4.0), np.ones(4), np.array([0, 0, 0, 1])
    found = tensors.evaluate(scores, grades, "P@1", index=index, shape=(3, 2))["P@1"]
    np.testing.assert_array_equal(found, [np.nan, 1, 0])  # the first list has three documents
    found = tensors.evaluate(scores, grades, "P@1", index=index + 2, shape=(3, 9))["P@1"]
    assert np.isnan(found).all()  # a document of list 3, where there are lists 0, 1 and 2


def test_no_documents():
    nothing = np.zeros(0)
    index = np.zeros(0, dtype=np.int64)
    assert tensors.evaluate(nothing, nothing, "P@1", index=index)["P@1"].shape == (0,)
    found = tensors.evaluate(nothing, nothing, "P@1", index=index, shape=(2, 3))["P@1"]
    np.testing.assert_array_equal(found, [0, 0])
