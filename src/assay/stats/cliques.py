"""Groups of systems that a test does not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.stats.arrays import Array

__all__ = ["cliques"]


def cliques(apart: Array) -> list[tuple[int, int]]:
    """First and last of each largest stretch of an order in which no two systems differ.

    `apart[i, j]` says whether systems i and j, numbered in their order, differ; symmetric. A
    stretch of one system is no group, and none lies inside another.
    """
    found: list[tuple[int, int]] = []
    first = 0
    for last in range(len(apart)):
        while apart[first : last + 1, last].any():
            first += 1
        if found and found[-1][0] == first:
            found[-1] = (first, last)
        elif last > first:
            found.append((first, last))
    return found
