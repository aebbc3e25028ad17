"""The list of measures, and a page on each of them."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assay.measures.measure import Measure
    from assay.measures.registry import Definition

__all__ = ["form_of", "measure_list", "measure_page", "set_page"]

MARGIN = 13  # where the text of a page begins
LAWS = {
    "range": "its values keep to no range",
    "ideal": "the ideal order need not be best",
    "swap": "a better document moved up may make it worse",
    "tail": "unjudged documents at the end matter",
    "rename": "the names of documents matter",
    "missing": "a topic left out may score better than a list for it",
    "undefined": "whether it is undefined depends on the run",
}


def form_of(definition: Definition) -> str:
    """How the name is written with its cut-off: `nDCG[@k]`."""
    cut = {"none": "", "optional": "[@k]", "required": "@k", "recall level": "@x"}[
        definition.cutoff
    ]
    return definition.name + cut


def measure_list(
    definitions: Mapping[str, Definition], sets: Mapping[str, str], width: int | None = None
) -> Iterator[str]:
    """One line for each measure, under the name of its family; folded only to a given width.

    `sets` are names that stand for many measures, with what they stand for.
    """
    column = max(len(form_of(definition)) for definition in definitions.values())
    family = None
    for definition in definitions.values():
        if definition.family != family:
            if family is not None:
                yield ""
            family = definition.family
            yield family.replace("_", " ").capitalize()
        better = "higher" if definition.higher_is_better else "lower "
        better = "      " if definition.average == "sum" else better
        head = f"  {form_of(definition):{column}}  {better}  "
        yield from _folded(head, definition.title, len(head), width)
    yield ""
    yield "Sets, each asked for by one name"
    for name, about in sets.items():
        head = f"  {name:{column}}          "
        yield from _folded(head, about, len(head), width)


def set_page(
    name: str, about: str, measures: Sequence[Measure], width: int | None = None
) -> Iterator[str]:
    """The measures that a set's name stands for."""
    yield name
    yield from _folded("", f"{about}: `-m {name}`", 0, width)
    yield ""
    column = max(len(str(measure)) for measure in measures)
    for measure in measures:
        head = f"{measure!s:{column}}  "
        yield from _folded(head, measure.definition.title, len(head), width)


def measure_page(
    measure: Measure, elsewhere: Mapping[str, str], example: str, width: int | None = None
) -> Iterator[str]:
    """All that is known of a measure; `elsewhere` are its names in other tools."""
    definition = measure.definition
    settings = ", ".join(definition.parameters)
    cut = form_of(definition).removeprefix(definition.name)
    yield f"{definition.name}{f'({settings})' if settings else ''}{cut}"
    yield from _folded("", definition.title, 0, width)
    yield ""
    for name, text in _entries(measure):
        yield from _folded(f"{name:{MARGIN}}", text, MARGIN, width)
    yield from _parameters(measure, width)
    shared = _shared(elsewhere)
    for i, (name, tools) in enumerate(shared.items()):
        head = "elsewhere" if i == 0 else ""
        yield from _folded(f"{head:{MARGIN}}", f"{', '.join(tools)}: {name}", MARGIN, width)
    if example:
        yield from _folded(f"{'example':{MARGIN}}", example, MARGIN, width)


def _entries(measure: Measure) -> Iterator[tuple[str, str]]:
    definition = measure.definition
    if definition.formula:
        yield "formula", definition.formula
    if definition.paper:
        yield "paper", definition.paper
    yield "range", _range(definition)
    if definition.average == "sum":
        yield "average", "added up over topics"
    yield "worst", f"{_worst(definition)}; the value of a topic that a run lacks (--missing worst)"
    yield "undefined", definition.undefined or "never"
    yield "cut-off", _cut_off(definition)
    yield "ties", _ties(definition)
    if definition.notes:
        yield "notes", definition.notes.strip()
    for law, why in definition.exempt.items():
        yield "exempt", f"{law}: {LAWS.get(law, law)}; {why}"


def _range(definition: Definition) -> str:
    better = "higher" if definition.higher_is_better else "lower"
    if math.isinf(definition.low) and math.isinf(definition.high):
        return f"any number; {better} is better"
    top = "and up" if math.isinf(definition.high) else f"to {definition.high:g}"
    bottom = "any number" if math.isinf(definition.low) else f"{definition.low:g}"
    return f"{bottom} {top}; {better} is better"


def _worst(definition: Definition) -> str:
    if not callable(definition.worst):
        return f"{definition.worst:g}"
    return "depends on the topic's judgments"


def _cut_off(definition: Definition) -> str:
    name = definition.name
    if definition.has_region:
        return f"required: {name}@10, or a region of ranks: {name}@[5..10]"
    return {
        "none": "none: the whole list counts",
        "optional": f"optional: {name}@10 looks at the first 10 documents, {name} at all",
        "required": f"required: {name}@10",
        "recall level": f"a recall level from 0 to 1: {name}@0.5",
    }[definition.cutoff]


def _ties(definition: Definition) -> str:
    if definition.weak:
        return "equal scores are ties to this measure; only --ties best and worst break them"
    if definition.has_expected:
        return "--ties expected gives the expected value over their orders"
    bounds = "" if "swap" in definition.exempt else "; --ties best and worst are its bounds"
    return f"no expected value is known{bounds}"


def _parameters(measure: Measure, width: int | None) -> Iterator[str]:
    definition = measure.definition
    rows = []
    for name, parameter in definition.parameters.items():
        default = definition.defaults.get(name)
        value = f"={default!r}" if default is not None else ""
        rows.append((f"{name}{value}", parameter.help))
    rows.append(("unjudged=", "as --unjudged, for this measure alone"))
    column = max(len(name) for name, _ in rows)
    for i, (name, text) in enumerate(rows):
        head = f"{'parameters' if i == 0 else '':{MARGIN}}{name:{column}}  "
        yield from _folded(head, text, len(head), width)


def _shared(elsewhere: Mapping[str, str]) -> dict[str, list[str]]:
    """Tools by the name that they have for it."""
    found: dict[str, list[str]] = {}
    for tool, name in elsewhere.items():
        found.setdefault(name or "no such measure", []).append(tool)
    return found


def _folded(head: str, text: str, margin: int, width: int | None) -> Iterator[str]:
    if width is None:
        yield head + text
        return
    room = max(24, width - margin)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    for i, line in enumerate(lines):
        yield (head if i == 0 else " " * margin) + line
