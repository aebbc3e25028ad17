"""`assay power`: how many topics a comparison needs."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import Command, files, option
from assay.cli.forms import form_options
from assay.cli.results import alpha_option, input_options, output_options, score, show, talk

__all__ = ["command"]


@click.command("power", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN RUN...", nargs=-1, shell_complete=files)
@input_options
@form_options
@option(
    "--difference",
    "differences",
    type=float,
    multiple=True,
    metavar="D",
    section="Tests",
    help="A true difference of means to find; repeatable [0.01 0.02 0.05 0.1].",
)
@alpha_option
@option(
    "--power",
    "chance",
    type=float,
    default=0.8,
    show_default=True,
    section="Tests",
    help="Chance of finding it.",
)
@option(
    "--comparisons",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    section="Tests",
    help="Differences that will be tested together; alpha is divided by their number.",
)
@output_options("table", "markdown", "latex", "html", "json", "csv")
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Say how many topics a comparison needs, and what the present ones can find.

    Sakai's topic set size design, from the variance that these runs show, pooled over all of them;
    beside each number the one for that variance's upper 80 % bound.

    \b
    assay power q.txt *.run -m nDCG@10
    assay power q.txt *.run -m nDCG@10 -m AP --difference 0.03 --comparisons 6
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    scores, _, _ = score(words, settings, "JUDGMENTS and two RUNs or more", (2, None))
    from assay.powering import DIFFERENCES, power
    from assay.show.power import power_table, text

    found = power(
        scores,
        difference=settings["differences"] or DIFFERENCES,
        alpha=settings["alpha"],
        power=settings["chance"],
        comparisons=settings["comparisons"],
    )
    show(power_table(found), lambda form: text(found, form), settings["form"], settings["output"])
    talk(found.notes, found.warnings)
