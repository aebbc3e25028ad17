"""`assay judges`: how far they agree, and whether the ranking of systems survives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import (
    SETTINGS,
    Greedy,
    files,
    lenient_option,
    load_plugins,
    measure_option,
    option,
    plugin_option,
    policies,
    policy_options,
)
from assay.cli.forms import form_options, judgment_files, run_files
from assay.cli.results import output_options
from assay.cli.tables import FORMS, deliver, show_option
from assay.cli.talk import progress, say
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.command import Function
    from assay.judges.tabular import Tabulars

__all__ = ["command", "judge_options", "judging", "runs_option"]

COUNT = click.IntRange(min=1)
ONE_SYSTEM = ("precision_of", "recall_of", "collection", "relevant", "retrieved")


runs_option = option(
    "--runs",
    "runs",
    multiple=True,
    metavar="RUN...",
    shell_complete=files,
    section="Input",
    help="Runs, all words up to the next option; NAME=FILE gives one a name.",
)


def judge_options(function: Function) -> Function:
    """How grades of judges are read."""
    decorators = (
        option(
            "--rel",
            "rels",
            multiple=True,
            metavar="GRADE",
            section="Judges",
            help="The lowest relevant grade [1], for all judges or, as NAME=GRADE, for one; "
            "repeatable; NAME may be a pattern, such as 'gpt*'.",
        ),
        option(
            "--map",
            "maps",
            multiple=True,
            metavar="OLD=NEW,...",
            section="Judges",
            help="Grades to other grades, 5=3, or a range to a range, 0..1=0..3; for one judge "
            "NAME:5=3,10=3. Repeatable; NAME may be a pattern.",
        ),
        option(
            "--scale",
            metavar="LOW..HIGH",
            section="Judges",
            help="The ends of the scale, such as 0..3.",
        ),
        option(
            "--stray",
            type=click.Choice(("keep", "drop", "clip")),
            default="keep",
            show_default=True,
            section="Judges",
            help="What to do with grades beyond the scale.",
        ),
        lenient_option,
        option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            section="Judges",
            help="The same seed draws the same judges and topics.",
        ),
    )
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


@click.group("judges", context_settings=SETTINGS)
def command() -> None:
    """Judges: how far they agree, and whether the ranking of systems survives it."""


@command.command("compare", cls=Greedy)
@click.argument("words", metavar="JUDGMENTS JUDGMENTS...", nargs=-1, shell_complete=files)
@runs_option
@measure_option
@plugin_option
@judge_options
@form_options
@option(
    "--groups",
    metavar="FILE",
    shell_complete=files,
    section="Topics",
    help="Lines of topic and group: agreement, evaluation, differences and the judge as a system "
    "by group too.",
)
@option("--available", is_flag=True, section="Judges", help="Use what some judge judged, not all.")
@option(
    "--universe",
    type=COUNT,
    metavar="N",
    section="Judges",
    help="Documents in question for a topic, those not judged not relevant; "
    "otherwise the pairs judged by both.",
)
@option(
    "--pairs",
    type=click.Choice(("every", "first")),
    section="Judges",
    help="Agreement of every two judges, or of the first with each [every, up to 6 judges].",
)
@option("--topic", section="Topics", help="Show the strip of ranks of this topic.")
@option("--run", metavar="NAME", section="Topics", help="In this run.")
@option(
    "--draws",
    type=COUNT,
    default=1000,
    show_default=True,
    section="Judges",
    help="Draws of a judge for each topic.",
)
@option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    section="Judges",
    help="Level of the tests of pairs of runs.",
)
@policy_options("missing", "undefined", "unjudged", "negative", "ties", "precision")
@show_option("agreement, kappa, bands, stability, pairs, explanations")
@output_options(*FORMS)
def compare(words: tuple[str, ...], **settings: Any) -> None:
    """Compare judges, and with runs the rankings of systems under them; the first is the reference.

    JUDGMENTS are files in TREC form; or one table of counts with the columns topic, A, B, D.

    \b
    assay judges compare human.txt llm.txt
    assay judges compare human.txt llm.txt --runs *.run -m nDCG@10 --rel 2
    assay judges compare human.txt a.txt b.txt --runs *.run --show evaluation --groups authors.txt
    assay judges compare table3.tsv --show topics
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    if not words:
        raise AssayError(
            "expected two JUDGMENTS or more, found nothing  Help: assay judges compare -h"
        )
    load_plugins(settings["plugins"])
    runs = settings["runs"]
    if runs and not settings["measures"]:
        from assay.judges.study import MEASURES

        say(f"no -m given: {', '.join(MEASURES)}")
    from assay.judges.study import compare_judges

    with progress("comparing") as report:
        found = compare_judges(
            judgment_files(words, settings),
            run_files(runs, settings) if runs else None,
            list(settings["measures"]) or None,
            groups=settings["groups"],
            universe=settings["universe"],
            available=settings["available"],
            every_pair=None if settings["pairs"] is None else settings["pairs"] == "every",
            topic=settings["topic"],
            run=settings["run"],
            draws=settings["draws"],
            alpha=settings["alpha"],
            progress=report,
            **judging(settings),
            **policies(settings),
        )
    deliver(found, settings)


@command.command("simulate", cls=Greedy)
@click.argument("words", metavar="[JUDGMENTS...]", nargs=-1, shell_complete=files)
@runs_option
@measure_option
@plugin_option
@judge_options
@form_options
@option(
    "--pr",
    "p_r",
    type=float,
    metavar="P",
    section="Errors",
    help="Chance that a relevant document is called relevant.",
)
@option("--pnr", "p_nr", type=float, metavar="P", section="Errors", help="Chance that another is.")
@option(
    "--errors",
    multiple=True,
    type=click.Choice(("independent", "by-grade", "by-topic", "by-rank")),
    section="Errors",
    help="A model of error to test; repeatable [all].",
)
@option(
    "--run-groups",
    metavar="FILE",
    shell_complete=files,
    section="Errors",
    help="Lines of run and group: does the second judge favour a group?",
)
@option(
    "--judges",
    type=click.IntRange(min=2),
    default=1000,
    show_default=True,
    section="Errors",
    help="Judges to simulate.",
)
@option(
    "--precision-of",
    "precision_of",
    type=float,
    metavar="P",
    section="One system, without files",
    help="Its true precision.",
)
@option(
    "--recall-of",
    "recall_of",
    type=float,
    metavar="R",
    section="One system, without files",
    help="Its true recall.",
)
@option(
    "--collection",
    type=COUNT,
    metavar="N",
    section="One system, without files",
    help="Documents in the collection.",
)
@option(
    "--relevant",
    type=COUNT,
    metavar="G",
    section="One system, without files",
    help="Relevant ones.",
)
@option(
    "--retrieved",
    type=COUNT,
    metavar="n",
    section="One system, without files",
    help="Documents retrieved.",
)
@policy_options("precision")
@show_option("rates, models, order, favour, dawid-skene")
@output_options(*FORMS)
def simulate(words: tuple[str, ...], **settings: Any) -> None:
    """Simulate judges who err, and test the model of their errors before using it.

    The first JUDGMENTS are taken as the truth. With a second set the errors are those of a real
    judge; with three or more, they are estimated without a truth too (Dawid & Skene).

    \b
    assay judges simulate human.txt --runs *.run --pr .8 --pnr .01
    assay judges simulate human.txt llm.txt --runs *.run --rel 2 --run-groups families.txt
    assay judges simulate --pr .8 --pnr .01 --precision-of .2 --recall-of .5 \\
        --collection 1000 --relevant 20 --retrieved 50
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    load_plugins(settings["plugins"])
    if not words:
        deliver(_appendix(settings), settings)
        return
    for name in ONE_SYSTEM:
        if settings[name] is not None:
            raise AssayError(
                f"--{name.replace('_', '-')}: describes one system, without files; JUDGMENTS are "
                "given"
            )
    runs = settings["runs"]
    from assay.judges.simulation import simulate_judges

    with progress("simulating") as report:
        found = simulate_judges(
            judgment_files(words, settings),
            run_files(runs, settings) if runs else None,
            list(settings["measures"]) or None,
            p_r=settings["p_r"],
            p_nr=settings["p_nr"],
            errors=settings["errors"] or None,
            run_groups=settings["run_groups"],
            judges=settings["judges"],
            precision=settings["precision"],
            progress=report,
            **judging(settings),
        )
    deliver(found, settings)


def _appendix(settings: dict[str, Any]) -> Tabulars:
    from assay.judges.one_system import appendix

    for name in ("runs", "measures", "errors", "run_groups"):
        if settings[name]:
            raise AssayError(f"--{name.replace('_', '-')}: goes with JUDGMENTS, and none are given")
    needed = ("p_r", "p_nr", *ONE_SYSTEM)
    if any(settings[name] is None for name in needed):
        raise AssayError(
            "expected JUDGMENTS and --runs; or without files --pr --pnr --precision-of --recall-of "
            "--collection --relevant --retrieved  Help: assay judges simulate -h"
        )
    return appendix(
        precision=settings["precision_of"],
        recall=settings["recall_of"],
        N=settings["collection"],
        G=settings["relevant"],
        n=settings["retrieved"],
        p_r=settings["p_r"],
        p_nr=settings["p_nr"],
        judges=settings["judges"],
        seed=settings["seed"],
    )


@command.command("estimate", cls=Greedy)
@click.argument("words", metavar="RUN...", nargs=-1, shell_complete=files)
@option(
    "--human",
    required=True,
    metavar="FILE",
    shell_complete=files,
    section="Input",
    help="Judgments of a person, on some topics.",
)
@option(
    "--cheap",
    required=True,
    metavar="FILE",
    shell_complete=files,
    section="Input",
    help="Judgments of a cheap judge, on all topics.",
)
@measure_option
@plugin_option
@option(
    "--weight",
    type=float,
    metavar="W",
    section="Estimate",
    help="Of the cheap judge [tuned]; 0 leaves the human topics alone.",
)
@option(
    "--about",
    type=click.Choice(("population", "topics")),
    default="population",
    show_default=True,
    section="Estimate",
    help="What the means are of: the population that the topics come from, or these topics.",
)
@option(
    "--width",
    type=float,
    metavar="W",
    section="Estimate",
    help="A wanted width of intervals: how many more human topics each takes.",
)
@option(
    "--baseline",
    metavar="NAME",
    section="Estimate",
    help="The run that all others are compared with.",
)
@lenient_option
@form_options
@policy_options("missing", "undefined", "unjudged", "negative", "ties", "precision")
@show_option("means, differences")
@output_options(*FORMS)
def estimate_(words: tuple[str, ...], **settings: Any) -> None:
    """Estimate means and differences from many cheap judgments and some human ones.

    The interval holds whatever the errors of the cheap judge, provided that the human topics are a
    random sample of all topics.

    \b
    assay judges estimate --human human.txt --cheap llm.txt *.run -m nDCG@10
    assay judges estimate --human human.txt --cheap llm.txt a.run b.run --width 0.05
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    if not words:
        raise AssayError("expected RUN..., found none  Help: assay judges estimate -h")
    load_plugins(settings["plugins"])
    from assay.judges.estimation import estimate

    with progress("scoring") as report:
        found = estimate(
            judgment_files((settings["human"],), settings),
            judgment_files((settings["cheap"],), settings),
            run_files(words, settings),
            list(settings["measures"]) or "nDCG@10",
            weight=settings["weight"],
            about=settings["about"],
            width=settings["width"],
            baseline=settings["baseline"],
            strict=not settings["lenient"],
            progress=report,
            **policies(settings),
        )
    deliver(found, settings)


# ------------------------------------------------------------------------------------------ options


def judging(settings: dict[str, Any]) -> dict[str, Any]:
    """What the options on judges mean."""
    return {
        "rel": _rel(settings["rels"]),
        "mapping": _mapping(settings["maps"]),
        "scale": _scale(settings["scale"]),
        "stray": settings["stray"],
        "seed": settings["seed"],
        "strict": not settings["lenient"],
    }


def _rel(words: Sequence[str]) -> float | dict[str, float]:
    """A threshold for all judges, and those of single ones, by label or pattern."""
    named: dict[str, float] = {}
    for word in words:
        name, equals, grade = word.rpartition("=")
        if not equals and "*" in named:
            raise AssayError(f"--rel {word}: one threshold for all is enough; others need a name")
        named[name if equals else "*"] = _number(grade, f"--rel {word}")
    if "*" in named:  # first, so that single judges have their own
        return {"*": named.pop("*")} | named
    return named or 1.0


def _mapping(words: Sequence[str]) -> dict[Any, Any] | None:
    every: dict[Any, Any] = {}
    named: dict[str, dict[Any, Any]] = {}
    for word in words:
        name, colon, table = word.rpartition(":")
        target = named.setdefault(name, {}) if colon else every
        for item in table.split(","):
            old, equals, new = item.partition("=")
            if not equals:
                raise AssayError(f"--map {word}: expected OLD=NEW, found {item!r}")
            target[_grades(old, word)] = _grades(new, word)
    if every and named:
        raise AssayError("--map: give either mappings for all judges, or each its judge")
    return named or every or None


def _grades(text: str, word: str) -> float | tuple[float, float]:
    """A grade, or a range of grades."""
    low, dots, high = text.partition("..")
    first = _number(low, f"--map {word}")
    return (first, _number(high, f"--map {word}")) if dots else first


def _scale(word: str | None) -> tuple[float, float] | None:
    if word is None:
        return None
    low, dots, high = word.partition("..")
    if not dots:
        raise AssayError(f"--scale {word}: expected LOW..HIGH, such as 0..3")
    return _number(low, f"--scale {word}"), _number(high, f"--scale {word}")


def _number(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise AssayError(f"{where}: expected a number, found {text!r}") from None
