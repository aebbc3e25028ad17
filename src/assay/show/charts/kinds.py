"""The pictures by name: what each is drawn from, where, and its line in `assay plot --help`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["KINDS", "Kind", "draw", "kinds_of"]


@dataclass(frozen=True)
class Kind:
    """One kind of picture: `place` is its module and function under assay.show.charts."""

    of: str  # names of the classes that it is drawn from
    place: str
    help: str = ""  # none: there is no command for it

    def drawn(self) -> Callable[..., Any]:
        """The function that draws it."""
        module, _, name = self.place.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"assay.show.charts.{module}"), name)
        return found


# the first kind of a class is what plot() draws
KINDS = {
    "leaderboard": Kind("Scores", "leaderboard:leaderboard", "Means with within-topic intervals."),
    "topics": Kind("Scores", "topics:topic_scores", "Every run's score on every topic."),
    "swings": Kind("Scores", "topics:differences", "Two runs' difference on each topic, sorted."),
    "scatter": Kind("Scores", "topics:scatter", "One run against another, a point for a topic."),
    "heatmap": Kind("Scores", "topics:heatmap", "Topics by runs, as shades."),
    "differences": Kind("Comparison", "groups:forest", "Differences of runs with intervals."),
    "groups": Kind("Comparison", "groups:groups", "Mean ranks, and runs that do not differ."),
    "curves": Kind("Curves", "curves:gain_curves", "A measure by rank beside the ideal."),
    "precision-recall": Kind("Curves", "curves:precision_recall", "Precision by recall."),
    "retrieval-scores": Kind(
        "RetrievalStatus", "status:retrieval_scores", "Scores of relevant and other documents."
    ),
    "correlation": Kind("MeasureStudy", "studies:correlation", "Tau between measures, as shades."),
    "judge-ranks": Kind("Stability JudgeStudy", "judges:bump", "Systems' ranks under each judge."),
    "agreement": Kind("Agreement JudgeStudy", "judges:agreement", "Agreement of every two judges."),
    "agreement-by-rank": Kind(
        "Bands JudgeStudy", "judges:agreement_by_rank", "Agreement by band of ranks."
    ),
    "tau": Kind("Stability JudgeStudy", "judges:tau", "Judges' tau beside its noise floor."),
    "sensitivity": Kind("SensitivityStudy", "studies:sensitivity", "Values as items are swapped."),
    "significance": Kind("GainStudy", "studies:significance", "Pairs that differ, by depth."),
    "gate": Kind("Gate", "decisions:gate", "A candidate's change, and the drop allowed."),
    "power": Kind("Power", "decisions:power", "Topics that each difference takes."),
    "robust": Kind("RobustStudy", "decisions:robust", "Where the better of two runs stays ahead."),
    "grades": Kind("Description", "overviews:grades", "Judgments by grade."),
    "judged": Kind("Description", "overviews:judged", "How much of each run's top was judged."),
    "pool": Kind("PoolStudy", "others:pool", "How alike shallower pools rank the runs."),
    "axioms": Kind("AxiomStudy", "others:axioms", "Which properties measures have."),
    # without a command: reached by plot() alone
    "explanation": Kind("Explanation", "overviews:explanation"),
    "distances": Kind("Distances", "overviews:distances"),
    "verdicts": Kind("Consistency", "overviews:verdicts"),
    "virtual-user": Kind("VirtualUserStudy", "others:virtual_user"),
    "models": Kind("SlipshodStudy", "others:models"),
    "judge-groups": Kind("GroupScores", "judges:judge_groups"),
    "merged": Kind("Merged", "overviews:merged"),
    "estimates": Kind("Estimates EstimateStudy", "others:estimates"),
}


def kinds_of(result: Any) -> list[str]:
    """The kinds that a result can be drawn as."""
    names = {each.__name__ for each in type(result).__mro__}
    found = [name for name, kind in KINDS.items() if names & set(kind.of.split())]
    if "Curves" in names:
        return ["precision-recall" if result.axis == "recall" else "curves"]
    if "JudgeStudy" in names and not result.stability:
        return ["agreement"]  # the others need runs
    return found


def draw(result: Any, kind: str | None = None, **options: Any) -> Any:
    """The result as a picture of the kind, or of its first."""
    there = kinds_of(result)
    if kind is None and there:
        kind = there[0]
    if kind not in there:
        what = ", ".join(there) or "nothing"
        raise AssayError(f"kind={kind!r}: {type(result).__name__} can be drawn as {what}")
    return KINDS[kind].drawn()(result, **options)
