"""Coefficients of agreement, each a function of counts.

`table[..., i, j]` pairs that the first judge put in category i and the second in j; leading axes
are anything. So a topic more or less is an addition.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from assay.judges.jackknife import Estimate, of_sums

if TYPE_CHECKING:
    from assay.judges.tabular import Array

__all__ = [
    "SIGNED",
    "UNIT",
    "alpha",
    "bias",
    "coincidences",
    "confusion",
    "consistency",
    "fleiss",
    "gwet",
    "kappa",
    "negative_agreement",
    "over",
    "overlap",
    "positive_agreement",
    "prevalence",
    "sizes",
]

UNIT, SIGNED = (0.0, 1.0), (-1.0, 1.0)


# --------------------------------------------------------------------------- two judges, two grades


def sizes(table: Array) -> tuple[Array, Array, Array, Array, Array]:
    """A, B, the union C, the intersection D, and all pairs N, of tables [..., 2, 2]."""
    D = table[..., 1, 1]
    A, B = D + table[..., 1, 0], D + table[..., 0, 1]
    return A, B, A + B - D, D, table.sum(axis=(-2, -1))


def overlap(table: Array) -> Array:
    """D / C: the share of documents that both call relevant among those that either does."""
    _, _, C, D, _ = sizes(table)
    return over(D, C)


def consistency(table: Array) -> Array:
    """D / sqrt(A B); 0 where one judge finds nothing and the other something.

    Where neither does there is nothing to agree on: NaN.
    """
    A, B, C, D, _ = sizes(table)
    value = over(D, np.sqrt(A * B))
    return np.where((C > 0) & (A * B == 0), 0.0, value)


def prevalence(table: Array) -> Array:
    """(both relevant - both not) / N; far from 0 it drives kappa down.

    Byrt, Bishop & Carlin 1993, https://doi.org/10.1016/0895-4356(93)90018-V
    """
    return over(table[..., 1, 1] - table[..., 0, 0], table.sum(axis=(-2, -1)))


def bias(table: Array) -> Array:
    """(A - B) / N: how much more the first judge calls relevant."""
    A, B, _, _, N = sizes(table)
    return over(A - B, N)


def positive_agreement(table: Array) -> Array:
    """2 D / (A + B)."""
    A, B, _, D, _ = sizes(table)
    return over(2 * D, A + B)


def negative_agreement(table: Array) -> Array:
    """2 (N - C) / (2 N - A - B)."""
    A, B, C, _, N = sizes(table)
    return over(2 * (N - C), 2 * N - A - B)


def over(a: Array, b: Array) -> Array:
    """Divide; NaN where b is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(b == 0, np.nan, a / np.where(b == 0, 1, b))


# -------------------------------------------------------------------------- two judges, many grades


def _closeness(values: Array, weights: str) -> Array:
    """1 for equal grades, down to 0 for the two ends of the scale."""
    distance = np.abs(values[:, None] - values[None, :])
    top = distance.max() or 1.0
    if weights == "linear":
        return np.asarray(1 - distance / top)
    if weights == "quadratic":
        return np.asarray(1 - (distance / top) ** 2)
    return np.asarray((distance == 0).astype(np.float64))


def kappa(table: Array, values: Array | None = None, weights: str = "none") -> Array:
    """Cohen's kappa of tables [..., K, K]; weighted by the distance of the grades' values."""
    closeness = _closeness(_values(table, values), weights)
    n = table.sum(axis=(-2, -1))
    p = table / np.where(n == 0, np.nan, n)[..., None, None]
    observed = (p * closeness).sum(axis=(-2, -1))
    expected = np.einsum("...i,...j,ij->...", p.sum(axis=-1), p.sum(axis=-2), closeness)
    return over(observed - expected, _settled(1 - expected))


def gwet(table: Array, values: Array | None = None, weights: str = "none") -> Array:
    """Gwet's AC1, or AC2 with weights: chance agreement that high prevalence does not inflate.

    Gwet 2008, https://doi.org/10.1348/000711006X126600
    """
    closeness = _closeness(_values(table, values), weights)
    n = table.sum(axis=(-2, -1))
    p = table / np.where(n == 0, np.nan, n)[..., None, None]
    q = table.shape[-1]
    share = (p.sum(axis=-1) + p.sum(axis=-2)) / 2
    observed = (p * closeness).sum(axis=(-2, -1))
    expected = (
        closeness.sum() / (q * (q - 1)) * (share * (1 - share)).sum(axis=-1)
        if q > 1
        else np.ones(n.shape)
    )
    return over(observed - expected, _settled(1 - expected))


def _values(table: Array, values: Array | None) -> Array:
    return np.arange(table.shape[-1], dtype=np.float64) if values is None else values


def _settled(x: Array | float) -> Array:
    """Exactly 0 what rounding left."""
    return np.where(np.abs(x) < 1e-12, 0.0, x)


def confusion(first: Array, second: Array, topic: Array, topics: int, levels: Array) -> Array:
    """Tables [topic, level, level] of pairs judged by both."""
    both = ~np.isnan(first) & ~np.isnan(second)
    i, j = np.searchsorted(levels, first[both]), np.searchsorted(levels, second[both])
    K = len(levels)
    cell = (topic[both] * K + i) * K + j
    return np.bincount(cell, minlength=topics * K * K).reshape(topics, K, K).astype(np.float64)


# ------------------------------------------------------------------------------------- many judges


def fleiss(
    grade: Array, topic: Array, topics: int, levels: Array, others: Array | None = None
) -> Estimate:
    """Fleiss's kappa over pairs that every judge judged, grade[judge, pair].

    `others[topic]` further documents to which every judge gives the grade 0.
    """
    full = ~np.isnan(grade).any(axis=0)
    code = np.searchsorted(levels, grade[:, full])
    n, K = len(grade), len(levels)
    if n < 2 or not (full.any() or others is not None):
        return Estimate(math.nan)
    votes = np.stack([(code == k).sum(axis=0) for k in range(K)], axis=-1).astype(np.float64)
    agree = ((votes**2).sum(axis=-1) - n) / (n * (n - 1))
    rows = np.column_stack([np.ones(len(agree)), agree, votes])
    sums = np.zeros((topics, K + 2))
    np.add.at(sums, topic[full], rows)
    if others is not None:
        sums[:, [0, 1]] += others[:, None]
        sums[:, 2 + int(np.searchsorted(levels, 0.0))] += others * n

    def value(total: Array) -> Array:
        items, agreed, share = total[..., 0], total[..., 1], total[..., 2:]
        share = share / np.where(items == 0, np.nan, items * n)[..., None]
        expected = (share**2).sum(axis=-1)
        return over(over(agreed, items) - expected, _settled(1 - expected))

    return of_sums(value, sums, SIGNED)


def coincidences(
    grade: Array, topic: Array, topics: int, levels: Array, others: Array | None = None
) -> Array:
    """Krippendorff's coincidences [topic, level, level]; a judge may lack any pair.

    `others[topic]` values of 0 on further documents, all judges of the topic counted.
    """
    K = len(levels)
    votes = np.zeros((grade.shape[1], K))
    for row in grade:
        known = np.flatnonzero(~np.isnan(row))
        votes[known, np.searchsorted(levels, row[known])] += 1
    raters = votes.sum(axis=-1)
    used = np.flatnonzero(raters > 1)
    out = np.zeros((topics, K, K))
    # pairs of values within a document, each document weighing as many values as it has
    scaled = votes[used] / (raters[used] - 1)[:, None]
    order = np.argsort(topic[used], kind="stable")
    start = np.searchsorted(topic[used][order], np.arange(topics + 1))
    for t in range(topics):
        rows = order[start[t] : start[t + 1]]
        if len(rows):
            out[t] = scaled[rows].T @ votes[used][rows] - np.diag(scaled[rows].sum(axis=0))
    if others is not None:
        zero = int(np.searchsorted(levels, 0.0))
        out[:, zero, zero] += others
    return out


def alpha(table: Array, values: Array, level: str = "nominal") -> Array:
    """Krippendorff's alpha of coincidences [..., K, K]: nominal, ordinal or interval."""
    margin = table.sum(axis=-1)
    n = margin.sum(axis=-1)
    if level == "interval":
        distance = (values[:, None] - values[None, :]) ** 2
    elif level == "ordinal":
        below = np.cumsum(margin, axis=-1) - margin / 2
        distance = (below[..., :, None] - below[..., None, :]) ** 2
    else:
        distance = (values[:, None] != values[None, :]).astype(np.float64)
    observed = (table * distance).sum(axis=(-2, -1))
    expected = (margin[..., :, None] * margin[..., None, :] * distance).sum(axis=(-2, -1))
    return 1 - over(observed * (n - 1), expected)
