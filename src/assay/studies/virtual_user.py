"""A run as the user: its scores, or quantiles of them, are the grades that others are scored by.

After Scheel, Lommatzsch & Albayrak 2011, https://ceur-ws.org/Vol-781/paper7.pdf, section 2.2: a
computed score stands in for a person who grades on a scale of many levels. The run itself must
then score 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.inputs import inputs
from assay.judges.coefficients import tau_b
from assay.judges.panel import loaded
from assay.judges.tabular import Array, Tabular, page
from assay.judgments import Judgments
from assay.measures.measure import Measure, parse_all
from assay.pictured import Pictured
from assay.stats.arrays import steady
from assay.studies.scoring import check_whole
from assay.studies.sensitivity import MEASURES, TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.run import Run

__all__ = ["SCORES", "VirtualUserStudy", "study_virtual_user"]

SCORES = "scores"
NEAR = 1e-9
LARGEST = 1000  # 2 to the power of it is a number still


@dataclass(frozen=True, eq=False)
class VirtualUserStudy(Pictured):
    """Means of the runs under the grades of each virtual user on each scale."""

    users: tuple[str, ...]  # runs that grade
    scales: tuple[str, ...]  # "scores", or "5 quantiles"
    levels: Array  # [user, scale] different grades
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    means: Array  # [user, scale, run, measure]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    title = "virtual user"
    main = ("runs", "levels")

    def own(self) -> Array:
        """What each user's own run scores under its grades: [user, scale, measure]."""
        at = [self.runs.index(user) for user in self.users]
        return np.stack([self.means[u, :, r] for u, r in enumerate(at)])

    def change(self) -> Array:
        """Mean change of the other runs' values from the first scale: [user, scale, measure]."""
        others = np.array([[run != user for run in self.runs] for user in self.users])
        gap = np.abs(self.means - self.means[:, :1])
        kept = np.where(others[:, None, :, None], gap, np.nan)
        found: Array = np.nanmean(kept, axis=2)
        return found

    def verdict(self) -> str:
        """Whether the reference scores 1, who is nearest, and what the number of levels changes."""
        own = self.own()
        short = [
            f"{user} scores {own[u, s, m]:.3f} by {measure}"
            for u, user in enumerate(self.users)
            for s in range(len(self.scales))
            for m, measure in enumerate(self.measures)
            if not abs(own[u, s, m] - 1) <= NEAR
        ]
        user = self.users[0]
        said = []
        if short:
            said.append(
                f"The reference must score 1 under its own grades, and {short[0]}"
                + (f" (and {len(short) - 1} more)" if len(short) > 1 else "")
                + ": that measure is not normalised by the ideal, or its threshold leaves no one."
            )
        else:
            one = len(self.users) == 1
            who = (
                f"its own grades {user} scores" if one else "their own grades the references score"
            )
            said.append(f"Under {who} 1 by every measure, as must be.")
        said.append(self._nearest(user))
        if len(self.scales) > 1:
            said.append(self._changed())
        return " ".join(said)

    def _nearest(self, user: str) -> str:
        others = [r for r, run in enumerate(self.runs) if run != user]
        best = {
            self.runs[others[int(np.argmax(self._oriented(0, 0, m)[others]))]]
            for m in range(len(self.measures))
        }
        if len(best) == 1:
            return f"By every measure {best.pop()} is nearest to {user}."
        return f"Nearest to {user} is, by one measure or another, {' or '.join(sorted(best))}."

    def _oriented(self, user: int, scale: int, m: int) -> Array:
        sign = 1 if self.measures[m].definition.higher_is_better else -1
        found: Array = np.nan_to_num(sign * self.means[user, scale, :, m], nan=-np.inf)
        return found

    def _changed(self) -> str:
        most = np.nanmax(self.change(), axis=(0, 1))
        moved = [
            f"{measure} ({most[m]:.2f} on average)"
            for m, measure in enumerate(self.measures)
            if most[m] > TOLERANCE
        ]
        if not moved:
            return (
                f"On scales of other sizes no measure's values move by more than {TOLERANCE:g} "
                "on average."
            )
        return f"The number of levels moves the values of {', '.join(moved)}."

    # ------------------------------------------------------------------------------------- tables

    def table(self) -> object:
        """The main tables; `.tabulars()` has all."""
        return page(self, *self.main)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Means of the runs, and what the scales change."""
        return self._runs(), self._levels()

    def _runs(self) -> Tabular:
        rows = tuple(
            (user, scale, run, *(float(x) for x in self.means[u, s, r]))
            for u, user in enumerate(self.users)
            for s, scale in enumerate(self.scales)
            for r, run in enumerate(self.runs)
        )
        heads = ("reference", "grades", "run", *map(str, self.measures))
        note = "means over topics; documents that the reference did not retrieve are unjudged"
        return Tabular("runs", "virtual user", heads, rows, (note,))

    def _levels(self) -> Tabular:
        change = self.change()
        rows = []
        for u, user in enumerate(self.users):
            at = self.runs.index(user)
            others = [r for r in range(len(self.runs)) if r != at]
            for s, scale in enumerate(self.scales):
                for m, measure in enumerate(self.measures):
                    x, y = self.means[u, 0, others, m], self.means[u, s, others, m]
                    rows.append(
                        (
                            user,
                            scale,
                            int(self.levels[u, s]),
                            str(measure),
                            float(self.means[u, s, at, m]),
                            float(change[u, s, m]),
                            float(tau_b(x, y)),
                        )
                    )
        heads = ("reference", "grades", "levels", "measure", "its own", "change", "tau")
        note = (
            f"its own: the reference under its grades, which must be 1; change: mean change of the "
            f"other runs' values from {self.scales[0]}; tau: of their rankings under both"
        )
        return Tabular("levels", "levels", heads, tuple(rows), (note,))


def study_virtual_user(
    runs: Any,
    users: str | Sequence[str],
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    quantiles: int | Sequence[int] = (),
    scores: bool = True,
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
    **policies: Any,
) -> VirtualUserStudy:
    """Score runs by the grades that one of them, or several in turn, would give.

    `runs` are as for `evaluate`, the features of a LETOR file among them; `users` are labels of the
    runs whose scores are the grades. Where a topic has scores below 0, they are shifted so that the
    lowest is 0.

    * quantiles: scales of so many levels beside the scores: level i of n holds the documents of
      which a share of i/n or more of the topic's list scores lower.
    * scores: False leaves out the scores themselves.
    """
    wanted = (users,) if isinstance(users, str) else tuple(users)
    sizes = (quantiles,) if isinstance(quantiles, int) else tuple(quantiles)
    for each in sizes:
        check_whole("quantiles", each, 2)
    if not sizes and not scores:
        raise AssayError("scores=False without quantiles leaves no grades")
    _, sources = inputs({"-": {"-": 1}}, runs, strict=strict)
    read = loaded(sources, strict=strict)
    labels = [run.label for run in read]
    for user in wanted:
        if user not in labels:
            raise AssayError(f"no run is labelled {user!r}; there are {', '.join(labels[:12])}")
    if len(read) < 2:
        raise AssayError(f"one run ({labels[0]}): the reference needs others to grade")
    named = parse_all(list(MEASURES) if measures is None else measures)
    scales: list[int | None] = [*([None] if scores else []), *dict.fromkeys(sizes)]
    means: list[Array] = []
    levels: list[int] = []
    notes: list[str] = []
    warned: list[str] = []
    for u, user in enumerate(wanted):
        for s, size in enumerate(scales):
            judge, shifted = _judge(read[labels.index(user)], size)
            _refuse_large(named, judge.top)
            found = evaluate(judge, read, named, **policies)
            with np.errstate(invalid="ignore"):
                known = (~np.isnan(found.values[0])).sum(axis=-1)
                total = np.nansum(found.values[0], axis=-1)
                means.append(_steady_known(total / np.where(known, known, np.nan)))
            levels.append(judge.frame["grade"].n_unique())
            notes += [*found.notes, *shifted]
            warned += found.warnings
            if progress:
                progress((u * len(scales) + s + 1) / (len(wanted) * len(scales)))
    shape = (len(wanted), len(scales))
    return VirtualUserStudy(
        wanted,
        tuple(SCORES if size is None else f"{size} quantiles" for size in scales),
        np.array(levels).reshape(shape),
        tuple(labels),
        named,
        np.stack(means).reshape(*shape, len(labels), len(named)),
        tuple(dict.fromkeys(notes)),
        tuple(dict.fromkeys(warned)),
    )


def _refuse_large(measures: Sequence[Measure], top: float) -> None:
    """Refuse gains that no floating-point number holds."""
    for measure in measures:
        if measure.parameters.get("gain") == "exp" and top > LARGEST:
            raise AssayError(
                f"{measure}: its gain is 2 to the power of a grade, and the scores that are the "
                f"grades go up to {top:g}; take quantiles alone, or another measure"
            )


def _steady_known(x: Array) -> Array:
    """The values without their last digits; NaN stays."""
    return np.where(np.isnan(x), np.nan, steady(np.nan_to_num(x)))


def _judge(run: Run, size: int | None) -> tuple[Judgments, list[str]]:
    """Grades made of a run's scores, and what was done to them."""
    frame, notes = run.frame.select("topic", "doc", "score"), []
    if size is None:
        low = pl.min_horizontal(pl.col("score").min().over("topic"), 0.0)
        moved = frame.filter(pl.col("score") < 0)["topic"].n_unique()
        if moved:
            notes.append(
                f"{run.label}: scores below 0 on {moved} topics, shifted there so that the lowest "
                "is 0"
            )
        grade = pl.col("score") - low
    else:
        below = pl.col("score").rank("min").over("topic") - 1
        grade = (below * size // pl.len().over("topic")).cast(pl.Float64)
    made = frame.select("topic", "doc", grade.alias("grade"))
    return Judgments(made, label=run.label), notes
