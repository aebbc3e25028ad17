"""`assay study robust`: the share of perturbations under which one run beats the other."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import Greedy, files, load_plugins, option, policies
from assay.cli.forms import form_options, judgment_files, run_files
from assay.cli.results import input_options, output_options
from assay.cli.tables import FORMS, deliver, show_option
from assay.cli.talk import progress, say
from assay.errors import AssayError

__all__ = ["command"]


class RobustCommand(Greedy):
    """--judges takes all words up to the next option."""

    spread = "--judges"


@click.command("robust", cls=RobustCommand)
@click.argument("words", metavar="JUDGMENTS RUN RUN", nargs=-1, shell_complete=files)
@option(
    "--judges",
    "judges",
    multiple=True,
    metavar="JUDGMENTS...",
    shell_complete=files,
    section="Input",
    help="Other judges' judgments, all words up to the next option; NAME=FILE gives one a name.",
)
@input_options
@form_options
@option(
    "--draws",
    type=click.IntRange(min=100),
    default=1000,
    show_default=True,
    section="Perturbations",
    help="Samples of topics, and of imputed grades; of tie orders at most 200.",
)
@option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    section="Perturbations",
    help="The same seed draws the same.",
)
@show_option("robust, fewest")
@output_options(*FORMS)
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Whether "A beats B" survives what could as well have been done.

    One table of the share of perturbations under which it holds: other topics, other judges, other
    weights of grades, related measures, other depths, the order of documents of equal score, grades
    for documents that nobody judged, values as places on a scale; the fewest topics whose removal
    reverses it; and in words the weakest link.

    \b
    assay study robust q.txt a.run b.run -m nDCG@10
    assay study robust nist.txt a.run b.run --judges llm1.txt llm2.txt -m nDCG@10 -m "AP(rel=2)"
    assay study robust q.txt a.run b.run --show variants        every variant by name
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    if len(words) != 3:
        many = f"{len(words)} file(s)" if words else "nothing"
        raise AssayError(f"expected JUDGMENTS RUN RUN, found {many}  Help: assay study robust -h")
    load_plugins(settings["plugins"])
    from assay.studies.robust import MEASURE, study_robust

    if not settings["measures"]:
        say(f"no -m given: {MEASURE}")
    with progress("perturbing") as report:
        found = study_robust(
            judgment_files((words[0], *settings["judges"]), settings),
            run_files(words[1:], settings),
            list(settings["measures"]) or None,
            draws=settings["draws"],
            seed=settings["seed"],
            strict=not settings["lenient"],
            progress=report,
            **policies(settings),
        )
    deliver(found, settings)
