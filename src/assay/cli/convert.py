"""`assay convert`: judgments or a run in another form."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import Command, files, lenient_option, option
from assay.cli.forms import form_of, form_options
from assay.cli.talk import say, warn
from assay.errors import AssayError

__all__ = ["command"]

KINDS = ("run", "judgments")


class ConvertCommand(Command):
    """A command whose help ends with the list of forms."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the forms."""
        from assay.io.forms import FORMATS
        from assay.io.write import WRITABLE

        with formatter.section("Forms"):
            formatter.write_dl(
                [
                    (name, form.about + ("" if name in WRITABLE else " (read only)"))
                    for name, form in FORMATS.items()
                ]
            )


@click.command("convert", cls=ConvertCommand)
@click.argument("source", metavar="IN", shell_complete=files)
@click.argument("target", metavar="OUT", shell_complete=files)
@option(
    "--to",
    "to",
    metavar="NAME",
    section="Output",
    help="Form of OUT [what its suffix says; else trec].",
)
@option(
    "--as",
    "kind",
    type=click.Choice(KINDS),
    section="Input",
    help="What IN holds, where its columns do not say.",
)
@lenient_option
@form_options
def command(source: str, target: str, to: str | None, kind: str | None, **settings: Any) -> None:
    """Write judgments or a run in another form.

    IN is a file in any of the forms below, compressed or not, `-` for standard input, or irds:ID
    for a data set of ir_datasets. The form of OUT follows from its suffix; .gz, .bz2, .xz and .zst
    compress it; `-` is standard output. OUT appears when it is complete. Several runs or judges in
    one file stay so.

    \b
    assay convert bm25.run bm25.parquet
    assay convert clicks.csv q.txt --columns topic=query,doc=url,grade=rating
    assay convert irds:cranfield qrels.txt --as judgments
    assay convert msmarco.dev.tsv dev.run.gz --format marco
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.writing import write_judgments, write_run

    found, what = _read(source, kind, settings)
    if what == "run":
        write_run(found, target, format=to)
        unit = "documents"
    else:
        write_judgments(found, target, format=to)
        unit = "judgments"
    count = sum(map(len, found.values()))
    parts = f" in {len(found)} sets ({', '.join(list(found)[:5])})" if len(found) > 1 else ""
    dropped = next(iter(found.values())).dropped
    if dropped:
        warn(f"{source}: left out {dropped}")
    if to == "marco":
        warn("MS MARCO's form keeps the order of the documents, not their scores")
    say(f"{'standard output' if target == '-' else target}: {count} {unit}{parts}")


def _read(source: str, kind: str | None, settings: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """What the source holds, and whether that is a run or judgments."""
    from assay.judgments import read_judgment_sets
    from assay.run import read_runs

    strict = not settings["lenient"]
    kind = kind or _kind(source, settings)
    if kind == "run":
        form, columns = form_of("runs", settings)
        return dict(read_runs(source, format=form, columns=columns, strict=strict)), kind
    form, columns = form_of("judgments", settings)
    return dict(read_judgment_sets(source, format=form, columns=columns, strict=strict)), kind


def _kind(source: str, settings: dict[str, Any]) -> str:
    """Whether a source holds a run or judgments, as its columns show."""
    from assay.io.kinds import kind_of
    from assay.io.lines import JUDGMENTS, RUN
    from assay.io.objects import PREFIX
    from assay.io.stream import open_bytes

    said = {RUN: form_of("runs", settings), JUDGMENTS: form_of("judgments", settings)}
    found = kind_of(source, said)
    if found is None:
        if source != "-" and not source.startswith(PREFIX):
            with open_bytes(source, source):  # where it is missing, that is said
                pass
        raise AssayError(f"{source}: say what it holds: --as run or --as judgments")
    return "run" if found is RUN else "judgments"
