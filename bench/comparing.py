"""Time one test over all pairs of the 63 runs of dl21, in a process of its own.

    python bench/comparing.py hsd            randomised Tukey HSD, 10,000 permutations
    python bench/comparing.py bootstrap      studentised bootstrap, 10,000 resamples
    python bench/comparing.py files          prints judgments and runs, one path a line

Prints the seconds of the test alone as JSON, by the clock and of the processor; the table is
published nDCG@10 of 27 topics. OpenBLAS has one thread, as in `assay compare`.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(os.environ.get("ASSAY_SHARED") or Path(__file__).parents[2] / "shared")
FOLDER = ROOT / "data" / "dl21"
RESAMPLES = 10_000


def files() -> list[str]:
    """Judgments, then runs."""
    runs = sorted((FOLDER / "runs.judged").iterdir())
    return [str(FOLDER / "qrels" / "qrels.dl21-passage.txt"), *map(str, runs)]


def main() -> int:
    """Run what is asked for."""
    if sys.argv[1] == "files":
        print("\n".join(files()))
        return 0
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import numpy as np

    from assay.stats import many, paired

    with gzip.open(FOLDER / "scores" / "dl21.ndcg_cut10.gz", "rt") as file:
        rows = [line.strip().split(",") for line in file][1:]
    runs, topics = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    found = {(run, topic): float(value) for run, topic, value in rows}
    x = np.array([[found[run, topic] for topic in topics] for run in runs])
    pairs = np.stack(np.triu_indices(len(x), 1), axis=-1)
    alpha = np.full(len(pairs), 0.05)
    start, used = time.perf_counter(), time.process_time()
    if sys.argv[1] == "hsd":
        outcome = many.randomized_tukey_hsd(x, pairs, resamples=RESAMPLES)
    else:
        outcome = paired.bootstrap(x[pairs[:, 1]] - x[pairs[:, 0]], resamples=RESAMPLES)
    outcome.interval(alpha)
    test = {
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - used,
        "pairs": len(pairs),
        "p_sum": outcome.p.sum(),
    }
    print(json.dumps({"test": test}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
