"""The collection behind a list: how large it is, and where in it stands what was not retrieved."""
# mypy: allow-untyped-defs
# ruff: noqa: ANN001, ANN201 - arrays of any library

from __future__ import annotations

from math import inf, log, pi

from assay.measures.arrays import array_namespace, count, mean_weight, ratio

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
    """ln 1 + ln 2 + ... + ln n, for n above -1: Stirling's series, moved up by 8."""
    xp, x = array_namespace(n), n + 8
    series = 1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * x**2)) / x**2) / x**2
    moved = xp.log((n + 1) * (n + 2) * (n + 3) * (n + 4))
    moved = moved + xp.log((n + 5) * (n + 6) * (n + 7) * (n + 8))
    return (x + 0.5) * xp.log(x) - x + 0.5 * log(2 * pi) + series / x - moved


def over_relevant(  # noqa: PLR0917 - what a list and its collection are
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
