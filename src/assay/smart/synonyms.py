"""A thesaurus of the simplest kind: lines of words that mean the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING

from assay.errors import AssayError
from assay.smart.lines import Filed, numbered, text_of
from assay.smart.stems import stem
from assay.smart.words import COMMON

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Synonyms", "demo", "read_synonyms"]

DEMO = "synonyms.txt"
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Synonyms:
    """The classes that each stem belongs to; a class is called by its first word, `=lung`."""

    classes: Mapping[str, tuple[str, ...]] = field(repr=False)
    count: int

    def concepts(self, of: str) -> tuple[str, ...]:
        """What stands for a stem: its classes, or itself where it has none."""
        return self.classes.get(of, (of,))


def read_synonyms(path: str | Path) -> Synonyms:
    """Read a synonym file: a line is a class of words between commas or blanks; # is a comment.

    Words are stemmed. A word may stand in several classes, which then share its weight.
    """
    return _parsed(text_of(path))


def demo() -> str:
    """The text of the small file that comes with assay, of medical and everyday words."""
    return files("assay.smart").joinpath(DEMO).read_text(encoding="utf-8")


def _parsed(filed: Filed) -> Synonyms:
    classes: dict[str, list[str]] = {}
    names: set[str] = set()
    for where, line in numbered(filed):
        listed = line.partition("#")[0].replace(",", " ").casefold().split()
        if not listed:
            continue
        for word in listed:
            if not WORD.fullmatch(word):
                raise AssayError(f"{where}: expected single words, found {word!r}")
            if word in COMMON:
                raise AssayError(
                    f"{where}: {word!r} is a common word, left out of all texts; leave it out here"
                )
        if len(set(listed)) == 1:
            raise AssayError(f"{where}: expected two words or more, found {listed[0]!r} alone")
        name = f"={listed[0]}"
        if name in names:
            raise AssayError(f"{where}: another class begins with {listed[0]!r}; join the two")
        names.add(name)
        for each in dict.fromkeys(map(stem, listed)):
            classes.setdefault(each, []).append(name)
    if not names:
        raise AssayError(f"{filed.file}: holds no synonyms")
    return Synonyms({key: tuple(of) for key, of in classes.items()}, len(names))
