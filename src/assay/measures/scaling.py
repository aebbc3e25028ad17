"""Scores of a run brought to the scale from 0 to 1."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, largest, ratio

RANGE = (
    "norm='minmax' brings scores to 0..1 by the smallest and largest of the topic's whole list, "
    "norm='max' divides by the largest and takes 0 as the smallest. Where all scores are equal, or "
    "with norm='max' none is above 0, every document retrieved has 1. "
)


def scaled(score, scores, norm):
    """Each score, from 0 to 1 among all `scores` of its list; as it is with norm='none'."""
    if norm == "none":
        return score
    xp = array_namespace(scores)
    score, scores = 0.5 * score, 0.5 * scores  # so that no difference is too large for a float
    real = scores == scores  # noqa: PLR0124 - padding is NaN
    high = largest(xp.where(real, scores, xp.full_like(scores, -inf)), -inf)[..., None]
    low = -largest(xp.where(real, -scores, xp.full_like(scores, -inf)), -inf)[..., None]
    high = xp.where(high > -inf, high, xp.zeros_like(high))
    low = xp.zeros_like(low) if norm == "max" else xp.where(low < inf, low, xp.zeros_like(low))
    return xp.clip(ratio(score - low, xp.clip(high - low, 0), empty=1.0), 0, 1)
