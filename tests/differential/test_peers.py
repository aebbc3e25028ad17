"""Every run of three real collections against the field's tools, topic by topic.

pytrec_eval rounds scores to float32, so assay is asked to do the same. ir_measures' own providers
break ties the other way round (documents ascending): with ties they must lie between the best and
the worst order, without ties they must agree.
"""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.measures import parse
from differential.test_published import runs_of
from oracles.test_oracles import ORACLES

COLLECTIONS = {
    "trec-covid-r3": ("trec-covid-r3/qrels.covid-round3.txt", "trec-covid-r3/runs.top100", ""),
    "dl21": ("dl21/qrels/qrels.dl21-passage.txt", "dl21/runs.judged", "input."),
    "robust03": ("robust03/robust03_qrels.txt.gz", "robust03/runs.top100", "input."),
}


def pairs(source):
    return {
        ours: theirs for entry in ORACLES.values() for ours, theirs in entry.get(source, {}).items()
    }


@pytest.fixture(scope="module", params=COLLECTIONS)
def collection(request, shared):
    qrels, folder, prefix = COLLECTIONS[request.param]
    judgments = assay.read_judgments(shared / qrels)
    runs = {
        label: assay.read_run(path, label=label)
        for label, path in runs_of(shared / folder, prefix).items()
    }
    return judgments, runs


def as_ints(judgments):
    return {
        topic: {doc: int(grade) for doc, grade in judged.items()}
        for topic, judged in judgments.to_dict().items()
    }


def test_pytrec_eval(collection):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    judgments, runs = collection
    table = pairs("pytrec_eval")
    scores = assay.evaluate(
        judgments, runs, list(table), precision="float32", undefined="zero", missing="skip"
    )
    levels = {int(measure.parameters.get("rel") or 1) for measure in scores.measures}
    qrels, at = as_ints(judgments), {topic: i for i, topic in enumerate(scores.topics)}
    asked = {theirs: _asked(theirs) for theirs in table.values()}
    compared = 0
    for label, run in runs.items():
        lists = run.to_dict()
        for level in levels:
            found = pytrec_eval.RelevanceEvaluator(
                qrels, set(asked.values()), relevance_level=level
            ).evaluate(lists)
            assert {topic for topic in lists if topic in at} == set(found)
            for ours, theirs in table.items():
                if int(parse(ours).parameters.get("rel") or 1) != level:
                    continue
                mine = scores.of(label, ours)
                wrong = [
                    (topic, mine[at[topic]], values[theirs])
                    for topic, values in found.items()
                    if not abs(mine[at[topic]] - values[theirs]) <= 1e-9
                ]
                assert not wrong, (label, ours, theirs, wrong[:3])
                compared += len(found)
    assert compared > 10_000


def _asked(name):
    stem, _, cut = name.rpartition("_")
    return f"{stem}.{cut}" if cut[:1].isdigit() else name


GDEVAL = {"ERR", "nDCG(dcg='exp-log2')"}  # a slow program that prints five decimals


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.proof)])
def test_ir_measures(collection, every):
    ir_measures = pytest.importorskip("ir_measures")
    judgments, runs = collection
    table = {
        ours: theirs
        for ours, theirs in pairs("ir_measures").items()
        # accuracy fails without a nonrelevant document: oracles/test_foreign.py
        if parse(ours).name != "Accuracy" and (every == 1 or theirs.partition("@")[0] not in GDEVAL)
    }
    bounded = [ours for ours in table if "swap" not in parse(ours).definition.exempt]
    free = {"undefined": "zero", "missing": "skip"}
    best, worst = (
        assay.evaluate(judgments, runs, bounded, ties=ties, precision="float32", **free)
        for ties in ("best", "worst")
    )
    plain = assay.evaluate(judgments, runs, list(table), **free)
    qrels, at = as_ints(judgments), {topic: i for i, topic in enumerate(plain.topics)}
    compared = 0
    for label in list(runs)[::every]:
        lists = runs[label].to_dict()
        tied = {  # at float32, which ir_measures' pytrec_eval uses
            topic
            for topic, docs in lists.items()
            if len(set(np.float32(list(docs.values())))) < len(docs)
        }
        for ours, theirs in table.items():
            high, low = (
                scores.of(label, ours) if ours in bounded else None for scores in (best, worst)
            )
            # with scores below 0, ir_measures' Compat puts unretrieved documents first in its ideal
            odd = theirs.startswith("Compat") and min(min(d.values()) for d in lists.values()) <= 0
            found = ir_measures.parse_measure(theirs).iter_calc(qrels, lists)
            exact = 1e-9 if theirs.partition("@")[0] not in GDEVAL else 0.500001e-5
            for metric in () if odd else found:
                i = at[metric.query_id]
                if metric.query_id not in tied:
                    value = plain.of(label, ours)[i]
                    assert abs(value - metric.value) <= exact, (label, ours, metric, value)
                    compared += 1
                elif high is not None and parse(ours).name != "Compat":  # ties in its ideal too
                    assert low[i] - exact <= metric.value <= high[i] + exact, (label, ours, metric)
    assert compared > 500
