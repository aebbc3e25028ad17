"""What a measure needs of a list, so that no more is sorted than must be.

A measure is taken to look no further than its cut-off, neither in the list nor in the ideal order,
not to mind in which order the judged grades come, and to step over padding wherever it stands,
unless it is named here. tests/tensors/test_traits.py tries every registered measure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.measures.measure import Measure

__all__ = ["Traits", "traits_of"]

# documents beyond the cut-off matter
DEEP = {"Fallout", "Frustration", "RHL", "SFT", "SR", "Satisfaction"}
# judged documents beyond the best k matter to @k: they are counted
COUNTING = {
    *("AGR", "AP", "Coverage", "E", "F", "Fallout", "Q", "R", "RHL", "ScaledUtility", "WAP", "gR"),
    *("RelP", "Rprec"),
}
# only the best judged grade matters: it says whether anything is relevant
ONE = {"RR", "Success"}
# the judged grades must come largest first: they are the ideal list
IDEAL = {
    *("AvgnCG", "AvgnDCG_JK", "Compat", "G", "IdealDCG", "MSR", "NDCNG", "Q", "RHL", "RnDCG"),
    *("SR", "WAP", "muAP", "nCG", "nDCG", "nDCG_JK", "nDCGrel", "nERR"),
}
# documents must stand side by side, padding after them
DENSE = {"AP", "Bpref", "EP", "ESL", "ESRF", "PRR", "RnDCG", "infAP"}


@dataclass(frozen=True)
class Traits:
    """What one measure, with its cut-off and parameters, needs of a list."""

    depth: int | None  # ranks that matter; None: all
    base: int | str  # how many of the best judged grades, or all "in order" or in "any" order
    dense: bool


def traits_of(measure: Measure, *, expected: bool = False) -> Traits:
    """The needs of a measure; one defined by a user is taken to need everything.

    A tie group may reach over the cut-off, so that measures on ties, and expected values, need all.
    """
    definition, name = measure.definition, measure.name
    if definition.family == "own":
        return Traits(None, "in order", dense=True)
    cut = measure.at is not None and definition.cutoff != "recall level"
    whole = {"scores", "tie_first"} & set(definition.fields)
    shallow = cut and name not in DEEP and not whole and not expected
    depth = int(measure.at or 0) if shallow else None
    base: int | str = "in order" if name in IDEAL else "any"
    if "gains" in measure.parameters and measure.parameters["gains"] is not None:
        base = "any"  # the kernel sorts the gains
    elif name in ONE:
        base = 1
    elif cut and base == "in order" and name not in COUNTING:
        base = int(measure.at or 0)
    return Traits(depth, base, name in DENSE)
