from __future__ import annotations

import math
import random

import pytest

from golden.cases import BY_ID
from lists import listed, random_list, random_topic, value

NAMES = ("NormR", "NormP", "RankR", "LogP")


def at(ranks, number):
    """Relevant documents at these ranks of a list of all documents."""
    docs = [f"d{i}" for i in range(1, number + 1)]
    return {f"d{i}": 1 for i in ranks}, listed(docs)


@pytest.mark.parametrize(
    ("ranks", "number", "expected"),
    [
        ([1, 2, 3], 10, [1, 1, 1, 1]),
        ([8, 9, 10], 10, [0, 0, 0.2222, 0.2723]),
        ([1, 3, 7], 10, [0.7619, 0.7383, 0.5455, 0.5885]),
        (BY_ID["ls-fig3-count"]["inputs"]["ranks"], 1268, [0.90874, 0.65787, 0.10643, 0.59034]),
    ],
)
def test_the_worked_values(ranks, number, expected):
    """Of GOLDEN.md, section 5; the last are Lesk & Salton's figure 3a, query 12."""
    digits = 5e-6 if number > 10 else 5e-5
    for name, right in zip(NAMES, expected, strict=True):
        assert value(f"{name}(N={number})", *at(ranks, number)) == pytest.approx(right, abs=digits)


def test_the_tail_is_what_all_its_orders_give_on_average():
    """For the two normalised ones, which are linear in the sum."""
    qrels, run = {"a": 1, "b": 1}, listed("a u")
    for name in ("NormR", "NormP"):
        places = [value(f"{name}(N=6)", *at([1, place], 6)) for place in (3, 4, 5, 6)]
        assert value(f"{name}(N=6)", qrels, run) == pytest.approx(sum(places) / 4)
        worst = value(f"{name}(N=6,unretrieved='worst')", qrels, run)
        assert worst == pytest.approx(places[-1])


def test_normalised_recall_is_the_area_under_the_roc_curve():
    """Pairs of a relevant document and another that stand in order, those of one level half."""
    rng = random.Random(4)
    for _ in range(40):
        qrels, docs = random_topic(rng)
        run = random_list(rng, docs, ties=True)
        low = min(run.values(), default=0) - 1
        known = {doc for doc in qrels if qrels[doc] >= 0} | set(run)
        score = {doc: run.get(doc, low) for doc in known}
        good = {doc for doc in known if qrels.get(doc, 0) >= 1}
        pairs = [
            (score[a] > score[b]) + 0.5 * (score[a] == score[b]) for a in good for b in known - good
        ]
        if pairs:
            found = value("NormR", qrels, run, expected=True)
            assert found == pytest.approx(sum(pairs) / len(pairs))


def test_where_the_formulas_divide_by_nothing():
    for name in NAMES:
        assert math.isnan(value(name, {"x": 0}, listed("x")))
    for name in ("NormR", "NormP"):
        assert math.isnan(value(f"{name}(N=2)", {"a": 1, "b": 1}, listed("a b")))
        assert value(name, {"a": 1, "b": 1}, listed("a")) == 1
    assert value("LogP", {"a": 1}, listed("a u")) == 1
    assert value("LogP", {"a": 1}, listed("u a")) == 0
