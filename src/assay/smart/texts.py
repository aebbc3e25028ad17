"""Documents and queries, from SMART files, the Cystic Fibrosis XML, or JSON lines."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.smart.cystic import elements
from assay.smart.lines import Filed, numbered, text_of
from assay.smart.marked import bare, records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Text", "in_order", "read_texts"]

IDS = ("_id", "id", "doc_id", "docno", "docid", "query_id", "qid")
BODIES = ("text", "abstract", "body", "contents", "query")


@dataclass(frozen=True)
class Text:
    """A document or a query."""

    id: str
    body: str
    title: str = ""
    where: str = ""  # file:line it was read from


def read_texts(
    paths: str | Path | Sequence[str | Path], *, by_position: bool = False
) -> tuple[Text, ...]:
    """Documents or queries, of one file or several; each file's form is found out by itself.

    * SMART: `.I` and an id, `.T` title, `.W` words; an id that is a number loses zeros before it.
    * The Cystic Fibrosis XML: records, or queries.
    * JSON lines: `{"_id": "d1", "title": ..., "text": ...}`; ids are taken as they are.

    `by_position` numbers them 1, 2, 3, ... whatever their ids say, as Cranfield's judgments do
    with its queries.
    """
    several = [paths] if isinstance(paths, str | Path) else paths
    texts = tuple(chain.from_iterable(_texts(text_of(path)) for path in several))
    if not texts:
        raise AssayError(f"{', '.join(map(str, several)) or 'no file'}: holds no documents")
    if by_position:
        return in_order(texts)
    seen: dict[str, str] = {}
    for text in texts:
        if text.id in seen:
            raise AssayError(f"{text.where}: the id {text.id!r} was there before, {seen[text.id]}")
        seen[text.id] = text.where
    return texts


def in_order(texts: Sequence[Text]) -> tuple[Text, ...]:
    """The texts numbered 1, 2, 3, ..."""
    return tuple(replace(text, id=str(i)) for i, text in enumerate(texts, 1))


def _texts(filed: Filed) -> Iterator[Text]:
    """The texts of a file, by the form that its first character shows."""
    first = filed.text.lstrip()[:1]
    if first == "<":
        return _xml(filed)
    if first == "{":
        return _json_lines(filed)
    if first == ".":
        return _smart(filed)
    if not first:
        raise AssayError(f"{filed.file}: an empty file")
    raise AssayError(
        f"{filed.file}: expected SMART's marks (.I 1), XML (<...>) or JSON lines ({{...}}), "
        f"found {filed.text.lstrip().splitlines()[0][:60]!r}"
    )


def _smart(filed: Filed) -> Iterator[Text]:
    for record in records(filed):
        yield Text(record.id, record.text("W"), record.text("T"), record.where)


def _xml(filed: Filed) -> Iterator[Text]:
    root = elements(filed)
    found = False
    for record in root.walk("RECORD"):
        found = True
        # a record without an abstract holds an extract instead
        body = record.find("ABSTRACT") or record.find("EXTRACT")
        title = record.find("TITLE")
        if body is None and title is None:
            raise AssayError(f"{record.where}: expected a <TITLE>, <ABSTRACT> or <EXTRACT>")
        words, head = (each.text if each else "" for each in (body, title))
        yield Text(bare(record.needed("RECORDNUM")), words, head, record.where)
    for query in root.walk("QUERY"):
        found = True
        number, words = bare(query.needed("QueryNumber")), query.needed("QueryText")
        yield Text(number, words, where=query.where)
    if not found:
        raise AssayError(
            f"{filed.file}: expected <RECORD> or <QUERY> elements, found <{root.name}> without any"
        )


def _json_lines(filed: Filed) -> Iterator[Text]:
    for where, line in numbered(filed):
        try:
            item = json.loads(line)
        except json.JSONDecodeError as error:
            raise AssayError(f"{where}: expected a JSON object, found {error.msg}") from None
        if not isinstance(item, dict):
            raise AssayError(f"{where}: expected a JSON object, found {line[:60]!r}")
        id_ = _first(item, IDS)
        body = _first(item, BODIES)
        title = item.get("title")
        if id_ is None or (body is None and title is None):
            lacks, names = ("an id", IDS) if id_ is None else ("a text", ("title", *BODIES))
            raise AssayError(
                f"{where}: expected {lacks} ({', '.join(names)}), found {', '.join(item) or 'none'}"
            )
        for what, value in (("text", body), ("title", title)):
            if not isinstance(value, str | None):
                raise AssayError(f"{where}: expected a {what} of words, found {value!r}")
        yield Text(str(id_), body or "", title or "", where)


def _first(item: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((item[name] for name in names if item.get(name) is not None), None)
