"""The register of measures: what each one is, beside its kernel."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from assay.errors import AssayError
from assay.measures.parameters import PARAMETERS, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "FAMILIES",
    "LAWS",
    "Definition",
    "adopt",
    "lookup",
    "measure",
    "register",
    "registered",
]

Cutoff = Literal["none", "optional", "required", "recall level"]

# the files of this folder that define measures, in the order in which they are listed
FAMILIES = (
    "cumulated_gain",
    "precision",
    "interpolated",
    "average_precision",
    "reciprocal_rank",
    "preference",
    "cascade",
    "overlap",
    "sets",
    "counts",
    "sliding_ratio",
    "gain_vectors",
    "graded_precision",
    "distance",
    "correlation",
    "search_length",
    "expected_search_length",
    "expected_precision",
    "smart",
    "korfhage",
    "levels",
    "retrieval_scores",
    "relative_relevance",
    "effectiveness",
    "user_oriented",
    "trec_precision",
    "trec_gain",
    "trec_preferences",
)

# every measure obeys each law or says in `exempt` why it does not; tests/laws runs them
LAWS = (
    "range",  # every value lies within `low` and `high`
    "ideal",  # the topic's relevant documents, best first and nothing else, get the best value
    "swap",  # changing places so that a better document precedes a worse never lowers the value
    "tail",  # documents without a judgment, added at the end, change nothing
    "rename",  # other document ids change nothing where there are no ties
    "missing",  # a topic missing from a run never scores better than any list for it
    "undefined",  # whether a value is undefined depends on topic and judgments only
)

FIELDS = (
    "grade",
    "rank",
    "base",
    "judged",
    "retrieved",
    "pooled",
    "score",
    "tie_first",
    "tie_last",
    "missed",
    "scores",
    "better",
    "worse",
    "votes",
    "against",
    "known",
    "known_base",
    "wanted",
)


@dataclass(frozen=True)
class Definition:
    """A measure as defined: the formula's code and what a reader must know of it."""

    name: str
    kernel: Callable[..., Any]
    title: str
    formula: str
    paper: str
    family: str
    cutoff: Cutoff = "optional"
    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True
    worst: float | Callable[..., Any] = 0.0
    undefined: str = ""
    scale: str = "ratio"
    average: Literal["mean", "sum"] = "mean"
    exempt: Mapping[str, str] = field(default_factory=dict)
    notes: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()  # parameters that name documents, which the kernel gets as fields
    has_expected: bool = False
    has_region: bool = False  # `@[a..b]` may follow the name
    weak: bool = False  # defined on weak orders: equal scores are ties, however others break them
    from_preferences: Callable[..., Any] | None = None  # the kernel on better and worse

    @property
    def takes_cutoff(self) -> bool:
        """Whether `@k` may follow the name."""
        return self.cutoff != "none"


_REGISTER: dict[str, Definition] = {}
_loaded = False


def measure(
    name: str | None = None,
    *,
    parameters: Mapping[str, Parameter] | None = None,
    **about: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated kernel as a measure; `about` holds the fields of `Definition`."""

    def decorate(kernel: Callable[..., Any]) -> Callable[..., Any]:
        register(name or kernel.__name__, kernel, parameters=parameters, **about)
        return kernel

    return decorate


def register(
    name: str,
    kernel: Callable[..., Any],
    *,
    parameters: Mapping[str, Parameter] | None = None,
    **about: Any,
) -> Definition:
    """Add a measure to the register; fields and parameters are read off the kernel's signature."""
    if not name.isidentifier():
        raise AssayError(f"{name!r} cannot name a measure: letters, digits and _ only")
    if name in _REGISTER:
        raise AssayError(f"a measure named {name!r} exists already; choose another name")
    unknown_laws = set(about.get("exempt", ())) - set(LAWS)
    if unknown_laws:
        raise AssayError(
            f"{name}: no law is called {sorted(unknown_laws)}; laws: {', '.join(LAWS)}"
        )
    fields: list[str] = []
    checks: dict[str, Parameter] = {}
    defaults: dict[str, Any] = {}
    keywords = set()
    own = parameters or {}
    for parameter in inspect.signature(kernel).parameters.values():
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            if parameter.name not in FIELDS:
                raise AssayError(
                    f"{name}: the kernel asks for {parameter.name!r}, which is no field of a "
                    f"ranking; fields: {', '.join(FIELDS)}; a measure's own parameters come after *"
                )
            fields.append(parameter.name)
            continue
        keywords.add(parameter.name)
        if parameter.name in ("k", "start", "tie_first", "tie_last"):
            continue
        found = own.get(parameter.name) or PARAMETERS.get(parameter.name)
        checks[parameter.name] = found or Parameter(lambda value: value, "")
        if parameter.default is not inspect.Parameter.empty:
            defaults[parameter.name] = parameter.default
    checks |= {name: PARAMETERS[name] for name in about.get("sets", ())}
    defaults |= dict.fromkeys(about.get("sets", ()))
    document = inspect.getdoc(kernel) or ""
    about.setdefault("cutoff", "optional" if "k" in keywords else "none")
    about.setdefault("title", document.split("\n", 1)[0].rstrip("."))
    about.setdefault("formula", "")
    about.setdefault("paper", "")
    about.setdefault("family", kernel.__module__.rsplit(".", 1)[-1])
    definition = Definition(
        name=name,
        kernel=kernel,
        parameters=checks,
        defaults=defaults,
        fields=tuple(fields),
        has_expected={"tie_first", "tie_last"} <= keywords,
        has_region="start" in keywords,
        **about,
    )
    _REGISTER[name] = definition
    return definition


def adopt(definition: Definition) -> None:
    """Take over a measure that another process defined, in the place of one of its name."""
    _REGISTER[definition.name] = definition


def _load() -> None:
    global _loaded  # noqa: PLW0603 - the register fills itself on first use
    if not _loaded:
        _loaded = True
        for family in FAMILIES:
            import_module(f"assay.measures.{family}")


def registered() -> dict[str, Definition]:
    """All measures by name, in the order of their families."""
    _load()
    place = {family: i for i, family in enumerate(FAMILIES)}
    return dict(sorted(_REGISTER.items(), key=lambda item: place.get(item[1].family, len(place))))


def lookup(name: str) -> Definition | None:
    """The measure of this name, or None; all families are loaded where it is not known yet."""
    if name not in _REGISTER:
        _load()
    return _REGISTER.get(name)
