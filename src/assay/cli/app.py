"""The group of commands: each is loaded when it is called, so that `--help` stays quick."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from assay import __version__
from assay.cli.command import SETTINGS
from assay.cli.lazy import Lazy, nearest
from assay.cli.talk import say
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["COMMANDS", "App", "app"]

# name: its line in `assay --help`; the command `name` is the attribute `command` of assay.cli.name
COMMANDS = {
    "eval": "Score runs against graded judgments.",
    "compare": "Compare runs: how large, how sure, what could overturn it.",
    "report": "Make one page of runs and judgments, to be discussed in a meeting.",
    "gate": "Decide whether a candidate may replace the baseline.",
    "power": "Say how many topics a comparison needs.",
    "curves": "Show what measures give at every rank, beside the ideal.",
    "plot": "Draw pictures: PNG, SVG, PDF, offline HTML.",
    "preferences": "Check verdicts on pairs, make levels of them, merge rankings.",
    "trec_eval": "Answer trec_eval's command line, byte for byte.",
    "judges": "Ask whether judges agree, and whether the ranking holds.",
    "study": "Ask whether conclusions survive other gains, measures, scores, pools.",
    "smart": "Search a collection as SMART did in 1968, to have runs to judge.",
    "explain": "Show how a topic's value comes about, and what other tools say.",
    "spark": "Score runs on a Spark cluster, more topics than one machine holds.",
    "describe": "Look at judgments and runs before measuring: what is odd, and what to do.",
    "convert": "Write judgments or a run in another form.",
    "measures": "List the measures, or explain one.",
    "simulate": "Make a small collection: graded judgments and runs.",
    "demo": "Simulate a collection, evaluate it, show the table.",
    "completion": "Print the script that completes assay's words in your shell.",
}

# a group without a command: click 8.1 prints its help, later ones raise this instead
BARE: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


class App(Lazy):
    """Commands by name; whatever goes wrong leaves as one line and an exit status of 0, 1 or 2."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 - click's signature
        **extra: Any,
    ) -> NoReturn:
        """Run a command line and exit."""
        name = prog_name or "assay"
        variable = complete_var or f"_{name.replace('-', '_').upper()}_COMPLETE"
        if variable in os.environ:
            super().main(args, name, complete_var, standalone_mode, **extra)
        sys.exit(self._run(list(sys.argv[1:] if args is None else args), name, extra))

    def _run(self, args: list[str], name: str, extra: dict[str, Any]) -> int:
        """Run a command line to its exit status."""
        try:
            try:
                with self.make_context(name, args, **{"obj": (name, *args), **extra}) as ctx:
                    self.invoke(ctx)
                code = 0
            except click.exceptions.Exit as end:
                code = end.exit_code
            except BARE as bare:
                click.echo(bare.ctx.get_help())
                code = 0
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:  # the reader, such as `head`, has seen enough
            code = 0
        except (KeyboardInterrupt, click.Abort):
            code = 130
        except (AssayError, click.ClickException, OSError) as error:
            code = _told(error)
        else:
            return code
        _silence()
        return code


def _told(error: Exception) -> int:
    """Say what went wrong; the exit status."""
    if isinstance(error, AssayError):
        say(str(error))
        return 1 if error.check_failed else 2
    if isinstance(error, click.ClickException):
        say(_worded(error))
    elif isinstance(error, OSError):
        say(f"{error.filename or 'the output'}: {error.strerror or error}")
    return 2


def _silence() -> None:
    """Let nothing more be written, at exit either, to a pipe that nobody reads."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _worded(error: click.ClickException) -> str:
    """Click's complaint as one of ours: one line, the nearest name, where help is."""
    message = error.format_message().strip().rstrip(".")
    ctx = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption):
        known = [name for param in ctx.command.params for name in param.opts] if ctx else []
        hint = nearest(error.option_name, [*known, "--help"])
        message = f"no option {error.option_name!r}{hint}"
    message = message[:1].lower() + message[1:]
    where = ctx.command_path if ctx is not None else "assay"
    return f"{message}{'' if message.endswith('?') else '.'}  Help: {where} -h"


@click.group(
    "assay",
    cls=App,
    table=COMMANDS,
    home="assay.cli",
    context_settings=SETTINGS,
    invoke_without_command=True,
    epilog="Exit 0 done, 1 a check that was asked for failed, 2 bad usage or input. "
    "Data on stdout, talk on stderr.",
)
@click.version_option(__version__, message="assay %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Judge search rankings: which serves people better, by how much, how surely.

    \b
    assay demo                                           see it at work
    assay eval q.txt bm25.run dense.run -m nDCG@10       score two runs
    assay measures nDCG                                  what a measure is
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
