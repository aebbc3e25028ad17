"""Every number that a paper prints of a measure, reproduced; where the paper errs, corrected."""

from __future__ import annotations

from collections import Counter

import pytest

from golden import papers, tables
from golden.cases import BY_ID, CASES, REPRODUCE, as_list, result
from oracles.test_oracles import ORACLES


def cases(*status):
    return [case["id"] for case in CASES if case["status"] in status]


def test_every_case_is_reproduced():
    assert {case["measure"] for case in CASES} == set(REPRODUCE)
    modules = Counter(REPRODUCE[case["measure"]].__module__ for case in CASES)
    assert modules == {papers.__name__: 140, tables.__name__: 286}


def test_how_many_there_are():
    counts = Counter(case["status"] for case in CASES)
    assert counts == {"exact": 340, "alternative-reading": 56, "paper-inconsistent": 30}


@pytest.mark.parametrize("name", cases("exact"))
def test_as_printed(name):
    assert result(name).as_printed()


@pytest.mark.parametrize("name", cases("alternative-reading"))
def test_as_printed_under_the_reading_that_fits(name):
    assert BY_ID[name]["reading"]
    assert result(name).as_printed()


@pytest.mark.parametrize("name", cases("paper-inconsistent"))
def test_the_paper_errs_and_the_right_value_is(name):
    """Its `note` says why."""
    case, found = BY_ID[name], result(name)
    assert case["note"]
    right = case["value"] if case["corrected"] is None else case["corrected"]
    assert found.ours == pytest.approx(as_list(right), abs=1e-9)
    assert not found.as_printed()


@pytest.mark.parametrize("name", cases("exact", "alternative-reading", "paper-inconsistent"))
def test_the_unrounded_value(name):
    """golden.json holds what its makers computed, to ten digits."""
    case = BY_ID[name]
    assert result(name).ours == pytest.approx(as_list(case["value"]), abs=2e-9)


def test_the_identities_that_oracles_toml_names_are_cases_here():
    named = {case for entry in ORACLES.values() for case in entry.get("papers", {}).values()}
    assert named <= set(BY_ID)
