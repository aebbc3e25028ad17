"""What must be said of a run once it is read: topics and documents that meet no judgment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.plan import some

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.measures.measure import Measure
    from assay.policy import Policy

__all__ = ["Finding", "Names", "refuse_undefined", "uneven_judging"]


@dataclass(frozen=True)
class Names:
    """How many, and the first of them."""

    many: int = 0
    first: tuple[str, ...] = ()  # at least six, or all

    @classmethod
    def of(cls, names: Sequence[str]) -> Names:
        """A list of names, counted."""
        return cls(len(names), tuple(names[:6]))

    def __str__(self) -> str:
        return some(self.first)


@dataclass(frozen=True)
class Finding:
    """How far one run met the judgments."""

    label: str
    name: str  # of its file, for errors
    topics: int  # of the run
    foreign: Names  # topics that nobody judged
    met: int  # judged documents retrieved
    missing: Names  # judged topics that the run lacks

    def notes(self, policy: Policy, judged: int, topic: str) -> Iterator[str]:
        """What to note, of `judged` topics such as `topic`; an error where a policy asks for it."""
        if self.topics and self.foreign.many == self.topics:
            raise AssayError(
                f"{self.name}: none of its {self.topics} topics is judged; topics of the run "
                f"such as {self.foreign.first[0]!r}, of the judgments such as {topic!r}"
            )
        if self.foreign.many:
            yield (
                f"{self.foreign.many} of {self.topics} topics of {self.label} are not judged "
                f"({self.foreign}); ignored"
            )
        lacks = self.missing
        if not lacks.many:
            return
        if policy.missing == "error":
            error = AssayError(
                f"{self.label} lacks {lacks.many} of {judged} topics ({lacks}) (missing='error')"
            )
            error.check_failed = True
            raise error
        treated = "scored as worst" if policy.missing == "worst" else "left out"
        yield (
            f"{lacks.many} of {judged} topics have no line in {self.label} ({lacks}); "
            f"{treated} (missing={policy.missing!r})"
        )

    def warnings(self, doc: str) -> Iterator[str]:
        """What to warn of; a judged document is, for example, `doc`."""
        if self.topics and not self.met:
            yield (
                f"{self.name}: none of its documents is judged for its topic; do document ids "
                f"have the same form? Judged is, for example, {doc!r}"
            )


def refuse_undefined(measure: Measure, topics: Names) -> None:
    """Say, where undefined values are errors, on which topics the measure has none."""
    if not topics.many:
        return
    why = measure.definition.undefined or "its formula divides by nothing"
    error = AssayError(
        f"{measure} is undefined for {topics.many} topic(s), the first {topics.first[0]}: "
        f"{why} (undefined='error')"
    )
    error.check_failed = True
    raise error


def uneven_judging(
    cutoffs: Sequence[float], judges: Sequence[str], runs: Sequence[str], shown: Any
) -> Iterator[str]:
    """Warn where runs differ in Judged@k; `shown` holds the means [judge, run, cut-off]."""
    for c, k in enumerate(cutoffs):
        for judge, row in zip(judges, shown[:, :, c], strict=True):
            if np.isnan(row).all():
                continue
            low, high = int(np.nanargmin(row)), int(np.nanargmax(row))
            if row[high] - row[low] > 0.1:
                under = f" under {judge}" if len(judges) > 1 else ""
                yield (
                    f"Judged@{k:g} runs from {row[low]:.2f} ({runs[low]}) to "
                    f"{row[high]:.2f} ({runs[high]}){under}: runs with more "
                    "unjudged documents may be underrated; compare under --unjudged condensed "
                    "and bounds"
                )
