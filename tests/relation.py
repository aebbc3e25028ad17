"""Relations for tests: from words such as 'a>b b=c', and all weak orders of a few documents."""

from __future__ import annotations

import re
from itertools import product

import hypothesis.strategies as st
import numpy as np

from assay.relations import Relation


def stated(text, votes=None):
    """A relation of the statements in the text; statement i stands on line i + 1."""
    said = [re.fullmatch(r"(\w+)([>=])(\w+)", word).groups() for word in text.split()]
    docs = tuple(dict.fromkeys(doc for a, _, b in said for doc in (a, b)))
    place = {doc: i for i, doc in enumerate(docs)}
    return Relation(
        docs,
        np.asarray([place[a] for a, _, _ in said], dtype=np.int64),
        np.asarray([place[b] for _, _, b in said], dtype=np.int64),
        np.asarray([sign == "=" for _, sign, _ in said], dtype=bool),
        np.asarray(votes if votes is not None else [1] * len(said), dtype=np.int64),
        tuple((i,) for i in range(1, len(said) + 1)),
    )


@st.composite
def relations(draw, most=5):
    """A few statements, with votes, that may contradict each other."""
    n = draw(st.integers(2, most))
    one = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.booleans(), st.integers(1, 3))
    rows = draw(st.lists(one.filter(lambda row: row[0] != row[1]), min_size=1, max_size=12))
    better, worse, tie, votes = (np.asarray(column) for column in zip(*rows, strict=True))
    tie &= draw(st.booleans())
    lines = tuple((i,) for i in range(1, len(rows) + 1))
    return Relation(tuple(f"d{i}" for i in range(n)), better, worse, tie, votes, lines)


def weak_orders(n):
    """Every weak order of n documents, as their levels, 0 the best."""
    seen = set()
    for levels in product(range(n), repeat=n):
        used = sorted(set(levels))
        dense = tuple(used.index(level) for level in levels)
        if dense not in seen:
            seen.add(dense)
            yield np.asarray(dense)


def broken(relation, level):
    """Which statements a weak order does not obey."""
    a, b = level[relation.better], level[relation.worse]
    return np.where(relation.tie, a != b, a >= b)
