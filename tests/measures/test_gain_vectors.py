from __future__ import annotations

import statistics

import pytest

from assay import AssayError
from assay.measures import parse
from lists import listed, value

# Järvelin & Kekäläinen's G', and a recall base as their I': four more documents, 2 2 1 1 less those
GAINS = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
RUN = listed([f"d{i}" for i in range(10)])
QRELS = {f"d{i}": g for i, g in enumerate(GAINS)} | {"m1": 1, "m2": 1, "m3": 1}


def test_the_derived_averages_of_the_papers_vectors():
    assert value("AvgnCG@10", QRELS, RUN) == pytest.approx(0.78481, abs=5e-6)
    assert value("AvgnDCG_JK@10", QRELS, RUN) == pytest.approx(0.80306, abs=5e-6)


@pytest.mark.parametrize(
    "name", ["CG", "DCG_JK", "DCG_JK(b=3.5)", "nCG", "nDCG_JK", "nDCG_JK(b=10)"]
)
@pytest.mark.parametrize(("start", "end"), [(1, 1), (1, 10), (2, 4), (7, 30), (20, 25)])
def test_the_mean_of_the_vector_over_a_region(name, start, end):
    vector = [value(parse(name) @ k, QRELS, RUN) for k in range(start, end + 1)]
    measure = parse(f"Avg{name}@1") @ (start, end)
    assert value(measure, QRELS, RUN) == pytest.approx(statistics.mean(vector), rel=1e-12)


def test_a_region_prints_and_parses_back():
    measure = parse("AvgnDCG_JK(b=3)@[2..10]")
    assert str(measure) == "AvgnDCG_JK(b=3)@[2..10]"
    assert (measure.start, measure.at, measure.k) == (2, 10, 10)
    assert parse(str(measure)) == measure == parse(" AvgnDCG_JK(b=3) @ [ 2 .. 10 ] ")
    assert parse("AvgCG@[1..5]") == parse("AvgCG@5")
    assert str(parse("AvgCG@[4..4]")) == "AvgCG@[4..4]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AvgCG", "needs a cut-off"),
        ("AvgCG@[3..2]", "a region runs from a rank of at least 1 to one no smaller"),
        ("AvgCG@[0..2]", "a region runs from a rank of at least 1"),
        ("AvgCG@[1.5..2]", "the ranks of a region must be whole numbers"),
        ("nDCG@[1..5]", "nDCG takes no region of ranks; these do: AvgCG, AvgDCG_JK, "),
        ("AvgCG@[1-5]", "the cut-off must be a number"),
    ],
)
def test_what_is_wrong_with_a_region(text, message):
    with pytest.raises(AssayError, match=message.replace("[", r"\[")):
        parse(text)
