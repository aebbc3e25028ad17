"""`assay study gains`: whether conclusions survive other weights, discounts and depths."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import Command, files, option
from assay.cli.forms import form_options
from assay.cli.results import alpha_option, input_options, output_options
from assay.cli.studies.options import given, resampling_options
from assay.cli.tables import FORMS, deliver, show_option
from assay.cli.talk import progress, say

__all__ = ["command"]


@click.command("gains", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN RUN...", nargs=-1, shell_complete=files)
@input_options
@form_options
@option(
    "--weights",
    multiple=True,
    metavar="W-W-...",
    section="Gains",
    help="A weight for each level from 0, such as 0-1-10-100; repeatable [0-1-1-1, 0-0-0-1, "
    "0-1-10-100 and 0-1-2-3, made for the scale of the judgments].",
)
@option(
    "--base",
    "bases",
    type=float,
    multiple=True,
    default=(2.0,),
    show_default=True,
    section="Gains",
    help="Base of the logarithm, for measures that have one; repeatable.",
)
@option(
    "--depth",
    "depths",
    type=click.IntRange(min=1),
    multiple=True,
    default=(200,),
    show_default=True,
    section="Gains",
    help="Cut-off of the averages; repeatable.",
)
@option(
    "--sweep",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    section="Gains",
    help="Test at every depth from 1 to this one, corrected as one family.",
)
@option("--no-sweep", is_flag=True, section="Gains", help="Leave the depths out.")
@option(
    "--scenario",
    "scenarios",
    type=click.Choice(("impatient", "patient")),
    multiple=True,
    default=("impatient", "patient"),
    show_default=True,
    section="Gains",
    help="impatient: depth 30, weights 0-1-10-100, base 2; patient: 200, 0-1-2-3, base 10; "
    "repeatable.",
)
@option(
    "--collapse",
    "merges",
    multiple=True,
    metavar="all|C-C-...",
    section="Gains",
    help="Merge neighbouring levels: all ways, or the class of each level, such as 0-0-1-1; "
    "repeatable.",
)
@alpha_option
@resampling_options
@show_option("averages, tests, sweep, scenarios, collapse")
@output_options(*FORMS)
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Whether conclusions survive other weights of levels, discounts and depths.

    The experiment of Järvelin & Kekäläinen 2002: averages over topics under several weights, with
    Friedman's test and analysis of variance (Table II); significance at every depth; an impatient
    and a patient user; merged levels. -m takes measures with weights, such as nDCG or Q.

    \b
    assay study gains q.txt *.run                            the paper's Table II
    assay study gains q.txt *.run --weights 0-1-5 --base 2 --base 10 --depth 10
    assay study gains q.txt *.run --collapse all --no-sweep  which conclusions flip
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    judgments, runs, rest = given(words, settings)
    from assay.studies.gains import MEASURES, study_gains

    if not settings["measures"]:
        say(f"no -m given: {', '.join(MEASURES)}")
    merges = settings["merges"]
    with progress("weighing") as report:
        found = study_gains(
            judgments,
            runs,
            list(settings["measures"]) or None,
            weights=list(settings["weights"]) or None,
            bases=settings["bases"],
            depths=settings["depths"],
            sweep=None if settings["no_sweep"] else settings["sweep"],
            scenarios=settings["scenarios"],
            collapse="all" if "all" in merges else merges or None,
            alpha=settings["alpha"],
            resamples=settings["resamples"],
            seed=settings["seed"],
            progress=report,
            **rest,
        )
    deliver(found, settings)
