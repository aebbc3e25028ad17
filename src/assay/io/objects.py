"""Other tools' objects: ranx's Qrels and Run, ir_datasets' data sets, tuples of ir_measures."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS
from assay.io.names import Chosen, choose
from assay.io.tables import NO_PIECE, UNJUDGED, Wanted
from assay.io.trec import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PREFIX", "data_set", "is_rows", "nested", "read"]

PREFIX = "irds:"


def nested(data: Any) -> Mapping[str, Mapping[str, float]] | None:
    """The dictionary of dictionaries inside ranx's Qrels or Run; None where it is none of them."""
    if type(data).__module__.partition(".")[0] == "ranx" and hasattr(data, "to_dict"):
        found: Mapping[str, Mapping[str, float]] = data.to_dict()
        return found
    return None


def is_rows(data: Any) -> bool:
    """Whether data are an iterable of tuples, such as a generator, or an ir_datasets data set."""
    if isinstance(data, (str | bytes | Mapping, type)):
        return False
    if isinstance(data, list | tuple):
        return bool(data) and isinstance(data[0], tuple)
    return isinstance(data, Iterable) or _is_data_set(data)


def _is_data_set(data: Any) -> bool:
    return hasattr(data, "qrels_iter") or hasattr(data, "scoreddocs_iter")


def data_set(name: str) -> Any:
    """The data set that `irds:ID` names."""
    try:
        import ir_datasets
    except ImportError:
        raise AssayError(
            f"{name}: ir_datasets is not installed; type: pip install ir_datasets"
        ) from None
    try:
        return ir_datasets.load(name.removeprefix(PREFIX))
    except KeyError:
        raise AssayError(
            f"{name}: ir_datasets knows no such data set; see https://ir-datasets.com"
        ) from None


def _provided(rows: Iterator[Any], what: str, name: str) -> Iterator[Any]:
    """The rows of a data set, which ir_datasets may have to fetch first."""
    try:
        yield from rows
    except Exception as error:
        words = error.args[0] if error.args and isinstance(error.args[0], str) else error
        raise AssayError(f"{name}: ir_datasets cannot provide the {what}: {words}") from error


def read(data: Any, wanted: Wanted, name: str) -> Rows:
    """The rows of an iterable of tuples: named ones by their names, others topic, doc, number."""
    rows = iter(_rows_of(data, wanted, name) if _is_data_set(data) else data)
    first = next(rows, None)
    if first is None:
        raise AssayError(f"{name}: no rows; expected tuples of topic, document and number")
    chosen = _chosen(first, wanted, name)
    return _gathered(itertools.chain([first], rows), chosen, wanted, name)


def _rows_of(data: Any, wanted: Wanted, name: str) -> Iterator[Any]:
    attribute = "qrels_iter" if wanted.kind is JUDGMENTS else "scoreddocs_iter"
    give = getattr(data, attribute, None)
    if give is None:
        raise AssayError(
            f"{name}: this data set of ir_datasets has no {attribute.removesuffix('_iter')}"
        )
    return _provided(give(), attribute.removesuffix("_iter"), name)


def _chosen(first: Any, wanted: Wanted, name: str) -> Chosen:
    if not isinstance(first, tuple):
        raise AssayError(
            f"{name}: row 1: expected a tuple of topic, document and number, found {first!r}"
        )
    names: Sequence[str] | None = getattr(first, "_fields", None)
    if names is not None:
        return choose(names, wanted.kind, wanted.columns, name)
    if wanted.columns:
        return choose([str(i) for i in range(1, len(first) + 1)], wanted.kind, wanted.columns, name)
    if len(first) != 3:
        raise AssayError(
            f"{name}: row 1: expected 3 values (topic, document, number), found {len(first)}: "
            f"{first!r}"
        )
    return Chosen(0, 1, 2)


def _gathered(rows: Iterator[Any], chosen: Chosen, wanted: Wanted, name: str) -> Rows:
    what = "rank" if chosen.ranked else wanted.kind.columns[wanted.kind.value]
    topics: list[str] = []
    docs: list[str] = []
    values: list[float] = []
    parts: list[str] = []
    numbers: list[int] = []
    for number, row in enumerate(rows, 1):
        where = f"{name}: row {number}"
        try:
            found = [
                _id(row[place])
                for place in (chosen.topic, chosen.doc, chosen.part)
                if place is not None
            ]
            value = _value(row[chosen.value], what)
        except (TypeError, IndexError, ValueError, OverflowError):
            if wanted.dropped is None:
                expected = f"expected text or whole numbers as ids and a finite number as {what}"
                raise AssayError(f"{where}: {expected}, found {_shown(row)}") from None
            wanted.dropped.add(f"no id or no number as {what}", where)
            continue
        if math.isnan(value):
            if wanted.kind is JUDGMENTS:
                wanted.unjudged.add(UNJUDGED, where)
                continue
            if wanted.dropped is None:
                raise AssayError(
                    f"{where}: expected a finite number as {what}, found {_shown(row)}"
                )
            wanted.dropped.add(f"no finite number as {what}", where)
            continue
        topics.append(found[0])
        docs.append(found[1])
        parts += found[2:]
        values.append(-value if chosen.ranked else value)
        numbers.append(number)
    try:
        ids = [pl.Series("", each, dtype=pl.String) for each in (topics, docs, parts)]
    except UnicodeEncodeError as error:
        raise AssayError(
            f"{name}: an id is no text: {error.object!r} holds half a surrogate pair"
        ) from None
    column = np.asarray(values, dtype=np.float64)
    part = None if chosen.part is None else ids[2]
    return Rows(ids[0].alias("topic"), ids[1].alias("doc"), column, NO_PIECE, numbers, part)


def _shown(row: Any) -> str:
    text = repr(row)
    return text if len(text) <= 160 else text[:157] + "..."


def _id(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | np.integer) or value == "":
        raise TypeError
    return str(value)


def _value(value: Any, what: str) -> float:
    """A number; NaN where there is none."""
    flag = isinstance(value, bool | np.bool_)
    if value is None:
        return math.nan
    if (flag and what != "grade") or not isinstance(
        value, bool | int | float | np.number | np.bool_
    ):
        raise TypeError
    number = float(value)
    if math.isinf(number):
        raise ValueError
    return number
