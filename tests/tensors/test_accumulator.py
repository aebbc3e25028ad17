"""Means over batches: in any order, in parts, merged."""

from __future__ import annotations

import numpy as np
import pytest

from assay import AssayError, tensors
from tensors.conftest import World

MEASURES = ["nDCG@5", "AP", "RR"]


def in_parts(world, cuts, **options):
    total = tensors.Accumulator(MEASURES, **options)
    for some in np.split(np.arange(len(world.scores)), cuts):
        part = tensors.Accumulator(MEASURES, **options)
        part.update(world.scores[some], world.grades[some], world.mask[some])
        total.merge(part)
    return total


@pytest.mark.parametrize("undefined", ["skip", "zero"])
@pytest.mark.parametrize("cuts", [[], [1, 2], [0, 13, 40]])
def test_means(world, undefined, cuts):
    values = tensors.evaluate(world.scores, world.grades, MEASURES, world.mask)
    found = in_parts(world, cuts, undefined=undefined)
    for name, mean in found.compute().items():
        kept = [v for v in values[name] if undefined == "zero" or not np.isnan(v)]
        kept = [0.0 if np.isnan(v) else v for v in kept]
        assert mean == pytest.approx(sum(kept) / len(kept), rel=1e-12)
        assert found.counts()[name] == len(kept)


def test_reset_and_nothing_seen():
    seen = tensors.Accumulator("AP")
    assert np.isnan(seen.compute()["AP"])
    assert seen.counts() == {"AP": 0}
    assert seen.state() is None
    seen.update(np.ones((1, 2)), np.ones((1, 2)))
    assert seen.compute()["AP"] == 1
    seen.reset()
    assert np.isnan(seen.compute()["AP"])


def test_a_state_goes_to_another_process():
    world = World(3)
    one, other = tensors.Accumulator(MEASURES), tensors.Accumulator(MEASURES)
    one.update(world.scores, world.grades)
    other.load(*one.state())
    assert other.compute() == one.compute()


def test_an_index_with_each_batch():
    seen = tensors.Accumulator("RR")
    seen.update(np.array([3.0, 2, 1]), np.array([0, 1, 1]), index=np.array([0, 0, 1]))
    assert seen.compute()["RR"] == pytest.approx(0.75)


def test_errors():
    with pytest.raises(AssayError, match="'skip' or 'zero', found 'one'"):
        tensors.Accumulator("AP", undefined="one")
    with pytest.raises(AssayError, match="cannot merge accumulators of AP"):
        tensors.Accumulator("AP").merge(tensors.Accumulator("RR"))
