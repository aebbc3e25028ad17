"""Apply a measure to a ranking: its fields go to the kernel by name."""

from __future__ import annotations

import inspect
import traceback
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.measures.arrays import array_namespace
from assay.measures.registry import FAMILIES

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
    if definition.family not in FAMILIES:
        return _own(measure, fields, ranking.rank)
    return measure.kernel(**fields)


def _own(measure: Measure, fields: dict[str, Any], like: Any) -> Any:
    """The values of a measure that somebody defined: its mistakes are told, not passed on."""
    try:
        values = measure.kernel(**fields)
    except (AssayError, FloatingPointError, OverflowError):
        raise
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        raise AssayError(
            f"{measure}: its function fails with {type(error).__name__}: {error} "
            f"({at.filename}:{at.lineno})"
        ) from error
    xp, wanted = array_namespace(like), tuple(like.shape[:-1])
    found = getattr(values, "shape", None)
    if found is None or tuple(found) != wanted:
        what = f"{type(values).__name__} {values!r}" if found is None else f"shape {tuple(found)}"
        raise AssayError(
            f"{measure}: its function must return one number for each list, an array of shape "
            f"{wanted}; found {what}. Add up along the last axis: .sum(axis=-1)"
        )
    if not xp.isdtype(values.dtype, ("bool", "integral", "real floating")):
        raise AssayError(f"{measure}: its function must return real numbers, found {values.dtype}")
    return values


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
