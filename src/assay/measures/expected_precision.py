"""Precision at a recall level of weak orders, where ranks inside a level are random."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from assay.measures.arrays import array_namespace, count, deepest, defined
from assay.measures.collection import COLLECTION, GROWS, level_of, log_factorial
from assay.measures.expected_search_length import WEAK
from assay.measures.interpolated import needed
from assay.measures.parameters import Parameter, choice
from assay.measures.registry import measure

PAPER = "Raghavan, Bollmann & Jung 1989, https://doi.org/10.1145/65943.65945"
BETWEEN = {
    "interpolation": Parameter(
        choice("ceiling", "intuitive"),
        "relevant documents that make recall x: ceil(xR), or xR though it be no whole number",
    )
}
NOTES = COLLECTION + WEAK + "Recall 0 is the first relevant document."
TINY = 1e-30  # for lists without a relevant document, where s is 0 and nothing is defined
CHUNK = 4096  # numbers of nonrelevant documents looked at at once


def sought(relevant, x, interpolation):
    """Relevant documents that make recall x."""
    xp = array_namespace(relevant)
    if interpolation == "ceiling" or x == 0:
        return xp.clip(needed(relevant, x, "exact"), 1)
    return xp.where(relevant > 0, x * relevant, xp.ones_like(relevant))


@measure(
    "PRR",
    formula="n / (n + ESL(n)), n = xR",
    paper=PAPER,
    cutoff="recall level",
    parameters=BETWEEN,
    undefined="no relevant document",
    weak=True,
    exempt=GROWS,
    notes=NOTES,
)
def prr(
    grade,
    rank,
    base,
    judged,
    retrieved,
    tie_first,
    tie_last,
    *,
    k,
    interpolation="ceiling",
    N=None,
    rel=1,
    unretrieved="tied",
):
    """Probability that a document looked at up to recall x is relevant, written PRR@x.

    >>> from numpy import array, ones
    >>> grade, rank, first = ones(3), array([1.0, 2, 3]), array([1.0, 2, 2])
    >>> last = array([1.0, 4, 4])  # by hand: ESL(2) = 1/3
    >>> print(prr(grade, rank, grade, array(3.0), array(4.0), first, last, k=0.5))  # 2/(2 + 1/3)
    0.857
    """
    relevant = count(base >= rel, base)
    n = sought(relevant, k, interpolation)
    fields = (grade, rank, base, judged, retrieved, tie_first, tie_last)
    t, r, j, i = level_of(n, fields, N=N, rel=rel, unretrieved=unretrieved)
    return defined(n / (n + j + i * (n - t) / (r + 1)), relevant)


@measure(
    "EP",
    formula="E[n / rank of the n-th relevant document], n = xR, over random orders inside levels",
    paper=PAPER,
    cutoff="recall level",
    parameters=BETWEEN,
    undefined="no relevant document",
    weak=True,
    exempt=GROWS,
    notes=NOTES
    + " The expectation of the ratio, which is at least PRR, the ratio of expectations.",
)
def ep(
    grade,
    rank,
    base,
    judged,
    retrieved,
    tie_first,
    tie_last,
    *,
    k,
    interpolation="ceiling",
    N=None,
    rel=1,
    unretrieved="tied",
):
    """Expected precision at recall x, written EP@x.

    >>> from numpy import array, ones
    >>> grade, rank, first = ones(3), array([1.0, 2, 3]), array([1.0, 2, 2])
    >>> last = array([1.0, 4, 4])  # by hand: the second is on rank 2 in 2 of 3 orders, else on 3
    >>> print(ep(grade, rank, grade, array(3.0), array(4.0), first, last, k=0.5))  # (1 + 1 + 2/3)/3
    0.889
    """
    relevant = count(base >= rel, base)
    n = sought(relevant, k, interpolation)
    fields = (grade, rank, base, judged, retrieved, tie_first, tie_last)
    t, r, j, i = level_of(n, fields, N=N, rel=rel, unretrieved=unretrieved)
    return defined(mean_precision(n, t, r, j, i), relevant)


def mean_precision(n, t, r, j, i):
    """Mean of n / (n + j + v): v of i others precede the s-th of r relevant documents, s = n - t.

    v is negative hypergeometric: C(v + s - 1, v) C(i - v + r - s, i - v) / C(i + r, i).
    """
    xp, f = array_namespace(n), log_factorial
    n, t, j, i, r = (x[..., None] for x in (n, t, j, i, xp.clip(r, 1)))
    s = xp.minimum(n - t, r)
    chance = f(i + r - s) + f(r) - f(r - s) - f(i + r)  # its logarithm, of v = 0
    mean = xp.sum(xp.exp(chance) * n / (n + j), axis=-1)
    for begin in range(1, deepest(i) + 1, CHUNK):
        end = min(begin + CHUNK, deepest(i) + 1)
        v = xp.arange(begin, end, dtype=n.dtype, device=n.device)
        rest = xp.clip(i - v + 1, 1)
        chance = chance + xp.cumulative_sum(
            xp.log(xp.clip(v + s - 1, TINY) / v * (rest / (rest + r - s))), axis=-1
        )
        here = xp.where(v <= i, xp.exp(chance), xp.zeros_like(chance))
        mean = mean + xp.sum(here * n / (n + j + v), axis=-1)
        chance = chance[..., -1:]
    return mean
