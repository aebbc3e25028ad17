"""How runs score relevant, other judged and unjudged documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.show.charts.finish import altair, data, finished
from assay.show.charts.layout import domain, labels, ticks
from assay.show.charts.look import BLUE, DASHES, VERMILLION, look
from assay.status_values import CLASSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.status_values import RetrievalStatus

__all__ = ["retrieval_scores"]

FEW = 4  # runs in one picture


def retrieval_scores(
    found: RetrievalStatus, *, only: Sequence[str] = (), preset: str = "screen"
) -> Any:
    """Draw how scores are distributed over relevant, other judged and unjudged documents."""
    at = look(preset)
    alt = altair()
    if len(only) > FEW:
        raise AssayError(f"only: {len(only)} runs named; a picture has room for {FEW}")
    for name in only:
        if name not in found.runs:
            raise AssayError(f"only: no {name!r} here; there are: {', '.join(found.runs)}")
    chosen = [run for run in found.runs if run in (only or found.runs[:FEW])][:FEW]
    shown = dict(zip(found.runs, labels(found.runs), strict=True))
    shares = found.shares
    places = [found.runs.index(run) for run in chosen]
    known = [x for r in places for x in shares[r].ravel().tolist()]
    tall = domain(known, zero=True)
    paint = alt.Scale(domain=list(CLASSES), range=[BLUE, VERMILLION, "#9a9a9a"])
    dash = alt.Scale(
        domain=list(CLASSES),
        range=[[round(x * at.line, 2) for x in DASHES[k]] for k in (0, 1, 2)],
    )
    head = alt.Legend(
        title=None,
        orient="top",
        symbolType="stroke",
        symbolStrokeWidth=at.line,
        symbolOpacity=1,
        symbolSize=at.font * at.font * 4,
    )
    panels = []
    for k, r in enumerate(places):
        rows = [
            {
                "kind": kind,
                "from": float(found.edges[r, b]),
                "to": float(found.edges[r, b + 1]),
                "share": float(share),
            }
            for c, kind in enumerate(CLASSES)
            for b, share in enumerate(shares[r, c])
        ]
        # a step ends where the last bin does
        rows += [
            {**row, "from": row["to"]} for row in rows if row["to"] == float(found.edges[r, -1])
        ]
        ends = [float(found.edges[r, 0]), float(found.edges[r, -1])]
        last = k == len(places) - 1
        across = alt.X(
            "from:Q",
            scale=alt.Scale(domain=ends, nice=False),
            axis=alt.Axis(
                title=_axis(found) if last else None,
                labels=last or found.scale == "none",
                grid=False,
                values=ticks(ends, 6),
            ),
        )
        up = alt.Y(
            "share:Q",
            scale=alt.Scale(domain=tall, nice=False),
            axis=alt.Axis(
                title=None,
                values=ticks(tall, 4),
                format="~%",
                minExtent=at.font * 2.6,
            ),
        )
        base = alt.Chart(data(rows))
        color = alt.Color("kind:N", scale=paint, legend=head)
        area = base.mark_area(interpolate="step-after", opacity=0.15, line=False).encode(
            across, alt.Y("share:Q", stack=None), color=color
        )
        line = base.mark_line(interpolate="step-after", strokeWidth=at.line * 0.8).encode(
            across,
            up,
            color=color,
            strokeDash=alt.StrokeDash("kind:N", scale=dash, legend=head),
        )
        name = alt.TitleParams(shown[chosen[k]], fontSize=at.font, offset=at.font / 2)
        panels.append(alt.layer(area, line).properties(height=_height(at, len(places)), title=name))
    said = [f"Share of the documents of each kind; relevant from grade {found.rel:g}."]
    if len(chosen) < len(found.runs):
        said.append(f"{len(chosen)} of {len(found.runs)} runs.")
    title = "Scores of relevant and other documents"
    wide = at.width - at.font * 5
    chart = alt.vconcat(*(each.properties(width=wide) for each in panels), spacing=at.font * 0.8)
    return finished(chart, at, title, said, fits=False)


def _axis(found: RetrievalStatus) -> str:
    return "score, lowest to highest of each topic" if found.scale == "topic" else "score"


def _height(at: Any, panels: int) -> float:
    titles = at.font * 2.4 * panels if at.name == "slide" else 0  # a page may be longer
    return float(at.height) if panels == 1 else (at.height * 0.95 - titles) / panels
