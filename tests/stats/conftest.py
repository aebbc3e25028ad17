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
