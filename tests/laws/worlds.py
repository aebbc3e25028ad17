"""Topics with lists for them, and the same lists as each law changes them, built once."""

from __future__ import annotations

import random
from functools import cache, cached_property

import numpy as np

from lists import batch, in_order, listed, random_list, random_topic, wanted

SCALES = {
    "small": (0, 0, 1, 1, 2, 3),
    "binary": (0, 1),
    "none relevant": (0,),
    "all relevant": (1, 2, 3),
    "real": (0, 0.5, 1, 1.25, 2.75),
    "steep": (0, 1, 100),  # beyond the `max` of the variants that have one
}


class Cases:
    """(judgments, list) pairs and their arrays."""

    def __init__(self, pairs):
        self.pairs = list(pairs)

    @cached_property
    def arrays(self):
        return batch(self.pairs)

    def values(self, measure):
        if not self.pairs:
            return np.zeros(0)
        return np.asarray(measure.kernel(**wanted(measure, self.arrays)), dtype=np.float64)

    def scores(self, measure):
        """Values, larger is better."""
        found = self.values(measure)
        return found if measure.definition.higher_is_better else -found


class World:
    """Topics, each with some lists."""

    def __init__(self, topics):
        self.topics = topics
        self.topic_of = np.repeat(np.arange(len(topics)), [len(lists) for _, lists in topics])

    @cached_property
    def lists(self):
        return Cases((qrels, run) for qrels, lists in self.topics for run in lists)

    @cached_property
    def with_a_tail(self):
        """Two documents that nobody judged, at the end."""
        return Cases(
            (qrels, listed([*in_order(run), "t1", "t2"])) for qrels, run in self.lists.pairs
        )

    @cached_property
    def renamed(self):
        """Other ids, drawn at random; the judgments in another order."""
        rng, pairs = random.Random(2), []
        for qrels, run in self.lists.pairs:
            docs = sorted({*qrels, *run})
            ids = rng.sample([f"r{i}" for i in range(len(docs) + 9)], len(docs))
            fresh = dict(zip(docs, ids, strict=True))
            renamed = {fresh[doc]: grade for doc, grade in reversed(qrels.items())}
            pairs.append((renamed, listed([fresh[doc] for doc in in_order(run)])))
        return Cases(pairs)

    @cached_property
    def swaps(self):
        """Two documents of each list, the later one of the higher grade, and their places changed.

        Returns lists before, lists after, and the two grades (None: nobody judged).
        """
        rng, before, after, grades = random.Random(1), [], [], []
        for qrels, run in self.lists.pairs:
            docs = in_order(run)
            if len(docs) < 2:
                continue
            i, j = sorted(rng.sample(range(len(docs)), 2))
            lower, higher = (qrels.get(docs[x], -1) for x in (i, j))
            if higher > max(lower, 0):
                before.append((qrels, run))
                docs[i], docs[j] = docs[j], docs[i]
                after.append((qrels, listed(docs)))
                grades.append((lower if lower >= 0 else None, higher))
        return Cases(before), Cases(after), grades

    @cache  # noqa: B019 - a handful of worlds
    def ideals(self, level, table):
        """For each list its topic's relevant documents and nothing else, best first."""
        worth, pairs = dict(table), []
        for qrels, lists in self.topics:
            good = [doc for doc, grade in qrels.items() if grade > 0 and grade >= level]
            good.sort(key=lambda doc: (-worth.get(qrels[doc], qrels[doc]), -qrels[doc]))
            pairs += [(qrels, listed(good))] * len(lists)
        return Cases(pairs)


def random_world(scales, seed=99):
    rng, topics = random.Random(seed), []
    for scale in scales:
        for _ in range(25):
            qrels, docs = random_topic(rng, SCALES[scale])
            lists = [{}, listed(docs), *(random_list(rng, docs) for _ in range(4))]
            topics.append((qrels, lists))
    pooled = {"a": 2, "b": 2, "p": -1}, [listed("a u p b")] * 12  # infAP trusts p more than u
    topics.append(pooled)
    return World(topics)


GENTLE = random_world([scale for scale in SCALES if scale != "steep"])
STEEP = random_world(SCALES)


def world_for(measure):
    """A scale with a top admits no grade above it."""
    topped = "max" in measure.parameters and measure.parameters.get("rel") is None
    return GENTLE if topped else STEEP
