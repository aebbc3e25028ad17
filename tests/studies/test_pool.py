"""Pools: by hand, and against judgments that were really cut and evaluated one by one."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from scipy.stats import kendalltau

import assay
from assay import AssayError
from assay.judgments import Judgments
from shell import assay as shell

JUDGMENTS = {"q": {"a": 1, "b": 1, "c": 1, "d": 0, "e": 0, "z": 1}}
RUNS = {
    "one": {"q": {"a": 9, "b": 8, "d": 7}},  # alone: b
    "two": {"q": {"a": 9, "c": 8, "e": 7}},  # alone: c, e
    "three": {"q": {"d": 9, "a": 8, "x": 7}},  # x is not judged
}


def ranks(means):
    return {run: 1 + sum(other > value for other in means.values()) for run, value in means.items()}


class TestByHand:
    @pytest.fixture
    def found(self):
        return assay.study_pool(JUDGMENTS, RUNS, "P@3", depth=2, contributors=list(RUNS))

    def test_what_each_run_alone_brought_in(self, found):
        # down to depth 2: one has a b, two has a c, three has d a
        assert [(left.judged, left.relevant) for left in found.alone] == [(1, 1), (1, 1), (1, 0)]

    def test_values_without_it(self, found):
        assert found.means[:, 0].tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 3])
        without = [left.without[r, 0] for r, left in enumerate(found.alone)]
        assert without == pytest.approx([1 / 3, 1 / 3, 1 / 3])

    def test_ranks(self, found):
        (one, two, three) = found._runs().rows
        assert one[-3:] == (1, 2, 1)  # 1/3 behind two's 2/3, level with three
        assert two[-3:] == (1, 2, 1)
        assert three[-3:] == (3, 3, 0)
        assert one[6] == pytest.approx(1 / 3)
        assert one[7] == pytest.approx(-0.5)

    def test_shallower_pools(self, found):
        one, two = found.shallow
        assert (one.depth, one.judged, one.relevant) == (1, 2, 1)  # a d
        assert (two.depth, two.judged, two.relevant) == (2, 4, 3)  # a b c d
        assert one.means[:, 0].tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3])

    def test_by_group(self):
        groups = {"one": "us", "two": "us", "three": "them"}
        found = assay.study_pool(
            JUDGMENTS, RUNS, "P@3", depth=2, contributors=list(RUNS), groups=groups
        )
        us, them = found.groups
        assert (us.name, us.runs, us.judged, us.relevant) == (
            "us",
            (0, 1),
            2,
            2,
        )  # b c; a is shared
        assert us.without[:2, 0].tolist() == pytest.approx([1 / 3, 1 / 3])
        assert (them.judged, them.relevant) == (1, 0)
        assert "Leaving out whole groups, 3 of 3 runs of 2 groups keep their rank" in (
            found.verdict()
        )

    def test_who_did_not_contribute_brings_nothing_in(self):
        found = assay.study_pool(JUDGMENTS, RUNS, "P@3", depth=2, contributors=["one", "three"])
        assert [left.judged for left in found.alone] == [1, 0, 1]  # c would be two's alone
        assert found.alone[0].contributed
        assert not found.alone[1].contributed
        assert "1 of 3 runs did not contribute" in found.notes[0]

    def test_depth_and_contributors_are_found_out(self):
        # one and two have all of their three documents judged, three two of three
        found = assay.study_pool(JUDGMENTS, RUNS, "P@3")
        assert found.depth == 3
        assert found.contributors == (True, True, False)


@pytest.fixture(scope="module")
def world():
    made = assay.simulate(topics=12, docs=200, runs=6, depth=30, pool=10, seed=3)
    return made.judgments, list(made.runs)


def cut(judgments, gone):
    kept = [(t, d, g) for t, d, g in judgments.frame.iter_rows() if (t, d) not in gone]
    return Judgments(kept, label=judgments.label)


def firsts(run, depth):
    """Topic to the first documents of a run: score, then id, both decreasing."""
    found = {}
    for topic, doc, score in run.frame.iter_rows():
        found.setdefault(topic, []).append((score, doc.encode(), doc))
    return {t: [doc for *_, doc in sorted(docs, reverse=True)[:depth]] for t, docs in found.items()}


MEASURES = ["nDCG@10", "AP", "E@20"]  # of E lower is better


def test_a_slow_twin_for_every_run(world):
    """Cut the judgments, evaluate, rank: for each run by itself."""
    judgments, runs = world
    found = assay.study_pool(
        judgments, runs, MEASURES, depth=8, contributors=[r.label for r in runs]
    )
    tops = {run.label: {(t, d) for t, docs in firsts(run, 8).items() for d in docs} for run in runs}
    judged = {(t, d) for t, d, g in judgments.frame.iter_rows() if g >= 0}
    for r, left in enumerate(found.alone):
        others = set().union(*(tops[o] for o in tops if o != left.name))
        gone = (tops[left.name] - others) & judged
        assert left.judged == len(gone)
        scores = assay.evaluate(cut(judgments, gone), runs, MEASURES)
        for m, measure in enumerate(MEASURES):
            means = {run: scores.average(run, measure).value for run in scores.runs}
            assert left.without[:, m] == pytest.approx(list(means.values()), abs=1e-12)
            sign = -1 if measure.startswith("E") else 1
            rank = ranks({run: round(sign * value, 10) for run, value in means.items()})
            assert found.ranks(left.without)[r, m] == rank[left.name]
    assert any(left.judged for left in found.alone)


def test_a_slow_twin_for_shallower_pools(world):
    judgments, runs = world
    found = assay.study_pool(
        judgments, runs, MEASURES, depth=8, depths=[2, 5], contributors=[r.label for r in runs]
    )
    assert [each.depth for each in found.shallow] == [2, 5, 8]
    full = assay.evaluate(judgments, runs, MEASURES)
    for each in found.shallow:
        pool = {(t, d) for run in runs for t, docs in firsts(run, each.depth).items() for d in docs}
        gone = {(t, d) for t, d, _ in judgments.frame.iter_rows()} - pool
        scores = assay.evaluate(cut(judgments, gone), runs, MEASURES)
        for m, measure in enumerate(MEASURES):
            ours = [scores.average(run, measure).value for run in scores.runs]
            assert each.means[:, m] == pytest.approx(ours, abs=1e-12)
            theirs = [full.average(run, measure).value for run in full.runs]
            tau = kendalltau(np.round(ours, 10), np.round(theirs, 10)).statistic
            assert each.tau[m].value == pytest.approx(tau)


def test_tables_in_every_form(world):
    judgments, runs = world
    found = assay.study_pool(judgments, runs, "AP", groups={"solid": "a", "rounded": "a"})
    names = [table.name for table in found.tabulars()]
    assert names == ["summary", "depths", "groups", "members", "moved", "runs"]
    assert str(found.table()).startswith("leave out: measure")
    assert found.to_polars().height == len(runs)
    assert "no run found" in found.verdict()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depth": 0}, "depth=0: must be a whole number of at least 1"),
        ({"depths": [2, 1.5]}, "depths=1.5: must be a whole number"),
        ({"contributors": ["four"]}, r"none of the 1 names is one of the runs, .* one, two, three"),
        ({"rel": float("nan")}, "rel=nan: expected the lowest relevant grade"),
        ({"groups": {"four": "x"}}, "groups: none of its runs is among those given, such as 'one'"),
    ],
)
def test_what_is_refused(settings, message):
    with pytest.raises(AssayError, match=message):
        assay.study_pool(JUDGMENTS, RUNS, "P@3", **settings)


def test_where_nothing_is_left_to_rank_by():
    nothing = {"q": dict.fromkeys(JUDGMENTS["q"], 0)}
    with pytest.raises(AssayError, match="AP: on no topic has it a value under these judgments"):
        assay.study_pool(nothing, RUNS, "AP", depth=2)
    alone = {"a": {"q": {"x": 2.0, "y": 1.0}}, "b": {"q": {"y": 2.0, "z": 1.0}}}
    found = assay.study_pool({"q": {"x": 1, "y": 0, "z": 0}}, alone, "AP", depth=2)
    assert "without a a measure has no value on any topic" in found.notes[0]


def test_names_of_no_run_are_told():
    found = assay.study_pool(
        JUDGMENTS,
        RUNS,
        "P@3",
        depth=2,
        contributors=["one", "two", "won"],
        groups={"one": "x", "tow": "x"},
    )
    assert "contributors: 1 name is of no run here (won)" in found.notes
    assert "groups: 1 name is of no run here (tow)" in found.notes
    assert "groups: 2 runs are in none (two, three)" in found.notes


def test_other_refusals():
    with pytest.raises(AssayError, match="a pool needs at least two"):
        assay.study_pool(JUDGMENTS, {"one": RUNS["one"]}, "AP")
    with pytest.raises(AssayError, match="2 judgment sets: a pool is that of one"):
        assay.study_pool({"a": JUDGMENTS, "b": JUDGMENTS}, RUNS, "AP")
    with pytest.raises(AssayError, match="NDPM: needs"):
        assay.study_pool(JUDGMENTS, RUNS, "NDPM")
    unjudged = {name: {"q": {"u": 1.0, "v": 0.5}} for name in RUNS}
    with pytest.raises(AssayError, match="the depth of the pool cannot be told; name it"):
        assay.study_pool(JUDGMENTS, unjudged, "AP")


def test_in_the_shell(files):
    (files / "teams.txt").write_text("run0 a\nrun1 a\nrun2 b\n")
    (files / "pooled.txt").write_text("# pooled\nrun0\nrun1\n\nrun2\n")
    runs = [f"run{i}.run" for i in range(5)]
    words = ["study", "pool", "q.txt", *runs, "-m", "AP", "--groups", "teams.txt"]
    words += ["--contributors", "pooled.txt", "--depth", "5"]
    result = shell(*words)
    assert result.exit_code == 0, result.stderr
    assert "3 of 5 runs contributed, to depth 5 (as given; contributors as given)" in result.stdout
    rows = list(csv.DictReader(io.StringIO(shell(*words, "--show", "runs", "-o", "csv").stdout)))
    assert {row["run"]: row["contributed"] for row in rows} == {
        **dict.fromkeys(["run0", "run1", "run2"], "yes"),
        **dict.fromkeys(["run3", "run4"], "no"),
    }
    page = json.loads(shell(*words, "-o", "json").stdout)
    assert {table["name"] for table in page["tables"]} >= {"summary", "depths", "groups", "runs"}
    bad = shell("study", "pool", "q.txt", "run0.run", "-m", "AP")
    assert (bad.exit_code, bad.stdout) == (2, "")
    assert "expected JUDGMENTS and two RUNs or more" in bad.stderr


def test_all_of_trec_covid(large, shared):
    """Every run and team, beside one run cut out by hand."""
    judgments, runs = large["trec-covid-r3"]
    board = list(
        csv.DictReader((shared / "trec-covid-r3/leaderboard.csv").read_text().splitlines())
    )
    pooled = [row["run"] for row in board if row["contributed judgments"] == "yes"]
    groups = {row["run"]: row["team"] for row in board}
    found = assay.study_pool(judgments, runs, "nDCG@10", contributors=pooled, groups=groups)
    assert found.depth == 10  # what the track's organisers judged
    assert (len(found.alone), sum(found.contributors), len(found.groups)) == (79, 31, 31)
    read = {run.label: run for run in map(assay.read_run, runs)}
    tops = {
        name: {(t, d) for t, docs in firsts(run, 10).items() for d in docs}
        for name, run in read.items()
        if name in pooled
    }
    name = "mpiid5_run1"
    whole = assay.read_judgments(judgments)
    gone = tops[name] - set().union(*(top for o, top in tops.items() if o != name))
    scores = assay.evaluate(cut(whole, gone), list(read.values()), "nDCG@10")
    left = next(left for left in found.alone if left.name == name)
    for r, run in enumerate(found.runs):
        assert left.without[r, 0] == pytest.approx(scores.average(run, "nDCG@10").value, abs=1e-12)
