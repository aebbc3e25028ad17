"""The texts of chosen documents out of JSON lines, however many others the file holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.io.spool import readable
from assay.io.stream import BOM, pieces

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

__all__ = ["read_texts"]

IDS = ("_id", "id", "doc_id", "docno", "docid", "pid", "passage_id")
BODIES = ("text", "contents", "body", "abstract", "passage")
EXAMPLE = '{"id": "d1", "title": "...", "text": "..."}'


def read_texts(path: str | Path, wanted: Container[str]) -> dict[str, str]:
    """Document to text, its title in a first line, of the documents that are wanted.

    A line is an object such as `{"id": "d1", "title": "...", "text": "..."}`; of a document that
    comes twice the first text stays.
    """
    found: dict[str, str] = {}
    with readable(path) as origin:
        empty = True
        for where, line in _lines(str(origin.path), origin.name):
            empty = False
            item = _object(where, line)
            doc = _first(item, IDS)
            if doc is None:
                raise _lacking(where, "an id", IDS, item)
            title, body = item.get("title"), _first(item, BODIES)
            if title is None and body is None:
                raise _lacking(where, "a text", ("title", *BODIES), item)
            for what, value in (("title", title), ("text", body)):
                if not isinstance(value, str | None):
                    raise AssayError(f"{where}: expected a {what} of words, found {value!r:.60}")
            if str(doc) in wanted:
                found.setdefault(str(doc), "\n".join(part for part in (title, body) if part))
        if empty:
            raise AssayError(f"{origin.name}: holds no text; expected lines such as {EXAMPLE}")
    return found


def _lines(path: str, name: str) -> Iterator[tuple[str, bytes]]:
    """`file:line` and what stands there, of all lines that are not blank."""
    for piece in pieces(path, name=name):
        for number, line in enumerate(piece.data.split(b"\n"), piece.line):
            if line and not line.isspace():
                yield f"{name}:{number}", line.removeprefix(BOM)


def _object(where: str, line: bytes) -> dict[str, Any]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        shown = line[:60].decode("utf-8", "replace")
        raise AssayError(
            f"{where}: expected a JSON object such as {EXAMPLE}, found {shown!r} ({error})"
        ) from None
    if not isinstance(item, dict):
        raise AssayError(
            f"{where}: expected a JSON object such as {EXAMPLE}, found {type(item).__name__}"
        )
    return item


def _first(item: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((item[name] for name in names if item.get(name) is not None), None)


def _lacking(where: str, what: str, names: tuple[str, ...], item: dict[str, Any]) -> AssayError:
    there = ", ".join(map(repr, item)) or "nothing"
    return AssayError(f"{where}: expected {what} ({', '.join(names)}), found {there:.120}")
