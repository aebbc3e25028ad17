"""`assay trec_eval` among assay's commands; what it does stands in `assay.cli.trec_main`."""

from __future__ import annotations

from typing import Any

import click

__all__ = ["command"]


class Verbatim(click.Command):
    """A command that takes its words as they are, options too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Leave every word to the command."""
        ctx.args = list(args)
        return ctx.args

    def invoke(self, ctx: click.Context) -> Any:
        """Do what the words say."""
        from assay.cli.trec_main import run

        ctx.exit(run(ctx.args, ctx.command_path))


command = Verbatim("trec_eval", help="Answer trec_eval's command line, byte for byte.")
