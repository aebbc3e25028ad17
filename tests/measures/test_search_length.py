from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy import special, stats

import assay
from assay import AssayError
from assay.measures.collection import log_factorial
from assay.measures.expected_precision import CHUNK, mean_precision
from lists import listed, random_list, random_topic, value


def cooper():
    """Van Rijsbergen 1979, chapter 7: the sixth relevant document is one of 2 in a level of 5.

    Before that level stand 5 relevant documents and 3 others: 3, 4, 5 or 6 others are looked at
    with probability 4/10, 3/10, 2/10, 1/10; the expected search length is 4.
    """
    run = {f"r{i}": 3.0 for i in range(5)} | {f"x{i}": 3.0 for i in range(3)}
    run |= dict.fromkeys(["r5", "r6", "y0", "y1", "y2"], 2.0) | {"r7": 1.0, "z": 0.5}
    return {f"r{i}": 1 for i in range(8)}, run


def test_coopers_example():
    qrels, run = cooper()
    assert value("ESL(n=6)", qrels, run) == pytest.approx(4)
    assert value("ESL(n=6,count='all')", qrels, run) == pytest.approx(10)
    at_random = 6 * 7 / (8 + 1)  # 15 documents, 8 of them relevant
    assert value("ESRF(n=6)", qrels, run) == pytest.approx(1 - 4 / at_random)
    by_hand = (4 * 6 / 9 + 3 * 6 / 10 + 2 * 6 / 11 + 1 * 6 / 12) / 10
    assert value("EP@0.75", qrels, run) == pytest.approx(by_hand)
    assert value("PRR@0.75", qrels, run) == pytest.approx(6 / 10)


def test_expected_precision_is_at_least_the_ratio_of_expectations():
    rng = random.Random(1)
    for _ in range(60):
        qrels, docs = random_topic(rng)
        run = random_list(rng, docs, ties=True)
        for level in (0.0, 0.3, 1.0):
            ratio, mean = (value(f"{name}@{level}", qrels, run) for name in ("PRR", "EP"))
            assert math.isnan(ratio) == math.isnan(mean)
            assert not mean < ratio - 1e-12


def test_without_ties_both_are_precision_at_the_relevant_document():
    qrels, run = {"a": 1, "b": 1}, listed("u a v w b")
    for name in ("PRR", "EP"):
        assert value(f"{name}@0.5", qrels, run) == pytest.approx(1 / 2)
        assert value(f"{name}@1.0", qrels, run) == pytest.approx(2 / 5)


def test_a_large_collection_is_looked_at_in_chunks():
    i, r, s = 2 * CHUNK + 17, 5, 2
    variable = stats.nhypergeom(i + r, i, s)
    v = np.arange(i + 1)
    expected = float((variable.pmf(v) * 3 / (3 + 40 + v)).sum())
    n, t, j = (np.asarray([x]) for x in (3.0, 1.0, 40.0))
    found = mean_precision(n, t, np.asarray([float(r)]), j, np.asarray([float(i)]))
    assert found.item() == pytest.approx(expected, rel=1e-8)


def test_intuitive_interpolation_takes_part_of_a_document():
    """By hand: n = .5 x 3 = 1.5 in a level of 3 relevant and 2 others: 2 x 1.5/4 others."""
    qrels, run = dict.fromkeys("abc", 1), dict.fromkeys("abcxy", 1.0)
    found = value("PRR(interpolation='intuitive')@0.5", qrels, run)
    assert found == pytest.approx(1.5 / (1.5 + 0.75))
    assert value("PRR@0.5", qrels, run) == pytest.approx(2 / (2 + 1))


def test_fewer_relevant_documents_than_wanted_is_undefined():
    for run in ({}, listed("a"), listed("u a")):
        assert math.isnan(value("ESL(n=2)", {"a": 1}, run))
        assert math.isnan(value("ESRF(n=2)", {"a": 1}, run))


def test_documents_not_retrieved():
    qrels, run = {"a": 1, "b": 1}, listed("u a")
    assert value("ASL(N=10)", qrels, run) == pytest.approx((2 + (3 + 10) / 2) / 2)
    assert value("ASL(N=10,unretrieved='worst')", qrels, run) == pytest.approx((2 + 10) / 2)
    assert value("ESL(n=2,N=10)", qrels, run) == pytest.approx(1 + 7 / 2)
    assert value("ESL(n=2,N=10,unretrieved='worst')", qrels, run) == pytest.approx(8)


def test_ranked_half_life():
    qrels = {"a": 3, "b": 1, "c": 2}
    assert value("RHL", qrels, listed("b u a c")) == pytest.approx(2 + (3 - 1) / 3)
    assert value("RHL@3", qrels, listed("b u a c")) == pytest.approx(2 + (2 - 1) / 3)
    assert value("RHL", qrels, listed("a")) == pytest.approx(0.5)
    assert value("RHL", {"a": 1, "b": 1}, listed("a u v b")) == pytest.approx(1)  # half at rank 1


def test_a_list_without_gain_has_the_worst_half_life():
    """By hand: 10 documents, the last three of gain 1, 2, 3: half of 6 is reached at rank 9."""
    qrels = {"a": 3, "b": 1, "c": 2}
    assert value("RHL(N=10)", qrels, listed("u v")) == pytest.approx(9)
    assert math.isnan(value("RHL", {"a": 0}, listed("a")))


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("ASL", 7 - 0.5),  # 3 judged and, as the run's longest list has 4, 7 documents
        ("ESL", 5.0),
        ("ESL(count='all',n=2)", 7.0),
        ("ESRF(n=2)", 1 - 3 / 2),
        ("RHL", 6.0),
        ("ASL(N=20)", 20 - 0.5),
    ],
)
def test_a_topic_missing_from_a_run_has_its_relevant_documents_at_the_end(measure, expected):
    judgments = {"one": {"a": 1, "b": 1, "x": 0}, "two": {"a": 1, "b": 1, "x": 0}}
    runs = {"two": listed("a u v w")}
    found = assay.evaluate(judgments, runs, measure)
    assert found.values[0, 0, 0, 0] == pytest.approx(expected)
    assert found.values[0, 0, 0, 1] != pytest.approx(expected)


def test_everything_judged_belongs_to_the_collection_of_a_missing_topic():
    """20 documents are judged; without the long list of `one` the run is no better off."""
    judgments = {"one": {"a": 1}, "two": {f"d{i}": i % 2 for i in range(19)}}
    runs = {"all": {"one": listed("u v w x a"), "two": listed("d1")}, "less": {"two": listed("d1")}}
    found = assay.evaluate(judgments, runs, ["ASL", "ESL", "RHL"])
    assert found.values[0, 1, :, 0].tolist() == [20, 19, 19.5]
    assert (found.values[0, 1, :, 0] > found.values[0, 0, :, 0]).all()


def test_the_output_says_what_stands_for_the_collection():
    judgments, run = {"t": {"a": 1, "b": 0}}, {"t": listed("u a")}
    found = assay.evaluate(judgments, run, ["ASL", "NormR", "NormP(N=10)", "Fallout"])
    [note] = [note for note in found.notes if "collection" in note]
    assert note.startswith("ASL NormR Fallout: N, the size of the collection, is not given")
    with pytest.raises(AssayError, match=r"ASL\(N=2\): 3 documents are known for topic t"):
        assay.evaluate(judgments, run, "ASL(N=2)")


def test_logarithms_of_factorials():
    n = np.concatenate([np.arange(60.0), [0.3, 0.9, 1.5, 1e4, 1e7]])
    np.testing.assert_allclose(log_factorial(n), special.gammaln(n + 1), rtol=1e-12, atol=1e-12)
