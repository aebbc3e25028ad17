"""Each kind of picture: what it is made from on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.cli.command import lenient_option, measure_option, plugin_option, policy_options
from assay.cli.judges import judge_options, runs_option
from assay.cli.pictures.options import (
    average_option,
    baseline_option,
    bases_option,
    bins_option,
    depth_option,
    difference_option,
    drop_option,
    gain_option,
    list_options,
    pool_option,
    rel_option,
    scale_option,
    sweep_option,
    test_option,
    weights_option,
)
from assay.cli.pictures.reading import (
    read_axioms,
    read_compared,
    read_curves,
    read_depths,
    read_described,
    read_gate,
    read_judges,
    read_looked,
    read_measures,
    read_pair,
    read_pool,
    read_power,
    read_ranked,
    read_recall,
    read_robust,
    read_scores,
    read_status,
    read_swaps,
)
from assay.cli.results import alpha_option, input_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.cli.command import Function
    from assay.cli.pictures.reading import Settings, Words

__all__ = ["SOURCES", "Source"]


@dataclass(frozen=True)
class Source:
    """What a kind of picture is made from on the command line."""

    words: str
    load: Callable[[Words, Settings], Any]
    example: str
    options: tuple[Callable[[Function], Function], ...] = (input_options,)
    greedy: bool = False


SOURCES = {
    "leaderboard": Source("JUDGMENTS RUN...", read_scores, "q.txt *.run -m nDCG@10"),
    "topics": Source("JUDGMENTS RUN...", read_scores, "q.txt *.run -m AP"),
    "swings": Source(
        "JUDGMENTS RUN RUN...", read_pair, "q.txt bm25.run dense.run --run dense --baseline bm25"
    ),
    "scatter": Source("JUDGMENTS RUN RUN...", read_pair, "q.txt bm25.run dense.run -m RR"),
    "heatmap": Source("JUDGMENTS RUN...", read_scores, "q.txt *.run -m nDCG@10"),
    "differences": Source(
        "JUDGMENTS RUN RUN...",
        read_compared,
        "q.txt *.run --baseline bm25",
        (input_options, baseline_option, test_option, alpha_option),
    ),
    "groups": Source(
        "JUDGMENTS RUN RUN...", read_ranked, "q.txt *.run -m AP", (input_options, alpha_option)
    ),
    "curves": Source(
        "JUDGMENTS RUN...",
        read_curves,
        "q.txt *.run -m CG --depth 50",
        (input_options, depth_option, average_option),
    ),
    "precision-recall": Source(
        "JUDGMENTS RUN...", read_recall, "q.txt *.run --rel 2", (rel_option, lenient_option)
    ),
    "retrieval-scores": Source(
        "JUDGMENTS RUN...",
        read_status,
        "q.txt bm25.run dense.run",
        (rel_option, bins_option, scale_option, lenient_option),
    ),
    "correlation": Source(
        "JUDGMENTS RUN RUN...", read_measures, "q.txt *.run -m nDCG@10 -m AP -m RR"
    ),
    "significance": Source(
        "JUDGMENTS RUN RUN...",
        read_depths,
        "q.txt *.run --sweep 50",
        (input_options, weights_option, bases_option, sweep_option, alpha_option),
    ),
    "sensitivity": Source(
        "", read_swaps, "-m nDCG@100 -m muAP", (measure_option, plugin_option, *list_options)
    ),
    **{
        name: Source(
            "JUDGMENTS JUDGMENTS...",
            read_judges,
            f"human.txt llm.txt --runs *.run{example}",
            (runs_option, *options, judge_options, policy_options("precision")),
            greedy=True,
        )
        for name, example, options in (
            ("judge-ranks", " -m nDCG@10", (measure_option, plugin_option)),
            ("tau", " -m nDCG@10", (measure_option, plugin_option)),
            ("agreement-by-rank", "", ()),
        )
    },
    "agreement": Source(
        "JUDGMENTS JUDGMENTS...",
        read_judges,
        "human.txt a.txt b.txt --coefficient overlap",
        (judge_options,),
    ),
    "gate": Source(
        "JUDGMENTS BASELINE CANDIDATE",
        read_gate,
        "q.txt main.run pr.run --max-drop 2%",
        (input_options, drop_option, gain_option, alpha_option),
    ),
    "power": Source(
        "JUDGMENTS RUN RUN...",
        read_power,
        "q.txt *.run -m nDCG@10",
        (input_options, difference_option, alpha_option),
    ),
    "robust": Source("JUDGMENTS RUN RUN", read_robust, "q.txt a.run b.run -m nDCG@10"),
    "grades": Source("JUDGMENTS", read_described, "q.txt", (lenient_option,)),
    "judged": Source("JUDGMENTS RUN...", read_looked, "q.txt *.run", (lenient_option,)),
    "pool": Source(
        "JUDGMENTS RUN RUN...",
        read_pool,
        "q.txt *.run -m nDCG@10",
        (
            measure_option,
            plugin_option,
            pool_option,
            lenient_option,
            policy_options("negative", "precision"),
        ),
    ),
    "axioms": Source("", read_axioms, "-m nDCG@10 -m AP", (measure_option, plugin_option)),
}
