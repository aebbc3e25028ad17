from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import assay

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

TOPICS = tuple(f"t{i}" for i in range(12))
DOCS = tuple(f"d{i}" for i in range(15))


def judged(seed: int) -> dict[str, dict[str, int]]:
    rng = np.random.default_rng(seed)
    return {topic: {doc: int(rng.integers(0, 4)) for doc in DOCS[:12]} for topic in TOPICS}


def ranked(seed: int, truth: dict[str, dict[str, int]], noise: float) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        topic: {doc: truth[topic].get(doc, 0) + noise * float(rng.random()) for doc in DOCS}
        for topic in TOPICS
    }


JUDGED = judged(0)
RUNS = {
    "good": ranked(1, JUDGED, 2),
    "fair": ranked(2, JUDGED, 5),
    "poor": ranked(3, JUDGED, 9),
}


def rows(chart: Any) -> list[list[dict[str, Any]]]:
    """Every set of data behind a picture, in the order of its layers."""
    spec = chart.to_dict()
    sets = spec["datasets"]
    found: list[str] = []

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            name = part.get("data", {}).get("name") if isinstance(part.get("data"), dict) else None
            if name is not None and name not in found:
                found.append(name)
            for key, value in part.items():
                if key not in ("data", "datasets"):
                    walk(value)
        elif isinstance(part, list):
            for each in part:
                walk(each)

    walk(spec)
    return [json.loads(sets[name]) for name in found]


def columns(chart: Any, *names: str) -> list[dict[str, Any]]:
    """The first set of data that has all these columns."""
    for found in rows(chart):
        if found and set(names) <= set(found[0]):
            return found
    raise AssertionError(f"no data with columns {names}")


@pytest.fixture(scope="session")
def scores() -> assay.Scores:
    return assay.evaluate(JUDGED, RUNS, "nDCG@10")


@pytest.fixture(scope="session")
def study() -> assay.JudgeStudy:
    other = {q: {d: min(3, g + (i % 3 == 0)) for i, (d, g) in enumerate(docs.items())}
             for q, docs in JUDGED.items()}  # fmt: skip
    judges = {
        "first": assay.Judgments(JUDGED, label="first"),
        "kind": assay.Judgments(other, label="kind"),
        "random": assay.Judgments(judged(9), label="random"),
    }
    return assay.compare_judges(judges, RUNS, ["nDCG@10"], draws=20)


@pytest.fixture(scope="session")
def results(scores, study) -> dict[str, Any]:
    """A result for each kind of picture."""
    recall = assay.curves(JUDGED, RUNS, "PR")
    by_kind: dict[str, Any] = dict.fromkeys(
        ("leaderboard", "topics", "swings", "scatter", "heatmap"), scores
    )
    by_kind |= dict.fromkeys(("judge-ranks", "agreement", "agreement-by-rank", "tau"), study)
    return by_kind | {
        "differences": assay.compare(scores, test="t"),
        "groups": assay.compare(scores, test="friedman"),
        "curves": assay.curves(JUDGED, RUNS, "CG", depth=15),
        "precision-recall": recall,
        "retrieval-scores": assay.retrieval_status(JUDGED, RUNS, rel=2),
        "correlation": assay.study_measures(
            JUDGED, RUNS, ["nDCG@10", "AP", "RR"], resamples=100, draws=5
        ),
        "sensitivity": assay.study_sensitivity(
            ["RR", "AP"], levels=(2, 3), items=10, swaps=5, repeats=4
        ),
        "significance": assay.study_gains(
            JUDGED, RUNS, sweep=8, depths=(8,), scenarios=(), resamples=100
        ),
        "gate": assay.gate(
            assay.evaluate(JUDGED, {n: RUNS[n] for n in ("fair", "good")}, ["nDCG@10", "AP"]),
            max_drop=0.02,
        ),
        "power": assay.power(scores, difference=(0.02, 0.1)),
        "robust": assay.study_robust(
            JUDGED, {n: RUNS[n] for n in ("good", "poor")}, "nDCG@10", draws=100
        ),
        "grades": assay.describe(JUDGED),
        "judged": assay.describe(JUDGED, RUNS),
        "pool": assay.study_pool(JUDGED, RUNS, "nDCG@10", depth=5, depths=(1, 3)),
        "axioms": assay.study_axioms(["RR", "AP"], documents=3, levels=2),
        "explanation": assay.explain(JUDGED, {"fair": RUNS["fair"]}, "t0", "nDCG@10"),
        "distances": assay.distance(JUDGED, RUNS["fair"]),
        "verdicts": assay.Judgments(JUDGED).to_preferences().check(),
        "judge-groups": study.scores,
        "merged": assay.merge(RUNS, method="kemeny"),
        "virtual-user": assay.study_virtual_user(RUNS, "good", ["nDCG@10"]),
        "models": assay.simulate_judges(
            {"first": JUDGED, "second": judged(9)}, RUNS, ["nDCG@10"], judges=20
        ),
        "estimates": assay.estimate({q: JUDGED[q] for q in TOPICS[:8]}, judged(9), RUNS, "nDCG@10"),
    }


OPTIONS = {
    "swings": {"run": "good", "baseline": "poor"},
    "scatter": {"run": "good", "baseline": "poor"},
}
