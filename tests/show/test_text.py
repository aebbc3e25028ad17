from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.show.text import cells, number, padded, printable, share, shortened


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5000"),
        (-1e-9, "0.0000"),
        (-0.25, "-0.2500"),
        (12345.67891, "12345.6789"),
        (2e10, "2e+10"),
        (math.inf, "inf"),
        (math.nan, "-"),
    ],
)
def test_number(value, text):
    assert number(value) == text


def test_share():
    assert (share(0.987), share(math.nan)) == ("0.99", "-")


def test_printable():
    assert printable("plain, übergroß 検索") == "plain, übergroß 検索"
    assert printable("a\x1b[31m\tb\udcff\u202e") == r"a\x1b[31m\tb\udcff\u202e"


def test_cells_of_wide_characters():
    assert (cells("abc"), cells("検索"), cells("über")) == (3, 4, 4)
    assert padded("検索", 6) == "  検索"
    assert padded("検索", 6, left=True) == "検索  "


def test_short_labels_stay():
    assert shortened(["bm25", "dense"], 5) == ["bm25", "dense"]


def test_long_labels_are_cut_in_the_middle():
    assert shortened(["university-system-one", "bm25"], 11) == ["unive..-one", "bm25"]


def test_the_cut_keeps_what_differs():
    labels = ["team-model-a-with-rerank", "team-model-b-with-rerank"]
    assert shortened(labels, 16) == ["team-model-a..nk", "team-model-b..nk"]


def test_labels_that_differ_in_the_middle_alone():
    labels = ["x" * 30 + middle + "y" * 30 for middle in "abc"]
    assert shortened(labels, 12) == ["xxxxx..yyy~1", "xxxxx..yyy~2", "xxxxx..yyy~3"]


@given(st.lists(st.text("abcdefgh検-", min_size=1, max_size=40), unique=True, max_size=8))
def test_shortened_labels_fit_and_differ(labels):
    short = shortened(labels, 14)
    assert all(cells(label) <= 14 for label in short)
    assert len(set(short)) == len(labels)
