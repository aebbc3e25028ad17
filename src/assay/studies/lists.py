"""Lists that a study makes itself: judged documents in rank order, as the arrays of a Ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.measures.applying import apply
from assay.ranking import Ranking

if TYPE_CHECKING:
    from assay.judges.tabular import Array
    from assay.measures.measure import Measure

__all__ = ["listed", "scorable", "values_of", "width_of"]

PAIRS = ("better", "worse", "votes", "against")


def scorable(measure: Measure, top: float | None = None) -> Measure:
    """The measure if it can score lists without names, with the top of the scale filled in."""
    definition = measure.definition
    if definition.sets:
        raise AssayError(
            f"{measure}: needs {', '.join(definition.sets)}, sets of documents by name"
        )
    if measure.parameters.get("rel") == "each":
        raise AssayError(f"{measure}: stands for one measure for each relevance level; name one")
    if measure.unjudged is not None:
        raise AssayError(f"{measure}: every document is judged here; leave unjudged= out")
    if measure.uses_top and measure.parameters["max"] is None and top is not None:
        return measure(max=top)
    return measure


def width_of(measure: Measure, documents: int) -> int:
    """How many numbers one list of a topic with so many documents takes."""
    pairs = any(name in PAIRS for name in measure.definition.fields)
    return max(1, documents * (documents - 1) // 2 if pairs else documents)


def values_of(measure: Measure, ranking: Ranking) -> Array:
    """The measure's values, one for each list."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(apply(measure, ranking), dtype=np.float64)


def listed(
    grade: Array, missed: Array | None = None, score: Array | None = None, *, pairs: bool = False
) -> Ranking:
    """Lists of judged documents: `grade[..., i]` by rank, `missed[..., u]` of those not retrieved.

    Scores fall by 1 from rank to rank where none are given; given ones must not rise.
    """
    lead, n = grade.shape[:-1], grade.shape[-1]
    if missed is None:
        missed = np.zeros((*lead, 0))
    everything = np.concatenate([grade, missed], axis=-1)
    rank = np.broadcast_to(np.arange(1.0, n + 1), grade.shape)
    first = last = rank
    if score is None:
        score = n + 1 - rank
    else:
        first, last = _ties(score)
    sizes = {"judged": everything.shape[-1], "retrieved": n}
    fields: dict[str, Any] = {name: np.full(lead, float(size)) for name, size in sizes.items()}
    if pairs:
        fields |= _pairs(everything, n)
    return Ranking(
        grade=grade,
        rank=rank,
        base=_descending(everything),
        pooled=np.full((*lead, 1), np.inf),
        score=score,
        scores=score,
        tie_first=first,
        tie_last=last,
        missed=_descending(missed),
        **fields,
    )


def _descending(x: Array) -> Array:
    return np.asarray(-np.sort(-x, axis=-1))


def _ties(score: Array) -> tuple[Array, Array]:
    """First and last rank of each document's tie group; scores do not rise."""
    n = score.shape[-1]
    above = (score[..., None, :] > score[..., :, None]).sum(axis=-1) if n else score
    below = (score[..., None, :] < score[..., :, None]).sum(axis=-1) if n else score
    return above + 1.0, n - below.astype(np.float64)


def _pairs(grade: Array, retrieved: int) -> dict[str, Array]:
    """Ranks of the better and the worse document of every two that differ in grade."""
    rank = np.where(
        np.arange(grade.shape[-1]) < retrieved, np.arange(1.0, grade.shape[-1] + 1), np.inf
    )
    one, other = np.triu_indices(grade.shape[-1], 1)
    ahead, behind = grade[..., one] > grade[..., other], grade[..., one] < grade[..., other]
    better = np.where(ahead, rank[one], np.where(behind, rank[other], np.nan))
    worse = np.where(ahead, rank[other], np.where(behind, rank[one], np.nan))
    real = (ahead | behind).astype(np.float64)
    return {"better": better, "worse": worse, "votes": real, "against": np.zeros_like(real)}
