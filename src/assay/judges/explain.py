"""Why the ranking of systems holds, or does not: Lesk & Salton's four explanations, section 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.judges.agreement import LEVELS
from assay.judges.jackknife import Estimate, of_sums
from assay.judges.tabular import Array, Tabular

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.judges.bands import Bands
    from assay.judges.stability import Stability

__all__ = ["REASONS", "Borderline", "Explanation", "Explanations", "borderline", "explanations"]

REASONS = (
    "averaging over topics",
    "agreement at the top ranks",
    "disagreement on borderline documents",
    "differences kept while levels move",
)
WORDS = {True: "supported", False: "not supported", None: "cannot be told"}


@dataclass(frozen=True)
class Borderline:
    """Share of pairs of opposite verdict, near the threshold of the scale and away from it."""

    near: float
    away: float
    gap: Estimate  # near less away
    share: float  # of all opposite verdicts, those near the threshold
    scale: str  # whose grades say what is near


@dataclass(frozen=True)
class Explanation:
    """One explanation and what the data say of it."""

    reason: str
    supported: bool | None
    because: str


@dataclass(frozen=True)
class Explanations:
    """All four, for the reference and one other judge."""

    first: str
    second: str
    measure: str
    found: tuple[Explanation, ...]

    def verdict(self) -> str:
        """Each answer with its reasons."""
        return self._said(lambda each: f"{each.reason} ({each.because})")

    def summary(self) -> str:
        """One sentence: the answers alone."""
        return self._said(lambda each: each.reason)

    def _said(self, named: Callable[[Explanation], str]) -> str:
        parts = []
        for answer in (True, False, None):
            these = [named(each) for each in self.found if each.supported is answer]
            if these:
                parts.append(f"{WORDS[answer]}: {', '.join(these)}")
        return (
            f"Lesk & Salton's explanations, for {self.first} and {self.second}: {'; '.join(parts)}."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for each explanation."""
        rows = tuple(
            (self.first, self.second, each.reason, WORDS[each.supported], each.because)
            for each in self.found
        )
        heads = ("first", "second", "explanation", "data", "because")
        return (Tabular("explanations", "explanations", heads, rows),)


def borderline(
    grade: Array, topic: Array, topics: int, *, judges: tuple[str, str], rel: tuple[float, ...]
) -> Borderline | None:
    """Where verdicts are opposite, grade[judge, pair], the two judges first.

    Near are the grades next to the threshold on either side, on the scale of the first judge who
    has one; without any, documents on which the further judges are divided.
    """
    both = ~np.isnan(grade[:2]).any(axis=0)
    relevant = grade >= np.asarray(rel)[:, None]
    opposite = relevant[0] != relevant[1]
    near, scale = None, ""
    for j in (0, 1):
        levels = np.unique(grade[j][both])
        below, above = levels[levels < rel[j]], levels[levels >= rel[j]]
        if 2 < len(levels) <= LEVELS and len(below) and len(above):
            near, scale = (grade[j] == below.max()) | (grade[j] == above.min()), judges[j]
            if near[both].all():
                near = None
                continue
            break
    if near is None and len(grade) > 2:
        known = ~np.isnan(grade[2:])
        votes, count = (relevant[2:] & known).sum(axis=0), known.sum(axis=0)
        near, scale = (votes > 0) & (votes < count), "the other judges"
        both = both & (count > 1)
    if near is None or not both.any() or not near[both].any() or near[both].all():
        return None
    table = np.zeros((topics, 2, 2))
    np.add.at(table, (topic[both], near[both].astype(int), opposite[both].astype(int)), 1)
    total = table.sum(axis=0)
    each = _rate(total)
    every = total[:, 1].sum()
    return Borderline(
        float(each[1]),
        float(each[0]),
        of_sums(lambda x: _rate(x)[..., 1] - _rate(x)[..., 0], table, (-1.0, 1.0)),
        float(total[1, 1] / every) if every else float("nan"),
        scale,
    )


def _rate(table: Array) -> Array:
    total = table.sum(axis=-1)
    return np.asarray(table[..., 1] / np.where(total == 0, np.nan, total))


def explanations(
    stability: Stability, place: int, bands: Bands, border: Borderline | None
) -> Explanations:
    """Judge the four by numbers; `place` is the other judge's among those of `stability`."""
    one = stability.against[place]
    tau, floor, level = one.coefficients["tau-b"], one.bootstrap["tau-b"], one.levels
    by_topic, gap = level.by_topic, bands.gap
    found = [
        Explanation(
            REASONS[0],
            None
            if np.isnan(by_topic.high) or np.isnan(tau.value)
            else bool(tau.value > by_topic.high),
            f"tau {tau.value:.3f} of means, {by_topic.value:.3f} on a single topic"
            if not np.isnan(tau.value + by_topic.value)
            else "no tau of means, or on single topics: too few topics, or all systems level",
        ),
        Explanation(
            REASONS[1],
            True if gap.low > 0 else False if gap.high <= 0 else None,
            f"D/C at ranks 1 to 10 less D/C below: {gap}"
            if not np.isnan(gap.value)
            else "no relevant document at ranks 1 to 10, or none below",
        ),
    ]
    if border is None:
        found.append(
            Explanation(REASONS[2], None, "no scale of three grades or more, no third judge")
        )
    else:
        supported = bool(border.gap.low > 0 and border.share > 0.5)
        found.append(
            Explanation(
                REASONS[2],
                supported,
                f"opposite verdicts on {border.near:.0%} of documents near {border.scale}'s "
                "threshold "
                f"and {border.away:.0%} of the others; {border.share:.0%} of opposite verdicts are "
                "near",
            )
        )
    moved = level.shift.low > 0 or level.shift.high < 0
    kept = bool(tau.value >= floor.low)
    unknown = bool(np.isnan(level.shift.low) or np.isnan(tau.value) or np.isnan(floor.low))
    found.append(
        Explanation(
            REASONS[3],
            None if unknown else bool(moved and kept),
            "too few topics, or no tau"
            if unknown
            else f"means {'move' if moved else 'do not clearly move'} by {level.shift}, slope "
            f"{level.slope:.2f}, "
            f"tau {tau.value:.3f} {'within or above' if kept else 'below'} its noise floor",
        )
    )
    return Explanations(bands.first, bands.second, stability.measure, tuple(found))
