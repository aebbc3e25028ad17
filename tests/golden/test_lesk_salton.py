"""Lesk & Salton's tables of judges: what can be computed from what they print."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import assay
from assay.cli.judges import command
from assay.judges.bands import Hits, strip
from assay.judges.counts import counts_of
from assay.judges.group_scores import GroupScores
from assay.judges.groups import BOTH, EITHER
from assay.judges.one_system import appendix
from assay.judges.performance import consistency_against_performance

FILE = Path(__file__).with_name("golden.json")
CASES = {case["id"]: case for case in json.loads(FILE.read_text()) if case["id"].startswith("ls-")}
QUERIES = [
    case["id"].split("-")[2].removeprefix("q")
    for case in CASES.values()
    if case["measure"] == "union_size"
]
TABLE_3 = {
    "topic": QUERIES,
    **{key: [str(CASES[f"ls-t3-q{query}-C"]["inputs"][key]) for query in QUERIES] for key in "ABD"},
    "author": [query[0] for query in QUERIES],
    "judge": [query[1] for query in QUERIES],
}


@pytest.fixture(scope="module")
def found():
    return counts_of(TABLE_3)


def rows(found, name, **where):
    return [
        row
        for table in found.tabulars()
        if table.name == name
        for row in table.records()
        if all(row[key] == value for key, value in where.items())
    ]


def half_up(value, printed, decimals):
    return abs(value - printed) <= 0.5 * 10**-decimals + 1e-9


def test_table_3_has_48_queries():
    assert len(QUERIES) == 48


@pytest.mark.parametrize("query", QUERIES)
def test_table_3_row(found, query):
    (row,) = rows(found, "topics", topic=query)
    assert row["C"] == CASES[f"ls-t3-q{query}-C"]["printed"]
    case = CASES[f"ls-t3-q{query}-agreement"]
    right = {"68": 0.7778}.get(query, case["printed"])  # 7/9 is printed cut, as .7777
    assert half_up(row["D/C"], right, 4)
    assert row["D/C"] == pytest.approx(case["value"], abs=1e-9)


@pytest.mark.parametrize("column", "ABCD")
def test_table_3_totals(found, column):
    (row,) = rows(found, "agreement")
    assert row[column] == CASES[f"ls-t3-total-{column}"]["printed"]


@pytest.mark.parametrize("author", "12345678")
def test_table_3_author_averages(found, author):
    (row,) = rows(found, "groups", grouping="author", group=author)
    case = CASES[f"ls-t3-author{author}"]
    right = {"8": 0.1062}.get(author, case["printed"])  # .64/6 instead of .6373/6 is printed
    assert half_up(row["mean D/C"], right, 4)


def test_table_3_overall_is_3073_not_3074(found):
    (row,) = rows(found, "groups", grouping="author", group="all")
    case = CASES["ls-t3-overall"]
    assert row["mean D/C"] == pytest.approx(case["value_correct"], abs=1e-9)
    assert half_up(row["mean D/C"], 0.3073, 4)
    assert not half_up(row["mean D/C"], case["printed"], 4)
    (pooled,) = rows(found, "agreement")
    assert pooled["D/C"] == pytest.approx(case["value_pooled"], abs=1e-9)


def test_the_range_over_authors(found):
    means = [row["mean D/C"] for row in rows(found, "groups", grouping="author")][:-1]
    assert [max(means), min(means)] == pytest.approx(CASES["ls-claim-author-range"]["value"])


def test_queries_of_each_second_judge(found):
    counts = {row["group"]: row["topics"] for row in rows(found, "groups", grouping="judge")}
    del counts["all"]
    assert counts == CASES["ls-judges-six"]["inputs"]["second_judge_counts"]


def test_consistency_of_query_12(found):
    (row,) = rows(found, "topics", topic="12")
    assert half_up(row["D/sqrt(AB)"], 0.5145, 4)


OPTIMUM = [
    case["id"]
    for case in CASES.values()
    if case["measure"].startswith("mean_optimum") and "judge" in case["parameters"]
]


@pytest.mark.parametrize("name", OPTIMUM)
def test_table_8_optimum_rows_are_by_second_judge(found, name):
    case = CASES[name]
    (row,) = rows(found, "groups", grouping="judge", group=str(case["parameters"]["judge"]))
    head = "mean D/A" if case["measure"] == "mean_optimum_recall" else "mean D/B"
    assert row[head] == pytest.approx(case["value"], abs=1e-9)
    right = {"ls-t8-recall-31-37-optimum": 0.34}.get(name, case["printed"])
    assert half_up(row[head], right, 2)
    if case.get("value_author_group") is not None:
        author = name.split("-")[3][0]
        (row,) = rows(found, "groups", grouping="author", group=author)
        assert row[head] == pytest.approx(case["value_author_group"], abs=1e-9)


def test_there_are_16_optimum_entries_and_the_means_of_all(found):
    assert len(OPTIMUM) == 16
    machine = found.machine
    assert [half_up(x, 0.46, 2) for x in (machine.recall[0].mean(), machine.precision[0].mean())]
    nothing_found_is_0 = machine.precision[0, machine.topics.index("86")]
    assert nothing_found_is_0 == 0


def test_without_the_0_of_query_86_precision_is_47():
    found = counts_of(TABLE_3, empty="undefined").machine
    assert half_up(np.nanmean(found.precision[0]), 0.47, 2)


DIFFERENCES = [
    case["id"]
    for case in CASES.values()
    if case["measure"] == "difference" and set(case["inputs"]) <= set("ABCD")
]


def test_there_are_84_differences_of_judges():
    assert len(DIFFERENCES) == 84


@pytest.mark.parametrize("name", DIFFERENCES)
def test_differences_of_tables_4_and_5(name):
    case = CASES[name]
    given = [case["inputs"].get(key, 0.0) for key in "ABCD"]
    scores = GroupScores(
        names=("A", "B", EITHER, BOTH),
        judges=2,
        runs=("run",),
        measures=("measure",),
        topics=("topic",),
        groups={},
        values=np.asarray(given)[:, None, None, None],
        counted=1,
        judged=1,
        available=False,
        graded=True,
        higher=(True,),
    )
    (row,) = scores.tabulars()[0].records()
    ours = row["D - C"] if "D" in case["inputs"] else row["A - B"]
    assert ours == pytest.approx(case["value"], abs=1e-9)
    if case["status"] == "exact":
        assert ours == pytest.approx(case["printed"], abs=1e-9)


def test_table_7_thirds_are_12_24_12():
    rng = np.random.default_rng(7)
    consistency, score = rng.random(48), rng.random((2, 48))
    cells = consistency_against_performance(
        consistency,
        score,
        topics=tuple(map(str, range(48))),
        judges=("A", "B"),
        performance="NR and NP",
    ).cells
    assert cells.sum(axis=(1, 2)).tolist() == CASES["ls-t7-rows"]["printed"]
    assert cells.sum(axis=(0, 2)).tolist() == CASES["ls-t7-cols"]["printed"]


def test_figure_3_counts():
    ranks = CASES["ls-fig3-count"]["inputs"]["ranks"]
    pair = np.arange(26)
    grade = np.ones(26)
    hits = Hits(np.zeros(26, int), np.zeros(26, int), pair, np.asarray(ranks), ("thesaurus",))
    found = strip(
        grade,
        grade,
        hits,
        pair,
        run=0,
        topic=(0, "12"),
        judges=("A", "B"),
        rel=(1, 1),
    )
    assert len(found.ranks) == CASES["ls-fig3-count"]["printed"]
    assert sum(r <= 25 for r in found.ranks) == CASES["ls-fig3-low8"]["printed"]
    assert sum(r >= 178 for r in found.ranks) == CASES["ls-fig3-high8"]["printed"]


def test_appendix():
    """GOLDEN.md: N=1000, G=20, n=50, P=.2, R=.5, pr=.8, pnr=.01: .168, .32558."""
    found = appendix(
        precision=0.2, recall=0.5, N=1000, G=20, n=50, p_r=0.8, p_nr=0.01, judges=20_000
    )
    assert found.formula == pytest.approx((0.168, 0.32558), abs=5e-6)
    for formula, simulated, error in zip(found.formula, found.simulated, found.error, strict=True):
        assert abs(formula - simulated) < 4 * error


def test_the_command_reads_table_3(tmp_path):
    file = tmp_path / "table3.tsv"
    lines = ["\t".join(TABLE_3), *map("\t".join, zip(*TABLE_3.values(), strict=True))]
    file.write_text("\n".join(lines) + "\n")
    result = CliRunner().invoke(command, ["compare", str(file), "--show", "groups", "-o", "csv"])
    assert result.exit_code == 0, result.output
    assert "author,1,A,B,6,77,75,117,35,0.36107" in result.output
    study = assay.compare_judges(str(file))
    assert study.agreement.pairs[0].macro["overlap"].value == pytest.approx(0.30733, abs=1e-5)
