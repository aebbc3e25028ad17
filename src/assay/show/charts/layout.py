"""Where things go on paper: labels that do not overlap, room for words, ends of axes."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from assay.show.text import cells, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["apart", "domain", "labels", "room", "ticks", "wrapped"]

EM = 0.54  # mean width of a character, as a share of the size of the font


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places near those wanted, `gap` apart at least and where possible from low to high.

    Neighbours that are too close become a group about its mean; groups that meet are joined.
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    groups: list[tuple[float, int]] = []  # middle, members
    for i in order:
        middle, many = min(max(wanted[i], low), high), 1
        while groups and middle - groups[-1][0] < gap * (many + groups[-1][1]) / 2:
            other, more = groups.pop()
            middle = (middle * many + other * more) / (many + more)
            many += more
            half = gap * (many - 1) / 2
            middle = min(max(middle, low + half), max(high - half, low + half))
        groups.append((middle, many))
    places = [middle + gap * (k - (many - 1) / 2) for middle, many in groups for k in range(many)]
    found = [0.0] * len(wanted)
    for i, place in zip(order, places, strict=True):
        found[i] = place
    return found


def domain(values: Sequence[float], *, zero: bool = False, loose: bool = False) -> list[float]:
    """Ends of an axis: round numbers about all that is finite, with 0 where asked.

    `loose` leaves some room beyond the values, for marks that have a size.
    """
    known = [value for value in values if math.isfinite(value)] + ([0.0] if zero else [])
    low, high = min(known, default=0.0), max(known, default=1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-9):
        low, high = low - 0.05, high + 0.05
    step = _step((high - low) / 10)
    spare = 0.15 if loose else -1e-9
    first, last = math.floor(low / step - spare), math.ceil(high / step + spare)
    return [round(first * step, 12), round(last * step, 12)]


def ticks(ends: Sequence[float], most: int) -> list[float]:
    """Round numbers between the ends of an axis, at most so many."""
    low, high = ends
    step = _step((high - low) / most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def _step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is no less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * many for many in (1, 2, 5, 10) if power * many >= least * (1 - 1e-9))


def room(texts: Sequence[str], font: float) -> float:
    """How wide the widest text will be."""
    return max((cells(text) for text in texts), default=0) * font * EM


def labels(names: Sequence[str], width: int = 28) -> list[str]:
    """Names as they are shown: nothing that steers, cut in the middle, all different."""
    return shortened([printable(name) for name in names], width)


def wrapped(text: str, width: float, font: float) -> list[str]:
    """The text in lines of at most this width."""
    return textwrap.wrap(printable(text), max(20, int(width / (font * EM * 0.92))))
