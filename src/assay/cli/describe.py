"""`assay describe`: a look at the data before anything is measured."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import Command, files, lenient_option, option
from assay.cli.forms import form_options, judgment_files, run_files
from assay.cli.results import output_options, show
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["command"]


@click.command("describe", cls=Command)
@click.argument("words", metavar="JUDGMENTS [RUN...]", nargs=-1, shell_complete=files)
@option(
    "--judgments",
    "judgments",
    multiple=True,
    metavar="NAME=FILE",
    shell_complete=files,
    section="Input",
    help="A set of judgments, given once for each judge; then JUDGMENTS is left out.",
)
@lenient_option
@form_options
@output_options("table", "json", "html")
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Look at judgments and runs before measuring: what is odd, and what to do.

    Grades and their balance, topics with few relevant documents, pool depth and unique finds of
    each run, overlap and tau between runs, identical runs, ties, Judged@k, scores that look like
    ranks, ids that differ only by case or white space.

    \b
    assay describe q.txt
    assay describe q.txt *.run
    assay describe --judgments nist=q.txt --judgments llm=l.txt *.run -o html > look.html
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.description import describe

    judgments = settings["judgments"]
    if not judgments:
        if not words:
            raise AssayError("expected JUDGMENTS, then runs if you like  Help: assay describe -h")
        judgments, words = words[:1], words[1:]
    found = describe(
        judgment_files(judgments, settings),
        run_files(words, settings),
        strict=not settings["lenient"],
    )
    sheet = found.table()

    def text(form: str) -> Iterator[str]:
        if form not in ("json", "html"):
            raise AssayError(f"a description has no form {form}: table, json or html")
        page = json.dumps(found.to_dict(), ensure_ascii=False, indent=1)
        yield (page if form == "json" else sheet.to_html()) + "\n"

    show(sheet, text, settings["form"], settings["output"])
