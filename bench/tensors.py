"""Measures on tensors beside one sort of the same tensor, and beside torchmetrics.

    python bench/tensors.py cpu          [4096, 1000]
    python bench/tensors.py cuda         [65536, 1000]
    python bench/tensors.py cuda --out FILE.json

Needs torch and assay; torchmetrics where it is there. Each round times every variant once; the
median counts. On a device, times are between events on its stream; a variant runs once, to warm up,
before the rounds. `copy` is the bandwidth that a copy of the scores reaches: no pass over them is
faster.
"""

# ruff: noqa: ANN001, ANN201, ANN202 - torch, and so its types, is loaded late

from __future__ import annotations

import argparse
import importlib.util
import json
import platform
import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

SHAPES = {"cpu": (4096, 1000), "cuda": (65536, 1000)}
MEASURES = {"cpu": ["nDCG@10", "AP", "RR"], "cuda": ["nDCG@10", "AP", "RR", "P@10"]}
RELEVANT = 0.05


def lists(torch, device, shape, dtype):
    """Scores without a pattern; one document in twenty has a grade of 1 to 3."""
    random = torch.Generator(device=device).manual_seed(7)
    scores = torch.randn(shape, generator=random, device=device).to(dtype)
    some = torch.rand(shape, generator=random, device=device) < RELEVANT
    return scores, some * torch.randint(1, 4, shape, generator=random, device=device)


def stopwatch(torch, device):
    """Milliseconds of one call."""
    if device == "cpu":

        def clocked(call):
            start = time.perf_counter()
            call()
            return 1e3 * (time.perf_counter() - start)

        return clocked

    def events(call):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end)

    return events


def by_torchmetrics(scores, grades, measures):
    """Its three metrics of these names, each of which loops over the lists."""
    from torchmetrics import retrieval

    metrics = {
        "nDCG@10": retrieval.RetrievalNormalizedDCG(top_k=10),
        "AP": retrieval.RetrievalMAP(),
        "RR": retrieval.RetrievalMRR(),
        "P@10": retrieval.RetrievalPrecision(top_k=10),
    }
    import torch

    index = torch.arange(len(scores), device=scores.device).repeat_interleave(scores.shape[1])
    found = {}
    for name in measures:
        metric = metrics[name].to(scores.device)
        target = grades if name == "nDCG@10" else grades > 0
        metric.update(scores.flatten(), target.flatten(), index)
        found[name] = float(metric.compute())
    return found


def variants(torch, device, scores, grades, measures):
    """What is timed, by name."""
    from assay import tensors

    evaluator = tensors.Evaluator(measures)
    shallow = tensors.Evaluator(["nDCG@10", "P@10", "RR@10"])
    half = scores.bfloat16()
    timed = {
        "sort": lambda: torch.sort(scores, dim=-1, descending=True),
        "stable sort": lambda: torch.sort(scores, dim=-1, descending=True, stable=True),
        "assay": lambda: evaluator(scores, grades),
        "assay, bfloat16": lambda: evaluator(half, grades),
        "assay, cut-offs only": lambda: shallow(scores, grades),
    }
    if device == "cuda":
        timed["copy"] = scores.clone
        compiled = torch.compile(evaluator.__call__)
        timed["assay, compiled"] = lambda: compiled(scores, grades)
        float_grades = grades.float()
        timed["assay, float grades"] = lambda: evaluator(scores, float_grades)
        timed["assay, float grades, compiled"] = lambda: compiled(scores, float_grades)
    return timed


def checked(torch, scores, grades, measures):
    """The values of some lists, against NumPy in float64; and nothing waits for the device."""
    import numpy as np

    from assay import tensors

    evaluator = tensors.Evaluator(measures)
    if scores.is_cuda:
        evaluator(scores[:512], grades[:512])
        torch.cuda.synchronize()
        torch.cuda.set_sync_debug_mode("error")
    try:
        found = evaluator(scores, grades)
    finally:
        if scores.is_cuda:
            torch.cuda.set_sync_debug_mode("default")
    some = slice(0, 2048)
    exact = tensors.evaluate(
        scores[some].cpu().double().numpy(), grades[some].cpu().numpy(), measures
    )
    worst = 0.0
    for name, values in exact.items():
        error = np.abs(found[name][some].cpu().double().numpy() - values)
        worst = max(worst, float(np.nanmax(error)))
    return worst


def machine(torch, device):
    """Of what the figures speak."""
    versions = {"python": platform.python_version(), "torch": torch.__version__}
    if importlib.util.find_spec("torchmetrics"):
        from importlib.metadata import version

        versions["torchmetrics"] = version("torchmetrics")
    name = torch.cuda.get_device_name() if device == "cuda" else platform.processor()
    return {"device": name or platform.machine(), "threads": torch.get_num_threads()} | versions


def main():
    """Time, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("device", choices=sorted(SHAPES))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--without-torchmetrics", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
    import torch

    device, shape = options.device, SHAPES[options.device]
    measures = MEASURES[device]
    scores, grades = lists(torch, device, shape, torch.float32)
    error = checked(torch, scores, grades, measures)
    timed, clock = variants(torch, device, scores, grades, measures), stopwatch(torch, device)
    for call in timed.values():
        call()
        call()
    rounds = {name: [] for name in timed}
    for _ in range(options.rounds):
        for name, call in timed.items():
            rounds[name].append(clock(call))
    medians = {name: statistics.median(times) for name, times in rounds.items()}
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        timed["assay"]()
        peak = torch.cuda.max_memory_allocated() - before
    if not options.without_torchmetrics and importlib.util.find_spec("torchmetrics"):
        start = time.perf_counter()
        by_torchmetrics(scores, grades, measures)
        medians["torchmetrics"] = 1e3 * (time.perf_counter() - start)
    print(f"{device} {list(shape)}, {', '.join(measures)}; largest error {error:.1e}")
    print(f"{'':32}{'ms':>12}{'x sort':>10}{'x assay':>10}")
    for name, ms in medians.items():
        print(f"{name:32}{ms:12.3f}{ms / medians['sort']:10.2f}{ms / medians['assay']:10.2f}")
    kept = {"date": datetime.now(UTC).date().isoformat(), "machine": machine(torch, device)}
    kept |= {"shape": shape, "measures": measures, "error": error, "median_ms": medians}
    kept["rounds_ms"] = rounds
    if device == "cuda":
        kept["peak_bytes"] = peak
        gigabytes = 2 * scores.nbytes / 1e9
        kept["copy_GB_per_s"] = gigabytes / (medians["copy"] / 1e3)
        print(f"copy {kept['copy_GB_per_s']:.0f} GB/s; assay takes {peak / 1e9:.2f} GB more")
    if options.out:
        options.out.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
