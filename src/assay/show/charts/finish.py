"""What every picture gets at the end: its title, its sizes, its manners in a browser."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.layout import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.show.charts.look import Look

__all__ = ["altair", "data", "finished", "plain"]


def altair() -> Any:
    """The library, or how to have it."""
    try:
        import altair as alt
    except ImportError:
        raise AssayError("pictures need Altair; type: pip install 'assay[show]'") from None
    return alt


def data(rows: Iterable[dict[str, Any]]) -> Any:
    """Rows for a picture; columns have fixed names, so that no name of a run is ever one.

    They go as one text: Altair checks and copies a list row by row, which takes seconds.
    """
    alt = altair()
    listed = [{name: plain(value) for name, value in row.items()} for row in rows]
    text = json.dumps(listed, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return alt.InlineData(values=text, format=alt.JsonDataFormat(type="json"))


def plain(value: Any) -> Any:
    """A value that JSON knows; nothing for what is not finite."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finished(
    chart: Any, at: Look, title: str, said: Sequence[str] = (), *, fits: bool = True
) -> Any:
    """The picture with its title and what must be said under it, as wide as its preset.

    A picture of several parts cannot be fitted by Vega-Lite; it has set its own width.
    """
    alt = altair()
    wide = at.width - 2 * round(at.font * 0.6)
    lines = [line for text in said for line in wrapped(text, wide, at.font)]
    head = wrapped(title, wide, at.title * 1.08)
    chart = chart.properties(
        title=alt.TitleParams(text=head, **({"subtitle": lines} if lines else {})),
        description=title,
        usermeta={
            "assay": {"preset": at.name, "scale": at.scale},
            "embedOptions": {
                "actions": {"export": True, "source": False, "compiled": False, "editor": False}
            },
        },
    )
    if fits:
        chart = chart.properties(
            width=at.width, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
        )
    return chart.configure(**at.config())
