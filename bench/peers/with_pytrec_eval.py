"""pytrec_eval-terrier on dictionaries that a plain Python reader filled."""

from __future__ import annotations

from math import fsum

import pytrec_eval
from common import MEASURES, answer, files, label, read_judgments, read_run

NAMES = dict(zip(MEASURES, ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100"), strict=True))


def means(
    evaluator: pytrec_eval.RelevanceEvaluator, run: dict[str, dict[str, float]]
) -> dict[str, float]:
    """Mean of each measure over the topics."""
    topics = evaluator.evaluate(run).values()
    return {m: fsum(values[name] for values in topics) / len(topics) for m, name in NAMES.items()}


def evaluator_for(judgments: dict[str, dict[str, int]]) -> pytrec_eval.RelevanceEvaluator:
    """Build an evaluator of the five measures."""
    return pytrec_eval.RelevanceEvaluator(judgments, set(NAMES.values()))


def main() -> None:
    """Evaluate each run in turn, in one process."""
    judgments, runs = files()
    evaluator = evaluator_for(read_judgments(judgments))
    answer({label(path): means(evaluator, read_run(path)) for path in runs})


if __name__ == "__main__":
    main()
