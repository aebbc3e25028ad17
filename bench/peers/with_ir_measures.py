"""ir_measures as its documentation uses it: its own readers, calc_aggregate."""

from __future__ import annotations

import ir_measures
from common import MEASURES, answer, files, label

PARSED = {ir_measures.parse_measure(name): name for name in MEASURES}


def means(judgments: str, run: str) -> dict[str, float]:
    """Mean of each measure over the topics of one run."""
    result = ir_measures.calc_aggregate(
        list(PARSED), ir_measures.read_trec_qrels(judgments), ir_measures.read_trec_run(run)
    )
    return {name: result[measure] for measure, name in PARSED.items()}


def main() -> None:
    """Evaluate each run in turn, in one process."""
    judgments, runs = files()
    answer({label(path): means(judgments, path) for path in runs})


if __name__ == "__main__":
    main()
