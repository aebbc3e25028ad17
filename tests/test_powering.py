"""power: topics needed, from the variance of real scores; and what the present ones find."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import AssayError
from assay.powering import power
from assay.show.power import text
from tables import scores_of, simulated

stats = pytest.importorskip("scipy.stats")


def test_designs_against_the_noncentral_distributions():
    x = simulated(runs=5, topics=30)
    found = power(scores_of(x), difference=0.05)
    residual = x - x.mean(1, keepdims=True) - x.mean(0) + x.mean()
    variance = (residual**2).sum() / (4 * 29)
    now, design = found.present[0], found.designs[0]
    assert now.variance == pytest.approx(variance)
    assert now.upper == pytest.approx(variance * 116 / stats.chi2.ppf(0.2, 116))

    def t_power(n):
        shift = 0.05 / math.sqrt(2 * variance / n)
        bound = stats.t.ppf(0.975, n - 1)
        return stats.nct.sf(bound, n - 1, shift) + stats.nct.cdf(-bound, n - 1, shift)

    assert t_power(design.t) >= 0.8 > t_power(design.t - 1)

    def f_power(n):  # Sakai 2016: the noncentrality is n times range^2 / (2 variance)
        bound = stats.f.ppf(0.95, 4, 5 * (n - 1))
        return stats.ncf.sf(bound, 4, 5 * (n - 1), n * 0.05**2 / (2 * variance))

    assert f_power(design.anova) >= 0.8 > f_power(design.anova - 1)
    assert design.t_upper > design.t
    assert design.interval_upper > design.interval > design.t


def test_a_grid_of_measures_and_differences():
    scores = scores_of(np.stack([simulated(), simulated(seed=9)]), measures=("nDCG@10", "AP"))
    found = power(scores, difference=[0.02, 0.1])
    assert [(str(d.measure), d.difference) for d in found.designs] == [
        ("nDCG@10", 0.02), ("nDCG@10", 0.1), ("AP", 0.02), ("AP", 0.1),
    ]  # fmt: skip
    assert found.to_polars().shape == (4, 11)
    page = str(found.table())
    assert "observed" not in page
    assert "with the upper 80 % bound of that variance" in page
    for form in ("json", "csv", "markdown", "latex", "html"):
        assert "".join(text(found, form))


def test_more_comparisons_need_more_topics():
    scores = scores_of(simulated())
    one, ten = (power(scores, difference=0.05, comparisons=c).designs[0] for c in (1, 10))
    assert ten.t > one.t
    assert ten.anova == one.anova


def test_present_topics_find_what_they_find():
    found = power(scores_of(simulated(topics=40)))
    now = found.present[0]
    again = power(scores_of(simulated(topics=40)), difference=now.difference * 1.0001).designs[0]
    assert again.t == 40


@pytest.mark.parametrize(
    ("x", "settings", "message"),
    [
        (np.ones((1, 5)), {}, "power needs two runs or more"),
        (np.ones((2, 1)), {}, "1 topic.s. with a value for every run"),
        (np.ones((2, 5)), {"difference": 0}, "difference=0: must be above 0"),
        (np.ones((2, 5)), {"difference": ("0.1",)}, "difference='0.1': must be above 0"),
        (np.ones((2, 5)), {"difference": []}, "give one or several"),
        (np.ones((2, 5)), {"power": "high"}, "power='high': must lie"),
        (np.ones((2, 5)), {"alpha": None}, "alpha=None: must lie"),
        (np.ones((2, 5)), {"power": 1}, "power=1: must lie between 0 and 1"),
        (np.ones((2, 5)), {"comparisons": 0}, "comparisons=0"),
        (np.ones((2, 5)), {"alpha": 0.9}, "alpha=0.9"),
    ],
)
def test_errors(x, settings, message):
    with pytest.raises(AssayError, match=message):
        power(scores_of(x), **settings)


def test_no_variance():
    found = power(scores_of(np.ones((2, 5))))
    assert "no variance to plan with" in found.notes[-1]
    assert np.isnan(found.present[0].difference)
    design = found.designs[0]
    assert (design.t, design.anova_upper, design.interval) == (None, None, None)
    assert "> 10 million" not in str(found.table())
