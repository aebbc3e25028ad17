"""Weak orders: the pairs of documents that a list puts in order, against it, or on one level.

Inversions come from a stable radix split, one argsort for each bit: neither time nor memory grows
with the number of pairs.
"""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from assay.measures.arrays import (
    array_namespace,
    deepest,
    defined,
    indicator,
    joined,
    largest,
    ratio,
)


class Pairs(NamedTuple):
    """Numbers of pairs of judged documents, and of documents and levels."""

    ordered: Any  # C: the user puts one before the other
    against: Any  # C-: of these, the system puts them the other way round
    level: Any  # Cu: of these, the system has them on one level
    every: Any  # pairs at all
    system_tied: Any  # pairs that the system has on one level
    documents: Any
    user_levels: Any
    system_levels: Any


def pairs(grade, rank, tie_first, missed, unretrieved):
    """Count the pairs of all judged documents; those not retrieved are one last level, or worst."""
    xp = array_namespace(grade)
    grades, levels = in_order(grade, rank, tie_first, missed, unretrieved)
    by_user = xp.sort(grades, axis=-1, descending=True)
    new_level, new_grade = differs(levels), differs(by_user)
    documents = total(grades >= 0)
    every = documents * (documents - 1) // 2
    level = tied(new_level, grades)
    against = inversions(grades)
    counts = (
        every - tied(new_grade, by_user),
        against,
        level - tied(new_level | differs(grades), grades),
        every,
        level,
        documents,
        total(new_grade & (by_user >= 0)),
        total(new_level & (grades >= 0)),
    )
    return Pairs(*(xp.astype(number, grade.dtype) for number in counts))


def in_order(grade, rank, tie_first, missed, unretrieved):
    """Grades of all judged documents in the system's order, best first on a level, and levels.

    Padding has the grade -1 and the last level.
    """
    xp = array_namespace(grade)
    real, left = rank < inf, missed >= 0
    end = largest(xp.where(real, tie_first, xp.zeros_like(tie_first)))[..., None] + 1
    place = xp.arange(missed.shape[-1], 0, -1, dtype=missed.dtype, device=missed.device)
    end = end + (place if unretrieved == "worst" else xp.zeros_like(place))
    levels = joined(
        xp.where(real, tie_first, xp.full_like(tie_first, inf)),
        xp.where(left, end, xp.full_like(missed, inf)),
    )
    grades = joined(xp.where(real, grade, -xp.ones_like(grade)), missed)
    grades, levels = xp.broadcast_arrays(grades, levels)
    order = xp.argsort(-grades, axis=-1, stable=True)
    by_level = xp.argsort(xp.take_along_axis(levels, order, axis=-1), axis=-1, stable=True)
    order = xp.take_along_axis(order, by_level, axis=-1)
    return tuple(xp.take_along_axis(x, order, axis=-1) for x in (grades, levels))


def earlier_below(value, weight):
    """For each element, the weights of the earlier elements of smaller value, added up."""
    xp = array_namespace(value)
    found, end = xp.zeros_like(weight), None
    for low, block, move, back in splits(value):
        lower = xp.where(low, weight, xp.zeros_like(weight))
        lower = xp.cumulative_sum(lower, axis=-1, include_initial=True)[..., :-1]
        inside = lower - xp.take_along_axis(lower, block, axis=-1)
        found = found + xp.where(low, xp.zeros_like(weight), inside)
        weight, found = (xp.take_along_axis(x, move, axis=-1) for x in (weight, found))
        end = back
    return found if end is None else xp.take_along_axis(found, end, axis=-1)


def inversions(value):
    """How many pairs of elements have the smaller value first."""
    xp = array_namespace(value)
    found = xp.sum(xp.zeros_like(value, dtype=xp.int64), axis=-1)
    for low, block, _, _ in splits(value):
        lower = xp.cumulative_sum(xp.astype(low, xp.int64), axis=-1, include_initial=True)[..., :-1]
        inside = lower - xp.take_along_axis(lower, block, axis=-1)
        found = found + xp.sum(xp.where(low, xp.zeros_like(inside), inside), axis=-1)
    return found


def splits(value):
    """Sort the elements by level, from the highest bit of its number on, and show each step.

    Each bit splits the blocks of elements that agree in the bits above, stably, so that the two of
    a pair part once. Yields which elements have the bit 0, where the block of each begins, the
    order to move them into, and, for the end, the order that leads back.
    """
    xp = array_namespace(value)
    order = xp.argsort(value, axis=-1, stable=True)
    back = xp.argsort(order, axis=-1, stable=True)
    new = differs(xp.take_along_axis(value, order, axis=-1))
    number = xp.cumulative_sum(xp.astype(new, xp.int64), axis=-1) - 1
    starts, now = run_starts(new), xp.take_along_axis(number, back, axis=-1)
    for bit in reversed(range(deepest(now).bit_length())):
        block = xp.take_along_axis(starts, (now >> (bit + 1)) << (bit + 1), axis=-1)
        move = xp.argsort(now >> bit, axis=-1, stable=True)
        yield ((now >> bit) & 1) == 0, block, move, back
        now = xp.take_along_axis(now, move, axis=-1)


def differs(values):
    """Whether each value begins a run of equal ones."""
    xp = array_namespace(values)
    first = values[..., :1] == values[..., :1]
    return xp.concat([first, values[..., 1:] != values[..., :-1]], axis=-1)


def run_starts(new):
    """The places that begin a run, in order; then all others."""
    xp = array_namespace(new)
    return xp.argsort(xp.astype(xp.logical_not(new), xp.int8), axis=-1, stable=True)


def run_start(new):
    """Where the run of each place begins, given the places that begin one."""
    xp = array_namespace(new)
    number = xp.cumulative_sum(xp.astype(new, xp.int64), axis=-1) - 1
    return xp.take_along_axis(run_starts(new), number, axis=-1)


def tied(new, grades):
    """Pairs of documents in the same run."""
    xp = array_namespace(grades)
    place = xp.arange(grades.shape[-1], dtype=xp.int64, device=grades.device)
    inside = place - run_start(new)
    return xp.sum(xp.where(grades >= 0, inside, xp.zeros_like(inside)), axis=-1)


def total(condition):
    """How many hold."""
    xp = array_namespace(condition)
    return xp.sum(xp.astype(condition, xp.int64), axis=-1)


def middle(values):
    """Place of each value among all, ascending; of equal values the middle of their places."""
    xp, n = array_namespace(values), values.shape[-1]
    order = xp.argsort(values, axis=-1, stable=True)
    ascending = xp.take_along_axis(values, order, axis=-1)
    start = run_start(differs(ascending))
    end = n - 1 - xp.flip(run_start(differs(xp.flip(ascending, axis=-1))), axis=-1)
    places = xp.astype(start + end, values.dtype) / 2.0
    return xp.take_along_axis(places, xp.argsort(order, axis=-1, stable=True), axis=-1)


def pearson(x, y, real):
    """Pearson's correlation where `real` holds: 0 where y does not vary, NaN where x does not."""
    xp = array_namespace(x)
    weight = indicator(real, x)
    n = xp.sum(weight, axis=-1, keepdims=True)
    dx, dy = (
        weight * (v - ratio(xp.sum(weight * v, axis=-1, keepdims=True), n, empty=0.0))
        for v in (x, y)
    )
    vx, vy = xp.sum(dx * dx, axis=-1), xp.sum(dy * dy, axis=-1)
    return defined(ratio(xp.sum(dx * dy, axis=-1), xp.sqrt(vx * vy), empty=0.0), vx)
