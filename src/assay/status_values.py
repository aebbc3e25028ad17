"""How runs score relevant documents, other judged ones, and those that nobody judged."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.inputs import inputs
from assay.judges.tabular import Tabular, page
from assay.pictured import Pictured
from assay.stats.arrays import mid_ranks

if TYPE_CHECKING:
    from assay.inputs import Source
    from assay.judgments import Judgments
    from assay.run import Run

__all__ = ["CLASSES", "RetrievalStatus", "retrieval_status"]

Array = np.ndarray[Any, np.dtype[Any]]

CLASSES = ("relevant", "not relevant", "unjudged")
SCALES = ("topic", "none")


@dataclass(frozen=True, eq=False)
class RetrievalStatus(Pictured):
    """Retrieval status values, the scores of documents, by what the judgments say of them."""

    judge: str
    runs: tuple[str, ...]
    edges: Array  # [run, bin + 1]
    counts: Array  # [run, class, bin] documents
    separation: tuple[float, ...]  # one for each run; see `verdict`
    rel: float
    scale: str
    notes: tuple[str, ...] = ()
    title = "retrieval status values"

    @property
    def shares(self) -> Array:
        """[run, class, bin] of the documents of each class; NaN where a class has none."""
        total = self.counts.sum(axis=-1, keepdims=True)
        return np.asarray(self.counts / np.where(total == 0, np.nan, total))

    def verdict(self) -> str:
        """How well the scores of each run keep relevant documents from the others."""
        said = [
            f"{run} scores a relevant document above a judged one that is not with probability "
            f"{value:.3f}."
            for run, value in zip(self.runs, self.separation, strict=True)
            if not math.isnan(value)
        ]
        return " ".join(said[:5])

    def table(self) -> object:
        """Tables that print themselves."""
        return page(self, "separation")

    def tabulars(self) -> tuple[Tabular, ...]:
        """Documents of each class with the separation, and the bins."""
        many = self.counts.sum(axis=-1)
        rows = tuple(
            (run, *map(int, many[r]), self.separation[r]) for r, run in enumerate(self.runs)
        )
        note = (
            "separation: chance that a relevant document scores higher than a judged one that is "
            "not, ties count half"
        )
        bins = tuple(
            (run, name, float(self.edges[r, b]), float(self.edges[r, b + 1]), int(n))
            for r, run in enumerate(self.runs)
            for c, name in enumerate(CLASSES)
            for b, n in enumerate(self.counts[r, c])
        )
        return (
            Tabular("separation", self.title, ("run", *CLASSES, "separation"), rows, (note,)),
            Tabular("bins", self.title, ("run", "documents", "from", "to", "many"), bins),
        )


def retrieval_status(
    judgments: Any,
    runs: Any,
    *,
    rel: float = 1.0,
    bins: int = 20,
    scale: str = "topic",
    strict: bool = True,
) -> RetrievalStatus:
    """Count documents by their scores: relevant ones, others that were judged, and unjudged ones.

    * rel: the lowest relevant grade; a grade below 0 counts as unjudged.
    * scale: `"topic"` brings the scores of each topic to 0 (its lowest) to 1 (its highest), as
      scores of different topics can seldom be compared; `"none"` takes them as they are.

    Topics without judgments are left out.
    """
    if scale not in SCALES:
        raise AssayError(f"scale={scale!r}: must be one of {', '.join(map(repr, SCALES))}")
    if isinstance(bins, bool) or bins != int(bins) or bins < 2:
        raise AssayError(f"bins={bins!r}: must be a whole number from 2")
    judges, sources = inputs(judgments, runs, strict=strict)
    if len(judges) > 1:
        there = ", ".join(judge.label for judge in judges)
        raise AssayError(f"expected one set of judgments, found {len(judges)}: {there}")
    parts = [_scored(source, judges[0], rel, scale, strict=strict) for source in sources]
    found = [_counted(score, kind, bins, scale) for score, kind in parts]
    edges, counts, apart = zip(*found, strict=True)
    names = tuple(source.label for source in sources)
    return RetrievalStatus(
        judges[0].label, names, np.stack(edges), np.stack(counts), apart, rel, scale
    )


def _scored(
    source: Source, judge: Judgments, rel: float, scale: str, *, strict: bool
) -> tuple[Array, Array]:
    """Scores of a run's documents, and the class of each."""
    from assay.judges.panel import loaded

    (run,) = loaded([source], strict=strict)
    frame = _joined(run, judge)
    score = frame["score"].to_numpy()
    grade = frame["grade"].to_numpy()
    if scale == "topic":
        low, high = frame["low"].to_numpy(), frame["high"].to_numpy()
        score = np.where(high > low, (score - low) / np.where(high > low, high - low, 1.0), 0.5)
    known = grade >= 0  # NaN is not
    return score, np.where(known, np.where(grade >= rel, 0, 1), 2)


def _joined(run: Run, judge: Judgments) -> pl.DataFrame:
    topic = pl.col("topic")
    score = pl.col("score")
    judged = judge.frame.select("topic", "doc", "grade")
    return (
        run.frame.select("topic", "doc", "score")
        .filter(topic.is_in(judge.topics))
        .with_columns(low=score.min().over("topic"), high=score.max().over("topic"))
        .join(judged, on=("topic", "doc"), how="left")
        .with_columns(pl.col("grade").cast(pl.Float64).fill_null(float("nan")))
    )


def _counted(score: Array, kind: Array, bins: int, scale: str) -> tuple[Array, Array, float]:
    """Edges of the bins, documents of each class in each bin, and the separation."""
    low, high = (0.0, 1.0) if scale == "topic" or not len(score) else (score.min(), score.max())
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    counts = np.stack([np.histogram(score[kind == c], edges)[0] for c in range(len(CLASSES))])
    return edges, counts, _separation(score[kind == 0], score[kind == 1])


def _separation(better: Array, worse: Array) -> float:
    """Mann & Whitney's statistic as a share of all pairs."""
    many, others = len(better), len(worse)
    if not many or not others:
        return math.nan
    ranks = mid_ranks(np.concatenate([better, worse]))
    return float((ranks[:many].sum() - many * (many + 1) / 2) / (many * others))
