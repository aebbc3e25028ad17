"""`assay plot`: pictures of runs, judges, measures; each kind a command of its own."""

from __future__ import annotations

import click

from assay.cli.command import SETTINGS
from assay.cli.lazy import Lazy
from assay.show.charts.kinds import KINDS

__all__ = ["command"]


class Plot(Lazy):
    """Kinds of picture: each command is made when it is called."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command that draws this kind."""
        if cmd_name not in self.table:
            return None
        from assay.cli.plotting import command_of

        return command_of(cmd_name)


@click.group(
    "plot",
    cls=Plot,
    table={name: kind.help for name, kind in KINDS.items() if kind.help},
    home="assay.cli",
    what=("picture", "pictures"),
    context_settings=SETTINGS,
)
def command() -> None:
    """Draw a picture: PNG, SVG, PDF, or a page of HTML that needs nothing but itself.

    \b
    assay plot leaderboard q.txt *.run -m nDCG@10 -o leaderboard.png
    assay plot curves q.txt bm25.run dense.run -m nDCG --baseline bm25 -o curves.pdf --preset paper
    assay plot swings q.txt bm25.run dense.run -o swings.html
    """  # noqa: D301 - \b is click's mark for lines to leave alone
