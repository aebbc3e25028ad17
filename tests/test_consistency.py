"""The report on preferences: verdicts, counts, what to drop, tables."""

from __future__ import annotations

import pytest

from assay import AssayError, Preferences, read_preferences

MIXED = Preferences(
    {
        "weak": [("a", "b"), ("b", "c"), ("c", "=", "d")],
        "open": [("a", "b"), ("c", "d")],
        "circle": [("a", "b"), ("b", "c"), ("c", "a"), ("a", "b")],
        "both": [("a", "b"), ("b", "a")],
    },
    label="mixed",
)


def test_verdicts_and_counts():
    found = MIXED.check()
    rows = {each.topic: each for each in found.findings}
    assert {topic: each.verdict for topic, each in rows.items()} == {
        "weak": "weak order",
        "open": "consistent",
        "circle": "contradictory",
        "both": "contradictory",
    }
    weak = rows["weak"]
    assert (weak.known, weak.implied, weak.unknown, weak.pairs) == (3, 3, 0, 6)
    assert (rows["open"].known, rows["open"].implied, rows["open"].unknown) == (2, 0, 4)
    assert rows["circle"].counts["negative transitivity"] == 1
    assert rows["both"].counts["asymmetry"] == 1
    assert found.summary == "1 weak order, 1 consistent, 2 contradictory"
    assert not found.consistent


def test_what_to_drop():
    rows = {each.topic: each for each in MIXED.check().findings}
    (step,) = rows["circle"].dropped
    assert str(step) in {"b > c", "c > a"}
    assert (rows["circle"].drop.votes, rows["circle"].drop.exact) == (1, True)
    assert rows["weak"].drop is None
    assert MIXED.check(drop=False).findings[2].drop is None


def test_each_judge_is_checked_apart():
    one, two = Preferences({"q": [("a", "b")]}), Preferences({"q": [("b", "a")]})
    found = Preferences.pooled([one.labelled("one"), two.labelled("two")]).check()
    assert [(each.judge, each.verdict) for each in found.findings] == [
        ("one", "weak order"),
        ("two", "weak order"),
    ]


def test_lines_of_a_file_are_named(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("# topic better worse\nq a b\n\nq b c\nq c a\n")
    (violation,) = read_preferences(path).check().violations
    assert violation.lines == (2, 4, 5)
    assert (
        str(violation)
        == "q: negative transitivity: a > b (line 2), b > c (line 4), yet c > a (line 5)"
    )


def test_table_and_frame():
    found = MIXED.check()
    assert (
        str(found.table())
        == """\
topic   verdict        docs  statements  votes  implied  unknown  asym.  neg. trans.  cycles  drop
weak    weak order        4           3      3        3        0      0            0       0
open    consistent        4           2      2        0        4      0            0       0
circle  contradictory     3           3      4        0        0      0            1       0     1
both    contradictory     2           2      2        0        0      1            0       0     1

circle: negative transitivity: a > b (2 votes), b > c, yet c > a
both: asymmetry: a > b, yet b > a
circle: drop b > c
both: drop a > b

1 weak order, 1 consistent, 2 contradictory"""
    )
    frame = found.to_polars()
    assert frame["verdict"].to_list()[0] == "weak order"
    assert frame["drop"].to_list() == [None, None, 1, 1]
    assert "<table>" in found._repr_html_()
    assert repr(found).startswith("Consistency('mixed': 1 weak order")


def test_missing_pairs_as_ties():
    found = MIXED.check(missing="tie")
    assert [each.verdict for each in found.findings] == [
        "consistent",
        "consistent",
        "contradictory",
        "contradictory",
    ]
    assert "pairs that are not stated count as ties" in found.notes[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"missing": "no"}, "missing='no'"), ({"limit": 0}, "limit=0")],
)
def test_bad_requests(options, message):
    with pytest.raises(AssayError, match=message):
        MIXED.check(**options)


def test_real_verdicts(shared):
    folder = shared / "dl21" / "prefs"
    found = read_preferences(folder / "judge.00.gz").check(seconds=30)
    assert found.summary == "5 consistent, 22 contradictory"
    assert all(each.drop is None or each.drop.exact for each in found.findings)
    rest = read_preferences(folder / "judge.00.gz").consistent(seconds=30)
    assert rest.check().consistent
    human = read_preferences(folder / "human.human.gz")
    assert all(
        each.verdict == "contradictory" for each in human.check(drop=False, limit=1).findings
    )
    assert human.majority().single
