"""Words and numbers as a person sees them, in cells of a terminal."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["cells", "number", "padded", "printable", "share", "shortened"]


def printable(text: str) -> str:
    """The text with characters that could steer a terminal spelled out."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cells(text: str) -> int:
    """How many cells of a terminal the text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, width: int, *, left: bool = False) -> str:
    """The text in a column, set left or right."""
    space = " " * (width - cells(text))
    return text + space if left else space + text


def number(value: float) -> str:
    """A value with four decimals; `-` where there is none."""
    if math.isnan(value):
        return "-"
    if math.isinf(value) or abs(value) >= 1e9:
        return f"{value:.6g}"
    return _unsigned_zero(f"{value:.4f}")


def share(value: float) -> str:
    """A share of documents with two decimals; `-` where there is none."""
    return "-" if math.isnan(value) else f"{value:.2f}"


def _unsigned_zero(text: str) -> str:
    return text.removeprefix("-") if not text.strip("-0.") else text


def shortened(labels: Sequence[str], width: int) -> list[str]:
    """Labels of at most `width` cells, cut in the middle, where possible still all different."""
    if all(cells(label) <= width for label in labels):
        return list(labels)
    room = max(2, width - 2)
    middle = room // 2
    best: list[str] = []
    for tail in sorted(range(room + 1), key=lambda n: abs(n - middle)):
        short = [_cut(label, width, room - tail, tail) for label in labels]
        if len(set(short)) == len(set(labels)):
            return short
        best = best or short
    return _told_apart(labels, best, width)


def _cut(label: str, width: int, head: int, tail: int) -> str:
    if cells(label) <= width:
        return label
    return f"{_first(label, head)}..{_first(label[::-1], tail)[::-1]}"


def _first(text: str, width: int) -> str:
    """As many first characters as fit."""
    end = min(len(text), width)
    while cells(text[:end]) > width:
        end -= 1
    return text[:end]


def _told_apart(labels: Sequence[str], short: list[str], width: int) -> list[str]:
    """Numbers on those that still look the same."""
    shared = Counter(short)
    seen: Counter[str] = Counter()
    told = []
    for label, text in zip(labels, short, strict=True):
        if shared[text] == 1 or label == text:
            told.append(text)
            continue
        seen[text] += 1
        mark = f"~{seen[text]}"
        told.append(_first(text, max(1, width - len(mark))) + mark)
    return told
