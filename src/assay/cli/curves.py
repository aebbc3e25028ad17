"""`assay curves`: what measures give at every rank, beside the ideal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import Command, files, load_plugins, option, policies
from assay.cli.forms import form_options, judgment_files, run_files
from assay.cli.results import input_options, output_options, show, talk
from assay.cli.talk import progress, say
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.gain_curves import Curves

__all__ = ["command"]

MEASURES = ("nDCG_JK",)  # where none is asked for


@click.command("curves", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN...", nargs=-1, shell_complete=files)
@input_options
@form_options
@option(
    "--depth",
    type=click.IntRange(min=1),
    section="Measures",
    help="The last rank [that of the measures' cut-offs, or 100].",
)
@option(
    "--average",
    type=click.Choice(("ratios", "vectors")),
    default="ratios",
    show_default=True,
    section="Topics",
    help="ratios: the mean of the topics' values, as in a table; vectors: mean gains over mean "
    "ideals, as the paper's curves.",
)
@option(
    "--against",
    metavar="RUN",
    default="ideal",
    show_default=True,
    section="Output",
    help="The run whose gain at a rank is to be reached: `ideal@10 at` in the table, `reach` in "
    "tsv and json.",
)
@output_options("table", "tsv", "json", "markdown", "latex", "html")
@option("--per-topic", is_flag=True, section="Output", help="Each topic's vector, in tsv and json.")
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Show what measures give at every rank, beside the ideal, and how far runs are behind.

    A measure is one with a cut-off, such as CG, DCG_JK(b=10), nDCG, P, R, or PR: interpolated
    precision at levels of recall. `area to 1` is the mean distance of the normalised curve from the
    ideal's; `gap to ideal` the largest one of the gains themselves, as CG of nCG, and `behind best`
    to the best run, with their ranks; `ideal@10 at` the rank at which a run has what the ideal has
    at rank 10. json also says where the curves of two runs cross.

    \b
    assay curves q.txt bm25.run dense.run -m "nDCG_JK(b=2)" --depth 100
    assay curves q.txt *.run -m CG -m nCG --average vectors -o tsv > curves.tsv
    assay curves q.txt *.run -m PR
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    if len(words) < 2:
        given = f"only {words[0]!r}" if words else "neither"
        raise AssayError(
            f"expected JUDGMENTS and one RUN or more, found {given}  Help: assay curves -h"
        )
    load_plugins(settings["plugins"])
    measures = settings["measures"]
    if not measures:
        say(f"no -m given: {', '.join(MEASURES)}")
        measures = MEASURES
    from assay.gain_curves import curves

    with progress("scoring") as report:
        found = curves(
            judgment_files(words[:1], settings),
            run_files(words[1:], settings),
            list(measures),
            depth=settings["depth"],
            average=settings["average"],
            strict=not settings["lenient"],
            progress=report,
            **policies(settings),
        )
    per_topic, against = settings["per_topic"], settings["against"]
    show(
        found.table(against=against),
        lambda form: _text(found, form, against, per_topic=per_topic),
        settings["form"] or ("tsv" if (settings["output"] or "").endswith(".tsv") else None),
        settings["output"],
    )
    talk(found.notes, found.warnings)


def _text(found: Curves, form: str, against: str, *, per_topic: bool) -> Iterator[str]:
    from dataclasses import asdict

    from assay.show.records import json_of, tsv_of

    if form in ("markdown", "latex", "html"):
        yield getattr(found.table(against=against), f"to_{form}")() + "\n"
        return
    frame = found.to_polars(per_topic=per_topic, against=against)
    if form == "tsv":
        yield from tsv_of(frame if len(found.judges) > 1 else frame.drop("judge"))
        return
    readings = [
        {"judge": judge, "measure": measure, "ideal_flat": _flat(found, measure, judge)}
        | asdict(each)
        for judge in found.judges
        for measure in found.measures
        for each in found.readings(measure, judge)
    ]
    crossings = [
        {"judge": judge, "measure": measure, "run": run, "other": other, found.axis: points}
        for judge in found.judges
        for measure in found.measures
        for (run, other), points in found.crossed(measure, judge).items()
    ]
    head = {
        "average": found.average,
        "against": against,
        "policies": asdict(found.policy),
        "notes": list(found.notes),
        "warnings": list(found.warnings),
    }
    yield from json_of(head, readings=readings, crossings=crossings, points=frame.to_dicts())


def _flat(found: Curves, measure: str, judge: str) -> float | None:
    return found.flat(measure=measure, judge=judge) if found.cumulated(measure) else None
