from __future__ import annotations

import numpy as np
import pytest

import assay

stats = pytest.importorskip("scipy.stats")
RNG = np.random.default_rng(3)
JUDGED = {f"q{i}": {f"d{j}": int(RNG.integers(0, 4)) for j in range(9)} for i in range(12)}
RUNS = {
    name: {q: {doc: float(RNG.random()) for doc in docs} for q, docs in JUDGED.items()}
    for name in ("one", "two")
}


def test_a_band_is_the_t_interval_of_the_differences_at_each_rank():
    found = assay.curves(JUDGED, RUNS, "nDCG", depth=6)
    band = found.difference("one", "two", level=0.9)
    for rank in range(1, 7):
        at = assay.evaluate(JUDGED, RUNS, f"nDCG@{rank}")
        test = stats.ttest_rel(at.of("one", f"nDCG@{rank}"), at.of("two", f"nDCG@{rank}"))
        low, high = test.confidence_interval(0.9)
        assert band.low[rank - 1] == pytest.approx(low)
        assert band.high[rank - 1] == pytest.approx(high)
    np.testing.assert_allclose(band.difference, found.mean("one") - found.mean("two"), atol=1e-12)
    assert band.topics == 12


def test_of_averaged_vectors_the_band_is_near_that_of_resampled_topics():
    found = assay.curves(JUDGED, RUNS, "nCG", depth=6, average="vectors")
    band = found.difference("one", "two")
    np.testing.assert_allclose(band.difference, found.mean("one") - found.mean("two"), atol=1e-12)
    one, two, ideal = found.gains[0, 0, 0], found.gains[0, 1, 0], found.ideal[0, 0]
    drawn = RNG.integers(0, 12, (4000, 12))
    values = ((one - two)[drawn].mean(1)) / ideal[drawn].mean(1)
    wide = stats.t.ppf(0.975, 11) * values.std(0) * np.sqrt(12 / 11)
    np.testing.assert_allclose((band.high - band.low) / 2, wide, rtol=0.15)


def test_what_is_no_pair_is_refused():
    found = assay.curves(JUDGED, RUNS, "nDCG", depth=3)
    with pytest.raises(assay.AssayError, match="two runs"):
        found.difference("one", "one")
    with pytest.raises(assay.AssayError, match="no run 'three'"):
        found.difference("one", "three")
    with pytest.raises(assay.AssayError, match="between 0 and 1"):
        found.difference("one", "two", level=95)
