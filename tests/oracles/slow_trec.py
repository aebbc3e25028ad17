"""trec_eval's own measures in slow and obvious loops, from their definitions."""

from __future__ import annotations

import math
from itertools import combinations

from oracles import slow

NAN = math.nan


def hits(qrels, run, rel):
    return [qrels.get(doc, -1) >= rel for doc in slow.ranking(run)]


def relevant(qrels, rel):
    return sum(grade >= rel for grade in qrels.values())


def gains(qrels, run):
    return [max(0, qrels.get(doc, 0)) for doc in slow.ranking(run)]


def ideal_gains(qrels):
    return sorted((grade for grade in qrels.values() if grade > 0), reverse=True)


def relative_p(qrels, run, *, rel, k):
    R = relevant(qrels, rel)
    return sum(hits(qrels, run, rel)[:k]) / min(k, R) if R else NAN


def rprec_mult(qrels, run, *, x, rel):
    R = relevant(qrels, rel)
    if not R:
        return NAN
    c = int(x * R + 0.9)
    return sum(hits(qrels, run, rel)[:c]) / c if c > 0 else 0.0


def mean_iprec(qrels, run, *, levels, rel, cut):
    """The walk from the list's end to its start that trec_eval makes, levels from the last on."""
    R, hit = relevant(qrels, rel), hits(qrels, run, rel)
    if not R:
        return NAN
    wanted = [slow_needed(R, float(x), cut) for x in levels.split(",")]
    values, found = [], sum(hit)
    while wanted and wanted[-1] > found:
        values.append(0.0)
        wanted.pop()
    best = 0.0
    for i in range(len(hit), 0, -1):
        best = max(best, found / i)
        if hit[i - 1]:
            while wanted and wanted[-1] == found:
                values.append(best)
                wanted.pop()
            found -= 1
    values += [best] * len(wanted)
    return sum(values) / len(values)


def slow_needed(R, x, cut):
    if cut == "exact":
        return next(n for n in range(R + 2) if n >= x * R - 1e-9)
    if cut == "9":
        return int(x * R + 0.9)
    return next(n for n in range(R + 2) if n + 0.5 > x * R)


def yaap(qrels, run, *, rel):
    found = total = 0
    for i, hit in enumerate(hits(qrels, run, rel), start=1):
        found += hit
        total += found / i if hit else 0
    return math.log((1 + total) / (1 + relevant(qrels, rel) - total))


def set_f_x(qrels, run, *, x, rel):
    R, found = relevant(qrels, rel), sum(hits(qrels, run, rel))
    if not R:
        return NAN
    if not found:
        return 0.0
    p, r = found / len(run), found / R
    return (x + 1) * p * r / (x * p + r)


def utility(qrels, run, *, a, b, c, d, N, rel):
    good = {doc for doc, grade in qrels.items() if grade >= rel}
    known = {*run, *(doc for doc, grade in qrels.items() if grade >= 0)}
    size = len({*known}) if N is None else N
    shown, missed = len(good & set(run)), len(good - set(run))
    others = len(run) - shown
    return a * shown + b * others + c * missed + d * (size - shown - missed - others)


def unjudged(qrels, run, *, k):
    return sum(qrels.get(doc, -1) < 0 for doc in slow.ranking(run)[:k]) / k


def num_nonrel_ret(qrels, run, *, rel):
    return sum(0 <= qrels.get(doc, -1) < rel for doc in run)


def bin_g(qrels, run, *, rel):
    total, others = 0.0, 0
    for hit in hits(qrels, run, rel):
        if hit:
            total += 1 / math.log2(2 + others)
        else:
            others += 1
    R = relevant(qrels, rel)
    return total / R if R else NAN


def g(qrels, run):
    ideal = ideal_gains(qrels)
    if not ideal:
        return NAN
    total = cost = got = 0.0
    for i, gain in enumerate(gains(qrels, run)):
        got += gain
        cost += max(1, ideal[i]) if i < len(ideal) else 1
        if gain:
            total += gain / math.log2(2 + cost - got)
    return total / sum(ideal)


def dcg_of(values):
    return sum(gain / math.log2(i + 1) for i, gain in enumerate(values, start=1))


def ideal_dcg(qrels, run):
    return dcg_of(ideal_gains(qrels))


def ndcg_rel(qrels, run):
    ideal, got = ideal_gains(qrels), gains(qrels, run)
    if not ideal:
        return NAN
    points = [
        dcg_of(got[:i]) / dcg_of(ideal[:i]) for i, gain in enumerate(got, start=1) if gain > 0
    ]
    points += [dcg_of(got) / dcg_of(ideal)] * (len(ideal) - len(points))
    return sum(points) / len(ideal)


def r_ndcg(qrels, run):
    ideal, got = ideal_gains(qrels), gains(qrels, run)
    ends = [i for i in range(1, len(ideal) + 1) if i == len(ideal) or ideal[i] != ideal[i - 1]]
    points = [dcg_of(got[:i]) / dcg_of(ideal[:i]) for i in ends]
    if ideal and len(got) > len(ideal) + 1:
        points.append(dcg_of(got) / dcg_of(ideal))
    return sum(points) / len(points) if points else NAN


def topic_rbp(qrels, run, *, p):
    top = max([1, *qrels.values()])
    return (1 - p) * sum(gain / top * p**i for i, gain in enumerate(gains(qrels, run)))


def rbp_residual(qrels, run, *, p):
    open_ranks = [i for i, doc in enumerate(slow.ranking(run)) if qrels.get(doc, -1) < 0]
    return p ** len(run) + (1 - p) * sum(p**i for i in open_ranks)


# ------------------------------------------------------------------------------------ preferences


def verdicts(qrels, run, among):
    """For each pair of different grades that counts, whether the better one stands first."""
    place = {doc: i for i, doc in enumerate(slow.ranking(run))}
    judged = [doc for doc, grade in qrels.items() if grade >= 0]
    found = []
    for pair in combinations(judged, 2):
        worse, better = sorted(pair, key=qrels.get)
        seen = (better in place) + (worse in place)
        if qrels[worse] < qrels[better] and seen >= {"all": 0, "implied": 1, "retrieved": 2}[among]:
            found.append(place.get(better, math.inf) < place.get(worse, math.inf))
    return found


def num_pref(qrels, run, *, among):
    return len(verdicts(qrels, run, among))


def num_pref_ok(qrels, run, *, among):
    return sum(verdicts(qrels, run, among))


def pref_simp(qrels, run, *, among):
    found = verdicts(qrels, run, among)
    if not verdicts(qrels, run, "all"):
        return NAN
    return sum(found) / len(found) if found else 0.0


pref_pair = pref_simp  # one judge: every pair has one preference
