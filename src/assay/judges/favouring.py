"""Does a judge favour some runs beside another judge? A difference of differences over topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.judges.jackknife import Estimate, mean_of
from assay.judges.tabular import Array, Tabular

__all__ = ["Favour", "favour"]


@dataclass(frozen=True)
class Favour:
    """Does a judge favour some runs? Difference of differences, with an interval over topics."""

    measure: str
    truth: str
    judge: str
    groups: tuple[str, ...]
    runs: tuple[int, ...]  # in each group
    gain: tuple[Estimate, ...]  # (judge - truth) of the group's runs less that of all others

    def verdict(self) -> str:
        """One sentence."""
        both = list(zip(self.groups, self.gain, strict=True))
        liked = [f"{group} by {gain}" for group, gain in both if gain.low > 0]
        others = [f"{group} by {gain}" for group, gain in both if gain.high < 0]
        said = [f"favours {'; '.join(liked)}"] if liked else []
        said += [f"disfavours {'; '.join(others)}"] if others else []
        what = " and ".join(said) or "favours no group of runs beyond the error of these topics"
        return f"Beside {self.truth}, {self.judge} {what} ({self.measure}, against others)."

    def tabulars(self) -> tuple[Tabular, ...]:
        """A row for each group."""
        rows = tuple(
            (group, n, gain.value, gain.low, gain.high)
            for group, n, gain in zip(self.groups, self.runs, self.gain, strict=True)
        )
        note = (
            f"mean over the group's runs of ({self.judge} less {self.truth}), less "
            "that of "
            "all other runs; intervals over topics; several groups are several comparisons"
        )
        heads = ("group of runs", "runs", "favour", "low", "high")
        return (Tabular("favour", "favoured runs", heads, rows, (note,)),)


def favour(
    values: Array,
    group: tuple[str, ...],
    *,
    measure: str,
    judges: tuple[str, str],
) -> Favour:
    """values[judge, run, topic] of two judges, the truth first; the group of each run."""
    gap = values[1] - values[0]
    gap = gap[:, ~np.isnan(gap).any(axis=0)]
    names, sizes, gains = [], [], []
    for name in dict.fromkeys(group):
        inside = np.asarray([each == name for each in group])
        if inside.all():
            continue
        names.append(name)
        sizes.append(int(inside.sum()))
        gains.append(mean_of(gap[inside].mean(axis=0) - gap[~inside].mean(axis=0)))
    return Favour(measure, *judges, tuple(names), tuple(sizes), tuple(gains))
