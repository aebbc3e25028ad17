"""A measure as a value: it prints canonically, parses back, compares and hashes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from assay.errors import AssayError
from assay.measures.aliases import from_alias, no_measure
from assay.measures.named_sets import expanded
from assay.measures.parameters import PARAMETERS, UNJUDGED, Gains, choice
from assay.measures.registry import Definition, lookup, register, registered

__all__ = ["Measure", "define", "parse", "parse_all"]

WHOLE = 1e16  # whole numbers below are written without an exponent
_FORM = re.compile(r"\s*([^\W\d]\w*)\s*(?:\((.*)\))?\s*(?:@\s*([^@()]+?))?\s*", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_REGION = re.compile(r"\[\s*(\S+?)\s*\.\.\s*(\S+?)\s*\]")
_WORD = re.compile(r"[A-Za-z_./~][\w./~+-]*")  # an option, or the name of a file

Cut = float | tuple[float, float] | None


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters and its cut-off, such as `nDCG(gain='exp')@10`."""

    name: str
    settings: tuple[tuple[str, Any], ...] = ()
    at: float | None = None
    unjudged: str | None = None
    start: int = 1  # first rank of a region, written `@[start..at]`

    @property
    def definition(self) -> Definition:
        """What the register knows of this measure."""
        found = lookup(self.name)
        if found is None:
            raise AssayError(_unknown(self.name))
        return found

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter with its value, defaults included."""
        return {**self.definition.defaults, **dict(self.settings)}

    @property
    def k(self) -> float:
        """The cut-off, infinity where there is none."""
        return math.inf if self.at is None else self.at

    @property
    def uses_top(self) -> bool:
        """Whether the values depend on `max`, the top of the whole grade scale."""
        if self.definition.parameters.get("max") is not PARAMETERS["max"]:
            return False
        given = self.parameters
        return given.get("rel") is None and given.get("norm") != "none"

    def __call__(self, **settings: Any) -> Measure:
        """The same measure with other parameters."""
        merged: dict[str, Any] = dict(self.settings) | settings
        if self.unjudged is not None:
            merged.setdefault("unjudged", self.unjudged)
        cut = self.at if self.at is None or self.start == 1 else (self.start, self.at)
        return _build(self.name, merged, cut, str(self))

    def __matmul__(self, at: float | tuple[float, float]) -> Measure:
        """The same measure at a cut-off, or over the region of a pair of ranks."""
        settings = dict(self.settings)
        if self.unjudged is not None:
            settings["unjudged"] = self.unjudged
        return _build(self.name, settings, at, f"{self.name}@{at}")

    def __str__(self) -> str:
        """The canonical name, which `parse` reads back."""
        shown = [f"{name}={_show(value)}" for name, value in self.settings]
        if self.unjudged is not None:
            shown.append(f"unjudged={self.unjudged!r}")
        text = self.name + (f"({','.join(shown)})" if shown else "")
        return text if self.at is None else f"{text}@{_show_at(self)}"

    __repr__ = __str__

    def kernel(self, **fields: Any) -> Any:
        """Apply the formula to arrays (see `assay.measures`)."""
        definition, options = self.definition, self.parameters
        if options.get("rel") == "each":
            raise AssayError(f"{self}: stands for one measure for each relevance level; name one")
        for name in definition.sets:
            del options[name]
        if definition.takes_cutoff:
            options["k"] = self.k
        if definition.has_region:
            options["start"] = self.start
        if "better" in fields and definition.from_preferences is not None:
            return definition.from_preferences(**fields, **options)
        return definition.kernel(**fields, **options)


def parse(text: str | Measure) -> Measure:
    """Read a measure's name: assay's own form, or one of trec_eval, ranx or ir_measures."""
    if isinstance(text, Measure):
        return text
    if _is_foreign(text):
        text = str(text)
    if not isinstance(text, str):
        raise AssayError(f"a measure is a name such as 'nDCG@10', found {text!r}")
    form = _FORM.fullmatch(text)
    if form is not None and lookup(form[1]) is not None:
        name, inner, at = form.groups()
        return _build(name, _settings(inner or "", text), _cutoff(at, text), text.strip())
    alias = from_alias(text.strip())
    if alias is not None:
        return parse(alias)
    meant = no_measure(text.strip())
    if meant is not None:
        raise AssayError(f"{text.strip()!r} is no measure but {meant}")
    if form is None:
        raise AssayError(
            f"cannot read the measure {text!r}; expected a form such as nDCG@10, AP(rel=2) or "
            "nDCG(gain='exp')@10"
        )
    raise AssayError(_unknown(form[1], text.strip()))


def _is_foreign(text: Any) -> bool:
    """Whether this is a measure of ir_measures, which prints as it is written."""
    return type(text).__module__.partition(".")[0] == "ir_measures"


def parse_all(texts: Any) -> tuple[Measure, ...]:
    """Read several names, in order, each once; `papers` and `trec` stand for many."""
    if isinstance(texts, str | Measure) or _is_foreign(texts) or not isinstance(texts, Iterable):
        texts = [texts]
    names = [name for text in texts for name in (expanded(text) or [text])]
    measures = tuple(dict.fromkeys(map(parse, names)))
    if not measures:
        raise AssayError("no measure was asked for; name at least one, such as 'nDCG@10'")
    return measures


def define(
    name: str | Callable[..., Any] | None = None,
    kernel: Callable[..., Any] | None = None,
    **about: Any,
) -> Any:
    """Register your own measure, made of one function over arrays (see `assay.measures`).

    As a decorator, or called with a name and a function::

        @assay.define
        def FirstTwo(grade, rank):
            "Gain of the first two documents."
            return (grade * (rank <= 2)).sum(axis=-1)
    """
    about.setdefault("family", "own")
    about.setdefault("high", math.inf)
    about.setdefault("low", -math.inf)
    if callable(name):
        register(name.__name__, name, **about)
        return name
    if kernel is not None:
        register(name or kernel.__name__, kernel, **about)
        return kernel

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        register(name or function.__name__, function, **about)
        return function

    return decorate


def _build(name: str, given: Mapping[str, Any], at: Cut, text: str) -> Measure:
    definition = lookup(name)
    if definition is None:
        raise AssayError(_unknown(name))
    given = _translated(definition, given, text)
    unjudged = given.pop("unjudged", None)
    if unjudged is not None:
        _checked(text, "unjudged", choice(*UNJUDGED), unjudged)
    settings = _settled(definition, given, text)
    if isinstance(at, tuple):
        start, end = _checked_region(definition, at, text)
        return Measure(name, settings, end, unjudged, start)
    return Measure(name, settings, _checked_at(definition, at, text), unjudged)


def _translated(definition: Definition, given: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The parameters with ir_measures' words in assay's."""
    given = dict(given)
    for theirs, here in (("judged_only", "unjudged"), ("dcg", "gain")):
        if theirs in given and here in given:
            raise AssayError(f"{text}: {theirs}= and {here}= say the same; give one of the two")
    if "judged_only" in given:
        only = given.pop("judged_only")
        if only not in (True, False):
            raise AssayError(f"{text}: judged_only must be True or False, found {only!r}")
        if only:
            given["unjudged"] = "condensed"
    if "dcg" in given and "gain" in definition.parameters:
        word = given.pop("dcg")
        _checked(text, "dcg", choice("log2", "exp-log2"), word)
        given["gain"] = "exp" if word == "exp-log2" else "linear"
    return given


def _settled(
    definition: Definition, given: dict[str, Any], text: str
) -> tuple[tuple[str, Any], ...]:
    """The parameters that differ from their defaults, checked."""
    name, settings = definition.name, []
    for key, parameter in definition.parameters.items():
        if key not in given:
            continue
        value = given.pop(key)
        if (key, value) != ("rel", "each"):  # one measure for each level: `evaluate` spreads it
            value = _checked(text, key, parameter.check, value)
        if key not in definition.defaults or value != definition.defaults[key]:
            settings.append((key, value))
    if given:
        known = [*definition.parameters, "unjudged"]
        wrong = next(iter(given))
        close = get_close_matches(wrong, known, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise AssayError(
            f"{text}: {name} has no parameter {wrong!r}{hint}  It takes: {', '.join(known)}"
        )
    required = [key for key in definition.parameters if key not in definition.defaults]
    for key in required:
        if key not in dict(settings):
            raise AssayError(f"{text}: {name} needs the parameter {key!r}")
    return tuple(settings)


def _checked(text: str, key: str, check: Callable[[Any], Any], value: Any) -> Any:
    try:
        return check(value)
    except AssayError as error:
        raise AssayError(f"{text}: {key} {error}") from None


def _checked_at(definition: Definition, at: float | None, text: str) -> float | None:
    name, kind = definition.name, definition.cutoff
    if at is None:
        if kind == "required":
            raise AssayError(f"{text}: {name} needs a cut-off, such as {name}@10")
        if kind == "recall level":
            raise AssayError(f"{text}: {name} needs a recall level, such as {name}@0.2")
        return None
    if kind == "none":
        raise AssayError(f"{text}: {name} takes no cut-off; write {name}")
    if kind == "recall level":
        if not 0 <= at <= 1:
            raise AssayError(f"{text}: the recall level must lie between 0 and 1")
        return float(at)
    if not math.isfinite(at) or at != int(at):
        raise AssayError(f"{text}: the cut-off must be a whole number")
    if at < 1:
        raise AssayError(f"{text}: the cut-off must be at least 1")
    return int(at)


def _checked_region(definition: Definition, at: tuple[float, float], text: str) -> tuple[int, int]:
    if not definition.has_region:
        ones = [name for name, other in registered().items() if other.has_region]
        raise AssayError(
            f"{text}: {definition.name} takes no region of ranks; these do: {', '.join(ones)}"
        )
    start, end = at
    if start != int(start) or end != int(end):
        raise AssayError(f"{text}: the ranks of a region must be whole numbers")
    if not 1 <= start <= end:
        raise AssayError(f"{text}: a region runs from a rank of at least 1 to one no smaller")
    return int(start), int(end)


def _settings(inner: str, text: str) -> dict[str, Any]:
    """`rel=2,gains={1:1,2:10}` as a dictionary."""
    settings: dict[str, Any] = {}
    for part in _split(inner):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key.isidentifier():
            name = text.partition("(")[0].strip()
            known = lookup(name)
            first = next(iter(known.parameters), None) if known else None
            hint = f"; such as {name}({first}={part.strip()})" if first and not equals else ""
            raise AssayError(
                f"{text}: expected name=value between the brackets, found {part.strip()!r}{hint}"
            )
        if key in settings:
            raise AssayError(f"{text}: the parameter {key!r} is given twice")
        settings[key] = _value(value.strip(), text)
    return settings


def _split(inner: str) -> list[str]:
    """Cut at the commas that stand outside braces and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(inner):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "{}":
            depth += 1 if c == "{" else -1
        elif c == "," and depth == 0:
            parts.append(inner[start:i])
            start = i + 1
    rest = inner[start:]
    return [*parts, rest] if parts or rest.strip() else []


def _value(text: str, whole: str) -> Any:
    if _NUMBER.fullmatch(text):
        value = _float(text, whole)
        return int(value) if abs(value) < WHOLE and value == int(value) else value
    if text in ("True", "true", "False", "false"):
        return text in ("True", "true")
    if text == "None":
        return None
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1]:
        return text[1:-1]
    if text.startswith("{") and text.endswith("}"):
        table: dict[Any, Any] = {}
        for part in _split(text[1:-1]):
            key, colon, gain = part.partition(":")
            if not colon:
                raise AssayError(
                    f"{whole}: expected grade:gain in the table, found {part.strip()!r}"
                )
            grade = _value(key.strip(), whole)
            if grade in table:
                raise AssayError(f"{whole}: the table lists grade {grade} twice")
            table[grade] = _value(gain.strip(), whole)
        return table
    if _WORD.fullmatch(text):
        return text
    raise AssayError(f"{whole}: cannot read the value {text!r}")


def _cutoff(text: str | None, whole: str) -> Cut:
    if text is None:
        return None
    region = _REGION.fullmatch(text)
    if region is not None and all(map(_NUMBER.fullmatch, region.groups())):
        return _float(region[1], whole), _float(region[2], whole)
    if not _NUMBER.fullmatch(text):
        raise AssayError(f"{whole}: the cut-off must be a number, found {text!r}")
    return _float(text, whole)


def _float(text: str, whole: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise AssayError(f"{whole}: the number {text} is beyond the largest float, 1.8e308")
    return value


def _show(value: Any) -> str:
    if isinstance(value, float | int) and not isinstance(value, bool):
        whole = abs(value) < WHOLE and value == int(value)
        return repr(int(value)) if whole else repr(float(value))
    if isinstance(value, str):
        return f"'{value}'"
    return repr(Gains(value)) if isinstance(value, Mapping) else repr(value)


def _show_at(measure: Measure) -> str:
    at = measure.at or 0.0
    if measure.start > 1:
        return f"[{measure.start}..{int(at)}]"
    return repr(float(at)) if measure.definition.cutoff == "recall level" else repr(int(at))


def _unknown(name: str, text: str | None = None) -> str:
    if name == "PR":
        return (
            f"{text or name} is a curve, not a measure: `assay curves -m PR`, or assay.curves; "
            "IPrec@0.5 is its value at recall 0.5"
        )
    names = list(registered())
    folded = {known.lower(): known for known in names}
    if name.lower() in folded:
        close = [folded[name.lower()]]
    else:
        close = get_close_matches(name, names, 1) or [
            folded[known] for known in get_close_matches(name.lower(), folded, 1)
        ]
    hint = ""
    if close:
        suggestion = close[0] + (text or name)[len(name) :]
        hint = f" did you mean {suggestion!r}?"
    return f"unknown measure {text or name!r};{hint}  All names: assay measures"
