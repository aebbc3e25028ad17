"""The join against obvious loops: pairs, ranks, ties, and what each judge sees of them."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest

import reference
from assay import AssayError, Judgments, Run, align
from assay.align import Judged, empty_hits, join, keys, rankings
from assay.blocks import BLOCK_ROWS, block_of, blocks_of, ranges
from assay.io.lines import Dropped
from assay.io.locate import Origin

MEMORY = Origin("memory")


def random_world(seed):
    """Judgments of two judges, and a run with ties, in any order within its topics."""
    rng = random.Random(seed)
    topics = [f"t{i}" for i in range(rng.randint(1, 5))]
    docs = [f"d{i}" for i in range(9)] + ["ä", "é1", "文", "🦆", "d", "D", "d11", "t1"]
    judges = [
        {t: {d: rng.choice((-2, -1, 0, 0.5, 1, 2, 3)) for d in rng.sample(docs, rng.randint(1, 9))}
         for t in rng.sample([*topics, "elsewhere"], rng.randint(1, len(topics)))}
        for _ in range(rng.randint(1, 3))
    ]  # fmt: skip
    scores = rng.choice(
        ((0.0,), (1.0, 2.0, 3.0), tuple(rng.random() for _ in range(9)), (-0.0, 0.0))
    )
    rows = [
        (t, d, rng.choice(scores))
        for t in rng.sample([*topics, "foreign"], rng.randint(1, len(topics) + 1))
        for d in rng.sample(docs, rng.randint(1, len(docs)))
    ]
    return rng, judges, rows


def block(rows):
    topic, doc, score = (list(column) for column in zip(*rows, strict=True))
    return block_of(
        pl.Series(topic, dtype=pl.String), pl.Series(doc, dtype=pl.String), np.array(score)
    )


def as_dict(hits, judged):
    """{topic: {document: (rank, first, last, score)}}."""
    return {
        judged.topics[topic]: {
            judged.doc[int(hits.pair[h])]: (
                int(hits.rank[h]), int(hits.tie_first[h]), int(hits.tie_last[h]),
                float(hits.score[h]),
            )
            for h in range(hits.start[m], hits.start[m + 1])
        }
        for m, topic in enumerate(hits.topic)
    }  # fmt: skip


def expected_hits(judges, rows):
    found = {}
    for topic in {topic for topic, _, _ in rows} & {topic for judge in judges for topic in judge}:
        score = {d: s for t, d, s in rows if t == topic}
        ranking = reference.ranked(rows, topic)
        found[topic] = {
            doc: (rank, first, last, score[doc])
            for rank, (doc, first, last) in enumerate(ranking, 1)
            if any(doc in judge.get(topic, {}) for judge in judges)
        }
    return found


def check_join(seed):
    _, judges, rows = random_world(seed)
    judged = Judged([Judgments(judge, label=str(j)) for j, judge in enumerate(judges)])
    hits = join(block(rows), judged, MEMORY)
    assert as_dict(hits, judged) == expected_hits(judges, rows), seed
    for m, topic in enumerate(hits.topic):
        name = judged.topics[topic]
        scores = sorted((s for t, _, s in rows if t == name), reverse=True)
        assert hits.retrieved[m] == len(scores)
        assert hits.scores[hits.scores_start[m] : hits.scores_start[m + 1]].tolist() == scores
        ranks = hits.rank[hits.start[m] : hits.start[m + 1]]
        assert (np.diff(ranks) > 0).all()


@pytest.mark.parametrize("seed", range(150))
def test_hits_are_those_of_an_obvious_loop(seed):
    check_join(seed)


@pytest.mark.parametrize("kept", [0, 1, 3, (1 << 63) | 1])
def test_keys_that_collide_change_nothing(monkeypatch, kept):
    """With 1 to 4 different keys in all, only the confirmation by strings is left."""
    monkeypatch.setattr(align, "keys", lambda *args: keys(*args) & np.uint64(kept))
    for seed in range(150, 200):
        check_join(seed)


@pytest.mark.parametrize("kept", [0, 1, 3])
def test_keys_that_collide_are_no_repeats(monkeypatch, kept):
    monkeypatch.setattr(align, "keys", lambda *args: keys(*args) & np.uint64(kept))
    judged = Judged([Judgments({"1": {"a": 1}})])
    rows = [("1", "a", 2.0), ("1", "b", 2.0), ("2", "a", 1.0)]
    join(block(rows), judged, MEMORY)
    with pytest.raises(AssayError, match="document 'b' of topic '1' stands twice"):
        join(block([*rows[:2], ("1", "b", 3.0), rows[2]]), judged, MEMORY)
    dropped = Dropped()
    hits = join(block([*rows[:2], ("1", "b", 3.0), rows[2]]), judged, MEMORY, dropped=dropped)
    assert as_dict(hits, judged) == {"1": {"a": (2, 2, 2, 2.0)}}
    assert dropped.counts.total() == 1


def test_documents_of_equal_score_decrease_by_bytes():
    docs = ["d", "d1", "d10", "D", "ä", "Z", "a", "🦆", "文", "\U0001f986x", "\uffff", "é"]
    judged = Judged([Judgments({"1": dict.fromkeys(docs, 1)})])
    hits = join(block([("1", doc, 1.0) for doc in docs]), judged, MEMORY)
    found = [judged.doc[int(pair)] for pair in hits.pair]
    assert found == sorted(docs, key=str.encode, reverse=True)
    assert set(hits.tie_first) == {1}
    assert set(hits.tie_last) == {len(docs)}


def test_precision_of_scores():
    rows = [("1", "a", 1.0), ("1", "b", 1.0 + 1e-9), ("1", "c", 1e300), ("1", "d", -1e300)]
    judged = Judged([Judgments({"1": {"a": 1, "b": 1}})])
    found = as_dict(join(block(rows), judged, MEMORY), judged)["1"]
    assert {doc: hit[:3] for doc, hit in found.items()} == {"a": (3, 3, 3), "b": (2, 2, 2)}
    found = as_dict(join(block(rows), judged, MEMORY, precision="float32"), judged)["1"]
    assert {doc: hit[:3] for doc, hit in found.items()} == {"a": (3, 2, 3), "b": (2, 2, 3)}


def test_a_topic_whose_only_document_is_itself_counts_as_absent():
    judged = Judged([Judgments({"1": {"a": 1, "1": 1}, "2": {"a": 1, "2": 1}})])
    rows = [("1", "1", 1.0), ("2", "2", 3.0), ("2", "a", 1.0), ("3", "3", 1.0)]
    found = as_dict(join(block(rows), judged, MEMORY, ignore_self=True), judged)
    assert found == {"2": {"a": (1, 1, 1, 1.0)}}


@pytest.mark.parametrize("negative", ["unjudged", "nonrelevant"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
@pytest.mark.parametrize("cells", [1, 20, 1 << 18])
def test_rankings_are_what_each_judge_sees(monkeypatch, negative, unjudged, cells):
    monkeypatch.setattr(align, "CELLS", cells)
    for seed in range(200, 240):
        _, judges, rows = random_world(seed)
        judged = Judged([Judgments(j, label=str(i)) for i, j in enumerate(judges)], negative)
        hits = join(block(rows), judged, MEMORY)
        for j, judge in enumerate(judges):
            seen = {}
            needs = frozenset({"tie_first", "score", "pooled", "missed", "scores", "known"})
            for places, ranking in rankings(hits, judged, j, unjudged=unjudged, needs=needs):
                for row, place in enumerate(places):
                    seen[judged.topics[hits.topic[place]]] = as_row(ranking, row)
            assert seen == expected_rows(judge, rows, negative, unjudged), seed


def as_row(ranking, i):
    """The fields of one list, without padding."""
    real = np.isfinite(ranking.rank[i])
    assert (ranking.grade[i][~real] == 0).all()
    assert (np.diff(ranking.rank[i][real]) > 0).all()
    return {
        "hits": [
            tuple(map(float, hit))
            for hit in zip(
                ranking.rank[i][real], ranking.grade[i][real], ranking.tie_first[i][real],
                ranking.tie_last[i][real], strict=True,
            )
        ],
        "base": ranking.base[i][: int(ranking.judged[i])].tolist(),
        "retrieved": int(ranking.retrieved[i]),
        "pooled": sorted(ranking.pooled[i][np.isfinite(ranking.pooled[i])].tolist()),
        "missed": ranking.missed[i][ranking.missed[i] >= 0].tolist(),
        "scores": ranking.scores[i][~np.isnan(ranking.scores[i])].tolist(),
    }  # fmt: skip


def expected_rows(judge, rows, negative, unjudged):
    found = {}
    for topic in {topic for topic, _, _ in rows} & set(judge):
        grades = judge[topic]
        if negative == "nonrelevant":
            grades = {doc: max(0, grade) for doc, grade in grades.items()}
        known = {doc: grade for doc, grade in grades.items() if grade >= 0}
        score = {d: s for t, d, s in rows if t == topic}
        ranking = reference.ranked(rows, topic)
        pooled = [i for i, (doc, _, _) in enumerate(ranking, 1) if grades.get(doc, 0) < 0]
        if unjudged == "condensed":
            ranking, pooled = reference.condense(ranking, known), []
        found[topic] = {
            "hits": [
                (rank, known[doc], first, last)
                for rank, (doc, first, last) in enumerate(ranking, 1)
                if doc in known
            ],
            "base": sorted(known.values(), reverse=True),
            "retrieved": len(ranking),
            "pooled": pooled,
            "missed": sorted((known[doc] for doc in set(known) - set(score)), reverse=True),
            "scores": [score[doc] for doc, _, _ in ranking],
        }
    return found


@pytest.mark.parametrize("ties", ["best", "worst"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
def test_ties_broken_for_the_best_and_the_worst(ties, unjudged):
    for seed in range(300, 340):
        _, judges, rows = random_world(seed)
        judged = Judged([Judgments(judges[0])])
        hits = join(block(rows), judged, MEMORY)
        for places, ranking in rankings(hits, judged, 0, ties=ties, unjudged=unjudged):
            for row, place in enumerate(places):
                topic = judged.topics[hits.topic[place]]
                known = {d: g for d, g in judges[0][topic].items() if g >= 0}
                listed = reference.ranked(rows, topic)
                listed = reference.condense(listed, known) if unjudged == "condensed" else listed
                sign = -1 if ties == "best" else 1  # unjudged documents come behind, or before
                order = sorted((first, sign * known.get(doc, -1)) for doc, first, _ in listed)
                grades = [sign * key for _, key in order]
                expected = [(i, grade) for i, grade in enumerate(grades, 1) if grade >= 0]
                real = np.isfinite(ranking.rank[row])
                pairs = zip(ranking.rank[row][real], ranking.grade[row][real], strict=True)
                assert sorted(pairs) == expected, seed


def test_blocks_of_a_run_are_whole_topics(monkeypatch):
    for rows, seed in ((1, 1), (4, 2), (10, 3), (BLOCK_ROWS, 4)):
        monkeypatch.setattr("assay.blocks.BLOCK_ROWS", rows)
        _, _, given = random_world(seed)
        run = Run(pl.DataFrame(given, schema=["topic", "doc", "score"], orient="row"))
        found = [
            (topic, doc, score)
            for part in blocks_of(run)
            for topic, start, end in zip(part.topics, part.start, part.start[1:], strict=False)
            for doc, score in zip(part.doc[start:end], part.score[start:end], strict=True)
        ]
        assert found == given


def test_no_hits():
    judged = Judged([Judgments({"1": {"a": 1}, "2": {"b": 2}})])
    hits = join(block([("1", "x", 1.0)]), judged, MEMORY)
    assert as_dict(hits, judged) == {"1": {}}
    for nothing in (hits, empty_hits(np.array([0, 1]))):
        for places, ranking in rankings(nothing, judged, 0):
            assert ranking.grade.shape == (len(places), 1)
            assert np.isinf(ranking.rank).all()
    hits = join(block([("9", "x", 1.0)]), judged, MEMORY)
    assert as_dict(hits, judged) == {}
    assert list(rankings(hits, judged, 0)) == []


def test_ranges():
    assert ranges(np.array([3, 9, 0]), np.array([5, 9, 3])).tolist() == [3, 4, 0, 1, 2]
    assert ranges(np.array([], dtype=int), np.array([], dtype=int)).tolist() == []
