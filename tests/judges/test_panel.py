"""Many judges at once: the same numbers as one evaluation each."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.align import Judged
from assay.errors import AssayError
from assay.inputs import inputs
from assay.judges import panel as module
from assay.judges.panel import batch_means, gathered, loaded, plain_measure
from assay.measures import parse
from judges.conftest import collection

MEASURES = [
    "nDCG@10",
    "AP",
    "AP(rel=2)",
    "P@5",
    "RR",
    "nDCG(gain='exp')",
    "R@10",
    "ERR(max=3)@10",
    "RBP(max=3)",
    "Bpref",
]


def panel_of(given, made):
    judges, sources = inputs(given, made, strict=True)
    judged = Judged(judges, "nonrelevant")
    return gathered(judged, loaded(sources))


def batch(panel, grade, measures):
    start = panel.judged.start
    return batch_means(
        panel,
        [plain_measure(parse(measure), 3) for measure in measures],
        lambda t: grade[:, start[t] : start[t + 1]],
        len(grade),
        values=True,
    )


@pytest.mark.parametrize("block", [1 << 16, 64])
def test_a_batch_equals_one_evaluation_each(monkeypatch, block):
    monkeypatch.setattr(module, "BLOCK", block)
    given, made = collection(judges=4)
    panel = panel_of(given, made)
    means, values = batch(panel, panel.judged.grade, MEASURES)
    scores = assay.evaluate(given, made, MEASURES)
    assert scores.runs == panel.runs
    assert np.allclose(values, scores.values, atol=1e-12, equal_nan=True)
    assert np.allclose(means, np.nanmean(scores.values, axis=-1), atol=1e-12)


@pytest.mark.parametrize("block", [1 << 16, 64])
def test_pairs_that_a_judge_did_not_judge(monkeypatch, block):
    """Judges who each lack a third of the pairs, against one evaluation each."""
    monkeypatch.setattr(module, "BLOCK", block)
    given, made = collection(judges=4)
    rng = np.random.default_rng(4)
    for topics in given.values():
        for docs in topics.values():
            for doc in list(docs)[1:]:
                if rng.random() < 1 / 3:
                    del docs[doc]
    panel = panel_of(given, made)
    assert np.isnan(panel.judged.grade).any()
    measures = [*MEASURES, "NormR(N=100)", "AP@5", "Q@20", "Judged@5", "nDCG"]
    _, values = batch(panel, panel.judged.grade, measures)
    scores = assay.evaluate(given, made, measures)
    assert np.allclose(values, scores.values, atol=1e-12, equal_nan=True)


def test_a_topic_without_relevant_documents_is_left_out():
    given, made = collection(judges=2)
    given["judge1"]["t2"] = dict.fromkeys(given["judge1"]["t2"], 0)
    panel = panel_of(given, made)
    means, values = batch(panel, panel.judged.grade, ["AP"])
    assert np.isnan(values[1, :, 0, 2]).all()
    assert not np.isnan(means).any()
    scores = assay.evaluate(given, made, "AP")
    assert np.allclose(means[1, :, 0], np.nanmean(scores.values[1, :, 0], axis=-1))


@pytest.mark.parametrize("measure", ["infAP", "RSVr1@10", "nDCG(unjudged='condensed')@10"])
def test_measures_that_need_more_say_so(measure):
    with pytest.raises(AssayError, match="which simulated judges do not have; try nDCG@10 or AP"):
        plain_measure(parse(measure), 3)


def test_on_real_runs(dl21):
    nist, _, runs = dl21
    few = {name: runs[name] for name in list(runs)[:5]}
    panel = panel_of(nist, few)
    means, _ = batch(panel, panel.judged.grade, ["nDCG@10", "AP(rel=2)"])
    scores = assay.evaluate(nist, few, ["nDCG@10", "AP(rel=2)"])
    assert np.allclose(means[0], scores.values[0].mean(axis=-1), atol=1e-12)
