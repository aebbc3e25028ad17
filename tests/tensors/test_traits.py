"""What traits say of a measure is so: what they leave out can be changed at will."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from assay.measures import define, parse, registry
from assay.measures.registry import registered
from assay.tensors import traits
from lists import batch, random_list, random_topic, wanted
from tensors.conftest import MEASURES

ALONG = ("grade", "rank", "score", "tie_first", "tie_last")


def cases():
    rng = random.Random(3)
    topics = [random_topic(rng, most=12) for _ in range(300)]
    return [
        (qrels, random_list(rng, docs, ties=i % 2 == 0)) for i, (qrels, docs) in enumerate(topics)
    ]


ARRAYS = batch(cases())


def same(measure, fields):
    plain = measure.kernel(**wanted(measure, ARRAYS))
    np.testing.assert_allclose(measure.kernel(**fields), plain, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_nothing_beyond_the_depth_matters(measure):
    needs = traits.traits_of(measure)
    if needs.depth is None:
        assert (
            measure.at is None
            or measure.definition.cutoff == "recall level"
            or measure.name in traits.DEEP
            or {"scores", "tie_first"} & set(measure.definition.fields)
        )
        return
    fields, beyond = wanted(measure, ARRAYS), ARRAYS["rank"] > needs.depth
    for name in ALONG:
        if name in fields:
            padding = 0.0 if name in ("grade", "score") else math.inf
            fields[name] = np.where(beyond, padding, fields[name])
    same(measure, fields)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_base_may_come_as_the_traits_say(measure):
    needs, fields = traits.traits_of(measure), wanted(measure, ARRAYS)
    if "base" not in fields or needs.base == "in order":
        return
    if needs.base == "any":
        fields["base"] = np.random.default_rng(0).permutation(fields["base"], axis=1)
    else:
        fields["base"] = fields["base"][:, : needs.base]
    same(measure, fields)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_padding_may_stand_between_documents(measure):
    if traits.traits_of(measure).dense:
        return
    fields = wanted(measure, ARRAYS)
    for name in ALONG:
        if name in fields:
            padding = 0.0 if name in ("grade", "score") else math.inf
            wide = np.full((len(fields[name]), 2 * fields[name].shape[1] + 1), padding)
            wide[:, 1::2] = fields[name]
            fields[name] = wide
    same(measure, fields)


def test_the_lists_name_measures():
    named = traits.DEEP | traits.COUNTING | traits.IDEAL | traits.DENSE
    assert named <= set(registered())


def test_a_measure_of_ones_own_is_given_everything(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTER", registered())
    define("TraitsOwn", lambda grade, rank, base, *, k=math.inf: (grade * (rank <= k)).sum(axis=-1))
    assert traits.traits_of(parse("TraitsOwn@3")) == traits.Traits(None, "in order", dense=True)
