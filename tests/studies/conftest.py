"""A small collection, in memory and as files, and the two large ones where they are there."""

from __future__ import annotations

import pytest

from judges.conftest import collection


@pytest.fixture
def small():
    """Judgments and runs of six topics and five runs."""
    given, runs = collection()
    return given["judge0"], runs


@pytest.fixture
def files(tmp_path, monkeypatch, small):
    """The same as q.txt and run0.run to run4.run in the current folder."""
    monkeypatch.chdir(tmp_path)
    judgments, runs = small
    lines = [f"{t} 0 {d} {g}\n" for t, docs in judgments.items() for d, g in docs.items()]
    (tmp_path / "q.txt").write_text("".join(lines))
    for label, topics in runs.items():
        lines = [f"{t} Q0 {d} 1 {s} x\n" for t, docs in topics.items() for d, s in docs.items()]
        (tmp_path / f"{label}.run").write_text("".join(lines))
    return tmp_path


@pytest.fixture(scope="session")
def large(shared):
    """All of trec-covid-r3 and of dl21: judgments and runs."""
    covid, dl21 = shared / "trec-covid-r3", shared / "dl21"
    return {
        "trec-covid-r3": (
            str(covid / "qrels.covid-round3.txt"),
            [str(path) for path in sorted((covid / "runs.top100").iterdir())],
        ),
        "dl21": (
            str(dl21 / "qrels" / "qrels.dl21-passage.txt"),
            [str(path) for path in sorted((dl21 / "runs.judged").iterdir())],
        ),
    }
