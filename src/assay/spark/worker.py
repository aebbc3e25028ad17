"""The door through which Spark's workers come in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.spark.layout import Task

__all__ = ["score"]


def score(task: Task, batches: Iterable[Any]) -> Iterator[Any]:
    """One bucket's rows, in Arrow batches, to partial results.

    Spark runs one such process for each core, so that none takes more than one thread.
    """
    for name in ("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from pyspark import TaskContext

    from assay.spark.bucket import scored

    context = TaskContext.get()
    yield from scored(task, 0 if context is None else context.partitionId(), batches)
