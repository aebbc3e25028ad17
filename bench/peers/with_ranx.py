"""ranx as its documentation uses it: Qrels.from_file, Run.from_file, evaluate.

It keeps tied documents in the order of an unstable sort, so its values may stand anywhere between
the tie bounds.
"""

from __future__ import annotations

from common import MEASURES, answer, files, label
from ranx import Qrels, Run, evaluate

NAMES = dict(zip(MEASURES, ("ndcg@10", "map", "mrr", "precision@10", "recall@100"), strict=True))


def means(judgments: Qrels, path: str) -> dict[str, float]:
    """Mean of each measure over the topics of one run."""
    result = evaluate(judgments, Run.from_file(path, kind="trec"), list(NAMES.values()))
    return {measure: float(result[name]) for measure, name in NAMES.items()}


def main() -> None:
    """Evaluate each run in turn, in one process."""
    path, runs = files()
    judgments = Qrels.from_file(path, kind="trec")
    answer({label(run): means(judgments, run) for run in runs})


if __name__ == "__main__":
    main()
