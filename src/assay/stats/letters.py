"""Compact letter display: runs that share a letter are not shown to differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.stats.arrays import Array

__all__ = ["letter", "letters"]

MOST = 200
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letters(different: Array) -> tuple[str, ...] | None:
    """Letters for runs `different[i, j]` of which are shown to differ, the first run getting `a`.

    Two runs share a letter exactly where they are not shown to differ, and every letter is needed.
    None where that takes more than MOST letters on the way, which tell nobody anything. By
    inserting and absorbing, Piepho 2004, https://doi.org/10.1198/1061860043515.

    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]]))  # 1 and 3 differ, 2 from neither
    ('a', 'ab', 'b')
    """
    apart = np.asarray(different, dtype=bool)
    apart = apart | apart.T
    n = len(apart)
    groups = np.ones((min(n, 1), n), dtype=bool)  # [group, run]
    for i in range(n):
        for j in (np.flatnonzero(apart[i, i + 1 :]) + i + 1).tolist():
            groups = _parted(groups, i, j)
            if len(groups) > MOST:
                return None
    ordered = sorted(np.flatnonzero(group).tolist() for group in _needed(groups, apart))
    found = ["" for _ in range(n)]
    for place, group in enumerate(ordered):
        for i in group:
            found[i] += letter(place)
    return tuple(found)


def letter(place: int) -> str:
    """Lower case, upper case, then a2, b2, ...: any number of them in a row reads one way."""
    again, at = divmod(place, len(ALPHABET))
    return ALPHABET[at] + (str(again + 1) if again else "")


def _parted(groups: Array, i: int, j: int) -> Array:
    """Groups none of which holds both runs; one that lies in another is absorbed."""
    both = groups[:, i] & groups[:, j]
    if not both.any():
        return groups
    halves = np.concatenate([groups[both], groups[both]])
    many = int(both.sum())
    halves[:many, i] = False
    halves[many:, j] = False
    every = np.unique(np.concatenate([groups[~both], halves]), axis=0)
    size = every.sum(axis=-1)
    shared = every.astype(np.int64) @ every.T.astype(np.int64)
    inside = (shared == size[:, None]) & (size[:, None] < size)  # within a larger one
    return np.asarray(every[~inside.any(axis=-1)])


def _needed(groups: Array, apart: Array) -> list[Array]:
    """Groups without those all of whose pairs, and runs, stand in others too."""
    kept = sorted(groups, key=lambda group: int(group.sum()))
    times = groups.T.astype(np.int64) @ groups.astype(np.int64)
    for group in list(kept):
        own = np.outer(group, group)
        if (times[own & ~apart] > 1).all():
            times -= own
            kept = [other for other in kept if other is not group]
    return kept
