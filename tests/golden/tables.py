"""The printed numbers that are no measure's: counts of judgments, and tables of judges.

They go through the code that makes such tables from real judgments. Where a paper prints only the
entries of a table, these stand as means of one topic. What is said of numbers without a table of
its own is worked out from the printed ones and named so.
"""

from __future__ import annotations

from functools import cache

import numpy as np

import assay
from assay.judges.bands import Hits, strip
from assay.judges.counts import counts_of
from assay.judges.groups import BOTH, EITHER
from assay.judges.jackknife import Estimate
from assay.judges.performance import Consistency
from assay.judges.study import GroupScores
from golden.cases import CASES, reproduces

PRINTED = "the printed numbers"


# ------------------------------------------------------------------------- counts of judgments


def facts(*counts):
    """What `assay describe` says of so many judgments of the grades 0, 1, ..."""
    grades = [grade for grade, number in enumerate(counts) for _ in range(number)]
    judged = {"topic": {f"d{i}": float(grade) for i, grade in enumerate(grades)}}
    return assay.describe(judged).judgments[0]


@reproduces("sum")
def total(case):
    if "counts" in case["inputs"]:
        return "judgments, `assay describe`", facts(*case["inputs"]["counts"]).judgments
    return "sum, `assay judges compare`", record("agreement")[case["id"][-1]]


@reproduces("percent")
def percent(case):
    count, total = case["inputs"]["count"], case["inputs"]["total"]
    found = facts(total - count, count)
    return "share of a grade, `assay describe`", 100 * found.grades["1"] / found.judgments


@reproduces("percent_and_mean")
def percent_and_mean(case):
    three, two, one = case["inputs"]["counts_level3_2_1"]
    found = facts(0, one, two, three)
    shares = [100 * found.grades[grade] / found.judgments for grade in "321"]
    fair = (found.grades["3"] + found.grades["2"]) / case["inputs"]["topics"]
    return "share of a grade, `assay describe`", [*shares, fair]


# ------------------------------------------------------------------------------ table 3 and 8


@cache
def table_3():
    """Agreement of the 48 queries, from the counts A, B and D alone."""
    rows = {of_query(case): case["inputs"] for case in CASES if case["measure"] == "union_size"}
    queries = list(rows)
    columns = {key: [str(rows[query][key]) for query in queries] for key in "ABD"}
    groups = {
        "author": [query[0] for query in queries],
        "judge": [query[1] for query in queries],
    }
    return counts_of({"topic": queries, **columns, **groups})


def record(name, found=None, **where):
    """The row of a table where some columns have these values."""
    found = table_3() if found is None else found
    (row,) = (
        row
        for table in found.tabulars()
        if table.name == name
        for row in table.records()
        if all(row[key] == value for key, value in where.items())
    )
    return row


def of_query(case):
    return case["id"].split("-")[2].removeprefix("q")


@reproduces("union_size")
def union_size(case):
    return "C, `assay judges compare`", record("topics", topic=of_query(case))["C"]


@reproduces("agreement")
def agreement(case):
    return "D/C, `assay judges compare`", record("topics", topic=of_query(case))["D/C"]


@reproduces("mean_agreement")
def mean_agreement(case):
    author = case["id"].removeprefix("ls-t3-author")
    author = "all" if author.endswith("overall-48") else author
    row = record("groups", grouping="author", group=author)
    return "mean D/C, `assay judges compare`", row["mean D/C"]


def author_means():
    rows = [record("groups", grouping="author", group=author) for author in "12345678"]
    return [row["mean D/C"] for row in rows]


@reproduces("max_min")
def max_min(_):
    means = author_means()
    return "mean D/C, `assay judges compare`", [max(means), min(means)]


@reproduces("count_by_second_judge")
def queries_of_each_judge(_):
    rows = [record("groups", grouping="judge", group=judge) for judge in "12345678"]
    return "topics, `assay judges compare`", [row["topics"] for row in rows]


@reproduces("count_marks")
def judged_relevant(_):
    row = record("topics", topic="12")
    return "A, B and D, `assay judges compare`", [row["A"], row["B"], row["D"]]


@reproduces("mean_optimum_recall", "mean_optimum_precision")
def mean_optimum(case):
    """The second judge as a search system; the mean of each group is that of its queries."""
    recall = case["measure"] == "mean_optimum_recall"
    group = str(case["parameters"].get("judge", "all"))
    head = "mean D/A" if recall else "mean D/B"
    if group == "all":
        machine = table_3().machine
        side = machine.recall if recall else machine.precision
        return f"{head}, `assay judges compare`", float(side[0].mean())
    row = record("groups", grouping="judge", group=group)
    return f"{head}, `assay judges compare`", row[head]


# ---------------------------------------------------------------------------- tables 4 to 6


def evaluation(columns, runs=("run",)):
    """Means under A, B, C and D: values[group, run, topic], the entries that a table prints."""
    values = np.asarray(columns, dtype=np.float64)[:, :, None, :]
    return GroupScores(
        names=("A", "B", EITHER, BOTH)[: len(values)],
        judges=2 if len(values) > 1 else 1,
        runs=runs,
        measures=("measure",),
        topics=tuple(map(str, range(values.shape[-1]))),
        groups={},
        values=values,
        counted=1,
        judged=1,
        available=False,
        graded=True,
        higher=(True,),
    )


@reproduces("difference")
def difference(case):
    inputs = case["inputs"]
    if "optimum" in inputs:
        sides = [inputs["optimum"], inputs["machine"]]
    else:
        sides = [inputs["D"], inputs["C"]] if "D" in inputs else [inputs["A"], inputs["B"]]
    row = record("evaluation", evaluation([[[side]] for side in sides]))
    return "difference of means, `assay judges compare`", row["A - B"]


@reproduces("mean")
def mean(case):
    inputs = case["inputs"]
    given = inputs.get("columns", inputs.get("author_averages_printed"))
    row = record("evaluation", evaluation([[given]]))
    return "mean of the groups, `assay judges compare`", row["A"]


@reproduces("order_D>B>A>C")
def order_of_groups(case):
    row = record("evaluation", evaluation([[[case["inputs"][key]]] for key in "ABCD"]))
    a, b, c, d = (row[head] for head in ("A", "B", EITHER, BOTH))
    return "means under A, B, C, D, `assay judges compare`", d > b > a > c


@reproduces("count_strict_order")
def strictly_ordered(case):
    names = ("word_form", "word_stem", "thesaurus")
    values = evaluation([[case["inputs"][name] for name in names]], names).values[0, :, 0]
    return PRINTED, float((np.diff(values, axis=0) > 0).all(axis=0).sum())


@reproduces("relative_gap_percent")
def gap(case):
    optimum, machine = case["inputs"]["optimum"], case["inputs"]["machine"]
    return PRINTED, 100 * (optimum - machine) / optimum


@reproduces("cross_table")
def the_other_table(case):
    return "Table 6", case["inputs"]["table6"]


# --------------------------------------------------------------------------- table 7, figure 3


def table_7(case):
    """Consistency in rows; in columns performance, each third apart for B and for A better."""
    printed = np.asarray(case["inputs"]["table"])
    cells = np.zeros((3, 3, 3), dtype=np.int64)
    cells[:, :, 0], cells[:, :, 1] = printed[:, ::2], printed[:, 1::2]
    none = np.zeros(0)
    return Consistency(
        "A", "B", "NR and NP", (), none, np.zeros((2, 0)), cells, Estimate(np.nan, topics=0)
    )


@reproduces("row_sums", "col_sums", "b_better_by_performance_group", "top_top")
def sums_of_table_7(case):
    (*rows,) = (list(row.values())[1:] for row in table_7(case).tabulars()[0].records())
    found = np.asarray(rows).reshape(3, 3, 3)
    b_better = found[:, :, 0].sum(axis=0)
    values = {
        "row_sums": found.sum(axis=(1, 2)),
        "col_sums": found.sum(axis=(0, 2)),
        "b_better_by_performance_group": [*b_better, b_better.sum()],
        "top_top": [found[0, 0].sum()],
    }
    return "consistency, `assay judges compare`", [float(x) for x in values[case["measure"]]]


@reproduces("count", "count_rank<=25", "count_rank>=178")
def ranks_of_figure_3(case):
    ranks = case["inputs"]["ranks"]
    pair, relevant = np.arange(len(ranks)), np.ones(len(ranks))
    none = np.zeros(len(ranks), dtype=np.int64)
    hits = Hits(none, none, pair, np.asarray(ranks), ("thesaurus",))
    found = strip(
        relevant, relevant, hits, pair, run=0, topic=(0, "12"), judges=("A", "B"), rel=(1, 1)
    ).ranks
    counted = {
        "count": len(found),
        "count_rank<=25": sum(rank <= 25 for rank in found),
        "count_rank>=178": sum(rank >= 178 for rank in found),
    }
    return "ranks, `assay judges compare`", counted[case["measure"]]
