"""Studies of measures and gains: correlations, swaps, significance by depth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.finish import altair, finished
from assay.show.charts.heat import heat
from assay.show.charts.layout import domain, room
from assay.show.charts.lines import Line, foremost, lines
from assay.show.charts.look import Look, look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.studies.gain_study import GainStudy
    from assay.studies.measures import MeasureStudy
    from assay.studies.sensitivity import SensitivityStudy

__all__ = ["correlation", "sensitivity", "significance"]


def correlation(study: MeasureStudy, *, preset: str = "screen") -> Any:
    """Draw Kendall's tau between the rankings of runs by every two measures."""
    names = [str(measure) for measure in study.measures]
    said = (
        f"Kendall's tau-b of the rankings of {len(study.runs)} runs by means over "
        f"{len(study.topics)} topics; signs kept, so that a measure of which lower is better has "
        "them reversed."
    )
    values = study.tau.tolist()
    below = any(x < 0 for row in values for x in row if math.isfinite(x))
    return heat(
        look(preset),
        names,
        names,
        values,
        of="tau",
        title="How alike measures rank the runs",
        said=[said],
        row="measure",
        column="other measure",
        ends=(-1.0, 1.0) if below else (0.0, 1.0),
    )


def sensitivity(
    study: SensitivityStudy,
    *,
    measure: str | None = None,
    distribution: str | None = None,
    preset: str = "screen",
) -> Any:
    """Draw values by the number of swaps, a line for each number of levels.

    A panel for each measure, unless one is named.
    """
    at = look(preset)
    distribution = study.distributions[0] if distribution is None else distribution
    if distribution not in study.distributions:
        there = ", ".join(study.distributions)
        raise AssayError(f"no distribution {distribution!r} in this study; there are: {there}")
    names = [str(each) for each in study.measures]
    if measure is not None:
        from assay.measures.measure import parse

        study.curve(measure, study.levels[0], distribution)  # refuses what is not there
        names = [str(parse(measure))]
    said = (
        f"Mean over {study.repeats} lists of {study.items} items in the ideal order as more and "
        f"more pairs change places; {distribution} grades on so many levels."
    )
    alone = len(names) == 1
    across = 1 if alone or at.name == "paper" else 2
    panels = [_panel(at, study, name, distribution, across, alone=alone) for name in names]
    if alone:
        return finished(panels[0], at, f"{names[0]} as items are swapped", [said])
    alt = altair()
    chart = alt.concat(*panels, columns=across, spacing=at.font * 1.5).resolve_scale(
        color="independent", strokeDash="independent"
    )
    return finished(chart, at, "Values as items are swapped", [said], fits=False)


def _panel(
    at: Look, study: SensitivityStudy, measure: str, distribution: str, across: int, *, alone: bool
) -> Any:
    """One measure's curves."""
    swaps = list(range(study.swaps + 1))
    drawn = [
        Line(f"{many} levels", swaps, study.curve(measure, many, distribution).tolist())
        for many in study.levels
    ]
    names = [line.name for line in drawn]
    chart = lines(
        at,
        drawn,
        foremost(names, (), names),
        x=("swaps", [0.0, float(study.swaps)]),
        y=(measure if alone else "value", domain([y for line in drawn for y in line.y], zero=True)),
        height=at.height if alone else at.half,
        share=across,
        wide=None if alone else at.width / across - at.font * 8 - room(names, at.font),
        name=f"panel_{[str(each) for each in study.measures].index(measure)}",
    )
    if alone:
        return chart
    return chart.properties(
        title=altair().TitleParams(measure, fontSize=at.font, offset=at.font / 2)
    )


def significance(study: GainStudy, *, highlight: Sequence[str] = (), preset: str = "screen") -> Any:
    """Draw how many pairs of runs differ significantly at each depth, by measure and weights."""
    at = look(preset)
    if not study.sweeps:
        raise AssayError("significance by depth needs a sweep: study_gains(..., sweep=100)")
    from assay.studies.gain_study import named

    several = len({sweep.base for sweep in study.sweeps if sweep.base is not None}) > 1
    drawn = [
        Line(
            named(sweep.name, sweep.weights, sweep.base if several else None, None),
            sweep.depths,
            sweep.apart.tolist(),
        )
        for sweep in study.sweeps
    ]
    last = {line.name: -line.y[-1] for line in drawn}
    best = sorted(last, key=lambda name: (last[name], name))
    front = foremost([line.name for line in drawn], highlight, best)
    ends = [float(drawn[0].x[0]), float(max(line.x[-1] for line in drawn))]
    tall = domain([y for line in drawn for y in line.y], zero=True)
    chart = lines(
        at, drawn, front, x=("depth", ends), y=("pairs of runs that differ", tall), whole=True
    )
    said = (
        f"Of {len(study.pairs):,} pairs of {len(study.runs)} runs, those that differ after "
        f"Friedman's test (Conover, Holm over all depths and pairs of a line, alpha "
        f"{study.alpha:g})."
    )
    return finished(chart, at, "Significant differences by depth", [said])
