"""Apply a measure to a ranking: its fields go to the kernel by name."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.measures.measure import Measure
    from assay.ranking import Ranking

__all__ = ["apply", "worst_value"]


def apply(measure: Measure, ranking: Ranking, *, expected: bool = False) -> Any:
    """The measure's values for a ranking, one for each list."""
    definition = measure.definition
    if definition.from_preferences is not None and ranking.level_better is not None:
        return measure.kernel(better=ranking.level_better, worse=ranking.level_worse)
    fields = {name: getattr(ranking, name) for name in definition.fields}
    if expected and definition.has_expected:
        fields |= {"tie_first": ranking.tie_first, "tie_last": ranking.tie_last}
    return measure.kernel(**fields)


def worst_value(measure: Measure, ranking: Ranking) -> Any:
    """What a list that shows nothing deserves: the worst value on its topic."""
    worst = measure.definition.worst
    if not callable(worst):
        return worst
    fields = {
        name: measure.parameters[name] if name in measure.parameters else getattr(ranking, name)
        for name in inspect.signature(worst).parameters
    }
    return worst(**fields)
