"""Rows in formats for programs, at full precision."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

__all__ = ["json_of", "tsv_of"]

_TAB = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def tsv_of(frame: pl.DataFrame) -> Iterator[str]:
    """Tab-separated lines under a head; an empty field where there is no value."""
    yield "\t".join(frame.columns) + "\n"
    for row in frame.iter_rows():
        yield "\t".join(_field(value) for value in row) + "\n"


def _field(value: Any) -> str:
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else str(value).translate(_TAB)


def json_of(head: dict[str, Any], **lists: list[dict[str, Any]]) -> Iterator[str]:
    """An object of what holds for all, and lists of objects, one on each line."""
    yield json.dumps(head, ensure_ascii=False, indent=2).removesuffix("\n}")
    for name, objects in lists.items():
        lines = ",\n".join(
            "    " + json.dumps(_finite(each), ensure_ascii=False) for each in objects
        )
        yield f',\n  "{name}": [\n{lines}\n  ]' if objects else f',\n  "{name}": []'
    yield "\n}\n"


def _finite(record: dict[str, Any]) -> dict[str, Any]:
    """Numbers as JSON knows them."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in record.items()
    }
