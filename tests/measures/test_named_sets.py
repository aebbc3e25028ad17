from __future__ import annotations

import warnings

import pytest

import assay
from assay import AssayError
from assay.measures import parse, registered
from assay.measures.measure import parse_all
from assay.measures.named_sets import NAMED_SETS

PAPERS = (
    *("sliding_ratio", "gain_vectors", "graded_precision", "distance", "correlation"),
    *("search_length", "expected_search_length", "expected_precision", "smart", "korfhage"),
    *("levels", "retrieval_scores", "relative_relevance", "effectiveness"),
)
TOLD = ["Coverage(known='{known}')", "Novelty(known='{known}')", "RelRecall(wanted=5)"]


def test_the_papers_are_all_measures_of_their_families():
    named = {parse(name).name for name in NAMED_SETS["papers"]}
    assert {name for name, d in registered().items() if d.family in PAPERS} <= named
    assert {"CG", "DCG_JK", "nDCG_JK", "Q", "AP"} <= named


def test_a_set_stands_for_its_measures_each_once():
    assert parse_all("trec") == tuple(map(parse, NAMED_SETS["trec"]))
    both = parse_all(["AP", "trec", "papers", "nDCG@10"])
    assert both[0] == parse("AP")
    assert both[-1] == parse("nDCG@10")
    assert len(both) == len(set(both))
    with pytest.raises(AssayError, match="unknown measure 'paper'"):
        parse_all("paper")


def test_one_measure_for_each_level():
    judgments, run = {"t": {"a": 2, "b": 0.5, "c": 0, "p": -1}}, {"t": {"b": 2, "a": 1}}
    found = assay.evaluate(judgments, run, ["AP(rel=each)", "P(rel='each')@1", "AP(rel=each)"])
    names = ["AP(rel=0.5)", "AP(rel=2)", "P(rel=0.5)@1", "P(rel=2)@1"]
    assert [str(measure) for measure in found.measures] == names
    assert found.values.ravel().tolist() == [1, 1 / 2, 1, 0]
    assert str(parse("AP(rel=each)")) == "AP(rel='each')"
    with pytest.raises(AssayError, match="one measure for each relevance level"):
        parse("AP(rel=each)").kernel()


def test_too_many_levels_are_refused():
    judgments = {"t": {f"d{i}": 1 + i / 1000 for i in range(150)}}
    with pytest.raises(AssayError, match=r"150 levels above 0, more than 100; name those"):
        assay.evaluate(judgments, {"t": {"d1": 1}}, "AP(rel=each)")


def test_without_a_relevant_document_one_level_is_left():
    found = assay.evaluate({"t": {"a": 0}}, {"t": {"a": 1}}, "AP(rel=each)")
    assert [str(measure) for measure in found.measures] == ["AP"]


@pytest.mark.parametrize("measure", ["NDPM", "RSVr1@3", "ADM", "ESL", "Coverage(known='k')"])
def test_bounds_exist_for_measures_on_grades_and_ranks_only(tmp_path, measure):
    known = tmp_path / "k"
    known.write_text("t a\n")
    name = measure.replace("'k'", f"'{known}'")
    with pytest.raises(AssayError, match="only for measures on grades and ranks"):
        assay.evaluate({"t": {"a": 1}}, {"t": {"a": 1}}, name, unjudged="bounds")


COLLECTIONS = {
    "trec-covid-r3": ("trec-covid-r3/qrels.covid-round3.txt", "trec-covid-r3/runs.top100"),
    "dl21": ("dl21/qrels/qrels.dl21-passage.txt", "dl21/runs.judged"),
}


def every_measure(shared, tmp_path, collection, number):
    """`papers`, `trec`, and those that need to be told something, on the collection's runs."""
    qrels, folder = (shared / path for path in COLLECTIONS[collection])
    runs = sorted(folder.iterdir())[:number]
    judgments = assay.read_judgments(qrels)
    known = tmp_path / "known.txt"
    pairs = (f"{topic} {doc}\n" for i, (topic, doc, _) in enumerate(judgments) if i % 3 == 0)
    known.write_text("".join(pairs))
    told = [name.format(known=known) for name in TOLD]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return assay.evaluate(judgments, runs, ["papers", "trec", *told])


def check(found):
    """Every value within its range, and undefined for the same topics in every run."""
    for m, measure in enumerate(found.measures):
        values, definition = found.values[0, :, m], measure.definition
        unknown = values != values  # noqa: PLR0124 - NaN
        assert (unknown == unknown[:1]).all(), measure
        assert (values[~unknown] >= definition.low - 1e-12).all(), measure
        assert (values[~unknown] <= definition.high + 1e-12).all(), measure
        assert unknown.mean() < 1, measure


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_measure_on_some_real_runs(shared, tmp_path, collection):
    check(every_measure(shared, tmp_path, collection, 4))


@pytest.mark.proof
@pytest.mark.parametrize(("collection", "number"), [("trec-covid-r3", 79), ("dl21", 63)])
def test_every_measure_on_all_real_runs(shared, tmp_path, collection, number):
    found = every_measure(shared, tmp_path, collection, None)
    assert len(found.runs) == number
    check(found)
