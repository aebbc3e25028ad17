"""Words to stems, by Snowball's English stemmer."""

from __future__ import annotations

from functools import cache

from assay.errors import AssayError

__all__ = ["stem"]


@cache
def stem(word: str) -> str:
    """A word without its suffixes."""
    return str(_stemmer().stemWord(word))  # type: ignore[attr-defined]


@cache
def _stemmer() -> object:
    try:
        import snowballstemmer
    except ImportError:
        raise AssayError(
            "snowballstemmer is not installed; type: pip install 'assay[smart]'"
        ) from None
    return snowballstemmer.stemmer("english")
