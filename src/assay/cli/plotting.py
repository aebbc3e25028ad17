"""The command that draws one kind of picture."""

from __future__ import annotations

import inspect
from typing import Any

import click

from assay.cli.command import Command, Greedy, files, option
from assay.cli.forms import form_options
from assay.cli.pictures.options import DRAWING
from assay.cli.pictures.sources import SOURCES
from assay.cli.results import talk
from assay.errors import AssayError
from assay.show.charts.kinds import KINDS
from assay.show.charts.look import PRESETS
from assay.show.charts.saving import FORMS, form_of

__all__ = ["command_of"]


def command_of(name: str) -> click.Command:
    """The command that draws this kind."""
    source, drawn = SOURCES[name], KINDS[name].drawn()
    own = [
        each
        for each in inspect.signature(drawn).parameters
        if each in DRAWING and DRAWING[each] not in source.options
    ]

    def call(words: tuple[str, ...], **settings: Any) -> None:
        target = settings["target"]
        if target is None:
            raise AssayError(
                f"expected -o FILE, with a suffix of {', '.join(FORMS)}  "
                f"Help: {click.get_current_context().command_path} -h"
            )
        form_of(target)
        result = source.load(words, settings)
        asked = {each: settings[each] for each in own if settings[each] is not None}
        from assay.show.charts import draw, save

        save(draw(result, name, preset=settings["preset"], **asked), target)
        talk(getattr(result, "notes", ()), getattr(result, "warnings", ()))

    call.__doc__ = _help(name, drawn.__doc__ or "", source.example)
    function: Any = call
    decorators = (
        *source.options,
        *((form_options,) if source.words else ()),
        *(DRAWING[each] for each in own),
        option(
            "-o",
            "--output",
            "target",
            metavar="FILE",
            shell_complete=files,
            section="Output",
            help=f"The file to write; its suffix says the form: {', '.join(FORMS)}.",
        ),
        option(
            "--preset",
            type=click.Choice(PRESETS),
            default=PRESETS[0],
            show_default=True,
            section="Output",
            help="Sizes for a screen, a paper's column (3 1/3 inches), a slide (16 by 9).",
        ),
    )
    for decorate in reversed(decorators):
        function = decorate(function)
    function = click.argument("words", metavar=source.words, nargs=-1, shell_complete=files)(
        function
    )
    made: click.Command = click.command(name, cls=Greedy if source.greedy else Command)(function)
    return made


def _help(name: str, text: str, example: str) -> str:
    """What the drawing function says of itself, and an example."""
    words = inspect.cleandoc(text).replace("`", "")
    return f"{words}\n\n\b\nassay plot {name} {example} -o {name}.png"
