"""`assay study sensitivity`: whether values depend on how many relevance levels there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import (
    Command,
    files,
    labelled,
    lenient_option,
    load_plugins,
    measure_option,
    option,
    plugin_option,
    policies,
    policy_options,
)
from assay.cli.results import output_options
from assay.cli.tables import FORMS, deliver, show_option
from assay.cli.talk import progress, say
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.judges.tabular import Tabulars

__all__ = ["command"]

COUNT = click.IntRange(min=1)


@click.command("sensitivity", cls=Command)
@click.argument("words", metavar="[RUN...]", nargs=-1, shell_complete=files)
@measure_option
@plugin_option
@option(
    "--levels",
    default="2,10,20,50",
    show_default=True,
    metavar="N,N,...",
    section="Artificial lists",
    help="How many relevance levels each scale has.",
)
@option(
    "--grades",
    type=click.Choice(("uniform", "skewed", "both")),
    default="both",
    show_default=True,
    section="Artificial lists",
    help="As many items on each level as can be, or with probabilities drawn at random.",
)
@option(
    "--items",
    type=click.IntRange(min=2),
    default=100,
    show_default=True,
    section="Artificial lists",
    help="Items of a list.",
)
@option(
    "--swaps",
    type=COUNT,
    default=99,
    show_default=True,
    section="Artificial lists",
    help="Pairs of items that change places, at most.",
)
@option(
    "--repeats",
    type=click.IntRange(min=2),
    default=100,
    show_default=True,
    section="Artificial lists",
    help="Lists over which a value is averaged.",
)
@option(
    "--tolerance",
    type=float,
    default=0.05,
    show_default=True,
    section="Artificial lists",
    help="Spread between scales that counts as none, as a share of the measure's range.",
)
@option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    section="Artificial lists",
    help="The same seed draws the same lists.",
)
@option(
    "--virtual-user",
    "users",
    multiple=True,
    metavar="RUN",
    shell_complete=files,
    section="Virtual user",
    help="Take the scores of this run, a file or the label of one of RUN..., as the grades that "
    "all runs are scored by; repeatable. Features of a LETOR file are runs named by number.",
)
@option(
    "--quantiles",
    type=click.IntRange(min=2),
    multiple=True,
    metavar="N",
    section="Virtual user",
    help="Also take N quantiles of the scores of each topic as grades; repeatable.",
)
@option(
    "--no-scores",
    is_flag=True,
    section="Virtual user",
    help="Take the quantiles alone, not the scores themselves.",
)
@lenient_option
@policy_options("missing", "undefined", "unjudged", "negative", "ties", "precision")
@show_option("sensitivity, or runs, levels")
@output_options(*FORMS)
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Whether values depend on the number of relevance levels (Scheel et al. 2011).

    Without files: lists in the ideal order, of which more and more random pairs change places, are
    graded on scales of different sizes. With --virtual-user: runs are scored by the grades that one
    of them would give; that one must score 1.

    \b
    assay study sensitivity                                  the paper's measures
    assay study sensitivity -m ERR@10 -m AP --levels 2,3,5
    assay study sensitivity *.run --virtual-user bm25 --quantiles 3 --quantiles 10
    assay study sensitivity ohsumed.txt --virtual-user 1     features of a LETOR file
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    load_plugins(settings["plugins"])
    if not settings["measures"]:
        from assay.studies.sensitivity import MEASURES

        say(f"no -m given: {', '.join(MEASURES)}")
    if settings["users"]:
        deliver(_virtual(words, settings), settings)
        return
    if words or settings["quantiles"]:
        found = words[0] if words else "--quantiles"
        raise AssayError(
            f"{found}: RUN... and --quantiles go with --virtual-user RUN, whose scores are the "
            "grades"
        )
    deliver(_artificial(settings), settings)


def _artificial(settings: dict[str, Any]) -> Tabulars:
    from assay.studies.sensitivity import DISTRIBUTIONS, study_sensitivity

    grades = settings["grades"]
    with progress("swapping") as report:
        return study_sensitivity(
            list(settings["measures"]) or None,
            levels=_levels(settings["levels"]),
            items=settings["items"],
            swaps=settings["swaps"],
            repeats=settings["repeats"],
            distributions=DISTRIBUTIONS if grades == "both" else grades,
            tolerance=settings["tolerance"],
            seed=settings["seed"],
            progress=report,
        )


def _levels(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise AssayError(f"--levels {text}: expected whole numbers, such as 2,10,20,50") from None


def _virtual(words: tuple[str, ...], settings: dict[str, Any]) -> Tabulars:
    from pathlib import Path

    from assay.studies.virtual_user import study_virtual_user

    users = settings["users"]
    own = tuple(user for user in users if "=" in user or Path(user).is_file())
    named = dict.fromkeys([*words, *own])
    if not named:
        raise AssayError(
            f"--virtual-user {users[0]}: expected RUN..., the runs to score by its grades"
        )
    runs = labelled(tuple(named), "runs")
    files_of = {path: label for label, path in runs.items()}
    labels = [
        files_of.get(user.rpartition("=")[2], user) if user in own else user for user in users
    ]
    with progress("scoring") as report:
        return study_virtual_user(
            runs,
            labels,
            list(settings["measures"]) or None,
            quantiles=settings["quantiles"],
            scores=not settings["no_scores"],
            strict=not settings["lenient"],
            progress=report,
            **policies(settings),
        )
