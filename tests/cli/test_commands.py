"""measures, simulate, demo."""

from __future__ import annotations

import pytest

from assay.measures.named_sets import NAMED_SETS
from assay.measures.registry import registered
from shell import assay, terminal


def test_list_of_measures():
    lines = assay("measures").stdout.splitlines()
    assert lines[0] == "Cumulated gain"
    assert [
        "nDCG[@k]",
        "higher",
        "Normalised",
        "discounted",
        "cumulated",
        "gain:",
        "DCG",
        "as",
        "a",
        "share",
        "of",
        "the",
        "best",
        "that",
        "the",
        "topic",
        "allows",
    ] in [line.split() for line in lines]
    listed = {line.split()[0].split("[")[0].split("@")[0] for line in lines if line[:1] == " "}
    assert listed == set(registered()) | set(NAMED_SETS)


@pytest.mark.parametrize("name", ["papers", "trec"])
def test_a_set_of_measures(name):
    lines = assay("measures", name).stdout.splitlines()
    assert lines[0] == name
    assert [line.split()[0] for line in lines[3:]] == list(NAMED_SETS[name])
    assert all(len(line.split()) > 2 for line in lines[3:])
    assert f"\n  {name} " in assay("measures").stdout


def test_list_of_measures_in_80_columns():
    lines = terminal("measures", columns=80).splitlines()
    assert max(map(len, lines)) <= 80


def test_one_measure():
    lines = assay("measures", "RBP").stdout.splitlines()
    assert lines[0] == "RBP(p, rel, max)[@k]"
    page = dict(line.split(None, 1) for line in lines if line[:1] not in ("", " "))
    assert page["range"] == "0 to 1; higher is better"
    assert page["worst"].startswith("0; ")
    assert page["undefined"] == "never"
    assert page["paper"].startswith("Moffat & Zobel 2008")
    assert "  p=0.8      persistence" in "\n".join(lines).replace("parameters ", "")
    assert "             ranx: rbp.8" in lines


def test_an_example_that_the_literature_knows():
    # Järvelin & Kekäläinen 2002: DCG[10] of G' is 9.61, of the ideal 11.83 (I' as in the paper
    # to rank 10: 3 + 3 + 3/log2(3) + 2/2 + 2/log2(5) + 2/log2(6) + 1/log2(7) + 1/3 + ...)
    assert "DCG_JK = 9.605" in assay("measures", "DCG_JK").stdout
    assert "CG = 16 " in assay("measures", "CG").stdout


@pytest.mark.parametrize("name", ["ndcg_cut_10", "nDCG@10", "ndcg@10"])
def test_names_of_other_tools(name):
    lines = assay("measures", name).stdout.splitlines()
    assert lines[0] == "nDCG(gain, gains, discount)[@k]"
    assert "elsewhere    trec_eval 9, trec_eval 10: ndcg_cut_10" in lines


@pytest.mark.parametrize("name", sorted(registered()))
def test_every_measure_has_a_page(name):
    result = assay("measures", name)
    assert result.exit_code == 0
    heads = {line.split()[0] for line in result.stdout.splitlines() if line[:1] not in ("", " ")}
    assert {"range", "worst", "undefined", "cut-off", "ties", "parameters", "elsewhere"} <= heads


def test_no_such_measure():
    result = assay("measures", "ndgc")
    assert result.exit_code == 2
    assert result.stderr == (
        "assay: unknown measure 'ndgc'; did you mean 'nDCG'?  All names: assay measures\n"
    )


def test_simulate(folder):
    result = assay("simulate", "--topics", "3", "--runs", "2", "--seed", "7", "--out", "made")
    assert result.exit_code == 0
    assert result.stdout == "made/qrels.txt\nmade/solid.run\nmade/rounded.run\n"
    assert result.stderr == (
        "assay: solid: a good run\n"
        "assay: rounded: scores rounded to one decimal, so that many are equal\n"
        "assay: topic t2: no relevant document\n"
    )
    again = assay("simulate", "--topics", "3", "--out", "made")
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr == "assay: made: exists already; name a new folder, or an empty one\n"


def test_demo():
    result = assay("demo")
    assert result.exit_code == 0
    said = result.stderr.splitlines()
    assert said[0] == "$ assay simulate --out demo"
    assert "$ assay eval demo/qrels.txt demo/*.run -m nDCG@10 -m AP" in said
    assert "Try next:" in said
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[:5]] == [
        "nDCG@10",
        "solid",
        "rounded",
        "newcomer",
        "gappy",
    ]
    assert any(
        line.startswith("assay: warning: Judged@10 runs from 0.69 (newcomer)") for line in said
    )
