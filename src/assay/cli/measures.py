"""`assay measures`: what can be measured."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from assay.cli.command import Command, load_plugins, measure_names, plugin_option
from assay.cli.talk import deliver
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.measures.measure import Measure

__all__ = ["command"]

# The list of Järvelin & Kekäläinen 2002, G', in a topic whose ideal list is their I'
GRADES = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
OTHERS = (1, 1, 1)  # relevant documents that the list lacks
NEEDED = {"n": 3, "x": 0.5}  # values for parameters without a default


@click.command("measures", cls=Command)
@click.argument("name", required=False, shell_complete=measure_names)
@plugin_option
def command(name: str | None, plugins: tuple[str, ...]) -> None:
    """List the measures, or explain one.

    NAME is a measure, with or without parameters, another tool's name for one, or a set: papers,
    trec. An explanation has formula, paper, parameters, range, direction, worst value, conventions,
    other tools' names and an example.

    \b
    assay measures                     all, by family
    assay measures nDCG                one
    assay measures ndcg_cut_10         one of trec_eval's names
    assay measures papers              what -m papers asks for
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    from assay.measures.named_sets import ABOUT, NAMED_SETS
    from assay.measures.registry import registered
    from assay.show.measures import measure_list, measure_page, set_page

    load_plugins(plugins)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    if name is None:
        lines = measure_list(registered(), ABOUT, width)
    elif name in NAMED_SETS:
        lines = set_page(name, ABOUT[name], [_measure(each) for each in NAMED_SETS[name]], width)
    else:
        from assay.tools import names_of

        measure = _measure(name)
        elsewhere = names_of(measure)
        if measure.at is None and measure.definition.cutoff == "optional":
            cut = names_of(replace(measure, at=10))
            elsewhere = {
                tool: name if name in ("", cut[tool]) else f"{name}, {cut[tool]}"
                for tool, name in elsewhere.items()
            }
        lines = measure_page(measure, elsewhere, _example(measure), width)
    deliver(f"{line}\n" for line in lines)


def _measure(name: str) -> Measure:
    """The measure of that name, with a cut-off where it needs one."""
    from assay.measures.measure import Measure, parse
    from assay.measures.registry import lookup

    definition = lookup(name)
    if definition is None:
        return parse(name)
    at = {"required": 10, "recall level": 0.5}.get(definition.cutoff)
    settings = tuple(
        (key, NEEDED[key])
        for key in definition.parameters
        if key not in definition.defaults and key in NEEDED
    )
    return Measure(name, settings, at)


def _example(measure: Measure) -> str:
    """The measure's value on a list that the literature knows; empty where it asks for more."""
    from assay.evaluation import evaluate

    shown = {f"r{i:02d}": float(grade) for i, grade in enumerate(GRADES, 1)}
    others = {f"u{i}": float(grade) for i, grade in enumerate(OTHERS, 1)}
    run = {doc: 100.0 - i for i, doc in enumerate(shown)}
    with suppress(AssayError, KeyError):
        scores = evaluate({"1": shown | others}, {"1": run}, measure)
        values = ", ".join(f"{each} = {scores.of('run', each)[0]:.4g}" for each in scores.measures)
        listed = " ".join(map(str, GRADES))
        rest = " ".join(map(str, OTHERS))
        return f"{values} for the list {listed}, where {rest} were judged too and not retrieved"
    return ""
