"""The options that say in which form files are, for every command that reads some."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.command import Function, labelled, option
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.inputs import File

__all__ = [
    "form_of",
    "form_options",
    "input_form_options",
    "judgment_files",
    "run_files",
]

SIDES = ("judgments", "runs")


def form_options(function: Function) -> Function:
    """Give a command --format and --columns."""
    return _form_options(function, "--format")


def input_form_options(function: Function) -> Function:
    """The same for a command whose --format is that of its output: --input-format."""
    return _form_options(function, "--input-format")


def _form_options(function: Function, name: str) -> Function:
    function = option(
        "--columns",
        "columns",
        multiple=True,
        metavar="ROLE=NAME,...",
        section="Input",
        help="Which column is which, by name or number: topic=qid,doc=pid,grade=label; roles are "
        "topic, "
        "doc, grade, score, rank, run, judge. Usual names are known. judgments:... or runs:... "
        "concerns "
        "these alone.",
    )(function)
    return option(
        name,
        "formats",
        multiple=True,
        metavar="NAME",
        section="Input",
        help="Form of the files, where it is not to be found out: `assay convert -h` lists all. "
        "judgments:NAME or runs:NAME concerns these alone.",
    )(function)


def judgment_files(words: Sequence[str], settings: Mapping[str, Any]) -> dict[str, File | str]:
    """Label to file of judgments, with what the options say of its form."""
    return _files(words, "judgment sets", "judgments", settings)


def run_files(words: Sequence[str], settings: Mapping[str, Any]) -> dict[str, File | str]:
    """Label to file of a run, with what the options say of its form."""
    return _files(words, "runs", "runs", settings)


def _files(
    words: Sequence[str], what: str, side: str, settings: Mapping[str, Any]
) -> dict[str, File | str]:
    found = labelled(tuple(words), what)
    form, columns = form_of(side, settings)
    if form is None and not columns:
        return dict(found)
    from assay.inputs import File

    return {label: File(path, form, columns) for label, path in found.items()}


def form_of(side: str, settings: Mapping[str, Any]) -> tuple[str | None, dict[str, str | int]]:
    """Format and columns for one side."""
    from assay.io.forms import FORMATS
    from assay.io.lines import JUDGMENTS, RUN
    from assay.io.names import ROLES

    kind, other = (RUN, JUDGMENTS) if side == "runs" else (JUDGMENTS, RUN)
    not_mine = set(ROLES[other]) - set(ROLES[kind])
    form: str | None = None
    for word in settings.get("formats", ()):
        whose, name = _sided(word)
        if name not in FORMATS:
            raise AssayError(f"--format {name}: must be one of {', '.join(FORMATS)}")
        if whose == side or (not whose and kind in FORMATS[name].kinds):
            form = name
    columns: dict[str, str | int] = {}
    for word in settings.get("columns", ()):
        whose, pairs = _sided(word)
        if whose in ("", side):
            named = _columns(pairs).items()
            columns |= {role: name for role, name in named if whose or role not in not_mine}
    return form, columns


def _sided(word: str) -> tuple[str, str]:
    side, colon, rest = word.partition(":")
    return (side, rest) if colon and side in SIDES else ("", word)


def _columns(text: str) -> dict[str, str | int]:
    found: dict[str, str | int] = {}
    for pair in text.split(","):
        role, equals, name = pair.strip().partition("=")
        if not equals or not role or not name:
            raise AssayError(f"--columns {text}: expected ROLE=NAME,..., such as topic=qid,doc=pid")
        found[role] = int(name) if name.isascii() and name.isdecimal() else name
    return found
