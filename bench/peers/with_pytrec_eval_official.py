"""pytrec_eval-terrier: the official measures, from dictionaries that plain Python filled."""

from __future__ import annotations

from math import fsum

import pytrec_eval
from common import answer, files, read_judgments, read_run

NAMES = ("map", "Rprec", "bpref", "recip_rank", "P_10", "P_1000")


def main() -> None:
    """Evaluate one run; print the means of a few of the measures."""
    judgments, runs = files()
    evaluator = pytrec_eval.RelevanceEvaluator(read_judgments(judgments), {"official"})
    topics = evaluator.evaluate(read_run(runs[0])).values()
    answer({"run": {n: fsum(values[n] for values in topics) / len(topics) for n in NAMES}})


if __name__ == "__main__":
    main()
