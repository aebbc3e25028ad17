"""Measures on tensors, where they are: NumPy, torch (CPU, CUDA), CuPy or JAX, in batches of lists.

    from assay import tensors

    values = tensors.evaluate(scores, grades, ["nDCG@10", "AP"])  # arrays [..., documents]

`evaluate` gives one value for each list; `Evaluator` is the same in two steps, for loops and for
`torch.compile`; `Accumulator` gives means over many batches, `RankingMetric` as a metric of
torchmetrics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.tensors.accumulator import Accumulator
from assay.tensors.evaluation import Evaluator, evaluate

if TYPE_CHECKING:
    from assay.tensors.metric import RankingMetric

__all__ = ["Accumulator", "Evaluator", "RankingMetric", "evaluate"]


def __getattr__(name: str) -> Any:
    """Load torchmetrics only where its class is asked for."""
    if name != "RankingMetric":
        raise AttributeError(f"module 'assay.tensors' has no attribute {name!r}")
    from assay.tensors.metric import RankingMetric

    return RankingMetric
