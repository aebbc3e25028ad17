"""`assay report`: runs and judgments as a page that a search team discusses in a meeting."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from assay.cli.command import (
    Command,
    files,
    load_plugins,
    option,
    policies,
)
from assay.cli.forms import input_form_options, judgment_files, run_files
from assay.cli.results import MEASURE, input_options, label_of, plan_options, talk
from assay.cli.talk import deliver, progress, say
from assay.errors import AssayError

__all__ = ["command"]

FORMS = ("html", "markdown", "latex")
LARGE = 20_000_000  # bytes of a page from which a smaller depth is worth a word


@click.command("report", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN...", nargs=-1, shell_complete=files)
@input_options
@input_form_options
@option(
    "--judge",
    metavar="NAME",
    section="Input",
    help="Which judge's judgments, where the file holds several.",
)
@plan_options
@option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=files,
    section="Output",
    help="Write to this file, which appears when it is complete; its suffix says the form: .html, "
    ".md, .tex.",
)
@option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    section="Output",
    help="Form of the report [what the suffix of --output says].",
)
@option("--title", metavar="TEXT", section="Output", help="Title of the page [the runs' names].")
@option(
    "--texts",
    metavar="FILE",
    shell_complete=files,
    section="Output",
    help='Texts of documents, to be opened in the page: JSON lines such as {"id": "d1", "title": '
    '"...", "text": "..."}.',
)
@option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    section="Output",
    help="Documents of each list that the page holds.",
)
@option(
    "--methods",
    is_flag=True,
    section="Output",
    help="Add a paragraph on methods, with BibTeX, for exactly what was run.",
)
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Make one page of runs and judgments: what the verdict is, and every list behind it.

    The page is one file that opens from disk and asks no network for anything. In it: the verdict
    in words, a leaderboard with intervals and letters of significance, pictures, differences,
    ranked lists side by side with grades and what each rank adds, how the judgments look, how all
    of it was made.

    \b
    assay report q.txt *.run -m nDCG@10 -m AP -o report.html
    assay report q.txt *.run -o report.html --baseline bm25 --texts docs.jsonl --methods
    assay report q.txt old.run new.run --format markdown >> "$GITHUB_STEP_SUMMARY"
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.reporting import form_for, report

    if len(words) < 2:
        found = f"only {words[0]!r}" if words else "neither"
        raise AssayError(
            f"expected JUDGMENTS and one RUN or more, found {found}  Help: assay report -h"
        )
    output, form = settings["output"], settings["form"]
    if output is None and form is None:
        raise AssayError("name a file for the report: -o report.html, or say --format markdown")
    form = form_for(output or "-", form)
    if settings["texts"] is not None and not Path(settings["texts"]).exists():
        raise AssayError(f"--texts {settings['texts']}: no such file")
    load_plugins(settings["plugins"])
    measures = settings["measures"]
    if not measures:
        say(f"no -m given: {MEASURE}")
        measures = (MEASURE,)
    names = (
        *("baseline", "test", "correction", "alpha", "interval", "family", "resamples", "seed"),
        *("judge", "title", "texts", "depth", "methods"),
    )
    settings["baseline"] = label_of(settings["baseline"], words[1:])
    with progress("report") as bar:
        made = report(
            judgment_files(words[:1], settings),
            run_files(words[1:], settings),
            list(measures),
            **{name: settings[name] for name in names},
            strict=not settings["lenient"],
            command=_typed(),
            progress=bar,
            **policies(settings),
        )
        text = made.text(form)
    deliver([text], output)
    _say_size(text, form, settings["depth"])
    talk(made.notes, made.warnings)


def _typed() -> str:
    """The command line, as a shell would take it again."""
    return shlex.join(click.get_current_context().obj or ())


def _say_size(text: str, form: str, depth: int) -> None:
    size = len(text.encode("utf-8", "backslashreplace"))
    if form == "html" and size > LARGE:
        say(
            f"the page has {size / 1e6:.0f} MB; --depth below {depth}, or no --texts, makes it "
            "smaller"
        )
