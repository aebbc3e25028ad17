"""Measures on tensors beside one sort of the same tensor, and beside torchmetrics.

    python bench/tensors.py cpu          [4096, 1000]
    python bench/tensors.py cuda         [65536, 1000]
    python bench/tensors.py page         write results/tensors.md from the latest two

Needs torch and assay; torchmetrics where it is there. `--out FOLDER` says where the raw figures go.
The method stands in `ABOUT` below, and so on the page.
"""

# ruff: noqa: ANN001, ANN201, ANN202 - torch, and so its types, is loaded late

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import statistics
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import machine
import report

SHAPES = {"cpu": (4096, 1000), "cuda": (65536, 1000)}
LONG = {"cpu": (256, 16000), "cuda": (4096, 16000)}
MEASURES = {"cpu": ["nDCG@10", "AP", "RR"], "cuda": ["nDCG@10", "AP", "RR", "P@10"]}
SHALLOW = ["nDCG@10", "RR@10", "P@10"]
RELEVANT = 0.05

ABOUT = """\
Written by `bench/tensors.py`; do not edit. Scores are normal, float32 and without ties; one
document in twenty has a grade from 1 to 3, in int64. Times are medians in milliseconds; every round
runs each variant once, after two rounds to warm up, under `torch.no_grad()`. On a GPU a time lies
between two events on its stream: *queued* behind a sort, so that the device is busy while the host
prepares, as in a loop of training or validation; and *alone*, after the device has come to rest, so
that the host's own time until the first kernel counts too. `torch.sort` is one sort of the scores,
as the targets mean it; no measure of whole rankings does without. On a CPU *processor* is the time
that all threads were at work, which other work on the machine disturbs less. Before anything is
timed, the values are compared with NumPy's in float64."""
CEILINGS = {
    "cpu": """\
A *plain sort* of the float32 scores, values alone, is what any way over a sort costs at least. A
*packed sort* is one of whole numbers of 64 bits that hold score and position, which makes it
stable; assay sorts these. Both are NumPy's, in blocks that fit a cache, on one thread.""",
    "cuda": """\
*copy* is what reading and writing the scores once takes: no pass over them is faster. *compiled* is
`torch.compile` as it comes. With *cut-offs only*, a selection replaces the sort of lists from 4,096
documents on; its check for ties at the cut waits for the device once.""",
}
TRIED = """\
Largest difference from NumPy in float64: {order:.1e}, and with `ties='expected'` {expected:.1e}.
Tried: scores in float32, float16 and bfloat16, with and without a mask, as rows and as lists told
apart by an index."""


def lists(torch, device, shape):
    """Scores without a pattern; one document in twenty has a grade of 1 to 3."""
    random = torch.Generator(device=device).manual_seed(7)
    scores = torch.randn(shape, generator=random, device=device)
    some = torch.rand(shape, generator=random, device=device) < RELEVANT
    return scores, some * torch.randint(1, 4, shape, generator=random, device=device)


def by_the_wall(call):
    """Milliseconds of one call by the clock on the wall."""
    start = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - start)


def by_the_processor(call):
    """Milliseconds that all threads of one call were at work."""
    start = time.process_time()
    call()
    return 1e3 * (time.process_time() - start)


def clocks(torch, device, scores):
    """Ways to time one call, by name."""
    if device == "cpu":
        return {"wall": by_the_wall, "processor": by_the_processor}

    def alone(call, before=None):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        if before is not None:
            before()
        start.record()
        call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end)

    def queued(call):
        return alone(call, before=lambda: torch.sort(scores, dim=-1))

    return {"queued": queued, "alone": alone}


def by_torchmetrics(torch, scores, grades, measures):
    """Its metrics of these names, each of which loops over the lists."""
    from torchmetrics import retrieval

    metrics = {
        "nDCG@10": retrieval.RetrievalNormalizedDCG(top_k=10),
        "AP": retrieval.RetrievalMAP(),
        "RR": retrieval.RetrievalMRR(),
        "P@10": retrieval.RetrievalPrecision(top_k=10),
    }
    index = torch.arange(len(scores), device=scores.device).repeat_interleave(scores.shape[1])
    for name in measures:
        metric = metrics[name].to(scores.device)
        target = grades if name == "nDCG@10" else grades > 0
        metric.update(scores.flatten(), target.flatten(), index)
        float(metric.compute())


def packed(np, scores):
    """Whole numbers that hold score and position, as assay makes them."""
    raw = scores.view(np.int32)
    keys = np.where(raw < 0, raw ^ np.int32(0x7FFFFFFF), raw).astype(np.int64)
    return ~keys << 32 | np.arange(scores.shape[1])


def everywhere(torch, scores, grades, measures):
    """What is timed on both kinds of device, by name."""
    from assay import tensors

    evaluator, expected = tensors.Evaluator(measures), tensors.Evaluator(measures, ties="expected")
    half, mask = scores.bfloat16(), torch.rand_like(scores) < 0.9
    return {
        "torch.sort": lambda: torch.sort(scores, dim=-1, descending=True),
        "assay": lambda: evaluator(scores, grades),
        "assay, mask": lambda: evaluator(scores, grades, mask),
        "assay, ties='expected'": lambda: expected(scores, grades),
        "torch.sort, bfloat16": lambda: torch.sort(half, dim=-1, descending=True),
        "assay, bfloat16": lambda: evaluator(half, grades),
    }


def on_cpu(torch, scores, grades, measures):
    """What is timed on a CPU."""
    import numpy as np

    values, keys = scores.numpy(), packed(np, scores.numpy())

    def blocks(array):
        for some in np.split(array, 16):
            np.sort(some, axis=-1)

    return {
        "plain sort": lambda: blocks(values),
        "packed sort": lambda: blocks(keys),
        **everywhere(torch, scores, grades, measures),
    }


def on_cuda(torch, scores, grades, measures):
    """What is timed on a GPU."""
    from assay import tensors

    whole = tensors.Evaluator(measures)
    floats = grades.float()
    # one for each type, so that none looks through the other's conditions first
    compiled, of_floats = (torch.compile(tensors.Evaluator(measures).__call__) for _ in range(2))
    return {
        "copy": scores.clone,
        **everywhere(torch, scores, grades, measures),
        "assay, float grades": lambda: whole(scores, floats),
        "assay, compiled": lambda: compiled(scores, grades),
        "assay, compiled, float grades": lambda: of_floats(scores, floats),
    }


def on_long_lists(torch, device):
    """Lists of 16,000 documents and measures with a cut-off: a selection instead of a sort."""
    from assay import tensors

    scores, grades = lists(torch, device, LONG[device])
    half, shallow = scores.bfloat16(), tensors.Evaluator(SHALLOW)
    sorted_ = tensors.Evaluator([*SHALLOW, "AP"])
    name = f"{list(LONG[device])}, "
    return {
        f"{name}torch.sort": lambda: torch.sort(scores, dim=-1, descending=True),
        f"{name}assay, cut-offs only": lambda: shallow(scores, grades),
        f"{name}assay, cut-offs only, bfloat16": lambda: shallow(half, grades),
        f"{name}assay, cut-offs and AP": lambda: sorted_(scores, grades),
    }


def checked(torch, scores, grades, measures):
    """The largest difference from NumPy in float64, by kind of input; and nothing waits."""
    mask, worst = torch.rand_like(scores) < 0.9, {}
    for kind in ("float32", "float16", "bfloat16"):
        given = scores.to(getattr(torch, kind))
        for ties in ("order", "expected"):
            for masked in (None, mask):
                label = f"{kind}, {ties}" + ("" if masked is None else ", mask")
                worst[label] = difference(torch, measures, ties, (given, grades, masked))
    return worst


def difference(torch, measures, ties, arrays, lists=2048):
    """The largest difference from NumPy over some lists, as rows and told apart by an index."""
    import numpy as np

    from assay import tensors

    device, shape = arrays[0].device, (lists, arrays[0].shape[1])
    evaluator = tensors.Evaluator(measures, ties=ties)
    some = [None if a is None else a[:lists] for a in arrays]
    flat = [None if a is None else a.flatten() for a in some]
    index = torch.arange(lists, device=device).repeat_interleave(shape[1])
    evaluator(*(None if a is None else a[:9] for a in arrays))  # whatever is made only once
    found = [
        unwaited(torch, lambda: evaluator(*arrays), device.type),
        unwaited(torch, lambda: evaluator(*flat, index=index, shape=shape), device.type),
    ]
    exact = [None if a is None else a.cpu() for a in some]
    exact = [exact[0].double(), *exact[1:]]
    wanted = evaluator(*(None if a is None else a.numpy() for a in exact))
    return max(
        float(np.nanmax(np.abs(values[name][:lists].double().cpu().numpy() - wanted[name])))
        for name in measures
        for values in found
    )


def unwaited(torch, evaluate, device):
    """Evaluate; on a GPU an error where the host would wait for it."""
    if device == "cpu":
        return evaluate()
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        return evaluate()
    finally:
        torch.cuda.set_sync_debug_mode("default")


def timed(variants, ways, rounds):
    """Milliseconds of each variant in each round, by the name of the clock."""
    for call in variants.values():
        call()
        call()
    found = {kind: {name: [] for name in variants} for kind in ways}
    for _ in range(rounds):
        for kind, clock in ways.items():
            for name, call in variants.items():
                found[kind][name].append(round(clock(call), 4))
    return found


def measured(options):
    """Everything of one device, as it is kept."""
    import torch

    device = options.device
    shape, measures = SHAPES[device], MEASURES[device]
    torch.set_grad_enabled(False)
    scores, grades = lists(torch, device, shape)
    errors = checked(torch, scores, grades, measures)
    ways = clocks(torch, device, scores)
    make = on_cuda if device == "cuda" else on_cpu
    variants = make(torch, scores, grades, measures)
    rounds = timed(variants, ways, options.rounds)
    kept = {"case": f"tensors-{device}", "device": device, "shape": shape, "measures": measures}
    kept["date"] = datetime.now(UTC).date().isoformat()
    kept["machine"] = where(torch, device)
    kept["errors"] = errors
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        variants["assay"]()
        kept["peak_GB"] = (torch.cuda.max_memory_allocated() - before) / 1e9
        kept["input_GB"] = (scores.nbytes + grades.nbytes) / 1e9
    longer = timed(on_long_lists(torch, device), ways, options.rounds)
    kept["rounds_ms"] = {kind: rounds[kind] | longer[kind] for kind in ways}
    some = options.torchmetrics or shape[0]
    if importlib.util.find_spec("torchmetrics"):
        by_torchmetrics(torch, scores[:64], grades[:64], measures)
        started = time.perf_counter(), time.process_time()
        by_torchmetrics(torch, scores[:some], grades[:some], measures)
        ended = time.perf_counter(), time.process_time()
        wall, processor = (1e3 * (b - a) for a, b in zip(started, ended, strict=True))
        kept["torchmetrics"] = {"lists": some, "ms": wall, "processor_ms": processor}
    return kept


def where(torch, device):
    """Of what the figures speak."""
    names = ["torch", "numpy", "torchmetrics"]
    versions = {"python": platform.python_version()}
    versions |= {name: version(name) for name in names if importlib.util.find_spec(name)}
    name = torch.cuda.get_device_name() if device == "cuda" else machine.cpu_model()
    load = round(os.getloadavg()[0], 1)
    return {"name": name, "threads": torch.get_num_threads(), "load": load} | versions


def by_torchmetrics_whole(record):
    """Milliseconds that torchmetrics takes, or took so far for a share of the lists."""
    slow = record.get("torchmetrics")
    return slow and slow["ms"] * record["shape"][0] / slow["lists"]


def table(record):
    """Medians of a record, beside one sort and, on a CPU, beside torchmetrics."""
    rounds, slow = record["rounds_ms"], record.get("torchmetrics")
    kinds = list(rounds)
    middle = {kind: {k: statistics.median(v) for k, v in rounds[kind].items()} for kind in kinds}
    whole = by_torchmetrics_whole(record)
    rows = [["", *(f"{kind} ms" for kind in kinds), *(f"{kind}, sorts" for kind in kinds)]]
    rows[0] += ["torchmetrics takes"] if whole else []
    for name in middle[kinds[0]]:
        long = name.startswith("[")
        sort = f"{name.split('], ')[0]}], torch.sort" if long else "torch.sort"
        ms = [middle[kind][name] for kind in kinds]
        row = [name, *(f"{value:.3f}" for value in ms)]
        row += [f"{middle[kind][name] / middle[kind][sort]:.2f}" for kind in kinds]
        rows.append(
            row
            + (
                []
                if not whole
                else [f"{whole / ms[0]:,.0f} x"]
                if name.startswith("assay")
                else [""]
            )
        )
    if whole:
        share = "" if slow["lists"] == record["shape"][0] else f", from {slow['lists']:,} lists"
        row = [f"torchmetrics{share}", f"{whole:,.0f}", *[""] * (len(kinds) - 1)]
        sort = middle[kinds[0]]["torch.sort"]
        rows.append([*row, f"{whole / sort:,.0f}", *[""] * (len(kinds) - 1), ""])
    return rows


def targets(record):
    """What was to be reached, and what was."""
    rounds = record["rounds_ms"]

    def median(name, kind):
        return statistics.median(rounds[kind][name])

    rows = [["target", "wanted", "got"]]
    if record["device"] == "cpu":
        slow = record.get("torchmetrics")
        if slow:
            share = record["shape"][0] / slow["lists"]
            wall = slow["ms"] * share / median("assay", "wall")
            processor = slow["processor_ms"] * share / median("assay", "processor")
            got = f"{wall:.0f} x by the wall clock, {processor:.0f} x in processor time"
            rows.append(["faster than torchmetrics", ">= 15 x", got])
        return rows
    for name, most in (("assay", 3.0), ("assay, compiled", 1.5)):
        got = [median(name, kind) / median("torch.sort", kind) for kind in rounds]
        said = ", ".join(f"{g:.2f} {kind}" for g, kind in zip(got, rounds, strict=True))
        rows.append([f"{name}, in sorts", f"<= {most}", said])
    return rows


def section(record):
    """One device on the page."""
    known = {k: v for k, v in record["machine"].items() if k not in ("name", "threads", "load")}
    versions = ", ".join(f"{name} {v}" for name, v in known.items())
    shared = ", {threads} threads, load {load}" if record["device"] == "cpu" else ""
    shared = shared.format(**record["machine"])
    worst = {
        ties: max(error for kind, error in record["errors"].items() if ties in kind)
        for ties in ("order", "expected")
    }
    parts = [
        f"## {record['machine']['name']}: {record['shape']}, {', '.join(record['measures'])}",
        f"{record['date']}; {versions}{shared}.",
        CEILINGS[record["device"]],
        report.markdown(targets(record)),
        report.markdown(table(record)),
        TRIED.format(**worst),
        *record.get("notes", []),
    ]
    if "peak_GB" in record:
        parts.append(
            f"The input is {record['input_GB']:.2f} GB; at its peak the evaluation takes "
            f"{record['peak_GB']:.2f} GB more, as\nblocks of at most 67 million documents do. "
            "No call but the selection's waited for the\ndevice "
            "(`torch.cuda.set_sync_debug_mode('error')`)."
        )
    return "\n\n".join(parts)


def page():
    """Write `results/tensors.md` from the latest record of each device."""
    from cases import CASES

    latest = {}
    for path in sorted(report.RESULTS.glob("*-tensors-*.json")):
        record = json.loads(path.read_text())
        latest[record["device"]] = record
    parts = ["# Measures on tensors", ABOUT, *map(section, latest.values())]
    (report.RESULTS / "tensors.md").write_text("\n\n".join(parts) + "\n")
    report.summarise([case.name for case in CASES])


def main():
    """Time, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("device", choices=[*sorted(SHAPES), "page"])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path, default=report.RESULTS)
    parser.add_argument(
        "--torchmetrics", type=int, metavar="LISTS", help="time it on so many lists, not on all"
    )
    options = parser.parse_args()
    if options.device == "page":
        page()
        return
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
    sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).parent]
    record = measured(options)
    name = f"{list(record['shape'])}, {', '.join(record['measures'])}"
    record |= {"title": f"{name} on {record['machine']['name']}", "page": "tensors.md"}
    record |= {"about": CEILINGS[options.device], "summary": targets(record)}
    path = options.out / f"{record['date']}-{record['case']}.json"
    path.write_text(json.dumps(record, indent=1) + "\n")
    print(report.plain(targets(record)), report.plain(table(record)), sep="\n\n")
    print(record["errors"])


if __name__ == "__main__":
    main()
