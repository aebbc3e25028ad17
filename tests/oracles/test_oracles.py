"""Every measure has a slow twin and a foreign oracle, and `variants` runs all of its parameters."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from assay.measures import parse, registered
from assay.measures.registry import FAMILIES
from oracles import slow
from variants import VARIANTS

ORACLES = tomllib.loads((Path(__file__).parents[1] / "oracles.toml").read_text())
OURS = {name: d for name, d in registered().items() if d.family in FAMILIES}
FOREIGN = {"pytrec_eval", "ir_measures", "sklearn", "ntcireval", "golden"}
FOREIGN |= {"papers", "foreign", "identity", "printed", "trec_eval"}


def test_every_measure_has_an_entry_and_every_entry_a_measure():
    assert set(ORACLES) == set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_a_measure_has_both_kinds_of_oracle(name):
    entry = dict(ORACLES[name])
    assert callable(getattr(slow, entry.pop("slow")))
    assert entry
    assert set(entry) <= FOREIGN
    for table in entry.values():
        assert all(parse(ours).name == name for ours in table)


@pytest.mark.parametrize("name", OURS)
def test_variants_use_every_parameter(name):
    variants = [measure for measure in VARIANTS if measure.name == name]
    used = {key for measure in variants for key, _ in measure.settings}
    assert used == set(OURS[name].parameters)
    assert OURS[name].cutoff == "none" or any(measure.at is not None for measure in variants)
    assert OURS[name].cutoff != "optional" or any(measure.at is None for measure in variants)
