"""Random batches of lists, and the same as judgments and runs for `assay.evaluate`."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.tensors.lists import FIELDS
from variants import VARIANTS


def usable(measure):
    definition = measure.definition
    return FIELDS.issuperset(definition.fields) and not definition.sets


def with_scale(measure):
    return measure(max=3) if measure.uses_top and measure.parameters["max"] is None else measure


MEASURES = list(dict.fromkeys(with_scale(measure) for measure in VARIANTS if usable(measure)))


class World:
    """Lists of up to `longest` documents with every kind of mask."""

    def __init__(self, seed, lists=40, longest=24, *, ties=True):
        rng = np.random.default_rng(seed)
        shape = (lists, longest)
        self.scores = rng.standard_normal(shape)
        if ties:
            self.scores = np.round(self.scores, 1)
        self.grades = np.where(rng.random(shape) < 0.4, rng.integers(1, 4, shape), 0).astype(float)
        self.grades[:3] = 0
        self.mask = np.arange(longest) < rng.integers(0, longest + 1, (lists, 1))
        self.mask[3] = True
        self.retrieved = rng.random(shape) < 0.8
        self.retrieved[4] = False
        self.judged = rng.random(shape) < 0.7

    def files(self, mask=None, retrieved=None, judged=None):
        """Judgments and a run; the ids of equal scores decrease in the order of the list."""
        yes = np.ones_like(self.scores, dtype=bool)
        mask, retrieved, judged = (
            yes if m is None else m & (yes if mask is None else mask)
            for m in (mask, retrieved, judged)
        )
        lists, longest = self.scores.shape
        qrels, run = {}, {}
        for i in range(lists):
            ids = [f"d{longest - j:03}" for j in range(longest)]
            judgments = {
                ids[j]: self.grades[i, j] for j in range(longest) if mask[i, j] and judged[i, j]
            }
            qrels[f"q{i:03}"] = judgments
            run[f"q{i:03}"] = {
                ids[j]: self.scores[i, j] for j in range(longest) if mask[i, j] and retrieved[i, j]
            }
        qrels = {topic: docs for topic, docs in qrels.items() if docs}
        return qrels, {topic: docs for topic, docs in run.items() if docs}

    def expected(self, measures, *, ties="trec", **masks):
        """What `assay.evaluate` says of the same lists, and which lists have judged documents."""
        qrels, run = self.files(**masks)
        scores = assay.evaluate(qrels, {"run": run}, measures, ties=ties)
        lists = [int(topic[1:]) for topic in scores.topics]
        return lists, {str(m): scores.values[0, 0, i] for i, m in enumerate(scores.measures)}


@pytest.fixture(scope="session")
def world():
    return World(7)


@pytest.fixture
def as_on_a_device(monkeypatch):
    """Take no short way through NumPy, as for a tensor on a GPU."""
    from assay.tensors import batch, ragged

    for module in (batch, ragged):
        monkeypatch.setattr(module, "on_cpu", lambda values: (None, lambda result: result))
