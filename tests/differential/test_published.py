"""Published numbers of real evaluations come out again, to the printed digit."""

from __future__ import annotations

import csv
import gzip
from typing import TYPE_CHECKING

import pytest

import assay

if TYPE_CHECKING:
    from pathlib import Path

LATER_TIES = {"UIowaS_Rd3MLReRank", "UIowaS_Run2"}  # float32 makes ties that float64 does not have


def runs_of(folder: Path, prefix: str = "") -> dict[str, Path]:
    return {
        path.name.removeprefix(prefix).removesuffix(".gz"): path
        for path in sorted(folder.iterdir())
    }


@pytest.fixture(scope="module")
def leaderboard(shared):
    with (shared / "trec-covid-r3/leaderboard.csv").open() as file:
        return {row["run"]: row for row in csv.DictReader(file)}


def rounds_to(value: float, printed: str) -> bool:
    return f"{value:.4f}" == f"{float(printed):.4f}"


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_trec_covid_leaderboard(shared, leaderboard, precision):
    runs = runs_of(shared / "trec-covid-r3/runs.top100")
    assert len(runs) == len(leaderboard) == 79
    scores = assay.evaluate(
        shared / "trec-covid-r3/qrels.covid-round3.txt",
        runs,
        ["nDCG@10", "P@5"],
        precision=precision,
    )
    differ = {
        run
        for run, row in leaderboard.items()
        if not rounds_to(scores.average(run, "nDCG@10").value, row["ndcg@10"])
        or not rounds_to(scores.average(run, "P@5").value, row["P@5"])
    }
    assert differ == (set() if precision == "float32" else LATER_TIES)


@pytest.mark.parametrize(("precision", "different"), [("float32", 0), ("float64", 31)])
def test_dl21_published_cells(shared, precision, different):
    runs = runs_of(shared / "dl21/runs.judged", "input.")
    with gzip.open(shared / "dl21/scores/dl21.ndcg_cut10.gz", "rt") as file:
        published = list(csv.DictReader(file))
    assert len(published) == 1701
    scores = assay.evaluate(
        shared / "dl21/qrels/qrels.dl21-passage.txt", runs, ["nDCG@10"], precision=precision
    )
    cells = scores.to_dict()["qrels.dl21-passage"]
    wrong = [
        cell
        for cell in published
        if not rounds_to(cells[cell["runid"]]["nDCG@10"][cell["topic"]], cell["ndcg_cut_10"])
    ]
    assert len(wrong) == different
