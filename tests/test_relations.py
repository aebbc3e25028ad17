"""What follows from statements: consistency, levels, closure, against all weak orders there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from assay.errors import AssayError
from relation import broken, relations, stated, weak_orders


@given(relation=relations())
def test_consistent_means_that_some_weak_order_obeys_everything(relation):
    obeyed = [
        level for level in weak_orders(len(relation.docs)) if not broken(relation, level).any()
    ]
    assert relation.consistent == bool(obeyed)


@given(relation=relations())
def test_the_order_of_a_consistent_relation_obeys_every_statement(relation):
    if not relation.consistent:
        with pytest.raises(AssayError, match="contradict each other"):
            relation.order()
        return
    level = np.asarray([relation.order().level[doc] for doc in relation.docs])
    assert not broken(relation, level).any()


@given(relation=relations(4))
def test_the_closure_states_what_all_obedient_orders_share(relation):
    if not relation.consistent:
        return
    obeyed = [
        level for level in weak_orders(len(relation.docs)) if not broken(relation, level).any()
    ]
    closed = relation.closure()
    found = {
        (a, b) for a, b, tie in zip(closed.better, closed.worse, closed.tie, strict=True) if not tie
    }
    n = range(len(relation.docs))
    shared = {(a, b) for a in n for b in n if all(level[a] < level[b] for level in obeyed)}
    assert found == shared
    tied = {
        frozenset((a, b))
        for a, b, tie in zip(closed.better, closed.worse, closed.tie, strict=True)
        if tie
    }
    assert tied == {
        frozenset((a, b)) for a in n for b in n if a < b and all(o[a] == o[b] for o in obeyed)
    }


def test_what_follows_has_no_lines():
    closed = stated("a>b b>c").closure()
    assert [closed.docs[i] for i in closed.better] == ["a", "b", "a"]
    assert closed.lines == ((1,), (2,), ())


def test_a_document_stands_as_high_as_is_proved():
    assert str(stated("a>b c>d d>e").order()) == "c > a = d > b = e"


def test_known_and_possible_pairs():
    relation = stated("a>b b>a a=b c>a")
    assert (relation.known, relation.pairs) == (2, 3)
