"""Where in a file a pair stands: the physical lines, found by searching when an error needs them."""

from __future__ import annotations

from pathlib import Path

from assay.io.lines import Form
from assay.io.stream import pieces

__all__ = ["lines_of"]


def lines_of(source: str | Path, form: Form, topic: str, doc: str) -> list[int]:
    """Physical numbers of the lines that hold this topic and document."""
    wanted_topic, wanted = topic.encode(), doc.encode()
    found: list[int] = []
    for piece in pieces(source):
        data, at, counted, line = piece.data, -1, 0, piece.line
        while (at := data.find(wanted, at + 1)) >= 0:
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            fields = data[start:end].split()
            line += data.count(b"\n", counted, start)
            counted = start
            if (
                len(fields) > form.doc
                and fields[0] == wanted_topic
                and fields[form.doc] == wanted
                and data[start : start + 1] != b"#"
            ):
                found.append(line)
            at = end
    return found
