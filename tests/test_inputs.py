"""What may be given as judgments and as runs, and under which labels."""

from __future__ import annotations

import polars as pl
import pytest

from assay import AssayError, Judgments, Run, evaluate

J = {"1": {"a": 1}}
R = {"1": {"a": 2.0, "b": 1.0}}
JUDGMENTS = pl.DataFrame({"topic": ["1"], "doc": ["a"], "grade": [1]})
RUN = pl.DataFrame({"topic": ["1", "1"], "doc": ["a", "b"], "score": [2, 1]})


@pytest.fixture
def files(tmp_path):
    (tmp_path / "q.txt").write_text("1 0 a 1\n")
    (tmp_path / "r.run").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    return tmp_path


def labels(judgments, runs):
    scores = evaluate(judgments, runs, ["AP", "NumRet"])
    assert (scores.values[:, :, 0] == 1.0).all()
    assert (scores.values[:, :, 1] == 2.0).all()
    return scores.judges, scores.runs


@pytest.mark.parametrize(
    ("judgments", "runs", "expected"),
    [
        (J, R, (("judgments",), ("run",))),
        (JUDGMENTS, RUN, (("judgments",), ("run",))),
        (Judgments(J, label="j"), Run(R, label="r"), (("j",), ("r",))),
        ({"x": J, "y": JUDGMENTS}, {"s": R, "t": RUN}, (("x", "y"), ("s", "t"))),
        ({"x": Judgments(J, label="j")}, {"s": Run(R, label="r")}, (("x",), ("s",))),
        ([Judgments(J, label="j"), J], (Run(R, label="r"), R), (("j", "judgments"), ("r", "run"))),
        ({"e": {}, "x": J}, {"e": {}, "s": R}, None),  # the first one tells nothing
    ],
)
def test_one_or_several(judgments, runs, expected):
    if expected is None:
        with pytest.raises(AssayError, match="e: no judgments"):
            evaluate(judgments, runs, "AP")
        scores = evaluate(J, runs, "AP")
        assert (scores.runs, scores.values.tolist()) == (("e", "s"), [[[[0.0]], [[1.0]]]])
    else:
        assert labels(judgments, runs) == expected


def test_files(files):
    q, r = files / "q.txt", files / "r.run"
    assert labels(q, r) == (("q",), ("r",))
    assert labels(str(q), [str(r)]) == (("q",), ("r",))
    assert labels({"x": q, "y": str(q)}, {"s": r, "t": r}) == (("x", "y"), ("s", "t"))


@pytest.mark.parametrize(
    ("judgments", "runs", "message"),
    [
        ({}, R, "an empty dictionary: no judgments, or no run, to work with"),
        (J, [], "an empty list: no judgments, or no run, to work with"),
        (J, [R, R], (r"2 runs are labelled 'run'; labels come from file names: give each its own, "
         r"as NAME=FILE in the shell or \{'name': file\} in Python")),
        ([J, J], R, "2 judgment sets are labelled 'judgments'; labels come from"),
        (Run(R), R, "Run.'run': 2 documents, 1 topics. stands where judgments are expected"),
        (J, Judgments(J), "Judgments.* stands where a run is expected; judgments come first"),
        (None, R, "expected a file name, Judgments, or a dictionary .* found NoneType"),
        (J, 7, "expected a file name, a Run, or a dictionary .* found int"),
    ],
)  # fmt: skip
def test_what_cannot_be(judgments, runs, message):
    with pytest.raises(AssayError, match=message):
        evaluate(judgments, runs, "AP")


def test_files_of_one_name_need_labels(files):
    (files / "more").mkdir()
    other = files / "more" / "r.txt"
    other.write_text("1 Q0 a 1 2 t\n")
    with pytest.raises(AssayError, match="2 runs are labelled 'r'; labels come from file names"):
        evaluate(J, [files / "r.run", other], "AP")


def test_missing_files_suggest_the_nearest(files):
    for given in ((files / "q.tx", files / "r.run"), (files / "q.txt", files / "rr.run")):
        near = files / ("q.txt" if given[0].name == "q.tx" else "r.run")
        with pytest.raises(AssayError, match=f": no such file; did you mean {near}"):
            evaluate(*given, "AP")


def test_runs_and_judgments_that_changed_places(files):
    with pytest.raises(AssayError, match=r"r.run:1: .* judgments come first, then runs"):
        evaluate(files / "r.run", J, "AP")
    with pytest.raises(AssayError, match=r"q.txt:1: .* judgments come first, then runs"):
        evaluate(J, files / "q.txt", "AP")
