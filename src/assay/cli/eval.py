"""`assay eval`: runs and judgments to scores."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import (
    Command,
    files,
    ignore_self_option,
    labelled,
    lenient_option,
    load_plugins,
    measure_option,
    option,
    plugin_option,
    policies,
    policy_options,
)
from assay.cli.forms import form_options, judgment_files, run_files
from assay.cli.talk import deliver, progress, say, warn
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.inputs import File
    from assay.preferences import Preferences
    from assay.scores import Scores

__all__ = ["FORMATS", "MEASURES", "chosen_form", "command", "say_what_matters", "write"]

FORMATS = ("table", "tsv", "csv", "json", "jsonl", "markdown", "latex", "parquet")
SUFFIXES = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".tex": "latex",
    ".parquet": "parquet",
}
MEASURES = ("nDCG@10", "AP", "RR", "R@100")  # where none is asked for
ON_PAIRS = ("NDPM",)


@click.command("eval", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN...", nargs=-1, shell_complete=files)
@measure_option
@plugin_option
@option(
    "--judgments",
    "judgments",
    multiple=True,
    metavar="NAME=FILE",
    shell_complete=files,
    section="Input",
    help="A set of judgments, given once for each judge; then JUDGMENTS is left out.",
)
@option(
    "--preferences",
    "preferences",
    multiple=True,
    metavar="NAME=FILE",
    shell_complete=files,
    section="Input",
    help="Verdicts on pairs in the place of judgments, for measures such as NDPM, in any form of "
    "`assay preferences check`; repeatable. JUDGMENTS is left out.",
)
@lenient_option
@form_options
@policy_options("missing", "undefined", "mean", "unjudged", "negative", "ties", "precision")
@ignore_self_option
@option(
    "-o",
    "form",
    type=click.Choice(FORMATS),
    section="Output",
    help="Form of the output [table, or what the suffix of --output says]. "
    "tsv, csv and the json forms keep every digit.",
)
@option("--per-topic", is_flag=True, section="Output", help="Each topic's value beside the mean.")
@option(
    "--output",
    metavar="FILE",
    shell_complete=files,
    section="Output",
    help="Write to this file, which appears when it is complete, instead of standard output.",
)
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Score runs against graded judgments, one value per run and measure.

    JUDGMENTS and RUN are files in TREC form or any other that `assay convert -h` lists, compressed
    or not, `-` for standard input, irds:ID for a data set of ir_datasets; NAME=FILE gives one a
    name of your own.

    \b
    assay eval q.txt bm25.run -m nDCG@10                  one run, one measure
    assay eval q.txt *.run -m nDCG@10 -m AP --per-topic -o tsv > scores.tsv
    assay eval --judgments nist=q.txt --judgments llm=l.txt *.run -m nDCG@10
    assay eval q.txt old=a.run new=b.run.gz --unjudged condensed --ties expected
    assay eval --preferences verdicts.txt *.run -m NDPM
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    output = settings["output"]
    form = chosen_form(settings["form"], output)
    load_plugins(settings["plugins"])
    judgments, runs = _inputs(words, settings)
    measures = settings["measures"]
    if not measures:
        measures = ON_PAIRS if settings["preferences"] else MEASURES
        say(f"no -m given: {', '.join(measures)}")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here multiplies matrices
    from assay.evaluation import evaluate

    with progress("scoring") as report:
        scores = evaluate(
            _stated(settings) if settings["preferences"] else judgments,
            runs,
            list(measures),
            strict=not settings["lenient"],
            progress=report,
            **policies(settings),
        )
    write(scores, form, output, per_topic=settings["per_topic"])
    say_what_matters(scores, form, per_topic=settings["per_topic"])


def chosen_form(form: str | None, output: str | None) -> str:
    """The form of the output that is asked for, or that the file's suffix says."""
    chosen = form or SUFFIXES.get(Path(output).suffix.lower() if output else "", "table")
    if chosen == "parquet" and output is None and (sys.stdout is None or sys.stdout.isatty()):
        raise AssayError("Parquet is binary; name a file for it: --output scores.parquet")
    return chosen


def _inputs(
    words: tuple[str, ...], settings: dict[str, Any]
) -> tuple[dict[str, File | str], dict[str, File | str]]:
    judgments, preferences = settings["judgments"], settings["preferences"]
    if judgments and preferences:
        raise AssayError("--judgments and --preferences stand side by side; compare one at a time")
    if judgments or preferences:
        if not words:
            what = "judgments" if judgments else "preferences"
            raise AssayError(f"no run is given beside the {what}  Help: assay eval -h")
        return judgment_files(judgments, settings), run_files(words, settings)
    if len(words) < 2:
        found = f"only {words[0]!r}" if words else "neither"
        raise AssayError(
            f"expected JUDGMENTS and one RUN or more, found {found}  Help: assay eval -h"
        )
    return judgment_files(words[:1], settings), run_files(words[1:], settings)


def _stated(settings: dict[str, Any]) -> dict[str, Preferences]:
    from assay.preferences import read_preferences

    strict = not settings["lenient"]
    found = labelled(settings["preferences"], "sets of preferences")
    return {
        label: read_preferences(path, label=label, strict=strict) for label, path in found.items()
    }


def write(scores: Scores, form: str, output: str | None, *, per_topic: bool) -> None:
    """Write scores where they are wanted."""
    from assay.show import formats
    from assay.show.scores import score_table

    if form == "parquet":
        deliver([formats.parquet(scores, per_topic=per_topic)], output)
        return
    if form != "table":
        deliver(formats.text(scores, form, per_topic=per_topic), output)
        return
    table = score_table(scores, per_topic=per_topic, talk=False)
    if output is None and sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        Console(highlight=False, soft_wrap=False).print(table)
    else:
        deliver([f"{table}\n"], output)


def say_what_matters(scores: Scores, form: str, *, per_topic: bool) -> None:
    """What the data on stdout do not say themselves."""
    from assay.policy import Policy
    from assay.show.scores import remarks

    if form in ("tsv", "csv", "jsonl", "parquet"):
        if scores.policy != Policy():
            say(str(scores.policy))
        if per_topic and "all" in scores.topics:
            warn("a topic is named 'all', as the rows of the means are; -o json keeps them apart")
    for text in remarks(scores):
        say(text)
    for text in scores.warnings:
        warn(text)
