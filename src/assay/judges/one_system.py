"""One system under a slipshod judge, by formula and by simulation: Lesk & Salton 1968, appendix."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.errors import AssayError
from assay.judges.slipshod import check_rates
from assay.judges.tabular import Array, Tabular

__all__ = ["Appendix", "apparent_precision", "apparent_recall", "appendix"]


def apparent_precision(P: Array | float, p_r: float, p_nr: float) -> Array | float:
    """P' = P (p_r - p_nr) + p_nr."""
    return P * (p_r - p_nr) + p_nr


def apparent_recall(
    R: Array | float, G: Array | float, N: Array | float, n: Array | float, p_r: float, p_nr: float
) -> Array | float:
    """R' = (R G (p_r - p_nr) + n p_nr) / (G (p_r - p_nr) + N p_nr), a ratio of expectations."""
    called = G * (p_r - p_nr) + N * p_nr
    with np.errstate(invalid="ignore", divide="ignore"):
        return (R * G * (p_r - p_nr) + n * p_nr) / np.where(np.equal(called, 0), np.nan, called)


@dataclass(frozen=True)
class Appendix:
    """One system under a slipshod judge, by formula and by simulation."""

    p_r: float
    p_nr: float
    precision: float
    recall: float
    formula: tuple[float, float]  # P', R'
    simulated: tuple[float, float]  # mean precision; mean hits over mean number called relevant
    error: tuple[float, float]  # standard error of the simulated values
    judges: int
    main = ("appendix",)

    def verdict(self) -> str:
        """One sentence."""
        return (
            f"A judge with p_r {self.p_r:g} and p_nr {self.p_nr:g} sees precision "
            f"{self.formula[0]:.4f} "
            f"for {self.precision:g} and recall {self.formula[1]:.4f} for {self.recall:g}; "
            f"{self.judges} simulated judges saw {self.simulated[0]:.4f} and "
            f"{self.simulated[1]:.4f}."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for precision, one for recall."""
        rows = tuple(
            (name, true, self.formula[i], self.simulated[i], self.error[i])
            for i, (name, true) in enumerate(
                (("precision", self.precision), ("recall", self.recall))
            )
        )
        heads = ("measure", "true", "by formula", "simulated", "standard error")
        note = f"p_r {self.p_r:g}, p_nr {self.p_nr:g}, {self.judges} judges; recall: ratio of means"
        return (Tabular("appendix", "slipshod judge", heads, rows, (note,)),)


def appendix(
    *,
    precision: float,
    recall: float,
    N: int,
    G: int,
    n: int,
    p_r: float,
    p_nr: float,
    judges: int = 1000,
    seed: int = 0,
) -> Appendix:
    """Precision and recall of n retrieved of N documents, G relevant, as such a judge sees them."""
    check_rates(p_r, p_nr)
    if judges < 2:
        raise AssayError(f"judges={judges}: a standard error needs at least 2")
    hits = precision * n
    if not math.isclose(hits, recall * G, abs_tol=1e-6) or not math.isclose(
        hits, round(hits), abs_tol=1e-6
    ):
        raise AssayError(
            f"precision {precision:g} of {n} and recall {recall:g} of {G} mean {hits:g} and "
            f"{recall * G:g} relevant documents retrieved; they must be the same whole number"
        )
    both = round(hits)
    if not (both <= min(n, G) and n <= N and G <= N and n + G - both <= N):
        raise AssayError(
            f"{n} retrieved and {G} relevant with {both} in common do not fit into N={N}"
        )
    rng = np.random.default_rng([seed, 3])
    found = rng.binomial(both, p_r, judges) + rng.binomial(n - both, p_nr, judges)
    rest = rng.binomial(G - both, p_r, judges) + rng.binomial(N - n - (G - both), p_nr, judges)
    called = found + rest
    ratio = found.mean() / called.mean() if called.any() else math.nan
    spread = (found - ratio * called) / (called.mean() or 1.0)
    formula = (
        float(apparent_precision(precision, p_r, p_nr)),
        float(apparent_recall(recall, G, N, n, p_r, p_nr)),
    )
    error = (
        float(found.std(ddof=1) / n / math.sqrt(judges)),
        float(spread.std(ddof=1) / math.sqrt(judges)),
    )
    return Appendix(
        p_r,
        p_nr,
        precision,
        recall,
        formula,
        (float(found.mean() / n), float(ratio)),
        error,
        judges,
    )
