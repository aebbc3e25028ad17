"""The numbers that five papers print of a measure, and assay's own for each."""

from __future__ import annotations

import math
import random
from functools import cache

import numpy as np
from scipy import stats

import assay
from assay.align import Judged
from assay.measures import parse
from assay.measures.average_precision import ap
from assay.measures.discounts import original
from assay.measures.graded_precision import adjusted
from assay.measures.weak_orders import middle, pairs
from golden.cases import BY_ID, reproduces, result


def by_scores(measure, grades, scores):
    """A user's grades and a system's scores of the same documents, through `assay.evaluate`."""
    found = assay.evaluate({"topic": grades}, {"topic": scores}, measure)
    return float(found.values[0, 0, 0, 0])


def by_ranks(measure, gains, ideal):
    """Gains of the ranks 1, 2, ... against an ideal that need not hold the same documents."""
    measure = parse(measure)
    gains, ideal = (np.asarray(values, dtype=np.float64) for values in (gains, ideal))
    arrays = {
        "grade": gains,
        "rank": np.arange(1.0, len(gains) + 1),
        "base": np.sort(ideal)[::-1],
        "judged": np.asarray(float(len(ideal))),
        "retrieved": np.asarray(float(len(gains))),
    }
    return float(measure.kernel(**{name: arrays[name] for name in measure.definition.fields}))


def documents(values):
    return {f"d{i}": float(value) for i, value in enumerate(values, start=1)}


# ---------------------------------------------------------------------------------- Zhou & Yao


def ranks(scores):
    return [len(scores) - float(place) for place in middle(np.asarray(scores))]


@reproduces("ranks_desc")
def _(case):
    return "ranks of Rho", ranks(case["inputs"]["scores"])


@reproduces("rank_difference", "rank_difference_squared")
def _(case):
    user, system = (ranks(case["inputs"][side]) for side in ("ur", "irs"))
    power = 2 if case["measure"].endswith("squared") else 1
    return "ranks of Rho", [(x - y) ** power for x, y in zip(user, system, strict=True)]


@reproduces("spearman")
def _(case):
    user, system = (documents(case["inputs"][side]) for side in ("ur", "irs"))
    return "Rho", by_scores("Rho", user, system)


def of_orders(case):
    user, system = (case["inputs"][side] for side in ("ur_order", "irs_order"))
    return ({doc: len(order) - i for i, doc in enumerate(order)} for order in (user, system))


@reproduces("kendall_tau")
def _(case):
    user, system = of_orders(case)
    return "TauA", by_scores("TauA", user, system)


def counted(user, system):
    """Pairs of a user's and a system's levels."""
    docs = sorted(user, key=lambda doc: -system[doc])
    first = [1.0 + sum(system[other] > system[doc] for other in docs) for doc in docs]
    grade, level = (np.asarray(x, dtype=np.float64) for x in ([user[d] for d in docs], first))
    place = np.arange(1.0, len(docs) + 1)
    return pairs(grade, place, level, np.asarray([-1.0]), "tied")


@reproduces("kendall_pair_counts")
def _(case):
    p = counted(*of_orders(case))
    return "pairs of TauA", [float(p.ordered - p.against - p.level), float(p.against)]


@reproduces("ndpm_counts")
def _(case):
    p = counted(case["inputs"]["user_levels"], case["inputs"]["system_levels"])
    fields = {"C": p.ordered, "C-": p.against, "Cu": p.level}
    return "pairs of NDPM", float(fields[case["parameters"]["which"]])


@reproduces("ndpm")
def _(case):
    levels = (case["inputs"][side] for side in ("user_levels", "system_levels"))
    return "NDPM", by_scores("NDPM", *levels)


@reproduces("1-ndpm")
def _(case):
    inputs = case["inputs"]
    if "row" in inputs:
        return "NDPMp", by_scores("NDPMp", documents(inputs["ur"]), documents(inputs["row"]))
    return "NDPMp", by_scores("NDPMp", inputs["user_levels"], inputs["system_levels"])


@reproduces("adm")
def _(case):
    inputs = case["inputs"]
    sides = (inputs.get("user", inputs.get("ur")), inputs.get("system", inputs.get("row")))
    return "ADM(norm='none')", by_scores("ADM(norm='none')", *map(documents, sides))


def two_vectors(case):
    inputs = case["inputs"]
    return inputs.get("row", inputs.get("gains")), inputs.get("ur", inputs.get("ideal"))


@reproduces("sliding_ratio")
def _(case):
    return "SR@5", by_ranks("SR@5", *two_vectors(case))


@reproduces("modified_sliding_ratio")
def _(case):
    return "MSR@5", by_ranks("MSR@5", *two_vectors(case))


@reproduces("dcg_ratio")
def _(case):
    return "nDCG_JK(b=2)@5", by_ranks("nDCG_JK(b=2)@5", *two_vectors(case))


@reproduces("ndcg_mean")
def _(case):
    return "AvgnDCG_JK(b=2)@5", by_ranks("AvgnDCG_JK(b=2)@5", *two_vectors(case))


@reproduces("wap", "q_measure")
def _(case):
    """In table 4 every document is relevant, also one of score 0: a level of its own, of gain 0."""
    name, (gains, ideal) = "WAP" if case["measure"] == "wap" else "Q", two_vectors(case)
    if case["parameters"].get("rel") == "all":
        measure = f"{name}(gains={{1:0,2:0.1,3:0.2,4:0.3}})"
        gains, ideal = ([1 + round(10 * g) for g in row] for row in (gains, ideal))
        return measure, by_ranks(measure, gains, ideal)
    whole = all(float(g).is_integer() for g in gains)
    measure = name if whole else f"{name}(rel=0.1)"
    return measure, by_ranks(measure, gains, ideal)


@reproduces("agr_adjusted_gain")
def _(case):
    level = np.asarray([float(case["inputs"]["level_gain"])])
    found = adjusted(level, level, np.asarray(float(case["inputs"]["R"])), 1, "linear", None, 1)
    return "gain of AGR(levels='retrieved')", found.tolist()


@reproduces("agr")
def _(case):
    tenths = ([round(10 * g) for g in row] for row in two_vectors(case))
    return "AGR(levels='retrieved')", by_ranks("AGR(levels='retrieved')", *tenths)


COLUMNS = ("msr", "dcg", "ndcg", "wap", "q", "agr", "ndpm", "adm")


def row(table, system):
    """All columns of one system of one table."""
    names = {column: f"zy-{table}-{system}-{column}" for column in COLUMNS}
    return {column: result(name).ours[0] for column, name in names.items() if name in BY_ID}


@reproduces("claim")
def _(case):
    return "the columns of the tables", CLAIMS[case["id"]]()


def best_and_worst():
    one, two, three, four = (row("t2", f"irs{i}") for i in (1, 2, 3, 4))
    return all(one[c] > max(two[c], three[c]) > min(two[c], three[c]) > four[c] for c in COLUMNS)


def third_before_second():
    two, three = row("t2", "irs2"), row("t2", "irs3")
    return {c for c in COLUMNS if three[c] > two[c]} == set(COLUMNS) - {"ndpm", "adm"}


def all_but_dcg():
    two, three = row("t3", "irs2"), row("t3", "irs3")
    return {c for c in two if two[c] > three[c]} == set(two) - {"dcg"}


def falling():
    rows = [row("t4", f"irs{i}") for i in (1, 2, 3, 4)]
    in_order = {c for c in COLUMNS if [r[c] for r in rows] == sorted(r[c] for r in rows)[::-1]}
    return in_order == set(COLUMNS) - {"dcg", "agr", "adm"}


CLAIMS = {
    "zy-claim-t2-best-worst": best_and_worst,
    "zy-claim-t2-irs23": third_before_second,
    "zy-claim-t3": all_but_dcg,
    "zy-claim-t4": falling,
}

# ------------------------------------------------------------------------ Järvelin & Kekäläinen


def by_rank(measure, gains, ideal=None):
    """The measure at every rank."""
    ideal = gains if ideal is None else ideal
    return [by_ranks(parse(measure) @ k, gains, ideal) for k in range(1, len(gains) + 1)]


@reproduces("log_b")
def _(case):
    divisor = original(case["inputs"]["b"])
    return "discount of DCG_JK", float(divisor(np.asarray(float(case["inputs"]["x"]))))


@reproduces("cg")
def _(case):
    return "CG@i", by_rank("CG", case["inputs"]["gains"])


@reproduces("cg_at", "dcg_at")
def _(case):
    base = "CG" if case["measure"] == "cg_at" else f"DCG_JK(b={case['parameters']['b']})"
    measure, gains = f"{base}@{case['parameters']['rank']}", case["inputs"]["gains"]
    return measure, by_ranks(measure, gains, gains)


@reproduces("dcg")
def _(case):
    vector = by_rank(f"DCG_JK(b={case['parameters']['b']})", case["inputs"]["gains"])
    places = case["parameters"].get("round_terms")
    if places is not None:  # the paper adds terms that it rounded first
        terms = np.diff([0.0, *vector])
        vector = np.cumsum([math.floor(t * 10**places + 0.5) / 10**places for t in terms])
    return f"DCG_JK(b={case['parameters']['b']})@i", [float(v) for v in vector]


@reproduces("ideal_vector")
def _(case):
    counts = case["inputs"]["level_counts"]
    grades = [float(level) for level, number in counts.items() for _ in range(number)]
    _, base = Judged([assay.Judgments({"topic": documents(reversed(grades))})]).base(0)
    return "ideal of nCG", [*base.tolist(), *[0.0] * (case["inputs"]["length"] - len(base))]


@reproduces("ncg")
def _(case):
    return "nCG@i", by_rank("nCG", *two_vectors(case))


# --------------------------------------------------------------------------- Imafouo & Tannier


@cache
def identity_holds(success, failure):
    """On runs by chance: tau(success, P@10) = -tau(failure, P@10) over the runs."""
    rng = random.Random(9)
    docs = [f"d{i}" for i in range(30)]
    grades = {f"t{t}": {doc: int(rng.random() < 0.4) for doc in docs} for t in range(5)}
    runs = {
        f"r{r}": {topic: {doc: rng.random() for doc in docs} for topic in grades} for r in range(20)
    }
    mean = assay.evaluate(grades, runs, [success, failure, "P@10"]).values[0].mean(axis=-1)
    up, down = (stats.kendalltau(mean[:, i], mean[:, 2]).statistic for i in (0, 1))
    return abs(up + down) < 1e-12


@reproduces("minus_tau(e1)", "minus_tau(e2)")
def _(case):
    """The other row of the table, turned round: what the definitions force on this one."""
    row = case["measure"][-2]
    names = {"1": ("RSVr3@10", "RSVe1@10"), "2": ("RSVr2@10", "RSVe2@10")}[row]
    assert identity_holds(*names)
    return f"{names[0]} = 1 - {names[1]}", [-tau for tau in case["inputs"][f"tau_e{row}"]]


# ------------------------------------------------------------------------------- Scheel et al.


def ap_at(levels, threshold):
    """AP of a list that holds all items; a threshold that no item passes counts as 0."""
    if threshold > 0:
        run = {doc: -float(i) for i, doc in enumerate(documents(levels))}
        policy = {"undefined": "zero"}
        found = assay.evaluate(
            {"topic": documents(levels)}, {"topic": run}, f"AP(rel={threshold})", **policy
        )
        return float(found.values[0, 0, 0, 0])
    grade = np.asarray(levels, dtype=np.float64)
    return float(ap(grade, np.arange(1.0, len(levels) + 1), grade, rel=threshold))


@reproduces("ap_threshold")
def _(case):
    t = case["parameters"]["t"]
    return f"AP(rel={t})", ap_at(case["inputs"]["levels"], t)


@reproduces("mean_ap_over_thresholds")
def _(case):
    levels, thresholds = case["inputs"]["levels"], case["parameters"]["thresholds"]
    return "mean of AP(rel=t)", float(np.mean([ap_at(levels, t) for t in thresholds]))


@reproduces("mu_ap")
def _(case):
    levels = case["inputs"]["levels"]
    return "muAP", by_ranks("muAP", levels, levels)


@reproduces("level_distances")
def _(case):
    """One list for each level, of its best item alone: AP is 1/R_t at the levels up to it."""
    levels = case["inputs"]["levels"]
    seen = [by_ranks("muAP", [level], levels) for level in levels]
    share = [1 / sum(other >= level for other in levels) for level in levels]
    steps = np.diff([0.0, *seen]) / share
    return "weights of muAP", [float(step) for step in steps]


@reproduces("dcg_exp")
def _(case):
    base, limit = case["parameters"]["log_base"], case["parameters"].get("truncate_from", math.inf)
    vector = np.asarray(by_rank("DCG(gain='exp')", case["inputs"]["gains"])) / math.log(2, base)
    cut = np.where(vector >= limit, np.floor(vector), vector)
    return "DCG(gain='exp')@i, logarithm to base 10", cut.tolist()


@reproduces("ndcg_exp")
def _(case):
    return "nDCG(gain='exp')@i", by_rank("nDCG(gain='exp')", *two_vectors(case))


@reproduces("ndcg_exp_mean")
def _(case):
    vector = by_rank("nDCG(gain='exp')", *two_vectors(case))
    return "mean of nDCG(gain='exp')@i", float(np.mean(vector))


@reproduces("ngain")
def _(case):
    gains = case["inputs"]["gains"]
    values = [by_ranks("NDCNG@1", [gain], gains) for gain in gains]
    return "gain of NDCNG", [math.log2(1 + value) for value in values]
