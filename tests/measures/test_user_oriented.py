from __future__ import annotations

import pickle

import numpy as np
import pytest

import assay
from assay import AssayError
from assay.document_sets import DocumentSets
from assay.measures import parse

JUDGMENTS = {"1": {"a": 2, "b": 1, "c": 1, "x": 0}, "2": {"a": 1, "b": 1}, "3": {"a": 1}}
RUN = {"1": {"a": 4, "x": 3, "c": 2, "u": 1}, "2": {"b": 2, "u": 1}, "3": {"u": 1}}
PAIR = ("Coverage", "Novelty")
KNOWN = {"1": ["a", "b", "x", "elsewhere"], "2": ["a"]}


def values(*measures, run=RUN, **policy):
    return assay.evaluate(JUDGMENTS, run, measures, **policy).values[0, 0]


def test_what_was_known_and_what_is_new():
    """Topic 1: known and relevant are a, b, of which a is shown; relevant are shown a, c."""
    coverage, novelty = (parse(name)(known=KNOWN) for name in ("Coverage", "Novelty"))
    found = values(coverage, novelty, coverage @ 1, novelty @ 1)
    assert found[0].tolist()[:2] == [1 / 2, 0]
    assert np.isnan(found[0][2])  # nothing known
    assert found[1].tolist() == [1 / 2, 1, 0]
    assert found[2].tolist()[:2] == [1 / 2, 0]
    assert found[3].tolist() == [0, 1, 0]


@pytest.mark.parametrize("name", ["Coverage", "Novelty"])
def test_each_by_itself(name, tmp_path):
    """What one measure needs is there without the other."""
    alone, both = parse(name)(known=KNOWN), [parse(each)(known=KNOWN) for each in PAIR]
    expected = values(*both)[PAIR.index(name)]
    np.testing.assert_array_equal(values(alone)[0], expected)
    (tmp_path / "known").write_text("1 a\n1 b\n1 x\n2 a\n")
    found = values(f"{name}(known={str(tmp_path / 'known')!r})")[0]
    np.testing.assert_array_equal(found, expected)


def test_what_was_wanted():
    mapping = parse("RelRecall")(wanted={"1": ["a", "p", "q", "r"], "2": ["z"]})
    found = values("RelRecall(wanted=4)", mapping, "RelRecall(wanted=4)@1")
    assert found[0].tolist() == [2 / 4, 1 / 4, 0]
    assert found[1].tolist()[:2] == [2 / 4, 1]
    assert np.isnan(found[1][2])
    assert found[2].tolist() == [1 / 4, 1 / 4, 0]


def test_sets_from_a_file(tmp_path):
    path = tmp_path / "known.txt"
    path.write_text("# what she knew\n1 a\n1\tb\n\n1 x\n2 a\n")
    qrels = tmp_path / "known.qrels"
    qrels.write_text("1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n")
    expected = values(parse("Coverage")(known=KNOWN))
    for file in (path, qrels):
        measure = parse(f"Coverage(known={file})")
        assert str(measure) == f"Coverage(known='{file}')"
        assert parse(str(measure)) == measure
        np.testing.assert_array_equal(values(measure), expected)


def test_two_sets_in_one_evaluation():
    one, other = (parse("Coverage")(known=k) for k in (KNOWN, {"1": ["c"]}))
    found = values(one, other)
    assert found[:, 0].tolist() == [1 / 2, 1]


@pytest.mark.parametrize(("policy", "expected"), [("best", 1), ("worst", 0), ("trec", 0)])
def test_the_order_of_ties(policy, expected):
    """By id the order is x u c a; the best order of the judged ones is a c x."""
    tied = {"1": {"a": 1, "x": 1, "c": 1, "u": 1}}
    measure = parse("Coverage")(known={"1": ["c"]}) @ 2
    assert values(measure, run=tied, ties=policy)[0, 0] == expected


def test_condensed():
    measure = parse("Coverage")(known={"1": ["c"]}) @ 2
    run = {"1": {"u": 3, "a": 2, "c": 1}}
    assert values(measure, run=run)[0, 0] == 0
    assert values(measure, run=run, unjudged="condensed")[0, 0] == 1


def test_sets_are_values():
    one, same = DocumentSets(KNOWN), DocumentSets({"2": ("a",), "1": set(KNOWN["1"])})
    assert one == same
    assert hash(one) == hash(same)
    assert one != DocumentSets({"1": ["a"]}) != DocumentSets("file")
    assert DocumentSets("file") == DocumentSets("file")
    assert repr(one) == "<5 documents of 2 topics>"
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 a b\n", "1: expected 2 columns .* found 3: '1 a b'"),
        ("\n\n1 0 a high\n", "3: the grade 'high' is no number"),
        ("# nothing\n", "no documents: expected lines of 2 columns"),
        (b"1 \xff\n", "1: byte 0xff is not valid UTF-8"),
    ],
)
def test_a_bad_file(tmp_path, text, message):
    path = tmp_path / "known.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(AssayError, match=message):
        values(f"Coverage(known='{path}')")


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda: values("Coverage"), "Coverage: needs to be told known=, a file of lines"),
        (lambda: parse("Coverage(known=3)"), "known must be a file of lines 'topic doc'"),
        (lambda: parse("RelRecall(wanted=0)"), "wanted must be a whole number at least 1"),
        (lambda: parse("Coverage")(known={"1": "a"}), "expected the ids of documents"),
    ],
)
def test_a_bad_parameter(measure, message):
    with pytest.raises(AssayError, match=message):
        measure()


def test_a_file_that_is_not_there():
    with pytest.raises(AssayError, match="nowhere"):
        values("Coverage(known='nowhere')")
