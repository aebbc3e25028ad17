"""The arrays of one call: checked, of one shape, in NumPy where that costs nothing."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import prod
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.tensors.namespace import Array, array_namespace, detached, float_type, on_cpu, sortable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Batch", "batch_of", "together"]


@dataclass(frozen=True)
class Batch:
    """Scores, grades and masks of one shape; None for a mask that is true everywhere."""

    scores: Array
    grades: Array
    real: Array | None  # there is a document
    shown: Array | None  # the list holds it
    judged: Array | None  # its grade is known

    def map(self, change: Callable[[Array], Array]) -> Batch:
        """The same change to every array."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return Batch(**{k: None if v is None else change(v) for k, v in values.items()})

    def flat(self) -> Batch:
        """One list in each row, of at least one column: that one is empty if there are none."""
        *lead, n = self.scores.shape
        if n > 0:
            return self.map(lambda a: array_namespace(a).reshape(a, (prod(lead), n)))
        like, shape = self.scores, (prod(lead), 1)
        zeros = array_namespace(like).zeros(shape, dtype=like.dtype, device=like.device)
        return Batch(zeros, zeros, zeros != 0, None, None)

    def blocks(self, cells: int) -> Iterator[Batch]:
        """Some rows at a time, ready to be worked on."""
        rows, n = self.scores.shape
        step = max(1, cells // n)
        for start in range(0, max(1, rows), step):
            yield self._rows(start, min(start + step, rows)).ready()

    def _rows(self, start: int, end: int) -> Batch:
        return self.map(lambda a: a[start:end, ...])

    def ready(self) -> Batch:
        """Scores that sort, grades to compute with, masks of truth values."""
        xp = array_namespace(self.scores)
        truths = [m if m is None else xp.astype(m, xp.bool) for m in self._masks]
        kind = float_type(xp, self.scores, self.grades)
        grades = xp.astype(self.grades, kind)
        if truths[0] is not None:
            grades = xp.where(truths[0], grades, xp.zeros_like(grades))
        return Batch(sortable(self.scores), grades, *truths)

    @property
    def _masks(self) -> tuple[Array | None, Array | None, Array | None]:
        return self.real, self.shown, self.judged

    def condensed(self) -> Batch:
        """The lists without their unjudged documents."""
        if self.judged is None:
            return self
        return replace(self, shown=self.judged if self.shown is None else self.shown & self.judged)


def batch_of(
    scores: Any, grades: Any, mask: Any, retrieved: Any, judged: Any
) -> tuple[Batch, Callable[[Any], Array]]:
    """The batch, and what turns a result into an array of the caller's library."""
    given = {"scores": scores, "grades": grades, "mask": mask}
    given |= {"retrieved": retrieved, "judged": judged}
    arrays = {name: detached(value, name) for name, value in given.items() if value is not None}
    _check(arrays)
    _check_numbers(arrays)
    views = {name: on_cpu(array) for name, array in arrays.items()}
    back: Callable[[Any], Array] = views["scores"][1]
    if all(view is not None for view, _ in views.values()):
        arrays = {name: view for name, (view, _) in views.items()}
    return Batch(*(arrays.get(name) for name in given)), back


def together(arrays: dict[str, Array]) -> None:
    """Refuse arrays of several libraries or devices."""
    try:
        array_namespace(*arrays.values())
    except TypeError:
        found = ", ".join(f"{name} of {type(a).__module__}" for name, a in arrays.items())
        raise AssayError(f"expected arrays of one library, found {found}") from None
    first, *rest = arrays.values()
    if any(array.device != first.device for array in rest):
        found = ", ".join(f"{name} on {array.device}" for name, array in arrays.items())
        raise AssayError(f"expected arrays on one device, found {found}")


def _check_numbers(arrays: dict[str, Array]) -> None:
    for name, array in arrays.items():
        if not array_namespace(array).isdtype(array.dtype, ("real floating", "integral", "bool")):
            raise AssayError(f"{name}: expected real numbers, found {array.dtype}")


def _check(arrays: dict[str, Array]) -> None:
    together(arrays)
    shape = tuple(arrays["scores"].shape)
    if not shape:
        raise AssayError("scores: expected an array [..., documents], found a single number")
    for name, array in arrays.items():
        if tuple(array.shape) != shape:
            raise AssayError(
                f"{name}: expected the shape of the scores, {shape}, found {tuple(array.shape)}"
            )
