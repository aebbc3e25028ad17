"""Damaged files: whatever the bytes, every rung reads what the line reader reads, or its error."""

from __future__ import annotations

import random

import pytest

from assay import AssayError, evaluate
from assay.io import trec
from assay.io.lines import JUDGMENTS, RUN, Dropped, read_lines
from assay.io.stream import BOM, Piece

NEW_LINES = ("\n", "\n", "\n", "\r\n", "\r\n", "\n\n", " \n")
BLANKS = (" ", " ", "\t", "\t", "  ", " \t ", "\x0b", "\x0c")
IDS = (
    "d1",
    "d2",
    "doc-0000000000001",
    "ärger",
    "文書7",
    "d#3",
    '"q"',
    "1",
    "1e5",
    "GX000-00",
    "🦆",
)
NUMBERS = ("1", "0", "-1", "2.5", "+3", ".5", "7.", "1e-3", "2E+4", "-0.0", "17.123456789012345")
PARTS = (
    b" ", b"\t", b"\n", b"\r", b"\r\n", b"\x0b", b"\x0c", b"\0", b"#", b"\n#", b'"', b"'", b",",
    b"\xef\xbb\xbf", b"\n\xef\xbb\xbf", b"\xff", b"\xc3", b"\xa0", b"\xc2\xa0", b"\xe2\x80\xa8",
    b"\xc2\x85", b"\x1c", b"\x1f", b"\x7f", b"\x08", b"1_000", b"nan", b"inf", b"-Infinity",
    b"1e400", b"1e-400", b"\xd9\xa3", b"\xef\xbc\x91", b"0x1p3", b"1d5", b"--1", b"+-1", b"e5",
    b"1e", b".", b"-", b"+", b"true", b"null", b"NA", b"None", b"1,5", b"\\", b"\\n", b"x" * 300,
    b"9" * 400, b"0." + b"0" * 400 + b"1", b"\xed\xa0\x80", b"q1 0 d9 1\n", b"q1 Q0 d9 1 2.5 t\n",
)  # fmt: skip


def valid_file(rng: random.Random, form: trec.Form) -> bytes:
    """A file that is as it should be, tidy or not."""
    tidy = rng.random() < 0.5
    blank, end = rng.choice(BLANKS), rng.choice(NEW_LINES)
    width = rng.choice((5, 6, 6, 6, 7)) if form is trec.RUN else 4
    lines = []
    for i in range(rng.randint(1, 8)):
        fields = [f"q{rng.randint(1, 3)}", "Q0", rng.choice(IDS) + str(i), str(i), "", "tag", "x"]
        fields[form.value] = rng.choice(NUMBERS)
        lines.append("".join(f + (blank if tidy else rng.choice(BLANKS)) for f in fields[:width]))
        lines[-1] = lines[-1].rstrip() if tidy or rng.random() < 0.7 else lines[-1]
    if rng.random() < 0.2:
        lines.insert(
            rng.randrange(len(lines)), rng.choice(("# a comment here with six words", "#", ""))
        )
    return end.join([*lines, "" if rng.random() < 0.9 else lines[0]]).encode()


def mutated(rng: random.Random, data: bytes) -> bytes:
    """One small damage, or a change of lines that keeps counts as they are."""
    at, kind = rng.randint(0, len(data)), rng.randrange(8)
    if kind == 0:
        return data[:at] + data[at + rng.randint(1, 4) :]
    if kind <= 3:
        return data[:at] + rng.choice(PARTS) + data[at:]
    if kind == 4:
        return data[:at] + data[rng.randint(0, at) : at] + data[at:]
    if kind == 5:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    if kind == 6:  # a field leaves one line and joins another: the total of fields stays
        fields, others = lines[i].split(b" "), lines[j].split(b" ")
        moved = fields.pop(rng.randrange(len(fields)))
        others.insert(rng.randint(0, len(others)), moved)
        if i != j:
            lines[i], lines[j] = b" ".join(fields), b" ".join(others)
    else:  # fields change places, or take a part's
        fields = lines[i].split()
        for _ in range(2 if fields else 0):
            fields[rng.randrange(len(fields))] = rng.choice([*fields, *PARTS])
        rng.shuffle(fields)
        lines[i] = rng.choice((b" ", b"\t")).join(fields)
    return b"\n".join(lines)


def damaged_file(seed: int) -> tuple[trec.Form, bytes]:
    rng = random.Random(seed)
    form = rng.choice((RUN, JUDGMENTS))
    data = valid_file(rng, form)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        data = mutated(rng, data)
    if rng.random() < 0.02:
        data = BOM + data
    return form, data if data.endswith(b"\n") else data + b"\n"


def by_lines(data, form, dropped=None):
    try:
        return list(zip(*read_lines(data, 1, "f", form, dropped), strict=True))
    except AssayError as error:
        return str(error)


def by_rungs(data, form, dropped=None):
    try:
        rows = trec.parse_piece(Piece(data, 1), "f", form, dropped)
    except AssayError as error:
        return str(error)
    return as_rows(rows)


def as_rows(rows):
    lines = [rows.line(i) for i in range(len(rows))]
    return list(
        zip(rows.topic.to_list(), rows.doc.to_list(), rows.value.tolist(), lines, strict=True)
    )


def check(seed: int) -> str:
    """Compare the rungs on one file; which rung answered."""
    form, data = damaged_file(seed)
    expected = by_lines(data, form)
    rungs = by_rungs(data, form)
    assert repr(rungs) == repr(expected), (seed, data)  # repr tells -0.0 from 0.0
    lenient, counted = Dropped(), Dropped()
    assert repr(by_rungs(data, form, lenient)) == repr(by_lines(data, form, counted)), (seed, data)
    assert lenient == counted
    if isinstance(expected, str):
        return "error"
    squeezed = trec.squeezed(data)
    if trec.is_text(data) and squeezed is not None:
        rows = trec._by_polars(Piece(data, 1), squeezed, form)
        if rows is not None:
            assert repr(as_rows(rows)) == repr(expected), (seed, data)
            return "polars"
    return "lines"


def outcome(judgments, run):
    """All numbers that come of evaluating the files, or the error."""
    try:
        scores = evaluate(judgments, run, ["nDCG", "AP", "P@3"])
    except AssayError as error:
        return str(error)
    return repr((scores.values.tolist(), scores.judged.tolist(), scores.notes, scores.warnings))


def check_numbers(seeds: range, tmp_path, monkeypatch) -> None:
    """No damaged file gives another number on another rung."""
    answers = []
    for seed in seeds:
        form, data = damaged_file(seed)
        path = tmp_path / "damaged"
        path.write_bytes(data)
        judgments = {"q1": {f"{doc}{i}": i % 3 for doc in IDS for i in range(8)}, "q2": {"d10": 1}}
        given = (judgments, path) if form is RUN else (path, {"q1": {"d11": 2.0, "1e50": 1.0}})
        with monkeypatch.context() as patch:
            answers.append(outcome(*given))
            patch.setattr(trec, "is_text", lambda data: False)  # now the line reader reads all
            assert outcome(*given) == answers[-1], (seed, data)
    assert sum(answer.startswith("(") for answer in answers) > len(seeds) // 3


def check_many(seeds: range) -> None:
    answers = [check(seed) for seed in seeds]
    for answer in ("error", "polars", "lines"):  # the files reach every rung
        assert answers.count(answer) > len(seeds) // 40, answer


def test_rungs_agree_on_damaged_files():
    check_many(range(5_000))


@pytest.mark.proof
def test_rungs_agree_on_100_000_damaged_files():
    check_many(range(5_000, 105_000))


def test_numbers_agree_on_damaged_files(tmp_path, monkeypatch):
    check_numbers(range(300), tmp_path, monkeypatch)


@pytest.mark.proof
def test_numbers_agree_on_5_000_damaged_files(tmp_path, monkeypatch):
    check_numbers(range(300, 5_300), tmp_path, monkeypatch)
