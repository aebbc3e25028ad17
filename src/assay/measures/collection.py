"""The collection behind a list: how large it is, and where in it stands what was not retrieved."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library

from __future__ import annotations

from math import inf, log, pi

from assay.measures.arrays import (
    array_namespace,
    count,
    extent,
    group_counts,
    indicator,
    mean_weight,
    ratio,
)

COLLECTION = (
    "Without N the documents known for the topic, retrieved or judged, stand for the collection. "
)
TAIL = (
    "Relevant documents that were not retrieved share the ranks after the list up to N, all orders "
    "being as likely; unretrieved='worst' puts them on N, N - 1, ... "
)
GROWS = {"tail": "without N every document retrieved enlarges the collection"}


def size(N, rank, judged, retrieved):
    """N, or the number of documents known: judged or retrieved."""
    known = retrieved + judged - count(rank < inf, rank)
    return known if N is None else 0 * known + N


def sum_to(n):
    """1 + 2 + ... + n."""
    return n * (n + 1) / 2


def log_factorial(n):
    """Ln 1 + ln 2 + ... + ln n, for n above -1: Stirling's series, moved up by 8."""
    xp, x = array_namespace(n), n + 8
    y = 1 / x**2
    series = 1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))
    moved = xp.log((n + 1) * (n + 2) * (n + 3) * (n + 4))
    moved = moved + xp.log((n + 5) * (n + 6) * (n + 7) * (n + 8))
    value = (x + 0.5) * xp.log(x) - x + 0.5 * log(2 * pi) + series / x - moved
    return xp.where((n == 0) | (n == 1), 0 * value, value)


def level_of(n, fields, *, N, rel, unretrieved):
    """The level of a weak order that holds the n-th relevant document.

    Returns the relevant documents before it and in it, and the other ones before it and in it.
    """
    grade, rank, base, judged, retrieved, tie_first, tie_last = fields
    xp, hit, wanted = array_namespace(grade), indicator(grade >= rel, grade), n[..., None]
    before, among = group_counts(hit, rank, tie_first, tie_last)
    first, last = extent(rank, tie_first, tie_last)
    here = hit * indicator((before < wanted) & (wanted <= before + among), hit)
    found, relevant = xp.sum(hit, axis=-1), count(base >= rel, base)
    documents, left = size(N, rank, judged, retrieved), relevant - found
    shown = (before, among, first - 1 - before, last - first + 1 - among)
    rest = (found, left, retrieved - found, documents - retrieved - left)
    if unretrieved == "worst":
        rest = (found, left, documents - relevant, 0 * left)
    met = xp.sum(here, axis=-1)
    return tuple(
        xp.where(met > 0, ratio(xp.sum(here * x, axis=-1), met, empty=0.0), y)
        for x, y in zip(shown, rest, strict=True)
    )


def over_relevant(
    weight, total, hit, relevant, rank, retrieved, documents, unretrieved, tie_first, tie_last
):
    """Sum of weight(rank) over all relevant documents; total(n) is its sum over ranks 1 to n."""
    xp = array_namespace(hit)
    weights = mean_weight(weight, rank, tie_first, tie_last)
    seen = xp.sum(xp.where(hit > 0, weights, xp.zeros_like(weights)), axis=-1)
    left = relevant - xp.sum(hit, axis=-1)
    if unretrieved == "worst":
        return seen + total(documents) - total(documents - left)
    rest = documents - retrieved
    return seen + left * ratio(total(documents) - total(retrieved), rest, empty=0.0)
