"""The accumulator as a metric of torchmetrics: distributed training, checkpoints and loggers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.tensors.accumulator import Accumulator

try:
    import torch
    from torchmetrics import Metric
except ImportError as error:
    raise AssayError(
        f"assay.tensors.RankingMetric needs {error.name}: pip install 'assay[torch]'"
    ) from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.measures.measure import Measure

__all__ = ["RankingMetric"]


class RankingMetric(Metric):  # type: ignore[misc,unused-ignore]
    """Means of measures over lists, as a `torchmetrics.Metric`.

    `update(scores, grades, mask)`, with options as for `assay.tensors.Accumulator` beside those of
    `torchmetrics.Metric`; `compute()` gives a dictionary of means by the names of the measures, and
    so does a call, for its batch alone. Processes of a distributed run add their sums.
    """

    is_differentiable = False
    full_state_update = False
    sums: Any
    numbers: Any

    def __init__(
        self,
        measures: str | Measure | Sequence[str | Measure],
        *,
        undefined: str = "skip",
        ties: str = "order",
        cells: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._plan = Accumulator(measures, undefined=undefined, ties=ties, cells=cells)
        zeros = torch.zeros(len(self._plan.measures), dtype=torch.float64)
        self.add_state("sums", zeros.clone(), dist_reduce_fx="sum")
        self.add_state("numbers", zeros.clone(), dist_reduce_fx="sum")

    def update(self, scores: Any, grades: Any, mask: Any = None, **arrays: Any) -> None:
        """Add a batch of lists."""
        sums, numbers = self._plan.summed(self._plan.evaluator(scores, grades, mask, **arrays))
        self.sums = self.sums + sums
        self.numbers = self.numbers + numbers

    def compute(self) -> dict[str, Any]:
        """The mean of each measure."""
        self._plan.load(self.sums, self.numbers)
        return self._plan.compute()
