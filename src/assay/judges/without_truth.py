"""Judges' errors estimated from each other, no one being the truth: Dawid & Skene 1979."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.errors import AssayError
from assay.judges.tabular import Array, Tabular

__all__ = ["DawidSkene", "dawid_skene"]


@dataclass(frozen=True)
class DawidSkene:
    """Judges' errors estimated from each other, no one being the truth."""

    judges: tuple[str, ...]
    levels: tuple[float, ...]
    prior: Array  # [level]
    confusion: Array  # [judge, true level, label]
    posterior: Array  # [pair, true level]
    rounds: int
    settled: bool

    @property
    def accuracy(self) -> Array:
        """Chance that a judge's label is the true one, [judge]."""
        right = np.diagonal(self.confusion, axis1=-2, axis2=-1)
        return np.asarray(right @ self.prior)

    def rates(self, rel: float) -> Array:
        """p_r and p_nr of each judge at a threshold: [judge, 2]."""
        yes = np.asarray(self.levels) >= rel
        out = np.full((len(self.judges), 2), np.nan)
        for k, side in enumerate((yes, ~yes)):
            weight = self.prior * side
            if weight.sum() > 0:
                out[:, k] = (self.confusion[:, :, yes].sum(axis=-1) @ weight) / weight.sum()
        return out

    def verdict(self) -> str:
        """One sentence."""
        best, worst = int(self.accuracy.argmax()), int(self.accuracy.argmin())
        return (
            f"By what the judges share (Dawid & Skene), {self.judges[best]} is nearest to it "
            f"({self.accuracy[best]:.0%} of labels) and {self.judges[worst]} farthest "
            f"({self.accuracy[worst]:.0%}); judges who err alike are taken for right."
        )

    def tabulars(self, rel: float = 1.0) -> tuple[Tabular, ...]:
        """A row for each judge."""
        each = self.rates(rel)
        rows = tuple(
            (judge, float(self.accuracy[j]), float(each[j, 0]), float(each[j, 1]))
            for j, judge in enumerate(self.judges)
        )
        shares = ", ".join(
            f"{level:g}: {share:.3f}" for level, share in zip(self.levels, self.prior, strict=True)
        )
        note = (
            f"{self.rounds} rounds{'' if self.settled else ', not settled'}; true grades {shares}"
        )
        heads = ("judge", "labels right", "p_r", "p_nr")
        return (Tabular("dawid-skene", "errors without a truth", heads, rows, (note,)),)


def dawid_skene(
    grade: Array, *, judges: tuple[str, ...], rounds: int = 500, tolerance: float = 1e-8
) -> DawidSkene:
    """EM from the majority, grade[judge, pair]; Dawid & Skene 1979, doi:10.2307/2346806."""
    if len(judges) < 3:
        raise AssayError("without a truth, errors can be told apart from three judges on")
    known = ~np.isnan(grade)
    levels = np.unique(grade[known])
    if len(levels) > 20:
        raise AssayError(
            f"Dawid & Skene's model needs grades, at most 20 levels; found {len(levels)}"
        )
    J, K = len(judges), len(levels)
    label = np.zeros((J, grade.shape[1], K))
    for k, level in enumerate(levels):
        label[..., k] = grade == level
    judged = known.any(axis=0)
    label = label[:, judged]
    votes = label.sum(axis=0)
    posterior = votes / votes.sum(axis=-1, keepdims=True)
    before, done, turn = -math.inf, False, 0
    while turn < rounds and not done:
        turn += 1
        prior = posterior.mean(axis=0)
        confusion = np.einsum("pk,jpl->jkl", posterior, label) + 1e-6
        confusion /= confusion.sum(axis=-1, keepdims=True)
        log = np.einsum("jpl,jkl->pk", label, np.log(confusion)) + np.log(prior + 1e-300)
        top = log.max(axis=-1, keepdims=True)
        likelihood = float((top[:, 0] + np.log(np.exp(log - top).sum(axis=-1))).sum())
        posterior = np.exp(log - top)
        posterior /= posterior.sum(axis=-1, keepdims=True)
        done = abs(likelihood - before) <= tolerance * abs(likelihood)
        before = likelihood
    everywhere = np.full((grade.shape[1], K), np.nan)
    everywhere[judged] = posterior
    return DawidSkene(judges, tuple(map(float, levels)), prior, confusion, everywhere, turn, done)
