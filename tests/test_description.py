"""A look before measuring: every fact by hand, every finding where it belongs and nowhere else."""

from __future__ import annotations

import itertools
import json
from html.parser import HTMLParser

import pytest

import assay
from assay import Judgments, Run, describe

JUDGED = {"q1": {"a": 2, "b": 1, "c": 0, "d": 1}, "q2": {"a": 1, "e": 3, "f": 0, "g": 1}}
LISTS = {
    "one": {"q1": "a b c x d", "q2": "e a y f"},
    "two": {"q1": "b a d y c", "q2": "a z e f g"},
    "three": {"q1": "x y z w a", "q2": "f u v a w"},
}


def ranked(lists):
    """Runs of distinct scores that are no whole numbers."""
    return {
        name: {t: {d: 9.5 - i * 1.25 for i, d in enumerate(docs.split())} for t, docs in by.items()}
        for name, by in lists.items()
    }


def kinds(found, about=None):
    return {each.kind for each in found.findings if about in (None, each.about)}


def slow_tau(a, b):
    shared = [doc for doc in a if doc in b]
    pairs = list(itertools.combinations(shared, 2))
    same = sum(1 if b.index(x) < b.index(y) else -1 for x, y in pairs)
    return same / len(pairs)


def test_facts_by_hand():
    found = describe(JUDGED, ranked(LISTS))
    (judged,) = found.judgments
    assert (judged.judgments, judged.topics, judged.relevant) == (8, 2, 6)
    assert judged.grades == {"0": 2, "1": 4, "2": 1, "3": 1}
    assert (judged.relevant_least, judged.relevant_median, judged.relevant_most) == (3, 3.0, 3)
    one, two, three = found.runs
    assert (one.documents, one.topics, one.missing) == (9, 2, 0)
    assert (one.depth_least, one.depth_median, one.depth_most) == (4, 4.5, 5)
    assert (one.pool_depth, two.pool_depth, three.pool_depth) == (2, 1, 0)
    assert (one.relevant, two.relevant, three.relevant) == (5, 6, 2)
    assert (one.unique, two.unique, three.unique) == (0, 1, 0)  # g of q2 is found by `two` alone
    assert one.judged["5"] == pytest.approx((4 / 5 + 3 / 4) / 2)
    assert three.judged["5"] == pytest.approx((1 / 5 + 2 / 5) / 2)
    for x, y in itertools.permutations(LISTS, 2):
        shares, taus = [], []
        for topic in JUDGED:
            a, b = LISTS[x][topic].split(), LISTS[y][topic].split()
            shares.append(len(set(a) & set(b)) / min(len(a), len(b)))
            if len(set(a) & set(b)) > 1:
                taus.append(slow_tau(a, b))
        assert found.overlap[x][y] == pytest.approx(sum(shares) / 2)
        assert found.tau[x][y] == pytest.approx(sum(taus) / len(taus))


def several(pairs):
    """A run over 4 topics with 12 documents each."""
    return {f"t{t}": {f"d{i}": pairs(t, i) for i in range(12)} for t in range(4)}


PLAIN = several(lambda t, i: 12.5 - i * 1.1 + 0.01 * t)
FULL = several(lambda t, i: (t + i) % 3)
CASES = {
    "no relevant document": ({**FULL, "t0": {"d1": 0}}, PLAIN),
    "few relevant documents": ({**FULL, "t0": {"d1": 1, "d2": 0}}, PLAIN),
    "grade out of scale": ({f"t{t}": {f"d{i}": i % 4 for i in range(200)} for t in range(4)}
                           | {"t4": {"d1": 10, "d2": 0}}, PLAIN),
    "real grades": (several(lambda t, i: 0.5 * ((t + i) % 7)), PLAIN),
    "grades below 0": (several(lambda t, i: (t + i) % 4 - 1), PLAIN),
    "no judged nonrelevant document": (several(lambda t, i: 1 + (t + i) % 2), PLAIN),
    "one grade for nearly all": ({f"t{t}": {f"d{i}": int(i < 4) for i in range(100)}
                                  for t in range(4)}, PLAIN),
    "missing topics": (FULL, {t: docs for t, docs in PLAIN.items() if t != "t2"}),
    "topics not judged": (FULL, {**PLAIN, "t9": PLAIN["t0"]}),
    "short lists": (FULL, {**PLAIN, "t0": {"d1": 1.5}}),
    "all scores tied": (FULL, several(lambda t, i: 1.5)),
    "ties": (FULL, several(lambda t, i: 0.5 + i // 2)),
    "scores look like ranks": (FULL, several(lambda t, i: i + 1)),
    "scores rise": (FULL, several(lambda t, i: 0.5 + i * 1.3)),
    "float32 ties": (FULL, several(lambda t, i: 1 + (12 - i) * 1e-12)),
    "nothing judged": (FULL, {t: {f"x{d}": docs[d] for d in docs} for t, docs in PLAIN.items()}),
    "few judged documents": (several(lambda t, i: i % 2) | {"t0": {"d0": 1}, "t1": {"d0": 1},
                                                           "t2": {"d0": 1}}, PLAIN),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_a_finding(kind):
    assert kind not in kinds(describe(FULL, PLAIN))
    found = describe(*CASES[kind])
    assert kind in kinds(found)
    for each in found.findings:
        assert each.text
        assert each.advice
        assert str(each) in str(found)


def test_nothing_to_say():
    assert describe(FULL, PLAIN).findings == ()


def test_ids_alike():
    judged = {"Q1": {"a": 1, "A": 0, "b c": 1}}
    run = {"q1": {"x": 1.5}, "Q1": {"bc": 2.5, " a": 1.5, "a": 0.5}}
    texts = [str(each) for each in describe(judged, run).findings if each.kind == "ids alike"]
    assert len(texts) == 3
    assert (
        "1 pair of document ids differ only by case or white space, such as 'A' and 'a'" in texts[0]
    )
    assert "2 document ids differ from judged ones only by case or white space" in texts[1]
    assert (
        "1 topic id differs from judged ones only by case or white space, such as 'q1'" in texts[2]
    )


def test_identical_runs_and_near_ones():
    other = {t: {d: 2 * s for d, s in docs.items()} for t, docs in PLAIN.items()}
    deeper = {t: {**docs, **{f"x{i}": -i - 0.5 for i in range(20)}} for t, docs in PLAIN.items()}
    longer = {t: {**docs, "z": -90.5} for t, docs in deeper.items()}
    found = describe(FULL, {"a": PLAIN, "b": other, "c": PLAIN, "deep": deeper, "deeper": longer})
    said = {(each.about, each.kind): each.text for each in found.findings}
    assert said["b", "identical runs"] == said["c", "identical runs"] == "the same lists as a"
    assert ("c", "runs all but identical") not in said  # said once
    assert "those of deep (overlap 1.000" in said["deeper", "runs all but identical"]
    assert ("a", "identical runs") not in said


def test_runs_beside_one_another():
    fewer = {t: {d: s for d, s in docs.items() if d in ("d0", "d1")} for t, docs in PLAIN.items()}
    foreign = {t: {f"x{d}": s for d, s in docs.items()} for t, docs in PLAIN.items()}
    found = describe(FULL, {"all": PLAIN, "fewer": fewer, "foreign": foreign})
    assert {"uneven judging", "depths differ"} <= kinds(found, "runs")


def test_judges_beside_one_another():
    part = {"t0": {"d0": 1, "d1": 0, "d2": 5}}
    found = describe({"a": FULL, "b": FULL, "part": part}, PLAIN)
    said = {(each.about, each.kind): each.text for each in found.findings}
    assert said["b", "identical judgments"] == "holds the same judgments as a"
    assert said["part", "partial judgments"] == "covers 6% of the pairs that any judge judged"
    assert "part 5" in said["judgments", "scales differ"]


def test_what_lenient_reading_left_out(tmp_path):
    (tmp_path / "r.run").write_text("q1 Q0 a 1 2.5 t\nq1 Q0 b\n")
    (tmp_path / "q.txt").write_text("q1 0 a 1\nq1 0 b x\n")
    with pytest.raises(assay.AssayError, match=r"q\.txt:2"):
        describe(tmp_path / "q.txt", tmp_path / "r.run")
    found = describe(tmp_path / "q.txt", tmp_path / "r.run", strict=False)
    assert "cut short" in kinds(found, "r")
    texts = [each.text for each in found.findings if each.kind == "left out"]
    assert len(texts) == 2
    assert "q.txt:2" in texts[0]
    assert "r.run:2" in texts[1]


def test_the_advice_for_ranks_works(tmp_path):
    """Scores that are ranks are turned round by the options that the finding names."""
    lines = [f"t{t} Q0 d{i} {i + 1} {i + 1} tag\n" for t in range(4) for i in range(12)]
    (tmp_path / "r.run").write_text("".join(lines))
    (finding,) = [
        each
        for each in describe(FULL, tmp_path / "r.run").findings
        if each.kind == "scores look like ranks"
    ]
    words = finding.advice.partition("runs:")[2]
    columns = {role: int(at) for role, at in (pair.split("=") for pair in words.split(","))}
    turned = assay.read_run(tmp_path / "r.run", columns=columns)
    assert turned.to_dict()["t0"]["d0"] == -1
    assert "negate them" in str(describe(FULL, several(lambda t, i: i + 1)))


EVIL = '"><script>alert(1)</script>\x1b[31m'


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)


def test_hostile_ids():
    """Ids and labels are data in every form of output."""
    judged = Judgments({EVIL: {EVIL: 1, EVIL.upper(): 0, "a" * 100_000: 1}}, label=EVIL)
    found = describe(judged, {EVIL + "1": {EVIL: {EVIL: 1.5}}, "=1+1": {"t": {EVIL + " ": 2.5}}})
    page = found.table().to_html()
    parser = Tags()
    parser.feed(page)
    assert parser.seen <= {
        "html", "head", "meta", "title", "style", "body", "h1", "table", "thead", "tbody", "tr",
        "th", "td", "p", "small", "br", "b",
    }  # fmt: skip
    assert "\x1b" not in page + str(found)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["runs"][0]["label"]


def test_no_runs_and_empty_runs():
    assert describe(FULL).runs == ()
    found = describe(FULL, {"empty": Run({}), "plain": PLAIN})
    assert (found.runs[0].documents, found.runs[0].depth_most, found.runs[0].missing) == (0, 0, 4)
    assert kinds(found, "empty") == {"empty run", "missing topics"}
    assert json.dumps(found.to_dict(), allow_nan=False)
