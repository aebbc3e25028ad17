"""Judgments as the old collections keep them: four digits, reversed codes, bare pairs."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.io.lines import Dropped
from assay.judgments import Judgments
from assay.smart.cystic import elements
from assay.smart.lines import Filed, numbered, text_of
from assay.smart.marked import bare

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["FORMS", "read_assessments"]

Grades = dict[str, dict[str, dict[str, float]]]  # judge, topic, doc

JUDGES = 4
DIGITS = re.compile(f"[0-2]{{{JUDGES}}}")
WHOLE = re.compile(r"-?[0-9]+")
CRANFIELD = {1: 4.0, 2: 3.0, 3: 2.0, 4: 1.0, 5: 0.0, -1: -1.0}


def read_assessments(
    path: str | Path, form: str, *, collection: int | None = None, strict: bool = True
) -> dict[str, Judgments]:
    """The judgments of an old collection, by judge.

    * `cystic-fibrosis`: the XML of queries; `judge1` to `judge4`, grades 0 to 2.
    * `cranfield`: lines of query, document, code, where 1 is best and 4 least: grades 4 to 1, 0 for
      the code 5; the one -1 of each query stays -1, pooled but not judged. Queries are numbered by
      their place in the file of queries.
    * `cacm`: lines of query, document, 0, 0: grade 1.

    With `collection`, the number of documents, each of them from 1 on that a query does not list
    gets grade 0: its judges saw it and did not list it.

    Numbers lose the zeros before them. What contradicts its file is an error, or with
    `strict=False` left out and counted.
    """
    if form not in FORMS:
        raise AssayError(f"form={form!r}: must be one of {', '.join(map(repr, FORMS))}")
    dropped = None if strict else Dropped()
    filed = text_of(path)
    found = FORMS[form](filed, dropped)
    if not any(found.values()):
        raise AssayError(f"{filed.file}: holds no judgments")
    if collection is not None:
        _completed(found, collection, filed.file)
    return {judge: Judgments(each, label=judge, dropped=dropped) for judge, each in found.items()}


def _completed(found: Grades, collection: int, name: str) -> None:
    """Give grade 0 to every document that a query does not list."""
    every = [str(number) for number in range(1, collection + 1)]
    known = set(every)
    for judge in found.values():
        for topic, docs in judge.items():
            beyond = next((doc for doc in docs if doc not in known), None)
            if beyond is not None:
                raise AssayError(
                    f"{name}: query {topic} lists document {beyond}, which is not among the "
                    f"documents 1 to {collection} (collection={collection})"
                )
            judge[topic] = dict.fromkeys(every, 0.0) | docs


def _refused(dropped: Dropped | None, kind: str, where: str, message: str) -> None:
    """Stop, or count what is left out."""
    if dropped is None:
        raise AssayError(f"{where}: {message}")
    dropped.add(kind, where)


def _cystic_fibrosis(filed: Filed, dropped: Dropped | None) -> Grades:
    found: Grades = {f"judge{j + 1}": defaultdict(dict) for j in range(JUDGES)}
    for query in elements(filed).walk("QUERY"):
        topic = bare(query.needed("QueryNumber"))
        items = list(query.walk("Item"))
        stated = query.find("Results")
        if stated is not None and stated.text.isdecimal() and int(stated.text) < len(items):
            told = int(stated.text)
            for item in items[told:]:
                _refused(
                    dropped,
                    "more documents than <Results> says",
                    item.where,
                    f"query {topic} lists {len(items)} documents where <Results> says {told}; the "
                    "others may belong to another query (--lenient leaves them out)",
                )
            items = items[:told]
        seen: dict[str, str] = {}
        for item in items:
            doc, score = bare(item.text), item.attributes.get("score", "")
            if not DIGITS.fullmatch(score) or not doc:
                _refused(
                    dropped,
                    "a bad score or no document",
                    item.where,
                    f'expected score="{"0" * JUDGES}" to "{"2" * JUDGES}", a digit for each judge, '
                    f"and a document, found {score!r} and {doc!r}",
                )
            elif doc in seen:
                _refused(
                    dropped,
                    "a document judged twice",
                    item.where,
                    f"query {topic} lists document {doc} twice, first at {seen[doc]}",
                )
            else:
                seen[doc] = item.where
                for judge, digit in zip(found.values(), score, strict=True):
                    judge[topic][doc] = float(digit)
    return found


def _cranfield(filed: Filed, dropped: Dropped | None) -> Grades:
    return _lines(filed, dropped, "query document code", _cranfield_grade)


def _cranfield_grade(fields: list[str]) -> float:
    return CRANFIELD[int(fields[2])]


def _cacm(filed: Filed, dropped: Dropped | None) -> Grades:
    return _lines(filed, dropped, "query document 0 0", lambda _: 1.0)


def _lines(
    filed: Filed, dropped: Dropped | None, expected: str, grade: Callable[[list[str]], float]
) -> Grades:
    """Lines of whole numbers, one judge."""
    topics: dict[str, dict[str, float]] = defaultdict(dict)
    first: dict[tuple[str, str], str] = {}
    for where, line in numbered(filed):
        fields = line.split()
        if len(fields) != len(expected.split()) or not all(map(WHOLE.fullmatch, fields)):
            message = f"expected whole numbers ({expected}), found {line!r}"
            _refused(dropped, "a bad line", where, message)
            continue
        topic, doc = bare(fields[0]), bare(fields[1])
        try:
            value = grade(fields)
        except KeyError:
            codes = ", ".join(map(str, CRANFIELD))
            message = f"expected a code among {codes}, found {fields[2]}"
            _refused(dropped, "an unknown code", where, message)
            continue
        if (topic, doc) in first:
            _refused(
                dropped,
                "a document judged twice",
                where,
                f"query {topic} lists document {doc} twice, first at {first[topic, doc]}",
            )
            continue
        first[topic, doc] = where
        topics[topic][doc] = value
    return {"judge": dict(topics)}


FORMS: dict[str, Any] = {
    "cystic-fibrosis": _cystic_fibrosis,
    "cranfield": _cranfield,
    "cacm": _cacm,
}
