"""Overlap: how far the list agrees with an ideal one, depth by depth."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from assay.measures.arrays import (
    Array,
    array_namespace,
    count,
    count_above,
    deepest,
    defined,
    indicator,
    pick,
    ratio,
)
from assay.measures.registry import measure


def ideal_place(grade: Array, base: Array) -> Array:
    """Place of each document in the ideal list: by grade, within a grade in the run's own order."""
    xp = array_namespace(grade)
    order = xp.argsort(-grade, axis=-1, stable=True)
    place = xp.astype(xp.argsort(order, axis=-1, stable=True), grade.dtype)
    return 1 + count_above(base, grade) + place - count_above(grade, grade)


def agreement(met: Array, shared: Array, depth: Array, p: float) -> Array:
    """Sum over depths d = 1, ..., D of p^(d - 1)/d times the shared documents met by then."""
    xp = array_namespace(shared)
    d = xp.arange(1, 1 + deepest(depth), dtype=shared.dtype, device=shared.device)
    upto = xp.cumulative_sum(p ** (d - 1) / d, include_initial=True)
    return xp.sum(shared * (pick(upto, depth) - pick(upto, xp.minimum(met, depth) - 1)), axis=-1)


@measure(
    "Compat",
    formula="RBO(list, ideal) / RBO(ideal, ideal); RBO is the mean over depths d = 1, ..., D of "
    "overlap(d)/d with weights p^(d - 1), and D the length of the longer list",
    paper="Clarke, Vtyurina & Smucker 2021, https://doi.org/10.1145/3451161; "
    "RBO: Webber, Moffat & Zobel 2010, https://doi.org/10.1145/1852102.1852106",
    undefined="no document of a grade above 0",
    exempt={"tail": "the depth compared is that of the longer list"},
    notes="Documents of one grade stand in the ideal in the run's order, those not retrieved last. "
    "ir_measures gives a document not retrieved the score 0, so that it comes before retrieved "
    "ones of negative score.",
)
def compat(grade, rank, base, retrieved, *, p=0.95, normalize=True):
    """Compatibility: rank-biased overlap of the list with the ideal list nearest to it.

    >>> from numpy import array
    >>> base = array([2.0, 1])  # overlap 0/1, 1/2, 2/3 against 1/1, 2/2, 2/3
    >>> print(compat(array([1.0, 2]), array([2.0, 3]), base, array(3.0), p=0.5))
    0.25
    """
    xp = array_namespace(grade)
    wanted = count(base > 0, base)
    depth = xp.expand_dims(xp.clip(xp.maximum(retrieved, wanted), 1), axis=-1)
    met = xp.maximum(rank, ideal_place(grade, base))
    overlap = agreement(met, indicator(grade > 0, grade), depth, p)
    place = xp.arange(1, 1 + base.shape[-1], dtype=base.dtype, device=base.device)
    same = agreement(place, indicator(base > 0, base), depth, p)
    best = same if normalize else (1 - p ** depth[..., 0]) / (1 - p)
    return defined(ratio(overlap, best), wanted)
