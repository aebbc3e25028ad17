"""Runs: files, dictionaries and frames; each document once for a topic."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given

from assay import AssayError, Run, evaluate, read_run
from test_judgments import TABLES, is_utf8

JUDGMENTS = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}


@pytest.fixture
def write(tmp_path):
    def write(data: bytes | str, name: str = "r.run"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


@given(table=TABLES.filter(is_utf8), tag=st.sampled_from(("", " t", " a b")))
def test_written_and_read_back(table, tag, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "back.run"
    lines = (f"{t} Q0 {d} 0 {s!r}{tag}\n" for t, docs in table.items() for d, s in docs.items())
    path.write_text("".join(lines), encoding="utf-8", newline="")
    run = read_run(path)
    assert run.to_dict() == table == Run(table).to_dict()
    assert run.tag == tag.strip()


class TestFiles:
    def test_rows_of_a_topic_stand_together(self, write):
        run = read_run(write("b Q0 x 1 1 t\na Q0 x 1 2 t\nb Q0 y 1 3 t\na Q0 y 1 4 other tag\n"))
        assert list(run) == [("b", "x", 1.0), ("b", "y", 3.0), ("a", "x", 2.0), ("a", "y", 4.0)]
        assert (len(run), run.topics, run.label, run.tag) == (4, ["b", "a"], "r", "other tag")
        assert repr(run) == "Run('r': 4 documents, 2 topics)"

    @pytest.mark.parametrize("data", ["", "\n \n\r\n", "# only\n#comments\n", "\ufeff"])
    def test_no_data(self, write, data):
        path = write(data)
        for read in (read_run, lambda path: evaluate(JUDGMENTS, path, "AP")):
            with pytest.raises(AssayError, match=r"r.run: no data: expected lines of 6 columns"):
                read(path)

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"PNG\0\1\2", "r.run:1: a NUL byte: this is binary data"),
            (b"1 0 a 2\n", "r.run:1: .*This looks like judgments; judgments come first, then runs"),
            (b"1 Q0 a 1 2 t\n1 Q0 b 2 nan t\n", "r.run:2: expected a finite number as score"),
            (b"1 Q0 a 1 2 t\n1 Q0 \xe9 2 2 t\n", "r.run:2: byte 0xe9 is not valid UTF-8"),
        ],
    )
    def test_what_is_no_run(self, write, data, message):
        path = write(data)
        for read in (read_run, lambda path: evaluate(JUDGMENTS, path, "AP")):
            with pytest.raises(AssayError, match=message):
                read(path)


TWICE = {
    "together": (["1 a 3", "1 b 2", "1 a 9", "2 a 1"], 1, 3),
    "scattered": (["1 a 3", "2 b 2", "1 b 5", "2 a 1", "1 a 9"], 1, 5),
    "thrice": (["2 a 1", "1 b 2", "1 a 3", "1 a 9", "1 a 4"], 3, 4),
}


class TestRepeats:
    @pytest.fixture(params=TWICE)
    def twice(self, request, write):
        rows, first, second = TWICE[request.param]
        lines = ("{} Q0 {} 0 {} t".format(*row.split()) for row in rows)
        return write("# head\n" + "\n".join(lines)), first + 1, second + 1

    def test_a_document_given_twice_is_an_error(self, twice):
        path, first, second = twice
        message = (
            f"r.run:{second}: document 'a' of topic '1' stands twice in the list, first on line "
            rf"{first}; keep one of the two, or use --lenient \(strict=False\): the best-ranked one"
        )
        for read in (read_run, lambda path: evaluate(JUDGMENTS, path, "AP")):
            with pytest.raises(AssayError, match=message):
                read(path)

    def test_lenient_the_best_ranked_occurrence_stays(self, twice):
        path, _, second = twice
        run = read_run(path, strict=False)
        assert run.to_dict()["1"]["a"] == 9.0
        gone = len(path.read_text().splitlines()) - 1 - len(run)
        row = "row" if gone == 1 else "rows"
        shown = f"{gone} {row} with a document given twice for a topic (first: {path}:{second})"
        assert str(run.dropped) == shown
        for given_run in (path, run):
            scores = evaluate(JUDGMENTS, given_run, ["RR", "NumRet"], strict=False)
            assert scores.warnings == (f"{path}: left out {shown}",)
            assert scores.of("r", "RR").tolist() == [
                1.0,
                1.0 if "b" not in run.to_dict()["2"] else 0.5,
            ]
            assert scores.of("r", "NumRet").sum() == len(run)

    def test_lenient_counts_repeats_once_where_topics_turn_out_scattered(self, write, monkeypatch):
        """The first pieces are scored before the file shows that a topic comes back."""
        monkeypatch.setattr("assay.io.stream.PIECE", 64)
        lines = ["1 Q0 a 0 3 t", "1 Q0 a 0 9 t", "2 Q0 a 0 1 t", "2 oops", *["3 Q0 x 0 1 t"] * 9]
        path = write("\n".join([*lines, "1 Q0 b 0 10 t", "2 Q0 a 0 2 t", ""]))
        scores = evaluate(JUDGMENTS, path, ["RR", "NumRet"], strict=False)
        assert scores.values[0, 0].tolist() == [[0.5, 1.0], [2.0, 1.0]]
        (warning,) = scores.warnings
        assert warning == (
            f"{path}: left out 10 rows with a document given twice for a topic (first: {path}:2); "
            f"1 row with a wrong number of columns (first: {path}:4)"
        )

    def test_of_equal_occurrences_the_first_stays(self, write):
        run = read_run(write("1 Q0 a 0 3 t\n1 Q0 b 0 3 t\n1 Q0 a 0 3 t\n"), strict=False)
        assert list(run) == [("1", "a", 3.0), ("1", "b", 3.0)]

    def test_in_memory(self):
        frame = pl.DataFrame({"topic": [1, 1], "doc": ["a", "a"], "score": [1, 2]})
        message = (
            "^mine: row 2: document 'a' of topic '1' stands twice in the list, first on row 1; k"
        )
        with pytest.raises(AssayError, match=message):
            Run(frame, label="mine")
        message = "^mine: document 'a' of topic '1' stands twice in the list; keep one"
        with pytest.raises(AssayError, match=message):
            Run({1: {"a": 1}, "1": {"a": 1}}, label="mine")


class TestObjects:
    def test_from_a_dictionary(self):
        run = Run({1: {"a": 2, 7: np.int8(5)}, "2": {}}, label="mine", tag="t")
        assert (run.to_dict(), run.label, run.tag) == ({"1": {"a": 2.0, "7": 5.0}}, "mine", "t")

    def test_from_a_frame(self):
        columns = {"score": [2, 1, 3], "note": list("xyz"), "doc": [5, 6, 5], "topic": [1, 2, 2]}
        frame = pl.DataFrame(columns)
        assert Run(frame).to_dict() == {"1": {"5": 2.0}, "2": {"6": 1.0, "5": 3.0}}
        assert frame.to_dict(as_series=False) == columns

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            ([1], "expected a file name, a Run, or a dictionary of topic to document to score; "),
            ({"1": ["a", "b"]}, r"topic '1' of a run: expected .*; found \['a', 'b'\]"),
            ({"1": {"a": "x"}}, "score of document 'a' for topic '1': expected a numb.*'x'"),
            ({"1": {"a": 1j}}, "expected a number, found 1j"),
            ({"1": {"a": np.complex128(1)}}, "expected a number, found "),
            ({"1": {"a": float("inf")}}, "mine: expected a finite number as score of document 'a'"),
            (pl.DataFrame({"a": [1]}), "mine: no column for the topic of a run; found 'a'"),
            (pl.DataFrame({"topic": [None], "doc": ["a"], "score": [1]}), "mine: row 1: no topic"),
        ],
    )  # fmt: skip
    def test_what_is_no_run(self, data, message):
        with pytest.raises(AssayError, match=message):
            Run(data, label="mine")
