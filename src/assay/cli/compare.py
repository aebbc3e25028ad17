"""`assay compare`: differences between runs, tested, sized, and what could overturn them."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import Command, files, option
from assay.cli.forms import form_options
from assay.cli.results import (
    input_options,
    label_of,
    output_options,
    plan_options,
    readable_twice,
    score,
    show,
    talk,
)
from assay.cli.talk import progress, say

__all__ = ["command"]

MOST_RESIDUALS = 50  # differences for which they are made unasked


@click.command("compare", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN RUN...", nargs=-1, shell_complete=files)
@input_options
@form_options
@plan_options
@option(
    "--residuals/--no-residuals",
    "residuals",
    default=None,
    section="Tests",
    help="How far unjudged documents could move each difference [up to 50 differences].",
)
@output_options("table", "markdown", "latex", "html", "json", "csv")
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Compare runs: how large the difference is, whether it is real, what could overturn it.

    Topics on which a run has no value are left out for all runs. What was tested and how stands
    under the table, with a verdict in words.

    \b
    assay compare q.txt bm25.run rm3.run -m nDCG@10                   two runs
    assay compare q.txt *.run -m nDCG@10 -m AP --baseline bm25        each with the baseline
    assay compare q.txt *.run -m nDCG@10 --test friedman -o latex
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    scores, judgments, runs = score(words, settings, "JUDGMENTS and two RUNs or more", (2, None))
    from assay.comparison import compare

    settings["baseline"] = label_of(settings["baseline"], words[1:])
    names = ("baseline", "test", "correction", "alpha", "interval", "family", "resamples", "seed")
    with progress("comparing") as report:
        comparison = compare(scores, progress=report, **{name: settings[name] for name in names})
    wanted = settings["residuals"]
    if wanted or (wanted is None and len(comparison.differences) <= MOST_RESIDUALS):
        if readable_twice(judgments, runs):
            with progress("residuals") as report:
                comparison = comparison.with_residuals(
                    judgments, runs, strict=not settings["lenient"], progress=report
                )
        else:
            say("no residuals: they read the files once more, and one of them is a pipe")
    elif wanted is None:
        say(f"no residuals for {len(comparison.differences):,} differences; --residuals makes them")
    from assay.show.comparison import comparison_table, text

    sheet = comparison_table(comparison)
    show(sheet, lambda form: text(comparison, form), settings["form"], settings["output"])
    talk(comparison.notes, comparison.warnings)
