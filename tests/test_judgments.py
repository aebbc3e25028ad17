"""Judgments: files, dictionaries and frames; each pair once; grades as they are."""

from __future__ import annotations

import gzip

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given

from assay import AssayError, Judgments, evaluate, read_judgments

IDS = st.text(min_size=1, max_size=5).filter(lambda s: not s.startswith("#") and s == s.strip())
WORDS = IDS.filter(lambda s: len(s.split()) == 1 and not set(s) & set(" \t\n\r\x0b\x0c\0"))
GRADES = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-2, 4).map(float)
TABLES = st.dictionaries(WORDS, st.dictionaries(WORDS, GRADES, min_size=1, max_size=5), min_size=1)


@pytest.fixture
def write(tmp_path):
    def write(data: bytes | str):
        path = tmp_path / "q.qrels"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


def is_utf8(table) -> bool:
    try:
        str(table).encode()
    except UnicodeEncodeError:
        return False
    return True


@given(table=TABLES.filter(is_utf8))
def test_written_and_read_back(table, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "back.qrels"
    lines = (f"{t} 0 {d} {g!r}\n" for t, docs in table.items() for d, g in docs.items())
    path.write_text("".join(lines), encoding="utf-8", newline="")
    assert read_judgments(path).to_dict() == table == Judgments(table).to_dict()


class TestFiles:
    def test_grades_are_real_and_kept(self, write):
        judgments = read_judgments(write("1 0 a 0.25\n1 0 b -2\n2 x a 3\n2 x é 1e-3\n"))
        assert list(judgments) == [
            ("1", "a", 0.25), ("1", "b", -2.0), ("2", "a", 3.0), ("2", "é", 0.001),
        ]  # fmt: skip
        assert (len(judgments), judgments.topics, judgments.top) == (4, ["1", "2"], 3.0)
        assert repr(judgments) == "Judgments('q': 4 judgments, 2 topics)"
        assert judgments.origin.name.endswith("q.qrels")

    def test_topics_in_order_of_first_appearance(self, write):
        judgments = read_judgments(write("b 0 x 1\na 0 x 1\nb 0 y 1\nc 0 x 1\n"))
        assert judgments.topics == ["b", "a", "c"]

    def test_compressed(self, write):
        assert read_judgments(write(gzip.compress(b"1 0 a 2\n"))).to_dict() == {"1": {"a": 2.0}}

    @pytest.mark.parametrize("data", ["", "\n \n\r\n", "# only\n#comments\n", "\ufeff"])
    def test_no_data(self, write, data):
        message = r"q.qrels: no data: expected lines of 4 columns \(topic iteration doc grade\)$"
        with pytest.raises(AssayError, match=message):
            read_judgments(write(data))

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"\x7fELF\2\1\1" + bytes(9), r"q.qrels:1: a NUL byte: this is binary data; expected"),
            (b"\x93NUMPY\1\0v\0", r"q.qrels:1: a NUL byte: this is binary data"),
            (
                b"\n1 Q0 d 1 2.5 tag\n",
                r"q.qrels:2: .* found 6: .* This looks like a run; judgments",
            ),
            (b"1 0 d 1\n1 0 e\n", r"q.qrels:2: expected 4 columns .* found 3: '1 0 e'. The grades"),
            (b"1 0 d 1\r\n\r\n1 0 e high", r"q.qrels:3: expected a finite number as grade in col"),
        ],
    )
    def test_what_is_no_judgment(self, write, data, message):
        with pytest.raises(AssayError, match=message):
            read_judgments(write(data))

    def test_identical_twice(self, write):
        path = write("# c\n1 0 a 2\n1 0 b 2\n2 0 a 1\n1 9 a 2.0\n1 0 a 2\n1 0 b 2\n")
        message = (
            r"q.qrels:5: document 'a' of topic '1' is judged twice, first on line 2, as 2: "
            r"identical judgments; remove the repeat, or use --lenient \(strict=False\)$"
        )
        with pytest.raises(AssayError, match=message):
            read_judgments(path)
        judgments = read_judgments(path, strict=False)
        assert list(judgments) == [("1", "a", 2.0), ("1", "b", 2.0), ("2", "a", 1.0)]
        shown = f"3 rows with a judgment given before (first: {path}:5)"
        assert str(judgments.dropped) == shown
        (warning,) = evaluate(path, {"1": {"a": 1}, "2": {"a": 1}}, "AP", strict=False).warnings
        assert warning == f"{path}: left out {shown}"

    @pytest.mark.parametrize("strict", [True, False])
    def test_contradicting(self, write, strict):
        path = write("1 0 a 2\n1 0 b 0.1\n1 0 oops\n1 0 b 0.30000000000000004\n"[18 * strict :])
        path = write("1 0 a 2\n" + "1 0 b oops\n" * (not strict) + "1 0 b .1\n1 0 b 0.3\n")
        line = 3 + (not strict)
        message = (
            rf"q.qrels:{line}: document 'b' of topic '1' is judged twice, first on line "
            rf"{line - 1}, as 0.1 and 0.3: contradicting judgments; keep one of the two$"
        )
        with pytest.raises(AssayError, match=message):
            read_judgments(path, strict=strict)

    def test_lenient(self, write):
        path = write(b"1 0 a 2\n1 0\n1 0 b nan\n1 0 c 1 2\n2 0 \xff 1\n2 0 a 0\n")
        judgments = read_judgments(path, strict=False, label="mine")
        assert judgments.to_dict() == {"1": {"a": 2.0}, "2": {"a": 0.0}}
        assert judgments.label == "mine"
        assert sum(judgments.dropped.counts.values()) == 4
        with pytest.raises(AssayError, match=r"no data: .*; left out 1 row with a wrong number"):
            read_judgments(write("nonsense\n"), strict=False)


class TestObjects:
    def test_from_a_dictionary(self):
        given = {1: {"a": 2, 7: np.float32(0.5)}, "2": {}}
        judgments = Judgments(given)
        assert judgments.to_dict() == {"1": {"a": 2.0, "7": 0.5}}
        assert given == {1: {"a": 2, 7: np.float32(0.5)}, "2": {}}

    def test_from_a_frame(self):
        frame = pl.DataFrame({"grade": [2, 1], "note": ["x", "y"], "doc": [5, 6], "topic": [1, 1]})
        before = frame.clone()
        judgments = Judgments(frame)
        assert judgments.to_dict() == {"1": {"5": 2.0, "6": 1.0}}
        assert frame.equals(before)
        assert frame.columns == before.columns

    def test_another_label(self):
        judgments = Judgments({"1": {"a": 1}}, label="one")
        other = judgments.labelled("two")
        assert (judgments.label, other.label, other.to_dict()) == ("one", "two", {"1": {"a": 1.0}})

    def test_frozen(self):
        with pytest.raises(AttributeError):
            Judgments({"1": {"a": 1}}).label = "other"

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (5, ("expected a file name, Judgments, or a dictionary of topic to document to grade; "
             "found int")),
            ({"1": 3}, "topic '1' of judgments: expected .*; found 3"),
            ({"1": {"a": "2"}}, "grade of document 'a' for topic '1': expected a numb.*'2'"),
            ({1.5: {"a": 1}}, "judgments: expected text or a whole number as topic, found 1.5"),
            ({"": {"a": 1}}, "expected text or a whole number as topic, found ''"),
            ({"1": {"": 1}}, "expected text or a whole number as document for topic '1', found ''"),
            ({"1": {None: 1}}, "as document for topic '1', found None"),
            ({"1": {True: 1}}, "as document for topic '1', found True"),
            ({"1": {"a": None}}, "expected a number, found None"),
            ({"1": {"a": float("nan")}}, ("mine: expected a finite number as grade of document 'a' "
             "for topic '1', found nan")),
            ({"1": {"a": -float("inf")}}, "found -inf"),
            ({}, "mine: no judgments"),
            ({"1": {}}, "mine: no judgments"),
            ({1: {"a": 1}, "1": {"a": 1}}, ("^mine: document 'a' of topic '1' is judged twice, as "
             "1: identical")),
            ({1: {"a": 1}, "1": {"a": 0}}, "is judged twice, as 1 and 0: contradicting judgments"),
            (pl.DataFrame({"topic": ["1"], "doc": ["a"]}), ("mine: no column for the grade of "
             "judgments; found 'topic', 'doc'")),
            (pl.DataFrame({"topic": ["1"], "doc": ["a"], "grade": ["high"]}),
             "mine: column 'grade' holds String; expected numbers as grade"),
            (pl.DataFrame({"topic": ["1"], "doc": [None], "grade": [1]}), "mine: row 1: no doc"),
            (pl.DataFrame({"topic": ["1"], "doc": ["a"], "grade": [None]}), "mine: no judgments"),
        ],
    )  # fmt: skip
    def test_what_is_no_judgment(self, data, message):
        with pytest.raises(AssayError, match=message):
            Judgments(data, label="mine")
