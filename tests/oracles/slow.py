"""Every measure once more, in slow and obvious loops, straight from its definition.

Nothing here knows the kernels: judgments are {document: grade} (-1: pooled but not judged), a list
is {document: score}, equal scores stand by decreasing id.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

NAN = math.nan


def ranking(run):
    docs = sorted(run, reverse=True)
    docs.sort(key=lambda doc: -run[doc])
    return docs


def top(run, k):
    return [doc for i, doc in enumerate(ranking(run)) if i + 1 <= k]


def relevant(qrels, rel):
    return {doc for doc, grade in qrels.items() if grade >= rel}


def judged_docs(qrels):
    return {doc for doc, grade in qrels.items() if grade >= 0}


def worth(qrels, doc, gain, gains):
    grade = qrels.get(doc, 0)
    if grade < 0:
        return 0.0
    if gains is not None and grade in gains:
        grade = gains[grade]
    return 2**grade - 1 if gain == "exp" else grade


# ---------------------------------------------------------------------------- cumulated gain


def log2_discount(rank):
    return math.log2(rank + 1)


def zipf_discount(rank):
    return rank


def no_discount(rank):
    return 1


DISCOUNTS = {"log2": log2_discount, "zipf": zipf_discount, "none": no_discount}


def original_discount(b):
    def discount(rank):
        return 1 if rank < b else math.log(rank) / math.log(b)

    return discount


def gained(gains_by_rank, discount, k):
    return sum(gain / discount(i) for i, gain in enumerate(gains_by_rank, start=1) if i <= k)


def shown_gain(qrels, run, discount, gain, gains, k):
    return gained([worth(qrels, doc, gain, gains) for doc in ranking(run)], discount, k)


def best_gain(qrels, discount, gain, gains, k):
    all_gains = sorted((worth(qrels, doc, gain, gains) for doc in qrels), reverse=True)
    return gained(all_gains, discount, k)


def cg(qrels, run, *, gain, gains, k):
    return shown_gain(qrels, run, no_discount, gain, gains, k)


def dcg(qrels, run, *, gain, gains, discount, k):
    return shown_gain(qrels, run, DISCOUNTS[discount], gain, gains, k)


def ndcg(qrels, run, *, gain, gains, discount, k):
    best = best_gain(qrels, DISCOUNTS[discount], gain, gains, k)
    return shown_gain(qrels, run, DISCOUNTS[discount], gain, gains, k) / best if best else NAN


def dcg_jk(qrels, run, *, b, gain, gains, k):
    return shown_gain(qrels, run, original_discount(b), gain, gains, k)


def ndcg_jk(qrels, run, *, b, gain, gains, k):
    best = best_gain(qrels, original_discount(b), gain, gains, k)
    return shown_gain(qrels, run, original_discount(b), gain, gains, k) / best if best else NAN


# -------------------------------------------------------------------------------- precision


def precision(qrels, run, *, rel, k):
    return len(relevant(qrels, rel) & set(top(run, k))) / k


def recall(qrels, run, *, rel, k):
    good = relevant(qrels, rel)
    return len(good & set(top(run, k))) / len(good) if good else NAN


def f(qrels, run, *, beta, rel, k):
    good = relevant(qrels, rel)
    if not good:
        return NAN
    found = len(good & set(top(run, k)))
    if not found:
        return 0.0
    p, r = found / (k if k < math.inf else len(run)), found / len(good)
    return (1 + beta * beta) * p * r / (beta * beta * p + r)


def fallout(qrels, run, *, rel, k, N):
    good = relevant(qrels, rel)
    bad_shown = [doc for doc in top(run, k) if doc not in good]
    if N is None:
        bad = (set(run) | judged_docs(qrels)) - good
        return len(bad_shown) / len(bad) if bad else 0.0
    return len(bad_shown) / (N - len(good)) if len(good) < N else NAN


def success(qrels, run, *, rel, k):
    good = relevant(qrels, rel)
    return float(any(doc in good for doc in top(run, k))) if good else NAN


def rprec(qrels, run, *, rel):
    good = relevant(qrels, rel)
    return len(good & set(top(run, len(good)))) / len(good) if good else NAN


def iprec(qrels, run, *, rel, cut, k):
    good = relevant(qrels, rel)
    if not good:
        return NAN
    best, found = 0.0, 0
    for i, doc in enumerate(ranking(run), start=1):
        found += doc in good
        if cut == "exact":
            reached = Fraction(found, len(good)) >= Fraction(str(k))
        elif cut == "round":
            whole = Decimal(k * len(good)).quantize(Decimal(1), rounding=ROUND_HALF_UP)
            reached = found >= whole
        else:
            reached = found >= int(k * len(good) + 0.9)
        if reached:
            best = max(best, found / i)
    return best


def ap11(qrels, run, *, rel, cut):
    return sum(iprec(qrels, run, rel=rel, cut=cut, k=float(f"0.{i}")) for i in range(10)) / 11 + (
        iprec(qrels, run, rel=rel, cut=cut, k=1.0) / 11
    )


# ------------------------------------------------------------------------- average precision


def ap(qrels, run, *, rel, norm, k):
    good = relevant(qrels, rel)
    if not good:
        return NAN
    total, found = 0.0, 0
    for i, doc in enumerate(top(run, k), start=1):
        if doc in good:
            found += 1
            total += found / i
    return total / (len(good) if norm == "R" else min(len(good), k))


def inf_ap(qrels, run, *, rel):
    good = relevant(qrels, rel)
    if not good:
        return NAN
    total, hit, miss, waiting = 0.0, 0, 0, 0
    for above, doc in enumerate(ranking(run)):
        if doc not in qrels:
            continue
        if qrels[doc] < 0:
            waiting += 1
        elif qrels[doc] < rel:
            miss += 1
        else:
            value = 1 / (above + 1)
            if above:
                in_pool = (hit + miss + waiting) / above
                judged_relevant = (hit + 0.00001) / (hit + miss + 0.00002)
                value += above / (above + 1) * in_pool * judged_relevant
            total += value
            hit += 1
    return total / len(good)


def q(qrels, run, *, beta, rel, gain, gains, norm, k):
    good = relevant(qrels, rel)
    if not good:
        return NAN
    ideal = sorted((worth(qrels, doc, gain, gains) for doc in qrels), reverse=True)
    total, found, cumulated = 0.0, 0, 0.0
    for i, doc in enumerate(top(run, k), start=1):
        cumulated += worth(qrels, doc, gain, gains)
        if doc in good:
            found += 1
            total += (found + beta * cumulated) / (i + beta * sum(ideal[:i]))
    return total / (len(good) if norm == "R" else min(len(good), k))


def rr(qrels, run, *, rel, k):
    good = relevant(qrels, rel)
    if not good:
        return NAN
    return max((1 / i for i, doc in enumerate(top(run, k), start=1) if doc in good), default=0.0)


# ------------------------------------------------------------------------------- preferences


def bpref(qrels, run, *, rel):
    good, bad = relevant(qrels, rel), judged_docs(qrels) - relevant(qrels, rel)
    if not good:
        return NAN
    total = 0.0
    for doc in run:
        if doc in good:
            before = ranking(run)[: ranking(run).index(doc)]
            n = len([other for other in before if other in bad])
            total += 1 - min(n, len(good)) / min(len(bad), len(good)) if n else 1
    return total / len(good)


def accuracy(qrels, run, *, rel, k):
    good = relevant(qrels, rel)
    if not good:
        return NAN
    docs = top(run, k)
    pairs = [
        docs.index(a) < docs.index(b) for a in docs if a in good for b in docs if b not in good
    ]
    return sum(pairs) / len(pairs) if pairs else 0.5


# ----------------------------------------------------------------------------------- cascade


def rbp(qrels, run, *, p, rel, max, k):  # noqa: A002
    total = 0.0
    for i, doc in enumerate(top(run, k), start=1):
        grade = qrels.get(doc, 0)
        value = float(grade >= rel) if rel is not None else (grade / max if grade > 0 else 0.0)
        total += value * p ** (i - 1)
    return (1 - p) * total


def stops(grade, max, gain):  # noqa: A002
    if grade <= 0:
        return 0.0
    return (2**grade - 1) / 2**max if gain == "exp" else grade / (max + 1)


def expected_reciprocal_rank(grades, max, gain, k):  # noqa: A002
    still_reading, total = 1.0, 0.0
    for i, grade in enumerate(grades, start=1):
        if i <= k:
            total += still_reading * stops(grade, max, gain) / i
            still_reading *= 1 - stops(grade, max, gain)
    return total


def err(qrels, run, *, max, gain, k):  # noqa: A002
    return expected_reciprocal_rank([qrels.get(doc, 0) for doc in ranking(run)], max, gain, k)


def nerr(qrels, run, *, max, gain, k):  # noqa: A002
    best = expected_reciprocal_rank(sorted(qrels.values(), reverse=True), max, gain, k)
    return err(qrels, run, max=max, gain=gain, k=k) / best if best else NAN


# ----------------------------------------------------------------------------------- overlap


def rank_biased_overlap(one, other, p, depth):
    total = weights = 0.0
    for d in range(1, depth + 1):
        total += p ** (d - 1) * len(set(one[:d]) & set(other[:d])) / d
        weights += p ** (d - 1)
    return total / weights


def compat(qrels, run, *, p, normalize):
    shown = ranking(run)
    ideal = [doc for doc in shown if qrels.get(doc, 0) > 0]
    ideal += [doc for doc in qrels if qrels[doc] > 0 and doc not in run]
    ideal.sort(key=lambda doc: -qrels[doc])  # stable: the run's order within a grade
    if not ideal:
        return NAN
    depth = max(len(shown), len(ideal))
    overlap = rank_biased_overlap(shown, ideal, p, depth)
    return overlap / rank_biased_overlap(ideal, ideal, p, depth) if normalize else overlap


# -------------------------------------------------------------------------------------- sets


def set_p(qrels, run, *, rel, relative):
    good = relevant(qrels, rel)
    if relative and not good:
        return NAN
    most = min(len(run), len(good)) if relative else len(run)
    return len(good & set(run)) / most if most else 0.0


def set_r(qrels, run, *, rel):
    good = relevant(qrels, rel)
    return len(good & set(run)) / len(good) if good else NAN


def set_f(qrels, run, *, rel, beta):
    p, r = set_p(qrels, run, rel=rel, relative=False), set_r(qrels, run, rel=rel)
    if math.isnan(r):
        return NAN
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p else 0.0


def set_ap(qrels, run, *, rel):
    return set_p(qrels, run, rel=rel, relative=False) * set_r(qrels, run, rel=rel)


# ------------------------------------------------------------------------------------ counts


def num_q(qrels, run):
    return 1


def num_ret(qrels, run, *, rel):
    return len([doc for doc in run if rel is None or qrels.get(doc, 0) >= rel])


def num_rel(qrels, run, *, rel):
    return len(relevant(qrels, rel))


def num_rel_ret(qrels, run, *, rel, k):
    return len(relevant(qrels, rel) & set(top(run, k)))


def judged(qrels, run, *, k):
    docs = top(run, k)
    return len([doc for doc in docs if qrels.get(doc, -1) >= 0]) / len(docs) if docs else 0.0


from oracles.slow_papers import *  # noqa: E402, F403 - the measures of the papers, which build on these
from oracles.slow_trec import (  # noqa: E402, F401 - trec_eval's own, which build on these
    bin_g,
    g,
    ideal_dcg,
    mean_iprec,
    ndcg_rel,
    num_nonrel_ret,
    num_pref,
    num_pref_ok,
    pref_pair,
    pref_simp,
    r_ndcg,
    rbp_residual,
    relative_p,
    rprec_mult,
    set_f_x,
    topic_rbp,
    unjudged,
    utility,
    yaap,
)
