"""Counts by hand."""

from __future__ import annotations

import numpy as np

from assay.measures import parse
from assay.measures.registry import lookup
from lists import listed, value

QRELS = {"a": 2, "b": 1, "c": 1, "e": 0, "p": -1}
RUN = listed("u a p b e")


def test_counts():
    assert value("NumQ", QRELS, RUN) == 1
    assert value("NumRet", QRELS, RUN) == 5
    assert value("NumRet(rel=1)", QRELS, RUN) == 2
    assert value("NumRel", QRELS, RUN) == 3
    assert value("NumRel(rel=2)", QRELS, RUN) == 1
    assert value("NumRelRet", QRELS, RUN) == 2
    assert value("NumRelRet@3", QRELS, RUN) == 1
    assert value("NumRelRet(rel=2)", QRELS, RUN) == 1


def test_counts_of_an_empty_list():
    for name, expected in {"NumQ": 1, "NumRet": 0, "NumRel": 3, "NumRelRet": 0}.items():
        assert value(name, QRELS, {}) == expected


def test_counts_are_added_up_over_topics():
    for name in ("NumQ", "NumRet", "NumRel", "NumRelRet"):
        assert parse(name).definition.average == "sum"
    assert parse("Judged").definition.average == "mean"


def test_a_topic_missing_from_a_run_keeps_its_relevant_documents():
    worst = lookup("NumRel").worst
    assert worst(np.asarray([[2.0, 1, 1, 0]]), rel=1) == [3]


def test_judged():
    assert value("Judged", QRELS, RUN) == 3 / 5  # a, b, e; p was pooled, not judged
    assert value("Judged@2", QRELS, RUN) == 1 / 2
    assert value("Judged@10", QRELS, RUN) == 3 / 5  # of the five that there are
    assert value("Judged@10", QRELS, {}) == 0
    assert value("Judged@10", {}, RUN) == 0
