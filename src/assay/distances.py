"""How far apart two judges, or a judge and a system, are: Zhou & Yao's counts, topic by topic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.judgments import Judgments
from assay.orders import Distance, WeakOrder, counted
from assay.pictured import Pictured
from assay.preferences import Preferences
from assay.run import Run

if TYPE_CHECKING:
    import polars as pl

    from assay.relations import Relation

__all__ = ["Distances", "distance"]

Array = np.ndarray[Any, np.dtype[Any]]
COLUMNS = (
    "agreed",
    "contradicted",
    "only_user",
    "only_system",
    "tied",
    "unknown",
    "beta",
    "dpm",
    "pairs",
    "ndpm",
)


@dataclass(frozen=True, repr=False)
class Distances(Pictured):
    """Topic to distance; `unknown` counts pairs of which one side says nothing."""

    user: str
    system: str
    topics: dict[str, Distance]

    def __repr__(self) -> str:
        return f"Distances({self.user!r} to {self.system!r}: {len(self.topics)} topics)"

    @property
    def total(self) -> Distance:
        """All topics together."""
        return sum(self.topics.values(), Distance(0, 0, 0, 0))

    @property
    def mean(self) -> float:
        """The mean of ndpm over the topics where the user prefers something."""
        values = [each.ndpm for each in self.topics.values() if each.pairs]
        return float(np.mean(values)) if values else float("nan")

    def to_polars(self) -> pl.DataFrame:
        """One row for each topic."""
        import polars as pl

        rows = [
            {"topic": topic, **{name: getattr(each, name) for name in COLUMNS}}
            for topic, each in self.topics.items()
        ]
        return pl.DataFrame(rows)

    def table(self) -> Any:
        """A table for people, which prints itself in a terminal and in a notebook."""
        from assay.show.preferences import distances_page

        return distances_page(self)

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html


def distance(user: Any, system: Any) -> Distances:
    """C+, C-, C^u, C^s, beta, dpm and ndpm between a user and a system, or between two judges.

    Each side is `Preferences` (several judges: their majority), `Judgments`, a `Run`, or a
    dictionary of topic to document to number. A run ranks what it does not retrieve on one last
    tied level; documents or pairs of which the other side says nothing are unknown.

    >>> first = Judgments({"q": {"d1": 2, "d2": 1, "d3": 0}})
    >>> second = Judgments({"q": {"d1": 1, "d2": 1, "d3": 2}})
    >>> print(distance(first, second).total)  # d1 d2 tied once, d1 d3 and d2 d3 contradicted
    Distance(agreed=0, contradicted=2, only_user=1, only_system=0, tied=0, unknown=0)
    """
    mine, theirs = _Side(user, "the user's"), _Side(system, "the system's")
    shared = [topic for topic in mine.topics if topic in theirs.topics]
    if not shared:
        raise AssayError(f"{mine.label} and {theirs.label} have no topic in common")
    found = {
        topic: _between(mine.topics[topic], theirs.topics[topic], theirs.open) for topic in shared
    }
    return Distances(mine.label, theirs.label, found)


class _Side:
    """One ranking for each topic: a weak order, or a relation where pairs may be unknown."""

    def __init__(self, given: Any, which: str) -> None:
        self.topics: dict[str, WeakOrder | Relation] = {}
        least = 0.0 if isinstance(given, Judgments) else -math.inf  # below 0: pooled, not judged
        if isinstance(given, dict):
            given = Judgments(given, label=which)
        if not isinstance(given, Preferences | Judgments | Run):
            kinds = "Preferences, Judgments, a Run, or a dictionary of topic to document to number"
            raise AssayError(f"{which} ranking: expected {kinds}; found {type(given).__name__}")
        self.label = given.label
        self.open = not isinstance(given, Run)  # whether documents that it lacks are unknown
        if isinstance(given, Preferences) and given.grades is None:
            self.topics.update((topic, each) for topic, _, each in given.majority().relations())
            return
        orders = given.orders() if isinstance(given, Preferences) else _orders(given, least)
        self.topics.update(orders)


def _orders(given: Judgments | Run, least: float) -> dict[str, WeakOrder]:
    return {
        topic: WeakOrder.of({doc: value for doc, value in values.items() if value >= least})
        for topic, values in given.to_dict().items()
    }


def _between(
    user: WeakOrder | Relation,
    system: WeakOrder | Relation,
    partial: bool,  # noqa: FBT001
) -> Distance:
    if isinstance(user, WeakOrder) and isinstance(system, WeakOrder):
        if not partial:
            return user.distance(system)
        both = [doc for doc in user.level if doc in system.level]
        levels = ([order.level[doc] for doc in both] for order in (user, system))
        known = counted(*levels)
        return known + Distance(0, 0, 0, 0, unknown=_pairs(len(user)) - _pairs(len(both)))
    if isinstance(user, WeakOrder):
        turned = _between(system, user, True)  # noqa: FBT003
        return Distance(
            turned.agreed,
            turned.contradicted,
            turned.only_system,
            turned.only_user,
            turned.tied,
            _pairs(len(user)) - (len(system) - turned.unknown),
        )
    said = np.where(user.tie, 0, 1)
    other = _signs(user, system, partial)
    agreed, wrong = (said == 1) & (other == 1), (said == 1) & (other == -1)
    return Distance(
        int(agreed.sum()),
        int(wrong.sum()),
        int(((said == 1) & (other == 0)).sum()),
        int(((said == 0) & (np.abs(other) == 1)).sum()),
        int(((said == 0) & (other == 0)).sum()),
        int(np.isnan(other).sum()),
    )


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def _signs(user: Relation, system: WeakOrder | Relation, partial: bool) -> Array:  # noqa: FBT001
    """What the system says of the user's pairs: 1 the same way round, -1, 0 tied, NaN nothing."""
    if isinstance(system, WeakOrder):
        lacking = np.nan if partial else float(len(system.levels))
        level = np.asarray([system.level.get(doc, lacking) for doc in user.docs], dtype=np.float64)
        signs: Array = np.sign(level[user.worse] - level[user.better])
        return signs
    place = {doc: i for i, doc in enumerate(system.docs)}
    n = len(system.docs)
    mine = np.asarray([place.get(doc, -1) for doc in user.docs], dtype=np.int64)
    a, b = mine[user.better], mine[user.worse]
    known = (a >= 0) & (b >= 0)
    keys = np.minimum(system.better, system.worse) * n + np.maximum(system.better, system.worse)
    order = np.argsort(keys)
    value = np.where(system.tie, 0, np.where(system.better < system.worse, 1, -1))[order]
    keys = keys[order]
    wanted = np.minimum(a, b) * n + np.maximum(a, b)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    known &= keys[at] == wanted
    return np.where(known, np.where(a < b, 1.0, -1.0) * value[at], np.nan)
