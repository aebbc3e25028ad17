"""Standard input and pipes are read like files: twice if need be, under a name people know."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from assay import AssayError, evaluate, read_judgments, read_run
from assay.io.spool import readable

RUN = b"q1 Q0 d1 1 2.5 t\nq2 Q0 d1 1 2.5 t\nq1 Q0 d2 1 1.5 t\n"
JUDGMENTS = {"q1": {"d2": 1}, "q2": {"d1": 1}}


@pytest.fixture
def stdin(monkeypatch):
    def feed(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return feed


@pytest.fixture
def pipe(tmp_path):
    """A named pipe that gives its bytes once."""
    threads = []

    def make(data: bytes):
        path = tmp_path / f"pipe{len(threads)}.run"
        os.mkfifo(path)
        threads.append(threading.Thread(target=path.write_bytes, args=(data,), daemon=True))
        threads[-1].start()
        return path

    yield make
    for thread in threads:
        thread.join(5)


def test_a_file_stays_where_it_is(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"")
    with readable(path) as origin:
        assert (origin.name, origin.path) == (str(path), str(path))


def test_standard_input_is_kept_for_the_time_being(stdin):
    stdin(RUN)
    with readable("-") as origin:
        assert origin.name == "standard input"
        assert Path(origin.path).read_bytes() == RUN
    assert not Path(origin.path).exists()


def test_a_run_from_standard_input(stdin):
    """Its topics are scattered: it must be read twice."""
    stdin(RUN)
    scores = evaluate(JUDGMENTS, "-", "RR")
    assert scores.runs == ("stdin",)
    assert scores.values.tolist() == [[[[0.5, 1.0]]]]
    stdin(RUN)
    assert read_run("-").topics == ["q1", "q2"]


def test_judgments_from_standard_input(stdin):
    stdin(b"q1 0 d1 2\n")
    judgments = read_judgments("-")
    assert (judgments.label, judgments.to_dict()) == ("stdin", {"q1": {"d1": 2.0}})
    stdin(b"q1 0 d2 1\nq2 0 d1 1\n")
    assert evaluate("-", {"q1": {"d2": 1}, "q2": {"d1": 1}}, "RR").values.tolist() == [[[[1, 1]]]]


def test_a_pipe_is_read_twice(pipe):
    assert evaluate(JUDGMENTS, pipe(RUN), "RR").values.tolist() == [[[[0.5, 1.0]]]]


def test_two_pipes(pipe):
    scores = evaluate(JUDGMENTS, [pipe(RUN), pipe(RUN.replace(b"1.5", b"9"))], "RR")
    assert scores.values.tolist() == [[[[0.5, 1.0]], [[1.0, 1.0]]]]


@pytest.mark.parametrize("twice", [RUN + RUN, RUN[:17] + RUN, RUN[:17] + b"#\n" + RUN[:17]])
def test_errors_name_standard_input_and_its_lines(stdin, twice):
    lines = [i for i, line in enumerate(twice.splitlines(), 1) if line == RUN[:16]]
    where = f"^standard input:{lines[1]}: document 'd1' of topic 'q1' stands twice in the list, "
    where += f"first on line {lines[0]}; keep one"
    for read in (read_run, lambda path: evaluate(JUDGMENTS, path, "RR")):
        stdin(twice)
        with pytest.raises(AssayError, match=where):
            read("-")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "^standard input: no data: expected lines of 6 columns"),
        (b"q1 Q0 d1\n", "^standard input:1: expected 6 columns"),
        (b"\xff\xfeq", "^standard input: UTF-16"),
        (b"\x1f\x8b\x08 nonsense", "^standard input: the compressed data is damaged"),
    ],
)
def test_no_error_names_the_copy(stdin, data, message):
    for read in (read_run, lambda path: evaluate(JUDGMENTS, path, "RR")):
        stdin(data)
        with pytest.raises(AssayError, match=message):
            read("-")


def test_judgments_judged_twice_on_standard_input(stdin):
    stdin(b"q1 0 d1 2\nq1 0 d2 2\nq1 0 d1 1\n")
    with pytest.raises(
        AssayError, match=r"^standard input:3: .* first on line 1, as 2 and 1: contr"
    ):
        read_judgments("-")


def test_standard_input_can_be_read_only_once(stdin):
    stdin(RUN)
    for judgments, runs in (("-", "-"), (JUDGMENTS, {"a": "-", "b": "-"})):
        with pytest.raises(AssayError, match="'-' stands for standard input, which can be read on"):
            evaluate(judgments, runs, "RR")


def test_no_room(stdin, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    stdin(RUN)
    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(AssayError, match=r"^standard input: cannot be copied to .*: No space left"):
        read_run("-")


def test_a_device_that_gives_nothing():
    with pytest.raises(AssayError, match=r"^/dev/null: no data"):
        read_run("/dev/null")
