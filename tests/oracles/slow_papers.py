"""The measures of the papers once more, in slow and obvious loops, straight from the formulas.

Documents of odd grade are those that the user knew, and as many are wanted (`lists.is_known`).
"""

from __future__ import annotations

import math

from oracles import slow

NAN = math.nan


def gains_shown(qrels, run, gain, gains):
    return [slow.worth(qrels, doc, gain, gains) for doc in slow.ranking(run)]


def ideal_gains(qrels, gain, gains):
    return sorted((slow.worth(qrels, doc, gain, gains) for doc in qrels), reverse=True)


def first(values, k):
    return [value for i, value in enumerate(values, start=1) if i <= k]


def at(values, i):
    return values[i - 1] if i <= len(values) else 0.0


# ------------------------------------------------------------------------------ sliding ratios


def sliding(qrels, run, ideal, gain, gains, k, weight):
    shown = gains_shown(qrels, run, gain, gains)
    best = ideal_gains(qrels, gain, gains)
    if not sum(best):
        return NAN
    if ideal == "retrieved":
        best = sorted(shown, reverse=True)
    whole = sum(g * weight(i) for i, g in enumerate(first(best, k), start=1))
    part = sum(g * weight(i) for i, g in enumerate(first(shown, k), start=1))
    return part / whole if whole else 0.0


def ncg(qrels, run, *, gain, gains, k):
    return sliding(qrels, run, "recall_base", gain, gains, k, lambda i: 1)


def sr(qrels, run, *, ideal, gain, gains, k):
    return sliding(qrels, run, ideal, gain, gains, k, lambda i: 1)


def msr(qrels, run, *, ideal, gain, gains, k):
    return sliding(qrels, run, ideal, gain, gains, k, lambda i: 1 / i)


# ------------------------------------------------------------------- averages of gain vectors


def vector(gains_by_rank, k, b=None):
    """CG or, with a base, DCG at the ranks 1, ..., k."""
    running, out = 0.0, []
    for i in range(1, k + 1):
        discount = 1 if b is None or i < b else math.log(i) / math.log(b)
        running += at(gains_by_rank, i) / discount
        out.append(running)
    return out


def mean_of(values, start):
    return sum(values[start - 1 :]) / len(values[start - 1 :])


def avg_cg(qrels, run, *, gain, gains, k, start):
    return mean_of(vector(gains_shown(qrels, run, gain, gains), k), start)


def avg_dcg_jk(qrels, run, *, b, gain, gains, k, start):
    return mean_of(vector(gains_shown(qrels, run, gain, gains), k, b), start)


def avg_ndcg_jk(qrels, run, *, gain, gains, k, start, b=None):
    best = ideal_gains(qrels, gain, gains)
    if not sum(best):
        return NAN
    pairs = zip(vector(gains_shown(qrels, run, gain, gains), k, b), vector(best, k, b), strict=True)
    return mean_of([shown / ideal for shown, ideal in pairs], start)


avg_ncg = avg_ndcg_jk

# ---------------------------------------------------------------------------- graded precision


def gp(qrels, run, *, max, gain, gains, k):  # noqa: A002
    whole = slow.worth({"top": max}, "top", gain, gains)
    return sum(g / whole for g in first(gains_shown(qrels, run, gain, gains), k)) / k


def gr(qrels, run, *, gain, gains, k):
    whole = sum(ideal_gains(qrels, gain, gains))
    return sum(first(gains_shown(qrels, run, gain, gains), k)) / whole if whole else NAN


def weighted(qrels, run, shown, best, rel, norm, k):
    good = slow.relevant(qrels, rel)
    if not good:
        return NAN
    total = 0.0
    for n, doc in enumerate(slow.top(run, k), start=1):
        if doc in good and sum(best[:n]):
            total += sum(shown[:n]) / sum(best[:n])
    return total / (len(good) if norm == "R" else min(len(good), k))


def wap(qrels, run, *, rel, gain, gains, norm, k):
    shown, best = gains_shown(qrels, run, gain, gains), ideal_gains(qrels, gain, gains)
    return weighted(qrels, run, shown, best, rel, norm, k)


def agr(qrels, run, *, levels, step, rel, gain, gains, norm, k):
    judged = [grade for grade in qrels.values() if grade >= 0]
    R = len(slow.relevant(qrels, rel))

    def adjusted(grade, among):
        if grade < rel or not R:
            return 0.0
        own, lower = (slow.worth({"d": g}, "d", gain, gains) for g in (grade, max(0, grade - step)))
        return own - among.count(grade) / R * (own - lower)

    retrieved = [qrels[doc] for doc in run if qrels.get(doc, -1) >= 0]
    among = judged if levels == "recall_base" else retrieved
    shown = [adjusted(qrels.get(doc, -1), among) for doc in slow.ranking(run)]
    best = sorted((adjusted(grade, judged) for grade in judged), reverse=True)
    return weighted(qrels, run, shown, best, rel, norm, k) if sum(best) else NAN


# -------------------------------------------------------------------- distances, correlations


def two_orders(qrels, run, unretrieved):
    """The grade of each judged document and its level by the system, larger is better."""
    docs = sorted(slow.judged_docs(qrels))
    missed = sorted((doc for doc in docs if doc not in run), key=lambda doc: -qrels[doc])
    low = min(run.values(), default=0.0) - 1
    last = {doc: low - (len(missed) - i) * (unretrieved == "worst") for i, doc in enumerate(missed)}
    return [qrels[doc] for doc in docs], [run.get(doc, last.get(doc)) for doc in docs]


def pair_counts(user, system):
    """C+, C-, Cu (tied by the system only), pairs tied by the user."""
    agree = against = level = user_tied = 0
    for i in range(len(user)):
        for j in range(i):
            product = (user[i] - user[j]) * (system[i] - system[j])
            agree += product > 0
            against += product < 0
            user_tied += user[i] == user[j]
            level += user[i] != user[j] and system[i] == system[j]
    return agree, against, level, user_tied


def ndpm(qrels, run, *, unretrieved):
    agree, against, level, _ = pair_counts(*two_orders(qrels, run, unretrieved))
    C = agree + against + level
    return (2 * against + level) / (2 * C) if C else NAN


def ndpm_performance(qrels, run, *, unretrieved):
    return 1 - ndpm(qrels, run, unretrieved=unretrieved)


def ranks_of(values):
    return [
        sum(other > value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def rho(qrels, run, *, unretrieved):
    user, system = two_orders(qrels, run, unretrieved)
    if len(set(user)) < 2:
        return NAN
    if len(set(system)) < 2:
        return 0.0
    x, y = ranks_of(user), ranks_of(system)
    mx, my = sum(x) / len(x), sum(y) / len(y)
    cov = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return cov / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def tau_a(qrels, run, *, unretrieved):
    user, system = two_orders(qrels, run, unretrieved)
    agree, against, level, _ = pair_counts(user, system)
    n = len(user)
    return (agree - against) / (n * (n - 1) / 2) if agree + against + level else NAN


def tau_b(qrels, run, *, unretrieved):
    user, system = two_orders(qrels, run, unretrieved)
    agree, against, level, _ = pair_counts(user, system)
    ordered = agree + against + level
    if not ordered:
        return NAN
    n = len(user)
    by_system = n * (n - 1) / 2 - sum(system[i] == system[j] for i in range(n) for j in range(i))
    return (agree - against) / math.sqrt(ordered * by_system) if by_system else 0.0


def tau_c(qrels, run, *, unretrieved):
    user, system = two_orders(qrels, run, unretrieved)
    agree, against, level, _ = pair_counts(user, system)
    if not agree + against + level:
        return NAN
    n, m = len(user), min(len(set(user)), len(set(system)))
    return (agree - against) * 2 * m / (n**2 * (m - 1)) if m > 1 else 0.0


def scaled(run, norm):
    """Every score from 0 to 1."""
    if norm == "none" or not run:
        return dict(run)
    high, low = max(run.values()), 0.0 if norm == "max" else min(run.values())
    if high <= low:
        return dict.fromkeys(run, 1.0)
    return {doc: min(1.0, max(0.0, (score - low) / (high - low))) for doc, score in run.items()}


def adm(qrels, run, *, norm, max, N):  # noqa: A002
    scores, docs = scaled(run, norm), slow.judged_docs(qrels)
    best = 1 if norm == "none" else max
    far = sum(min(1, abs(scores.get(doc, 0.0) - qrels[doc] / best)) for doc in docs)
    if N is None:
        return 1 - far / len(docs) if docs else NAN
    return 1 - (far + sum(min(1, abs(scores[doc])) for doc in run if doc not in docs)) / N


# ------------------------------------------------------------------------------ search lengths


def collection(qrels, run, N):
    return len(slow.judged_docs(qrels) | set(run)) if N is None else N


def over_relevant(qrels, run, rel, N, unretrieved, f):
    """The values f(rank) of all relevant documents; the mean over the ranks of the last level."""
    good, docs = slow.relevant(qrels, rel), slow.ranking(run)
    size, left = collection(qrels, run, N), len(good - set(run))
    values = [f(i) for i, doc in enumerate(docs, start=1) if doc in good]
    rest = [f(i) for i in range(len(docs) + 1, size + 1)]
    if unretrieved == "worst":
        return values + rest[len(rest) - left :]
    return values + [sum(rest) / len(rest)] * left if left else values


def asl(qrels, run, *, rel, N, unretrieved):
    ranks = over_relevant(qrels, run, rel, N, unretrieved, float)
    return sum(ranks) / len(ranks) if ranks else NAN


def weak_levels(qrels, run, rel, N, unretrieved):
    """(relevant, other) documents of each level of the whole collection."""
    good = slow.relevant(qrels, rel)
    levels = []
    for score in sorted(set(run.values()), reverse=True):
        docs = [doc for doc in run if run[doc] == score]
        r = len([doc for doc in docs if doc in good])
        levels.append((r, len(docs) - r))
    left = len(good - set(run))
    others = collection(qrels, run, N) - len(run) - left
    return levels + ([(0, others), (left, 0)] if unretrieved == "worst" else [(left, others)])


def log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def before_the(n, levels):
    """(probability, other documents before the n-th relevant one) over random orders."""
    t = j = 0
    for r, i in levels:
        if t < n <= t + r:
            s = n - t
            return [
                (
                    math.exp(
                        log_choose(v + s - 1, v)
                        + log_choose(i - v + r - s, i - v)
                        - log_choose(i + r, i)
                    ),
                    j + v,
                )
                for v in range(i + 1)
            ]
        t, j = t + r, j + i
    return []


def esl(qrels, run, *, n, count, N, rel, unretrieved):
    if len(slow.relevant(qrels, rel)) < n:
        return NAN
    outcomes = before_the(n, weak_levels(qrels, run, rel, N, unretrieved))
    return sum(p * v for p, v in outcomes) + (n if count == "all" else 0)


def esrf(qrels, run, *, n, N, rel, unretrieved):
    length = esl(qrels, run, n=n, count="nonrelevant", N=N, rel=rel, unretrieved=unretrieved)
    R = len(slow.relevant(qrels, rel))
    others = collection(qrels, run, N) - R
    if math.isnan(length):
        return NAN
    return 1 - length / sum(p * v for p, v in before_the(n, [(R, others)])) if others else 0.0


def recall_number(qrels, rel, k, interpolation):
    R = len(slow.relevant(qrels, rel))
    if interpolation == "intuitive" and k:
        return k * R
    return next(n for n in range(1, R + 1) if n / R >= k - 1e-12)


def prr(qrels, run, *, k, interpolation, N, rel, unretrieved):
    if not slow.relevant(qrels, rel):
        return NAN
    n = recall_number(qrels, rel, k, interpolation)
    outcomes = before_the(n, weak_levels(qrels, run, rel, N, unretrieved))
    return n / (n + sum(p * v for p, v in outcomes))


def ep(qrels, run, *, k, interpolation, N, rel, unretrieved):
    if not slow.relevant(qrels, rel):
        return NAN
    n = recall_number(qrels, rel, k, interpolation)
    outcomes = before_the(n, weak_levels(qrels, run, rel, N, unretrieved))
    return sum(p * n / (n + v) for p, v in outcomes)


def half(gains_by_rank):
    whole, running = sum(gains_by_rank), 0.0
    for i, g in enumerate(gains_by_rank, start=1):
        if g and running + g >= whole / 2:
            return i - 1 + (whole / 2 - running) / g
        running += g
    return NAN


def rhl(qrels, run, *, N, gain, gains, k):
    best = ideal_gains(qrels, gain, gains)
    if not sum(best):
        return NAN
    shown = first(gains_shown(qrels, run, gain, gains), k)
    if sum(shown):
        return half(shown)
    ascending = [g for g in reversed(best) if g]
    return half([0.0] * (collection(qrels, run, N) - len(ascending)) + ascending)


# ------------------------------------------------------------------------------------- SMART


def norm_recall(qrels, run, *, rel, N, unretrieved):
    """As the area under the ROC curve: pairs in order, those of one level half."""
    good = slow.relevant(qrels, rel)
    levels = [(1, 0) if doc in good else (0, 1) for doc in slow.ranking(run)]
    levels += weak_levels(qrels, run, rel, N, unretrieved)[len(set(run.values())) :]
    R, others = len(good), sum(i for _, i in levels)
    if not R or (N is not None and not others):
        return NAN
    if not others:
        return 1.0
    area, before = 0.0, 0
    for r, i in levels:
        area += r * (others - before - i) + r * i / 2
        before += i
    return area / (R * others)


def norm_precision(qrels, run, *, rel, N, unretrieved):
    logs = over_relevant(qrels, run, rel, N, unretrieved, math.log)
    size, R = collection(qrels, run, N), len(logs)
    if not R or (N is not None and size == R):
        return NAN
    if size == R:
        return 1.0
    least = sum(math.log(i) for i in range(1, R + 1))
    return 1 - (sum(logs) - least) / math.log(math.comb(size, R))


def rank_recall(qrels, run, *, rel, N, unretrieved):
    ranks = over_relevant(qrels, run, rel, N, unretrieved, float)
    return sum(range(1, len(ranks) + 1)) / sum(ranks) if ranks else NAN


def log_precision(qrels, run, *, rel, N, unretrieved):
    logs = over_relevant(qrels, run, rel, N, unretrieved, math.log)
    if not logs:
        return NAN
    return sum(math.log(i) for i in range(1, len(logs) + 1)) / sum(logs) if sum(logs) else 1.0


# ----------------------------------------------------------------------------------- Korfhage


def satisfaction(qrels, run, *, k, rel, gain, gains):
    good = slow.relevant(qrels, rel)
    if not good:
        return NAN
    shown = [slow.worth(qrels, d, gain, gains) * (d in good) for d in slow.ranking(run)]
    best = sum(first(sorted(shown, reverse=True), k))
    return sum(first(shown, k)) / best if best else 0.0


def frustration(qrels, run, *, k, rel):
    good = slow.relevant(qrels, rel)
    bad = [doc not in good for doc in slow.ranking(run)]
    worst = sum(first(sorted(bad, reverse=True), k))
    return sum(first(bad, k)) / worst if worst else 0.0


def sft(qrels, run, *, w, k, rel, gain, gains):
    s = satisfaction(qrels, run, k=k, rel=rel, gain=gain, gains=gains)
    return w * s + (1 - w) * (1 - frustration(qrels, run, k=k, rel=rel))


# ------------------------------------------------------------------------------------- levels


def mu_ap(qrels, run):
    used = sorted({grade for grade in qrels.values() if grade >= 0})
    total = weights = 0.0
    for below, level in zip([0.0, *used], used, strict=False):
        if level > below:
            total += (level - below) * slow.ap(qrels, run, rel=level, norm="R", k=math.inf)
            weights += level - below
    return total / weights if weights else NAN


def ndcng(qrels, run, *, max, k):  # noqa: A002
    best = sorted(qrels.values(), reverse=True)[:1]
    if not best or best[0] <= 0:
        return NAN
    m = max or best[0]
    scale = {doc: grade / m for doc, grade in qrels.items() if grade >= 0}
    return slow.ndcg(scale, run, gain="exp", gains=None, discount="log2", k=k)


# ------------------------------------------------------------------------------------- scores


def rsv(qrels, run, k, rel, norm, short, part):
    """The mean over the ranks of part(s', p)."""
    scores, good = scaled(run, norm), slow.relevant(qrels, rel)
    values = [part(scores[doc], float(doc in good)) for doc in slow.top(run, k)]
    if short == "pad":
        values += [part(0.0, 0.0)] * (k - len(values))
    n = len(values) if short == "retrieved" else k
    return sum(values) / n if n else 0.0


def rsv_r1(qrels, run, *, k, rel, norm, short):
    return rsv(qrels, run, k, rel, norm, short, lambda s, p: s * p)


def rsv_e1(qrels, run, *, k, rel, norm, short):
    return rsv(qrels, run, k, rel, norm, short, lambda s, p: s * (1 - p))


def rsv_r2(qrels, run, *, k, rel, norm, short):
    return rsv(qrels, run, k, rel, norm, short, lambda s, p: s * p + (1 - s) * (1 - p))


def rsv_e2(qrels, run, *, k, rel, norm, short):
    return rsv(qrels, run, k, rel, norm, short, lambda s, p: s * (1 - p) + (1 - s) * p)


def rsv_r3(qrels, run, *, k, rel, norm, short):
    return rsv(qrels, run, k, rel, norm, short, lambda s, p: p + (1 - s) * (1 - p))


def relative_relevance(qrels, run, *, norm, gain, gains):
    if not sum(ideal_gains(qrels, gain, gains)):
        return NAN
    scores = scaled(run, norm)
    docs = [doc for doc in run if qrels.get(doc, -1) >= 0]
    x, y = [scores[doc] for doc in docs], [slow.worth(qrels, doc, gain, gains) for doc in docs]
    length = math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))
    return sum(a * b for a, b in zip(x, y, strict=True)) / length if length else 0.0


# ------------------------------------------------------------------------------ effectiveness


def e_measure(qrels, run, *, b, rel, k):
    return 1 - slow.f(qrels, run, beta=b, rel=rel, k=k)


def scaled_utility(qrels, run, *, credit, debit, s, rel, k):
    good, docs = slow.relevant(qrels, rel), slow.top(run, k)
    utility = sum(credit if doc in good else -debit for doc in docs)
    least, most = -debit * s, credit * len(good)
    return (max(utility, least) - least) / (most - least)


def is_known(qrels, doc):
    return int(qrels[doc]) % 2 == 1


def coverage(qrels, run, *, known, rel, k):
    mine = {doc for doc in slow.relevant(qrels, rel) if is_known(qrels, doc)}
    return len(mine & set(slow.top(run, k))) / len(mine) if mine else NAN


def novelty(qrels, run, *, known, rel, k):
    good = slow.relevant(qrels, rel)
    if not good:
        return NAN
    shown = [doc for doc in slow.top(run, k) if doc in good]
    fresh = [doc for doc in shown if not is_known(qrels, doc)]
    return len(fresh) / len(shown) if shown else 0.0


def relative_recall(qrels, run, *, wanted, rel, k):
    number = len([doc for doc in slow.judged_docs(qrels) if is_known(qrels, doc)])
    shown = slow.relevant(qrels, rel) & set(slow.top(run, k))
    return len(shown) / number if number else NAN
