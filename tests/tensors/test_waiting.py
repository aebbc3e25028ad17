"""Nothing waits for the device, but where the documentation says so."""

from __future__ import annotations

import numpy as np
import pytest

from assay import tensors
from tensors.conftest import MEASURES

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402 - torch may be absent

# what needs a value on the host, or as many rows as a value says
READING = ("_local_scalar_dense", "is_nonzero", "equal", "nonzero", "_unique2", "masked_select")
BY_CONDITION = ("index.Tensor", "index_put")  # with a mask of truth values


class Reads(TorchDispatchMode):
    """Notes every operation for which the host waits."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = str(function)
        places = args[1] if any(part in name for part in BY_CONDITION) else ()
        if any(part in name for part in READING) or any(
            place is not None and place.dtype == torch.bool for place in places
        ):
            self.seen.append(name)
        return function(*args, **(kwargs or {}))


def reads(call):
    with Reads() as mode:
        call()
    return mode.seen


def as_given(world, names):
    return {name: torch.from_numpy(getattr(world, name)) for name in names}


MASKS = [(), ("mask",), ("mask", "retrieved", "judged")]


def test_the_watch_sees_a_read():
    one = torch.ones(3)
    assert reads(lambda: one.sum().item()) == ["aten._local_scalar_dense.default"]
    assert reads(lambda: bool((one > 0).any())) == ["aten._local_scalar_dense.default"]
    assert reads(lambda: one[one > 0]) == ["aten.index.Tensor"]
    assert reads(lambda: one.cumsum(0) * 2) == []


@pytest.mark.parametrize("ties", ["order", "expected"])
@pytest.mark.parametrize("names", MASKS, ids="+".join)
def test_no_measure_waits(world, names, ties, as_on_a_device):
    known = [m for m in MEASURES if ties == "order" or m.definition.has_expected]
    given = as_given(world, ("scores", "grades", *names))
    assert reads(lambda: tensors.evaluate(**given, measures=known, ties=ties)) == []


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_no_type_waits(world, dtype, as_on_a_device):
    given = as_given(world, ("scores", "grades", "mask"))
    given["scores"] = given["scores"].to(getattr(torch, dtype))
    assert reads(lambda: tensors.evaluate(**given, measures=["nDCG@5", "AP", "RR"])) == []


def flat(world):
    lists = np.broadcast_to(np.arange(40)[:, None], world.scores.shape)
    return [torch.from_numpy(a[world.mask]) for a in (world.scores, world.grades, lists)]


def test_an_index_waits_only_to_learn_the_shape(world, as_on_a_device):
    scores, grades, index = flat(world)
    evaluator = tensors.Evaluator(["nDCG@5", "AP"])
    assert reads(lambda: evaluator(scores, grades, index=index, shape=(40, 24))) == []
    assert reads(lambda: evaluator(scores, grades, index=index)) != []


def test_an_accumulator_waits_for_nothing(world, as_on_a_device):
    given = as_given(world, ("scores", "grades", "mask"))
    total = tensors.Accumulator(["nDCG@5", "AP"])

    def loop():
        for _ in range(3):
            total.update(**given)
        total.compute()

    assert reads(loop) == []


def test_a_selection_waits_once_for_ties_at_the_cut(as_on_a_device):
    scores = torch.randn(4, 5000)
    evaluator = tensors.Evaluator(["nDCG@10", "RR@5"])
    assert reads(lambda: evaluator(scores, scores > 0)) == ["aten.nonzero.default"]
    assert reads(lambda: tensors.evaluate(scores, scores > 0, ["nDCG@10", "AP"])) == []


@pytest.mark.parametrize("ties", ["order", "expected"])
def test_values_that_do_not_exist(world, ties):
    """On the device `meta` an array has a shape and no values: whoever reads one fails."""
    known = [m for m in MEASURES if ties == "order" or m.definition.has_expected]
    given = as_given(world, ("scores", "grades", *MASKS[-1]))
    given = {name: array.to("meta") for name, array in given.items()}
    for values in tensors.evaluate(**given, measures=known, ties=ties).values():
        assert values.device.type == "meta"
        assert tuple(values.shape) == (40,)
