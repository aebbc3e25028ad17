from __future__ import annotations

import polars as pl
import pytest

import assay
from assay.errors import AssayError

SMALL = {"topics": 6, "docs": 300, "depth": 30, "pool": 10}


@pytest.fixture(scope="module")
def collection():
    return assay.simulate()


def test_the_same_seed_makes_the_same_collection():
    one, two = assay.simulate(**SMALL), assay.simulate(**SMALL)
    assert one.judgments.frame.equals(two.judgments.frame)
    for a, b in zip(one.runs, two.runs, strict=True):
        assert a.frame.equals(b.frame)
    other = assay.simulate(**SMALL, seed=7)
    assert not one.runs[0].frame.equals(other.runs[0].frame)


def test_a_seed_means_the_same_for_ever(collection):
    # written down when simulate was made: pages that show its numbers must stay true
    assert [run.frame.row(0) for run in collection.runs] == [
        ("t01", "d0821", 14.8785),
        ("t01", "d0899", 14.7),
        ("t01", "d0248", 14.136),
        ("t01", "d0525", 13.8247),
    ]
    assert len(collection.judgments) == 2246
    assert collection.judgments.frame["grade"].sum() == 657


def test_sizes(collection):
    assert [run.label for run in collection.runs] == ["solid", "rounded", "newcomer", "gappy"]
    assert len(collection.judgments.topics) == 50
    assert {len(run) for run in collection.runs[:3]} == {5000}
    assert collection.judgments.top == 3.0
    assert set(collection.judgments.frame["grade"].to_list()) == {0.0, 1.0, 2.0, 3.0}


def test_one_run_has_ties_and_the_others_have_few(collection):
    def tied(run):
        return run.frame.select(pl.struct("topic", "score").is_duplicated().mean()).item()

    solid, rounded, newcomer, gappy = collection.runs
    assert tied(rounded) > 0.7
    assert max(tied(solid), tied(newcomer), tied(gappy)) < 0.05


def test_one_run_has_unjudged_documents(collection):
    scores = assay.evaluate(collection.judgments, list(collection.runs), "Judged@20")
    judged = {run: scores.average(run, "Judged@20").value for run in scores.runs}
    assert judged["newcomer"] < 0.8
    assert judged["solid"] == 1.0
    assert judged["rounded"] > 0.95  # its ties are not in the order in which the pool saw them


def test_one_run_lacks_a_topic(collection):
    *others, gappy = (set(run.topics) for run in collection.runs)
    whole = set(collection.judgments.topics)
    assert whole - gappy == {"t03"}
    assert all(topics == whole for topics in others)


def test_one_topic_has_no_relevant_document(collection):
    best = collection.judgments.frame.group_by("topic").agg(pl.col("grade").max())
    assert best.filter(pl.col("grade") == 0)["topic"].to_list() == ["t26"]
    assert "topic t26: no relevant document" in collection.about


def test_runs_differ_in_quality(collection):
    scores = assay.evaluate(collection.judgments, list(collection.runs), "nDCG@10")
    value = {run: scores.average(run, "nDCG@10").value for run in scores.runs}
    assert value["solid"] > value["rounded"] + 0.1 > value["gappy"] + 0.2


def test_more_runs_and_grades():
    collection = assay.simulate(**SMALL, runs=7, grades=5)
    assert [run.label for run in collection.runs[4:]] == ["run5", "run6", "run7"]
    assert collection.judgments.top <= 5


@pytest.mark.parametrize(
    "sizes", [{"topics": 1}, {"docs": 1}, {"runs": 1}, {"depth": 5000}, {"docs": 100_000}]
)
def test_any_size_makes_a_collection_that_can_be_scored(sizes):
    collection = assay.simulate(**{**SMALL, **sizes})
    scores = assay.evaluate(collection.judgments, list(collection.runs), "AP")
    assert scores.values.shape[1] == len(collection.runs)


@pytest.mark.parametrize("name", ["topics", "docs", "runs", "grades", "depth", "pool"])
@pytest.mark.parametrize("wrong", [0, -1, 2.5, True, "3"])
def test_wrong_sizes(name, wrong):
    with pytest.raises(AssayError, match=rf"{name}=.*: must be a whole number of at least 1"):
        assay.simulate(**{name: wrong})


def test_wrong_seed():
    with pytest.raises(AssayError, match="seed=-1: must be a whole number of at least 0"):
        assay.simulate(seed=-1)


# ----------------------------------------------------------------------------------------- writing


def test_files_read_back_as_they_were(tmp_path):
    collection = assay.simulate(**SMALL)
    qrels, *runs = collection.write(tmp_path / "made")
    assert assay.read_judgments(qrels).frame.equals(collection.judgments.frame)
    for path, run in zip(runs, collection.runs, strict=True):
        again = assay.read_run(path)
        assert (again.label, again.tag) == (run.label, run.tag)
        assert again.frame.equals(run.frame)
    first = runs[0].read_text().splitlines()[:2]
    assert [line.split()[3] for line in first] == ["1", "2"]


def test_into_an_empty_folder(tmp_path):
    (tmp_path / "made").mkdir()
    paths = assay.simulate(**SMALL, runs=1).write(tmp_path / "made")
    assert [path.name for path in paths] == ["qrels.txt", "solid.run"]


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_nothing_is_written_over(tmp_path, kind):
    target = tmp_path / "made"
    if kind == "folder":
        target.mkdir()
        (target / "mine.txt").write_text("mine")
    else:
        target.write_text("mine")
    with pytest.raises(AssayError, match="exists already; name a new folder, or an empty one"):
        assay.simulate(**SMALL, runs=1).write(target)
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_whole_or_not_at_all(tmp_path, monkeypatch):
    collection = assay.simulate(**SMALL)
    written = []

    def fail(path, lines):
        written.append(path)
        if len(written) == 3:
            raise OSError("disk full")
        path.write_text("".join(lines))

    monkeypatch.setattr("assay.simulation._write", fail)
    with pytest.raises(OSError, match="disk full"):
        collection.write(tmp_path / "made")
    assert list(tmp_path.iterdir()) == []
