"""A last line that alone lacks its tag: the file was cut short."""

from __future__ import annotations

import pytest

from assay import AssayWarning, evaluate, read_run
from assay.io.lines import RUN
from assay.io.locate import Origin
from assay.io.tag import TagWatch
from assay.io.trec import read_rows

LINES = [f"q{i // 2} Q0 d{i} {i} {9.25 - i} my tag" for i in range(8)]
JUDGMENTS = {f"q{i}": {f"d{2 * i}": 1} for i in range(4)}


def watch(path, size=1 << 20):
    tags = TagWatch()
    for rows in read_rows(Origin("a.run", str(path)), RUN, size=size, whole_topics=True):
        tags.see(rows.piece)
    return tags


@pytest.mark.parametrize("size", [4, 64, 1 << 20])
@pytest.mark.parametrize("end", ["", "\n", "\r\n\n# comment\n\n"])
@pytest.mark.parametrize("cut", [" my tag", "5 my tag", "25 my tag", ".25 my tag"])
def test_a_line_cut_in_its_score_or_after_it(tmp_path, size, end, cut):
    path = tmp_path / "a.run"
    path.write_bytes("\n".join([*LINES, LINES[0].removesuffix(cut)]).encode() + end.encode())
    tags = watch(path, size)
    assert tags.tag == ""
    assert tags.warning("a.run") == (
        "a.run:9: the last line alone lacks its tag: was the file cut short? "
        "Its score may be incomplete"
    )


@pytest.mark.parametrize("size", [4, 64, 1 << 20])
@pytest.mark.parametrize(
    "lines",
    [
        LINES,
        [line.removesuffix(" my tag") for line in LINES],  # none has a tag
        [line.removesuffix(" my tag" * (i % 3 == 0)) for i, line in enumerate(LINES)],
        [LINES[0].removesuffix(" my tag")],  # nothing to compare it with
        [],
    ],
)
def test_other_files_do_not_warn(tmp_path, size, lines):
    path = tmp_path / "a.run"
    path.write_bytes("\n".join(lines).encode())
    assert watch(path, size).warning("a.run") is None


def test_the_tag_is_that_of_the_last_line(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes("\n".join([*LINES, "q9 Q0 d 1 1 Über mich "]).encode() + b"\n \n#\n")
    assert read_run(path).tag == "Über mich"
    path.write_bytes(b"q9 Q0 d 1 1\n")
    assert read_run(path).tag == ""


def test_long_lines(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(b"q Q0 d 1 2 t\n" + b"q Q0 " + b"x" * 10_000 + b" 1 2")
    assert watch(path).warning("f").startswith("f:2: the last line alone")


def test_readers_pass_the_warning_on(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("\n".join(LINES).removesuffix(" my tag"))
    with pytest.warns(AssayWarning, match="a.run:8: the last line alone lacks its tag"):
        run = read_run(path)
    assert len(run) == 8
    (warning,) = evaluate(JUDGMENTS, path, "AP").warnings
    assert warning.startswith(f"{path}:8: the last line alone lacks its tag")
