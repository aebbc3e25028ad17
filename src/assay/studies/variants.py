"""What else could have been measured: other weightings of grades, other measures, other depths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.measures.measure import Measure, parse
from assay.studies.weights import Scheme, schemes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["CUT_OFFS", "depths", "related", "weightings"]

LEVELS = 10  # of relevance, up to which each is tried as the threshold
DEPTHS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
CUT_OFFS = ("required", "optional")  # others are levels of recall, or none
CUT = ("nDCG", "P", "R", "AP", "Q", "ERR")  # taken at the measure's own depth
WHOLE = ("nDCG", "AP", "Rprec", "Q", "Bpref", "RBP", "ERR", "RR")


def weightings(measure: Measure, levels: Sequence[float]) -> dict[str, Measure]:
    """The measure with other weights of the levels of relevance, by a name such as `0-1-10-100`.

    Weights are Järvelin & Kekäläinen's four schemes, powers of 2 less 1, and 0 or 1 from each level
    on; measures of relevant or not get each level as their threshold.
    """
    taken = measure.definition.parameters
    found: dict[str, Measure] = {}
    if "gains" in taken and 0 < len(levels) <= LEVELS:
        for scheme in _schemes(len(levels)):
            gains = dict(zip(levels, scheme.weights[1:], strict=True))
            found[str(scheme)] = measure(gains=gains, gain="linear")
    elif "gain" in taken:
        found |= {f"gain {how}": measure(gain=how) for how in ("linear", "exp")}
    if "rel" in taken and len(levels) <= LEVELS:
        found |= {f"relevant from {level:g}": measure(rel=level) for level in levels}
    return _others(measure, found)


def _schemes(n: int) -> Iterator[Scheme]:
    yield from schemes(n).values()
    yield Scheme((0.0, *(2.0**i - 1 for i in range(1, n + 1))))
    for first in range(1, n - 1):
        yield Scheme((0.0, *(float(i >= first) for i in range(n))))


def related(measure: Measure) -> dict[str, Measure]:
    """Measures that people take for the same purpose, at the measure's depth and without one."""
    cut = measure.at is not None and measure.definition.cutoff in CUT_OFFS
    names = [f"{name}@{measure.at:g}" for name in CUT] if cut else []
    found = {}
    for name in (*names, *WHOLE):
        other = parse(name)
        if "rel" in other.definition.parameters and "rel" in dict(measure.settings):
            other = other(rel=dict(measure.settings)["rel"])
        if measure.unjudged is not None:
            other = other(unjudged=measure.unjudged)
        found[str(other)] = other
    return _others(measure, found)


def depths(measure: Measure, longest: int) -> dict[str, Measure]:
    """The measure at other depths, as far as lists go."""
    if measure.definition.cutoff not in CUT_OFFS or measure.start != 1:
        return {}
    found = {f"@{k}": measure @ k for k in DEPTHS if k <= longest}
    return _others(measure, found)


def _others(measure: Measure, found: dict[str, Measure]) -> dict[str, Measure]:
    """Those that are not the measure itself, each once."""
    once: dict[Measure, str] = {}
    for name, other in found.items():
        if other != measure:
            once.setdefault(other, name)
    return {name: other for other, name in once.items()}
