"""What `compare`, `gate` and `power` share: options, the scores to start from, output."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import (
    Function,
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
from assay.cli.forms import judgment_files, run_files
from assay.cli.talk import deliver, progress, say, warn
from assay.errors import AssayError
from assay.stats.names import CORRECTIONS, FAMILIES, INTERVALS, TESTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assay.inputs import File
    from assay.scores import Scores
    from assay.show.sheet import Sheet

__all__ = [
    "MEASURE",
    "alpha_option",
    "input_options",
    "label_of",
    "output_options",
    "plan_options",
    "readable_twice",
    "score",
    "show",
    "talk",
]

SUFFIXES = {
    ".csv": "csv",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
}
MEASURE = "nDCG@10"  # where none is asked for

alpha_option = option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    section="Tests",
    help="Level of significance; intervals are at 1 - alpha.",
)


def input_options(function: Function) -> Function:
    """Measures, topics and documents, as for `assay eval`."""
    decorators = (
        measure_option,
        plugin_option,
        lenient_option,
        policy_options("missing", "undefined", "unjudged", "negative", "ties", "precision"),
        ignore_self_option,
    )
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def plan_options(function: Function) -> Function:
    """What is tested, and how: the settings of `assay.compare`."""
    decorators = (
        option(
            "--baseline",
            metavar="RUN",
            section="Tests",
            help="Compare each run with this one, named by label or file, instead of all with all.",
        ),
        option(
            "--test",
            type=click.Choice(TESTS),
            section="Tests",
            help="[t for two runs or with --baseline, randomized-tukey-hsd for all pairs] "
            "wilcoxon, sign and friedman test another hypothesis than that of equal means, and say "
            "so.",
        ),
        option(
            "--correction",
            type=click.Choice(CORRECTIONS),
            section="Tests",
            help="[holm] For several differences; the two hsd tests need none.",
        ),
        alpha_option,
        option(
            "--interval",
            type=click.Choice(INTERVALS),
            default="simultaneous",
            show_default=True,
            section="Tests",
            help="simultaneous agrees with the corrected p; plain holds for one difference by "
            "itself; bootstrap is studentised, with its test; bca is plain and needs 30 topics.",
        ),
        option(
            "--family",
            type=click.Choice(FAMILIES),
            default="primary",
            show_default=True,
            section="Tests",
            help="The first -m is primary and the others are an exploratory family; all joins "
            "them.",
        ),
        option(
            "--resamples",
            type=click.IntRange(min=100),
            default=10_000,
            show_default=True,
            section="Tests",
            help="For tests that draw at random.",
        ),
        option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            section="Tests",
            help="The same seed draws the same.",
        ),
    )
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def output_options(*forms: str) -> Callable[[Function], Function]:
    """-o and --output."""

    def decorate(function: Function) -> Function:
        function = option(
            "--output",
            metavar="FILE",
            shell_complete=files,
            section="Output",
            help="Write to this file, which appears when it is complete, "
            "instead of standard output.",
        )(function)
        return option(
            "-o",
            "form",
            type=click.Choice(forms),
            section="Output",
            help="Form of the output [table, or what the suffix of --output says].",
        )(function)

    return decorate


def score(
    words: tuple[str, ...],
    settings: dict[str, Any],
    expected: str,
    runs: tuple[int, int | None],
    also: str | None = None,
) -> tuple[Scores, dict[str, File | str], dict[str, File | str]]:
    """The scores of the files named, `also` as the last measure, and the files by label."""
    least, most = runs
    if len(words) < 1 + least or (most is not None and len(words) > 1 + most):
        found = f"found {len(words)} file(s)" if words else "found nothing"
        raise AssayError(
            f"expected {expected}, {found}  Help: {click.get_current_context().command_path} -h"
        )
    load_plugins(settings["plugins"])
    judgments, named = judgment_files(words[:1], settings), run_files(words[1:], settings)
    measures = settings["measures"]
    if not measures:
        say(f"no -m given: {MEASURE}")
        measures = (MEASURE,)
    # resampling multiplies small matrices, over which threads would wait more than they compute
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from assay.evaluation import evaluate

    with progress("scoring") as report:
        scores = evaluate(
            judgments,
            named,
            [*measures, *([also] if also else [])],
            strict=not settings["lenient"],
            progress=report,
            **policies(settings),
        )
    return scores, judgments, named


def label_of(named: str | None, words: tuple[str, ...]) -> str | None:
    """The label of a run that is named by its label or by its file; `words` name all runs."""
    runs = labelled(words, "runs")
    labels = [label for label, path in runs.items() if named in (path, f"{label}={path}")]
    return labels[0] if labels and named not in runs else named


def readable_twice(*named: dict[str, File | str]) -> bool:
    """Whether every file is a plain one, not a pipe."""
    every = [file for files in named for file in files.values()]
    return all(Path(file if isinstance(file, str) else file.path).is_file() for file in every)


def show(
    sheet: Sheet, text: Callable[[str], Iterable[str]], form: str | None, output: str | None
) -> None:
    """Write the sheet, or its form for programs; notes and warnings go to stderr."""
    chosen = form or SUFFIXES.get(Path(output).suffix.lower() if output else "", "table")
    if chosen != "table":
        deliver(text(chosen), output)
    elif output is None and sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        Console(highlight=False, soft_wrap=False).print(sheet.quiet())
    else:
        deliver([f"{sheet.quiet()}\n"], output)


def talk(notes: Iterable[str], warnings: Iterable[str]) -> None:
    """Say what the data do not."""
    for text in notes:
        say(text)
    for text in warnings:
        warn(text)
