"""The laws of `registry.LAWS`, for every measure: obeyed, or exempt and really broken.

Each law below is a function that returns the (judgments, list) pairs that break it.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from assay.measures import registered
from assay.measures.applying import worst_value
from assay.measures.registry import FAMILIES, LAWS
from assay.ranking import Ranking
from laws.worlds import World, world_for
from strategies import rankings, topics
from variants import VARIANTS

OURS = {name: d for name, d in registered().items() if d.family in FAMILIES}


def worse(found, than):
    """Where `found` is clearly below `than`; what is undefined is below nothing."""
    with np.errstate(invalid="ignore"):
        slack = 1e-9 * np.maximum(1.0, np.abs(than))
        return np.flatnonzero(found < than - slack)


def breaks_range(measure, world):
    definition, found = measure.definition, world.lists.values(measure)
    with np.errstate(invalid="ignore"):
        outside = (found < definition.low - 1e-12) | (found > definition.high + 1e-12)
    return [world.lists.pairs[i] for i in np.flatnonzero(outside)]


def breaks_ideal(measure, world):
    level = measure.parameters.get("rel") or 0
    table = tuple((measure.parameters.get("gains") or {}).items())
    best = world.ideals(level, table).scores(measure)
    return [world.lists.pairs[i] for i in worse(best, world.lists.scores(measure))]


def breaks_swap(measure, world):
    """Whether the higher grade is better, the measure says: by its gain table, by its `rel`."""
    before, after, grades = world.swaps
    table = measure.parameters.get("gains") or {}
    level = measure.parameters.get("rel") or 0

    def better(lower, higher):
        if lower is None:  # worse than what is relevant; nobody knows whether worse than the rest
            return higher >= level
        return table.get(higher, higher) >= table.get(lower, lower)

    broken = worse(after.scores(measure), before.scores(measure))
    return [before.pairs[i] for i in broken if better(*grades[i])]


def breaks_tail(measure, world):
    return changes(measure, world.lists, world.with_a_tail)


def breaks_rename(measure, world):
    return changes(measure, world.lists, world.renamed)


def changes(measure, before, after):
    one, other = before.scores(measure), after.scores(measure)
    return [before.pairs[i] for i in {*worse(one, other), *worse(other, one)}]


def breaks_missing(measure, world):
    arrays, found = world.lists.arrays, world.lists.scores(measure)
    nothing = Ranking(
        grade=np.zeros_like(arrays["rank"]),
        rank=np.full_like(arrays["rank"], np.inf),
        base=arrays["base"],
        judged=arrays["judged"],
        retrieved=np.full_like(arrays["retrieved"], arrays["retrieved"].max()),
    )
    worst = worst_value(measure, nothing)
    worst = np.broadcast_to(worst if measure.definition.higher_is_better else -worst, found.shape)
    return [world.lists.pairs[i] for i in worse(found, worst)]


def breaks_undefined(measure, world):
    unknown = np.isnan(world.lists.values(measure))
    of_topic = np.bincount(world.topic_of, weights=unknown) / np.bincount(world.topic_of)
    mixed = (of_topic > 0) & ((of_topic < 1) | (not measure.definition.undefined))
    return [world.topics[i] for i in np.flatnonzero(mixed)]


BREAKS = {
    "range": breaks_range,
    "ideal": breaks_ideal,
    "swap": breaks_swap,
    "tail": breaks_tail,
    "rename": breaks_rename,
    "missing": breaks_missing,
    "undefined": breaks_undefined,
}
OBEYED = [
    pytest.param(measure, law, id=f"{law}: {measure}")
    for law in LAWS
    for measure in VARIANTS
    if law not in measure.definition.exempt
]
EXEMPT = [(name, law) for name, definition in OURS.items() for law in definition.exempt]


def test_every_measure_is_tried_and_every_law_has_a_test():
    assert {measure.name for measure in VARIANTS} == set(OURS)
    assert set(BREAKS) == set(LAWS)


@pytest.mark.parametrize(("measure", "law"), OBEYED)
def test_obeyed(measure, law):
    assert not BREAKS[law](measure, world_for(measure))


@pytest.mark.parametrize(("name", "law"), EXEMPT)
def test_exempt_for_a_reason_and_really_broken(name, law):
    assert OURS[name].exempt[law]
    variants = [measure for measure in VARIANTS if measure.name == name]
    assert any(BREAKS[law](measure, world_for(measure)) for measure in variants)


@pytest.mark.parametrize("law", LAWS)
@settings(max_examples=30)
@given(qrels=topics(), first=rankings(), second=rankings())
def test_obeyed_by_whatever_hypothesis_finds(law, qrels, first, second):
    world = World([(qrels, [first, second])])
    for measure in VARIANTS:
        if law not in measure.definition.exempt:
            assert not BREAKS[law](measure, world), measure
