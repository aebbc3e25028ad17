"""Weighted vectors of terms, and the cosine between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["WEIGHTS", "cosines", "vectors"]

Array = np.ndarray[Any, np.dtype[np.float64]]
Weights = "Mapping[str, float]"

WEIGHTS = ("tf", "binary", "log", "tfidf")


def vectors(texts: Sequence[Mapping[str, float]], vocabulary: Mapping[str, int]) -> Any:
    """A sparse row for each text: how often each term of the vocabulary stands in it."""
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        for term, often in text.items():
            column = vocabulary.get(term)
            if column is not None:
                rows.append(row)
                columns.append(column)
                values.append(often)
    shape = (len(texts), len(vocabulary))
    return sparse.csr_array((np.asarray(values, dtype=np.float64), (rows, columns)), shape=shape)


def cosines(queries: Any, documents: Any, weight: str = "tf") -> Array:
    """The cosine of each query with each document, 0 where either has no term.

    Weights: `tf` how often a term stands in the text; `binary` 1; `log` ln(1 + tf); `tfidf` tf
    times ln(N / documents that hold the term).
    """
    rarity = None
    if weight == "tfidf":
        holding = np.diff(documents.tocsc().indptr)
        rarity = np.log(documents.shape[0] / np.maximum(holding, 1))
    q, d = (_unit(_weighted(each, weight, rarity)) for each in (queries, documents))
    return np.asarray((q @ d.T).todense())


def _weighted(matrix: Any, weight: str, rarity: Array | None) -> Any:
    matrix = matrix.copy()
    if weight == "binary":
        matrix.data = np.ones_like(matrix.data)
    elif weight == "log":
        matrix.data = np.log1p(matrix.data)
    elif rarity is not None:
        matrix.data = matrix.data * rarity[matrix.indices]
    return matrix


def _unit(matrix: Any) -> Any:
    """Rows of length 1; rows without terms stay 0."""
    length = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)))
    matrix.data = matrix.data / np.repeat(np.where(length, length, 1.0), np.diff(matrix.indptr))
    return matrix
