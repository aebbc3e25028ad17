"""Measures as programs ask for them: trec_eval's names, the names it prints, as often as liked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from assay.errors import AssayError
from assay.trec.names import ENTRIES, NICKNAMES, Requested

__all__ = ["asked_for"]

_BY_NAME = {entry.name: entry for entry in ENTRIES}
_PRINTED = re.compile(r"(?P<name>.+?)_(?P<parameters>[0-9.,]+|[^_]*=[^_]*)")
SEVERAL = ("cutoffs", "levels")  # parameters that stand for a value each


def asked_for(measures: str | Iterable[str] | None, ver: int = 10) -> Requested:
    """The measures of these names; cut-offs of the same measure are taken together."""
    requested = Requested(ver)
    if measures is None:
        return requested
    if not isinstance(measures, Iterable):
        raise AssayError(f"measures are names such as 'map' or 'P.5,10', found {measures!r}")
    given: dict[str, list[str]] = {}
    for text in [measures] if isinstance(measures, str) else list(measures):
        name, parameters = _parted(text)
        if name not in NICKNAMES and (name not in _BY_NAME or _BY_NAME[name].since > ver):
            raise AssayError(_unknown(text, name, ver))
        given.setdefault(name, []).extend([parameters] if parameters else [])
    for name, texts in given.items():
        entry = _BY_NAME.get(name)
        parts = list(dict.fromkeys(texts))
        if parts and entry is not None and entry.takes in SEVERAL:
            parts = [",".join(dict.fromkeys(",".join(parts).split(",")))]
        if len(parts) > 1:
            raise AssayError(
                f"{name} is asked for with two sets of parameters, {parts[0]} and {parts[1]}; "
                "trec_eval takes one: ask twice"
            )
        requested.add(f"{name}.{parts[0]}" if parts else name)
    return requested


def _parted(text: str) -> tuple[str, str]:
    """Name and parameters of `P.5`, `P_5` or `P`."""
    if not isinstance(text, str):
        raise AssayError(f"measures are names such as 'map' or 'P.5,10', found {text!r}")
    if text in _BY_NAME or text in NICKNAMES:
        return text, ""
    name, _, parameters = text.partition(".")
    if name in _BY_NAME or name in NICKNAMES:
        return name, parameters
    printed = _PRINTED.fullmatch(text)
    if printed and printed["name"] in _BY_NAME:
        return printed["name"], printed["parameters"]
    return text, ""


def _unknown(text: str, name: str, ver: int) -> str:
    if name in _BY_NAME:
        return f"trec_eval {ver} has no measure {text!r}; version {_BY_NAME[name].since} has"
    names = {known.lower(): known for known in (*_BY_NAME, *NICKNAMES)}
    near = get_close_matches(name.lower(), names, 1)
    hint = f"; did you mean {names[near[0]]!r}?" if near else ""
    return f"trec_eval has no measure {text!r}{hint}  All names: assay trec_eval -h"
