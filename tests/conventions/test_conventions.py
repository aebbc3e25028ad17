"""The conventions of other tools against the tools: installed ones live, others as written down."""

from __future__ import annotations

import json
import math
import random
import shutil
import warnings
from pathlib import Path

import pytest

from assay.conventions import FORMULAS, Convention, Retrieved, differing, value
from assay.measures.measure import parse
from assay.policy import Policy
from assay.tools import _offers, convention_of, names_of, prints

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
LISTS = {
    page["topic"]: Retrieved(
        tuple(page["docs"]), tuple(page["scores"]), page["grades"], page["topic"]
    )
    for page in GOLDEN["lists"]
}
PRINTED = {"trec_eval 9": 5.1e-5, "trec_eval 10": 5.1e-5, "ranx": 1e-9, "ir_measures": 1e-9}


@pytest.mark.parametrize(
    ("tool", "name"), [(tool, name) for tool, page in GOLDEN["values"].items() for name in page]
)
def test_as_written_down(tool, name):
    measure = parse(name)
    offer = _offers(measure, convention_of(measure, Policy(), 3.0))[tool]
    found = GOLDEN["values"][tool][name]
    assert len(found) == len(LISTS)
    for topic, wanted in found.items():
        ours = value(measure.name, LISTS[topic], offer.how)
        if wanted is None:
            assert math.isnan(ours)
        else:
            assert ours == pytest.approx(wanted, abs=PRINTED[tool]), topic


# ------------------------------------------------------------------------------- installed tools


def lists(number, seed=3):
    """Lists with ties and unjudged documents, as the tools with whole grades take them."""
    rng = random.Random(seed)
    for topic in range(1, number + 1):
        docs = rng.sample([f"d{i}" for i in range(40)], rng.randint(2, 25))
        scores = [rng.choice([0.5, 1.0, 1.0 + 1e-9, 2.0, rng.random()]) for _ in docs]
        judged = rng.sample([f"d{i}" for i in range(40)], 15)
        grades = {doc: float(rng.choice([-1, 0, 0, 1, 2, 3])) for doc in judged}
        grades[judged[0]] = 2.0
        yield Retrieved(tuple(docs), tuple(scores), grades, str(topic))


def test_pytrec_eval():
    pytrec_eval = pytest.importorskip("pytrec_eval")
    found = list(lists(40))
    judged = {t.topic: {doc: int(grade) for doc, grade in t.grades.items()} for t in found}
    runs = {t.topic: dict(zip(t.docs, t.scores, strict=True)) for t in found}
    names = {
        "nDCG@5": "ndcg_cut_5",
        "nDCG": "ndcg",
        "AP": "map",
        "AP@5": "map_cut_5",
        "P@5": "P_5",
        "R@10": "recall_10",
        "RR": "recip_rank",
        "Success@5": "success_5",
        "Rprec": "Rprec",
        "Bpref": "bpref",
        "IPrec@0.3": "iprec_at_recall_0.30",
        "SetP": "set_P",
        "SetF": "set_F",
    }
    values = pytrec_eval.RelevanceEvaluator(judged, pytrec_eval.supported_measures).evaluate(runs)
    for name, theirs in names.items():
        measure = parse(name)
        offer = _offers(measure, convention_of(measure, Policy(), 3.0))["trec_eval 9"]
        assert offer.name == theirs
        for t in found:
            ours = value(measure.name, t, offer.how)
            assert ours == pytest.approx(values[t.topic][theirs], abs=1e-9), name


@pytest.mark.skipif(shutil.which("perl") is None, reason="ir_measures runs gdeval by perl")
@pytest.mark.parametrize(
    "name",
    [
        "nDCG@5",
        "nDCG(gain='exp')@5",
        "AP",
        "AP(rel=2)@5",
        "P@5",
        "RR",
        "RR@5",
        "ERR@5",
        "SetF(beta=2)",
        "Judged@5",
        "IPrec@0.3",
        "Rprec",
        "NumRelRet",
        "SetP(relative=True)",
        "R@10",
        "Bpref",
    ],
)
def test_ir_measures(name):
    ir_measures = pytest.importorskip("ir_measures")
    found = list(lists(25))
    judged = [ir_measures.Qrel(t.topic, d, int(g)) for t in found for d, g in t.grades.items()]
    run = [
        ir_measures.ScoredDoc(t.topic, doc, score)
        for t in found
        for doc, score in zip(t.docs, t.scores, strict=True)
    ]
    measure = parse(name)
    offer = _offers(measure, convention_of(measure, Policy(), 3.0))["ir_measures"]
    theirs = ir_measures.parse_measure(offer.name.replace(" ", ""))
    values = {m.query_id: m.value for m in ir_measures.iter_calc([theirs], judged, run)}
    for t in found:
        assert value(measure.name, t, offer.how) == pytest.approx(values[t.topic], abs=1e-9)


def test_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    import numpy as np

    for t in lists(40):
        grades = np.asarray([[max(0.0, t.grades.get(doc, 0.0)) for doc in t.docs]])
        scores = np.asarray([t.scores])
        for name, theirs in (
            ("nDCG", metrics.ndcg_score(grades, scores)),
            ("nDCG@3", metrics.ndcg_score(grades, scores, k=3)),
            ("DCG@3", metrics.dcg_score(grades, scores, k=3)),
        ):
            measure = parse(name)
            offer = _offers(measure, convention_of(measure, Policy(), 3.0))["scikit-learn"]
            assert value(measure.name, t, offer.how) == pytest.approx(theirs, abs=1e-9)
        with warnings.catch_warnings():  # it warns where the list has no relevant document
            warnings.simplefilter("ignore", UserWarning)
            theirs = metrics.average_precision_score((grades[0] >= 1).astype(int), scores[0])
        measure = parse("AP")
        offer = _offers(measure, convention_of(measure, Policy(), 3.0))["scikit-learn"]
        assert value("AP", t, offer.how) == pytest.approx(theirs, abs=1e-9)


# ------------------------------------------------------------------------------- what is printed

# shared/TRAPS.md, part E: one run, one tie
TRAP = Retrieved(
    ("d2", "d1", "x", "d4"), (3.0, 2.0, 2.0, 1.0), {"d1": 3.0, "d2": 2.0, "d3": 1.0, "d4": 0.0}
)
X_FIRST = Retrieved(("d2", "x", "d1", "d4"), TRAP.scores, TRAP.grades)


def printed(name, retrieved=TRAP, policy=None, top=3.0, own=math.inf):
    found = prints(parse(name), retrieved, policy or Policy(), top, own)
    return {each.tool: each for each in found}


@pytest.mark.parametrize(
    ("name", "tool", "shown"),
    [
        ("nDCG@2", "trec_eval 9", "0.4693"),
        ("nDCG@2", "trec_eval 10", "0.4693"),
        ("nDCG@2", "ir_measures", "0.4693"),
        ("nDCG@2", "ranx", "0.9134"),
        ("nDCG@3", "trec_eval 10", "0.7350"),
        ("nDCG@3", "ranx", "0.8175"),
        ("nDCG(gain='exp')@2", "ir_measures", "0.33735"),
        ("nDCG(gain='exp')@3", "ir_measures", "0.69202"),
        ("AP", "trec_eval 9", "0.5556"),
        ("AP", "ranx", "0.6667"),
        ("RBP(p=0.5)", "trec_eval 10", "0.4583"),
        ("RBP(p=0.5)", "ranx", "1.7500"),
        ("RBP(p=0.5,rel=1)", "ir_measures", "0.7500"),
        ("ERR@3", "ir_measures", "0.30599"),
    ],
)
def test_the_table_of_traps(name, tool, shown):
    assert printed(name)[tool].shown == shown


@pytest.mark.parametrize(
    ("name", "tool", "shown"),
    [
        ("nDCG@2", "ranx", "0.4693"),
        ("AP", "ranx", "0.5556"),
        ("RBP(p=0.5)", "ranx", "1.3750"),
        ("RBP(p=0.5,rel=1)", "ir_measures", "0.6250"),
    ],
)
def test_the_same_with_x_first_in_the_file(name, tool, shown):
    assert printed(name, X_FIRST)[tool].shown == shown


def test_tie_average_of_all_judged():
    # TRAPS: 0.6913 with the three judged and the unjudged document in the array: sklearn's array
    # holds what was retrieved, so its ideal is 3, 2, 0, 0
    assert printed("nDCG@2")["scikit-learn"].value == pytest.approx(
        (2 + 1.5 / math.log2(3)) / (3 + 2 / math.log2(3))
    )


@pytest.mark.parametrize(
    ("name", "tool", "reasons"),
    [
        ("nDCG@2", "ranx", ["leaves equal scores in the order of the file"]),
        ("RBP(p=0.5)", "trec_eval 9", ["no such measure"]),
        ("ERR@3", "ir_measures", ["fixes the top of the scale at 4"]),
        ("nDCG(gain='exp')@2", "trec_eval 10", ["gain is the grade, not 2^grade - 1"]),
        ("RR@1", "trec_eval 10", ["has no cut-off"]),
        ("AP(norm='min')@2", "trec_eval 10", ["divides by R, all relevant documents"]),
        ("nDCG(gains={1:1,2:5,3:9})@2", "ranx", ["takes no table of gains"]),
        ("P(rel=0.5)@2", "trec_eval 9", ["-l takes whole numbers"]),
        ("RBP", "ir_measures", ["takes no grades, only rel="]),
        ("Compat", "ir_measures", ["not restated here"]),
    ],
)
def test_reasons(name, tool, reasons):
    found = printed(name)[tool]
    assert [why for why in reasons if why in found.why] == reasons


def test_float32_makes_ties():
    retrieved = Retrieved(("a", "b"), (1.0 + 1e-9, 1.0), {"a": 1.0})
    found = printed("RR", retrieved, own=1.0)
    assert found["trec_eval 9"].shown == "0.5000"
    assert found["trec_eval 9"].why == ("rounds scores to float32, which makes ties",)
    assert found["trec_eval 10"].why == ()


def test_a_topic_without_a_relevant_document():
    retrieved = Retrieved(("a",), (1.0,), {"a": 0.0})
    found = printed("AP", retrieved, own=math.nan)
    assert found["trec_eval 10"].shown == "0.0000"
    assert found["trec_eval 10"].why == ("gives 0 where the measure is undefined",)


def test_grades_that_are_not_whole():
    retrieved = Retrieved(("a", "b"), (2.0, 1.0), {"a": 0.5, "b": 1.5})
    found = printed("nDCG", retrieved, own=0.8)
    assert "cuts grades to whole numbers" in found["trec_eval 9"].why
    assert found["ranx"].why == ("refuses grades that are not whole numbers",)
    assert found["ir_measures"].value is None


def test_nothing_retrieved():
    found = printed("AP", Retrieved((), (), {"a": 1.0}), own=0.0)
    assert found["trec_eval 10"].why == ("stops at a topic that the run lacks; 0 with -c",)


def test_gdeval_wants_numbers_as_topics():
    retrieved = Retrieved(("a",), (1.0,), {"a": 1.0}, topic="q1")
    assert printed("ERR@5", retrieved)["ir_measures"].why == ("gdeval wants numbers as topics",)
    retrieved = Retrieved(("a",), (1.0,), {"a": 1.0}, topic="web-7")
    assert printed("ERR@5", retrieved)["ir_measures"].shown == "0.06250"


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_assays_own_convention_gives_assays_values(name):
    import assay

    measure = assay.parse(name + CUT.get(name, ""))
    for t in lists(12):
        run = {t.topic: dict(zip(t.docs, t.scores, strict=True))}
        own = assay.evaluate({t.topic: dict(t.grades)}, run, measure).of("run", measure)[0]
        top = max(t.grades.values())
        ours = value(name, t, convention_of(measure, Policy(), top))
        assert ours == pytest.approx(own, abs=1e-12)


CUT = {"P": "@5", "R": "@5", "Success": "@5", "IPrec": "@0.3"}


def test_only_what_tells_is_named():
    one, other = Convention(ties="trec", gain="linear"), Convention(ties="file", gain="exp")
    same_grades = Retrieved(("a", "b"), (2.0, 1.0), {"a": 1.0, "b": 1.0, "c": 1.0})
    assert differing("nDCG", same_grades, one, other) == ["ties", "gain"]  # neither tells here
    assert differing("nDCG", TRAP, one, other) == ["ties", "gain"]
    assert differing("AP", TRAP, one, other) == ["ties"]


def test_names():
    assert names_of(parse("nDCG(gain='exp')@10")) == {
        "trec_eval 9": "ndcg_cut_10",
        "trec_eval 10": "ndcg_cut_10",
        "ir_measures": "nDCG(dcg='exp-log2')@10",
        "ranx": "ndcg_burges@10",
        "scikit-learn": "ndcg_score(grades, scores, k=10)",
    }
    assert set(names_of(parse("NDPM")).values()) == {""}


def test_what_other_tools_call_it_is_read_back():
    for name in (
        "nDCG@10",
        "nDCG",
        "AP",
        "AP@5",
        "P@5",
        "R@5",
        "RR",
        "Rprec",
        "Bpref",
        "SetP",
        "DCG",
    ):
        for tool in ("trec_eval 10", "ranx"):
            theirs = names_of(parse(name))[tool]
            assert not theirs or parse(theirs) == parse(name), theirs
