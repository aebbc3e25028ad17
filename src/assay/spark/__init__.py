"""Evaluation on a Spark cluster: more topics than one machine holds, the same numbers.

    from assay import spark

    means = spark.evaluate(judgments, run, ["nDCG@10", "AP"])  # Spark DataFrames, any source

`evaluate` gives a DataFrame of means, or of values by topic.
"""

from __future__ import annotations

from assay.spark.evaluation import evaluate

__all__ = ["evaluate"]
