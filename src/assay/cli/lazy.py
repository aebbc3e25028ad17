"""A group of commands each of which is loaded when it is called, so that `--help` stays quick."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Lazy", "nearest"]


class Lazy(click.Group):
    """Commands by name: `name` is the attribute `command` of the module `home.name`.

    `what` is what its commands are called: one of them, and several.
    """

    def __init__(
        self,
        *args: Any,
        table: Mapping[str, str],
        home: str,
        what: tuple[str, str] = ("command", "commands"),
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self.table, self.home, self.what = table, home, what

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of this name, loaded now."""
        if cmd_name not in self.table:
            return None
        command: click.Command = import_module(f"{self.home}.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names."""
        if args and args[0] not in self.table and not args[0].startswith("-"):
            hint = nearest(args[0], self.table)
            where = "assay" if ctx.parent is None else ctx.command_path
            raise AssayError(
                f"no {self.what[0]} {args[0]!r}{hint or '.'}  All {self.what[1]}: {where} --help"
            )
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands without loading them."""
        if not self.table:
            return
        with formatter.section("Commands"):
            formatter.write_dl(list(self.table.items()))


def nearest(word: str, known: Any) -> str:
    """The known word that is most like this one, as the end of a complaint."""
    close = get_close_matches(word, list(known), 1)
    return f"; did you mean {close[0]!r}?" if close else ""
