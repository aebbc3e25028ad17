"""What each picture shows, against numbers that were come by in another way."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest

import assay
from assay.show.charts import KINDS, kinds_of, svg
from show.charts.conftest import DOCS, JUDGED, OPTIONS, RUNS, TOPICS, columns, judged, ranked, rows

stats = pytest.importorskip("scipy.stats")


def listed(run, topic):
    """Documents by falling score; no two scores are equal here."""
    return sorted(RUNS[run][topic], key=lambda doc: -RUNS[run][topic][doc])


def ndcg(run, topic, k=10):
    gains = [JUDGED[topic].get(doc, 0) for doc in listed(run, topic)][:k]
    best = sorted(JUDGED[topic].values(), reverse=True)[:k]
    dcg, ideal = (sum(g / math.log2(i + 2) for i, g in enumerate(x)) for x in (gains, best))
    return dcg / ideal


VALUES = {run: [ndcg(run, topic) for topic in TOPICS] for run in RUNS}


def test_leaderboard_means_in_order(scores):
    found = columns(scores.plot(), "row", "low", "high", "value")
    means = {run: sum(values) / len(TOPICS) for run, values in VALUES.items()}
    assert [each["row"] for each in found] == sorted(means, key=lambda run: -means[run])
    x = np.array([VALUES[each["row"]] for each in found])
    normed = x - x.mean(0) + x.mean()
    half = (
        stats.t.ppf(0.975, 11) * normed.std(1, ddof=1) * math.sqrt(3 / 2) / math.sqrt(12)
    ) * math.sqrt(0.5)
    for each, wide in zip(found, half, strict=True):
        assert each["value"] == pytest.approx(means[each["row"]])
        assert (each["high"] - each["low"]) / 2 == pytest.approx(wide)


def test_topics_shows_every_score_hardest_first(scores):
    found = columns(scores.plot("topics"), "topic", "run", "value")
    assert len(found) == 36
    for each in found:
        value = VALUES[each["run"]][TOPICS.index(each["topic"])]
        assert each["value"] == pytest.approx(value)
    order = list(dict.fromkeys(each["topic"] for each in found))
    hard = sorted(TOPICS, key=lambda t: sum(VALUES[r][TOPICS.index(t)] for r in RUNS))
    assert order == hard


def test_swings_are_sorted_and_their_ends_are_named(scores):
    chart = scores.plot("swings", run="fair", baseline="poor")
    gaps = {t: VALUES["fair"][i] - VALUES["poor"][i] for i, t in enumerate(TOPICS)}
    bars = columns(chart, "topic", "top", "bottom")
    assert [each["topic"] for each in bars] == sorted(gaps, key=lambda t: (-gaps[t], t))
    for each in bars:
        assert each["value"] == pytest.approx(gaps[each["topic"]])
    texts = [each["text"].split()[0] for found in rows(chart) for each in found if "text" in each]
    best = [t for t in sorted(gaps, key=lambda t: -gaps[t])[:4] if gaps[t] > 0]
    worst = [t for t in sorted(gaps, key=lambda t: -gaps[t])[-4:] if gaps[t] < 0]
    assert texts == best + worst


def test_scatter_has_a_point_for_each_topic(scores):
    found = columns(scores.plot("scatter", run="good", baseline="poor"), "topic", "x", "y", "far")
    for each in found:
        t = TOPICS.index(each["topic"])
        assert (each["y"], each["x"]) == pytest.approx((VALUES["good"][t], VALUES["poor"][t]))
    far = sorted(found, key=lambda each: -abs(each["x"] - each["y"]))[:4]
    assert {each["topic"] for each in far} == {each["topic"] for each in found if each["far"]}


def test_heatmap_has_a_cell_for_each_run_and_topic(scores):
    found = columns(scores.plot("heatmap"), "row", "column", "value")
    assert len(found) == 36
    for each in found:
        expected = VALUES[each["row"]][TOPICS.index(each["column"])]
        assert each["value"] == pytest.approx(expected)


def test_differences_are_those_of_paired_t_tests(scores):
    comparison = assay.compare(scores, test="t", correction="none", interval="plain")
    found = columns(comparison.plot(), "row", "low", "high", "filled")
    assert len(found) == 3
    for each in found:
        one, other = each["row"].split(" - ")
        test = stats.ttest_rel(VALUES[one], VALUES[other])
        low, high = test.confidence_interval()
        assert (each["low"], each["high"]) == pytest.approx((low, high))
        assert each["filled"] == (test.pvalue <= 0.05)


def test_groups_stand_at_their_mean_ranks(scores):
    comparison = assay.compare(scores, test="friedman")
    found = columns(comparison.plot("groups"), "row", "rank", "text")
    ranks = stats.rankdata(-np.array([VALUES[run] for run in RUNS]), axis=0).mean(1)
    for each in found:
        assert each["rank"] == pytest.approx(ranks[list(RUNS).index(each["row"])])
    order, stretches = comparison.groups()
    p = {frozenset((d.run, d.baseline)): d.p for d in comparison.differences}
    for first, last in stretches:
        for one, other in itertools.combinations(order[first : last + 1], 2):
            assert p[frozenset((one, other))] > 0.05


def test_curves_and_both_readings(results):
    chart = results["curves"].plot(read_at=5)
    found = columns(chart, "line", "x", "y")
    for run in RUNS:
        total = np.zeros(15)
        for topic in TOPICS:
            total += np.cumsum([JUDGED[topic].get(doc, 0) for doc in listed(run, topic)])
        drawn = [each["y"] for each in found if each["line"] == run]
        assert drawn == pytest.approx((total / 12).tolist())
    best = sum(np.cumsum(sorted(JUDGED[t].values(), reverse=True) + [0] * 3) for t in TOPICS) / 12
    assert [each["y"] for each in found if each["line"] == "ideal"] == pytest.approx(best.tolist())
    down, across = columns(chart, "x", "y", "x2", "y2")
    mine = [each["y"] for each in found if each["line"] == "good"]
    assert (down["x"], down["y"], down["y2"]) == pytest.approx((5, mine[4], best[4]))
    reached = next(rank for rank, y in enumerate(mine, 1) if y >= best[4] - 1e-9)
    assert (across["x"], across["x2"], across["y"]) == pytest.approx((5, reached, best[4]))


def test_the_band_is_of_the_difference_and_says_pointwise(results):
    chart = results["curves"].plot(baseline="poor")
    found = columns(chart, "line", "x", "low", "high")
    for rank in (1, 7):
        gains = {
            run: [sum(JUDGED[t].get(doc, 0) for doc in listed(run, t)[:rank]) for t in TOPICS]
            for run in RUNS
        }
        low, high = stats.ttest_rel(gains["fair"], gains["poor"]).confidence_interval()
        (each,) = [row for row in found if row["line"] == "fair" and row["x"] == rank]
        assert (each["low"], each["high"]) == pytest.approx((low, high))
    assert "pointwise" in str(chart.to_dict()["title"])


def test_precision_by_recall(results):
    found = columns(results["precision-recall"].plot(), "line", "x", "y")
    for run in RUNS:
        for level in (0.0, 0.5, 1.0):
            values = []
            for topic in TOPICS:
                hits = [JUDGED[topic].get(doc, 0) >= 1 for doc in listed(run, topic)]
                every = sum(grade >= 1 for grade in JUDGED[topic].values())
                done = list(itertools.accumulate(hits))
                need = math.ceil(level * every - 1e-9)
                values.append(max(n / (i + 1) for i, n in enumerate(done) if n >= need))
            (each,) = [r for r in found if r["line"] == run and r["x"] == pytest.approx(level)]
            assert each["y"] == pytest.approx(sum(values) / 12)


def test_retrieval_scores_by_counting(results):
    found = results["retrieval-scores"]
    shown = [each for each in rows(found.plot()) if each and "share" in each[0]]
    for r, run in enumerate(RUNS):
        kinds = {"relevant": [], "not relevant": [], "unjudged": []}
        for topic in TOPICS:
            low, high = min(RUNS[run][topic].values()), max(RUNS[run][topic].values())
            for doc in DOCS:
                grade = JUDGED[topic].get(doc)
                kind = "unjudged" if grade is None else "relevant" if grade > 1 else "not relevant"
                kinds[kind].append((RUNS[run][topic][doc] - low) / (high - low))
        for kind, values in kinds.items():
            drawn = [each for each in shown[r] if each["kind"] == kind][:20]
            for b, each in enumerate(drawn):
                last = b == 19
                n = sum(b <= v * 20 + 1e-12 and (v * 20 < b + 1 - 1e-12 or last) for v in values)
                assert each["share"] == pytest.approx(n / len(values), abs=1.5 / len(values))
        u = stats.mannwhitneyu(kinds["relevant"], kinds["not relevant"]).statistic
        pairs = len(kinds["relevant"]) * len(kinds["not relevant"])
        assert found.separation[r] == pytest.approx(u / pairs)


def test_correlation_is_tau_between_means(results):
    found = columns(results["correlation"].plot(), "row", "column", "value")
    values = assay.evaluate(JUDGED, RUNS, ["nDCG@10", "AP", "RR"])
    for each in found:
        means = [[values.value(run, m) for run in RUNS] for m in (each["row"], each["column"])]
        assert each["value"] == pytest.approx(stats.kendalltau(*means).statistic)


def test_ranks_of_systems_under_each_judge(study):
    found = columns(study.plot(), "line", "x", "y")
    for j, seed in ((0, 0), (2, 9)):
        means = [
            assay.evaluate(judged(seed), {run: RUNS[run]}, "nDCG@10").value(run, "nDCG@10")
            for run in RUNS
        ]
        ranks = stats.rankdata([-mean for mean in means])
        for run, rank in zip(RUNS, ranks, strict=True):
            (each,) = [row for row in found if row["line"] == run and row["x"] == j]
            assert each["y"] == rank


def test_agreement_of_judges_is_kappa(study):
    metrics = pytest.importorskip("sklearn.metrics")
    found = columns(study.plot("agreement"), "row", "column", "value")
    one, other = (
        [int(grades[t][doc] >= 1) for t in TOPICS for doc in DOCS[:12]]
        for grades in (JUDGED, judged(9))
    )
    expected = metrics.cohen_kappa_score(one, other)
    (cell,) = [c for c in found if (c["row"], c["column"]) == ("first", "random")]
    assert cell["value"] == pytest.approx(expected)


def test_agreement_by_rank_counts_documents_where_systems_put_them(study):
    found = columns(study.plot("agreement-by-rank"), "line", "x", "y")
    both = either = 0
    for run in RUNS:
        for topic in TOPICS:
            for doc in listed(run, topic)[:5]:
                a, b = (grades[topic].get(doc, -1) for grades in (JUDGED, judged(9)))
                both += a >= 1 and b >= 1
                either += a >= 1 or b >= 1
    (each,) = [row for row in found if row["line"] == "random" and row["x"] == 0]
    assert each["y"] == pytest.approx(both / either)


def test_tau_stands_beside_its_floor(study):
    found = columns(study.plot("tau"), "row", "value", "from", "to")
    ranks = {}
    for name, seed in (("first", 0), ("random", 9)):
        ranks[name] = [
            assay.evaluate(judged(seed), {run: RUNS[run]}, "nDCG@10").value(run, "nDCG@10")
            for run in RUNS
        ]
    (each,) = [row for row in found if row["row"] == "random"]
    assert each["value"] == pytest.approx(stats.kendalltau(ranks["first"], ranks["random"])[0])
    assert -1 <= each["from"] <= each["to"] <= 1


def test_swaps_start_at_the_ideal(results):
    found = [each for each in rows(results["sensitivity"].plot()) if "line" in each[0]]
    starts = [row["y"] for part in found for row in part if row["x"] == 0]
    assert starts == pytest.approx([1.0] * len(starts))
    assert {row["line"] for row in found[0]} == {"2 levels", "3 levels"}


def test_significance_counts_pairs(results):
    study = results["significance"]
    found = columns(study.plot(), "line", "x", "y")
    sweep = study.sweeps[0]
    drawn = [each["y"] for each in found if each["line"] == found[0]["line"]]
    expected = [sum(float(p) <= 0.05 for p in row) for row in sweep.pair_p]
    assert expected in (
        [each["y"] for each in found if each["line"] == name]
        for name in {each["line"] for each in found}
    )
    assert len(drawn) == 8


def test_runs_under_each_judge(study):
    found = columns(study.scores.plot(), "row", "column", "value")
    for run in RUNS:
        for name, grades in (("first", JUDGED), ("random", judged(9))):
            expected = assay.evaluate(grades, {run: RUNS[run]}, "nDCG@10").value(run, "nDCG@10")
            (cell,) = [c for c in found if (c["row"], c["column"]) == (run, name)]
            assert cell["value"] == pytest.approx(expected)


def test_votes_against_the_merged_order_by_counting(results):
    merged = results["merged"]
    found = {each["row"]: each["value"] for each in columns(merged.plot(), "row", "value", "text")}
    for topic in TOPICS[:3]:
        level = {d: n for n, docs in enumerate(merged.orders[topic].levels) for d in docs}
        against = sum(
            (RUNS[run][topic][a] - RUNS[run][topic][b]) * (level[a] - level[b]) > 0
            for run in RUNS
            for a, b in itertools.combinations(DOCS, 2)
        )
        assert found[topic] == against


# ------------------------------------------------------------------------------------- all kinds


def test_every_kind_is_drawn_here(results):
    assert set(results) == set(KINDS)
    for name, result in results.items():
        assert name in kinds_of(result)


@pytest.mark.parametrize("preset", ["paper", "slide"])
@pytest.mark.parametrize("name", list(KINDS))
def test_every_kind_in_every_size(results, name, preset):
    chart = results[name].plot(name, preset=preset, **OPTIONS.get(name, {}))
    text = svg(chart)
    wide = float(re.search(r'width="([\d.]+)"', text)[1])
    assert wide <= {"paper": 240, "slide": 960}[preset] * 1.02


@pytest.mark.parametrize("name", list(KINDS))
def test_nothing_depends_on_what_was_drawn_before(results, name):
    one, other = (results[name].plot(name, **OPTIONS.get(name, {})).to_dict() for _ in range(2))
    assert one == other
    assert one["description"]


def test_more_than_eight_lines_come_forward_on_hover():
    runs = {f"run {i}": ranked(i, JUDGED, i) for i in range(12)}
    found = assay.curves(JUDGED, runs, "nDCG", depth=5)
    spec = found.plot().to_dict()
    assert [each["name"] for each in spec["params"]] == ["lines_hover"]
    front = columns(found.plot(), "line", "x", "y", "place")
    assert len(front) == 4  # three and the ideal
    chosen = columns(found.plot(highlight=["run 3", "run 7"]), "line", "x", "y", "place")
    assert {each["line"] for each in chosen} == {"run 3", "run 7", "ideal"}
    assert "_grab" not in svg(found.plot())
    with pytest.raises(assay.AssayError, match="no 'run 99' here"):
        found.plot(highlight=["run 99"])


def test_labels_of_lines_do_not_overlap(results):
    chart = results["curves"].plot()
    ends = columns(chart, "line", "place")
    spec = chart.to_dict()
    tall = next(layer for layer in spec["layer"] if "y" in layer["encoding"])
    low, high = tall["encoding"]["y"]["scale"]["domain"]
    places = sorted(each["place"] for each in ends)
    for one, other in itertools.pairwise(places):
        assert (other - one) / (high - low) * spec["height"] >= 12  # the size of the letters


def test_undefined_is_a_gap_and_never_zero():
    judged = {"a": {"d0": 1}, "b": {"d0": 0}}
    runs = {name: {q: {"d0": 1.0, "d1": 0.5} for q in judged} for name in ("x", "y")}
    found = columns(assay.evaluate(judged, runs, "nDCG@2").plot("heatmap"), "row", "value")
    assert {(each["column"], each["value"]) for each in found} == {("a", 1.0), ("b", None)}


def test_words_of_a_wrong_question(scores, study):
    with pytest.raises(assay.AssayError, match="no measure 'AP' in these scores"):
        scores.plot(measure="AP")
    with pytest.raises(assay.AssayError, match="two runs make a difference"):
        scores.plot("swings")
    with pytest.raises(assay.AssayError, match="Friedman"):
        assay.compare(scores).plot("groups")
    with pytest.raises(assay.AssayError, match="coefficient='x': must be one of overlap"):
        study.plot("agreement", coefficient="x")
    with pytest.raises(assay.AssayError, match="no measure AP in this study"):
        study.plot("tau", measure="AP")
