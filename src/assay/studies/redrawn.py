"""Other lists and other grades that are as good as those at hand: tie orders, imputed grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.align import Judged
from assay.judges.bands import EDGES
from assay.judges.panel import Panel, batch_means, gathered
from assay.judgments import Judgments
from assay.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.judges.tabular import Array
    from assay.measures.measure import Measure

__all__ = ["imputed_means", "shuffled"]


def shuffled(run: Run, draws: int, seed: int, *, precision: str = "float64") -> Iterator[Run]:
    """The run with the documents of equal score in random order, a new one each time."""
    score = pl.col("score").cast(pl.Float32) if precision == "float32" else pl.col("score")
    frame = run.frame.select("topic", "doc", score=score).with_row_index("_row")
    frame = frame.with_columns(_first=pl.col("_row").min().over("topic"))
    frame = frame.sort(["_first", "score"], descending=[False, True], maintain_order=True)
    topic, value = frame["_first"].to_numpy(), frame["score"].to_numpy()
    new = np.ones(len(frame), dtype=bool)
    new[1:] = (topic[1:] != topic[:-1]) | (value[1:] != value[:-1])
    group = np.cumsum(new)
    place = pl.Series("score", -np.arange(len(frame), dtype=np.float64))
    rng = np.random.default_rng([seed, 1])
    for number in range(draws):
        order = np.lexsort((rng.random(len(frame)), group))
        doc = frame["doc"].gather(order)
        yield Run(pl.DataFrame([frame["topic"], doc, place]), label=f"{run.label}#{number}")


def imputed_means(
    judge: Judgments,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    *,
    draws: int,
    seed: int,
    negative: str = "unjudged",
    precision: str = "float64",
) -> tuple[Array | None, Array]:
    """Means [draw, run, measure] with grades drawn for unjudged documents, and the latter's ranks.

    The grade of an unjudged document is that of a judged one drawn at random from the same band of
    ranks (1 to 5, to 10, to 20, to 50, to 100, beyond), over both runs and all topics; where a band
    has none, from the nearest before it, or else after it. A document has one grade in both runs.
    None where every document down to the measures' depth is judged.
    """
    deepest = max(measure.k for measure in measures)
    panel = _with_unjudged(judge, runs, negative, precision)
    grade = np.where(panel.judged.grade[0] >= 0, panel.judged.grade[0], np.nan)
    hits = panel.hits
    rank = np.full(len(grade), np.inf)
    np.minimum.at(rank, hits.pair, hits.rank)
    open_ = np.isnan(grade) & (rank <= deepest)
    if not open_.any():
        return None, rank[open_]
    band = np.searchsorted(EDGES, rank, side="left")
    seen = _seen(grade, hits.pair, np.searchsorted(EDGES, hits.rank, side="left"))
    if seen is None:
        return None, rank[open_]
    start = panel.judged.start

    def draw(t: int) -> Array:
        part = slice(int(start[t]), int(start[t + 1]))
        table = np.repeat(grade[part][None], draws, axis=0)
        rng = np.random.default_rng([seed, 2, t])
        for b in np.unique(band[part][open_[part]]):
            mine = np.flatnonzero(open_[part] & (band[part] == b))
            table[:, mine] = rng.choice(seen[b], size=(draws, len(mine)))
        return table

    means, _ = batch_means(panel, measures, draw, draws)
    return means, rank[open_]


def _with_unjudged(judge: Judgments, runs: Sequence[Run], negative: str, precision: str) -> Panel:
    """Where the runs put every document, judged or not."""
    topics = judge.frame["topic"].unique()
    shown = pl.concat([run.frame.select("topic", "doc") for run in runs]).unique(
        maintain_order=True
    )
    shown = shown.filter(pl.col("topic").is_in(topics.implode()))
    beside = Judgments(shown.with_columns(grade=pl.lit(0.0)), label="unjudged")
    return gathered(Judged([judge, beside], negative), runs, precision=precision)


def _seen(grade: Array, pair: Array, band: Array) -> list[Array] | None:
    """Grades of the judged documents of each band; of the nearest that has some."""
    known = ~np.isnan(grade[pair])
    own = [grade[pair[known & (band == b)]] for b in range(len(EDGES) + 1)]
    full = [b for b, each in enumerate(own) if len(each)]
    if not full:
        return None
    before = [[f for f in full if f <= b] for b in range(len(own))]
    return [own[some[-1]] if some else own[full[0]] for some in before]
