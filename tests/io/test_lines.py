"""The line reader: what it takes, and the words of every error."""

from __future__ import annotations

import re

import pytest

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, RUN, Dropped, read_lines


def read(line: bytes, form=RUN, dropped=None):
    """Read a line that stands seventh in a file."""
    return read_lines(b"# comment\n\n" + line + b"\n", 5, "bad.run", form, dropped)


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (b"q1 Q0 d1 1 2.5 tag", ("q1", "d1", 2.5)),
        (b"q1\tQ0\td1\t1\t2.5\ttag", ("q1", "d1", 2.5)),
        (b"  q1 \t Q0  d1 1\x0b2.5\x0ctag \r", ("q1", "d1", 2.5)),
        (b"q1 Q0 d1 1 2.5", ("q1", "d1", 2.5)),
        (b"q1 Q0 d1 1 2.5 a tag of words", ("q1", "d1", 2.5)),
        (b"q1 Q0 d1 first -1e-3 tag", ("q1", "d1", -0.001)),
        ('ö Q0 "d,1" 1 +.5 tag'.encode(), ("ö", '"d,1"', 0.5)),
        (b"1 Q0 #d 1 7. tag", ("1", "#d", 7.0)),
        (b" # Q0 d 1 7 tag", ("#", "d", 7.0)),
        ("q1 Q0 d\u00a01\u2003 1 7 tag".encode(), ("q1", "d\u00a01\u2003", 7.0)),
    ],
)
def test_a_line_of_a_run(line, row):
    assert read(line) == ([row[0]], [row[1]], [row[2]], [7])


@pytest.mark.parametrize(
    ("line", "grade"),
    [(b"q 0 d 2", 2.0), (b"q 0 d -1", -1.0), (b"q 0 d 0.25", 0.25), (b"q\titer\td\t1e0\r", 1.0)],
)
def test_grades_are_real_numbers(line, grade):
    assert read(line, JUDGMENTS) == (["q"], ["d"], [grade], [7])


@pytest.mark.parametrize("line", [b"", b" \t ", b"\r", b"#", b"#q1 Q0 d1 1 2.5 tag"])
def test_blank_lines_and_comments_hold_no_data(line):
    assert read(line) == ([], [], [], [])


RUN_COLUMNS = "6 columns (topic Q0 doc rank score tag)"
JUDGMENT_COLUMNS = "4 columns (topic iteration doc grade)"


@pytest.mark.parametrize(
    ("form", "line", "message"),
    [
        (RUN, b"q1 Q0 d2 2", (f"expected {RUN_COLUMNS}, found 4: 'q1 Q0 d2 2'. This looks like judg"
         "ments; judgments come first, then runs")),
        (RUN, b"q1 Q0 d2", (f"expected {RUN_COLUMNS}, found 3: 'q1 Q0 d2'. Correct the line, or "
         "leave such lines out with --lenient (strict=False)")),
        (RUN, b"q1,Q0,d2,1,2.5,t", (f"expected {RUN_COLUMNS}, found 1: 'q1,Q0,d2,1,2.5,t'. "
         "This looks like comma-separated values; put blanks or tabs there")),
        (RUN, b"\x01" + b"x" * 100, f"expected {RUN_COLUMNS}, found 1: '\\x01{'x' * 76}...'"),
        (JUDGMENTS, b"q1 Q0 d1 1 2.5 tag", (f"expected {JUDGMENT_COLUMNS}, found 6: 'q1 Q0 d1 1 2.5"
         " tag'. This looks like a run; judgments come first, then runs")),
        (JUDGMENTS, b"q1 Q0 d1 1 2.5", "This looks like a run; judgments come first, then runs"),
        (JUDGMENTS, b"q1 0 d1", (f"expected {JUDGMENT_COLUMNS}, found 3: 'q1 0 d1'. The grades are "
         "missing: is this a list of pairs still to be judged?")),
        (JUDGMENTS, b"q1 0 d1 1 extra", "found 5: 'q1 0 d1 1 extra'. Correct the line"),
        (RUN, b"q1 Q0 d1 1 high tag", ("expected a finite number as score in column 5, found 'high'"
         f". Is a column missing? Expected are {RUN_COLUMNS}")),
        (RUN, b"q1 d1 1 2.5 tag", ("expected a finite number as score in column 5, found 'tag'. Is "
         f"a column missing? Expected are {RUN_COLUMNS}")),
        (RUN, b"q1 Q0 d1 x high tag", "a finite number as score in column 5, found 'high'"),
        (RUN, b"q1 Q0 d1 1 nan tag", "expected a finite number as score in column 5, found 'nan'"),
        (RUN, b"q1 Q0 d1 1 -Infinity t", "a finite number as score in column 5, found '-Infinity'"),
        (RUN, b"q1 Q0 d1 1 1e400 t", "the score '1e400' is beyond the largest float, 1.8e308"),
        (JUDGMENTS, b"q1 0 d1 1_000", "a finite number as grade in column 4, found '1_000'"),
        (JUDGMENTS, "q1 0 d1 ٣".encode(), "a finite number as grade in column 4, found '٣'"),
        (JUDGMENTS, b"q1 0 d1 0x1", "expected a finite number as grade in column 4, found '0x1'"),
        (JUDGMENTS, b"q1 0 d\xe91 1", ("byte 0xe9 is not valid UTF-8; expected UTF-8 text. If the "
         "file is Latin-1, convert it: iconv -f LATIN1 -t UTF-8")),
        (RUN, b"q1 Q0 d1 1 2.5 t\xff", "byte 0xff is not valid UTF-8"),
        (RUN, b"q1 Q0 d\0 1 2.5 tag", "a NUL byte: this is binary data; expected text, 6 col"),
        (RUN, b"q1 Q0 d1 1 2.5 tag\rq1 Q0 d2 2 1.5 tag", ("a carriage return inside the line; "
         "expected lines ended by LF or CRLF. Convert old Mac line ends: tr '\\r' '\\n'")),
    ],
)  # fmt: skip
def test_every_message_says_where_expected_found_and_what_to_do(form, line, message):
    with pytest.raises(AssayError, match=re.escape("bad.run:7: ") + ".*" + re.escape(message)):
        read(line, form)


def test_a_binary_file_is_called_binary():
    with pytest.raises(AssayError, match=r"bad.run:6: a NUL byte: this is binary data"):
        read_lines(b"\x89PNG\r\n\x1a\0\0", 5, "bad.run", RUN, None)


def test_lenient_reading_counts_what_it_leaves_out_and_shows_the_first():
    data = (
        b"q1 Q0 d1 1 2.5 tag\nq1 Q0 d2\n\nq1 Q0 d3 2 nan tag\nq1 Q0 d4 3 inf t\nq1 Q0 d5\n"
        b"q1 Q0 d6 x y z\nq1 Q0 d\0 1 1 t\nq1 Q0 d\xff 1 1 t\n"
        b"q1 Q0 d7 1 1e999 t\na\rb\nq2 0 d 1 1\n"
    )
    dropped = Dropped()
    assert read_lines(data, 1, "a.run", RUN, dropped) == (
        ["q1", "q2"], ["d1", "d"], [2.5, 1.0], [1, 12],
    )  # fmt: skip
    assert str(dropped) == (
        "1 row with NaN as score (first: a.run:4); "
        "1 row with a carriage return inside (first: a.run:11); "
        "2 rows with a wrong number of columns (first: a.run:2); "
        "2 rows with an infinite score (first: a.run:5); "
        "1 row with binary data (first: a.run:8); "
        "1 row with invalid UTF-8 (first: a.run:9); "
        "1 row with no number as score (first: a.run:7)"
    )


def test_counts_add_up():
    one, other = Dropped(), Dropped()
    one.add("b", "f:2", 3)
    one.add("a", "f:9", 0)
    other.add("b", "g:1")
    other.add("a", "g:7")
    one.update(other)
    assert str(one) == "1 row with a (first: g:7); 4 rows with b (first: f:2)"
    assert one
    assert not Dropped()
