"""Random topics and lists: the kernels against the slow and obvious loops."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lists import batch, random_list, random_topic, wanted
from oracles import slow
from oracles.test_oracles import ORACLES
from variants import VARIANTS

GRADES = {
    "small": (0, 0, 1, 1, 2, 3),
    "binary": (0, 1),
    "none relevant": (0,),
    "all relevant": (1, 2, 3),
    "real": (0, 0.5, 1, 1.25, 2.75),
}


def random_cases():
    rng = random.Random(20)
    cases = []
    for grades in GRADES.values():
        for i in range(40):
            qrels, docs = random_topic(rng, grades, most=30 if i % 8 == 0 else 9)
            cases.append((qrels, random_list(rng, docs, ties=i % 2 == 0)))
    return cases


CASES = random_cases()
ARRAYS = batch(CASES)


@pytest.mark.parametrize("measure", VARIANTS, ids=str)
def test_kernel_equals_slow_twin(measure):
    twin = getattr(slow, ORACLES[measure.name]["slow"])
    options = measure.parameters
    if measure.definition.takes_cutoff:
        options["k"] = measure.k
    if measure.definition.has_region:
        options["start"] = measure.start
    expected = [twin(qrels, run, **options) for qrels, run in CASES]
    values = measure.kernel(**wanted(measure, ARRAYS))
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)
