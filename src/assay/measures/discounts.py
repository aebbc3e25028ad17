"""Discounts: by how much a gain is divided at its rank."""

from __future__ import annotations

from math import log

from assay.measures.arrays import Array, Weight, array_namespace, indicator, mean_weight, total

DIVISOR: dict[str, Weight] = {
    "log2": lambda rank: array_namespace(rank).log2(rank + 1.0),
    "zipf": lambda rank: rank,
    "none": lambda rank: array_namespace(rank).ones_like(rank),
}


def original(b: float) -> Weight:
    """Divide by 1 before rank b, by the logarithm of the rank to base b from there on (eq. 2)."""

    def divisor(rank: Array) -> Array:
        xp = array_namespace(rank)
        return xp.log(xp.clip(rank, b)) / log(b)

    return divisor


def cumulate(
    gain: Array,
    rank: Array,
    divisor: Weight,
    k: float,
    tie_first: Array | None = None,
    tie_last: Array | None = None,
) -> Array:
    """Sum of the gains to rank k, each divided by what its rank asks."""

    def weight(rank: Array) -> Array:
        return indicator(rank <= k, rank) / divisor(rank)

    weights = mean_weight(weight, rank, tie_first, tie_last)
    return total(gain * weights)


def ideal(best: Array, divisor: Weight, k: float) -> Array:
    """Cumulate the gains of the whole recall base, given largest first."""
    xp = array_namespace(best)
    rank = xp.arange(1, best.shape[-1] + 1, dtype=best.dtype, device=best.device)
    return cumulate(best, rank, divisor, k)
