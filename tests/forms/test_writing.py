"""Write, then read: the same; whole files or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay import AssayError, Judgments, Run, read_judgments, read_run, write_judgments, write_run

IDS = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=4
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
DATA = st.dictionaries(
    IDS, st.dictionaries(IDS, NUMBERS, min_size=1, max_size=4), min_size=1, max_size=3
)
FORMS = (
    "csv",
    "tsv",
    "jsonl",
    "json",
    "parquet",
    "arrow",
    "trec",
    "csv.gz",
    "trec.xz",
    "jsonl.zst",
)


@pytest.mark.parametrize("form", FORMS)
def test_identity(form, tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / f"x.{form}"

    @given(DATA)
    def check(data):
        for kind, write, read in (
            (Run, write_run, read_run),
            (Judgments, write_judgments, read_judgments),
        ):
            made = kind(data)
            try:
                write(made, path)
            except AssayError as error:
                assert form.startswith("trec"), error  # noqa: PT017 - it may
                assert "white space" in str(error) or "'#'" in str(error), error  # noqa: PT017
                return
            back = read(path)
            assert back.frame.equals(made.frame)

    check()


PLAIN = st.text("abcdefg", min_size=1, max_size=3)


@given(st.dictionaries(PLAIN, st.dictionaries(PLAIN, st.integers(0, 5), min_size=1), min_size=1))
def test_levels(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "levels"
    write_judgments(data, path, format="ntcir")
    assert read_judgments(path, format="ntcir").frame.equals(Judgments(data).frame)
    write_judgments({"x": Judgments(data), "y": Judgments(data)}, path)
    back = assay.read_judgment_sets(path, format="judge_groups")
    assert list(back) == ["x", "y"]
    assert back["y"].frame.equals(Judgments(data).frame)


@given(st.dictionaries(PLAIN, st.dictionaries(PLAIN, NUMBERS, min_size=1), min_size=1))
def test_ranks_of_trec(tmp_path_factory, data):
    """The rank column counts 1, 2, ... in the order that the tie rule gives."""
    path = tmp_path_factory.getbasetemp() / "ranks"
    write_run(data, path)
    rows = [line.split() for line in path.read_text().splitlines()]
    for topic, docs in data.items():
        order = sorted(docs, key=lambda doc: (docs[doc], doc), reverse=True)
        ranks = {row[2]: int(row[3]) for row in rows if row[0] == topic}
        assert ranks == {doc: i for i, doc in enumerate(order, 1)}


def test_several_runs_need_a_form_with_room(tmp_path):
    both = {"x": Run({"1": {"a": 1}}), "y": Run({"1": {"b": 1}})}
    with pytest.raises(AssayError, match="trec holds one run only; use csv"):
        write_run(both, tmp_path / "both.run")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda at: write_run({"1": {"a b": 1}}, at / "x.run"), "'a b' holds white space"),
        (lambda at: write_run({"#1": {"a": 1}}, at / "x.run"), "begins with '#'"),
        (
            lambda at: write_run({"1": {"a": 1}}, at / "x.letor", format="letor"),
            "cannot be written",
        ),
        (
            lambda at: write_run({"1": {"a": 1}}, at / "x", format="ntcir"),
            "must be one of 'trec', 'marco'",
        ),
        (lambda at: write_run({"1": {"a": 1}}, at / "x.parquet.gz"), "leave out .gz"),
        (lambda at: write_run({"1": {"a": 1}}, at / "no" / "x.run"), "no folder"),
        (
            lambda at: write_judgments({"1": {"a": 0.5}}, at / "x", format="ntcir"),
            "whole numbers from 0",
        ),
        (
            lambda at: write_judgments(Run({"1": {"a": 1}}), at / "x"),
            "stands where judgments are expected",
        ),
    ],
)
def test_refused(write, message, tmp_path):
    with pytest.raises(AssayError, match=message):
        write(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_file_is_kept_when_writing_fails(tmp_path, monkeypatch):
    from assay.io import write as module

    path = tmp_path / "x.csv"
    write_run({"1": {"a": 1}}, path)
    before = path.read_bytes()

    def half(content, file):
        file.write(b"half")
        raise OSError(28, "no space")

    monkeypatch.setitem(module.WRITABLE, "csv", (module.WRITABLE["csv"][0], half))
    with pytest.raises(AssayError, match=r"x\.csv: cannot be written: no space"):
        write_run({"1": {"a": 2}}, path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]
