"""Values that a study starts from: runs scored under one judge, on the topics that all have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.stats.arrays import Array, steady

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.measures.measure import Measure

__all__ = ["Scored", "check_whole", "pairs_of", "scored", "share_of"]


@dataclass(frozen=True)
class Scored:
    """Values of every run and measure on the topics on which none of them lacks one."""

    values: Array  # [run, measure, topic]
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def scored(
    judgments: Any,
    runs: Any,
    measures: Sequence[str | Measure],
    *,
    progress: Callable[[float], None] | None = None,
    **policies: Any,
) -> Scored:
    """Score runs for a study; topics are those on which every run and measure has a value."""
    scores = evaluate(judgments, runs, list(measures), progress=progress, **policies)
    if len(scores.judges) > 1:
        raise AssayError(
            f"{len(scores.judges)} judgment sets ({', '.join(scores.judges[:5])}): a study of runs "
            "takes one; assay judges compare takes several"
        )
    if len(scores.runs) < 2:
        raise AssayError(f"one run ({scores.runs[0]}): a study compares at least two")
    table = scores.values[0]
    whole = ~np.isnan(table).any(axis=(0, 1))
    topics = tuple(topic for topic, keep in zip(scores.topics, whole, strict=True) if keep)
    left = tuple(topic for topic, keep in zip(scores.topics, whole, strict=True) if not keep)
    if len(topics) < 2:
        raise AssayError(
            f"on {len(topics)} of {len(scores.topics)} topics every measure has a value for every "
            "run; a study needs at least 2"
        )
    notes = list(scores.notes)
    if left:
        some = " ".join(left[:5]) + (" ..." if len(left) > 5 else "")
        notes.append(
            f"{len(left)} of {len(scores.topics)} topics left out, on which a measure has no value "
            f"({some})"
        )
    return Scored(
        steady(table[..., whole]),
        scores.runs,
        scores.measures,
        topics,
        left,
        tuple(notes),
        scores.warnings,
    )


def check_whole(name: str, value: Any, least: int = 1) -> None:
    """Refuse what is no whole number, or too small a one."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise AssayError(f"{name}={value!r}: must be a whole number of at least {least}")


def pairs_of(runs: int) -> Array:
    """Every two runs: the second minus the first is the difference, [pair, 2]."""
    first, second = np.triu_indices(runs, 1)
    return np.stack([first, second], axis=-1)


def share_of(part: int, whole: int) -> float:
    """A share; NaN of nothing."""
    return part / whole if whole else float("nan")
