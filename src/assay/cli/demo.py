"""`assay demo`: assay at work on a collection that it makes up."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from assay.cli.command import Command

__all__ = ["command"]

NEXT = """
Try next:
  assay simulate --out try                                                a collection to keep
  assay eval try/qrels.txt try/*.run -m nDCG@10 --unjudged condensed      newcomer, fairly?
  assay explain try/qrels.txt try/rounded.run t01 -m nDCG@10              one value, step by step
  assay measures                                                          all that can be measured
"""


@click.command("demo", cls=Command)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Simulate a collection, evaluate it, show the table.

    \b
    assay demo
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    with tempfile.TemporaryDirectory(prefix="assay-demo-") as folder:
        made = Path(folder) / "demo"
        _run(ctx, ["simulate", "--out", str(made)], "assay simulate --out demo", quiet=True)
        runs = [str(made / f"{name}.run") for name in ("solid", "rounded", "newcomer", "gappy")]
        asked = ["-m", "nDCG@10", "-m", "AP"]
        shown = f"assay eval demo/qrels.txt demo/*.run {' '.join(asked)}"
        _run(ctx, ["eval", str(made / "qrels.txt"), *runs, *asked], shown)
    click.echo(NEXT.rstrip(), err=True)


def _run(ctx: click.Context, words: list[str], shown: str, *, quiet: bool = False) -> None:
    """Show a command and run it."""
    import contextlib
    import io

    click.echo(f"$ {shown}", err=True)
    group = ctx.find_root().command
    if not isinstance(group, click.Group):
        return
    command = group.get_command(ctx, words[0])
    if command is None:
        return
    shut = contextlib.redirect_stdout(io.StringIO()) if quiet else contextlib.nullcontext()
    with shut, command.make_context(words[0], words[1:], parent=ctx) as inner:
        command.invoke(inner)
    click.echo("", err=True)
