"""Every library and device that is here gives NumPy's values, and keeps them where they were."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any

import array_api_strict
import numpy as np
import pytest

from assay import tensors
from tensors.conftest import MEASURES, World


@dataclass(frozen=True)
class Place:
    """A library and one of its devices."""

    name: str
    put: Any
    get: Any
    where: Any = lambda array: array.device

    def __str__(self):
        return self.name


def strict():
    """The standard and nothing but the standard; from this device nothing reads by accident."""
    device = array_api_strict.Device("device1")
    back = array_api_strict.Device("CPU_DEVICE")
    return Place(
        "array_api_strict",
        lambda a: array_api_strict.asarray(a, device=device),
        lambda a: np.asarray(a.to_device(back)),
    )


def torch_on(device):
    import torch

    return Place(
        f"torch on {device}", lambda a: torch.asarray(a, device=device), lambda a: a.cpu().numpy()
    )


def jax():
    import jax

    jax.config.update("jax_enable_x64", val=True)
    return Place("jax", jax.numpy.asarray, np.asarray)


def cupy():
    import cupy

    return Place("cupy", cupy.asarray, cupy.asnumpy)


def places():
    yield strict()
    if importlib.util.find_spec("torch"):
        import torch

        yield from (torch_on(d) for d in ("cpu", "cuda") if d == "cpu" or torch.cuda.is_available())
    yield from (make() for make in (jax, cupy) if importlib.util.find_spec(make.__name__))


PLACES = list(places())
everywhere = pytest.mark.parametrize("place", PLACES, ids=str)
MASKS = [(), ("mask",), ("mask", "retrieved", "judged")]


def same(place, found, wanted, rtol=1e-9):
    for name, values in found.items():
        np.testing.assert_allclose(
            place.get(values), wanted[name], rtol=rtol, atol=1e-12, err_msg=name
        )


@everywhere
@pytest.mark.parametrize("ties", ["order", "expected"])
@pytest.mark.parametrize("names", MASKS, ids="+".join)
def test_every_measure(world, place, names, ties):
    known = [m for m in MEASURES if ties == "order" or m.definition.has_expected]
    masks = {name: getattr(world, name) for name in names}
    wanted = tensors.evaluate(world.scores, world.grades, known, **masks, ties=ties)
    scores = place.put(world.scores)
    there = {name: place.put(mask) for name, mask in masks.items()}
    found = tensors.evaluate(scores, place.put(world.grades), known, **there, ties=ties)
    same(place, found, wanted)
    for values in found.values():
        assert type(values) is type(scores)
        assert place.where(values) == place.where(scores)


@everywhere
@pytest.mark.parametrize("cells", [None, 50])
@pytest.mark.parametrize("shape", [None, (40, 24)])
def test_index(world, place, shape, cells):
    if shape is None and place.name == "array_api_strict":
        place = Place("the strict one's CPU", array_api_strict.asarray, np.asarray)  # it is read
    lists = np.broadcast_to(np.arange(40)[:, None], world.scores.shape)
    flat = [a[world.mask] for a in (world.scores, world.grades, lists)]
    measures = ["nDCG@5", "AP", "RR", "NDPM", "Bpref", "infAP"]
    wanted = tensors.evaluate(*flat[:2], measures, index=flat[2], shape=shape)
    scores, grades, index = map(place.put, flat)
    found = tensors.evaluate(scores, grades, measures, index=index, shape=shape, cells=cells)
    same(place, found, wanted)


@everywhere
def test_accumulator(world, place):
    here, there = tensors.Accumulator(["nDCG@5", "AP"]), tensors.Accumulator(["nDCG@5", "AP"])
    for some in np.split(np.arange(40), [7, 30]):
        batch = [a[some] for a in (world.scores, world.grades, world.mask)]
        here.update(*batch)
        there.update(*map(place.put, batch))
    same(place, there.compute(), here.compute())
    assert place.where(there.state()[0]) == place.where(place.put(world.scores))


@everywhere
@pytest.mark.parametrize("shape", [(0, 5), (2, 0)])
def test_nothing(place, shape):
    nothing = np.zeros(shape)
    wanted = tensors.evaluate(nothing, nothing, ["AP", "P@3"])
    same(place, tensors.evaluate(*[place.put(nothing)] * 2, ["AP", "P@3"]), wanted)


@everywhere
@pytest.mark.parametrize("masked", [False, True])
def test_float32(place, masked):
    """The type of most scores; padding has scores too, and NaN among them is no harm."""
    world = World(11, longest=60)
    scores, grades = world.scores.astype(np.float32), world.grades.astype(np.int64)
    mask = world.mask if masked else None
    if masked:
        scores[~mask] = np.where(np.arange((~mask).sum()) % 2, np.nan, 9)
    measures = ["nDCG@5", "AP", "RR", "P@10", "NDPM"]
    wanted = tensors.evaluate(scores.astype(float), grades, measures, mask)
    there = None if mask is None else place.put(mask)
    found = tensors.evaluate(place.put(scores), place.put(grades), measures, there)
    same(place, found, wanted, rtol=1e-5)
    assert "float32" in str(found["AP"].dtype)
