"""Bad data is said in words, or left out and counted; one topic may be most of a run."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import assay

pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

JUDGMENTS = [("q1", "d1", 1.0), ("q1", "d2", 0.0), ("q2", "d1", 2.0)]
RUN = [("q1", "d1", 3.0), ("q1", "d3", 2.0), ("q2", "d2", 1.0), ("q2", "d1", 0.5)]


def frame(session, rows, value, kinds="string, {} double"):
    return session.createDataFrame(rows, f"topic string, doc {kinds.format(value)}")


def evaluated(session, judgments=(), run=(), measures=("AP",), **options):
    from assay import spark

    given = frame(session, [*JUDGMENTS, *judgments], "grade")
    return spark.evaluate(given, frame(session, [*RUN, *run], "score"), measures, **options)


@pytest.mark.parametrize(
    ("judgments", "run", "message"),
    [
        ([], [(None, "d9", 1.0)], "run: topic None, document 'd9': expected text .* found None"),
        ([], [("q1", "", 1.0)], "run: topic 'q1', document '': expected text .* found ''"),
        ([], [("q1", "d9", None)], "run: .*'d9': expected a finite number as score, found nothing"),
        ([], [("q1", "d9", math.nan)], "'d9': expected a finite number as score, found nothing"),
        ([], [("q1", "d9", math.inf)] * 3, "'d9' .and 2 more.: .* as score, found inf"),
        ([], [("q2", "d1", 9.0)], "run: document 'd1' of topic 'q2' stands twice in the list"),
        ([], [("q9", "d1", 9.0)] * 2, "run: document 'd1' of topic 'q9' stands twice"),
        ([("q1", "d1", 1.0)], [], "judgments: document 'd1' of topic 'q1' is judged twice, as 1"),
        ([("q1", "d1", 2.0)], [], "'d1' of topic 'q1' is judged twice, as .* contradicting"),
        ([("q1", None, 2.0)], [], "judgments: topic 'q1', document None: expected text"),
    ],
)
def test_bad_rows_are_an_error_in_words(session, judgments, run, message):
    with pytest.raises(assay.AssayError, match=message):
        evaluated(session, judgments, run)


def test_lenient_leaves_bad_rows_out_and_counts_them(session):
    told = []
    bad = [(None, "d9", 1.0), ("q1", "d8", math.nan), ("q2", "d1", 0.1)]
    means = evaluated(
        session, [("q1", "d1", 1.0), ("q1", "d5", None)], bad, strict=False, tell=told.append
    ).collect()
    local = assay.evaluate([assay.Judgments(_dict(JUDGMENTS))], [assay.Run(_dict(RUN))], ["AP"])
    assert means[0]["value"] == pytest.approx(local.mean()["value"][0], rel=1e-12)
    assert [text.partition(" (")[0] for text in told] == [
        "judgments: left out 1 row with no grade",
        "judgments: left out 1 row with a judgment given before",
        "run: left out 1 row with expected a finite number as score",
        "run: left out 1 row with a document given twice for a topic",
    ]


def _dict(rows):
    found = {}
    for topic, doc, value in rows:
        found.setdefault(topic, {})[doc] = value
    return found


def test_policies_that_refuse(session):
    with pytest.raises(assay.AssayError, match=r"run lacks 1 of 3 topics \(q3\)") as error:
        evaluated(session, [("q3", "d1", 1.0)], missing="error")
    assert error.value.check_failed
    with pytest.raises(assay.AssayError, match=r"AP is undefined for 1 topic\(s\), the first q3"):
        evaluated(session, [("q3", "d1", 0.0)], undefined="error")


def test_a_run_whose_topics_nobody_judged(session):
    from assay import spark

    given, run = frame(session, JUDGMENTS, "grade"), frame(session, [("x", "d1", 1.0)], "score")
    with pytest.raises(assay.AssayError, match=r"run: none of its 1 topics is judged; .* 'x'"):
        spark.evaluate(given, run, ["AP"])


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ("double, {} double", "column 'doc' holds double; ids must be text or whole numbers"),
        ("string, {} string", "column 'score' holds string; expected numbers as score"),
        ("string, other double", "no column for the score"),
    ],
)
def test_columns_of_the_wrong_kind(session, kinds, message):
    from assay import spark

    rows = [("q1", "d1", 1.0)] if kinds.startswith("string, other") else []
    run = frame(session, rows, "score", kinds)
    with pytest.raises(assay.AssayError, match=message):
        spark.evaluate(frame(session, JUDGMENTS, "grade"), run, ["AP"])


def test_a_frame_that_is_not_spark_s(session):
    from assay import spark

    with pytest.raises(assay.AssayError, match=r"expected a Spark DataFrame, found polars"):
        spark.evaluate(frame(session, JUDGMENTS, "grade"), pl.DataFrame({"topic": []}), ["AP"])


def test_usual_names_whole_numbers_and_ranks(session):
    from assay import spark

    given = session.createDataFrame([(1, 11, 1), (1, 12, 0)], "query_id long, pid int, label int")
    run = session.createDataFrame([(1, 12, 1), (1, 11, 2)], "query_id long, pid int, rank int")
    means = spark.evaluate(given, {"bm25": run}, ["RR"], tell=len).collect()
    assert [(row["judge"], row["run"], row["value"]) for row in means] == [
        ("judgments", "bm25", 0.5)
    ]


def test_a_topic_that_is_nearly_the_whole_run(session):
    from pyspark.sql import functions as F  # noqa: N812

    from assay import spark

    many = 600_000  # more than two blocks of one topic; scores tie by hundreds
    ids = session.range(0, many)
    topic = F.when(ids.id < many - 1000, "long").otherwise((ids.id % 10).cast("string"))
    run = ids.select(
        topic.alias("topic"),
        F.format_string("d%06d", "id").alias("doc"),
        (F.pmod(F.xxhash64("id"), F.lit(997)) / 7).alias("score"),
    )
    given = run.filter("doc like '%77'").select(
        "topic", "doc", (F.col("score").cast("int") % 3).alias("grade")
    )
    measures = ["nDCG@10", "AP", "R@1000"]
    found = spark.evaluate(given, run, measures, tell=len).collect()
    local = assay.evaluate(
        assay.Judgments(pl.from_arrow(given.toArrow())),
        assay.Run(pl.from_arrow(run.toArrow())),
        measures,
    )
    values = [row["value"] for row in found]
    np.testing.assert_allclose(values, local.mean()["value"].to_numpy(), rtol=1e-12)
