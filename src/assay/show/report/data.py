"""The numbers and lists that the page's script works on, in as few bytes as JSON allows.

Document ids stand once each, without what all begin with. A topic's documents are numbered best
grade first, so that a number tells the grade; a list is those numbers. What a rank adds is a whole
number of 1/SCALE, and `0, n` stands for n ranks that add nothing.
"""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Any

from assay.show.report.board import board

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.comparison import Comparison
    from assay.listing import Listing, TopicDocs
    from assay.measures.measure import Measure
    from assay.reporting import Report

__all__ = ["page_data", "page_texts"]

SCALE = 10_000  # what is shown has as many digits, and so is rounded once
DIGITS = 9
LEVELS = 4  # shades of grades above 0
TEXT = 4_000  # characters of a text


def page_data(report: Report) -> dict[str, Any]:
    """Everything but the texts."""
    scores, shown = report.scores, report.listing
    j = scores.judges.index(report.judge)
    grades = _grades(shown)
    docs = _Documents(shown)
    return {
        "runs": list(scores.runs),
        "order": [line.at for line in board(report).lines],
        "measures": [
            {"name": str(measure), "up": measure.definition.higher_is_better, "why": why}
            for measure, why in zip(scores.measures, shown.reasons, strict=True)
        ],
        "topics": list(shown.topics),
        "values": [
            [
                [_rounded(float(scores.values[j, r, m, t])) for t in _topics(report)]
                for r in range(len(scores.runs))
            ]
            for m in range(len(scores.measures))
        ],
        "pairs": _pairs(report.comparison, scores.measures),
        "depth": shown.depth,
        "scale": SCALE,
        "texts": report.texts is not None,
        "grades": [f"{grade:g}" for grade in grades],
        "shades": [_shade(grade, grades) for grade in grades],
        "prefix": docs.prefix,
        "docs": docs.names,
        "pools": [docs.pool(t, grades) for t in range(len(shown.topics))],
        "lists": [[list(each.docs) for each in row] for row in shown.lists],
        "lengths": [[each.length for each in row] for row in shown.lists],
        "adds": [
            None if why else [[_added(each.adds[m]) for each in row] for row in shown.lists]
            for m, why in enumerate(shown.reasons)
        ],
    }


def page_texts(report: Report) -> dict[str, str]:
    """Texts of the documents shown, the long ones cut."""
    return {
        doc: text if len(text) <= TEXT else f"{text[:TEXT]} ..."
        for doc, text in sorted((report.texts or {}).items())
    }


def _topics(report: Report) -> list[int]:
    """Where the listing's topics stand among those of the scores."""
    place = {topic: t for t, topic in enumerate(report.scores.topics)}
    return [place[topic] for topic in report.listing.topics]


def _rounded(value: float) -> float | None:
    return round(value, DIGITS) if math.isfinite(value) else None


# ------------------------------------------------------------------------------------ differences


def _pairs(comparison: Comparison | None, measures: Sequence[Measure]) -> dict[str, Any] | None:
    """Differences by measure, in the order of `which`: the second run minus the first."""
    if comparison is None:
        return None
    place = {run: i for i, run in enumerate(comparison.runs)}
    first = comparison.under(measures[0])
    return {
        "baseline": comparison.plan.baseline is not None,
        "which": [[place[d.baseline], place[d.run]] for d in first],
        "measures": [
            {
                "about": about.about,
                "d": [_rounded(d.difference) for d in found],
                "estimate": [_rounded(d.estimate) for d in found]
                if about.about != "mean"
                else None,
                "low": [_rounded(d.low) for d in found],
                "high": [_rounded(d.high) for d in found],
                "p": [None if math.isnan(d.p) else float(f"{d.p:.3g}") for d in found],
                "shown": [int(d.significant) for d in found],
                "won": [d.won for d in found],
                "tied": [d.tied for d in found],
                "lost": [d.lost for d in found],
            }
            for about, found in (
                (about, comparison.under(about.measure)) for about in comparison.overviews
            )
        ],
    }


# ---------------------------------------------------------------------------------------- documents


def _grades(shown: Listing) -> list[float]:
    """Every grade that a document shown has, best first."""
    used = {grade for topic in shown.documents for grade in topic.grades if grade is not None}
    return sorted(used, reverse=True)


def _shade(grade: float, grades: list[float]) -> int:
    """0 for not relevant, then darker up to LEVELS."""
    top = max(grades, default=0.0)
    return 0 if grade <= 0 or top <= 0 else max(1, math.ceil(LEVELS * grade / top))


class _Documents:
    """Ids, numbered in the order in which topics first name them."""

    def __init__(self, shown: Listing) -> None:
        self.topics: tuple[TopicDocs, ...] = shown.documents
        number: dict[str, int] = {}
        for topic in self.topics:
            for doc in topic.docs:
                number.setdefault(doc, len(number))
        self.number = number
        self.prefix = _shared(min(number), max(number)) if len(number) > 1 else ""
        self.names = [doc[len(self.prefix) :] for doc in number]

    def pool(self, topic: int, grades: list[float]) -> dict[str, Any]:
        """Numbers of a topic's documents as starts and lengths; grades as places and lengths."""
        mine = self.topics[topic]
        numbers = [self.number[doc] for doc in mine.docs]
        place = {grade: i for i, grade in enumerate(grades)}
        known = [-1 if grade is None else place[grade] for grade in mine.grades]
        return {"docs": _runs(numbers), "grades": _counted(known)}


def _shared(one: str, other: str) -> str:
    """What both begin with."""
    same = [a == b for a, b in zip(one, other, strict=False)]
    return one[: same.index(False) if False in same else len(same)]


def _runs(numbers: Sequence[int]) -> list[int]:
    """Numbers that follow one another as their first and how many."""
    found: list[int] = []
    for number in numbers:
        if found and number == found[-2] + found[-1]:
            found[-1] += 1
        else:
            found += [number, 1]
    return found


def _counted(values: Iterable[int]) -> list[int]:
    """Each value and how often it comes in a row."""
    return [n for value, group in groupby(values) for n in (value, sum(1 for _ in group))]


def _added(adds: tuple[float, ...] | None) -> list[int] | None:
    """What each rank adds, zeros counted, those at the end left out; None where undefined."""
    if adds is None or any(math.isnan(each) for each in adds):
        return [] if adds is None else None
    found: list[int] = []
    for value, group in groupby(round(SCALE * each) for each in adds):
        many = sum(1 for _ in group)
        found += [0, many] if value == 0 else [value] * many
    return found[:-2] if len(found) > 1 and found[-2] == 0 else found
