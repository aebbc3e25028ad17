"""`assay study measures`: which measures rank runs alike, and which tell them apart."""

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


@click.command("measures", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN RUN...", nargs=-1, shell_complete=files)
@input_options
@form_options
@alpha_option
@resampling_options
@option(
    "--draws",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    section="Tests",
    help="Pairs of disjoint sets of topics for the swap rates.",
)
@show_option("grid or tau, power, identities")
@output_options(*FORMS)
def command(words: tuple[str, ...], **settings: Any) -> None:
    """How alike measures rank the runs, and how surely each tells them apart.

    Kendall's tau between the rankings of runs by every two measures, signs kept where lower is
    better; discriminative power by a randomised Tukey HSD test; swap rates between disjoint sets of
    topics. Without -m the grid of Imafouo & Tannier 2005: measures on scores against precision.

    \b
    assay study measures q.txt *.run                        the paper's grid
    assay study measures q.txt *.run -m nDCG@10 -m AP -m RR  your own
    assay study measures q.txt *.run --show swaps -o csv
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    judgments, runs, rest = given(words, settings)
    from assay.studies.measures import study_measures

    if not settings["measures"]:
        say("no -m given: the grid of Imafouo & Tannier, five measures on scores and nine on ranks")
    with progress("comparing measures") as report:
        found = study_measures(
            judgments,
            runs,
            list(settings["measures"]) or None,
            alpha=settings["alpha"],
            resamples=settings["resamples"],
            draws=settings["draws"],
            seed=settings["seed"],
            progress=report,
            **rest,
        )
    deliver(found, settings)
