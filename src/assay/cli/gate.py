"""`assay gate`: a decision for a build pipeline, by exit status."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.command import Command, files, option
from assay.cli.forms import form_options
from assay.cli.results import alpha_option, input_options, output_options, score, show, talk
from assay.cli.talk import deliver, warn
from assay.errors import AssayError

__all__ = ["command"]

JUDGED = "Judged@10"  # tells how evenly the two runs are judged where no measure has a cut-off


@click.command("gate", cls=Command)
@click.argument("words", metavar="JUDGMENTS BASELINE CANDIDATE", nargs=-1, shell_complete=files)
@input_options
@form_options
@option(
    "--max-drop",
    metavar="X|X%",
    section="Tests",
    help="The drop allowed: absolute, as 0.01, or of the baseline's mean, as 2%. "
    "[needed unless --require-gain is given]",
)
@option(
    "--require-gain",
    metavar="X|X%",
    section="Tests",
    help="The candidate must be shown to be better by more than this (0: any gain); "
    "Holm over measures.",
)
@alpha_option
@option(
    "--strict",
    is_flag=True,
    section="Tests",
    help="Exit 1 where the topics cannot tell, too.",
)
@option(
    "--summary",
    metavar="FILE",
    shell_complete=files,
    section="Output",
    help="Write a summary for a pull request, in Markdown.",
)
@option(
    "--junit",
    metavar="FILE",
    shell_complete=files,
    section="Output",
    help="Write JUnit XML, which build servers show.",
)
@output_options("table", "markdown", "html", "json")
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Decide whether a candidate may replace the baseline: exit 0 or 1.

    PASS: a drop beyond --max-drop is excluded. FAIL: the drop seen is beyond it, and that there is
    a loss is shown. Otherwise INCONCLUSIVE: exit 0 with a warning, unless the drop seen is beyond
    --max-drop or --strict is given. With several measures all must pass.

    \b
    assay gate q.txt main.run pr.run -m nDCG@10 --max-drop 2%
    assay gate q.txt main.run pr.run -m nDCG@10 -m R@100 --max-drop 0.01 --strict
    assay gate q.txt main.run pr.run -m nDCG@10 --require-gain 0 --junit gate.xml
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    _distinct(words, settings)
    expected = "JUDGMENTS, BASELINE and CANDIDATE"
    scores, _, _ = score(words, settings, expected, (2, 2), also=JUDGED)
    from assay.gating import INCONCLUSIVE, gate
    from assay.measures.measure import parse, parse_all
    from assay.show.gate import gate_table, text

    names = ("max_drop", "require_gain", "alpha", "strict")
    asked = settings["measures"] and parse(JUDGED) in parse_all(settings["measures"])
    deciding = scores.measures if asked else scores.measures[:-1]
    found = gate(scores, measures=deciding, **{name: settings[name] for name in names})
    show(gate_table(found), lambda form: text(found, form), settings["form"], settings["output"])
    if settings["summary"]:
        deliver([f"{found.to_markdown()}\n"], settings["summary"])
    if settings["junit"]:
        deliver([found.to_junit()], settings["junit"])
    talk(found.notes, found.warnings)
    if found.outcome == INCONCLUSIVE:
        warn(f"inconclusive: {found.candidate} against {found.baseline}")
    if found.exit_code:
        raise click.exceptions.Exit(found.exit_code)


def _distinct(words: tuple[str, ...], settings: dict[str, Any]) -> None:
    """Refuse to write two things into one file, or one over what is read."""
    from pathlib import Path

    read = [word if Path(word).exists() else word.partition("=")[2] or word for word in words]
    taken = {Path(path).resolve(): path for path in read}
    for name in ("output", "summary", "junit"):
        path = settings[name]
        if path is None or (Path(path).exists() and not Path(path).is_file()):  # as /dev/null
            continue
        place = Path(path).resolve()
        if place in taken:
            raise AssayError(f"--{name} {path}: is the file of {taken[place]}; name another")
        taken[place] = f"--{name}"
