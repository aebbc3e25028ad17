"""One topic's judgments and list as the arrays that kernels take, built by obvious loops.

Judgments are {document: grade}, -1 meaning pooled but not judged; a list is {document: score}.
"""

from __future__ import annotations

import math

import numpy as np

from assay.measures import parse

PADDING = {"rank": math.inf, "pooled": math.inf, "tie_first": math.inf, "tie_last": math.inf}
PADDING |= {"missed": -1, "scores": math.nan, "better": math.nan, "worse": math.nan}
VECTORS = ("grade", "rank", "base", "pooled", "score", "tie_first", "tie_last", "missed", "scores")
VECTORS += ("known", "known_base", "better", "worse", "votes", "against")


def in_order(run):
    """Document ids by decreasing score, equal scores by decreasing id."""
    return sorted(run, key=lambda doc: (run[doc], doc), reverse=True)


def is_known(grade):
    """The documents that the user knew, in tests: those of odd grade."""
    return float(int(grade) % 2 == 1)


def fields(qrels, run):
    """Every field of a ranking of one topic, under the names that kernels use."""
    order = in_order(run)
    judged = {doc: grade for doc, grade in qrels.items() if grade >= 0}
    met = [(i, doc) for i, doc in enumerate(order, start=1) if doc in judged]
    ranks_of = {}
    for i, doc in enumerate(order, start=1):
        ranks_of.setdefault(run[doc], []).append(i)
    place = {doc: order.index(doc) + 1 if doc in run else math.inf for doc in judged}
    preferred = [(a, b) for a in judged for b in judged if judged[a] > judged[b]]
    return {
        "grade": [judged[doc] for _, doc in met],
        "rank": [i for i, _ in met],
        "base": sorted(judged.values(), reverse=True),
        "judged": len(judged),
        "retrieved": len(order),
        "pooled": [i for i, doc in enumerate(order, start=1) if qrels.get(doc, 0) < 0],
        "score": [run[doc] for _, doc in met],
        "tie_first": [ranks_of[run[doc]][0] for _, doc in met],
        "tie_last": [ranks_of[run[doc]][-1] for _, doc in met],
        "missed": sorted((grade for doc, grade in judged.items() if doc not in run), reverse=True),
        "scores": [run[doc] for doc in order],
        "better": [place[better] for better, _ in preferred],
        "worse": [place[worse] for _, worse in preferred],
        "votes": [1.0] * len(preferred),
        "against": [0.0] * len(preferred),
        "known": [is_known(judged[doc]) for _, doc in met],
        "known_base": [is_known(grade) for grade in sorted(judged.values(), reverse=True)],
        "wanted": len([grade for grade in judged.values() if is_known(grade)]),
    }


def batch(cases, spare=0):
    """The fields of several (judgments, list) pairs as arrays, padded to the longest + `spare`."""
    rows = [fields(*case) for case in cases]
    arrays = {}
    for name in rows[0]:
        column = [row[name] for row in rows]
        if name in VECTORS:
            width = max(map(len, column)) + spare
            column = [list(row) + [PADDING.get(name, 0)] * (width - len(row)) for row in column]
            arrays[name] = np.asarray(column, dtype=np.float64).reshape(len(rows), width)
        else:
            arrays[name] = np.asarray(column, dtype=np.float64)
    return arrays


def wanted(measure, arrays, *, expected=False):
    """The fields that a measure asks for."""
    names = measure.definition.fields + (("tie_first", "tie_last") if expected else ())
    return {name: arrays[name] for name in names}


def values(measure, cases, *, expected=False, spare=0):
    """One value for each (judgments, list) pair."""
    measure = parse(measure)
    kernel_input = wanted(measure, batch(cases, spare), expected=expected)
    return np.asarray(measure.kernel(**kernel_input))


def value(measure, qrels, run, *, expected=False):
    """The value for one pair."""
    return float(values(measure, [(qrels, run)], expected=expected)[0])


def listed(docs):
    """A list without ties, from documents in rank order: 'a b c' or ['a', 'b', 'c']."""
    docs = docs.split() if isinstance(docs, str) else list(docs)
    return {doc: float(len(docs) - i) for i, doc in enumerate(docs)}


def random_topic(rng, grades=(0, 0, 1, 1, 2, 3), most=9):
    """Judgments of a topic and all ids that a list may hold: judged, pooled and unknown ones."""
    judged = {f"d{i}": rng.choice(grades) for i in range(rng.randint(0, most))}
    pooled = {f"p{i}": -1 for i in range(rng.randint(0, 2))}
    unknown = [f"u{i}" for i in range(rng.randint(0, 4))]
    qrels = judged | pooled
    return qrels, [*qrels, *unknown]


def random_list(rng, docs, *, ties=False):
    """A list of some of the documents in a random order."""
    some = rng.sample(docs, rng.randint(0, len(docs)))
    if ties:
        return {doc: float(rng.randint(1, 3)) for doc in some}
    return listed(some)
