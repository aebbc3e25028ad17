"""Evaluation against obvious loops, its policies, and the laws that hold for every measure."""

from __future__ import annotations

import itertools
import math
import os
import random
import subprocess
import sys
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import reference
from assay import AssayError, Judgments, Run, align, evaluate
from assay.align import keys

MEASURES = tuple(reference.MEASURES)
TIES_TOO = tuple(m for m in MEASURES if m != "Bpref")  # whose expected value is known
POLICIES = {
    "missing": ("worst", "skip"),
    "undefined": ("skip", "zero"),
    "unjudged": ("nonrelevant", "condensed"),
    "precision": ("float64", "float32"),
    "negative": ("unjudged", "nonrelevant"),
    "ignore_self": (False, True),
}


def random_world(seed):
    """Judgment sets over different topics and documents; runs with ties, in any order of lines."""
    rng = random.Random(seed)
    topics = [f"t{i}" for i in range(rng.randint(1, 6))]
    docs = [f"d{i}" for i in range(10)] + ["t0", "t1", "é", "🦆", "x-very-long-document-id"]
    grades = rng.choice(((0, 1), (-1, 0, 1, 2), (0.25, 1.5, -3, 0), (0, 0, 3)))
    judgments = {
        f"j{i}": {
            t: {d: rng.choice(grades) for d in rng.sample(docs, rng.randint(1, 9))}
            for t in ["t0", *rng.sample(topics[1:], rng.randint(0, len(topics) - 1))]
        }
        for i in range(rng.randint(1, 3))
    }
    return (
        rng,
        judgments,
        {f"r{i}": random_rows(rng, topics, docs) for i in range(rng.randint(1, 3))},
    )


def random_rows(rng, topics, docs):
    """At least topic t0; scores from few values, or that float32 rounds together, or any."""
    scores = rng.choice(
        ((1.0,), (1.0, 2.0, 3.0), (1.0, 1.0 + 1e-9, 2.0), (0.1, 1e300, -1e300, 7e-320))
    )
    chosen = ["t0", *rng.sample([*topics[1:], "foreign"], rng.randint(0, len(topics)))]
    rows = [
        (t, d, rng.choice(scores) if rng.random() < 0.8 else rng.gauss(0, 1))
        for t in chosen
        for d in rng.sample(docs, rng.randint(1, 7))
    ]
    if rng.random() < 0.4:
        rng.shuffle(rows)  # topics come back
    return [*rows, ("t0", "z", 5.0)]


def write_run(path, rows, rng):
    blank, end = rng.choice((" ", "\t", "  ")), rng.choice(("\n", "\r\n", "\n\n"))
    lines = (blank.join((t, "Q0", d, "7", repr(s), "tag")) + end for t, d, s in rows)
    path.write_text("".join(lines), encoding="utf-8", newline="")
    return path


def check(scores, judgments, runs, measures, **policies):
    """Every value and every reason is the one of the slow way."""
    topics = list(dict.fromkeys(itertools.chain.from_iterable(judgments.values())))
    assert list(scores.topics) == topics
    words = {
        "undefined": "undefined",
        "missing": "the run lacks",
        "not judged": "not judged",
        "": "",
    }
    for judge, run in itertools.product(judgments, runs):
        expected, reasons = reference.evaluate(
            judgments[judge], runs[run], measures, topics=topics, **policies
        )
        for measure, topic in itertools.product(measures, topics):
            found = scores.of(run, measure, judge)[topics.index(topic)]
            where = (judge, run, measure, topic, policies)
            assert found == pytest.approx(expected[measure, topic], abs=1e-12, nan_ok=True), where
            reason = scores.reason(run, measure, topic, judge)
            assert reason.startswith(words[reasons[measure, topic]]), where
            assert bool(reason) == bool(reasons[measure, topic]), where


def as_run(rows, label="run"):
    return Run(pl.DataFrame(rows, schema=["topic", "doc", "score"], orient="row"), label=label)


class TestAgainstTheSlowWay:
    @pytest.mark.parametrize("seed", range(60))
    def test_values_and_reasons(self, seed, tmp_path, monkeypatch):
        rng, judgments, runs = random_world(seed)
        policies = {name: rng.choice(options) for name, options in POLICIES.items()}
        monkeypatch.setattr("assay.io.stream.PIECE", rng.choice((40, 200, 1 << 24)))
        monkeypatch.setattr("assay.blocks.BLOCK_ROWS", rng.choice((1, 9, 1 << 18)))
        monkeypatch.setattr("assay.blocks.HELD_BYTES", rng.choice((100, 1 << 29)))
        monkeypatch.setattr(align, "CELLS", rng.choice((1, 30, 1 << 18)))
        files = {name: write_run(tmp_path / name, rows, rng) for name, rows in runs.items()}
        for given in (files, {name: as_run(rows) for name, rows in runs.items()}):
            scores = evaluate(judgments, given, MEASURES, **policies)
            check(scores, judgments, runs, MEASURES, **policies)

    @pytest.mark.parametrize("kept", [0, 1, 7])
    def test_colliding_keys(self, monkeypatch, kept):
        monkeypatch.setattr(align, "keys", lambda *args: keys(*args) & np.uint64(kept))
        for seed in range(500, 520):
            _, judgments, runs = random_world(seed)
            scores = evaluate(judgments, {r: as_run(rows) for r, rows in runs.items()}, MEASURES)
            check(scores, judgments, runs, MEASURES)

    @pytest.mark.parametrize("ties", ["expected", "best", "worst"])
    @pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
    def test_ties_against_all_orders(self, ties, unjudged):
        measures = TIES_TOO if ties == "expected" else MEASURES
        for seed in range(12):
            rng = random.Random(seed)
            docs = [f"d{i}" for i in range(7)]
            judgments = {"j": {"1": {d: rng.choice((0, 0, 1, 2)) for d in rng.sample(docs, 5)}}}
            rows = [("1", d, float(rng.randint(1, 3))) for d in rng.sample(docs, rng.randint(1, 7))]
            policies = {"ties": ties, "unjudged": unjudged}
            scores = evaluate(judgments, {"r": as_run(rows)}, measures, **policies)
            check(scores, judgments, {"r": rows}, measures, **policies)


class TestPolicies:
    JUDGMENTS: ClassVar = {"1": {"a": 1, "b": 0}, "2": {"a": 2}, "3": {"a": 0}, "4": {"a": -1}}
    RUN: ClassVar = {"1": {"b": 2, "a": 1}, "3": {"a": 1}}

    def values(self, measure="AP", **policies):
        scores = evaluate(self.JUDGMENTS, self.RUN, measure, **policies)
        return scores, scores.values[0, 0, 0].tolist()

    def test_missing_and_undefined(self):
        nan = math.nan
        for policies, expected in (
            ({}, [0.5, 0.0, nan, nan]),
            ({"missing": "skip"}, [0.5, nan, nan, nan]),
            ({"undefined": "zero"}, [0.5, 0.0, 0.0, 0.0]),
            ({"undefined": "zero", "missing": "skip"}, [0.5, nan, 0.0, 0.0]),
        ):
            scores, values = self.values(**policies)
            assert values == pytest.approx(expected, nan_ok=True)
            mean = scores.average("run", "AP")
            known = [value for value in expected if not math.isnan(value)]
            assert (mean.value, mean.topics) == (sum(known) / len(known), len(known))
            assert (mean.undefined, mean.missing) == (2, 1)

    def test_reasons(self):
        scores, _ = self.values()
        assert [scores.reason("run", "AP", topic) for topic in "1234"] == [
            "", "the run lacks this topic: scored as the worst value",
            "undefined: no relevant document", "undefined: no relevant document",
        ]  # fmt: skip
        scores, _ = self.values(missing="skip")
        assert scores.reason("run", "AP", "2") == "the run lacks this topic: left out"
        (note,) = scores.notes
        assert note == "2 of 4 topics have no line in run (2 4); left out (missing='skip')"

    def test_errors_on_request(self):
        with pytest.raises(
            AssayError, match=r"^run lacks 2 of 4 topics \(2 4\) .missing='error'"
        ) as e:
            self.values(missing="error")
        assert e.value.check_failed
        with pytest.raises(
            AssayError,
            match=r"^AP is undefined for 2 topic\(s\), the first 3: no relevant document "
            r"\(undefined='error'\)",
        ) as e:
            self.values(undefined="error")
        assert e.value.check_failed

    @pytest.mark.parametrize(
        "name", ["missing", "undefined", "unjudged", "ties", "mean", "negative"]
    )
    def test_unknown_options_are_named(self, name):
        with pytest.raises(AssayError, match=f"{name}='oops': must be one of '"):
            self.values(**{name: "oops"})

    @pytest.mark.parametrize("name", ["ignore_self", "strict"])
    def test_a_switch_is_on_or_off(self, name):
        with pytest.raises(AssayError, match=f"{name}='no': must be True or False"):
            self.values(**{name: "no"})

    def test_means(self):
        values = [0.9, 0.1, 0.5, 0.2, 0.4]
        judgments = {str(i): {f"d{j}": 1 for j in range(10)} for i in range(5)}
        found = [round(10 * value) for value in values]
        run = {str(i): {f"d{j}": 1 for j in range(n)} for i, n in enumerate(found)}

        def average(mean):
            return evaluate(judgments, run, "R@10", mean=mean).average("run", "R@10")

        assert average("arithmetic").value == pytest.approx(sum(values) / 5)
        assert average("geometric").value == pytest.approx(math.prod(values) ** (1 / 5))
        assert average("median").value == 0.4
        assert average("arithmetic").deviation == pytest.approx(np.std(values, ddof=1))
        # t(4 degrees of freedom, .975) = 2.7764, from a table
        half = 2.776445 * np.std(values, ddof=1) / 5**0.5
        assert average("arithmetic").high == pytest.approx(sum(values) / 5 + half)
        assert average("arithmetic").low == pytest.approx(sum(values) / 5 - half)
        assert average("geometric").low < average("geometric").value < average("geometric").high

    def test_a_geometric_mean_has_a_floor(self):
        scores = evaluate({"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1}}, "AP", mean="geometric")
        assert scores.average("run", "AP").value == pytest.approx(math.sqrt(1e-5))


class TestJudgedBeside:
    JUDGMENTS: ClassVar = {"1": {"a": 1, "b": 0, "c": -1}, "2": {"a": 1}, "3": {"a": 1}}

    def test_share_of_judged_documents_among_the_first_k(self):
        run = {"1": {"x": 9, "a": 8, "c": 7, "b": 6}, "2": {"a": 1}}  # 1 of 3; 1 of 1; absent
        scores = evaluate(self.JUDGMENTS, run, ["P@3", "AP", "P@1", "nDCG@3", "IPrec@1.0"])
        expected = [(1 / 3 + 1) / 2, math.nan, 1 / 2, (1 / 3 + 1) / 2, math.nan]
        assert scores.judged[0, 0].tolist() == pytest.approx(expected, nan_ok=True)

    def test_a_warning_where_runs_differ(self):
        runs = {"known": {"1": {"a": 2, "b": 1}}, "new": {"1": {"x": 2, "a": 1}}}
        scores = evaluate(self.JUDGMENTS, runs, ["AP", "IPrec@1.0", "P@1", "P@2"])
        one, two = scores.warnings
        assert one.startswith("Judged@1 runs from 0.00 (new) to 1.00 (known): runs with more unju")
        assert two.startswith("Judged@2 runs from 0.50 (new) to 1.00 (known): ")
        assert evaluate(self.JUDGMENTS, runs, "AP").warnings == ()
        scores = evaluate({"j": self.JUDGMENTS, "k": self.JUDGMENTS}, runs, "P@1")
        assert "(known) under k: runs" in scores.warnings[1]

    def test_no_warning_for_a_small_difference(self):
        judgments = {str(t): {f"d{i}": 1 for i in range(10)} for t in range(10)}
        one = {str(t): {f"d{i}": 1 for i in range(10)} for t in range(10)}
        two = one | {"0": {f"x{i}": 1 for i in range(9)} | {"d0": 1}}  # .91
        assert evaluate(judgments, {"a": one, "b": two}, "P@10").warnings == ()


class TestMeetings:
    def test_no_topic_in_common(self):
        with pytest.raises(
            AssayError,
            match=r"^run: none of its 2 topics is judged; topics of the run such as '01', of the "
            "judgments such as '1'$",
        ):
            evaluate({"1": {"a": 1}}, {"01": {"a": 1}, "02": {"a": 1}}, "AP")

    def test_no_document_in_common(self):
        (warning,) = evaluate({"1": {"a": 1}}, {"1": {"A": 1}}, "AP").warnings
        assert warning == (
            "run: none of its documents is judged for its topic; do document ids have the same "
            "form? Judged is, for example, 'a'"
        )

    def test_topics_that_nobody_judged(self):
        run = {str(i): {"a": 1} for i in range(8)}
        (note,) = evaluate({"1": {"a": 1}}, run, "AP").notes
        assert note == "7 of 8 topics of run are not judged (0 2 3 4 5 ...); ignored"

    def test_the_top_of_the_scale(self):
        one, two = {"1": {"a": 2, "b": 1}}, {"1": {"a": 1, "b": 1}}
        run = {"1": {"b": 2, "a": 1}}
        scores = evaluate(one, run, "ERR")
        assert scores.notes == ("ERR: max=2, the largest grade judged",)
        value = reference.cascade(
            one["1"], reference.ranked([("1", "b", 2), ("1", "a", 1)], "1"), None, 2
        )
        assert scores.values.item() == pytest.approx(value)
        with pytest.raises(
            AssayError, match=r"different largest grades \(x 2, y 1\); say .* ERR\(max=2"
        ):
            evaluate({"x": one, "y": two}, run, "ERR")
        assert evaluate({"x": one, "y": two}, run, "ERR(max=3)").notes == ()
        with pytest.raises(AssayError, match=r"ERR.max=1.: max=1, but there are grades up to 2"):
            evaluate(one, run, "ERR(max=1)")


class TestSameInAnyOrder:
    """Neither the order of lines, nor pieces, nor threads, nor a neighbour change a number."""

    @pytest.mark.parametrize("seed", range(20))
    def test_order_of_lines_and_of_runs(self, seed, tmp_path):
        rng, judgments, runs = random_world(seed)
        paths = {name: write_run(tmp_path / name, rows, rng) for name, rows in runs.items()}
        expected = evaluate(judgments, paths, MEASURES)
        for name, rows in runs.items():
            write_run(paths[name], rng.sample(rows, len(rows)), rng)
        again = evaluate(judgments, dict(reversed(paths.items())), MEASURES)
        for name, path in paths.items():
            alone = evaluate(judgments, {name: path}, MEASURES)
            for judge, measure in itertools.product(judgments, MEASURES):
                values = expected.of(name, measure, judge)
                np.testing.assert_array_equal(again.of(name, measure, judge), values)
                np.testing.assert_array_equal(alone.of(name, measure, judge), values)

    def test_number_of_threads(self, tmp_path):
        rng, judgments, runs = random_world(11)
        path = write_run(tmp_path / "r", runs["r0"], rng)
        program = (
            "import sys, assay; print([v.hex() for v in assay.evaluate(eval(sys.argv[1]), "
            f"sys.argv[2], {MEASURES!r}).values.ravel().tolist()])"
        )
        found = {
            subprocess.run(
                [sys.executable, "-c", program, repr(judgments), path],
                env=os.environ | {"POLARS_MAX_THREADS": threads, "OMP_NUM_THREADS": threads},
                capture_output=True,
                check=True,
            ).stdout
            for threads in ("1", "7")
        }
        values = evaluate(judgments, path, MEASURES).values.ravel().tolist()
        assert found == {f"{[value.hex() for value in values]}\n".encode()}

    def test_nothing_given_is_changed(self):
        _rng, judgments, runs = random_world(3)
        frames = {
            name: pl.DataFrame(rows, schema=["topic", "doc", "score"], orient="row")
            for name, rows in runs.items()
        }
        judges = {name: Judgments(judged) for name, judged in judgments.items()}
        before = repr(judgments), {n: f.rows() for n, f in frames.items()}
        inside = {name: judge.frame.rows() for name, judge in judges.items()}
        policies = {"ties": "best", "negative": "nonrelevant", "precision": "float32"}
        given = {name: Run(frame) for name, frame in frames.items()}
        for runs_given in (frames, given):
            evaluate(judgments, runs_given, MEASURES, ignore_self=True, **policies)
            evaluate(judges, runs_given, MEASURES, unjudged="condensed", **policies)
        assert (repr(judgments), {n: f.rows() for n, f in frames.items()}) == before
        assert {name: judge.frame.rows() for name, judge in judges.items()} == inside
        assert {name: run.label for name, run in given.items()} == dict.fromkeys(given, "run")

    def test_read_only_results(self):
        scores = evaluate({"1": {"a": 1}}, {"1": {"a": 1}}, "AP")
        with pytest.raises(ValueError, match="read-only"):
            scores.values[...] = 1


class TestLaws:
    @pytest.mark.parametrize("seed", range(10))
    def test_deleting_a_topic_never_improves_a_run(self, seed):
        _, judgments, runs = random_world(seed)
        rows = next(iter(runs.values()))
        judgments = {"j": next(iter(judgments.values()))}
        full = evaluate(judgments, {"r": as_run(rows)}, MEASURES)
        for topic in {row[0] for row in rows} - {"t0"}:
            less = [row for row in rows if row[0] != topic]
            part = evaluate(judgments, {"r": as_run(less)}, MEASURES)
            for measure in MEASURES:
                better, worse = full.average("r", measure), part.average("r", measure)
                assert worse.topics == better.topics
                assert not worse.value > better.value + 1e-12

    def test_runs_are_undefined_on_the_same_topics(self):
        for seed in range(20):
            _, judgments, runs = random_world(seed)
            given = {name: as_run(rows) for name, rows in runs.items()} | {"none": {}}
            for policies in ({}, {"unjudged": "condensed"}, {"ties": "best"}):
                scores = evaluate(judgments, given, MEASURES, **policies)
                undefined = scores.reasons == 1
                assert (undefined == undefined[:, :1]).all()


def test_progress_goes_to_one():
    steps = []
    runs = {name: {"1": {"a": 1}} for name in "abcd"}
    evaluate({"1": {"a": 1}}, runs, "AP", progress=steps.append)
    assert steps == [0.25, 0.5, 0.75, 1.0]


def test_bounds_make_two_measures_of_one():
    scores = evaluate({"1": {"a": 1}}, {"1": {"x": 2, "a": 1}}, ["AP", "P@1"], unjudged="bounds")
    assert [str(measure) for measure in scores.measures] == [
        "AP(unjudged='lowest')", "AP(unjudged='highest')",
        "P(unjudged='lowest')@1", "P(unjudged='highest')@1",
    ]  # fmt: skip
    assert scores.values[0, 0, :, 0].tolist() == [0.5, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("lenient", [True, False])
def test_a_file_of_nothing_but_bad_lines(tmp_path, lenient):
    path = tmp_path / "bad.run"
    path.write_text("1 Q0\n1 Q0 a\n")
    message = "no data: .*; left out 2 rows with a wrong number" if lenient else "bad.run:1: expec"
    with pytest.raises(AssayError, match=message):
        evaluate({"1": {"a": 1}}, path, "AP", strict=not lenient)


def test_progress_within_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.io.stream.PIECE", 64)
    path = tmp_path / "r.txt"
    path.write_text("".join(f"q{i} Q0 d1 1 1 tag\n" for i in range(20)))
    told = []
    evaluate({"q0": {"d1": 1}}, [path, {"q0": {"d1": 1.0}}], "AP", progress=told.append)
    assert told == sorted(told)
    assert len(told) > 5
    assert max(share for share in told if share < 1) == 0.5
    assert told[-1] == 1


@pytest.mark.parametrize(
    ("measure", "grade"),
    [("nDCG(gain='exp')", 2000), ("DCG(gain='exp')", 2000), ("CG", 1e308), ("F(beta=1e200)", 1)],
)
@pytest.mark.parametrize("unjudged", ["nonrelevant", "highest"])
def test_beyond_the_largest_float(measure, grade, unjudged):
    """An error, where there was infinity, or a topic called undefined."""
    judgments, run = {"q": {"a": grade, "b": grade}}, {"q": {"a": 2.0, "u": 1.5, "b": 1.0}}
    with pytest.raises(AssayError, match=r"some topic takes it beyond the largest float"):
        evaluate(judgments, run, measure, unjudged=unjudged)


def test_grades_that_are_large():
    judgments, run = {"q": {"a": 2000, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    # a reader stops at b with 2^-1999, which is nothing, else at a with 1 - 2^-2000
    assert evaluate(judgments, run, "ERR").average("run", "ERR").value == 0.5
