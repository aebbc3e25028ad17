"""A real score table."""

from __future__ import annotations

import gzip

import numpy as np
import pytest


@pytest.fixture(scope="session")
def dl21(shared):
    """Published nDCG@10 of 63 runs on 27 topics, [run, topic]."""
    with gzip.open(shared / "dl21" / "scores" / "dl21.ndcg_cut10.gz", "rt") as file:
        rows = [line.strip().split(",") for line in file][1:]
    runs, topics = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    found = {(run, topic): float(value) for run, topic, value in rows}
    return np.array([[found[run, topic] for topic in topics] for run in runs])


@pytest.fixture(scope="session")
def robust03(shared):
    """P@10 of nine runs on the first 30 topics: coarse, with many ties and one run all tied."""
    import assay

    folder = shared / "robust03"
    runs = sorted((folder / "runs.top100").iterdir())[::2]
    scores = assay.evaluate(folder / "robust03_qrels.txt.gz", runs, "P@10")
    return scores.values[0, :, 0, :30]
