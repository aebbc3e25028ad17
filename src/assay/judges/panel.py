"""Runs and judges gathered once, then scored under as many judges as one likes.

A judge is a lookup: which judged pair stands at which rank is kept once, `grade[judge, pair]` is
taken through it topic by topic, in blocks of judges. Nothing of the size judge x run x topic x
document ever exists whole.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.align import Judged, join
from assay.blocks import blocks_of
from assay.errors import AssayError
from assay.judges.bands import Hits
from assay.run import Run, read_run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.inputs import Source
    from assay.judges.tabular import Array
    from assay.measures.measure import Measure

__all__ = ["Panel", "batch_means", "gathered", "loaded", "plain_measure"]

FIELDS = {"grade", "rank", "base", "judged", "retrieved"}
THREADS = 2
BLOCK = 1 << 16  # cells of one array: several of them stay in a core's cache


@dataclass(frozen=True)
class Panel:
    """Judged pairs and where runs put them; hits stand by topic, run, rank."""

    judged: Judged
    hits: Hits
    start: Array  # [topic + 1] where the hits of each topic begin
    retrieved: Array  # [run, topic] documents retrieved, 0 where the run lacks the topic

    @property
    def runs(self) -> tuple[str, ...]:
        """Labels of the runs."""
        return self.hits.runs

    @property
    def topics(self) -> tuple[str, ...]:
        """Names of the topics."""
        return tuple(self.judged.topics)

    def lists(self, t: int) -> tuple[Array, Array]:
        """Place among the topic's pairs, and rank, [run, j]; padded with the last place and inf."""
        part = slice(int(self.start[t]), int(self.start[t + 1]))
        run, rank = self.hits.run[part], self.hits.rank[part]
        pair = self.hits.pair[part] - self.judged.start[t]
        many = np.bincount(run, minlength=len(self.runs))
        width = max(1, int(many.max(initial=0)))
        first = np.concatenate(([0], np.cumsum(many)[:-1]))
        at = run * width + np.arange(len(run)) - first[run]
        places = np.full(len(self.runs) * width, self.judged.start[t + 1] - self.judged.start[t])
        ranks = np.full(len(places), np.inf)
        places[at], ranks[at] = pair, rank
        return places.reshape(-1, width), ranks.reshape(-1, width)


def loaded(sources: Sequence[Source], *, strict: bool = True) -> list[Run]:
    """The runs, read."""
    return [
        source.run
        or read_run(
            source.path or "",
            format=source.format,
            columns=source.columns,
            label=source.label,
            strict=strict,
        )
        for source in sources
    ]


def gathered(judged: Judged, runs: Sequence[Run], *, precision: str = "float64") -> Panel:
    """Where each run put each judged pair."""
    parts: list[tuple[Array, Array, Array, Array]] = []
    retrieved = np.zeros((len(runs), len(judged.topics)))
    for i, run in enumerate(runs):
        for block in blocks_of(run):
            hits = join(block, judged, run.origin, precision=precision)
            topic = np.repeat(hits.topic, np.diff(hits.start))
            retrieved[i, hits.topic] = hits.retrieved
            # of one run, 63 of which may hold a hundred thousand hits each: small numbers
            parts.append(
                (np.full(len(topic), i, np.int32), topic.astype(np.int32), hits.pair, hits.rank)
            )
    run_of, topic, pair, rank = (
        np.concatenate([part[k] for part in parts]) if parts else np.zeros(0, np.int64)
        for k in range(4)
    )
    order = np.lexsort((rank, run_of, topic))
    found = Hits(
        run_of[order], topic[order], pair[order], rank[order], tuple(run.label for run in runs)
    )
    start = np.searchsorted(found.topic, np.arange(len(judged.topics) + 1))
    return Panel(judged, found, start, retrieved)


def plain_measure(measure: Measure, top: float) -> Measure:
    """The measure if it can be scored under many judges at once, with its scale's top filled in."""
    definition = measure.definition
    extra = sorted(set(definition.fields) - FIELDS) + list(definition.sets)
    if extra or measure.unjudged is not None or callable(definition.worst):
        why = (
            f"needs {', '.join(extra)}"
            if extra
            else "treats unjudged or missing ones in its own way"
        )
        raise AssayError(f"{measure}: {why}, which simulated judges do not have; try nDCG@10 or AP")
    if measure.parameters.get("rel") == "each":
        raise AssayError(f"{measure}: stands for one measure for each relevance level; name one")
    if measure.uses_top and measure.parameters["max"] is None:
        return measure(max=top or 1.0)
    return measure


def batch_means(
    panel: Panel,
    measures: Sequence[Measure],
    draw: Callable[[int], Array],
    judges: int,
    *,
    values: bool = False,
) -> tuple[Array, Array | None]:
    """Means over topics [judge, run, measure], and with `values` all [judge, run, measure, topic].

    `draw(t)` gives the grades [judge, pair] of one topic's pairs; NaN: this judge did not judge it.
    Topics on which a measure is undefined are left out, topics that a run lacks count as its worst
    value.
    """
    R, M, T = len(panel.runs), len(measures), len(panel.topics)
    shape = (judges, R, M)
    kept = np.full((*shape, T), np.nan) if values else None
    sums = [np.zeros(shape) for _ in range(THREADS)]
    used = [np.zeros(shape, dtype=np.int32) for _ in range(THREADS)]

    def work(worker: int) -> None:
        for t in range(worker, T, THREADS):
            for part, found in _topic(panel, measures, t, draw(t)):
                known = ~np.isnan(found)
                sums[worker][part] += np.where(known, found, 0.0)
                used[worker][part] += known
                if kept is not None:
                    kept[part, :, :, t] = found

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    total, count = sum(sums), sum(used)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / count), kept


def _topic(panel: Panel, measures: Sequence[Measure], t: int, grades: Array) -> Any:
    """Scores [judge, run, measure] of one topic, a block of judges at a time."""
    places, ranks = panel.lists(t)
    judges, n = grades.shape
    R, width = places.shape
    unseen = np.zeros((judges, n + 1), dtype=bool)
    np.isnan(grades, out=unseen[:, :n])
    gaps = bool(unseen.any())
    padded = np.zeros((judges, n + 1))
    np.fmax(grades, 0.0, out=padded[:, :n])
    base = -np.sort(-padded[:, None, :], axis=-1)  # the padding is one more 0 at the end
    absent = panel.retrieved[:, t] == 0
    rows = max(1, BLOCK // (R * max(width, 1)))
    cuts = [_columns(measure, ranks) for measure in measures]
    widest = max(cuts)
    for begin in range(0, judges, rows):
        part = slice(begin, min(begin + rows, judges))
        grade = np.take(padded[part], places[:, :widest], axis=1)
        found = np.empty((grade.shape[0], R, len(measures)))
        rank = ranks[None, :, :widest]
        if gaps:
            grade, rank = _seen_only(grade, rank, unseen[part][:, places[:, :widest]])
        fields = {
            "base": base[part],
            "judged": n - unseen[part].sum(axis=-1, dtype=np.float64)[:, None],
            "retrieved": panel.retrieved[None, :, t],
        }
        for m, measure in enumerate(measures):
            fields |= {"grade": grade[..., : cuts[m]], "rank": rank[..., : cuts[m]]}
            wanted = {name: fields[name] for name in measure.definition.fields}
            value = np.broadcast_to(measure.kernel(**wanted), found.shape[:2])
            if absent.any():
                worst = float(measure.definition.worst)  # type: ignore[arg-type]
                value = np.where(absent & ~np.isnan(value), worst, value)
            found[..., m] = value
        yield part, found


def _seen_only(grade: Array, rank: Array, unseen: Array) -> tuple[Array, Array]:
    """Lists of the documents that each judge judged, in rank order; the others become padding."""
    rank = np.where(unseen, np.inf, rank)
    order = np.argsort(rank, axis=-1, kind="stable")
    return np.take_along_axis(grade, order, axis=-1), np.take_along_axis(rank, order, axis=-1)


def _columns(measure: Measure, ranks: Array) -> int:
    """How many documents of each list a measure looks at, down to its cut-off."""
    plain = set(measure.definition.fields) <= {"grade", "rank", "base"}
    if plain and measure.definition.cutoff in ("optional", "required") and math.isfinite(measure.k):
        return max(1, int((ranks <= measure.k).sum(axis=-1).max(initial=0)))
    return int(ranks.shape[-1])
