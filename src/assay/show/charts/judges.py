"""Judges: ranks of systems under each, agreement by rank and by pair, tau beside its floor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.finish import finished
from assay.show.charts.heat import heat
from assay.show.charts.layout import domain, labels
from assay.show.charts.lines import Line, foremost, lines
from assay.show.charts.look import look
from assay.show.charts.spans import Span, spans
from assay.show.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judges.agreement import Agreement
    from assay.judges.bands import Bands
    from assay.judges.group_scores import GroupScores
    from assay.judges.stability import Stability
    from assay.judges.study import JudgeStudy

__all__ = ["agreement", "agreement_by_rank", "bump", "judge_groups", "tau"]


def bump(
    study: JudgeStudy | Stability,
    *,
    measure: str | None = None,
    highlight: Sequence[str] = (),
    preset: str = "screen",
) -> Any:
    """Draw each system's rank under each judge, the best on top."""
    at = look(preset)
    found = _stability(study, measure)
    ranks = found.ranks
    first = dict(zip(found.runs, ranks[0].tolist(), strict=True))
    best = sorted(found.runs, key=lambda run: (math.isnan(first[run]), first[run], run))
    front = foremost(found.runs, highlight, best, 6)
    places = list(range(len(found.judges)))
    drawn = [Line(run, places, ranks[:, r].tolist()) for r, run in enumerate(found.runs)]
    ends = [0.0, float(max(1, len(places) - 1))]
    tall = [0.5, len(found.runs) + 0.5]
    chart = lines(
        at,
        drawn,
        front,
        x=("judge", ends),
        y=("rank of the system", tall),
        names=labels(found.judges, 22),
        points=len(found.runs) <= 20,
        reverse=True,
        height=max(at.height, min(at.height * 1.15, len(found.runs) * at.font * 1.1)),
        name="ranks",
    )
    said = f"By {found.measure}; {printable(found.reference)} is the reference. Rank 1 is best."
    return finished(chart, at, "Ranks of systems under each judge", [said])


def tau(
    study: JudgeStudy | Stability, *, measure: str | None = None, preset: str = "screen"
) -> Any:
    """Draw each judge's tau with the reference beside what other topics alone would do to it."""
    at = look(preset)
    found = _stability(study, measure)
    order = sorted(
        found.against,
        key=lambda one: (
            math.isnan(one.coefficients["tau-b"].value),
            -one.coefficients["tau-b"].value,
            one.judge,
        ),
    )
    rows = []
    for one in order:
        each, floor = one.coefficients["tau-b"], one.bootstrap["tau-b"]
        rows.append(
            Span(
                one.judge,
                each.value,
                each.low,
                each.high,
                start=floor.low,
                end=floor.high,
                mark=floor.mean,
                text="-" if math.isnan(each.value) else f"{each.value:.3f}",
            )
        )
    chart = spans(at, rows, title="tau-b with the reference's ranking", value="tau-b", most=1.0)
    said = (
        f"By {found.measure} over {len(found.runs)} systems, against "
        f"{printable(found.reference)}. Points: tau-b, 95 % intervals over topics. Grey: what two "
        f"samples of topics under {printable(found.reference)} alone give, middle 90 % and mean; a "
        "judge in the grey moves the ranking no more than other topics would."
    )
    return finished(chart, at, "Tau beside its noise floor", [said])


def agreement_by_rank(
    study: JudgeStudy | Bands, *, highlight: Sequence[str] = (), preset: str = "screen"
) -> Any:
    """Draw agreement (D/C) on the documents that systems put at each band of ranks."""
    at = look(preset)
    found: Any = getattr(study, "bands", (study,))
    if not found:
        raise AssayError("agreement by rank needs runs: compare_judges(judgments, runs)")
    names = found[0].names
    shares = {each.second: each.overlap for each in found}
    first = {name: share[0].value for name, share in shares.items()}
    best = sorted(first, key=lambda name: (math.isnan(first[name]), -first[name], name))
    front = foremost(list(shares), highlight, best)
    places = list(range(len(names)))
    banded = len(front) <= 3
    drawn = [
        Line(
            name,
            places,
            [each.value for each in share],
            [each.low for each in share] if banded else (),
            [each.high for each in share] if banded else (),
        )
        for name, share in shares.items()
    ]
    reach = [y for line in drawn for part in (line.y, line.low, line.high) for y in part]
    ends = [0.0, float(max(1, len(places) - 1))]
    chart = lines(
        at,
        drawn,
        front,
        x=("ranks", ends),
        y=("agreement, D/C", domain(reach, zero=True)),
        names=list(names),
        points=True,
        name="agreement",
    )
    said = (
        f"Share of the documents that {printable(found[0].first)} or the other judge calls "
        "relevant that both do, by where systems put them"
    )
    said += "; 95 % intervals over topics at each band by itself." if banded else "."
    return finished(chart, at, "Agreement by rank", [said])


def agreement(
    study: JudgeStudy | Agreement, *, coefficient: str = "kappa", preset: str = "screen"
) -> Any:
    """Draw a coefficient of agreement of every two judges as a shade."""
    found: Any = getattr(study, "agreement", study)
    known = found.pairs[0].micro
    if coefficient not in known:
        raise AssayError(f"coefficient={coefficient!r}: must be one of {', '.join(known)}")
    values = {(a, a): 1.0 for a in found.judges}
    for pair in found.pairs:
        value = pair.micro[coefficient].value
        values[pair.first, pair.second] = values[pair.second, pair.first] = value
    rows = [[values.get((a, b), math.nan) for b in found.judges] for a in found.judges]
    return heat(
        look(preset),
        found.judges,
        found.judges,
        rows,
        of=coefficient,
        title=f"Agreement of judges: {coefficient}",
        said=["Over all pairs of topic and document that both judged."],
        row="judge",
        column="other judge",
        ends=(0.0, 1.0) if all(x >= 0 or math.isnan(x) for row in rows for x in row) else (-1, 1),
    )


def judge_groups(found: GroupScores, *, measure: str | None = None, preset: str = "screen") -> Any:
    """Draw what each run scores under each judge and each group of judges."""
    measure = found.measures[0] if measure is None else measure
    if measure not in found.measures:
        there = ", ".join(found.measures)
        raise AssayError(f"no measure {measure!r} in these scores; there are: {there}")
    means = found.means()[:, :, found.measures.index(measure)]
    return heat(
        look(preset),
        found.runs,
        found.names,
        means.tolist(),
        of=measure,
        title=f"{measure} under each judge and group",
        said=[f"Means over topics; the first {found.judges} are single judges."],
        row="run",
        column="judge",
        digits=3,
    )


def _stability(study: JudgeStudy | Stability, measure: str | None) -> Stability:
    """The stability by one measure."""
    from assay.measures.measure import parse

    found: Any = getattr(study, "stability", (study,))
    if not found:
        raise AssayError("ranks of systems need runs: compare_judges(judgments, runs)")
    if measure is None:
        first: Stability = found[0]
        return first
    wanted = str(parse(measure))
    for each in found:
        if each.measure == wanted:
            same: Stability = each
            return same
    there = ", ".join(each.measure for each in found)
    raise AssayError(f"no measure {wanted} in this study; there are: {there}")
