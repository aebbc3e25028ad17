"""Compact letter display: runs that share a letter are not shown to differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.stats.arrays import Array

__all__ = ["letter", "letters"]

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letters(different: Array) -> tuple[str, ...]:
    """Letters for runs `different[i, j]` of which are shown to differ, the first run getting `a`.

    Two runs share a letter exactly where they are not shown to differ, and every letter is needed.
    By inserting and absorbing, Piepho 2004, https://doi.org/10.1198/1061860043515.

    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]]))  # 1 and 3 differ, 2 from neither
    ('a', 'ab', 'b')
    """
    apart = np.asarray(different, dtype=bool)
    apart = apart | apart.T
    n = len(apart)
    groups = [frozenset(range(n))] if n else []
    for i in range(n):
        for j in np.flatnonzero(apart[i, i + 1 :]).tolist():
            groups = _parted(groups, i, i + 1 + j)
    ordered = sorted(map(sorted, _needed(groups, apart)))
    found = ["" for _ in range(n)]
    for place, group in enumerate(ordered):
        for i in group:
            found[i] += letter(place)
    return tuple(found)


def letter(place: int) -> str:
    """Lower case, upper case, then a2, b2, ...: any number of them in a row reads one way."""
    again, at = divmod(place, len(ALPHABET))
    return ALPHABET[at] + (str(again + 1) if again else "")


def _parted(groups: list[frozenset[int]], i: int, j: int) -> list[frozenset[int]]:
    """Groups none of which holds both runs; one that lies in another is absorbed."""
    kept = [group for group in groups if not (i in group and j in group)]
    split = [group for group in groups if i in group and j in group]
    for group in split:
        for half in (group - {i}, group - {j}):
            if not any(half <= other for other in kept):
                kept = [other for other in kept if not other <= half] + [half]
    return kept


def _needed(groups: Iterable[frozenset[int]], apart: Array) -> list[frozenset[int]]:
    """Groups without those all of whose pairs, and runs, stand in others too."""
    kept = sorted(groups, key=len)
    for group in list(kept):
        others = [other for other in kept if other is not group]
        members = sorted(group)
        pairs = [(i, j) for i in members for j in members if i <= j and not apart[i, j]]
        if others and all(any(i in other and j in other for other in others) for i, j in pairs):
            kept.remove(group)
    return kept
