"""Runs under a cheap judge everywhere and a human on some topics: means and differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.evaluation import evaluate
from assay.inputs import inputs
from assay.judges.estimate import Estimates, estimates
from assay.pictured import Pictured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.judges.tabular import Tabular
    from assay.measures.measure import Measure

__all__ = ["EstimateStudy", "estimate"]

EVERY_PAIR = 6  # runs up to which all pairs are shown; beyond, each against the first


@dataclass(frozen=True)
class EstimateStudy(Pictured):
    """One set of estimates for each measure."""

    found: tuple[Estimates, ...]
    notes: tuple[str, ...] = ()
    main = ("means", "differences")

    def __getitem__(self, measure: str) -> Estimates:
        """The estimates by one measure."""
        for each in self.found:
            if each.measure == measure:
                return each
        raise KeyError(measure)

    def verdict(self) -> str:
        """That of each measure."""
        return " ".join(each.verdict() for each in self.found)

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """Means and differences by every measure."""
        return tuple(table for each in self.found for table in each.tabulars())


def estimate(
    human: Any,
    cheap: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] = "nDCG@10",
    *,
    weight: float | None = None,
    about: str = "population",
    width: float | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
    **policies: Any,
) -> EstimateStudy:
    """Mean of each run and difference of each pair, from many cheap topics and some human ones.

    The interval is valid whatever the errors of the cheap judge, provided that the human topics
    are a random sample of all topics.

    * weight: of the cheap judge; tuned by itself, 0 leaves the human topics alone.
    * about: the `population` that the topics are drawn from, or these `topics` only.
    * width: a wanted width of intervals: how many more human topics each takes.
    * baseline: the run that all others are compared with; without it all pairs of up to 6 runs,
      else each with the first.
    * policies: as for `evaluate`.
    """
    people, sources = inputs(human, runs, strict=strict)
    machines, _ = inputs(cheap, runs, strict=strict)
    if len(people) != 1 or len(machines) != 1:
        raise AssayError("expected one set of human judgments and one of cheap ones")
    pair = [people[0], machines[0]]
    if pair[0].label == pair[1].label:
        pair = [pair[0].labelled("human"), pair[1].labelled("cheap")]
    shared = set(pair[0].topics) & set(pair[1].topics)
    if not shared:
        raise AssayError(f"{pair[0].label} and {pair[1].label} have no topic in common")
    from assay.judges.panel import loaded

    scores = evaluate(pair, loaded(sources, strict=strict), measures, progress=progress, **policies)
    names = scores.runs
    if baseline is not None and baseline not in names:
        raise AssayError(f"no run is labelled {baseline!r}; there are {', '.join(names)}")
    every = baseline is None and len(names) <= EVERY_PAIR
    base = names.index(baseline) if baseline is not None else 0
    pairs = (
        tuple((i, j) for i in range(len(names)) for j in range(i + 1, len(names)))
        if every
        else tuple((i, base) for i in range(len(names)) if i != base)
    )
    return EstimateStudy(
        tuple(
            estimates(
                scores.values[0, :, m],
                scores.values[1, :, m],
                measure=str(measure),
                judges=(pair[0].label, pair[1].label),
                runs=names,
                pairs=pairs,
                weight=weight,
                about=about,
                width=width,
                alpha=alpha,
            )
            for m, measure in enumerate(scores.measures)
        ),
        (*scores.notes, *scores.warnings),
    )
