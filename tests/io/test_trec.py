"""The rungs of the reader: what each one proves, and that all of them read the same rows."""

from __future__ import annotations

import random
import struct

import pytest

from assay.errors import AssayError
from assay.io import trec
from assay.io.lines import JUDGMENTS, RUN, Dropped, read_lines
from assay.io.locate import Origin, lines_of
from assay.io.stream import Piece

TIDY = b"q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1.5 tag\nq2 Q0 d1 1 -3 tag\n"
ROWS = [("q1", "d1", 2.5), ("q1", "d2", 1.5), ("q2", "d1", -3.0)]


def rows_of(data, form=RUN):
    rows = trec.parse_piece(Piece(data, 1), "f", form)
    return list(zip(rows.topic.to_list(), rows.doc.to_list(), rows.value.tolist(), strict=True))


@pytest.fixture
def by_line(monkeypatch):
    """Counts the calls of the line reader."""
    calls = []

    def counted(*args):
        calls.append(args)
        return read_lines(*args)

    monkeypatch.setattr(trec, "read_lines", counted)
    return calls


@pytest.mark.parametrize(
    "data",
    [
        TIDY,
        TIDY.replace(b" ", b"\t"),
        TIDY.replace(b" tag", b""),
        TIDY.replace(b" tag", b" two words"),
        TIDY.replace(b"\n", b"\r\n"),
        TIDY.replace(b" ", b" \t "),
        TIDY.replace(b" ", b"\x0b"),
        TIDY.replace(b"\n", b" \n"),
        TIDY.replace(b"\n", b"\n\n"),
        TIDY.replace(b"q", b"  q"),
        b"# c o m m ent\n#\n" + TIDY + b"# a b c d e f\n \n",
        b"# a b c d e\n" + TIDY,
    ],
)
def test_every_regular_form_is_read_without_the_line_reader(data, by_line):
    data = data.replace(b"  q", b"q") if data.startswith(b"q") else data
    assert rows_of(data) == ROWS
    assert by_line == []


@pytest.mark.parametrize(
    "data",
    [
        TIDY.replace(b" tag", b"", 1),  # ragged
        TIDY.replace(b"2.5 tag", b"2.5 tag with words"),
        b"\xef\xbb\xbf" + TIDY,  # Polars would swallow the mark
        TIDY.replace(b"tag", b"t\x1f\x1fg"),
    ],
)
def test_what_cannot_be_proved_is_read_line_by_line(data, by_line):
    expected = [(data[: data.find(b" ")].decode(), *ROWS[0][1:]), *ROWS[1:]]
    assert rows_of(data) == expected
    assert len(by_line) == 1


def test_a_short_and_a_long_line_do_not_cancel():
    data = TIDY.replace(b"2 1.5 tag\n", b"2 1.5\n").replace(b"-3 tag", b"-3 tag tag")
    assert rows_of(data) == ROWS
    data = b"q1  Q0 7 2 2.5 t\n"  # to Polars: document Q0, score 2
    assert rows_of(data) == [("q1", "7", 2.5)]


def test_judgments_have_four_columns_and_no_more():
    assert rows_of(b"q 0 d 2\nq\t0\te\t-1.5\n", JUDGMENTS) == [("q", "d", 2.0), ("q", "e", -1.5)]
    with pytest.raises(AssayError, match="f:1: expected 4 columns"):
        rows_of(b"q 0 d 2 1\nq 0 e 1 1\n", JUDGMENTS)


def test_numbers_are_read_as_python_reads_them():
    rng = random.Random(7)
    texts = [repr(struct.unpack("d", rng.randbytes(8))[0]) for _ in range(3000)]
    texts += [f"{rng.uniform(-1, 1):.{rng.randint(1, 25)}g}" for _ in range(3000)]
    texts += [f"{rng.randrange(10**30)}.{rng.randrange(10**30)}" for _ in range(3000)]
    texts += [f"{rng.randrange(10**20)}e{rng.randint(-340, 280)}" for _ in range(3000)]
    texts = [text for text in texts if text not in ("nan", "inf", "-inf")]
    data = "".join(f"q Q0 d {i} {text} t\n" for i, text in enumerate(texts)).encode()
    rows = trec._by_polars(Piece(data, 1), data, RUN)
    assert rows is not None
    assert list(map(repr, rows.value.tolist())) == [repr(float(text)) for text in texts]


@pytest.mark.parametrize("size", [4, 64, 100, 1000, 1 << 20])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("blank", [" ", "\t", "  "])
@pytest.mark.parametrize("whole_topics", [True, False])
def test_rows_know_their_physical_lines(tmp_path, size, end, blank, whole_topics):
    lines = ["# head", *(f"q{i // 4} Q0 d{i} {i} {i}.5 tag" for i in range(30)), "#", ""]
    path = tmp_path / "a.run"
    path.write_bytes(end.join(lines).replace(" ", blank).encode())
    step, found = end.count("\n"), []
    origin = Origin("a", str(path))
    for rows in trec.read_rows(origin, RUN, size=size, whole_topics=whole_topics):
        found += [(doc, rows.line(i)) for i, doc in enumerate(rows.doc)]
    assert found == [(f"d{i}", 1 + step * (i + 1)) for i in range(30)]


def test_errors_name_the_physical_line_of_later_pieces(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(b"#\r\n" + TIDY.replace(b"\n", b"\r\n") * 50 + b"q3 Q0 d1 1\r\n")
    with pytest.raises(AssayError, match=r"a.run:152: expected 6 columns"):
        list(trec.read_rows(Origin("a.run", str(path)), RUN, size=64))


def test_lenient_reading_goes_on(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(TIDY + b"q3 Q0 d1 1\n" + TIDY + b"nonsense\n")
    dropped = Dropped()
    parts = trec.read_rows(Origin("a.run", str(path)), RUN, dropped=dropped, size=64)
    assert sum(map(len, parts)) == 6
    assert str(dropped) == "2 rows with a wrong number of columns (first: a.run:4)"


def test_an_empty_file_has_an_error_of_its_own():
    dropped, origin = Dropped(), Origin("a")
    assert str(trec.no_rows(origin, JUDGMENTS, dropped)) == (
        "a: no data: expected lines of 4 columns (topic iteration doc grade)"
    )
    dropped.add("bad luck", "a:1")
    assert "grade); left out 1 row with bad luck (first: a:1)" in str(
        trec.no_rows(origin, JUDGMENTS, dropped)
    )


def test_lines_of_a_pair(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(
        b"\xef\xbb\xbfq1 Q0 d1 1 3 t\n"  # 1
        b"#q1 Q0 d1 1 3 t\n\n"
        b"q1 Q0 d11 1 3 d1\nq11 Q0 d1 1 3 t\n d1 Q0 q1 1 3 t\n"
        b"q1\tQ0  d1 9 2 t\r\n"  # 7
        b"q1 Q0 d1 1 oops t\n"
        b"q1 d1 d1 1 2 t d1\nq1 Q0 d1 2 7"  # 9, 10
    )
    assert lines_of(str(path), RUN, "q1", "d1") == [1, 7, 9, 10]
    assert lines_of(str(path), RUN, "q1", "d2") == []
    origin = Origin("a.run", str(path))
    assert origin.again(RUN, "q1", "d1") == ("a.run:7", ", first on line 1")
    assert Origin("memory").again(RUN, "q1", "d1") == ("memory", "")
