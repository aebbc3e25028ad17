"""Scores and grades in tensors to values of measures, one for each list."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.measures.applying import apply, worst_value
from assay.measures.arrays import no_deeper_than
from assay.measures.measure import Measure, parse_all
from assay.tensors.batch import batch_of
from assay.tensors.lists import FIELDS, Lists
from assay.tensors.namespace import Array, array_namespace, tracing
from assay.tensors.ragged import ragged
from assay.tensors.traits import Traits, traits_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.tensors.batch import Batch

__all__ = ["Evaluator", "evaluate"]

IN_CACHE, ON_DEVICE = 1 << 18, 1 << 26  # documents worked on at once, unless `cells` says it


def evaluate(
    scores: Any,
    grades: Any,
    measures: str | Measure | Sequence[str | Measure],
    mask: Any = None,
    *,
    index: Any = None,
    shape: tuple[int, int] | None = None,
    retrieved: Any = None,
    judged: Any = None,
    ties: str = "order",
    cells: int | None = None,
) -> dict[str, Array]:
    """Score batches of lists: arrays `[..., documents]` to one value for each list and measure.

    `scores` and `grades` are arrays of NumPy, torch, CuPy or JAX of one shape; the values come as
    arrays of that library, on that device, NaN where a measure is undefined. They are float64 where
    an input is float64, else float32; half and bfloat16 scores are taken as they are.

    * mask: true where there is a document; false is padding.
    * index: for lists of different lengths in arrays of one axis, the number of each document's
      list. The values stand in increasing order of these numbers. How many lists there are and how
      long they are is read from the device, unless `shape=(lists, longest)` says it; then lists are
      numbered from 0, and one that is longer has the value NaN.
    * retrieved: false for judged documents that the list lacks; they count in the recall base.
    * judged: false for documents of unknown grade. Measures treat these as nonrelevant, or leave
      them out with `unjudged='condensed'`.
    * ties: equal scores stand in the order in which they came (`"order"`), or count with their
      expected value over all orders (`"expected"`).
    * cells: the most documents that are worked on at once, which bounds the memory.

    A list with a NaN score, or a grade that is NaN, below 0 or above the measure's `max`, has the
    value NaN. Nothing waits for the device but, for long lists and measures with a small cut-off,
    one look whether scores tie at the cut. Gradients are not kept.

    >>> import numpy as np
    >>> scores = np.array([[0.9, 0.8, 0.7], [0.1, 0.2, 0.3]])
    >>> grades = np.array([[2, 0, 1], [0, 0, 1]])
    >>> for name, values in evaluate(scores, grades, ["nDCG@3", "RR"]).items():
    ...     print(name, values)
    nDCG@3 [0.95 1.  ]
    RR [1. 1.]
    """
    evaluator = Evaluator(measures, ties=ties, cells=cells)
    return evaluator(
        scores, grades, mask, index=index, shape=shape, retrieved=retrieved, judged=judged
    )


class Evaluator:
    """`evaluate` with its measures read once: for loops, and for `torch.compile`.

    >>> import numpy as np
    >>> evaluator = Evaluator(["nDCG@3", "RR"])
    >>> print(evaluator(np.array([0.9, 0.8, 0.7]), np.array([0, 2, 0]))["RR"])
    0.5
    """

    def __init__(
        self,
        measures: str | Measure | Sequence[str | Measure],
        *,
        ties: str = "order",
        cells: int | None = None,
    ) -> None:
        if ties not in ("order", "expected"):
            raise AssayError(f"ties must be 'order' or 'expected', found {ties!r}")
        _check_cells(cells)
        self.measures = _checked(measures, ties)
        self.expected, self.cells = ties == "expected", cells
        self._names = tuple(map(str, self.measures))
        self._needs = tuple(traits_of(m, expected=self.expected) for m in self.measures)

    def __call__(
        self,
        scores: Any,
        grades: Any,
        mask: Any = None,
        *,
        index: Any = None,
        shape: tuple[int, int] | None = None,
        retrieved: Any = None,
        judged: Any = None,
    ) -> dict[str, Array]:
        """One value for each list and measure (see `evaluate`)."""
        batch, back = batch_of(scores, grades, mask, retrieved, judged)
        limit = self.cells or (IN_CACHE if isinstance(batch.scores, np.ndarray) else ON_DEVICE)
        if index is not None:
            lists = ragged(batch, index, shape)
            blocks, places = lists.blocks(limit)
            values = self._of_blocks(blocks, lists.longest)
            if places is not None:
                values = [array_namespace(value).take(value, places, axis=0) for value in values]
        elif shape is not None:
            raise AssayError("shape= says how many lists index= tells apart; it needs index=")
        else:
            xp, lead = array_namespace(batch.scores), tuple(batch.scores.shape[:-1])
            values = self._of_blocks(batch.flat().blocks(limit), batch.scores.shape[-1])
            values = [xp.reshape(value, lead) for value in values]
        return {name: back(value) for name, value in zip(self._names, values, strict=True)}

    @property
    def _depth(self) -> int | None:
        """The last rank that matters to any measure; None where all may."""
        depths = [each.depth for each in self._needs if each.depth is not None]
        return max(depths) if len(depths) == len(self._needs) else None

    def _of_blocks(self, blocks: Iterable[Batch], longest: int) -> list[Array]:
        """The values of every list, block after block; no list is longer than `longest`."""
        found = [self._of_block(block, longest) for block in blocks]
        if len(found) == 1:
            return found[0]
        xp = array_namespace(found[0][0])
        return [xp.concat(parts, axis=0) for parts in zip(*found, strict=True)]

    def _of_block(self, block: Batch, longest: int) -> list[Array]:
        lists = Lists(block, self._depth)
        condensed = lists if block.judged is None else Lists(block.condensed(), self._depth)
        xp, values = lists.xp, []
        for measure, needs in zip(self.measures, self._needs, strict=True):
            chosen = condensed if measure.unjudged == "condensed" else lists
            value = self._value(measure, needs, chosen)
            if chosen.listed is not None:
                value = _or_worst(measure, needs, chosen, value, longest)
            value = xp.broadcast_to(value, lists.unusable.shape)
            bad = lists.unusable
            if measure.uses_top:
                bad = bad | (lists.top > measure.parameters["max"])
            values.append(xp.where(bad, xp.full_like(value, math.nan), value))
        return values

    def _value(self, measure: Measure, needs: Traits, lists: Lists) -> Array:
        names = set(measure.definition.fields)
        if self.expected and measure.definition.has_expected:
            names |= {"tie_first", "tie_last"}
        ranking = lists.ranking(names, needs)
        if tracing(lists.batch.scores):  # a compiler cannot follow a context variable
            return apply(measure, ranking, expected=self.expected)
        with no_deeper_than(_deepest(measure, lists.batch)):
            return apply(measure, ranking, expected=self.expected)


def _check_cells(cells: Any) -> None:
    if cells is not None and (not isinstance(cells, int) or cells < 1):
        raise AssayError(f"cells must be a whole number, at least 1, found {cells}")


def _checked(measures: Any, ties: str) -> tuple[Measure, ...]:
    """The measures by name, refused where a tensor does not hold what they need."""
    named = parse_all(measures)
    for measure in named:
        definition = measure.definition
        lacking = set(definition.fields) - FIELDS
        if lacking or definition.sets:
            raise AssayError(f"{measure}: needs more than scores and grades; use assay.evaluate")
        if measure.uses_top and measure.parameters["max"] is None:
            raise AssayError(
                f"{measure}: say which grade is the top of the scale, such as {measure(max=3)}"
            )
        if measure.unjudged not in (None, "nonrelevant", "condensed"):
            raise AssayError(f"{measure}: bounds over unjudged documents need assay.evaluate")
        if ties == "expected" and not definition.has_expected and not definition.weak:
            raise AssayError(
                f"{measure}: no expected value under ties is known for {measure.name}; "
                "use ties='order'"
            )
    return named


def _or_worst(measure: Measure, needs: Traits, lists: Lists, value: Array, longest: int) -> Array:
    """A list that shows nothing has the worst value, unless the measure is undefined there.

    Where the collection is not known, it holds beside the judged documents as many as any list.
    """
    xp, worst = lists.xp, measure.definition.worst
    if callable(worst):
        ranking = lists.ranking({"base", "rank", "judged"}, needs)
        full = xp.full_like(lists.retrieved, longest)
        worst = worst_value(measure, replace(ranking, retrieved=full))
    empty = (lists.retrieved == 0) & ~xp.isnan(value)
    return xp.where(empty, xp.zeros_like(value) + worst, value)


def _deepest(measure: Measure, block: Batch) -> int:
    """No rank is larger: lists, what they lack, and where a measure knows it the collection."""
    widest: int = 2 * block.scores.shape[-1]
    return max(widest, int(measure.parameters.get("N") or 0))
