"""The names that tests, corrections, intervals and families go by; loads nothing."""

from __future__ import annotations

__all__ = ["CORRECTIONS", "FAMILIES", "INTERVALS", "TESTS"]

TESTS = (
    "t",
    "wilcoxon",
    "sign",
    "randomization",
    "bootstrap",
    "friedman",
    "anova",
    "tukey-hsd",
    "randomized-tukey-hsd",
)
CORRECTIONS = ("holm", "bonferroni", "bh", "none")
INTERVALS = ("simultaneous", "plain", "bootstrap", "bca")
FAMILIES = ("primary", "all")
