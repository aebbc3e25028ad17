"""Numbers as C reads them: as much of the text as is a number, and 0 where nothing is."""

from __future__ import annotations

import re
from math import inf

__all__ = ["atof", "atol", "whole"]

_SPACE = r"[ \t\n\v\f\r]*"
_LONG = re.compile(_SPACE + r"([+-]?[0-9]+)")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(
    _SPACE + r"([+-]?)(?:(0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    r"|((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)|(inf(?:inity)?)|(nan))",
    re.IGNORECASE,
)
_LARGEST = (1 << 63) - 1


def atol(text: str) -> int:
    """A whole number in front of whatever follows: `23.4` is 23, `abc` is 0."""
    found = _LONG.match(text)
    return max(-_LARGEST - 1, min(_LARGEST, int(found[1]))) if found else 0


def atof(text: str) -> float:
    """A number in front of whatever follows: `1.5e3x` is 1500, `abc` is 0."""
    found = _FLOAT.match(text)
    if not found:
        return 0.0
    sign, hexadecimal, decimal, infinite, _ = found.groups()
    if hexadecimal:
        size = float.fromhex(hexadecimal)
    else:
        size = float(decimal) if decimal else inf if infinite else float("nan")
    return -size if sign == "-" else size


def whole(text: str) -> bool:
    """Whether the text is a whole number and nothing else."""
    return _WHOLE.fullmatch(text) is not None
