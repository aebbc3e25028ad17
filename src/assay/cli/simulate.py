"""`assay simulate`: a small collection to try things on."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import Command, files, option
from assay.cli.talk import say

__all__ = ["command"]

COUNT = click.IntRange(min=1)


@click.command("simulate", cls=Command)
@option(
    "--out",
    "folder",
    metavar="FOLDER",
    default="simulated",
    show_default=True,
    shell_complete=files,
    section="Output",
    help="A new folder for qrels.txt and a .run file for each run; it appears when complete.",
)
@option("--topics", type=COUNT, default=50, show_default=True, section="Collection", help="Topics.")
@option(
    "--docs",
    type=COUNT,
    default=1000,
    show_default=True,
    section="Collection",
    help="Documents in the collection.",
)
@option(
    "--runs",
    type=COUNT,
    default=4,
    show_default=True,
    section="Collection",
    help="Runs; the first four are solid, rounded, newcomer, gappy.",
)
@option(
    "--grades",
    type=COUNT,
    default=3,
    show_default=True,
    section="Collection",
    help="The best grade; 0 is not relevant.",
)
@option(
    "--depth",
    type=COUNT,
    default=100,
    show_default=True,
    section="Collection",
    help="Documents that a run retrieves for a topic.",
)
@option(
    "--pool",
    type=COUNT,
    default=20,
    show_default=True,
    section="Collection",
    help="Documents of each run but newcomer that are judged, from the top.",
)
@option(
    "--seed",
    type=click.IntRange(min=0),
    default=42,
    show_default=True,
    section="Collection",
    help="The same seed makes the same collection.",
)
def command(folder: str, **sizes: Any) -> None:
    """Make a small collection: graded judgments and runs to try things on.

    It has what real ones have: equal scores, unjudged documents, a topic that a run lacks, a topic
    without a relevant document. The names of the files written go to standard output.

    \b
    assay simulate                                        50 topics, 4 runs, into simulated/
    assay simulate --topics 500 --runs 20 --seed 7 --out big
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.simulation import simulate

    collection = simulate(**sizes)
    for path in collection.write(folder):
        click.echo(str(path))
    for line in collection.about:
        say(line)
