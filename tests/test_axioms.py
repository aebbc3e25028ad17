"""Violations of asymmetry and negative transitivity, each once, with documents and lines."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given

from assay.axioms import ACYCLICITY, ASYMMETRY, TRANSITIVITY, Violation, counts, violations
from relation import relations, stated


def all_of(relation, missing="unknown", limit=None):
    found = violations(relation, missing=missing, limit=limit)
    return [Violation(axiom, steps, "q") for axiom, steps in found]


def slow_threes(relation, missing):
    """Threes a > c, not c < b, not b < a, among uncontested pairs, as cycles."""
    docs = range(len(relation.docs))
    said = {}
    for a, b, tie in zip(relation.better, relation.worse, relation.tie, strict=True):
        said.setdefault(frozenset((a, b)), set()).add("=" if tie else (a, b))
    one = {pair: next(iter(what)) for pair, what in said.items() if len(what) == 1}
    default = "=" if missing == "tie" else None

    def sign(a, b):
        pair = frozenset((a, b))
        return one.get(pair) if pair in said else default

    cycles = set()
    for a, c, b in permutations(docs, 3):
        if sign(a, c) == (a, c) and sign(c, b) in ("=", (c, b)) and sign(b, a) in ("=", (b, a)):
            start = [a, c, b].index(min(a, c, b))
            cycles.add(tuple([a, c, b][start:] + [a, c, b][:start]))
    return cycles


@pytest.mark.parametrize("missing", ["unknown", "tie"])
@given(relation=relations())
def test_threes_are_those_of_the_slow_loop_each_once(relation, missing):
    found = [v for v in all_of(relation, missing) if v.axiom == TRANSITIVITY]
    cycles = []
    for violation in found:
        docs = [relation.docs.index(step.first) for step in violation.steps]
        start = docs.index(min(docs))
        cycles.append(tuple(docs[start:] + docs[:start]))
    assert len(cycles) == len(set(cycles))
    assert set(cycles) == slow_threes(relation, missing)
    assert counts(relation, missing=missing)[TRANSITIVITY] == len(cycles)


@given(relation=relations())
def test_something_is_shown_exactly_where_no_order_obeys(relation):
    assert bool(all_of(relation)) == (not relation.consistent)
    assert any(counts(relation).values()) == (not relation.consistent)


def test_asymmetry_names_documents_lines_and_votes():
    (found,) = all_of(stated("a>b c>d b>a", [2, 1, 1]))
    assert found.axiom == ASYMMETRY
    assert (found.docs, found.lines) == (("a", "b"), (1, 3))
    assert str(found) == "q: asymmetry: a > b (line 1, 2 votes), yet b > a (line 3)"


def test_preferred_and_tied_is_a_contradiction_too():
    assert [str(v) for v in all_of(stated("a>b a=b"))] == [
        "q: asymmetry: a > b (line 1), yet a = b (line 2)"
    ]


def test_negative_transitivity_names_its_three_statements():
    (found,) = all_of(stated("a>b b=c c>a"))
    assert found.axiom == TRANSITIVITY
    assert set(found.docs) == {"a", "b", "c"}
    assert found.lines == (1, 2, 3)
    assert (
        str(found) == "q: negative transitivity: c > a (line 3), a > b (line 1), yet b = c (line 2)"
    )


def test_a_long_cycle_is_shown_where_nothing_shorter_explains():
    (found,) = all_of(stated("a>b b>c c>d d>a"))
    assert found.axiom == ACYCLICITY
    assert len(found.steps) == 4
    assert found.lines == (1, 2, 3, 4)


def test_missing_pairs_as_ties_break_negative_transitivity():
    relation = stated("a>b b>c")
    assert all_of(relation) == []
    (found,) = all_of(relation, "tie")  # a > b, nothing between b c? no: between a and c
    assert "nothing between" in str(found)


def test_the_list_is_cut_but_not_the_count():
    docs = "abcdefg"
    words = " ".join(f"{x}>{y}" for i, x in enumerate(docs) for y in docs[i + 1 :])
    relation = stated(words.replace("a>g", "g>a"))
    assert counts(relation)[TRANSITIVITY] == 5
    assert len(all_of(relation, limit=2)) == 2
    assert np.all([len(v.docs) == 3 for v in all_of(relation)])
