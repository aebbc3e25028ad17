"""What every form of the report says in words: the verdict, what was looked at, how it was made."""

from __future__ import annotations

import math
import platform
from typing import TYPE_CHECKING

from assay import __version__
from assay.policy import CHOICES
from assay.show.comparison import how
from assay.show.scores import remarks
from assay.show.text import number
from assay.show.verdict import amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.reporting import Report

__all__ = ["contents", "made", "notes", "policies", "tested", "verdict", "versions"]

MEANT = {
    ("missing", "worst"): "a topic that a run lacks gets the measure's worst value",
    ("missing", "skip"): "a topic that a run lacks is left out of its mean",
    ("missing", "error"): "no run may lack a topic",
    ("undefined", "skip"): "a topic on which a measure is undefined is left out and counted",
    ("undefined", "zero"): "a topic on which a measure is undefined counts as 0",
    ("undefined", "error"): "no measure may be undefined on a topic",
    ("unjudged", "nonrelevant"): "documents that nobody judged count as not relevant",
    ("unjudged", "condensed"): "documents that nobody judged are removed before ranks are counted",
    ("negative", "unjudged"): "grades below 0 mean pooled but not judged",
    ("negative", "nonrelevant"): "grades below 0 mean not relevant",
    ("ties", "trec"): "documents of equal score stand in decreasing order of their ids",
    ("ties", "expected"): "documents of equal score give the expected value over their orders",
    ("ties", "best"): "documents of equal score stand in the order that is best for the run",
    ("ties", "worst"): "documents of equal score stand in the order that is worst for the run",
    ("precision", "float64"): "scores are compared with all their digits",
    ("precision", "float32"): "scores are rounded to single precision first",
    ("mean", "arithmetic"): "means over topics are arithmetic",
}


def verdict(report: Report) -> str:
    """The comparison's verdict; of a single run its mean."""
    if report.comparison is not None:
        return report.comparison.verdict()
    run, measure = report.scores.runs[0], report.scores.measures[0]
    mean = report.scores.average(run, measure, report.judge)
    if math.isnan(mean.value):
        return f"{run} has no {measure}: it is undefined on every topic."
    interval = (
        ""
        if math.isnan(mean.low)
        else f" (95 % interval {amount(mean.low)} to {amount(mean.high)})"
    )
    return (
        f"{run} has a mean {measure} of {amount(mean.value)}{interval} over {mean.topics} topics. "
        "There is no other run to compare it with."
    )


def contents(report: Report) -> str:
    """`4 runs, 50 topics, 1,234 judgments; nDCG@10, AP`."""
    scores, facts = report.scores, report.description.judgments[0]
    sizes = [
        _many(len(scores.runs), "run"),
        _many(facts.topics, "topic"),
        _many(facts.judgments, "judgment"),
    ]
    return f"{', '.join(sizes)}; {', '.join(map(str, scores.measures))}"


def _many(n: int, word: str) -> str:
    return f"{n:,} {word}{'s' * (n != 1)}"


def notes(report: Report) -> list[str]:
    """What must be known to read the numbers, without what is a warning."""
    return list(dict.fromkeys([*remarks(report.scores), *report.notes]))


def policies(report: Report) -> Iterator[tuple[str, str, str]]:
    """Each policy, its value, and what that means."""
    policy = report.scores.policy
    for name in CHOICES:
        value = getattr(policy, name)
        yield name, value, MEANT.get((name, value), "")
    if policy.ignore_self:
        yield "ignore-self", "yes", "documents named like their topic are dropped"


def versions() -> dict[str, str]:
    """What computed the numbers."""
    import numpy as np
    import polars as pl
    import scipy

    return {
        "assay": __version__,
        "python": platform.python_version(),
        "numpy": str(np.__version__),
        "polars": str(pl.__version__),
        "scipy": str(scipy.__version__),
    }


def tested(report: Report) -> list[str]:
    """What was tested and how, a line each; the policies have a table of their own."""
    if report.comparison is None:
        return []
    return list(how(report.comparison))[:-1]


def made(report: Report) -> Iterator[str]:
    """A line for each file: what it was, its name, its size, its SHA-256."""
    for file in report.files:
        of = f" {file.label}" if file.label else ""
        if file.sha256:
            yield f"{file.role}{of}: {file.name}, {file.size:,} bytes, SHA-256 {file.sha256}"
        else:
            yield f"{file.role}{of}: {file.name}, no file to be known by"


def value_of(value: float, *, summed: bool = False) -> str:
    """A mean as a table shows it."""
    return f"{value:.10g}" if summed else number(value)
