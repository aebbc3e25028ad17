"""What all commands share: their form, and the options that several of them take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from assay.errors import AssayError
from assay.policy import CHOICES

__all__ = [
    "SETTINGS",
    "Command",
    "Function",
    "Greedy",
    "Option",
    "files",
    "ignore_self_option",
    "labelled",
    "lenient_option",
    "load_plugins",
    "measure_names",
    "measure_option",
    "option",
    "plugin_option",
    "policies",
    "policy_options",
]

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

Function = TypeVar("Function", bound=Callable[..., Any])


class Option(click.Option):
    """An option that help lists under a heading."""

    def __init__(self, *args: Any, section: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.section = section


class Command(click.Command):
    """A command whose help groups its options."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        settings["context_settings"] = SETTINGS | (settings.get("context_settings") or {})
        super().__init__(*args, **settings)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each heading with its options."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if not isinstance(param, click.Option):
                continue
            record = param.get_help_record(ctx)
            if record is not None:
                name = getattr(param, "section", "") or "Other"
                sections.setdefault(name, []).append(record)
        sections["Other"] = sections.pop("Other", [])
        for name, records in sections.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


class Greedy(Command):
    """A command with an option that takes all words up to the next option."""

    spread = "--runs"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write `--runs a b` as `--runs a --runs b`."""
        words: list[str] = []
        inside = False
        for i, word in enumerate(args):
            if word == self.spread and i + 1 < len(args) and not _is_option(args[i + 1]):
                inside = True
            elif _is_option(word):
                inside = False
                words.append(word)
            else:
                words += [self.spread, word] if inside else [word]
        return super().parse_args(ctx, words)


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def option(*names: str, **settings: Any) -> Callable[[Function], Function]:
    """A click option with a `section`."""
    return click.option(*names, cls=Option, **settings)


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:  # noqa: ARG001 - click's signature
    """Complete file names."""
    return [CompletionItem(incomplete, type="file")]


def measure_names(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem[str]]:
    """Complete names of measures."""
    from assay.measures.registry import registered

    return [
        CompletionItem(name, help=definition.title)
        for name, definition in registered().items()
        if name.lower().startswith(incomplete.lower())
    ]


lenient_option = option(
    "--lenient",
    is_flag=True,
    section="Input",
    help="Leave out bad lines and say how many, instead of stopping at the first.",
)

ignore_self_option = option(
    "--ignore-self",
    is_flag=True,
    section="Documents",
    help="Drop documents whose id is the topic's own, as BEIR does.",
)

measure_option = option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME@K",
    shell_complete=measure_names,
    section="Measures",
    help="A measure, such as nDCG@10, AP(rel=2), nDCG(gain='exp')@10; repeatable. "
    "Names of trec_eval, ir_measures and ranx are understood; papers and trec are sets of many. "
    "`assay measures` lists all.",
)

plugin_option = option(
    "--plugin",
    "plugins",
    multiple=True,
    metavar="FILE.py",
    shell_complete=files,
    section="Measures",
    help="A Python file that defines measures of your own with assay.define; repeatable.",
)

_HELP = {
    "missing": (
        "Topics",
        "A topic that a run lacks: the measure's worst value, left out, or exit 1.",
    ),
    "undefined": (
        "Topics",
        "No value, for want of a relevant document, say: left out, 0, or exit 1.",
    ),
    "unjudged": (
        "Documents",
        (
            "Documents that nobody judged: not relevant; condensed, removed, which flatters runs "
            "that did not contribute to the pool; judged as badly or as well as can be; bounds, "
            "both."
        ),
    ),
    "negative": ("Documents", "Grades below 0: pooled but unjudged, or not relevant."),
    "ties": ("Documents", "Equal scores: document ids descending, the expected value, or a bound."),
    "precision": ("Documents", "float32 rounds scores first, as trec_eval 9 and pytrec_eval do."),
    "mean": ("Topics", "The average over topics."),
}


def policy_options(*names: str) -> Callable[[Function], Function]:
    """Options for the policies of these names, each with its first choice as default."""

    def decorate(function: Function) -> Function:
        for name in reversed(names):
            section, text = _HELP[name]
            function = option(
                f"--{name}",
                type=click.Choice(CHOICES[name]),
                default=CHOICES[name][0],
                show_default=True,
                section=section,
                help=text,
            )(function)
        return function

    return decorate


def policies(settings: dict[str, Any]) -> dict[str, Any]:
    """The policies among a command's settings."""
    return {name: settings[name] for name in (*CHOICES, "ignore_self") if name in settings}


def labelled(words: tuple[str, ...], what: str) -> dict[str, str]:
    """Label to file of words such as `bm25.run` and `baseline=bm25.run`."""
    from pathlib import Path

    from assay.io.stream import label_of

    found: dict[str, str] = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not equals or "/" in name or Path(word).exists():
            name, path = label_of(word), word
        elif not name or not path:
            raise AssayError(f"{word!r}: expected a file, or NAME=FILE")
        if name in found:
            raise AssayError(
                f"two {what} are labelled {name!r}: {found[name]} and {path}; "
                f"give one another name, as in {name}2={path}"
            )
        found[name] = path
    return found


def load_plugins(paths: tuple[str, ...]) -> None:
    """Run the files that define measures."""
    import runpy
    import traceback
    from pathlib import Path

    for path in paths:
        if not Path(path).is_file():
            raise AssayError(f"--plugin {path}: no such file")
        try:
            runpy.run_path(path, run_name="assay_plugin")
        except AssayError as error:
            raise AssayError(f"--plugin {path}: {error}") from None
        except Exception as error:
            own = [at for at in traceback.extract_tb(error.__traceback__) if at.filename == path]
            line = getattr(error, "lineno", None) or (own[-1].lineno if own else None)
            where = f"{path}:{line}" if line else path
            raise AssayError(f"--plugin {where}: {type(error).__name__}: {error}") from error
