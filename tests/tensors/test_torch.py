"""The same values from torch, in torch, on its CPU and through its own functions alone."""

from __future__ import annotations

import numpy as np
import pytest

from assay import AssayError, tensors
from tensors.conftest import MEASURES, World

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch


def as_tensors(world, names):
    return {name: torch.from_numpy(getattr(world, name)) for name in names}


MASKS = [(), ("mask",), ("mask", "retrieved", "judged")]


@pytest.mark.parametrize("ties", ["order", "expected"])
@pytest.mark.parametrize("names", MASKS, ids="+".join)
def test_torch_equals_numpy(world, names, ties, as_on_a_device):
    """Every measure: the same source in another library."""
    known = [m for m in MEASURES if ties == "order" or m.definition.has_expected]
    masks = {name: getattr(world, name) for name in names}
    wanted = tensors.evaluate(world.scores, world.grades, known, **masks, ties=ties)
    given = as_tensors(world, ("scores", "grades"))
    found = tensors.evaluate(*given.values(), known, **as_tensors(world, names), ties=ties)
    for name, values in found.items():
        assert isinstance(values, torch.Tensor)
        np.testing.assert_allclose(values, wanted[name], rtol=1e-9, atol=1e-12, err_msg=name)


def test_the_short_way_on_a_cpu(world):
    given = as_tensors(world, ("scores", "grades", "mask"))
    found = tensors.evaluate(given["scores"], given["grades"], MEASURES, given["mask"])
    wanted = tensors.evaluate(world.scores, world.grades, MEASURES, world.mask)
    for name, values in found.items():
        assert isinstance(values, torch.Tensor)
        np.testing.assert_array_equal(values.numpy(), wanted[name], err_msg=name)


SHALLOW = ["nDCG@2", "P@1", "RR@3"]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
@pytest.mark.parametrize("longest", [30, 200])
def test_short_floats_are_full_of_ties(dtype, longest, as_on_a_device):
    """Selections fall back to sorts where the cut goes through a tie group."""
    world = World(2, longest=longest, ties=False)
    scores = torch.from_numpy(world.scores).to(getattr(torch, dtype))
    grades = torch.from_numpy(world.grades)
    found = tensors.evaluate(scores, grades, SHALLOW)
    wanted = tensors.evaluate(scores.float().numpy(), world.grades, [*SHALLOW, "AP"])
    for name, values in found.items():
        np.testing.assert_allclose(values, wanted[name], rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("shape", [None, (40, 24)])
def test_index(world, shape, as_on_a_device):
    lists = np.broadcast_to(np.arange(40)[:, None], world.scores.shape)
    flat = [torch.from_numpy(a[world.mask]) for a in (world.scores, world.grades, lists)]
    found = tensors.evaluate(*flat[:2], MEASURES, index=flat[2], shape=shape)
    wanted = tensors.evaluate(world.scores, world.grades, MEASURES, world.mask)
    held = np.arange(40) if shape else np.unique(flat[2])
    for name, values in found.items():
        np.testing.assert_allclose(values, wanted[name][held], rtol=1e-9, atol=1e-12, err_msg=name)


def test_gradients_are_left_alone(world):
    scores = torch.from_numpy(world.scores).requires_grad_()
    found = tensors.evaluate(scores, torch.from_numpy(world.grades), "nDCG@5")["nDCG@5"]
    assert not found.requires_grad


@pytest.mark.filterwarnings("ignore:Dynamo detected a call to a `functools.lru_cache`")
def test_compiled(as_on_a_device):
    """One graph, without a break."""
    world = World(4, ties=False)
    scores, grades = as_tensors(world, ("scores", "grades")).values()
    measures = ["nDCG@10", "AP", "RR", "P@10"]
    evaluator = tensors.Evaluator(measures)
    compiled = torch.compile(evaluator.__call__, backend="eager", fullgraph=True)
    plain = tensors.evaluate(scores, grades, measures)
    for name, values in compiled(scores, grades).items():
        np.testing.assert_allclose(values, plain[name], rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("k", [1, 3, 12])
def test_the_best_grades_without_a_sort(k):
    from assay.tensors import order

    values = torch.from_numpy(np.random.default_rng(3).integers(-1, 4, (50, 100)).astype(float))
    wanted = torch.sort(values, dim=-1, descending=True).values[..., :k]
    few = values[:, :3]  # fewer levels than places
    for found in (order._one_by_one(values, k), order._by_levels(values, k)):
        np.testing.assert_array_equal(found, wanted)
    if k <= 3:
        levels = torch.sort(few, dim=-1, descending=True).values[..., :k]
        np.testing.assert_array_equal(order._by_levels(few, k), levels)


def test_only_lists_cut_in_a_tie_group_are_sorted(as_on_a_device):
    scores = np.random.default_rng(4).standard_normal((9, 5000)).astype(np.float32)
    scores[::2] = np.round(scores[::2], 1)
    grades = np.random.default_rng(5).integers(0, 3, scores.shape)
    measures = ["nDCG@10", "RR@5"]
    found = tensors.evaluate(torch.from_numpy(scores), torch.from_numpy(grades), measures)
    wanted = tensors.evaluate(scores, grades, [*measures, "AP"])
    for name, values in found.items():
        np.testing.assert_allclose(values, wanted[name], rtol=1e-5, err_msg=name)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_score_that_is_no_number_is_seen_everywhere(sign, as_on_a_device):
    scores = torch.randn(30, 20)
    nan = torch.tensor(sign * float("nan"))
    scores[torch.arange(20), torch.arange(20)] = nan
    found = tensors.evaluate(scores, torch.ones(30, 20), ["P@1", "nDCG"])
    for values in found.values():
        assert torch.isnan(values).tolist() == [True] * 20 + [False] * 10


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tensors.evaluate(np.ones(2), torch.ones(2), "AP"), "arrays of one library"),
        (
            lambda: tensors.evaluate(torch.ones(2).to("meta"), torch.ones(2), "AP"),
            "arrays on one device, found scores on meta, grades on cpu",
        ),
        (
            lambda: tensors.evaluate(
                *[torch.ones(2).to("meta")] * 2, "AP", index=np.zeros(2, int), shape=(1, 2)
            ),
            "scores of torch, index of numpy",
        ),
    ],
)
def test_arrays_that_do_not_go_together(call, message):
    with pytest.raises(AssayError, match=message):
        call()
