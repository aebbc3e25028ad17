"""Rank correlations between the user's order of the judged documents and the system's."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from assay.measures.arrays import array_namespace, defined, ratio
from assay.measures.distance import LEVEL, NO_PAIR, PASSES
from assay.measures.registry import measure
from assay.measures.weak_orders import in_order, middle, pairs, pearson

ZHOU = "Zhou & Yao 2010, {}, https://doi.org/10.1007/s10844-009-0096-5"
KENDALL = "Kendall 1938, https://doi.org/10.1093/biomet/30.1-2.81; " + ZHOU.format("section 5.2")
TIES = "Kendall 1945, https://doi.org/10.1093/biomet/33.3.239; " + ZHOU.format("section 5.2")
NOTES = LEVEL.format(0)
STRICT = PASSES | {
    "ideal": "a list that ties documents, or leaves them out, comes nearer to a user who ties them"
}


@measure(
    "Rho",
    formula="Pearson's correlation of the documents' ranks, equal ones having the middle of their "
    "ranks; without ties 1 - 6 sum (x - y)^2 / (N (N^2 - 1))",
    paper="Spearman 1904, https://doi.org/10.2307/1412159; "
    + ZHOU.format("section 5.1, example 2"),
    low=-1.0,
    worst=-1.0,
    undefined=NO_PAIR,
    scale="ordinal",
    weak=True,
    exempt=STRICT,
    notes=NOTES,
)
def rho(grade, rank, tie_first, missed, *, unretrieved="tied"):
    """Spearman's rank correlation.

    >>> from numpy import arange, array
    >>> user = array([0.1, 0.6, 0.3, 0.5, 0.4])  # the system has d2 d1 d3 d4 d5
    >>> print(rho(user, arange(1.0, 6), arange(1.0, 6), array([-1.0])))
    -0.3
    """
    grades, levels = in_order(grade, rank, tie_first, missed, unretrieved)
    return pearson(middle(grades), -middle(levels), grades >= 0)


@measure(
    "TauA",
    formula="(C+ - C-) / (N (N - 1) / 2)",
    paper=KENDALL + ", example 3",
    low=-1.0,
    worst=-1.0,
    undefined=NO_PAIR,
    scale="ordinal",
    weak=True,
    exempt=PASSES,
    notes=NOTES + "Ties count as pairs, so that it stays below 1 where the user has some.",
)
def tau_a(grade, rank, tie_first, missed, *, unretrieved="tied"):
    """Kendall's tau: pairs in the user's order less pairs against it, of all pairs.

    >>> from numpy import arange, array
    >>> user = array([4.0, 3, 1, 2])  # user d1 d3 d2 d4, system d1 d3 d4 d2: 5 pairs agree, 1 not
    >>> print(tau_a(user, arange(1.0, 5), arange(1.0, 5), array([-1.0])))
    0.667
    """
    p = pairs(grade, rank, tie_first, missed, unretrieved)
    return defined(ratio(excess(p), p.every), p.ordered)


@measure(
    "TauB",
    formula="(C+ - C-) / sqrt((N0 - Tu)(N0 - Ts)), N0 = N (N - 1) / 2 pairs, of which the user "
    "ties Tu and the system Ts",
    paper=TIES,
    low=-1.0,
    worst=-1.0,
    undefined=NO_PAIR,
    scale="ordinal",
    weak=True,
    exempt=STRICT,
    notes=NOTES
    + "The T of Zhou & Yao's formula are the pairs tied by one side only; their text has "
    "it the other way round.",
)
def tau_b(grade, rank, tie_first, missed, *, unretrieved="tied"):
    """Kendall's tau, allowing for ties on both sides.

    >>> from numpy import arange, array
    >>> user = array([2.0, 1, 1, 0])  # by hand: C+ = 5, Tu = 1, Ts = 0: 5 / sqrt(5 x 6)
    >>> print(tau_b(user, arange(1.0, 5), arange(1.0, 5), array([-1.0])))
    0.913
    """
    p = pairs(grade, rank, tie_first, missed, unretrieved)
    compared = array_namespace(grade).sqrt(p.ordered * (p.every - p.system_tied))
    return defined(ratio(excess(p), compared, empty=0.0), p.ordered)


@measure(
    "TauC",
    formula="(C+ - C-) 2m / (N^2 (m - 1)), m the smaller number of levels",
    paper="Stuart 1953, https://doi.org/10.1093/biomet/40.1-2.105; " + ZHOU.format("section 5.2"),
    low=-1.0,
    worst=-1.0,
    undefined=NO_PAIR,
    scale="ordinal",
    weak=True,
    exempt=PASSES,
    notes=NOTES,
)
def tau_c(grade, rank, tie_first, missed, *, unretrieved="tied"):
    """Kendall's tau for a user and a system with different numbers of levels.

    >>> from numpy import arange, array
    >>> user = array([2.0, 1, 1, 0])  # by hand: 5 x 2 x 3 / (16 x 2)
    >>> print(tau_c(user, arange(1.0, 5), arange(1.0, 5), array([-1.0])))
    0.9375
    """
    p = pairs(grade, rank, tie_first, missed, unretrieved)
    m = array_namespace(grade).minimum(p.user_levels, p.system_levels)
    return defined(ratio(excess(p) * 2 * m, p.documents**2 * (m - 1), empty=0.0), p.ordered)


def excess(p):
    """C+ - C-."""
    return p.ordered - 2 * p.against - p.level
