"""One row for each judge beside the reference: agreement, ranking of systems, explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.judges.explain import REASONS
from assay.judges.tabular import Tabular, whole

if TYPE_CHECKING:
    from assay.judges.agreement import PairAgreement
    from assay.judges.study import JudgeStudy

__all__ = ["overview"]

MARKS = {False: "-", None: "?"}
LETTERS = "abcd"


def overview(study: JudgeStudy) -> Tabular:
    """The table, from a study with runs."""
    reference = study.agreement.judges[0]
    agreed = {pair.second: pair for pair in study.agreement.pairs if pair.first == reference}
    classes = {(each.measure, each.second): each.counts for each in study.pairs}
    reasons = {(each.measure, each.second): each for each in study.explanations}
    several = len(study.stability) > 1
    rows: list[tuple[Any, ...]] = []
    for found in study.stability:
        for one in found.against:
            pair, tau = agreed[one.judge], one.coefficients["tau-b"]
            counts = classes.get((found.measure, one.judge))
            said = reasons[found.measure, one.judge]
            marks = (
                MARKS.get(each.supported, letter)
                for letter, each in zip(LETTERS, said.found, strict=True)
            )
            rows.append(
                (
                    one.judge,
                    *([found.measure] if several else []),
                    one.topics,
                    *_agreement(pair),
                    tau.value,
                    tau.low,
                    tau.high,
                    one.bootstrap["tau-b"].low,
                    one.coefficients["tau_AP"].value,
                    whole(one.rank_of_best),
                    counts["active disagreement"] if counts else None,
                    "".join(marks),
                )
            )
    heads: tuple[str, ...] = ("judge", *(["measure"] if several else []), "topics", "D/C", "kappa")
    heads += ("more", "tau-b", "low", "high", "floor", "tau_AP", "best", "opposed", "why")
    letters = ", ".join(f"{a} {reason}" for a, reason in zip(LETTERS, REASONS, strict=True))
    by = "" if several else f", by {study.stability[0].measure}"
    notes = (
        (
            f"each judge beside {reference}{by}; more: documents relevant to the judge less "
            "those to the reference, as a share of what both judged"
        ),
        (
            "floor: 5 % of the tau-b of two topic samples under the reference; best: rank of "
            "its best system; opposed: pairs of systems, each significantly better under one "
            "of the two judges, by name in the table disagreements"
        ),
        (
            f"why: which of Lesk & Salton's explanations the data support: {letters}; - not, "
            "? cannot be told"
        ),
    )
    return Tabular("overview", "judges", heads, tuple(rows), notes)


def _agreement(pair: PairAgreement) -> tuple[float, float, float]:
    micro = pair.micro
    return micro["overlap"].value, micro["kappa"].value, -micro["bias"].value
