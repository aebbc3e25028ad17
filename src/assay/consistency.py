"""Whether preferences are weak orders, topic by topic, and what keeps them from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.axioms import ACYCLICITY, ASYMMETRY, TRANSITIVITY, Step, Violation, counts, violations
from assay.errors import AssayError
from assay.feedback import GREEDY, Drop, smallest_drop
from assay.pictured import Pictured

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from assay.preferences import Preferences
    from assay.relations import Relation

__all__ = ["Consistency", "Finding", "consistency"]

WEAK = "weak order"
PARTIAL = "consistent"
BROKEN = "contradictory"
LARGEST = 3000  # documents for which implied pairs are counted
LARGEST_TIES = 10_000  # documents of which missing pairs may count as ties


@dataclass(frozen=True)
class Finding:
    """What one judge's statements on one topic amount to.

    * weak order: they settle every pair of the documents, directly or by transitivity.
    * consistent: some weak order obeys them, and they leave pairs open.
    * contradictory: no order obeys them all.
    """

    topic: str
    judge: str | None
    verdict: str
    documents: int
    statements: int
    votes: int
    known: int  # pairs stated
    implied: int  # pairs that follow by transitivity
    pairs: int
    counts: dict[str, int] = field(default_factory=dict)  # violations of each axiom
    violations: tuple[Violation, ...] = ()  # those listed
    drop: Drop | None = None
    dropped: tuple[Step, ...] = ()  # the statements to drop

    @property
    def unknown(self) -> int:
        """Pairs of which nothing is known."""
        return self.pairs - self.known - self.implied


@dataclass(frozen=True, repr=False)
class Consistency(Pictured):
    """Findings on every topic and judge."""

    label: str
    findings: tuple[Finding, ...]
    missing: str = "unknown"
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Consistency({self.label!r}: {self.summary})"

    @property
    def consistent(self) -> bool:
        """Whether no topic and judge contradict themselves."""
        return all(each.verdict != BROKEN for each in self.findings)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """All violations that are listed."""
        return tuple(one for each in self.findings for one in each.violations)

    @property
    def summary(self) -> str:
        """How many findings there are of each kind."""
        kinds = [each.verdict for each in self.findings]
        found = [f"{kinds.count(kind)} {kind}" for kind in (WEAK, PARTIAL, BROKEN) if kind in kinds]
        return ", ".join(found)

    def to_polars(self) -> pl.DataFrame:
        """One row for each topic and judge."""
        import polars as pl

        rows = [
            {
                "topic": each.topic,
                "judge": each.judge,
                "verdict": each.verdict,
                "documents": each.documents,
                "statements": each.statements,
                "votes": each.votes,
                "known": each.known,
                "implied": each.implied,
                "unknown": each.unknown,
                "asymmetry": each.counts.get(ASYMMETRY, 0),
                "negative transitivity": each.counts.get(TRANSITIVITY, 0),
                "long cycles": each.counts.get(ACYCLICITY, 0),
                "drop": None if each.drop is None else each.drop.votes,
                "drop is": None if each.drop is None else each.drop.method,
            }
            for each in self.findings
        ]
        return pl.DataFrame(
            rows, schema_overrides={"judge": pl.String, "drop": pl.Int64, "drop is": pl.String}
        )

    def table(self) -> Any:
        """A table for people, which prints itself in a terminal and in a notebook."""
        from assay.show.preferences import consistency_page

        return consistency_page(self)

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html


def consistency(
    preferences: Preferences,
    *,
    missing: str = "unknown",
    limit: int | None = 20,
    drop: bool = True,
    seconds: float = 5.0,
) -> Consistency:
    """Check each judge's preferences on each topic; see `Preferences.check`."""
    if missing not in ("unknown", "tie"):
        raise AssayError(f"missing={missing!r}: must be one of 'unknown', 'tie'")
    if limit is not None and limit < 1:
        raise AssayError(f"limit={limit!r}: must be a whole number from 1, or None for all")
    if preferences.grades is not None:
        return Consistency(preferences.label, tuple(_of_grades(preferences)), missing)
    findings = [
        _finding(topic, judge, relation, missing, limit, seconds if drop else None)
        for topic, judge, relation in preferences.relations()
    ]
    notes = list(preferences.notes)
    if any(each.drop is not None and not each.drop.exact for each in findings):
        notes.append(f"where the smallest set of verdicts to drop was out of reach: {GREEDY}")
    if missing == "tie":
        notes.append("pairs that are not stated count as ties (missing='tie')")
    return Consistency(preferences.label, tuple(findings), missing, tuple(notes))


def _finding(
    topic: str,
    judge: str | None,
    relation: Relation,
    missing: str,
    limit: int | None,
    seconds: float | None,
) -> Finding:
    if missing == "tie" and len(relation.docs) > LARGEST_TIES:
        raise AssayError(
            f"topic {topic}: {len(relation.docs)} documents are too many for missing='tie', which "
            f"looks at all their pairs; at most {LARGEST_TIES}"
        )
    found = counts(relation, missing=missing)
    listed = tuple(
        Violation(axiom, steps, topic, judge)
        for axiom, steps in violations(relation, missing=missing, limit=limit)
    )
    broken = not relation.consistent
    implied = 0 if broken else _implied(relation)
    whole = (
        not any(found.values()) if missing == "tie" else relation.known + implied == relation.pairs
    )
    drop = smallest_drop(relation, seconds=seconds) if broken and seconds is not None else None
    return Finding(
        topic,
        judge,
        BROKEN if broken else WEAK if whole else PARTIAL,
        len(relation.docs),
        len(relation),
        int(relation.votes.sum()),
        relation.known,
        implied,
        relation.pairs,
        found,
        listed,
        drop,
        tuple(_step(relation, row) for row in drop.rows) if drop else (),
    )


def _implied(relation: Relation) -> int:
    """Pairs that follow by transitivity from those stated."""
    if relation.known == relation.pairs or len(relation.docs) > LARGEST:
        return 0
    sizes = np.bincount(relation.component)
    settled = int(relation.above().sum()) + int((sizes * (sizes - 1) // 2).sum())
    return settled - relation.known


def _step(relation: Relation, row: int) -> Step:
    return Step(
        relation.docs[relation.better[row]],
        "=" if relation.tie[row] else ">",
        relation.docs[relation.worse[row]],
        int(relation.votes[row]),
        relation.lines[row] if relation.lines else (),
    )


def _of_grades(preferences: Preferences) -> Iterator[Finding]:
    """Grades are a weak order, whatever they are."""
    grades = preferences.grades
    sizes = {} if grades is None else grades.group_by("topic", maintain_order=True).len().rows()
    for topic, n in sizes:
        pairs = n * (n - 1) // 2
        yield Finding(
            topic,
            None,
            WEAK,
            n,
            pairs,
            pairs,
            pairs,
            0,
            pairs,
            dict.fromkeys((ASYMMETRY, TRANSITIVITY, ACYCLICITY), 0),
        )
