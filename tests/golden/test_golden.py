"""Every number that a paper prints of a measure, reproduced; where the paper errs, corrected."""

from __future__ import annotations

from collections import Counter

import pytest

from golden.papers import BY_ID, CASES, NOT_YET, REPRODUCE, as_list, result
from oracles.test_oracles import ORACLES


def cases(*status):
    return [
        case["id"] for case in CASES if case["status"] in status and case["measure"] in REPRODUCE
    ]


def test_every_case_is_reproduced_or_named_as_not_yet():
    names = {case["measure"] for case in CASES}
    assert names == set(REPRODUCE) | set(NOT_YET)
    assert not set(REPRODUCE) & set(NOT_YET)


def test_how_many_there_are():
    """140 speak of a measure; 286 are tables of judges, or of what was judged."""
    later = Counter(case["paper"][:5] for case in CASES if case["measure"] in NOT_YET)
    assert later == {"Jarve": 20, "Lesk ": 266}
    now = Counter(case["status"] for case in CASES if case["measure"] in REPRODUCE)
    assert now == {"exact": 92, "alternative-reading": 38, "paper-inconsistent": 10}


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


@pytest.mark.parametrize("name", [case["id"] for case in CASES if case["measure"] in REPRODUCE])
def test_the_unrounded_value(name):
    """golden.json holds what its makers computed, to ten digits."""
    case = BY_ID[name]
    assert result(name).ours == pytest.approx(as_list(case["value"]), abs=2e-9)


def test_the_identities_that_oracles_toml_names_are_cases_here():
    named = {case for entry in ORACLES.values() for case in entry.get("papers", {}).values()}
    assert named <= {case["id"] for case in CASES if case["measure"] in REPRODUCE}
