"""`assay smart`: the retrieval system under Lesk & Salton's study, to have runs to judge."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import SETTINGS, Command, files, option
from assay.cli.results import output_options, show, talk
from assay.cli.talk import deliver, say, warn
from assay.errors import AssayError

__all__ = ["command"]

FORMS = ("table", "json", "csv", "markdown", "latex", "html")
WEIGHTS = ("tf", "binary", "log", "tfidf")
COLLECTIONS = ("cystic-fibrosis", "cranfield", "cacm")


@click.group("smart", context_settings=SETTINGS)
def command() -> None:
    """Search a collection as SMART did in 1968: word form, word stem, thesaurus.

    \b
    assay smart synonyms --output words.txt
    assay smart search cf7*.xml.gz --queries cfquery.xml --synonyms words.txt --out runs
    assay smart judgments cfquery.xml judges.csv --form cystic-fibrosis --lenient --collection 1239
    assay judges compare judges.csv --runs runs/*.run -m NormR
    """  # noqa: D301 - \b is click's mark for lines to leave alone


@command.command("search", cls=Command, short_help="Write runs over a whole collection.")
@click.argument("documents", metavar="DOCUMENTS...", nargs=-1, required=True, shell_complete=files)
@option(
    "--queries",
    required=True,
    metavar="FILE",
    shell_complete=files,
    section="Input",
    help="What to search for.",
)
@option(
    "--synonyms",
    metavar="FILE",
    shell_complete=files,
    section="Input",
    help="Lines of words that mean the same, for the third run, thesaurus; "
    "`assay smart synonyms` prints an example.",
)
@option(
    "--by-position",
    is_flag=True,
    section="Input",
    help="Number the queries 1, 2, 3, ... whatever their ids say, as Cranfield's judgments do.",
)
@option(
    "--weight",
    type=click.Choice(WEIGHTS),
    default="tf",
    show_default=True,
    section="Search",
    help="Of a term in a text: how often it stands there, as in 1968; 1; ln(1 + tf); tf times "
    "ln(N / documents that hold it).",
)
@option(
    "--out",
    "folder",
    required=True,
    metavar="FOLDER",
    shell_complete=files,
    section="Output",
    help="A new folder for a .run file for each run; it appears when complete.",
)
@output_options(*FORMS)
def search_(documents: tuple[str, ...], **settings: Any) -> None:
    """Rank every document of a collection for every query, in two or three ways.

    DOCUMENTS and queries are SMART files (.I .T .W), the Cystic Fibrosis XML, or JSON lines with
    _id, title and text; compressed or not.

    \b
    word-form   words without common ones and without final s
    word-stem   words without common ones and without suffixes
    thesaurus   the classes of word stems in --synonyms

    \b
    assay smart search cran.all.1400.gz --queries cran.qry --by-position --out cran
    assay smart search corpus.jsonl --queries queries.jsonl --synonyms words.txt --out runs
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.show.judges import judges_sheet, text
    from assay.smart.searching import search

    found = search(
        list(documents),
        settings["queries"],
        synonyms=settings["synonyms"],
        weight=settings["weight"],
        by_position=settings["by_position"],
    )
    for path in found.write(settings["folder"]):
        say(str(path))
    tables = found.tabulars()
    show(
        judges_sheet(tables, found.verdict()),
        lambda form: text(tables, form, verdict=found.verdict(), notes=found.notes),
        settings["form"],
        settings["output"],
    )
    talk(found.notes, ())


@command.command("judgments", cls=Command, short_help="Convert an old collection's judgments.")
@click.argument("source", metavar="IN", shell_complete=files)
@click.argument("target", metavar="OUT", shell_complete=files)
@option(
    "--form",
    type=click.Choice(COLLECTIONS),
    section="Input",
    help="Needed. cystic-fibrosis: four judges' digits in the XML of queries; cranfield: query, "
    "document, code, 1 best; cacm: query, document, 0, 0.",
)
@option(
    "--collection",
    type=click.IntRange(min=1),
    metavar="N",
    section="Input",
    help="Documents are numbered 1 to N, and those that a query does not list get grade 0: "
    "the judges saw them all.",
)
@option(
    "--lenient",
    is_flag=True,
    section="Input",
    help="Leave out what cannot be right and say how much, instead of stopping at the first.",
)
def judgments(
    source: str, target: str, *, form: str | None, collection: int | None, lenient: bool
) -> None:
    """Write the judgments of an old collection in a form that every other command reads.

    The suffix of OUT says which form. For several judges take .csv, .tsv, .jsonl or .parquet, where
    a column names them, so that `assay judges compare` finds them. OUT appears when it is complete.

    \b
    assay smart judgments cfquery.xml judges.csv --form cystic-fibrosis --lenient --collection 1239
    assay smart judgments cranqrel cran.txt --form cranfield
    assay smart judgments qrels.text cacm.txt --form cacm
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    if form is None:
        raise AssayError(
            f"{source}: say whose judgments these are: --form {', '.join(COLLECTIONS[:-1])} or "
            f"{COLLECTIONS[-1]}"
        )
    from assay.smart.assessments import read_assessments
    from assay.writing import write_judgments

    found = read_assessments(source, form, collection=collection, strict=not lenient)
    write_judgments(found, target)
    first = next(iter(found.values()))
    if first.dropped:
        warn(f"{source}: left out {first.dropped}")
    judges = f" of each of {len(found)} judges" if len(found) > 1 else ""
    say(f"{target}: {len(first)} judgments{judges}")


@command.command("synonyms", cls=Command, short_help="Print a small synonym file.")
@option(
    "--output",
    metavar="FILE",
    shell_complete=files,
    section="Output",
    help="Write to this file instead of standard output.",
)
def synonyms_(output: str | None) -> None:
    """Print the small synonym file that comes with assay, of medical and everyday words.

    A line is a class of words that mean nearly the same; # begins a comment. Words are stemmed when
    the file is read; a word in several classes shares its weight among them.

    \b
    assay smart synonyms --output words.txt
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.smart.synonyms import demo

    deliver([demo()], output)
