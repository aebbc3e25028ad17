"""A small collection with two judges, and dl21 where it is there."""

from __future__ import annotations

import numpy as np
import pytest

import assay


def collection(seed=0, topics=6, docs=30, runs=5, judges=2, gaps=0.0):
    """Judgments by label and runs by label, as dictionaries."""
    rng = np.random.default_rng(seed)
    names = [f"d{i:02}" for i in range(docs)]
    truth = {f"t{t}": rng.integers(0, 4, docs) for t in range(topics)}
    given = {}
    for j in range(judges):
        given[f"judge{j}"] = {
            topic: {
                name: int(np.clip(grade + (j and rng.integers(-1, 2)), 0, 3))
                for name, grade in zip(names, grades, strict=True)
                if j == 0 or rng.random() >= gaps
            }
            for topic, grades in truth.items()
        }
    made = {}
    for r in range(runs):
        made[f"run{r}"] = {
            topic: {
                name: float(round(grade + rng.normal(0, 1 + r / 2), 2))
                for name, grade in zip(
                    [*names, "unjudged1", "unjudged2"], [*grades, 1, 1], strict=True
                )
                if rng.random() < 0.8
            }
            for topic, grades in truth.items()
            if r != 4 or topic != "t3"  # the last run lacks a topic
        }
    return given, made


@pytest.fixture
def small():
    return collection()


@pytest.fixture(scope="session")
def dl21(shared):
    """NIST's judgments, the other sets that are whole and without contradictions, the runs."""
    folder = shared / "dl21"
    nist = assay.read_judgments(folder / "qrels" / "qrels.dl21-passage.txt", label="nist")
    others = {
        file.name.removeprefix("sigir25.").removesuffix(".gz"): str(file)
        for file in sorted((folder / "judges").iterdir())
        if "llama3.2.umbrela" not in file.name  # pairs judged up to five times
    }
    runs = {
        file.name.removeprefix("input.").removesuffix(".gz"): str(file)
        for file in sorted((folder / "runs.judged").iterdir())
    }
    return nist, others, runs


GPT4O = "gpt-4o.umbrela.umbrela_zeroshot_dl21.clean.json"
