"""The kernels against other people's programs and printed numbers, as oracles.toml lists them."""

from __future__ import annotations

import gzip
import json
import math
import random

import numpy as np
import pytest

from assay.measures import parse
from lists import batch, in_order, listed, random_list, random_topic, values, wanted
from oracles.test_oracles import ORACLES


def pairs(source):
    return [
        (ours, theirs)
        for entry in ORACLES.values()
        for ours, theirs in entry.get(source, {}).items()
    ]


def random_cases(seed, number, *, pooled=False):
    rng = random.Random(seed)
    cases = []
    while len(cases) < number:
        qrels, docs = random_topic(rng)
        qrels = qrels if pooled else {doc: grade for doc, grade in qrels.items() if grade >= 0}
        run = random_list(rng, docs)
        if run and qrels:
            cases.append((qrels, run))
    return cases


CASES = random_cases(4, 80)
ARRAYS = batch(CASES)


@pytest.mark.parametrize(("ours", "theirs"), pairs("pytrec_eval"))
def test_pytrec_eval(ours, theirs):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    measure = parse(ours)
    cases = random_cases(5, 80, pooled=True) if measure.name == "infAP" else CASES
    qrels = {str(i): case[0] for i, case in enumerate(cases)}
    runs = {str(i): case[1] for i, case in enumerate(cases)}
    level = measure.parameters.get("rel") or 1
    stem, _, cut = theirs.rpartition("_")
    asked = f"{stem}.{cut}" if cut[:1].isdigit() else theirs
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {asked}, relevance_level=int(level))
    found = evaluator.evaluate(runs)
    expected = [found[str(i)][theirs] for i in range(len(cases))]
    np.testing.assert_allclose(np.nan_to_num(values(measure, cases)), expected, atol=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), pairs("ir_measures"))
def test_ir_measures(ours, theirs):
    ir_measures = pytest.importorskip("ir_measures")
    measure = parse(ours)
    cases = CASES
    if measure.name == "Accuracy":  # it fails, or says nothing, where there is nothing to compare
        cases = [case for case in CASES if compares(case, measure)]
    qrels = {str(i): case[0] for i, case in enumerate(cases)}
    runs = {str(i): case[1] for i, case in enumerate(cases)}
    found = {
        metric.query_id: metric.value
        for metric in ir_measures.parse_measure(theirs).iter_calc(qrels, runs)
    }
    expected = [found[str(i)] for i in range(len(cases))]
    rounded = 5.1e-6 if measure.name == "ERR" or "exp" in ours else 1e-9  # gdeval prints 5 decimals
    np.testing.assert_allclose(np.nan_to_num(values(measure, cases)), expected, atol=rounded)


def compares(case, measure):
    qrels, run = case
    docs = in_order(run)[: int(min(measure.k, len(run)))]
    good = [doc for doc in docs if qrels.get(doc, 0) >= measure.parameters["rel"]]
    return 0 < len(good) < len(docs)


@pytest.mark.parametrize(("ours", "theirs"), pairs("sklearn"))
def test_scikit_learn(ours, theirs):
    metrics = pytest.importorskip("sklearn.metrics")
    measure = parse(ours)
    expected = []
    for qrels, run in CASES:
        docs = [*in_order(run), *(doc for doc in qrels if doc not in run)]
        k = min(measure.k, len(run))
        grade = [qrels.get(doc, 0) for doc in docs]
        if theirs == "dcg_score":  # wants two documents at least, of the list alone
            gains, scores = [*grade[: len(run)], 0], [*(run[d] for d in docs[: len(run)]), -1.0]
            expected.append(metrics.dcg_score([gains], [scores], k=math.ceil(k)))
            continue
        relevant, shown = [g >= 1 for g in grade], [i < k for i in range(len(docs))]
        if theirs == "recall_score":
            specificity = metrics.recall_score(relevant, shown, pos_label=0, zero_division=1.0)
            expected.append(1 - specificity)
        else:
            size = min(k, measure.k) if measure.at is None else measure.k
            shown += [True] * int(size - k)  # P@k divides by k even where the list is shorter
            relevant += [False] * int(size - k)
            beta = measure.parameters["beta"]
            expected.append(metrics.fbeta_score(relevant, shown, beta=beta, zero_division=0.0))
    ours_now = np.nan_to_num(values(measure, CASES))
    np.testing.assert_allclose(ours_now, expected, atol=1e-12)


# ------------------------------------------------------------------------------- printed numbers


def ntcir_grades(path):
    grades = {}
    for line in path.read_text().split("\n"):
        if line.strip():
            *topic, doc, level = line.split()
            grades.setdefault("".join(topic), {})[doc] = int(level.removeprefix("L"))
    return grades


def ntcir_values(path):
    """{topic: {column: printed value}} of an NTCIREVAL output."""
    found = {}
    for line in path.read_text().split("\n"):
        if "=" in line and "#" not in line:
            name, number = line.rsplit("=", 1)
            *topic, column = name.split()
            found.setdefault("".join(topic), {})[column] = float(number)
    return found


def ntcir_run(path, places):
    """Lists in file order, 1000 long at most: NTCIREVAL looks at neither score nor rank."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        rows = [line.split() for line in file]
    docs = {}
    for row in rows:
        docs.setdefault(row[places[0]] if places[0] is not None else "", {})[row[places[1]]] = None
    return {topic: listed(list(names)[:1000]) for topic, names in docs.items()}


def ntcir_sets(shared):
    """(name, top grade, judgments, lists, printed) of each set of outputs."""
    cacm, demo = shared / "peers/NTCIREVAL", shared / "peers/NTCIREVAL/NTCIREVAL"
    small = shared / "peers/pyNTCIREVAL"
    yield (
        "cacm",
        2,
        ntcir_grades(cacm / "qrels"),
        ntcir_run(cacm / "query_results.gz", (0, 2)),
        ntcir_values(cacm / "NTCIREVAL_results.test.nev"),
    )
    yield (
        "demo",
        2,
        ntcir_grades(demo / "test.qrels"),
        ntcir_run(demo / "TRECRUN", (0, 2)),
        ntcir_values(demo / "TRECRUN.test.nev"),
    )
    grades = ntcir_grades(small / "sample.rel")
    plain = ntcir_run(small / "sample.lab", (None, 0))
    yield "grades 1 2 3", 3, grades, plain, ntcir_values(small / "res_test_compute.txt")
    squares = {"": {doc: grade**2 for doc, grade in grades[""].items()}}
    yield "grades 1 4 9", 9, squares, plain, ntcir_values(small / "res_test_compute_grade.txt")
    judged = ntcir_run(small / "sample-j.lab", (None, 0))
    yield "judged only", 3, grades, judged, ntcir_values(small / "res_test_compute_label_j.txt")


@pytest.mark.parametrize(("ours", "theirs"), pairs("ntcireval"))
def test_ntcireval(shared, ours, theirs):
    compared = 0
    for name, top, grades, runs, printed in ntcir_sets(shared):
        measure = parse(ours)
        if "max" in measure.parameters:
            measure = measure(max=top)
        topics = [topic for topic in printed if theirs in printed[topic]]
        if not topics:
            continue
        found = values(measure, [(grades[topic], runs.get(topic, {})) for topic in topics])
        expected = [printed[topic][theirs] for topic in topics]
        np.testing.assert_allclose(found, expected, atol=0.500001e-4, err_msg=name)
        compared += len(topics)
    assert compared >= 3


@pytest.mark.parametrize(("ours", "theirs"), pairs("golden"))
def test_printed_vectors(shared, ours, theirs):
    """A golden case prints the value at every rank 1, 2, ..., n."""
    cases = json.loads((shared.parent / "papers/golden.json").read_text())
    case = next(case for case in cases if case["id"] == theirs)
    gains = [float(g) for g in case["inputs"]["gains"]]
    ideal = [float(g) for g in case["inputs"].get("ideal", gains)]
    arrays = {
        "grade": np.asarray([gains]),
        "rank": np.arange(1.0, len(gains) + 1)[None],
        "base": np.asarray([ideal]),
    }
    for k, printed in enumerate(case["printed"], start=1):
        measure = parse(ours) @ k
        [found] = measure.kernel(**wanted(measure, arrays))
        assert abs(found - printed) <= 0.5 * 10 ** -case["decimals"] + 1e-9
