"""`assay study pool`: whether the judgments treat all runs alike."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import (
    Command,
    files,
    lenient_option,
    measure_option,
    option,
    plugin_option,
    policy_options,
)
from assay.cli.forms import form_options
from assay.cli.results import output_options
from assay.cli.studies.options import given
from assay.cli.tables import FORMS, deliver, show_option
from assay.cli.talk import progress, say

__all__ = ["command"]

COUNT = click.IntRange(min=1)


@click.command("pool", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN RUN...", nargs=-1, shell_complete=files)
@measure_option
@plugin_option
@option(
    "--depth",
    type=COUNT,
    metavar="K",
    section="Pool",
    help="To which rank contributing runs were judged [the deepest at which 95 % of the documents "
    "are judged in half as many runs as at the best depth].",
)
@option(
    "--contributors",
    metavar="FILE",
    shell_complete=files,
    section="Pool",
    help="Names of the runs that were pooled, one a line [those judged that far].",
)
@option(
    "--groups",
    metavar="FILE",
    shell_complete=files,
    section="Pool",
    help="Lines of run and group: leave out whole groups as well.",
)
@option(
    "--pool",
    "depths",
    type=COUNT,
    multiple=True,
    metavar="K",
    section="Pool",
    help="Depth of a shallower pool; repeatable [1, 2, 3, 5, 7, 10, ... up to --depth].",
)
@option(
    "--rel",
    type=float,
    default=1.0,
    show_default=True,
    metavar="GRADE",
    section="Pool",
    help="The lowest relevant grade, for counting.",
)
@lenient_option
@form_options
@policy_options("negative", "precision")
@show_option("summary, depths, groups, moved")
@output_options(*FORMS)
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Whether runs keep their ranks with shallower pools, and had they not contributed.

    From the judgments is taken what only one run, or one group of runs, brought into the pool, and
    that run is scored as a newcomer would be (Zobel 1998; Buckley et al. 2007).

    \b
    assay study pool q.txt *.run -m nDCG@10 -m AP
    assay study pool q.txt *.run --groups teams.txt --contributors pooled.txt --depth 10
    assay study pool q.txt *.run --show runs -o csv
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    judgments, runs, rest = given(words, settings)
    from assay.studies.pool import MEASURES, study_pool

    if not settings["measures"]:
        say(f"no -m given: {', '.join(MEASURES)}")
    with progress("pooling") as report:
        found = study_pool(
            judgments,
            runs,
            list(settings["measures"]) or None,
            depth=settings["depth"],
            depths=settings["depths"] or None,
            contributors=settings["contributors"],
            groups=settings["groups"],
            rel=settings["rel"],
            progress=report,
            **rest,
        )
    deliver(found, settings)
