"""Files that Spark reads: TREC text held to every rule, Parquet, CSV, JSON."""

from __future__ import annotations

import gzip

import polars as pl
import pytest

import assay

pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n"
RUN = "q1 Q0 d1 1 3.5 t\nq1 Q0 d3 2 3.5 t\nq2\tQ0 d2 1 1e0 t\n# a comment\n\nq2 Q0  d1 2 .5 t\r\n"


def found(session, judgments, runs, *, strict=True, **given):
    from assay.io.lines import JUDGMENTS, RUN
    from assay.measures.measure import parse_all
    from assay.policy import Policy
    from assay.spark.evaluation import outcome
    from assay.spark.sources import read_side

    sides = [
        read_side(session, {p.name: str(p) for p in paths}, kind, strict=strict, **given)
        for kind, paths in ((JUDGMENTS, [judgments]), (RUN, runs))
    ]
    return outcome(*sides, parse_all(["AP", "RR"]), Policy(), per_topic=False, strict=strict)


@pytest.fixture
def files(tmp_path):
    (tmp_path / "q.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run.gz").write_bytes(gzip.compress(RUN.replace("d3", "d4").encode()))
    return tmp_path


def test_lines_of_text(session, files):
    runs = [files / "a.run", files / "b.run.gz"]
    means = found(session, files / "q.txt", runs)
    local = assay.evaluate(files / "q.txt", runs, ["AP", "RR"])
    values = [mean.value for mean in means.means.values()]
    assert values == pytest.approx(local.mean()["value"].to_list(), rel=1e-12)
    assert means.runs == ("a.run", "b.run.gz")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1 Q0 d2 2", r"a\.run: expected 6 columns .*, found 4: 'q1 Q0 d2 2'"),
        ("q1 Q0 d2 2 high t", r"expected a finite number as score in column 5, found 'high'.*line"),
        ("q1 Q0 d2 2 nan t", r"found 'nan'. The line is 'q1 Q0 d2 2 nan t'"),
        ("q1 Q0 d2 2 1_0 t", r"expected a finite number as score in column 5, found '1_0'"),
        ("q1 Q0 d\udcff 2 1.0 t", r"byte 0xff is not valid UTF-8"),
        ("q1 Q0 d2 2\r1.0 t", r"a carriage return inside the line"),
    ],
)
def test_a_bad_line_is_quoted(session, files, line, message):
    text = RUN + line + "\n"
    (files / "a.run").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(assay.AssayError, match=message):
        found(session, files / "q.txt", [files / "a.run"])


def test_lenient_counts_bad_lines(session, files):
    (files / "a.run").write_text(RUN + "q1 Q0 d2 2\nq1 Q0 d7 1 x t\nq1 Q0 d8 y\n")
    means = found(session, files / "q.txt", [files / "a.run"], strict=False)
    (warned,) = (text for text in means.warnings if "left out" in text)
    assert "2 rows with a wrong number of columns" in warned
    assert "1 row with no number as score" in warned
    assert means.average("a.run", means.measures[0]).value == pytest.approx(0.5)


def test_tables(session, files):
    rows = pl.DataFrame(
        {"qid": ["q1", "q1"], "docno": ["d3", "d1"], "score": [2.0, 1.0], "run": ["x", "y"]}
    )
    rows.write_parquet(files / "r.parquet")
    rows.write_csv(files / "r.csv")
    rows.write_ndjson(files / "r.jsonl")
    for name in ("r.parquet", "r.csv", "r.jsonl"):
        means = found(session, files / "q.txt", [files / name])
        assert means.runs == ("x", "y")
        assert means.average("y", means.measures[1]).value == 0.5


def test_a_number_in_csv_that_is_none(session, files):
    (files / "r.csv").write_text("topic,doc,score\nq1,d1,1.5\nq1,d2,1_0\n")
    with pytest.raises(assay.AssayError, match=r"r\.csv: .*'d2': expected a finite number"):
        found(session, files / "q.txt", [files / "r.csv"])


def test_a_file_that_is_not_there_or_empty(session, files):
    with pytest.raises(assay.AssayError, match=r"nothing\.run: no such file"):
        found(session, files / "q.txt", [files / "nothing.run"])
    (files / "empty.run").write_text("")
    with pytest.raises(assay.AssayError, match=r"empty\.run: no data: expected rows of a run"):
        found(session, files / "q.txt", [files / "empty.run"])
