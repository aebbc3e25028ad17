"""Whether a file holds a run or judgments, as its form and its columns show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import AssayError
from assay.io.forms import FORMATS, named_in, opened, rows_of, several_in
from assay.io.lines import JUDGMENTS, RUN, Dropped, Form
from assay.io.locate import Origin
from assay.io.names import ROLES, is_own
from assay.io.objects import PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["kind_of"]

Said = tuple[str | None, "Mapping[str, str | int]"]


def kind_of(source: str, said: Mapping[Form, Said]) -> Form | None:
    """What a source holds; None where only a person can know.

    `said` gives for each kind the form, if any, and the columns under which it would be read.
    """
    for kind, other in ((RUN, JUDGMENTS), (JUDGMENTS, RUN)):
        form, columns = said[kind]
        if form is not None and kind in FORMATS[form].kinds and other not in FORMATS[form].kinds:
            return kind
        if set(columns) & (set(ROLES[kind]) - set(ROLES[other])):
            return kind
    if source == "-" or source.startswith(PREFIX) or not Path(source).is_file():
        return None
    possible = {kind: _signs(source, kind, *said[kind]) for kind in (RUN, JUDGMENTS)}
    most = max(possible.values())
    best = [kind for kind, signs in possible.items() if signs == most]
    return best[0] if most and len(best) == 1 else None


def _signs(source: str, kind: Form, form: str | None, columns: Mapping[str, str | int]) -> int:
    """How much speaks for a kind: 0 nothing, 1 it can be read so, 2 or 3 a column says so."""
    try:
        origin = opened(Origin(source, source), kind, format=form, columns=columns)
        if several_in(origin, kind):
            return 3
        if not next(map(len, rows_of(origin, kind, dropped=Dropped())), 0):
            return 0
        heads, chosen = named_in(origin, kind)
    except AssayError:
        return 0
    return 2 if heads and chosen is not None and is_own(heads, kind, chosen) else 1
