from __future__ import annotations

import random

import numpy as np
import pytest

import assay
from assay.errors import AssayError

WRITTEN = [
    "CG",
    "DCG@5",
    "nDCG@5",
    "nDCG",
    "nDCG(gain='exp')@10",
    "nDCG(gains={1:1,2:5,3:2})@10",
    "nDCG(discount='zipf')",
    "DCG_JK(b=3)",
    "nDCG_JK@5",
    "P@5",
    "P(rel=2)@5",
    "R@5",
    "Rprec",
    "F@5",
    "F(beta=2)",
    "SetP",
    "SetR",
    "SetF",
    "AP",
    "AP@5",
    "AP(norm='min')@5",
    "RR",
    "RR@3",
    "Bpref",
    "RBP(p=0.7)",
    "RBP(rel=2)@5",
    "ERR@5",
    "ERR(max=4)",
    "nERR@5",
    "Q",
    "Q(norm='R')@5",
]
WITH_EXPECTED = ("CG", "DCG", "nDCG", "P", "R", "F", "RBP", "Rprec", "nDCG_JK", "DCG_JK")


def topic(seed):
    """A list with ties, unjudged documents and judged ones that were not retrieved."""
    rng = random.Random(seed)
    docs = [f"d{i}" for i in range(rng.randint(1, 14))]
    run = {doc: float(rng.randint(0, 4)) for doc in rng.sample(docs, len(docs))}
    pool = [*rng.sample(docs, len(docs) // 2), "u1", "u2", "u3"]
    grades = {doc: float(rng.choice([-1, 0, 0, 1, 2, 3])) for doc in pool} | {"u0": 3.0}
    return {"1": grades, "2": {"z": 1.0}}, {"1": run}


def orders_of(measure):
    """Treatments of ties that the measure knows."""
    definition = assay.parse(measure).definition
    bounds = [] if "swap" in definition.exempt else ["best", "worst"]
    return ["trec", *bounds, *(["expected"] if definition.has_expected else [])]


@pytest.mark.parametrize(
    ("measure", "ties"), [(measure, ties) for measure in WRITTEN for ties in orders_of(measure)]
)
def test_the_arithmetic_is_the_measures(measure, ties):
    name = assay.parse(measure).name
    for seed in range(8):
        judgments, run = topic(seed)
        unjudged = ("nonrelevant", "condensed")[seed % 2]
        told = assay.explain(judgments, run, "1", measure, ties=ties, unjudged=unjudged)
        if not told.columns:
            assert ties == "expected"
            assert name not in WITH_EXPECTED
            continue
        assert len(told.columns) == len(told.steps[0].numbers) > 0
        last = told.last.rsplit("= ", 1)[1].split(":")[0]
        assert float(last) == pytest.approx(told.value, abs=6e-5), (seed, told.last)


def test_ranks_and_signs():
    judgments = {"1": {"a": 3, "b": -1, "c": 0, "u": 2}}
    run = {"1": {"x": 5.0, "a": 4.0, "b": 4.0, "c": 1.0}}
    told = assay.explain(judgments, run, "1", "nDCG@3")
    assert [(s.rank, s.doc, s.grade, s.tie) for s in told.steps] == [
        (1, "x", None, ""),
        (2, "b", None, "a"),  # pooled, not judged
        (3, "a", 3.0, "a"),
        (4, "c", 0.0, ""),
    ]
    assert [(s.rank, s.doc, s.grade) for s in told.ideal] == [(1, "a", 3), (2, "u", 2), (3, "c", 0)]
    assert told.columns == told.ideal_columns == ("gain", "weight", "adds", "sum")
    assert told.steps[2].numbers == (3.0, 0.5, 1.5, 1.5)


def test_condensed_lists_leave_documents_out():
    judgments, run = {"1": {"a": 1, "c": 1}}, {"1": {"x": 3.0, "a": 2.0, "y": 1.5, "c": 1.0}}
    told = assay.explain(judgments, run, "1", "AP", unjudged="condensed")
    assert [(s.rank, s.doc) for s in told.steps] == [(1, "a"), (2, "c"), (None, "x"), (None, "y")]
    assert told.last == "AP = sum / R = 2 / 2 = 1"
    assert "?  unjudged: taken out before ranks are given" in str(told)


@pytest.mark.parametrize(("ties", "order"), [("best", "abx"), ("worst", "xba")])
def test_the_best_and_the_worst_order(ties, order):
    judgments, run = {"1": {"a": 2, "b": 1}}, {"1": {"x": 1.0, "a": 1.0, "b": 1.0}}
    told = assay.explain(judgments, run, "1", "nDCG", ties=ties)
    assert "".join(step.doc for step in told.steps) == order
    assert f"in the {ties} order" in str(told)


def test_ideal_after_a_gain_table():
    # DECISIONS: the ideal is sorted by gain; grades 3,3,2,1 with these gains have ideal DCG 7.69
    judgments = {"1": {"a": 3, "b": 3, "c": 2, "d": 1}}
    told = assay.explain(judgments, {"1": {"a": 1.0}}, "1", "nDCG(gains={1:1,2:5,3:2})")
    assert [step.doc for step in told.ideal] == ["c", "a", "b", "d"]
    assert told.ideal[-1].numbers[-1] == pytest.approx(7.69, abs=0.005)


def test_a_measure_that_is_not_written_out():
    told = assay.explain({"1": {"a": 1, "b": 0}}, {"1": {"b": 2.0, "a": 1.0}}, "1", "NDPM")
    assert told.columns == ()
    assert [step.doc for step in told.steps] == ["b", "a"]
    assert told.last == f"NDPM = {told.value:.4f}"
    assert "the arithmetic of NDPM is not written out rank by rank" in str(told)


def test_a_bound_over_unjudged_documents():
    judgments, run = {"1": {"a": 1, "b": 0}}, {"1": {"x": 2.0, "a": 1.0}}
    told = assay.explain(judgments, run, "1", "P@2", unjudged="highest")
    assert told.value == 1.0
    assert told.notes == (
        "the value is a bound over judgments of the unjudged documents (highest)",
    )


def test_top_of_the_scale_is_that_of_all_judgments():
    judgments = {"1": {"a": 1}, "2": {"b": 3}}
    told = assay.explain(judgments, {"1": {"a": 1.0}}, "1", "ERR")
    assert told.value == pytest.approx((2**1 - 1) / 2**3)
    assert any("max=3" in note for note in told.notes)


def test_ignore_self():
    judgments = {"q": {"q": 1, "a": 1}}
    told = assay.explain(judgments, {"q": {"q": 2.0, "a": 1.0}}, "q", "RR", ignore_self=True)
    assert [step.doc for step in told.steps] == ["a"]
    assert told.value == 1.0


def test_a_file_is_read_for_one_topic(tmp_path):
    run = tmp_path / "a.run"
    run.write_text("1 Q0 a 1 2 t\n2 Q0 z 1 1 t\n1 Q0 b 2 1 t\n")
    told = assay.explain({"1": {"b": 1}, "2": {"z": 1}}, run, "1", "RR")
    assert (told.run, told.value, [s.doc for s in told.steps]) == ("a", 0.5, ["a", "b"])
    run.write_text("1 Q0 a 1 2 t\n2 Q0 z 1 1 t\n1 Q0 a 2 1 t\n")
    with pytest.raises(AssayError, match=r"a\.run:3: document 'a' of topic '1'"):
        assay.explain({"1": {"b": 1}}, run, "1", "RR")


@pytest.mark.parametrize(
    ("judgments", "topic", "measure", "options", "message"),
    [
        ({"1": {"a": 1}}, "2", "AP", {}, "topic '2' is not judged; judged is, for example, '1'"),
        ({"301": {"a": 1}}, "31", "AP", {}, "did you mean '301'"),
        ({"1": {"a": 1}}, "1", "AP", {"unjudged": "bounds"}, "one bound can be explained"),
        ({"1": {"a": 1}}, "1", "Q", {"ties": "expected"}, "no expected value under ties"),
        ({"x": {"1": {"a": 1}}, "y": {"1": {"a": 1}}}, "1", "AP", {}, "at a time, not 2 and 1"),
    ],
)
def test_what_cannot_be_explained(judgments, topic, measure, options, message):
    with pytest.raises(AssayError, match=message):
        assay.explain(judgments, {"1": {"a": 1.0}}, topic, measure, **options)


def test_html_is_escaped():
    judgments, run = {"1": {"<i>": 1}}, {"1": {"<i>": 1.0, "&": 0.5}}
    html = assay.explain(judgments, run, "1", "nDCG@2")._repr_html_()
    assert "&lt;i&gt;" in html
    assert "<i>" not in html


def test_long_lists_are_folded():
    judgments = {"1": {"d001": 1, "d300": 1}}
    run = {"1": {f"d{i:03d}": 1000.0 - i for i in range(400)}}
    text = str(assay.explain(judgments, run, "1", "AP"))
    assert "      ... 290 unjudged\n" in text
    assert text.count("\n") < 40
    whole = assay.explain(judgments, run, "1", "AP")
    assert len(whole.steps) == 400
    assert np.isfinite(whole.value)


def test_err_on_a_large_scale():
    """2^2000 is no float; 2^(1999 - 2000) is."""
    found = assay.explain({"q": {"a": 2000, "b": 1999}}, {"q": {"b": 2.0, "a": 1.0}}, "q", "ERR")
    assert found.value == 0.5 + 0.5 / 2
    assert [step.numbers[-1] for step in found.steps] == [0.5, 0.75]
