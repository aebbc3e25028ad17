"""Spark equals local: every policy, every measure, rows split and mixed at random."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import assay
from assay.measures import parse

pytestmark = [
    pytest.mark.spark,
    # PySpark 4.3 says so of pandas 3, which it uses for nothing here
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    # py4j leaves its socket to the collector
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

MEASURES = ["nDCG@10", "AP", "RR", "P@5", "R@20", "ERR@10", "RBP", "Bpref", "NumRet", "IPrec@0.5"]
POLICIES = [
    {},
    {"missing": "skip", "undefined": "zero", "negative": "nonrelevant"},
    {"ties": "expected", "measures": ["nDCG@10", "AP", "RR", "NDPM"]},
    {"ties": "best", "unjudged": "condensed", "ignore_self": True},
    {"ties": "worst", "precision": "float32", "mean": "geometric"},
    {"mean": "median", "measures": [*MEASURES, "nDCG(unjudged='condensed')@10"]},
    {"unjudged": "bounds", "measures": ["nDCG@10", "AP", "P(rel=each)@5"]},
    {"unjudged": "condensed", "measures": ["ASL", "NumRet"]},
]


class World:
    """Two judges, three runs of unequal coverage: ties, gaps, grades below 0, foreign topics."""

    def __init__(self, seed=3, topics=40, docs=60):
        rng = np.random.default_rng(seed)
        self.judgments = {
            judge: _rows(rng, [f"t{i}" for i in range(first, topics)], docs, share, "grade")
            for judge, first, share in (("nist", 0, 0.5), ("llm", 3, 0.7))
        }
        self.runs = {
            run: _rows(rng, [f"t{i}" for i in range(first, last)], docs, share, "score")
            for run, first, last, share in (
                ("a", 0, topics, 0.8),
                ("b", 2, topics - 1, 0.6),
                ("c", 5, topics + 4, 0.9),
            )
        }

    def local(self, measures, **policy):
        judges = {name: assay.Judgments(frame) for name, frame in self.judgments.items()}
        runs = {name: assay.Run(frame) for name, frame in self.runs.items()}
        return assay.evaluate(judges, runs, measures, **policy)

    def frames(self, session, rng):
        """Both sides with their rows in any order, in any number of partitions."""
        sides = []
        for role, parts in (("judge", self.judgments), ("run", self.runs)):
            every = pl.concat(
                [frame.with_columns(pl.lit(name).alias(role)) for name, frame in parts.items()]
            )
            if role == "run":
                every = every[rng.permutation(every.height)]
            frame = session.createDataFrame(every.to_arrow())
            sides.append(frame if role == "judge" else frame.repartition(int(rng.integers(1, 7))))
        return sides


def _rows(rng, topics, docs, share, value):
    rows = []
    for topic in topics:
        for doc in np.flatnonzero(rng.random(docs) < share):
            number = rng.choice([-1, 0, 0, 1, 2, 3]) if value == "grade" else rng.integers(0, 25)
            name = topic if doc == 7 else f"d{doc:02}"
            rows.append((topic, name, float(number)))
    if value == "grade":  # a topic without a relevant document
        rows = [(t, d, min(v, 0.0) if t == "t9" else v) for t, d, v in rows]
    return pl.DataFrame(rows, schema=["topic", "doc", value], orient="row")


def polars(frame):
    return pl.from_arrow(frame.toArrow())


def quiet(text):
    pass


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.mark.parametrize("case", range(len(POLICIES)))
def test_every_policy_gives_what_it_gives_locally(session, world, case):
    from assay import spark

    rng = np.random.default_rng(case)
    policy = dict(POLICIES[case])
    measures = policy.pop("measures", MEASURES)
    local = world.local(measures, **policy)
    judgments, runs = world.frames(session, rng)
    buckets = int(rng.integers(1, 12))
    told = []
    close = {"check_dtypes": False, "rel_tol": 1e-12, "abs_tol": 1e-15}
    means = spark.evaluate(judgments, runs, measures, buckets=buckets, tell=told.append, **policy)
    order = {"judge": ["nist", "llm"], "run": ["a", "b", "c"]}
    found = polars(means)
    assert found.columns == local.mean().columns
    assert_frame_equal(arranged(found, order), arranged(local.mean(), order), **close)
    assert set(told) == {*local.notes, *local.warnings}
    values = spark.evaluate(
        judgments, runs, measures, True, buckets=buckets + 3, tell=quiet, **policy
    )
    found = polars(values)
    assert found.columns == local.to_polars().columns
    keys = ["judge", "run", "measure", "topic"]
    assert_frame_equal(found.sort(keys), local.to_polars().sort(keys), **close)
    first = found.filter(pl.col("run") == found["run"][0])["topic"].unique(maintain_order=True)
    assert first.to_list() == list(local.topics)


def arranged(means, order):
    """Rows in one order: runs in a shuffled frame come in any."""
    places = {role: pl.Enum(names) for role, names in order.items()}
    return means.with_columns(pl.col(r).cast(kind) for r, kind in places.items()).sort(
        "judge", "run", maintain_order=True
    )


def test_every_measure_gives_what_it_gives_locally(session, world):
    from assay import spark
    from variants import VARIANTS

    # two judges have different tops, so those measures are told theirs
    measures = [
        measure(max=3) if measure.uses_top and measure.parameters["max"] is None else measure
        for measure in VARIANTS
        if "odd" not in str(measure) and (measure.parameters.get("N") or 1000) >= 100
    ]
    known = {f"t{i}": [f"d{j:02}" for j in range(i % 7, 60, 5)] for i in range(40)}
    measures += [parse("Coverage")(known=known), parse("Novelty")(known=known)]
    local = world.local(measures)
    judgments, runs = world.frames(session, np.random.default_rng(99))
    found = polars(spark.evaluate(judgments, runs, measures, True, buckets=3, tell=quiet))
    keys = ["judge", "run", "measure", "topic"]
    close = {"check_dtypes": False, "rel_tol": 1e-10, "abs_tol": 1e-12}
    assert_frame_equal(found.sort(keys), local.to_polars().sort(keys), **close)
