"""Preferred pairs on the way to kernels: the ranks that a run gives their two documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.judgments import Judgments
from assay.preferences import GRADES, Preferences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.align import Judged
    from assay.measures.measure import Measure
    from assay.policy import Policy

__all__ = ["Pairs", "Preferred", "preferences_in", "refuse_grades", "remarks_on", "stand_in"]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


def preferences_in(given: Any) -> list[Preferences] | None:
    """The preferences, where these are given in the place of judgments, each with its label."""
    if isinstance(given, Preferences):
        return [given]
    named = given.items() if isinstance(given, Mapping) else None
    items = list(given.values()) if isinstance(given, Mapping) else given
    if not isinstance(items, list | tuple) or not any(
        isinstance(item, Preferences) for item in items
    ):
        return None
    if not all(isinstance(item, Preferences) for item in items):
        raise AssayError(
            f"preferences and judgments stand side by side; compare one kind at a time: {GRADES}"
        )
    return list(items) if named is None else [item.labelled(str(label)) for label, item in named]


def grades_will_do(preferences: Sequence[Preferences], measures: Sequence[Measure]) -> bool:
    """Whether the preferences follow from grades, and the measures need not see the pairs."""
    return all(each.grades is not None for each in preferences) and all(
        measure.definition.from_preferences is not None for measure in measures
    )


def refuse_grades(measures: Sequence[Measure], policy: Policy) -> None:
    """Say of a measure, or a policy, that it needs grades."""
    for measure in measures:
        definition = measure.definition
        if definition.from_preferences is None and "better" not in definition.fields:
            raise AssayError(f"{measure} needs grades, and these are preferences: {GRADES}")
    if policy.ties in ("best", "worst"):
        raise AssayError(
            f"ties={policy.ties!r} orders ties by grade, and these are preferences: {GRADES}"
        )


def remarks_on(preferences: Preferences) -> list[str]:
    """How the statements were understood, and merged where there were several on a pair."""
    notes = list(preferences.notes)
    if not preferences.single:
        notes.append(
            f"{preferences.label}: where judges or votes differ on a pair, the verdict closest to "
            "all of them counts (.majority())"
        )
    return notes


def stand_in(preferences: Preferences) -> Judgments:
    """The documents that the preferences speak of, as judgments that say nothing of them."""
    if preferences.grades is not None:
        return Judgments(preferences.grades, label=preferences.label)
    frame = preferences.frame
    sides = [frame.select("topic", doc=side) for side in ("better", "worse")]
    docs = pl.concat(sides).unique(maintain_order=True).with_columns(grade=pl.lit(0.0))
    return Judgments(
        docs, label=preferences.label, origin=preferences.origin, dropped=preferences.dropped
    )


@dataclass(frozen=True)
class Pairs:
    """Preferred pairs, topic by topic, as places among the judged documents."""

    start: Ints  # [topic + 1]
    better: Ints
    worse: Ints
    votes: Floats  # how many state it
    against: Floats  # how many state the reverse

    @classmethod
    def of(cls, statements: pl.DataFrame, judged: Judged) -> Pairs:
        """The preferences among the statements; those of several judges become one, with votes."""
        keys = ["topic", "better", "worse"]
        strict = statements.filter(~pl.col("tie"))
        summed = strict.group_by(keys, maintain_order=True).agg(pl.col("votes").sum())
        reverse = summed.select("topic", better="worse", worse="better", against="votes")
        topics = pl.DataFrame({"topic": judged.topics, "number": np.arange(len(judged.topics))})
        pairs = (
            summed.join(reverse, on=keys, how="left", maintain_order="left")
            .join(topics, on="topic", maintain_order="left")
            .sort("number", maintain_order=True)
        )
        places = pl.DataFrame(
            {"number": judged.topic_of, "doc": judged.doc, "place": np.arange(len(judged.doc))}
        )
        better, worse = (
            pairs.select("number", doc=side)
            .join(places, on=["number", "doc"], how="left", maintain_order="left")["place"]
            .to_numpy()
            for side in ("better", "worse")
        )
        start = np.searchsorted(pairs["number"].to_numpy(), np.arange(len(judged.topics) + 1))
        votes, against = (
            pairs[name].fill_null(0).cast(pl.Float64).to_numpy() for name in ("votes", "against")
        )
        return cls(start.astype(np.int64), better, worse, votes, against)

    def ranks(self, many: int, pair: Ints, rank: Any) -> tuple[Floats, Floats]:
        """Rank of both documents of each pair, inf where the run does not retrieve one.

        `many` documents are judged; those at the places `pair` have the ranks `rank`.
        """
        of = np.full(many, np.inf)
        of[pair] = rank
        return of[self.better], of[self.worse]


class Preferred:
    """One judgment set's preferred pairs: as stated, and as the majority settles them."""

    def __init__(self, preferences: Preferences, judged: Judged) -> None:
        self._preferences, self._judged = preferences, judged

    @cached_property
    def stated(self) -> Pairs:
        """Every preference that somebody states."""
        return Pairs.of(self._preferences.frame, self._judged)

    @cached_property
    def settled(self) -> Pairs:
        """One preference for each pair at most."""
        if self._preferences.single:
            return self.stated
        return Pairs.of(self._preferences.majority().frame, self._judged)
