"""Which runs differ: Friedman's test and analysis of variance side by side, pair by pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.stats.arrays import Array, steady
from assay.stats.corrections import adjusted
from assay.stats.many import (
    Anova,
    Friedman,
    anova,
    conover,
    friedman,
    randomized_tukey_hsd,
    tukey_hsd,
)
from assay.studies.scoring import pairs_of

__all__ = ["Apart", "Both", "apart", "both", "complete", "stars"]


def stars(p: float) -> str:
    """** below .01, * below .05, as the paper has it."""
    return "**" if p < 0.01 else "*" if p < 0.05 else ""


def complete(values: Array) -> Array:
    """Topics on which every run has a value: a mask of values[run, topic]."""
    return np.asarray(~np.isnan(values).any(axis=0))


@dataclass(frozen=True, eq=False)
class Both:
    """Two tests of the same values, over all runs and for each pair."""

    friedman: Friedman
    anova: Anova
    rank_gap: Array  # [pair] mean rank of the second run less that of the first
    rank_p: Array  # Conover after Friedman, corrected by Holm
    gap: Array  # [pair] mean of the second run less that of the first
    p: Array  # Tukey's HSD, simultaneous


def both(x: Array) -> Both:
    """Test values[run, topic]: Friedman with Conover's pairs, ANOVA with Tukey's."""
    x = steady(x)
    pairs = pairs_of(len(x))
    ranks, means = conover(x, pairs), tukey_hsd(x, pairs)
    return Both(
        friedman(x), anova(x), ranks.estimate, adjusted(ranks.p, "holm"), means.estimate, means.p
    )


@dataclass(frozen=True, eq=False)
class Apart:
    """Which pairs of runs the randomised Tukey HSD test tells apart."""

    gap: Array  # [pair] mean of the second run less that of the first
    p: Array  # simultaneous over all pairs


def apart(x: Array, *, resamples: int, seed: int) -> Apart:
    """Test values[run, topic] by permutation of the runs inside each topic."""
    found = randomized_tukey_hsd(steady(x), pairs_of(len(x)), resamples=resamples, seed=seed)
    return Apart(found.estimate, found.p)
