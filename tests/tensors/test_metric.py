"""The metric of torchmetrics, in batches and checkpoints; and both it and sums over processes."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from assay import AssayError, tensors

torch = pytest.importorskip("torch")
pytest.importorskip("torchmetrics")
pytestmark = pytest.mark.torch

MEASURES = ["nDCG@5", "AP", "RR"]


def batches(world, size=7):
    arrays = [torch.from_numpy(a) for a in (world.scores, world.grades, world.mask)]
    return [[a[some] for a in arrays] for some in torch.arange(40).split(size)]


def numbers(means):
    return {name: float(mean) for name, mean in means.items()}


def wanted(world, **options):
    total = tensors.Accumulator(MEASURES, **options)
    total.update(world.scores, world.grades, world.mask)
    return pytest.approx(numbers(total.compute()), rel=1e-12)


@pytest.mark.parametrize(
    "options", [{}, {"undefined": "zero"}, {"ties": "expected"}, {"cells": 30}]
)
def test_batches_add_up(world, options):
    metric = tensors.RankingMetric(MEASURES, **options)
    for batch in batches(world):
        metric.update(*batch)
    assert numbers(metric.compute()) == wanted(world, **options)
    metric.reset()
    metric.update(torch.ones(1, 2), torch.ones(1, 2))
    assert numbers(metric.compute()) == {"nDCG@5": 1, "AP": 1, "RR": 1}


def test_a_call_gives_the_batch_and_keeps_it(world):
    metric, plain = tensors.RankingMetric(MEASURES), tensors.Accumulator(MEASURES)
    for batch in batches(world, 20):
        plain.reset()
        plain.update(*batch)
        assert numbers(metric(*batch)) == pytest.approx(numbers(plain.compute()), rel=1e-12)
    assert numbers(metric.compute()) == wanted(world)


def test_lists_by_index():
    metric = tensors.RankingMetric("RR")
    metric.update(torch.tensor([3.0, 2, 1]), torch.tensor([0, 1, 1]), index=torch.tensor([0, 0, 1]))
    assert numbers(metric.compute()) == {"RR": 0.75}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_go_their_own_way(world, copied):
    metric = tensors.RankingMetric(MEASURES)
    first, second = batches(world, 20)
    metric.update(*first)
    other = copied(metric)
    other.update(*second)
    assert numbers(other.compute()) == wanted(world)
    metric.update(*second)
    assert numbers(metric.compute()) == wanted(world)


def test_a_checkpoint_holds_the_sums(world):
    metric = tensors.RankingMetric(MEASURES)
    metric.persistent(mode=True)
    first, second = batches(world, 20)
    metric.update(*first)
    other = tensors.RankingMetric(MEASURES)
    other.persistent(mode=True)
    other.load_state_dict(metric.state_dict())
    other.update(*second)
    assert numbers(other.compute()) == wanted(world)


def test_options_of_torchmetrics_and_wrong_ones():
    assert tensors.RankingMetric("AP", compute_on_cpu=True).compute_on_cpu
    with pytest.raises(AssayError, match="'skip' or 'zero', found 'one'"):
        tensors.RankingMetric("AP", undefined="one")
    with pytest.raises(ValueError, match="Unexpected keyword"):
        tensors.RankingMetric("AP", cutoff=3)


def test_many_in_a_collection(world):
    from torchmetrics import MetricCollection

    both = MetricCollection(
        {"all": tensors.RankingMetric(MEASURES), "zero": tensors.RankingMetric(MEASURES)},
        prefix="validation/",
    )
    for batch in batches(world):
        both.update(*batch)
    assert "validation/all_nDCG@5" in both.compute()


# each of two processes takes every second batch
PROCESS = """
import datetime, json, sys
import torch
import torch.distributed as dist
from assay import tensors

store, folder, rank = sys.argv[1], sys.argv[2], int(sys.argv[3])
dist.init_process_group(
    "gloo",
    init_method=f"file://{store}",
    rank=rank,
    world_size=2,
    timeout=datetime.timedelta(seconds=100),
)
batches = torch.load(f"{folder}/batches.pt")
measures = ["nDCG@5", "AP", "RR"]
metric, total = tensors.RankingMetric(measures), tensors.Accumulator(measures)
for scores, grades, mask in batches[rank::2]:
    metric.update(scores, grades, mask)
    total.update(scores, grades, mask)
for array in total.state():
    dist.all_reduce(array)
said = {"metric": metric.compute(), "accumulator": total.compute(), "alone": metric.numbers}
said = {k: [float(x) for x in (v.values() if isinstance(v, dict) else v)] for k, v in said.items()}
with open(f"{folder}/{rank}.json", "w") as file:
    json.dump(said, file)
dist.destroy_process_group()
"""


@pytest.mark.proof
def test_two_processes_add_their_sums(world, tmp_path):
    """DDP: lists shared out unevenly, batches of none; every process gets the mean over all."""
    arrays = [torch.from_numpy(a) for a in (world.scores, world.grades, world.mask)]
    shares = [slice(0, 29), slice(29, 40), slice(0, 0), slice(0, 0)]
    torch.save([[a[some] for a in arrays] for some in shares], tmp_path / "batches.pt")
    source = Path(tensors.__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": str(source), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROCESS, str(tmp_path / "store"), str(tmp_path)]
    started = [
        subprocess.Popen([*command, rank], env=environment, stderr=subprocess.PIPE, text=True)
        for rank in "01"
    ]
    for process in started:
        _, errors = process.communicate(timeout=150)
        assert process.returncode == 0, errors
    alone = []
    for rank in "01":
        said = json.loads((tmp_path / f"{rank}.json").read_text())
        for found in (said["metric"], said["accumulator"]):
            assert dict(zip(MEASURES, found, strict=True)) == wanted(world)
        alone.append(said["alone"])
    assert alone[0] != alone[1]  # after the sync each holds its own share again
