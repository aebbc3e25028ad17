"""Every command that reads files takes them in any form, with --format and --columns."""

from __future__ import annotations

import json

import pytest

from assay.simulation import simulate
from shell import assay

COLUMNS = (
    *("--columns", "judgments:topic=1,doc=2,grade=3"),
    *("--columns", "runs:topic=2,doc=3,score=1"),
)
Q, ONE, TWO, OTHER = "{q}", "{one}", "{two}", "{other}"
COMMANDS = [
    ("eval", Q, ONE, TWO, "-m", "AP", "-o", "tsv"),
    ("curves", Q, ONE, TWO, "-m", "CG@5", "-o", "tsv"),
    ("compare", Q, ONE, TWO, "-m", "AP", "-o", "csv"),
    ("gate", Q, ONE, TWO, "-m", "AP", "--max-drop", "0.5", "-o", "json"),
    ("power", Q, ONE, TWO, "-m", "AP", "-o", "json"),
    ("explain", Q, ONE, "t12", "-m", "AP"),
    ("describe", Q, ONE, TWO, "-o", "json"),
    ("judges", "compare", Q, OTHER, "--runs", ONE, TWO, "-m", "AP", "-o", "csv"),
    ("judges", "simulate", Q, OTHER, "--runs", ONE, TWO, "-m", "AP", "--judges", "3", "-o", "csv"),
    ("judges", "estimate", "--human", Q, "--cheap", OTHER, ONE, TWO, "-m", "AP", "-o", "csv"),
    ("study", "measures", Q, ONE, TWO, "-m", "AP", "-m", "RR", "-o", "csv"),
    ("study", "gains", Q, ONE, TWO, "-m", "nDCG@5", "-o", "csv"),
    ("study", "pool", Q, ONE, TWO, "-m", "AP", "-o", "csv"),
    ("study", "robust", Q, ONE, TWO, "-m", "AP", "--draws", "100", "-o", "csv"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The same files in TREC form, and as columns without a head."""
    folder = tmp_path_factory.mktemp("forms") / "made"
    simulate(topics=12, docs=120, runs=2, depth=20, seed=3).write(folder)
    lines = [line.split() for line in (folder / "qrels.txt").read_text().splitlines()]
    less = [(*line[:3], str(min(1, int(line[3])))) for line in lines]
    (folder / "other.txt").write_text("".join(" ".join(line) + "\n" for line in less))
    for name, rows in (("qrels", lines), ("other", less)):
        text = "".join(f"{topic};{doc};{grade}\n" for topic, _, doc, grade in rows)
        (folder / f"{name}.odd").write_text(text)
    for name in ("solid", "rounded"):
        rows = [line.split() for line in (folder / f"{name}.run").read_text().splitlines()]
        text = "".join(f"{row[4]}|{row[0]}|{row[2]}\n" for row in rows)
        (folder / f"{name}.odd").write_text(text)
    return folder


def told(words, folder, suffixes):
    """The command with the files of one form; each has the label that its name gives."""
    names = {"q": "qrels", "one": "solid", "two": "rounded", "other": "other"}
    suffix = {key: suffixes[key in ("one", "two")] for key in names}
    files = {key: f"{name}={folder / name}.{suffix[key]}" for key, name in names.items()}
    return [word.format(**files) for word in words]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_columns_that_are_named(words, made):
    expected = assay(*told(words, made, ("txt", "run")))
    assert expected.exit_code in (0, 1), expected.stderr
    found = assay(*told(words, made, ("odd", "odd")), *COLUMNS)
    assert found.stderr == expected.stderr
    assert found.exit_code == expected.exit_code
    if words[0] == "describe":
        assert json.loads(found.stdout)["runs"] == json.loads(expected.stdout)["runs"]
    else:
        assert found.stdout == expected.stdout


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_the_remedy_that_the_error_names_is_there(words, made):
    found = assay(*told(words, made, ("odd", "odd")))
    assert found.exit_code == 2
    assert "--columns topic=NAME" in found.stderr
