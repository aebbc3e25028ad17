"""Means over many batches, such as those of a validation loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.tensors.evaluation import Evaluator
from assay.tensors.namespace import Array, array_namespace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.measures.measure import Measure

__all__ = ["Accumulator"]

UNDEFINED = ("skip", "zero")


class Accumulator:
    """Sums and numbers of values, batch by batch: `update`, then `compute` the means.

    The state is two small arrays on the device of the batches, one number for each measure; nothing
    waits for the device before a mean is read. `merge` adds another accumulator, such as that of
    another process; `state` and `load` hand the two arrays over.

    * undefined: lists on which a measure is undefined are left out (`"skip"`) or count as 0
      (`"zero"`).
    * ties, cells: as for `assay.tensors.evaluate`.

    >>> import numpy as np
    >>> validation = Accumulator(["nDCG@3", "RR"])
    >>> validation.update(np.array([[0.9, 0.8]]), np.array([[0, 1]]))
    >>> validation.update(np.array([[0.3, 0.1], [0.2, 0.1]]), np.array([[2, 0], [0, 0]]))
    >>> print(*validation.compute().items())  # the last list has no relevant document
    ('nDCG@3', ...0.815...) ('RR', ...0.75...)
    """

    def __init__(
        self,
        measures: str | Measure | Sequence[str | Measure],
        *,
        undefined: str = "skip",
        ties: str = "order",
        cells: int | None = None,
    ) -> None:
        if undefined not in UNDEFINED:
            raise AssayError(f"undefined must be 'skip' or 'zero', found {undefined!r}")
        self.evaluator, self.undefined = Evaluator(measures, ties=ties, cells=cells), undefined
        self.measures = self.evaluator.measures
        self._sums: Array = None
        self._numbers: Array = None

    def update(self, scores: Any, grades: Any, mask: Any = None, **arrays: Any) -> None:
        """Add a batch; `arrays` are `index`, `shape`, `retrieved`, `judged` as for `evaluate`."""
        self._add(*self.summed(self.evaluator(scores, grades, mask, **arrays)))

    def compute(self) -> dict[str, Array]:
        """The mean of each measure over the lists where it is defined, NaN without any."""
        if self._sums is None:
            return {str(measure): float("nan") for measure in self.measures}
        xp = array_namespace(self._sums)
        means = xp.where(self._numbers > 0, self._sums, xp.full_like(self._sums, float("nan")))
        means = means / xp.where(self._numbers > 0, self._numbers, xp.ones_like(self._numbers))
        return {str(measure): means[i] for i, measure in enumerate(self.measures)}

    def counts(self) -> dict[str, Array]:
        """How many lists stand behind each mean."""
        if self._numbers is None:
            return {str(measure): 0 for measure in self.measures}
        return {str(measure): self._numbers[i] for i, measure in enumerate(self.measures)}

    def reset(self) -> None:
        """Forget all batches."""
        self._sums = self._numbers = None

    def merge(self, other: Accumulator) -> None:
        """Add what another accumulator of the same measures has seen."""
        if (self.measures, self.undefined) != (other.measures, other.undefined):
            raise AssayError(
                f"cannot merge accumulators of {', '.join(map(str, self.measures))} "
                f"(undefined={self.undefined!r}) and {', '.join(map(str, other.measures))} "
                f"(undefined={other.undefined!r})"
            )
        if other._sums is not None:
            self._add(other._sums, other._numbers)

    def state(self) -> tuple[Array, Array] | None:
        """Sums of the values and their numbers, one of each for a measure; None before a batch."""
        return None if self._sums is None else (self._sums, self._numbers)

    def load(self, sums: Array, numbers: Array) -> None:
        """Take over a state, such as one that was summed over all processes."""
        self._sums, self._numbers = sums, numbers

    def _add(self, sums: Array, numbers: Array) -> None:
        if self._sums is None:
            self._sums, self._numbers = sums, numbers
        else:
            self._sums, self._numbers = self._sums + sums, self._numbers + numbers

    def summed(self, values: Mapping[str, Array]) -> tuple[Array, Array]:
        """The sum of each measure's defined values, in float64, and how many they are."""
        xp = array_namespace(*values.values())
        table = xp.stack([xp.reshape(value, (-1,)) for value in values.values()])
        undefined = xp.isnan(table)
        table = xp.astype(xp.where(undefined, xp.zeros_like(table), table), xp.float64)
        zero = self.undefined == "zero"
        counted = xp.ones_like(table) if zero else xp.astype(~undefined, table.dtype)
        return xp.sum(table, axis=-1), xp.sum(counted, axis=-1)
