from __future__ import annotations

import random

import numpy as np
import pytest

import assay
from lists import in_order, random_list, random_topic, value

# GOLDEN.md, section 3: scaled scores 1 .8 .5 .2 0, relevant are the first, third and fifth
QRELS = {"a": 1, "b": 0, "c": 1, "e": 1}
RUN = {"a": 10.0, "b": 8.0, "c": 5.0, "d": 2.0, "e": 0.0}
WORKED = {"RSVr1": 0.3, "RSVe1": 0.2, "RSVr2": 0.5, "RSVe2": 0.5, "RSVr3": 0.8}


@pytest.mark.parametrize(("name", "expected"), WORKED.items())
def test_the_worked_values(name, expected):
    assert value(f"{name}@5", QRELS, RUN) == pytest.approx(expected)
    assert value(f"{name}(norm='max')@5", QRELS, RUN) == pytest.approx(expected)
    below_zero = dict(zip(RUN, [-1.0, -3.0, -6.0, -9.0, -11.0], strict=True))
    assert value(f"{name}@5", QRELS, below_zero) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("short", "r2", "r3"), [("empty", 0.25, 0.4), ("pad", 0.75, 0.9), ("retrieved", 0.5, 0.8)]
)
def test_lists_shorter_than_n(short, r2, r3):
    assert value(f"RSVr2(short='{short}')@10", QRELS, RUN) == pytest.approx(r2)
    assert value(f"RSVr3(short='{short}')@10", QRELS, RUN) == pytest.approx(r3)


def test_an_empty_list_has_no_success():
    for name in ("RSVr1", "RSVr2", "RSVr3"):
        assert value(f"{name}@10", QRELS, {}) == 0
        assert value(f"{name}(short='retrieved')@10", QRELS, {}) == 0


@pytest.mark.parametrize("norm", ["minmax", "max"])
def test_identities(norm):
    rng = random.Random(6)
    for _ in range(60):
        qrels, docs = random_topic(rng)
        run = {doc: rng.uniform(0, 9) for doc in random_list(rng, docs)}
        n = rng.randint(1, max(1, len(run)))
        if n > len(run):
            continue
        r1, e1, r2, e2, r3 = (value(f"{x}(norm='{norm}')@{n}", qrels, run) for x in WORKED)
        low = min(run.values()) if norm == "minmax" else 0.0
        high = max(run.values())
        scaled = [(run[d] - low) / (high - low) if high > low else 1.0 for d in in_order(run)[:n]]
        assert r1 + e1 == pytest.approx(sum(scaled) / n)
        assert r2 + e2 == pytest.approx(1)
        assert r3 == pytest.approx(1 - e1)


def test_scores_that_say_nothing_leave_precision():
    for run in (dict.fromkeys(RUN, 3.0), dict.fromkeys(RUN, 0.0), dict.fromkeys(RUN, -2.0)):
        for norm in ("minmax", "max"):
            for name in ("RSVr1", "RSVr2", "RSVr3"):
                found = value(f"{name}(norm='{norm}')@4", QRELS, run)
                assert found == value("P@4", QRELS, run)


def test_relative_relevance():
    """By hand: (10 x 1 + 8 x 0 + 5 x 1) / sqrt((100 + 64 + 25 + 0) x 3)."""
    expected = 15 / (189 * 3) ** 0.5
    assert value("RelRel", QRELS, RUN) == pytest.approx(expected)
    assert value("RelRel", QRELS, {"b": 3.0}) == 0
    assert value("RelRel", QRELS, {}) == 0
    assert value("RelRel(norm='minmax')", QRELS, {"a": -1.0, "b": -2.0}) == pytest.approx(1)


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e308])
def test_scores_of_any_size(size):
    """Only their proportions count, also where a square or a difference is no float."""
    grades = {"t": {"a": 2, "b": 0, "c": 1}}
    scores = {"a": 1.5, "b": 0.5, "c": -1.5}
    names = ["RelRel", "ADM", "ADM(norm='max')", *(f"{name}@3" for name in WORKED)]
    expected = assay.evaluate(grades, {"t": scores}, names).values.ravel()
    sized = {doc: score * size for doc, score in scores.items()}
    found = assay.evaluate(grades, {"t": sized}, names).values.ravel()
    np.testing.assert_allclose(found, expected, rtol=1e-12)
