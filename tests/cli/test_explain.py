from __future__ import annotations

import re

import pytest

from assay import __version__
from shell import assay, terminal

POLICIES = (
    "missing worst, undefined skip, unjudged nonrelevant, ties trec, precision float64, "
    "mean arithmetic, negative unjudged"
)


def test_the_list_of_traps(folder):
    # shared/TRAPS.md, part E: nDCG@3 by trec_eval and ir_measures 0.7350, by ranx 0.8175
    result = assay("explain", "q.txt", "bm25.run", "301", "-m", "nDCG@3")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "nDCG@3, run bm25, topic 301\n"
        "DCG@k / DCG@k of all judged documents of the topic, largest gain first\n"
        "\n"
        "rank  doc  tie  grade  weight    adds     sum  |  ideal  grade    adds     sum\n"
        "   1  d2            2  1.0000  2.0000  2.0000  |  d1         3  3.0000  3.0000\n"
        "   2  x      a      ?  0.6309  0.0000  2.0000  |  d2         2  1.2619  4.2619\n"
        "   3  d1     a      3  0.5000  1.5000  3.5000  |  d3         1  0.5000  4.7619\n"
        "\n"
        "nDCG@3 = DCG / ideal DCG = 3.5000 / 4.7619 = 0.7350\n"
        "?  unjudged: counted as not relevant\n"
        "tie  a letter marks equal scores: ordered by document id, descending\n"
        "\n"
        "What the same list gets elsewhere:\n"
        "  assay         nDCG@3                           0.7350\n"
        "  trec_eval 9   ndcg_cut_3                       0.7350  the same\n"
        "  trec_eval 10  ndcg_cut_3                       0.7350  the same\n"
        "  ir_measures   nDCG@3                           0.7350  the same\n"
        "  ranx          ndcg@3                           0.8175  "
        "leaves equal scores in the order of the file\n"
        "  scikit-learn  ndcg_score(grades, scores, k=3)  0.8673  "
        "averages over the orders of equal scores; "
        "takes the ideal from the retrieved documents alone\n"
        "\n"
        f"assay {__version__}: {POLICIES}\n"
    )


def test_several_measures(folder):
    result = assay("explain", "q.txt", "bm25.run", "301", "-m", "AP", "-m", "NDPM")
    first, second = result.stdout.split("\n\nNDPM, run bm25, topic 301\n")
    assert "\nAP = sum / R = 1.6667 / 3 = 0.5556\n" in first
    assert "the arithmetic of NDPM is not written out rank by rank" in second
    assert second.count("no such measure") == 5


def test_measure_where_none_is_asked_for(folder):
    result = assay("explain", "q.txt", "bm25.run", "301")
    assert result.stderr == "assay: no -m given: nDCG@10\n"
    assert result.stdout.startswith("nDCG@10, run bm25, topic 301\n")


def test_policies(folder):
    result = assay("explain", "q.txt", "bm25.run", "301", "-m", "nDCG@3", "--ties", "expected")
    # x and d1 share ranks 2 and 3: weight (1/log2(3) + 1/2) / 2 = 0.5655
    assert "   2  x      a      ?  0.5655  0.0000  2.0000" in result.stdout
    assert "   3  d1     a      3  0.5655  1.6964  3.6964" in result.stdout
    condensed = assay("explain", "q.txt", "bm25.run", "301", "-m", "RR", "--unjudged", "condensed")
    assert "\n   -  x      a      ?\n" in condensed.stdout


def test_a_topic_that_nobody_judged(folder):
    result = assay("explain", "q.txt", "bm25.run", "0303", "-m", "AP")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "assay: q: topic '0303' is not judged; did you mean '303'?\n"


def test_a_topic_that_the_run_lacks(folder):
    result = assay("explain", "q.txt", "other.run", "302", "-m", "AP")
    assert result.exit_code == 0
    assert "\nthe run has no document for this topic\n" in result.stdout
    assert "the run lacks this topic: scored as the worst value (0.0000)" in result.stdout


def test_an_undefined_topic(folder):
    result = assay("explain", "q.txt", "bm25.run", "303", "-m", "AP")
    assert "\nAP is undefined: sum / R = 0 / 0\n" in result.stdout
    assert "0.0000  gives 0 where the measure is undefined" in result.stdout


def test_fewer_rows(folder):
    result = assay("explain", "q.txt", "bm25.run", "301", "-m", "AP", "--rows", "2")
    assert "      ... 2 more\n" in result.stdout
    assert "--rows 0 shows the whole list (rows=None in Python)\n" in result.stdout
    whole = assay("explain", "q.txt", "bm25.run", "301", "-m", "AP", "--rows", "0")
    assert "more" not in whole.stdout


def test_80_columns(folder):
    shown = terminal("explain", "q.txt", "bm25.run", "301", "-m", "nDCG@3", columns=80)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert max(map(len, lines)) <= 80
    assert "   1  d2            2  1.0000  2.0000  2.0000  |  d1         3  3.0000  3.0000" in lines


@pytest.mark.parametrize("columns", [60, 72, 80])
@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "RBP(p=0.5)", "RR"])
def test_a_narrow_terminal_loses_no_word(folder, measure, columns):
    """Reasons beside the values, or below them where there is no room; nothing is cut off."""
    words = ["explain", "q.txt", "bm25.run", "301", "-m", measure]
    shown = terminal(*words, columns=columns).replace("\r", "")
    whole = assay(*words).stdout
    narrow, wide = (re.sub(r"\x1b\[[0-9;]*m", "", text) for text in (shown, whole))
    tools = narrow[narrow.index("What the same") : narrow.index("assay 0.")]
    assert max(map(len, tools.splitlines())) <= columns
    for word in wide[wide.index("What the same") : wide.index("assay 0.")].split():
        assert word in tools.split() or (columns == 60 and "(" in word), word
