"""Time a measure on pairs of documents on one large topic, in a process of its own.

    python bench/large.py NDPM 100000      judged documents with real-valued grades, all retrieved

Prints the seconds of `assay.evaluate` alone, from judgments and a run in memory, as JSON; before
it a topic of two documents loads what is loaded once.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import polars as pl

import assay

SEED = 20_261_119


def main() -> int:
    """Evaluate once."""
    measure, many = sys.argv[1], int(sys.argv[2])
    rng = np.random.default_rng(SEED)
    columns = {"topic": ["1"] * many, "doc": [f"doc{i:07}" for i in range(many)]}
    grade, score = rng.random(many), rng.random(many)
    judgments = assay.Judgments(pl.DataFrame(columns | {"grade": grade}))
    run = assay.Run(pl.DataFrame(columns | {"score": score}), label="run")
    assay.evaluate({"1": {"a": 0.5, "b": 1}}, {"1": {"b": 1.0}}, measure)
    start = time.perf_counter()
    value = float(assay.evaluate(judgments, run, measure).values[0, 0, 0, 0])
    seconds = time.perf_counter() - start
    print(json.dumps({"test": {"seconds": seconds, "documents": many, "value": value}}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
