"""`assay completion`: the script with which a shell completes assay's words."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from assay.cli.command import SETTINGS, Command
from assay.errors import AssayError

__all__ = ["command"]

SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command, context_settings=SETTINGS)
@click.argument("shell", required=False, type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str | None) -> None:
    """Print the script that completes assay's words in your shell.

    Commands, options, their values, files and the names of measures are completed. SHELL is bash,
    zsh or fish; without it, the shell in use.

    \b
    assay completion bash >> ~/.bashrc
    assay completion zsh  >> ~/.zshrc
    assay completion fish >  ~/.config/fish/completions/assay.fish
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    shell = shell or Path(os.environ.get("SHELL", "")).name
    found = get_completion_class(shell)
    if found is None or shell not in SHELLS:
        raise AssayError(f"no completion for the shell {shell!r}; name one of {', '.join(SHELLS)}")
    root = ctx.find_root()
    script = found(root.command, {}, "assay", "_ASSAY_COMPLETE")
    click.echo(script.source_template % script.source_vars())
