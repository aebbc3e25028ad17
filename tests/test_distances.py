"""Zhou & Yao's counts between users, judges and systems, against a slow twin, pair by pair."""

from __future__ import annotations

from itertools import combinations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from assay import (
    AssayError,
    Judgments,
    Preferences,
    Run,
    distance,
    evaluate,
    read_judgments,
    read_preferences,
)
from assay.orders import Distance

DOCS = [f"d{i}" for i in range(6)]
GRADES = st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3), min_size=1)
PAIRS = st.lists(
    st.tuples(st.sampled_from(DOCS), st.sampled_from(">="), st.sampled_from(DOCS)).filter(
        lambda p: p[0] != p[2]
    ),
    min_size=1,
)


def signs(given_, docs):
    """What a side says of each pair of documents: 1, 0 or -1; open pairs are absent."""
    if isinstance(given_, Preferences):
        found = {}
        for _, a, sign, b in given_.majority():
            found[a, b], found[b, a] = (0, 0) if sign == "=" else (1, -1)
        return found
    values = given_.to_dict()["q"]
    if isinstance(given_, Run):
        values = {doc: values.get(doc, -np.inf) for doc in docs}
    return {
        (a, b): int(np.sign(values[a]) * 0 + (values[a] > values[b]) - (values[a] < values[b]))
        for a in values
        for b in values
    }


def docs_of(given_):
    if isinstance(given_, Preferences):
        return {doc for _, a, _, b in given_ for doc in (a, b)}
    return set(given_.to_dict()["q"])


def slow(user, system):
    mine = signs(user, docs_of(user))
    theirs = signs(system, docs_of(user) | docs_of(system))
    names = ["agreed", "contradicted", "only_user", "only_system", "tied", "unknown"]
    counts = dict.fromkeys(names, 0)
    for a, b in combinations(sorted(docs_of(user)), 2):
        if (a, b) not in mine:
            continue
        u, s = mine[a, b], theirs.get((a, b))
        if s is None:
            counts["unknown"] += 1
        elif u == 0 or s == 0:
            counts["tied" if u == s else "only_system" if u == 0 else "only_user"] += 1
        else:
            counts["agreed" if u == s else "contradicted"] += 1
    return Distance(**counts)


def sides(draw):
    kind = draw(st.sampled_from(["judgments", "preferences", "graded", "run"]))
    if kind == "preferences":
        return Preferences({"q": draw(PAIRS)})
    grades = {"q": draw(GRADES)}
    if kind == "run":
        return Run(grades)
    judgments = Judgments(grades)
    return judgments.to_preferences() if kind == "graded" else judgments


@given(data=st.data())
def test_all_kinds_of_sides_against_the_slow_twin(data):
    user, system = sides(data.draw), sides(data.draw)
    if isinstance(user, Preferences) and user.grades is not None:
        user = Judgments(user.grades)
    if isinstance(system, Preferences) and system.grades is not None:
        system = Judgments(system.grades)
    graded = [
        each.to_preferences() if isinstance(each, Judgments) else each for each in (user, system)
    ]
    assert distance(user, system).total == slow(user, system)
    assert distance(*graded).total == slow(user, system)


def test_table_total_and_mean():
    first = Judgments({"q": {"a": 2, "b": 1, "c": 0}, "p": {"a": 1, "b": 1}}, label="first")
    second = Judgments({"q": {"a": 1, "b": 1, "c": 2}, "p": {"a": 0, "b": 1}}, label="second")
    found = distance(first, second)
    assert found.total == Distance(0, 2, 1, 1)
    assert found.mean == (2 * 2 + 1) / 6
    assert (
        str(found.table())
        == """\
topic  C+  C-  C^u  C^s  tied  unknown  beta  dpm  C    ndpm
q       0   2    1    0     0        0     5    5  3  0.8333
p       0   0    0    1     0        0     1    0  0       -
all     0   2    1    1     0        0     6    5  3  0.8333

user first, system second; mean of ndpm over topics 0.8333"""
    )
    assert found.to_polars()["beta"].to_list() == [5, 1]


def test_bad_sides():
    with pytest.raises(AssayError, match=r"the user's ranking: expected Preferences.*found str"):
        distance("x", {"q": {"a": 1}})
    with pytest.raises(AssayError, match="have no topic in common"):
        distance({"q": {"a": 1}}, {"p": {"a": 1}})


def test_humans_and_the_language_model_on_real_verdicts(shared):
    """Pairs on which both have a verdict; counted by its authors' own loop in another order."""
    folder = shared / "dl21" / "prefs"
    found = distance(
        read_preferences(folder / "human.human.gz"), read_preferences(folder / "judge.human.gz")
    )
    assert sum(found.total.__dict__.values()) == 2885  # pairs that people compared
    assert found.total.agreed > 1.8 * found.total.contradicted


def test_ndpm_of_grades_is_evaluates(shared):
    folder = shared / "dl21"
    judgments = read_judgments(folder / "qrels" / "qrels.dl21-passage.txt")
    path = folder / "runs.judged" / "input.p_bm25.gz"
    from assay import read_run

    scores = evaluate(judgments, path, "NDPM")
    found = distance(judgments, read_run(path))
    wanted = [found.topics[topic].ndpm for topic in scores.topics]
    np.testing.assert_allclose(scores.values[0, 0, 0], wanted, rtol=1e-12)
