"""`assay study axioms`: which properties measures have, and what shows the lack of one."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import (
    Command,
    load_plugins,
    measure_names,
    measure_option,
    option,
    plugin_option,
)
from assay.cli.results import output_options
from assay.cli.tables import FORMS, deliver, show_option
from assay.cli.talk import progress, say

__all__ = ["command"]


@click.command("axioms", cls=Command)
@click.argument("words", metavar="[MEASURE...]", nargs=-1, shell_complete=measure_names)
@measure_option
@plugin_option
@option(
    "--documents",
    type=click.IntRange(min=2, max=7),
    default=5,
    show_default=True,
    section="Lists",
    help="Judged documents of a topic, at most.",
)
@option(
    "--levels",
    type=click.IntRange(min=2, max=6),
    default=3,
    show_default=True,
    section="Lists",
    help="Relevance levels.",
)
@show_option("properties, counter-examples; legend says what the properties are")
@output_options(*FORMS)
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Which properties measures have, and for each one they lack the smallest counter-example.

    Zhou & Yao's a, b and c; Moffat's seven (bounded, monotone, convergent, top-weighted, localised,
    complete, realisable); swap and replacement. Every list of every small topic is looked at,
    smallest first: a yes is no proof, a no is.

    \b
    assay study axioms                      measures that papers criticise
    assay study axioms AP nDCG@10 "RBP(p=0.5)"
    assay study axioms ERR --show legend --show counter-examples
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    load_plugins(settings["plugins"])
    from assay.studies.axioms import MEASURES, study_axioms

    asked = [*words, *settings["measures"]]
    if not asked:
        say(f"no measure given: {', '.join(MEASURES)}")
    with progress("searching") as report:
        found = study_axioms(
            asked or None,
            documents=settings["documents"],
            levels=settings["levels"],
            progress=report,
        )
    deliver(found, settings)
