"""The shape of `pt.Experiment`: frames in, a frame out, tests against a baseline."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay import AssayError

pd = pytest.importorskip("pandas")

QRELS = pd.DataFrame(
    [(f"q{q}", f"d{d}", int((3 * q * q + d**3 + d) % 5 < 2)) for q in range(6) for d in range(9)],
    columns=["qid", "docno", "label"],
)
TOPICS = pd.DataFrame({"qid": [f"q{q}" for q in range(6)], "query": ["words"] * 6})


def results(step):
    """A result frame, with the columns that PyTerrier adds."""
    rows = [
        (f"q{q}", d, f"d{d}", (7 * q + step * d) % 9, 9.0 - (7 * q + step * d) % 9)
        for q in range(6)
        for d in range(9)
    ]
    return pd.DataFrame(rows, columns=["qid", "docid", "docno", "rank", "score"])


class Transformer:
    """What PyTerrier calls a transformer, as far as we ask."""

    def __init__(self, step):
        self.step = step

    def transform(self, topics):
        found = results(self.step)
        return found[found.qid.isin(topics.qid)]


def by_hand(step, topic):
    """Average precision of one topic, by a loop."""
    found = results(step)
    order = found[found.qid == topic].sort_values(["score", "docno"], ascending=False).docno
    good = set(QRELS[(QRELS.qid == topic) & (QRELS.label > 0)].docno)
    hits, total = 0, 0.0
    for rank, doc in enumerate(order, 1):
        if doc in good:
            hits += 1
            total += hits / rank
    return total / len(good)


STEPS = (1, 2, 4)
SYSTEMS = [results(step) for step in STEPS]
NAMES = ["one", "two", "four"]


def test_means_and_the_baseline():
    stats = pytest.importorskip("scipy.stats")
    found = assay.experiment(SYSTEMS, TOPICS, QRELS, ["map"], NAMES, baseline=0)
    assert list(found.columns) == ["name", "map", "map +", "map -", "map p-value"]
    values = np.asarray([[by_hand(step, topic) for topic in TOPICS.qid] for step in STEPS])
    np.testing.assert_allclose(found["map"], values.mean(axis=1), atol=1e-12)
    for row in (1, 2):
        d = values[row] - values[0]
        assert found["map +"][row] == (d > 1e-12).sum()
        assert found["map -"][row] == (d < -1e-12).sum()
        expected = stats.ttest_rel(values[row], values[0]).pvalue
        assert found["map p-value"][row] == pytest.approx(expected, abs=1e-12)
    assert found.loc[0, ["map +", "map -", "map p-value"]].isna().all()
    ranks = assay.experiment(SYSTEMS, TOPICS, QRELS, ["map"], NAMES, baseline=0, test="wilcoxon")
    for row in (1, 2):
        expected = stats.wilcoxon(values[row], values[0]).pvalue
        assert ranks["map p-value"][row] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("how", ["holm", "h", "bonferroni", "b", "fdr_bh"])
def test_corrections(how):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    found = assay.experiment(
        SYSTEMS, None, QRELS, ["map"], NAMES, baseline=1, correction=how, correction_alpha=0.5
    )
    p = found["map p-value"][[0, 2]]
    reject, corrected, _, _ = multitest.multipletests(p, alpha=0.5, method=how)
    np.testing.assert_allclose(found["map p-value corrected"][[0, 2]], corrected, atol=1e-12)
    assert found["map reject"].tolist() == [reject[0], False, reject[1]]


def test_transformers_are_asked_for_the_topics():
    few = TOPICS[:2]
    asked = assay.experiment(
        [Transformer(1), Transformer(2)], few, QRELS, ["map"], perquery=True, names=["a", "b"]
    )
    assert asked.qid.tolist() == ["q0", "q1", "q0", "q1"]
    assert asked["value"][1] == pytest.approx(by_hand(1, "q1"), abs=1e-12)
    whole = assay.experiment(
        [Transformer(1)], few, QRELS, ["map"], perquery=True, filter_by_topics=False
    )
    assert len(whole) == 6
    assert whole["value"][5] == 0.0  # not asked for: the worst, as elsewhere


def test_other_shapes_of_the_answer():
    found = assay.experiment(SYSTEMS, TOPICS, QRELS, ["map", "P@5"], NAMES, dataframe=False)
    assert set(found) == set(NAMES)
    assert set(found["two"]) == {"map", "P@5"}
    topics = assay.experiment(
        SYSTEMS, TOPICS, QRELS, ["map"], NAMES, dataframe=False, perquery=True
    )
    assert topics["four"]["q3"]["map"] == pytest.approx(by_hand(4, "q3"), abs=1e-12)
    rounded = assay.experiment(SYSTEMS, TOPICS, QRELS, ["map", "P@5"], round={"map": 2})
    assert rounded["map"][0] == round(found["one"]["map"], 2)
    assert rounded["P@5"][0] == found["one"]["P@5"]
    assert rounded["name"].tolist() == ["run0", "run1", "run2"]
    assert assay.experiment([SYSTEMS[0]], TOPICS, QRELS, ["map"], round=1)["map"][0] == round(
        found["one"]["map"], 1
    )


def test_measures_of_ir_measures():
    ir_measures = pytest.importorskip("ir_measures")
    asked = [ir_measures.nDCG @ 5, ir_measures.AP(rel=1)]
    found = assay.experiment(SYSTEMS, TOPICS, QRELS, asked, NAMES)
    frame = results(1).rename(columns={"qid": "query_id", "docno": "doc_id"})
    judged = QRELS.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})
    theirs = ir_measures.calc_aggregate(asked, judged, frame[["query_id", "doc_id", "score"]])
    for measure in asked:
        assert found[str(measure)][0] == pytest.approx(theirs[measure], abs=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": 3}, "baseline=3: there are 3 systems, counted from 0"),
        ({"names": ["a"]}, "1 names for 3 systems"),
        ({"names": ["a", "a", "b"]}, "systems share a name: a, a, b"),
        ({"test": "z"}, "test='z': must be one of 't', 'wilcoxon'"),
        ({"correction": "hommel"}, "correction='hommel': must be one of 'bonferroni'"),
        ({"topics": ["q9"]}, "none of the 1 topics is judged"),
        ({"topics": "q1"}, "expected a frame with a column 'qid', or a list of ids; found 'q1'"),
        ({"topics": QRELS[["docno"]]}, "topics: no column 'qid'; found docno"),
    ],
)
def test_what_cannot_be(options, message):
    options = {"topics": TOPICS, **options}
    with pytest.raises(AssayError, match=message):
        assay.experiment(SYSTEMS, qrels=QRELS, eval_metrics=["map"], **options)


def test_one_topic_has_no_p_value():
    found = assay.experiment(SYSTEMS[:2], ["q1"], QRELS, ["map"], baseline=0)
    assert math.isnan(found["map p-value"][1])
