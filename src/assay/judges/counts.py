"""Tables of counts, for studies whose judgments are lost: Lesk & Salton's Table 3.

A header line names the columns: `topic`, `A`, `B`, and `D` or `C`; where both are there, C must be
A + B - D. `N` is the number of documents in question; any other column groups the topics, such as
by their author.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import AssayError
from assay.judges.agreement import Agreement, agreement_of
from assay.judges.performance import Machine, judge_as_system

if TYPE_CHECKING:
    from assay.judges.tabular import Array, Tabular

__all__ = ["Counts", "counts_of", "is_counts", "read_counts"]

NUMBERS = ("A", "B", "C", "D", "N")


@dataclass(frozen=True)
class Counts:
    """Agreement of two judges from counts alone; the second scored as a search system too."""

    agreement: Agreement
    machine: Machine
    main = ("agreement", "topics", "groups", "machine")

    def verdict(self) -> str:
        """Two sentences."""
        return f"{self.agreement.verdict()} {self.machine.verdict()}"

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self, *self.main)

    def tabulars(self) -> tuple[Tabular, ...]:
        """The tables of agreement, then the judge as a system."""
        return (*self.agreement.tabulars(), *self.machine.tabulars())


def _fields(line: str) -> list[str]:
    if "\t" in line:
        return [field.strip() for field in line.split("\t")]
    return [field for field in re.split(r"\s*,\s*|\s+", line.strip()) if field]


def is_counts(path: str | Path) -> bool:
    """Whether a file's first line is the header of a table of counts."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            heads = _fields(file.readline(10_000).lstrip("\ufeff"))
    except (OSError, UnicodeDecodeError):
        return False
    return heads[:1] == ["topic"] and {"A", "B"} <= set(heads) and bool({"C", "D"} & set(heads))


def read_counts(path: str | Path) -> dict[str, list[str]]:
    """The columns of a table of counts, as text."""
    with Path(path).open(encoding="utf-8") as file:
        lines = file.read().lstrip("\ufeff").splitlines()
    heads = _fields(lines[0]) if lines else []
    columns: dict[str, list[str]] = {head: [] for head in heads}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        fields = _fields(line)
        if len(fields) != len(heads):
            raise AssayError(
                f"{path}:{number}: expected {len(heads)} columns ({' '.join(heads)}), found "
                f"{len(fields)}: {line.strip()!r}"
            )
        for head, field in zip(heads, fields, strict=True):
            columns[head].append(field)
    return columns


def counts_of(
    columns: dict[str, list[str]],
    *,
    name: str = "counts",
    judges: tuple[str, str] = ("A", "B"),
    empty: str = "zero",
) -> Counts:
    """Agreement from columns of counts (see the module)."""
    missing = [need for need in ("topic", "A", "B") if need not in columns]
    if missing or not {"C", "D"} & set(columns):
        raise AssayError(
            f"{name}: expected the columns topic, A, B and D (or C), found {', '.join(columns)}"
        )
    topics = tuple(columns["topic"])
    if len(set(topics)) < len(topics):
        twice = next(topic for topic in topics if topics.count(topic) > 1)
        raise AssayError(f"{name}: topic {twice!r} stands there twice; each topic has one row")
    number = {key: _numbers(name, key, columns[key], topics) for key in NUMBERS if key in columns}
    A, B = number["A"], number["B"]
    D = number["D"] if "D" in number else A + B - number["C"]
    if "C" in number and "D" in number:
        _refuse(number["C"] != A + B - D, topics, f"{name}: C is not A + B - D")
    _refuse(
        (np.minimum(A, B) < D) | (D < 0), topics, f"{name}: D is larger than A or B, or below 0"
    )
    neither = number["N"] - (A + B - D) if "N" in number else np.full(len(A), np.nan)
    _refuse(neither < 0, topics, f"{name}: N is smaller than C")
    table = np.stack([neither, B - D, A - D, D], axis=-1).reshape(-1, 2, 2)
    groups = {key: tuple(of) for key, of in columns.items() if key not in (*NUMBERS, "topic")}
    found = agreement_of(table, judges=judges, topics=topics, groups=groups)
    none = np.zeros((0, len(topics)))
    machine = judge_as_system(table, none, topics=topics, judges=judges, systems=(), empty=empty)
    return Counts(found, machine)


def _numbers(name: str, key: str, fields: list[str], topics: tuple[str, ...]) -> Array:
    out = np.empty(len(fields))
    for i, field in enumerate(fields):
        if not re.fullmatch(r"[0-9]+", field):
            raise AssayError(
                f"{name}: {key} of topic {topics[i]!r}: expected a count, found {field!r}"
            )
        out[i] = int(field)
    return out


def _refuse(bad: Array, topics: tuple[str, ...], what: str) -> None:
    wrong = [topic for topic, is_bad in zip(topics, bad, strict=True) if is_bad]
    if wrong:
        raise AssayError(f"{what} for topic {wrong[0]!r}")
