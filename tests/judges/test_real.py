"""Key numbers on real judges, computed once more by plain loops and by other packages."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from scipy import stats

import assay
from judges.conftest import GPT4O


def relevant(judge, topic, least):
    return {doc for doc, grade in judge[topic].items() if grade >= least}


def weighted_kappa(a, b, top, power):
    """Cohen's kappa by its definition, over two lists of grades."""
    n = len(a)

    def weight(i, j):
        return 1 - (abs(i - j) / top) ** power

    first, second = Counter(a), Counter(b)
    seen = sum(weight(i, j) for i, j in zip(a, b, strict=True)) / n
    chance = sum(first[i] * second[j] * weight(i, j) for i in first for j in second) / n**2
    return (seen - chance) / (1 - chance)


@pytest.fixture(scope="module")
def nist_and_gpt4o(dl21):
    nist, others, runs = dl21
    some = dict(list(runs.items())[::9])
    found = assay.compare_judges(
        {"nist": nist, "gpt-4o": others[GPT4O]}, some, "nDCG@10", rel=2, resamples=200
    )
    a, b = nist.to_dict(), assay.read_judgments(others[GPT4O]).to_dict()
    ranked = {}
    for name, path in some.items():
        ranked[name] = {}
        for topic, docs in assay.read_run(path).to_dict().items():
            order = sorted(docs, key=lambda d: (docs[d], d.encode()), reverse=True)
            ranked[name][topic] = order
    return found, a, b, ranked


def test_agreement_on_dl21(nist_and_gpt4o):
    found, nist, gpt, _ = nist_and_gpt4o
    pair = found.agreement.pairs[0]
    both = [(t, d) for t in nist for d in nist[t] if d in gpt[t]]
    a, b = [nist[t][d] for t, d in both], [gpt[t][d] for t, d in both]
    A, B = sum(x >= 2 for x in a), sum(x >= 2 for x in b)
    D, N = sum(x >= 2 and y >= 2 for x, y in zip(a, b, strict=True)), len(both)
    assert (A, B, D, N) == (1695, 1733, 1063, 5596)
    C = A + B - D
    got = {name: each.value for name, each in pair.micro.items()}
    share = (A + B) / 2 / N
    expected = {
        "overlap": D / C,
        "consistency": D / math.sqrt(A * B),
        "prevalence": (D - (N - C)) / N,
        "bias": (A - B) / N,
        "positive": 2 * D / (A + B),
        "negative": 2 * (N - C) / (2 * N - A - B),
        "kappa": weighted_kappa([x >= 2 for x in a], [y >= 2 for y in b], 1, 1),
        "AC1": ((N - C + D) / N - 2 * share * (1 - share)) / (1 - 2 * share * (1 - share)),
        "linear": weighted_kappa(a, b, 3, 1),
        "quadratic": weighted_kappa(a, b, 3, 2),
    }
    assert {name: got[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    macro = [
        len(relevant(nist, t, 2) & relevant(gpt, t, 2))
        / len(relevant(nist, t, 2) | relevant(gpt, t, 2))
        for t in nist
    ]
    assert pair.macro["overlap"].value == pytest.approx(np.mean(macro))


def test_agreement_by_rank_on_dl21(nist_and_gpt4o):
    found, nist, gpt, ranked = nist_and_gpt4o
    table = np.zeros((2, 2))
    for lists in ranked.values():
        for topic, docs in lists.items():
            for doc in docs[5:10]:
                if doc in nist.get(topic, {}):
                    table[int(nist[topic][doc] >= 2), int(gpt[topic][doc] >= 2)] += 1
    row = next(r for r in found.bands[0].tabulars()[0].records() if r["ranks"] == "6-10")
    assert row["N"] == table.sum()
    assert row["D/C"] == pytest.approx(table[1, 1] / (table.sum() - table[0, 0]))
    assert row["p_r"] == pytest.approx(table[1, 1] / table[1].sum())
    assert row["p_nr"] == pytest.approx(table[0, 1] / table[0].sum())


def test_a_judge_as_a_system_on_dl21(nist_and_gpt4o):
    found, nist, gpt, ranked = nist_and_gpt4o
    name, lists = next(iter(ranked.items()))
    recall, precision = [], []
    for topic in nist:
        cut = len(relevant(gpt, topic, 2))
        shown = [doc for doc in lists[topic] if doc in nist[topic]][:cut]
        hits = len(relevant(nist, topic, 2) & set(shown))
        recall.append(hits / len(relevant(nist, topic, 2)))
        precision.append(hits / cut)
    row = next(r for r in found.machines[0].tabulars()[0].records() if r["system"] == name)
    assert row["recall"] == pytest.approx(np.mean(recall))
    assert row["precision"] == pytest.approx(np.mean(precision))


def test_the_ranking_of_systems_on_dl21(nist_and_gpt4o):
    found, nist, gpt, ranked = nist_and_gpt4o

    def ndcg(judge, topic, docs):
        gains = [judge[topic].get(doc, 0) / math.log2(i + 2) for i, doc in enumerate(docs[:10])]
        best = sorted(judge[topic].values(), reverse=True)[:10]
        return sum(gains) / sum(g / math.log2(i + 2) for i, g in enumerate(best))

    means = [
        [round(np.mean([ndcg(judge, t, lists[t]) for t in nist]), 10) for lists in ranked.values()]
        for judge in (nist, gpt)
    ]
    one = found.stability[0].against[0]
    x, y = means
    turned = [
        np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in combinations(range(len(x)), 2)
    ]
    assert len(set(x)) == len(x)
    assert one.coefficients["tau-b"].value == pytest.approx(sum(turned) / len(turned))
    assert one.levels.slope == pytest.approx(stats.linregress(x, y).slope, abs=1e-6)
    assert one.levels.shift.value == pytest.approx(np.mean(y) - np.mean(x), abs=1e-9)


# ---------------------------------------------------------------------------------------- llmjudge


def test_thirty_four_raters_are_krippendorffs(shared):
    krippendorff = pytest.importorskip("krippendorff")
    folder = shared / "llmjudge"
    human = folder / "human" / "llmjudge_test_qrel_idx.txt"
    labellers = sorted((folder / "submissions").iterdir())
    found = assay.compare_judges(
        {"human": str(human), **{file.stem: str(file) for file in labellers}},
        rel=2,
        scale=(0, 3),
        stray="drop",
    )
    assert len(found.agreement.judges) == 34
    said = []
    for file in (human, *labellers):
        rows = (line.split() for line in file.read_text().splitlines())
        said.append({(row[0], row[2]): float(row[3]) for row in rows if 0 <= float(row[3]) <= 3})
    pairs = sorted(set().union(*said))
    grade = np.array([[judge.get(pair, np.nan) for pair in pairs] for judge in said])
    for level in ("nominal", "ordinal", "interval"):
        expected = krippendorff.alpha(grade, level_of_measurement=level)
        got = found.agreement.alpha[f"alpha, grades, {level}"].value
        assert got == pytest.approx(expected, abs=1e-9), level
    for pair, other in zip(found.agreement.pairs, said[1:], strict=True):
        a = {at for at, value in said[0].items() if value >= 2 and at in other}
        b = {at for at, value in other.items() if value >= 2 and at in said[0]}
        assert pair.micro["overlap"].value == pytest.approx(len(a & b) / len(a | b))


# --------------------------------------------------------------------------------- cystic fibrosis

COLLECTION = 1239


@pytest.fixture(scope="module")
def four(shared):
    """What each of the four judges said: query, document, grade."""
    judges = [{} for _ in range(4)]
    for query in ET.parse(shared / "cystic-fibrosis" / "cfquery.xml").iter("QUERY"):  # noqa: S314 - our own copy
        topic = str(int(query.findtext("QueryNumber")))
        for item in query.iter("Item"):
            digits = item.get("score")  # one has five, 00018, and says nothing clear
            for judge, digit in zip(judges, digits if len(digits) == 4 else "", strict=False):
                judge.setdefault(topic, {}).setdefault(item.text.strip(), int(digit))
    return {f"judge{j}": judge for j, judge in enumerate(judges)}


@pytest.fixture(scope="module")
def whole(four):
    """The same, each judge listing only what he called relevant, in a collection of 1,239."""
    listed = {
        name: {topic: {d: g for d, g in docs.items() if g} for topic, docs in judge.items()}
        for name, judge in four.items()
    }
    kept = {name: {t: docs for t, docs in judge.items() if docs} for name, judge in listed.items()}
    return assay.compare_judges(kept, universe=COLLECTION).agreement


def test_four_judges_of_a_whole_collection(four, whole):
    """Documents that one judge lists and another does not are not relevant to the other."""
    for pair in whole.pairs:
        a, b = four[pair.first], four[pair.second]
        topics = [t for t in a if any(a[t].values()) and any(b[t].values())]
        A = {(t, d) for t in topics for d, g in a[t].items() if g}
        B = {(t, d) for t in topics for d, g in b[t].items() if g}
        N, D, C = COLLECTION * len(topics), len(A & B), len(A | B)
        assert pair.binary.sum() == N
        assert pair.micro["overlap"].value == pytest.approx(D / C)
        chance = (len(A) * len(B) + (N - len(A)) * (N - len(B))) / N**2
        kappa = ((N - C + D) / N - chance) / (1 - chance)
        assert pair.micro["kappa"].value == pytest.approx(kappa)
        assert pair.micro["positive"].value == pytest.approx(2 * D / (len(A) + len(B)))
        grades = [(a[t].get(d, 0), b[t].get(d, 0)) for t in topics for d in set(a[t]) | set(b[t])]
        first, second = zip(*(grades + [(0, 0)] * (N - len(grades))), strict=True)
        quadratic = weighted_kappa(first, second, 2, 2)
        assert pair.micro["quadratic"].value == pytest.approx(quadratic)


def test_all_four_judges_of_a_whole_collection(four, whole):
    krippendorff = pytest.importorskip("krippendorff")
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    rows, complete = [], []
    for topic in four["judge0"]:
        asked = [any(judge[topic].values()) for judge in four.values()]
        docs = sorted(set().union(*(judge[topic] for judge in four.values())))
        said = [
            [judge[topic].get(d, 0) for d in docs] + [0] * (COLLECTION - len(docs))
            if has
            else [math.nan] * COLLECTION
            for has, judge in zip(asked, four.values(), strict=True)
        ]
        rows.append(np.array(said))
        if all(asked):
            complete.append(rows[-1])
    grade = np.concatenate(rows, axis=1)
    for level in ("nominal", "ordinal", "interval"):
        expected = krippendorff.alpha(grade, level_of_measurement=level)
        got = whole.alpha[f"alpha, grades, {level}"].value
        assert got == pytest.approx(expected, abs=1e-9), level
    votes, _ = rater.aggregate_raters(np.concatenate(complete, axis=1).T.astype(int))
    expected = rater.fleiss_kappa(votes)
    assert whole.fleiss["Fleiss's kappa, grades"].value == pytest.approx(expected, abs=1e-9)
