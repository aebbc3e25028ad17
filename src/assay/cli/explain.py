"""`assay explain`: one value, step by step."""

from __future__ import annotations

import sys
from typing import Any

import click

from assay.cli.command import (
    Command,
    files,
    ignore_self_option,
    lenient_option,
    load_plugins,
    measure_option,
    option,
    plugin_option,
    policies,
    policy_options,
)
from assay.cli.forms import form_options, judgment_files, run_files
from assay.cli.talk import deliver, say

__all__ = ["command"]

MEASURES = ("nDCG@10",)


@click.command("explain", cls=Command)
@click.argument("judgments", shell_complete=files)
@click.argument("run", shell_complete=files)
@click.argument("topic")
@measure_option
@plugin_option
@policy_options("unjudged", "negative", "ties", "precision")
@ignore_self_option
@lenient_option
@form_options
@option(
    "--rows",
    type=click.IntRange(min=0),
    default=40,
    show_default=True,
    section="Output",
    help="Rows of the list to show; 0 shows all.",
)
def command(judgments: str, run: str, topic: str, **settings: Any) -> None:
    """Show how a topic's value comes about, and what other tools say.

    The arithmetic rank by rank, with the ideal beside it; then what trec_eval 9 and 10,
    ir_measures, ranx and scikit-learn give for the same list, and why. Their numbers are computed
    here by their conventions; the tools need not be installed.

    \b
    assay explain q.txt bm25.run 301 -m nDCG@10
    assay explain q.txt bm25.run 301 -m AP -m "RBP(p=0.9)" --ties expected
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    load_plugins(settings["plugins"])
    measures = settings["measures"]
    if not measures:
        say(f"no -m given: {', '.join(MEASURES)}")
        measures = MEASURES
    from assay.explanation import explain

    rows = settings["rows"] or None
    for i, measure in enumerate(measures):
        explanation = explain(
            judgment_files((judgments,), settings),
            run_files((run,), settings),
            topic,
            measure,
            strict=not settings["lenient"],
            **policies(settings),
        )
        table = explanation.table(rows=rows)
        if i:
            deliver(["\n"])
        if sys.stdout is not None and sys.stdout.isatty():
            from rich.console import Console

            Console(highlight=False, soft_wrap=False).print(table)
        else:
            deliver([f"{table}\n"])
