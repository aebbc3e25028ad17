"""`assay preferences`: check verdicts on pairs, turn them into levels, merge rankings."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import SETTINGS, Command, Function, files, labelled, lenient_option, option
from assay.cli.results import output_options, show, talk
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.consistency import Consistency
    from assay.judgments import Judgments
    from assay.preferences import Preferences

__all__ = ["command"]

FORMS = ("pairs", "verdicts", "prefs", "marked", "qrels_prefs")
KINDS = ("preferences", "judgments", "runs")
METHODS = ("kemeny", "borda", "copeland", "mc4")

format_option = option(
    "--format",
    "form_of_lines",
    type=click.Choice(FORMS),
    section="Input",
    help="Form of the lines; without it the form is found out. pairs: topic [judge] better worse; "
    "verdicts: topic [judge] doc doc winner; prefs: trec_eval's topic judge group doc level; "
    "marked: @ topic better worse !; qrels_prefs: judgments. CSV, TSV and JSON lines go by names.",
)
seconds_option = option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    section="Search",
    help="Time for an exact answer, a topic; then a heuristic, named as such, stands.",
)


@click.group(context_settings=SETTINGS)
def command() -> None:
    """Check verdicts on pairs, turn them into levels, merge judges or systems into one ranking.

    \b
    assay preferences check verdicts.txt                      consistent? where not?
    assay preferences levels verdicts.txt -o qrels            levels as graded judgments
    assay preferences merge verdicts.txt --method kemeny      one ideal ranking
    assay preferences merge --of runs *.run --depth 100       judgments without people
    assay preferences distance verdicts.txt other.txt         C+, C-, beta, ndpm
    """  # noqa: D301 - \b is click's mark for lines to leave alone


def _input(function: Function) -> Function:
    return format_option(lenient_option(function))


@command.command(
    "check", cls=Command, short_help="Say whether verdicts are consistent, and where not."
)
@click.argument("words", metavar="FILE...", nargs=-1, required=True, shell_complete=files)
@_input
@option(
    "--missing",
    type=click.Choice(("unknown", "tie")),
    default="unknown",
    show_default=True,
    section="Search",
    help="A pair that is not stated: unknown, or a tie, as where indifference is the absence of "
    "a preference.",
)
@option(
    "--limit",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    section="Output",
    help="Violations shown for each axiom and topic; 0 shows all. They are counted in any case.",
)
@option("--no-drop", is_flag=True, section="Search", help="Do not look for verdicts to drop.")
@seconds_option
@output_options("table", "json", "tsv")
def check(words: tuple[str, ...], **settings: Any) -> None:
    """Say whether preferences are weak orders; if not, where, and which verdicts to drop.

    A topic's verdicts are a weak order (they settle every pair), consistent (some order obeys
    them), or contradictory; then the fewest verdicts are named that, dropped, leave a consistent
    rest. Exit 1 where something is contradictory.

    \b
    assay preferences check verdicts.txt
    assay preferences check judge.*.txt -o json > report.json
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    found = [
        each.check(
            missing=settings["missing"],
            limit=settings["limit"] or None,
            drop=not settings["no_drop"],
            seconds=settings["seconds"],
        )
        for each in _read(words, settings)
    ]
    from assay.show.preferences import consistency_page

    show(
        consistency_page(*found),
        lambda form: _checked(found, form),
        _form(settings),
        settings["output"],
    )
    talk(dict.fromkeys(note for each in found for note in each.notes), ())
    if not all(each.consistent for each in found):
        click.get_current_context().exit(1)


def _checked(found: list[Consistency], form: str) -> Iterator[str]:
    import polars as pl

    from assay.show.records import json_of, tsv_of

    frames = [each.to_polars().insert_column(0, pl.lit(each.label).alias("file")) for each in found]
    if form == "tsv":
        return tsv_of(pl.concat(frames))
    violations = [
        {"file": each.label, "topic": one.topic, "judge": one.judge, "axiom": one.axiom}
        | {"docs": one.docs, "lines": one.lines, "statements": [asdict(step) for step in one.steps]}
        for each in found
        for one in each.violations
    ]
    drops = [
        {"file": each.label, "topic": one.topic, "judge": one.judge} | asdict(step)
        for each in found
        for one in each.findings
        for step in one.dropped
    ]
    head = {"summary": {each.label: each.summary for each in found}}
    findings = pl.concat(frames).to_dicts()
    return json_of(head, findings=findings, violations=violations, drop=drops)


@command.command("levels", cls=Command, short_help="Arrange documents in levels that obey them.")
@click.argument("words", metavar="FILE...", nargs=-1, required=True, shell_complete=files)
@_input
@option(
    "--drop",
    is_flag=True,
    section="Search",
    help="Drop the fewest verdicts that make the preferences contradict themselves.",
)
@seconds_option
@output_options("table", "json", "tsv", "qrels")
def levels(words: tuple[str, ...], **settings: Any) -> None:
    """Arrange the documents of each topic in levels that obey every preference.

    Several files, judges or votes count as the majority of each pair. -o qrels writes graded
    judgments: 0 for the last level, 1 for the one above it, and so on.

    \b
    assay preferences levels verdicts.txt
    assay preferences levels verdicts.txt --drop -o qrels > qrels.txt
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.show.preferences import levels_page

    preferences = _one(_read(words, settings)).majority()
    if settings["drop"]:
        before = len(preferences)
        preferences = preferences.consistent(seconds=settings["seconds"])
        talk([f"{before - len(preferences)} of {before} verdicts dropped"], ())
    orders = preferences.orders()
    rows = [
        {"topic": topic, "level": i + 1, "utility": len(order.levels) - 1 - i, "doc": doc}
        for topic, order in orders.items()
        for i, level in enumerate(order.levels)
        for doc in level
    ]
    show(
        levels_page(orders),
        lambda form: _rows(rows, form, preferences.to_judgments),
        _form(settings),
        settings["output"],
    )
    talk(preferences.notes, ())


@command.command("merge", cls=Command, short_help="Merge judges, or systems, into one ranking.")
@click.argument("words", metavar="FILE...", nargs=-1, required=True, shell_complete=files)
@_input
@option(
    "--of",
    "kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    show_default=True,
    section="Input",
    help="What the files hold: preferences, graded judgments, or runs.",
)
@option(
    "--method",
    type=click.Choice(METHODS),
    default=METHODS[0],
    show_default=True,
    section="Search",
    help="kemeny: the order that contradicts fewest votes; borda: points; copeland: majorities won "
    "minus lost; mc4: a random walk towards what majorities prefer.",
)
@option(
    "--depth",
    type=click.IntRange(min=1),
    section="Input",
    help="Only the first so many documents of each run count.",
)
@option(
    "--unretrieved",
    type=click.Choice(("last", "unknown")),
    default="last",
    show_default=True,
    section="Input",
    help="What a run does not retrieve: tied behind the rest, or nothing is said of it.",
)
@option(
    "--top",
    type=click.IntRange(min=1),
    section="Output",
    help="With -o qrels: the first so many documents get grade 1, the others 0.",
)
@seconds_option
@output_options("table", "json", "tsv", "qrels", "run")
def merge(words: tuple[str, ...], **settings: Any) -> None:
    """Merge judges, or systems, into one ranking for each topic.

    Of runs this makes judgments without people: -o qrels writes the merged order as grades.

    \b
    assay preferences merge verdicts.txt other.txt
    assay preferences merge --of judgments a.qrels b.qrels --method borda
    assay preferences merge --of runs *.run --depth 100 --top 50 -o qrels > pseudo.txt
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.merging import merge as merged

    kind = settings["kind"]
    given: Any
    if kind == "preferences":
        given = _one(_read(words, settings))
    else:
        given = {
            label: _ranking(path, kind, settings) for label, path in labelled(words, kind).items()
        }
    found = merged(
        given,
        settings["method"],
        depth=settings["depth"],
        unretrieved=settings["unretrieved"],
        seconds=settings["seconds"],
    )
    rows = [
        {"topic": topic, "level": i + 1, "score": each.score[doc], "doc": doc}
        for topic, each in found.topics.items()
        for i, level in enumerate(each.order.levels)
        for doc in level
    ]

    def text(form: str) -> Iterator[str]:
        if form == "run":
            return _run_lines(found.to_run(), found.method)
        return _rows(rows, form, lambda: found.to_judgments(top=settings["top"]), about=found.notes)

    show(found.table(), text, _form(settings), settings["output"])
    talk(found.notes[1:], ())


@command.command("distance", cls=Command, short_help="Count how another judge or a system differs.")
@click.argument("user", shell_complete=files)
@click.argument("system", shell_complete=files)
@_input
@option(
    "--system",
    "kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    show_default=True,
    section="Input",
    help="What the second file holds.",
)
@output_options("table", "json", "tsv")
def distance(user: str, system: str, **settings: Any) -> None:
    """Count how a second judge, or a system, treats the pairs that the first one orders.

    C+ pairs agree, C- contradict; C^u are tied by the second only, C^s by the first only. beta is
    2 C- + C^u + C^s, dpm 2 C- + C^u, ndpm dpm as a share of its largest value, 2 C.

    \b
    assay preferences distance human.txt llm.txt
    assay preferences distance human.txt bm25.run --system runs
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.distances import distance as apart

    (first,) = _read((user,), settings)
    kind = settings["kind"]
    if kind == "preferences":
        (second,) = _read((system,), settings)
        found = apart(first, second)
    else:
        ((_, path),) = labelled((system,), kind).items()
        found = apart(first, _ranking(path, kind, settings))
    rows = found.to_polars().to_dicts()
    show(found.table(), lambda form: _rows(rows, form), _form(settings), settings["output"])
    talk(first.notes, ())


# ------------------------------------------------------------------------------------------ shared


def _form(settings: dict[str, Any]) -> str | None:
    """The form asked for, or what the suffix of --output says."""
    tabs = (settings["output"] or "").lower().endswith(".tsv")
    return settings["form"] or ("tsv" if tabs else None)


def _read(words: tuple[str, ...], settings: dict[str, Any]) -> list[Preferences]:
    from assay.preferences import read_preferences

    found = []
    for label, path in labelled(words, "files of preferences").items():
        each = read_preferences(
            path, format=settings["form_of_lines"], label=label, strict=not settings["lenient"]
        )
        if each.dropped:
            talk((), [f"{path}: left out {each.dropped}"])
        found.append(each)
    return found


def _one(sets: list[Preferences]) -> Preferences:
    from assay.preferences import Preferences

    return sets[0] if len(sets) == 1 else Preferences.pooled(sets)


def _ranking(path: str, kind: str, settings: dict[str, Any]) -> Any:
    from assay.judgments import read_judgments
    from assay.run import read_run

    read: Any = read_judgments if kind == "judgments" else read_run
    return read(path, strict=not settings["lenient"])


def _rows(
    rows: list[dict[str, Any]], form: str, judgments: Any = None, about: tuple[str, ...] = ()
) -> Iterator[str]:
    import polars as pl

    from assay.show.records import json_of, tsv_of

    if form == "qrels" and judgments is not None:
        return _qrels(judgments())
    if form == "json":
        return json_of({"notes": list(about)}, rows=rows)
    if form == "tsv":
        return tsv_of(pl.DataFrame(rows))
    raise AssayError(f"no form {form!r} here; -o lists those there are")


def _qrels(judgments: Judgments) -> Iterator[str]:
    for topic, doc, grade in judgments:
        yield f"{topic} 0 {doc} {grade:g}\n"


def _run_lines(run: Any, tag: str) -> Iterator[str]:
    rank, last = 0, None
    for topic, doc, score in run:
        rank = rank + 1 if topic == last else 1
        last = topic
        yield f"{topic} Q0 {doc} {rank} {score:g} {tag}\n"
