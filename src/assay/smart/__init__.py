"""The retrieval system under Lesk & Salton's study: word form, word stem, thesaurus, cosine.

It stands apart from the rest of assay, which judges runs and makes none. Needs the extra `smart`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.smart.assessments import read_assessments
    from assay.smart.searching import Search, search
    from assay.smart.synonyms import Synonyms, read_synonyms
    from assay.smart.texts import Text, read_texts

_HOME = {
    "Search": "searching",
    "Synonyms": "synonyms",
    "Text": "texts",
    "read_assessments": "assessments",
    "read_synonyms": "synonyms",
    "read_texts": "texts",
    "search": "searching",
}

__all__ = [
    "Search",
    "Synonyms",
    "Text",
    "read_assessments",
    "read_synonyms",
    "read_texts",
    "search",
]


def __getattr__(name: str) -> Any:
    """Load public names when they are first used."""
    if name not in _HOME:
        msg = f"module 'assay.smart' has no attribute {name!r}"
        raise AttributeError(msg)
    from importlib import import_module

    return getattr(import_module(f"assay.smart.{_HOME[name]}"), name)
