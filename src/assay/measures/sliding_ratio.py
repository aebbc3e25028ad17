"""Sliding ratios: the gain shown as a share of the best gain that as many documents can show."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, defined, gain_of, ideal_gain, ratio
from assay.measures.discounts import DIVISOR, cumulate, ideal
from assay.measures.parameters import Parameter, choice
from assay.measures.registry import measure

ZHOU = "Zhou & Yao 2010, {}, https://doi.org/10.1007/s10844-009-0096-5"
IDEAL = {
    "ideal": Parameter(
        choice("recall_base", "retrieved"),
        "best order of the topic's judged documents, or of those that the run retrieved",
    )
}
NONE = "no document with a gain"
BOTH = (
    "ideal='retrieved' sorts the run's own list, as Pollack and Korfhage do: a list is then "
    "compared with itself alone, and one that retrieves nothing of worth has 0. The ranks beyond a "
    "list's end gain nothing."
)


def sliding(grade, rank, base, divisor, gain, gains, ideal_of, k, tie_first, tie_last):
    """Gain to rank k over the ideal's."""
    worth, best = (x(y, gain=gain, gains=gains) for x, y in ((gain_of, grade), (ideal_gain, base)))
    shown = cumulate(worth, rank, divisor, k, tie_first, tie_last)
    xp = array_namespace(grade)
    if ideal_of == "recall_base":
        return ratio(shown, ideal(best, divisor, k))
    own = ideal(xp.sort(worth, axis=-1, descending=True), divisor, k)
    return defined(ratio(shown, own, empty=0.0), xp.sum(best, axis=-1))


@measure(
    "nCG",
    formula="CG@k / CG@k of all judged documents of the topic, largest gain first",
    paper="Järvelin & Kekäläinen 2002, eq. 5, https://doi.org/10.1145/582415.582418",
    undefined=NONE,
    notes="SR with the ideal of the recall base, and nDCG(discount='none'). The ranks beyond a "
    "list's end gain nothing.",
)
def ncg(grade, rank, base, *, gain="linear", gains=None, k=inf, tie_first=None, tie_last=None):
    """Cumulated gain as a share of the best that the topic allows.

    >>> from numpy import arange, array
    >>> g = array([3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0])  # the paper's G' and I'
    >>> print(ncg(g, arange(1.0, 11), array([3.0, 3, 3, 2, 2, 2, 1, 1, 1, 1]), k=6))
    0.6
    """
    none = DIVISOR["none"]
    return sliding(grade, rank, base, none, gain, gains, "recall_base", k, tie_first, tie_last)


@measure(
    "SR",
    formula="sum of the gains to rank k / sum of the first k gains of the ideal",
    paper="Pollack 1968; " + ZHOU.format("section 5.3, example 4"),
    parameters=IDEAL,
    undefined=NONE,
    notes=BOTH,
)
def sr(
    grade,
    rank,
    base,
    *,
    ideal="recall_base",
    gain="linear",
    gains=None,
    k=inf,
    tie_first=None,
    tie_last=None,
):
    """Sliding ratio: gain as a share of the ideal ranking's; order within the first k is not seen.

    >>> from numpy import arange, array
    >>> base = array([0.3, 0.2, 0.2, 0.1, 0.1])
    >>> print(sr(array([0.3, 0.2, 0.1, 0.1, 0.0]), arange(1.0, 6), base, k=5))
    0.78
    """
    none = DIVISOR["none"]
    return sliding(grade, rank, base, none, gain, gains, ideal, k, tie_first, tie_last)


@measure(
    "MSR",
    formula="sum of gain / rank to rank k / the same of the ideal",
    paper="Sagara 2002; " + ZHOU.format("section 5.3, after example 4"),
    parameters=IDEAL,
    undefined=NONE,
    notes=BOTH,
)
def msr(
    grade,
    rank,
    base,
    *,
    ideal="recall_base",
    gain="linear",
    gains=None,
    k=inf,
    tie_first=None,
    tie_last=None,
):
    """Modified sliding ratio: a gain is divided by its rank.

    >>> from numpy import arange, array
    >>> base = array([0.3, 0.2, 0.2, 0.1, 0.1])
    >>> print(msr(array([0.1, 0.1, 0.2, 0.3, 0.0]), arange(1.0, 6), base, k=5))
    0.57
    """
    zipf = DIVISOR["zipf"]
    return sliding(grade, rank, base, zipf, gain, gains, ideal, k, tie_first, tie_last)
