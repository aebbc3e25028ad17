"""Runs read once and scored many times: by hundreds of measures, or under changed grades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.align import Judged
from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.inputs import inputs
from assay.judges.panel import Panel, batch_means, gathered, loaded, plain_measure
from assay.judgments import Judgments
from assay.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.judges.tabular import Array
    from assay.measures.measure import Measure
    from assay.run import Run

__all__ = ["Bench"]

STEP = 25  # measures that are scored between two reports of progress


@dataclass(frozen=True)
class Bench:
    """One judgment set, and runs in memory."""

    judgments: Judgments
    read: tuple[Run, ...]
    policies: dict[str, Any]
    panel: Panel | None  # where the policies are those that it knows

    @classmethod
    def of(cls, judgments: Any, runs: Any, *, strict: bool = True, **policies: Any) -> Bench:
        """Read everything; two runs or more, one judgment set."""
        judges, sources = inputs(judgments, runs, strict=strict)
        if len(judges) > 1:
            raise AssayError(
                f"{len(judges)} judgment sets ({', '.join(each.label for each in judges[:5])}): a "
                "study of runs takes one; assay judges compare takes several"
            )
        if len(sources) < 2:
            raise AssayError(f"one run ({sources[0].label}): a study compares at least two")
        read = loaded(sources, strict=strict)
        default, precision = Policy(), policies.get("precision", "float64")
        others = {name: value for name, value in policies.items() if name != "precision"}
        known = all(getattr(default, name) == value for name, value in others.items())
        negative = bool((judges[0].frame["grade"] < 0).any())
        panel = None
        if known and not negative:
            judged = Judged(judges)
            panel = gathered(judged, read, precision=precision)
        return cls(judges[0], tuple(read), dict(policies), panel)

    @property
    def runs(self) -> tuple[str, ...]:
        """Labels of the runs."""
        return tuple(run.label for run in self.read)

    def values(
        self,
        measures: Sequence[Measure],
        *,
        tables: Sequence[dict[float, float]] = ({},),
        progress: Callable[[float], None] = lambda _: None,
    ) -> Array:
        """Values [table, run, measure, topic]; each table takes grades to other grades."""
        parts = []
        for begin in range(0, len(measures), STEP):
            parts.append(self._part(measures[begin : begin + STEP], tables))
            progress(min(1.0, (begin + STEP) / len(measures)))
        return np.concatenate(parts, axis=2)

    def _part(self, measures: Sequence[Measure], tables: Sequence[dict[float, float]]) -> Array:
        if len(tables) > 1 and any(each.uses_top for each in measures):
            return np.concatenate([self._part(measures, [table]) for table in tables])
        panel = self.panel
        try:
            top = float(_mapped(self.judgments.frame["grade"].to_numpy(), tables[0]).max())
            plain = [plain_measure(each, top) for each in measures]
        except AssayError:
            panel = None
        if panel is None:
            return self._evaluated(measures, tables)
        start, grade = panel.judged.start, panel.judged.grade[0]
        changed = np.stack([_mapped(grade, table) for table in tables])

        def draw(t: int) -> Array:
            return changed[:, int(start[t]) : int(start[t + 1])]

        _, values = batch_means(panel, plain, draw, len(tables), values=True)
        return np.asarray(values)

    def _evaluated(
        self, measures: Sequence[Measure], tables: Sequence[dict[float, float]]
    ) -> Array:
        """The same by `evaluate`, under any policy."""
        frame = self.judgments.frame
        sets = []
        for i, table in enumerate(tables):
            grade = pl.Series("grade", _mapped(frame["grade"].to_numpy(), table))
            sets.append(Judgments(frame.with_columns(grade), label=f"{i}"))
        found = evaluate(sets, list(self.read), list(measures), **self.policies)
        return found.values


def _mapped(grade: Array, table: dict[float, float]) -> Array:
    out = np.array(grade, dtype=np.float64)
    for old, new in table.items():
        out[grade == old] = new
    return out
