"""Prediction-powered means: many topics under a cheap judge, some of them under a human.

mean = weight * (cheap mean on all topics - cheap mean on the human topics) + human mean

The human topics remove whatever bias the cheap judge has, its other topics remove part of the
sampling error. With weight 0 it is the human mean with its t interval. Angelopoulos et al. 2023,
https://doi.org/10.1126/science.adi6000; tuned weight: the regression (double sampling) estimate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.comparison import check_alpha
from assay.errors import AssayError
from assay.judges.tabular import Array, Tabular
from assay.pictured import Pictured

__all__ = ["ABOUT", "ASSUMPTION", "Estimates", "Powered", "estimates", "powered"]

ASSUMPTION = "valid provided that the human topics are a random sample of all topics"
ABOUT = ("population", "topics")
FEWEST = 4  # human topics for a tuned weight


@dataclass(frozen=True)
class Powered:
    """Estimates of several means, one entry each."""

    value: Array
    low: Array
    high: Array
    error: Array  # standard error
    df: Array
    weight: Array
    human: Array  # mean on the human topics alone
    human_low: Array
    human_high: Array
    cheap: Array  # mean under the cheap judge on all topics
    spread: Array  # standard deviation of the human values
    rest: Array  # standard deviation of human - weight * cheap
    cheap_spread: Array  # standard deviation of the cheap values
    n: int
    N: int
    about: str

    @property
    def worth(self) -> Array:
        """How many human topics, without the cheap judge, one human topic stands for."""
        known = 1 / self.N if self.about == "topics" else 0.0  # of N topics, all N leave no error
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(1 / ((self.error / self.spread) ** 2 + known) / self.n)

    def topics_for(self, width: float, alpha: float = 0.05) -> Array:
        """Human topics needed for intervals of this width, the topics under the cheap judge as now.

        Infinity where no number would do.
        """
        from scipy.special import stdtrit

        most = 100_000
        n = np.unique(
            np.concatenate([np.arange(2, 1000), np.geomspace(1000, most, 400).astype(int)])
        )
        out = np.full(len(self.value), math.inf)
        for i in range(len(out)):
            more = np.maximum(self.N, n)
            variance = self.rest[i] ** 2 / n
            if self.about == "topics":
                variance = self.rest[i] ** 2 * np.maximum(1 / n - 1 / self.N, 0)
            else:
                variance = variance + (self.weight[i] * self.cheap_spread[i]) ** 2 / more
            used = 2 if self.weight[i] else 1
            half = stdtrit(np.maximum(n - used, 1), 1 - alpha / 2) * np.sqrt(variance)
            enough = np.flatnonzero((2 * half <= width) & (n > used))
            if len(enough):
                out[i] = n[enough[0]]
        return out


def powered(
    human: Array,
    cheap: Array,
    rest: Array,
    *,
    weight: float | None = None,
    about: str = "population",
    alpha: float = 0.05,
) -> Powered:
    """Estimate means: human and cheap[item, n] on the same topics, rest[item, others] cheap.

    `about` the population that the topics are drawn from, or these `topics` only. The tuned weight
    is the regression of human on cheap values; its interval uses residuals left-one-out (HC3) and
    n - 2 degrees of freedom, so that it holds when n is small and the spread uneven.
    """
    from scipy.special import stdtrit

    n, others = human.shape[-1], rest.shape[-1]
    N = n + others
    weight = _checked_weight(weight, n, others, about)
    every = np.concatenate([cheap, rest], axis=-1)
    y, c, C = human.mean(axis=-1), cheap.mean(axis=-1), every.mean(axis=-1)
    dc = cheap - c[:, None]
    size = (dc**2).sum(axis=-1)
    flat = size <= 1e-24
    if weight is None:
        slope = (dc * (human - y[:, None])).sum(axis=-1) / np.where(flat, 1.0, size)
        flat |= slope <= 0  # nor one whose scores fall where the human's rise
        lam = np.where(flat, 0.0, slope)
    else:
        lam = np.full(len(y), float(weight))
    left = human - lam[:, None] * cheap
    left = left - left.mean(axis=-1)[:, None]
    used = np.where(flat, 1, 2) if weight is None else np.ones(len(y))
    share = 1 / n  # of each topic in the human mean
    if weight is None:
        pull = (C - c)[:, None] * dc / np.where(flat, 1.0, size)[:, None]
        leverage = 1 / n + dc**2 / np.where(flat, 1.0, size)[:, None]
        inner = ((share + pull) ** 2 * left**2 / np.maximum(1 - leverage, 0.05) ** 2).sum(axis=-1)
        plain = (left**2).sum(axis=-1) / (n - 1) / n
        inner = np.where(flat, plain, inner)
    else:
        inner = (left**2).sum(axis=-1) / (n - 1) / n
    cheap_variance = every.var(axis=-1, ddof=1) if N > 1 else np.zeros(len(y))
    both = 2 * lam * (left * dc).sum(axis=-1) / (n - 1) / N  # 0 for the tuned weight
    outer = lam**2 * cheap_variance / N
    if about == "topics":  # the others are known: only the sampling of the human topics is left
        inner, outer, both = inner * (1 - n / N), np.zeros(len(y)), np.zeros(len(y))
    variance = np.maximum(inner + outer + both, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = variance**2 / (inner**2 / (n - used) + outer**2 / max(1, N - 1))
    df = np.where(np.isfinite(df), np.maximum(df, n - used), n - used)
    error, value = np.sqrt(variance), y + lam * (C - c)
    half = stdtrit(df, 1 - alpha / 2) * error
    deviation = human.std(axis=-1, ddof=1)
    alone = deviation / math.sqrt(n) * (math.sqrt(1 - n / N) if about == "topics" else 1.0)
    plain_half = stdtrit(n - 1, 1 - alpha / 2) * alone
    return Powered(
        value,
        value - half,
        value + half,
        error,
        df,
        lam,
        y,
        y - plain_half,
        y + plain_half,
        C,
        deviation,
        np.sqrt((left**2).sum(axis=-1) / (n - used)),
        np.sqrt(cheap_variance),
        n,
        N,
        about,
    )


def _checked_weight(weight: float | None, n: int, others: int, about: str) -> float | None:
    """The weight, None where it is to be tuned; 0 where there is nothing to tune it for."""
    if about not in ABOUT:
        raise AssayError(f"about={about!r}: must be one of {', '.join(map(repr, ABOUT))}")
    if n < 2:
        raise AssayError(f"{n} topic(s) judged by both: an interval needs at least 2")
    if weight is not None and not math.isfinite(weight):
        raise AssayError(f"weight={weight:g}: expected a finite number, such as 1")
    if weight is None and others == 0:
        return 0.0  # the cheap judge has no topic of his own
    if weight is None and n < FEWEST:
        raise AssayError(
            f"{n} topics judged by both: a tuned weight needs {FEWEST}; give one, such as 0"
        )
    return weight


@dataclass(frozen=True)
class Estimates(Pictured):
    """Means of runs and differences of pairs, for one measure."""

    measure: str
    human: str
    cheap: str
    runs: tuple[str, ...]
    means: Powered
    left: Array  # [pair] run
    right: Array
    differences: Powered
    width: float | None  # wanted for intervals
    notes: tuple[str, ...] = ()
    alpha: float = 0.05  # intervals are at 1 - alpha

    def verdict(self) -> str:
        """Two or three sentences."""
        n, N = self.means.n, self.means.N
        text = f"With {n} topics judged by {self.human} and {N} by {self.cheap}, intervals of mean "
        widths = self.means.human_high - self.means.human_low
        shares = ((self.means.high - self.means.low)[widths > 0] / widths[widths > 0]).tolist()
        if n == N:
            text += f"{self.measure} are those of the human topics alone."
        elif not shares:
            text += f"{self.measure} have no width to compare: each run has one value throughout."
        else:
            narrower = 1 - float(np.median(shares))
            text += (
                f"{self.measure} are {abs(narrower):.0%} "
                f"{'narrower' if narrower >= 0 else 'wider'} than from the human topics alone; one "
                f"human topic is worth {float(np.nanmedian(self.means.worth)):.2f}."
            )
        d = self.differences
        if len(d.value):
            sure = int(((d.low > 0) | (d.high < 0)).sum())
            alone = int(((d.human_low > 0) | (d.human_high < 0)).sum())
            text += (
                f" {sure} of {len(d.value)} pairs of runs have an interval of their difference "
                "that "
                f"leaves out 0, against {alone} from the human topics alone"
            )
            text += " (each pair by itself)." if len(d.value) > 1 else "."
        return f"{text} All of this is {ASSUMPTION}."

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Means, then differences."""
        heads: tuple[str, ...] = (
            "run",
            "mean",
            "low",
            "high",
            "human only",
            "from",
            "to",
            "cheap",
            "weight",
            "worth",
        )
        means, d = self.means, self.differences
        wanted = [self._wanted(each) for each in (means, d)]
        rows = tuple((run, *_cells(means, i), *wanted[0][i]) for i, run in enumerate(self.runs))
        extra = () if self.width is None else ("more topics",)
        notes: tuple[str, ...] = (
            ()
            if self.width is None
            else (f"more topics: further human topics for an interval {self.width:g} wide",)
        )
        about = (
            "the population of topics" if means.about == "population" else f"these {means.N} topics"
        )
        note = (
            f"{self.measure}, {means.n} topics judged by {self.human}, {means.N} by {self.cheap}, "
            "about "
            f"{about}; {ASSUMPTION}; worth: human topics that one of these stands for"
        )
        tables = [
            Tabular("means", "means", (*heads, *extra), rows, (note, *notes, *self.notes)),
        ]
        if len(d.value):
            gaps = tuple(
                (self.runs[self.left[i]], self.runs[self.right[i]], *_cells(d, i), *wanted[1][i])
                for i in range(len(d.value))
            )
            level = f"{100 * (1 - self.alpha):g} %"
            apart = f"the first run less the other; each interval by itself at {level}"
            columns: tuple[str, ...] = ("run", "other run", "difference", *heads[2:], *extra)
            tables.append(Tabular("differences", "differences", columns, gaps, (apart, *notes)))
        return tuple(tables)

    def _wanted(self, found: Powered) -> list[tuple[float | int | str, ...]]:
        """Further human topics for the wanted width, one for each mean; nothing without a width."""
        if self.width is None:
            return [()] * len(found.value)
        needed = found.topics_for(self.width, self.alpha)
        return [(_more(float(each), found.n),) for each in needed]


def _more(needed: float, n: int) -> float | int | str:
    return "no number" if math.isinf(needed) else max(0, int(needed) - n)


def _cells(found: Powered, i: int) -> tuple[float, ...]:
    arrays = (found.value, found.low, found.high, found.human, found.human_low, found.human_high)
    return tuple(float(x[i]) for x in (*arrays, found.cheap, found.weight, found.worth))


def estimates(
    human: Array,
    cheap: Array,
    *,
    measure: str,
    judges: tuple[str, str],
    runs: tuple[str, ...],
    pairs: tuple[tuple[int, int], ...],
    weight: float | None = None,
    about: str = "population",
    width: float | None = None,
    alpha: float = 0.05,
) -> Estimates:
    """human[run, topic] and cheap[run, topic], NaN where a topic is not judged or undefined."""
    check_alpha(alpha)
    if width is not None and not 0 < width < math.inf:
        raise AssayError(f"width={width:g}: expected the width of an interval, such as 0.05")
    listed = ~np.isnan(cheap).any(axis=0)
    both = listed & ~np.isnan(human).any(axis=0)
    notes = []
    lost = int((~np.isnan(human).any(axis=0) & ~listed).sum())
    if lost:
        notes.append(f"{lost} human topics have no value under {judges[1]} and are left out")
    y, c, rest = human[:, both], cheap[:, both], cheap[:, listed & ~both]
    settings = {"weight": weight, "about": about, "alpha": alpha}
    left = np.asarray([i for i, _ in pairs], dtype=np.int64)
    right = np.asarray([j for _, j in pairs], dtype=np.int64)
    means = powered(y, c, rest, **settings)  # type: ignore[arg-type]
    gaps = powered(y[left] - y[right], c[left] - c[right], rest[left] - rest[right], **settings)  # type: ignore[arg-type]
    if means.n == means.N:
        notes.append(
            f"{judges[1]} has no topic beyond the {means.n} human ones, and so adds nothing"
        )
    elif weight is None and means.n < 10:
        notes.append(f"{means.n} human topics are few: below 10 the intervals may hold too seldom")
    said = tuple(notes)
    return Estimates(measure, *judges, runs, means, left, right, gaps, width, said, alpha)
