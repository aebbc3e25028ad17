"""One kernel, many array libraries: NumPy, read-only NumPy, the strict reference namespace."""

from __future__ import annotations

import random

import array_api_strict
import numpy as np
import pytest

from lists import batch, random_list, random_topic, values, wanted
from variants import VARIANTS


def random_cases():
    rng = random.Random(11)
    cases = []
    for i in range(24):
        qrels, docs = random_topic(rng)
        cases.append((qrels, random_list(rng, docs, ties=i % 2 == 0)))
    return cases


CASES = random_cases()
ARRAYS = batch(CASES)
WAYS = [
    pytest.param(measure, expected, id=f"{measure}{' expected' if expected else ''}")
    for measure in VARIANTS
    for expected in ((False, True) if measure.definition.has_expected else (False,))
]


@pytest.mark.parametrize(("measure", "expected"), WAYS)
def test_a_batch_equals_its_lists_one_by_one(measure, expected):
    together = measure.kernel(**wanted(measure, ARRAYS, expected=expected))
    alone = [values(measure, [case], expected=expected)[0] for case in CASES]
    np.testing.assert_allclose(together, alone, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(("measure", "expected"), WAYS)
def test_padding_changes_nothing(measure, expected):
    plain = values(measure, CASES, expected=expected)
    padded = values(measure, CASES, expected=expected, spare=3)
    np.testing.assert_allclose(padded, plain, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(("measure", "expected"), WAYS)
def test_leading_axes_are_anything(measure, expected):
    """Judges x runs x topics: grades and bases have the axis of judges, ranks do not."""
    arrays = wanted(measure, ARRAYS, expected=expected)
    plain = np.asarray(measure.kernel(**arrays))
    by_topic = {name: a.reshape(4, 6, *a.shape[1:]) for name, a in arrays.items()}
    shaped = dict(by_topic)
    for name in ("grade", "base", "judged", "missed"):
        if name in shaped:
            shaped[name] = np.stack([by_topic[name], by_topic[name]])
    found = np.broadcast_to(measure.kernel(**shaped), (2, 4, 6))
    np.testing.assert_allclose(found, [plain.reshape(4, 6)] * 2, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(("measure", "expected"), WAYS)
def test_runs_share_the_base_of_their_topic(measure, expected):
    """Topics x runs: one base for all runs of a topic."""
    rng = random.Random(2)
    topics = [random_topic(rng) for _ in range(5)]
    cases = [(qrels, random_list(rng, docs)) for qrels, docs in topics for _ in range(3)]
    arrays = wanted(measure, batch(cases), expected=expected)
    plain = np.asarray(measure.kernel(**arrays))
    shaped = {name: a.reshape(5, 3, *a.shape[1:]) for name, a in arrays.items()}
    for name in ("base", "judged"):
        if name in shaped:
            shaped[name] = shaped[name][:, :1]
    found = np.broadcast_to(measure.kernel(**shaped), (5, 3))
    np.testing.assert_allclose(found, plain.reshape(5, 3), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(("measure", "expected"), WAYS)
def test_read_only_arrays(measure, expected):
    arrays = wanted(measure, ARRAYS, expected=expected)
    plain = np.asarray(measure.kernel(**arrays))
    frozen = {name: array.copy() for name, array in arrays.items()}
    for array in frozen.values():
        array.setflags(write=False)
    np.testing.assert_array_equal(measure.kernel(**frozen), plain)


@pytest.mark.parametrize(("measure", "expected"), WAYS)
def test_strict_arrays(measure, expected):
    arrays = wanted(measure, ARRAYS, expected=expected)
    plain = np.asarray(measure.kernel(**arrays))
    with array_api_strict.ArrayAPIStrictFlags(api_version="2024.12"):
        strict = {name: array_api_strict.asarray(array) for name, array in arrays.items()}
        found = [float(v) for v in measure.kernel(**strict)]
    np.testing.assert_array_equal(found, plain)


@pytest.mark.parametrize(("measure", "expected"), WAYS)
def test_float32_stays_float32(measure, expected):
    arrays = wanted(measure, ARRAYS, expected=expected)
    small = {name: array.astype(np.float32) for name, array in arrays.items()}
    found = measure.kernel(**small)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, measure.kernel(**arrays), rtol=2e-4, atol=2e-6)
