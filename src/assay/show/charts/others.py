"""Studies of pools, virtual users, properties of measures, errors of judges, cheap judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.finish import finished
from assay.show.charts.heat import heat
from assay.show.charts.layout import domain
from assay.show.charts.lines import Line, foremost, lines
from assay.show.charts.look import look
from assay.show.charts.spans import Span, spans
from assay.show.text import number, printable

if TYPE_CHECKING:
    from assay.judges.estimate import Estimates
    from assay.judges.estimation import EstimateStudy
    from assay.judges.simulation import SlipshodStudy
    from assay.studies.axioms import AxiomStudy
    from assay.studies.pool import PoolStudy
    from assay.studies.virtual_user import VirtualUserStudy

__all__ = ["axioms", "estimates", "models", "pool", "virtual_user"]


def pool(study: PoolStudy, *, preset: str = "screen") -> Any:
    """Draw how alike shallower pools rank the runs."""
    at = look(preset)
    if not study.shallow:
        raise AssayError("no shallower pool was tried: study_pool(..., depths=(1, 5, 10))")
    names = [str(measure) for measure in study.measures]
    depths = [float(each.depth) for each in study.shallow]
    banded = len(names) <= 3
    drawn = []
    for m, name in enumerate(names):
        taus = [each.tau[m] for each in study.shallow]
        low, high = ([tau.low for tau in taus], [tau.high for tau in taus]) if banded else ((), ())
        drawn.append(Line(name, depths, [tau.value for tau in taus], low, high))
    reach = [y for line in drawn for part in (line.y, line.low, line.high) for y in part]
    tall = domain(reach)
    chart = lines(
        at,
        drawn,
        foremost(names, (), names),
        x=("depth of the pool", [depths[0], max(depths[-1], depths[0] + 1)]),
        y=("tau-b with all judgments", [tall[0], min(tall[1], 1.0)]),
        whole=True,
        points=True,
    )
    said = f"{len(study.runs)} runs; {study.judged:,} judgments in all"
    said += "; 95 % intervals over topics, each depth by itself." if banded else "."
    return finished(chart, at, "Do shallower pools rank the runs alike?", [said])


def virtual_user(
    study: VirtualUserStudy, *, user: str | None = None, preset: str = "screen"
) -> Any:
    """Draw what runs score by each measure under the grades that one of them would give."""
    user = study.users[0] if user is None else user
    if user not in study.users:
        raise AssayError(f"no user {user!r} in this study; there are: {', '.join(study.users)}")
    means = study.means[study.users.index(user), 0]
    names = [str(measure) for measure in study.measures]
    return heat(
        look(preset),
        study.runs,
        names,
        means.tolist(),
        of="mean",
        title=f"Runs under the grades of {printable(user)}",
        said=[f"Grades: {study.scales[0]}. {printable(user)} itself must score 1."],
        row="run",
        column="measure",
        ends=(0.0, 1.0),
    )


def axioms(study: AxiomStudy, *, preset: str = "screen") -> Any:
    """Draw which measures have which properties."""
    from assay.studies.axioms import PROPERTIES

    said = (
        f"Dark: no counter-example among the {study.lists:,} lists of up to {study.documents} "
        "judged documents, which is no proof."
    )
    values = [
        [float(study.holds(measure, name)) for name in PROPERTIES] for measure in study.measures
    ]
    return heat(
        look(preset),
        [str(measure) for measure in study.measures],
        list(PROPERTIES),
        values,
        of="has the property",
        title="Which properties measures have",
        said=[said],
        row="measure",
        column="property",
        ends=(0.0, 1.0),
        digits=0,
    )


def models(study: SlipshodStudy, *, preset: str = "screen") -> Any:
    """Draw the tau that each model of error foretells, and the one that was observed."""
    at = look(preset)
    measures = len({check.measure for check in study.checks}) > 1
    rows = [
        Span(
            f"{check.model}, {check.measure}" if measures else check.model,
            check.tau.observed,
            start=check.tau.low,
            end=check.tau.high,
            mark=check.tau.mean,
            text=("fits" if check.fits else "misses") if check.tested else "untested",
            filled=check.fits,
        )
        for check in study.checks
    ]
    chart = spans(at, rows, title="tau of judged with true means", value="observed tau", most=1.0)
    said = "Grey: 95 % of simulated judges, and their mean."
    if study.judge is not None:
        said += f" Points: {printable(study.judge)}. A model fits where its slope does so too."
    return finished(chart, at, "What errors foretell, and what was seen", [said])


def estimates(
    study: EstimateStudy | Estimates, *, measure: str | None = None, preset: str = "screen"
) -> Any:
    """Draw prediction-powered means with their intervals, beside those of human topics alone."""
    at = look(preset)
    found: Any = study
    if hasattr(study, "found"):
        names = [each.measure for each in study.found]
        if measure is not None and measure not in names:
            raise AssayError(f"no measure {measure!r} here; there are: {', '.join(names)}")
        found = study.found[0 if measure is None else names.index(measure)]
    means = found.means
    order = sorted(range(len(found.runs)), key=lambda r: (-means.value[r], found.runs[r]))
    rows = [
        Span(
            found.runs[r],
            float(means.value[r]),
            float(means.low[r]),
            float(means.high[r]),
            start=float(means.human_low[r]),
            end=float(means.human_high[r]),
            mark=float(means.human[r]),
            text=number(float(means.value[r])),
        )
        for r in order
    ]
    chart = spans(at, rows, title=f"mean {found.measure}", value="mean")
    said = (
        f"Points: {printable(found.cheap)} on {means.N} topics, corrected by "
        f"{printable(found.human)} on {means.n}. Grey: {printable(found.human)}'s topics alone. "
        f"{100 * (1 - found.alpha):g} % intervals."
    )
    return finished(chart, at, f"{found.measure} with a cheap judge's help", [said])
