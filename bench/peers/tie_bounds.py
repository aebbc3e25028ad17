"""Lowest and highest mean that any order inside the tie groups can give; never timed.

Every measure here falls when a tied relevant document moves down, so the two bounds are the
values where ties are settled against and for the higher grade. Scores stand 0.0001 apart; a shift
of 0.00001 per grade (at most 3) settles ties and nothing else, in float32 too.
"""

from __future__ import annotations

from common import answer, files, label, read_judgments, read_run
from with_pytrec_eval import evaluator_for, means

SHIFT = 1e-5


def shifted(
    run: dict[str, dict[str, float]], judgments: dict[str, dict[str, int]], shift: float
) -> dict[str, dict[str, float]]:
    """Return the run with each score moved by `shift` times the document's grade."""
    return {
        topic: {doc: s + shift * judgments[topic].get(doc, 0) for doc, s in docs.items()}
        for topic, docs in run.items()
    }


def main() -> None:
    """Print run -> measure -> [low, high]."""
    path, runs = files()
    judgments = read_judgments(path)
    evaluator = evaluator_for(judgments)
    bounds = {}
    for name in runs:
        run = read_run(name)
        low = means(evaluator, shifted(run, judgments, -SHIFT))
        high = means(evaluator, shifted(run, judgments, SHIFT))
        bounds[label(name)] = {measure: [low[measure], high[measure]] for measure in low}
    answer(bounds)


if __name__ == "__main__":
    main()
