"""Robustness: every kind of perturbation against something slower or worked out by hand."""

from __future__ import annotations

import json
from itertools import combinations, permutations, product

import numpy as np
import pytest

import assay
from assay import AssayError
from assay.measures import parse
from assay.studies.redrawn import shuffled
from assay.studies.variants import depths, related, weightings
from judges.conftest import collection
from shell import assay as shell


def named(claim, kind):
    """Variant to difference, of one kind."""
    found = next(each for each in claim.perturbations if each.name == kind)
    return dict(zip(found.labels, found.differences, strict=True))


def kind(claim, name):
    return next(each for each in claim.perturbations if each.name == name)


def gap(judgments, runs, measure, better, **policies):
    """Mean of the better run less the mean of the other, by an evaluation of its own."""
    scores = assay.evaluate(judgments, runs, measure, **policies)
    (other,) = set(scores.runs) - {better}
    pair = np.stack([scores.of(run, measure) for run in (better, other)])
    pair = pair[:, ~np.isnan(pair).any(axis=0)]
    sign = 1 if parse(measure).definition.higher_is_better else -1
    return sign * float((pair[0] - pair[1]).mean())


@pytest.fixture(scope="module")
def world():
    given, runs = collection(seed=1, topics=8, judges=4)
    return given, {
        name: {t: {d: round(2 * x) / 2 for d, x in docs.items()} for t, docs in runs[name].items()}
        for name in ("run0", "run3")  # scores rounded, so that many are equal
    }


@pytest.fixture(scope="module", params=["nDCG@10", "AP(rel=2)", "E@10", "ERR@10"])
def both(world, request):
    given, runs = world
    return given, runs, request.param, assay.study_robust(given, runs, request.param).claims[0]


class TestAgainstSingleEvaluations:
    def test_the_claim(self, both):
        given, runs, measure, claim = both
        assert claim.difference == pytest.approx(gap(given["judge0"], runs, measure, claim.better))
        assert claim.difference >= 0
        assert claim.by_topic.mean() == pytest.approx(claim.difference)

    def test_judges(self, both):
        given, runs, measure, claim = both
        found = named(claim, "judges")
        assert list(found) == ["judge1", "judge2", "judge3"]  # the reference is no perturbation
        for judge, difference in found.items():
            assert difference == pytest.approx(gap(given[judge], runs, measure, claim.better))

    def test_other_measures(self, both):
        given, runs, measure, claim = both
        found = named(claim, "measures")
        assert measure not in found
        assert len(found) >= 7
        for name, difference in found.items():
            assert difference == pytest.approx(gap(given["judge0"], runs, name, claim.better))

    def test_depths(self, both):
        given, runs, measure, claim = both
        for name, difference in named(claim, "depth").items():
            other = f"{measure.partition('@')[0]}{name}"
            assert difference == pytest.approx(gap(given["judge0"], runs, other, claim.better))

    def test_ties(self, both):
        given, runs, measure, claim = both
        found = named(claim, "tie orders")
        for how in ("best", "worst"):
            expected = gap(given["judge0"], runs, measure, claim.better, ties=how)
            assert found[f"both in the {how} order"] == pytest.approx(expected)
        drawn = kind(claim, "random tie orders").differences
        assert len(drawn) == 200
        assert (drawn <= max(found.values()) + 1e-12).all()
        assert (drawn >= min(found.values()) - 1e-12).all()


def test_weightings_are_other_measures():
    found = weightings(parse("nDCG@10"), [1, 2, 3])
    assert {name: str(measure) for name, measure in found.items()} == {
        "0-1-2-3": "nDCG(gains={1:1,2:2,3:3})@10",
        "0-1-3-7": "nDCG(gains={1:1,2:3,3:7})@10",
        "0-1-10-100": "nDCG(gains={1:1,2:10,3:100})@10",
        "0-1-1-1": "nDCG(gains={1:1,2:1,3:1})@10",
        "0-0-1-1": "nDCG(gains={1:0,2:1,3:1})@10",
        "0-0-0-1": "nDCG(gains={1:0,2:0,3:1})@10",
    }
    assert {str(m) for m in weightings(parse("AP(rel=2)"), [1, 2, 3]).values()} == {
        *("AP", "AP(rel=3)"),
    }
    assert [str(m) for m in weightings(parse("ERR@10"), [1, 2]).values()] == [
        "ERR(gain='linear')@10"
    ]
    assert weightings(parse("AP"), np.linspace(0.01, 1, 90)) == {}


def test_related_measures_and_depths():
    assert "R(rel=2)@5" in related(parse("P(rel=2)@5"))
    assert "P(rel=2)@5" not in related(parse("P(rel=2)@5"))
    assert not [name for name in related(parse("IPrec@0.1")) if "@" in name]  # no depth to keep
    assert list(depths(parse("P@5"), 20)) == ["@1", "@2", "@3", "@10", "@15", "@20"]
    assert depths(parse("Bpref"), 20) == {}
    assert depths(parse("IPrec@0.1"), 20) == {}


class TestTopics:
    def test_the_share_is_that_of_all_resamples(self):
        judgments = {f"t{t}": {"a": 1, "b": 0} for t in range(4)}
        lists = [(2, 1), (2, 1), (1, 2), (1, 2.5)]
        runs = {
            "x": {f"t{t}": {"a": a, "b": b} for t, (a, b) in enumerate(lists)},
            "y": {f"t{t}": {"b": 2, "c": 1, "a": 0} for t in range(4)},
        }
        claim = assay.study_robust(judgments, runs, "RR", draws=20_000).claims[0]
        assert claim.by_topic == pytest.approx([1 - 1 / 3, 1 - 1 / 3, 1 / 2 - 1 / 3, 1 / 2 - 1 / 3])
        assert kind(claim, "topics").share == 1
        claim = assay.study_robust(
            judgments,
            {"x": runs["x"], "z": {f"t{t}": {"a": 3 - t, "b": 1.5} for t in range(4)}},
            "RR",
            draws=20_000,
        ).claims[0]
        every = [sum(claim.by_topic[list(drawn)]) > 1e-12 for drawn in product(range(4), repeat=4)]
        assert kind(claim, "topics").share == pytest.approx(np.mean(every), abs=0.015)

    @pytest.mark.parametrize("seed", range(6))
    def test_the_fewest_topics_by_brute_force(self, seed):
        given, runs = collection(seed=seed, topics=7)
        pair = {name: runs[name] for name in ("run0", "run1")}
        claim = assay.study_robust(given["judge0"], pair, "P@5").claims[0]
        d = claim.by_topic
        n = len(d)
        for size in range(1, n):
            rests = [
                sum(d[t] for t in range(n) if t not in gone)
                for gone in combinations(range(n), size)
            ]
            if min(rests) < -1e-9:
                break
        else:
            size = None
        assert (None if claim.fewest is None else len(claim.fewest)) == size
        if claim.fewest is not None:
            rest = [x for x, t in zip(d, claim.topics, strict=True) if t not in claim.fewest]
            assert sum(rest) < 0


TIED_JUDGMENTS = {"q": {"a": 2, "b": 1, "c": 0}, "r": {"a": 1, "b": 2}}
TIED = {"q": {"a": 1, "b": 1, "c": 1, "u": 1}, "r": {"b": 2, "a": 1}}


class TestTies:
    def test_every_order_is_drawn_and_no_other(self):
        drawn = list(shuffled(assay.Run(TIED), 600, 3))
        orders = [
            tuple(doc for topic, doc, _ in run.frame.iter_rows() if topic == "q") for run in drawn
        ]
        assert set(orders) == set(permutations("abcu"))
        assert max(map(orders.count, set(orders))) < 60  # 25 expected
        for run in drawn[:5]:
            assert run.to_dict()["r"]["b"] > run.to_dict()["r"]["a"]

    def test_the_share_is_that_of_all_orders(self):
        other = {"q": {"a": 3, "c": 2, "b": 1}, "r": {"b": 2, "a": 1}}
        claim = assay.study_robust(TIED_JUDGMENTS, {"tied": TIED, "firm": other}, "nDCG@3").claims[
            0
        ]
        values = []
        for order in permutations("abcu"):
            run = {"q": {doc: 9 - i for i, doc in enumerate(order)}, "r": TIED["r"]}
            pair = {"tied": run, "firm": other}
            values.append(gap(TIED_JUDGMENTS, pair, "nDCG@3", claim.better))
        found = named(claim, "tie orders")
        assert max(found.values()) == pytest.approx(max(values))
        assert min(found.values()) == pytest.approx(min(values))
        share = np.mean(np.round(values, 10) > 0)
        assert kind(claim, "random tie orders").share == pytest.approx(share, abs=0.09)

    def test_without_ties_there_is_nothing_to_order(self):
        other = {"q": {"a": 3, "c": 2, "b": 1}, "r": {"b": 2, "a": 1}}
        firm = {"q": {"b": 3, "c": 2, "a": 1}, "r": {"b": 2, "a": 1}}
        found = assay.study_robust(TIED_JUDGMENTS, {"x": firm, "y": other}, "nDCG@3")
        assert "no documents of equal score whose order matters" in found.notes
        assert "tie orders" not in [each.name for each in found.claims[0].perturbations]


class TestUnjudged:
    def test_where_all_judged_ones_are_relevant(self):
        """Then the imputed ones are, whatever is drawn, and in both runs alike."""
        judgments = {"q": {"a": 1, "b": 1, "z": 0}}
        runs = {"x": {"q": {"a": 3, "u": 2, "b": 1}}, "y": {"q": {"u": 3, "v": 2, "a": 1}}}
        claim = assay.study_robust(judgments, runs, "AP").claims[0]
        filled = {"q": {"a": 1, "b": 1, "z": 0, "u": 1, "v": 1}}
        found = kind(claim, "unjudged").differences
        assert len(found) == 1000
        assert found == pytest.approx(np.full(1000, gap(filled, runs, "AP", claim.better)))

    def test_the_rate_is_that_of_the_band(self):
        """Of ten judged documents in each list's first five ranks four are relevant."""
        hit = ["a", "b"]
        judgments = {
            f"t{t}": {**dict.fromkeys(hit, 1), **dict.fromkeys("cde", 0)} for t in range(40)
        }
        runs = {
            "x": {f"t{t}": {d: 9 - i for i, d in enumerate("abcde")} for t in range(40)},
            "y": {f"t{t}": {d: 9 - i for i, d in enumerate("abcdu")} for t in range(40)},
        }
        claim = assay.study_robust(judgments, runs, "P@5").claims[0]
        # x has 2 of 5 on each topic, y 2 of 5 and u: relevant at the rate of 4 in 9
        drawn = kind(claim, "unjudged").differences
        assert np.abs(drawn).mean() == pytest.approx(4 / 9 / 5, abs=0.002)
        note = next(n for n in found_notes(judgments, runs) if n.startswith("unjudged"))
        assert "40 of them" in note

    def test_below_the_cut_off_nothing_is_imputed(self):
        judgments = {"q": {"a": 1, "b": 0}}
        runs = {"x": {"q": {"a": 3, "b": 2, "u": 1}}, "y": {"q": {"b": 3, "a": 2, "v": 1}}}
        found = assay.study_robust(judgments, runs, "P@1")
        assert "no unjudged document down to the depth of the measures" in found.notes


def found_notes(judgments, runs):
    return assay.study_robust(judgments, runs, "P@5").tabulars()[0].notes


def test_interval_scale_by_hand():
    # RR: x has 1, 1/2; y has 1/4, 1/3. Values seen: 1/4 < 1/3 < 1/2 < 1
    judgments = {"q": {"a": 1}, "r": {"a": 1}}
    runs = {
        "x": {"q": {"a": 9}, "r": {"b": 9, "a": 8}},
        "y": {"q": {"b": 9, "c": 8, "d": 7, "a": 6}, "r": {"b": 9, "c": 8, "a": 7}},
    }
    found = named(assay.study_robust(judgments, runs, "RR").claims[0], "interval scale")
    assert found["steps between the values seen"] == ((3 - 0) + (2 - 1)) / 2
    assert found["mid-ranks of all values"] == ((4 - 1) + (3 - 2)) / 2
    assert found["topics won less topics lost"] == 1


def test_the_order_of_the_runs_does_not_matter(world):
    given, runs = world
    one = assay.study_robust(given, runs, "nDCG@10").claims[0]
    two = assay.study_robust(given, dict(reversed(runs.items())), "nDCG@10").claims[0]
    assert (one.better, one.difference) == (two.better, two.difference)
    assert [p.share for p in one.perturbations if p.labels] == [
        p.share for p in two.perturbations if p.labels
    ]


def test_the_weakest_link_in_words(world):
    given, runs = world
    claim = assay.study_robust(given, runs, "nDCG@10").claims[0]
    weakest = min(claim.perturbations, key=lambda each: each.share)
    assert claim.weakest is weakest
    text = assay.study_robust(given, runs, "nDCG@10").verdict()
    assert f"the weakest link is {weakest.name}: it holds under {weakest.holds} of" in text
    assert text.startswith(f"By nDCG@10 {claim.better} beats {claim.worse} by")
    assert "no probabilities" in text


def test_runs_that_are_level():
    judgments = {"q": {"a": 1, "b": 1}, "r": {"a": 1}}
    runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
    found = assay.study_robust(judgments, runs, "AP")
    assert found.claims[0].difference == 0
    assert "x and y are level" in found.verdict()
    assert "AP: both runs have the same mean; x is taken as the better one" in found.notes


def test_judges_on_whom_a_measure_is_undefined_are_named(world):
    given, runs = world
    binary = {t: {d: min(g, 1) for d, g in docs.items()} for t, docs in given["judge1"].items()}
    found = assay.study_robust({"a": given["judge0"], "b": binary}, runs, "AP(rel=2)")
    assert any(
        "1 of 1 other judges left out for AP(rel=2): it is defined on no" in note
        for note in found.notes
    )


def test_a_judge_of_few_documents_is_left_out(world):
    given, runs = world
    few = {t: dict(list(docs.items())[:5]) for t, docs in given["judge1"].items()}
    found = assay.study_robust(
        {"a": given["judge0"], "few": few, "b": given["judge2"]}, runs, "nDCG@10"
    )
    assert list(named(found.claims[0], "judges")) == ["b"]
    text = "1 of 2 other judges left out for nDCG@10: they judged less than half as many"
    assert any(text in note for note in found.notes)


def test_one_topic_is_not_resampled():
    runs = {"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"y": 2.0, "x": 1.0}}}
    found = assay.study_robust({"t": {"x": 1, "y": 0}}, runs, "AP", draws=100)
    (claim,) = found.claims
    assert "topics" not in [each.name for each in claim.perturbations]
    assert "one topic: topics are not perturbed" in found.notes
    assert "a beats b by 0.5000 on one topic" in found.verdict()


def test_where_no_link_is_weak():
    topics = [f"t{t}" for t in range(4)]
    judgments = {t: {"a": 1, "b": 0} for t in topics}
    runs = {"good": {t: {"a": 3, "b": 2} for t in topics}, "bad": {t: {"b": 3} for t in topics}}
    found = assay.study_robust(judgments, runs, "RR")
    assert found.claims[0].weakest is None
    assert "no link is weak" in found.verdict()
    assert "no removal of topics reverses it" in found.verdict()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"measures": "NumRet"}, "NumRet: a count over all topics"),
        ({"measures": "AP", "unjudged": "bounds"}, "AP: stands for several measures; name one"),
        ({"measures": "AP(rel=each)"}, "stands for several measures"),
        ({"mean": "median"}, "mean: the study is about arithmetic means"),
        ({"draws": 5}, "resamples=5|draws=5"),
        ({"ties": "odd"}, "ties='odd': must be one of"),
    ],
)
def test_what_is_refused(world, settings, message):
    given, runs = world
    with pytest.raises(AssayError, match=message):
        assay.study_robust(given, runs, **settings)


def test_one_run_or_three_are_refused(world):
    given, runs = world
    with pytest.raises(AssayError, match=r"1 run\(s\): the question is whether one beats one"):
        assay.study_robust(given, {"run0": runs["run0"]}, "AP")


def test_measures_on_weak_orders_go_without_random_orders(world):
    given, runs = world
    found = assay.study_robust(given["judge0"], runs, "NDPM")
    assert any("NDPM: looks at scores" in note for note in found.notes)
    assert any(note.startswith("not imputed: NDPM") for note in found.notes)


def test_in_the_shell(files):
    (files / "second.txt").write_text((files / "q.txt").read_text())
    words = [
        "study",
        "robust",
        "q.txt",
        "run0.run",
        "run1.run",
        "--judges",
        "second.txt",
        "q2=q.txt",
    ]
    result = shell(*words, "-m", "nDCG@10")
    assert result.exit_code == 0, result.stderr
    assert "judges" in result.stdout
    assert "the removal of" in result.stdout
    page = json.loads(shell(*words, "-m", "AP", "-o", "json").stdout)
    rows = {table["name"]: table["rows"] for table in page["tables"]}
    assert set(rows) == {"robust", "fewest", "variants", "topics"}
    judges = next(row for row in rows["robust"] if row["perturbation"] == "judges")
    assert (judges["tried"], judges["holds"], judges["share"]) == (2, 2, 1.0)
    for bad in (["q.txt", "run0.run"], ["q.txt", "run0.run", "run1.run", "run2.run"], []):
        answer = shell("study", "robust", *bad, "-m", "AP")
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert "expected JUDGMENTS RUN RUN, found" in answer.stderr


def test_two_runs_of_dl21_under_all_judges(shared):
    folder = shared / "dl21"
    judgments = {"nist": str(folder / "qrels" / "qrels.dl21-passage.txt")} | {
        file.name: str(file)
        for file in sorted((folder / "judges").iterdir())
        if "llama3.2.umbrela" not in file.name  # pairs judged up to five times
    }
    runs = {n: str(folder / "runs.judged" / f"input.{n}.gz") for n in ("p_bm25", "p_tct0")}
    claim = assay.study_robust(judgments, runs, "nDCG@10").claims[0]
    assert claim.better == "p_tct0"
    for judge, difference in list(named(claim, "judges").items())[::9]:
        assert difference == pytest.approx(gap(judgments[judge], runs, "nDCG@10", "p_tct0"))
    assert len(named(claim, "judges")) == 21  # six judged an eighth of the pairs
