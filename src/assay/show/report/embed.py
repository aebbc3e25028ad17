"""Data inside a page: JSON that no string in it can end, and text that no string can turn."""

from __future__ import annotations

import html
import json
from typing import Any

from assay.show.text import printable

__all__ = ["in_html", "in_script"]

_TURNING = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_ESCAPES = {c: f"\\u{c:04x}" for c in (*map(ord, "<>&\u2028\u2029"), *_TURNING)}


def in_script(value: Any) -> str:
    r"""JSON for a script element: `<`, `>`, `&`, JavaScript's line ends, turning marks as `\uXXXX`.

    >>> print(in_script({"id": "</script>"}))
    {"id":"\u003c/script\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPES)


def in_html(text: str) -> str:
    """Text for an element or an attribute, with characters that could steer it spelled out.

    >>> print(in_html('<b title="x">'))
    &lt;b title=&quot;x&quot;&gt;
    """
    return html.escape(printable(text), quote=True)
