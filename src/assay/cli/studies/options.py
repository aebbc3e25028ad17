"""What the studies of runs share: arguments, options, and how they are handed on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import load_plugins, option, policies
from assay.cli.forms import judgment_files, run_files
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.command import Function

__all__ = ["given", "resampling_options"]


def resampling_options(function: Function) -> Function:
    """--resamples and --seed."""
    function = option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        section="Tests",
        help="The same seed draws the same.",
    )(function)
    return option(
        "--resamples",
        type=click.IntRange(min=100),
        default=2_000,
        show_default=True,
        section="Tests",
        help="Permutations of the randomised Tukey HSD test.",
    )(function)


def given(words: tuple[str, ...], settings: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Judgments, runs, and the settings of the evaluation, from JUDGMENTS RUN RUN..."""
    if len(words) < 3:
        found = f"found {len(words)} file(s)" if words else "found nothing"
        where = click.get_current_context().command_path
        raise AssayError(f"expected JUDGMENTS and two RUNs or more, {found}  Help: {where} -h")
    load_plugins(settings["plugins"])
    rest = {**policies(settings), "strict": not settings["lenient"]}
    return judgment_files(words[:1], settings), run_files(words[1:], settings), rest
