"""Evaluation as slow obvious loops over dictionaries: what `assay.evaluate` must come to.

Shares no code with the package. A run is a list of (topic, document, score); judgments are
{topic: {document: grade}}. A list is [(document, first, last)], best first; `first` and `last` are
the ranks of its group of ties. Measures take (grade by document, list, k).
"""

from __future__ import annotations

import math
import struct
from itertools import permutations, product


def ranked(rows, topic, *, precision="float64", ignore_self=False):
    """A topic's list: by score, then by the bytes of the id, both descending."""
    scores = {}
    for t, doc, score in rows:
        if t == topic and not (ignore_self and doc == topic):
            scores[doc] = to_float32(score) if precision == "float32" else score
    ordered = sorted(scores.items(), key=lambda item: (item[1], item[0].encode()), reverse=True)
    of_score = {}
    for rank, (_, score) in enumerate(ordered, 1):
        of_score.setdefault(score, []).append(rank)
    return [(doc, of_score[score][0], of_score[score][-1]) for doc, score in ordered]


def to_float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def condense(ranking, judged):
    """The list without the documents that nobody judged."""
    kept = [item for item in ranking if judged.get(item[0], -1) >= 0]
    groups = [first for _, first, _ in kept]
    return [
        (doc, groups.index(first) + 1, groups.index(first) + groups.count(first))
        for doc, first, _ in kept
    ]


def orders(ranking):
    """All lists that break the ties of a list in some order."""
    groups = {}
    for doc, first, _ in ranking:
        groups.setdefault(first, []).append(doc)
    for choice in product(*(permutations(group) for group in groups.values())):
        docs = [doc for group in choice for doc in group]
        yield [(doc, rank, rank) for rank, doc in enumerate(docs, 1)]


# ---------------------------------------------------------------------------------------- measures


def gains(judged, ranking, k):
    return [max(0.0, judged.get(doc, 0.0)) for doc, _, _ in ranking][: None if k is None else k]


def relevant(judged):
    return sum(grade >= 1 for grade in judged.values())


def discounted(values):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(values, 1))


def ndcg(judged, ranking, k):
    ideal = discounted(sorted((max(0.0, g) for g in judged.values()), reverse=True)[:k])
    return discounted(gains(judged, ranking, k)) / ideal if ideal else math.nan


def ap(judged, ranking, k):
    found = total = 0
    for rank, gain in enumerate(gains(judged, ranking, k), 1):
        if gain >= 1:
            found += 1
            total += found / rank
    return total / relevant(judged) if relevant(judged) else math.nan


def rr(judged, ranking, k):
    for rank, gain in enumerate(gains(judged, ranking, k), 1):
        if gain >= 1:
            return 1 / rank
    return 0.0 if relevant(judged) else math.nan


def precision(judged, ranking, k):
    return sum(gain >= 1 for gain in gains(judged, ranking, k)) / k


def recall(judged, ranking, k):
    found = sum(gain >= 1 for gain in gains(judged, ranking, k))
    return found / relevant(judged) if relevant(judged) else math.nan


def bpref(judged, ranking, _):
    """Of judged documents only; a negative grade is no judgment."""
    R, N = relevant(judged), sum(0 <= grade < 1 for grade in judged.values())
    above = total = 0
    for doc, _, _ in ranking:
        if judged.get(doc, -1) >= 1:
            total += 1 - min(above, R) / min(R, N) if above else 1
        elif judged.get(doc, -1) >= 0:
            above += 1
    return total / R if R else math.nan


def judged_share(judged, ranking, k):
    shown = [judged.get(doc, -1) >= 0 for doc, _, _ in ranking[:k]]
    return sum(shown) / len(shown) if shown else math.nan


def retrieved(_, ranking, __):
    return float(len(ranking))


def cascade(judged, ranking, k, top):
    """ERR, with 2^max - 1 of the scale's top."""
    stays = 1.0
    total = 0.0
    for rank, gain in enumerate(gains(judged, ranking, k), 1):
        stop = (2**gain - 1) / 2**top
        total += stays * stop / rank
        stays *= 1 - stop
    return total


MEASURES = {
    "nDCG": (ndcg, None),
    "nDCG@3": (ndcg, 3),
    "AP": (ap, None),
    "AP@4": (ap, 4),
    "RR": (rr, None),
    "RR@2": (rr, 2),
    "P@5": (precision, 5),
    "R@3": (recall, 3),
    "Bpref": (bpref, None),
    "NumRet": (retrieved, None),
}


# -------------------------------------------------------------------------------------- evaluation


def value(measure, judged, ranking, *, unjudged="nonrelevant", ties="trec", better=max, worse=min):
    """One topic's value under the policies on ties and unjudged documents."""
    function, k = measure if isinstance(measure, tuple) else MEASURES[measure]
    if unjudged == "condensed":
        ranking = condense(ranking, judged)
    if ties == "trec":
        return function(judged, ranking, k)
    found = [function(judged, order, k) for order in orders(ranking)]
    if ties == "expected":
        return sum(found) / len(found)
    return (better if ties == "best" else worse)(found)


def evaluate(
    judgments,
    rows,
    measures,
    *,
    missing="worst",
    undefined="skip",
    unjudged="nonrelevant",
    ties="trec",
    precision="float64",
    negative="unjudged",
    ignore_self=False,
    topics=None,
):
    """{measure: {topic: value}} of one run, NaN where a value is left out; and why."""
    values, reasons = {}, {}
    for measure in measures:
        for topic in judgments if topics is None else topics:
            if topic not in judgments:
                values[measure, topic], reasons[measure, topic] = math.nan, "not judged"
                continue
            judged = dict(judgments[topic])
            if negative == "nonrelevant":
                judged = {doc: max(0.0, grade) for doc, grade in judged.items()}
            known = {doc: grade for doc, grade in judged.items() if grade >= 0}
            ranking = ranked(rows, topic, precision=precision, ignore_self=ignore_self)
            found = value(measure, known, ranking, unjudged=unjudged, ties=ties)
            reason = ""
            if math.isnan(found):
                reason = "undefined"
                found = 0.0 if undefined == "zero" else math.nan
            elif not ranking:
                reason = "missing"
                found = 0.0 if missing == "worst" else math.nan
            values[measure, topic], reasons[measure, topic] = found, reason
    return values, reasons
