"""Agreement by rank: where it counts, on the documents that systems put first, or below.

Lesk & Salton 1968, section 5 and Fig. 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.judges.contingency import bias, overlap, sizes
from assay.judges.jackknife import Estimate, of_sums
from assay.judges.tabular import Array, Tabular
from assay.pictured import Pictured

__all__ = ["CUTOFFS", "EDGES", "Bands", "Hits", "Strip", "band_names", "bands", "strip"]

EDGES = (5, 10, 20, 50, 100)  # last rank of each band; what follows is the last band
CUTOFFS = tuple(range(5, 31, 5))


@dataclass(frozen=True)
class Hits:
    """The judged documents that runs retrieved, one entry for each."""

    run: Array
    topic: Array
    pair: Array
    rank: Array
    runs: tuple[str, ...]


@dataclass(frozen=True)
class Bands(Pictured):
    """Agreement of two judges within bands of ranks, for each run and over all."""

    first: str
    second: str
    runs: tuple[str, ...]
    names: tuple[str, ...]
    tables: Array  # [run, topic, band, 2, 2]

    @property
    def overlap(self) -> tuple[Estimate, ...]:
        """D / C of each band, over all runs and topics, with an interval over topics."""
        total = self.tables.sum(axis=0)
        return tuple(of_sums(overlap, total[:, b], (0.0, 1.0)) for b in range(len(self.names)))

    @property
    def gap(self) -> Estimate:
        """D / C within the first 10 ranks, less D / C beyond."""
        total = self.tables.sum(axis=0)
        top = [b for b, name in enumerate(self.names) if _last(name) <= 10]
        rest = [b for b in range(len(self.names)) if b not in top]
        both = np.stack([total[:, top].sum(axis=1), total[:, rest].sum(axis=1)], axis=1)
        return of_sums(lambda x: overlap(x[..., 0, :, :]) - overlap(x[..., 1, :, :]), both, (-1, 1))

    def verdict(self) -> str:
        """One sentence."""
        top, last = self.overlap[0], self.overlap[-1]
        gap = self.gap
        if np.isnan(gap.value):
            return (
                f"Nothing relevant to {self.first} or {self.second} stands among the first 10 "
                "ranks, or nothing below: there is nothing to compare."
            )
        moved = "more" if gap.low > 0 else "less" if gap.high < 0 else "about as much"
        than = "than" if moved != "about as much" else "as"
        return (
            f"{self.first} and {self.second} agree {moved} on the first 10 ranks {than} below: D/C "
            "is "
            f"{top.value:.2f} at ranks {self.names[0]} and {last.value:.2f} at ranks "
            f"{self.names[-1]} "
            f"(first 10 less the rest {gap})."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self, "bands")

    def tabulars(self) -> tuple[Tabular, ...]:
        """Over all runs, and for each."""
        rows = []
        total = self.tables.sum(axis=0)
        for b, name in enumerate(self.names):
            A, B, C, D, N = (float(x) for x in sizes(total[:, b].sum(axis=0)))
            share = self.overlap[b]
            rows.append(
                (
                    name,
                    int(N),
                    int(A),
                    int(B),
                    int(C),
                    int(D),
                    share.value,
                    share.low,
                    share.high,
                    _share(D, A),
                    _share(B - D, N - A),
                    float(bias(total[:, b].sum(axis=0))),
                )
            )
        heads = ("ranks", "N", "A", "B", "C", "D", "D/C", "low", "high", "p_r", "p_nr", "bias")
        note = (
            f"documents judged by {self.first} (A) and the other judge (B), a document once for "
            "each "
            "run that retrieved it; p_r: B calls relevant what A does; p_nr: what A does not"
        )
        each = []
        for r, run in enumerate(self.runs):
            table = self.tables[r].sum(axis=0)
            in_first, _, _, in_both, every = sizes(table)
            shares = overlap(table)
            each += [
                (
                    run,
                    name,
                    int(every[b]),
                    float(shares[b]),
                    _share(float(in_both[b]), float(in_first[b])),
                )
                for b, name in enumerate(self.names)
            ]
        return (
            Tabular("bands", "agreement by rank", heads, tuple(rows), (note,)),
            Tabular("run-bands", "by run", ("run", "ranks", "N", "D/C", "p_r"), tuple(each)),
        )


def _share(a: float, b: float) -> float:
    return a / b if b else float("nan")


def _last(name: str) -> float:
    return float("inf") if name.endswith("+") else float(name.rsplit("-", 1)[-1])


def band_names(edges: tuple[int, ...]) -> tuple[str, ...]:
    """Names such as 1-5, 6-10, 11+."""
    starts = (1, *(edge + 1 for edge in edges))
    inner = tuple(f"{a}-{b}" for a, b in zip(starts, edges, strict=False))
    return (*inner, f"{starts[-1]}+")


def bands(
    first: Array,
    second: Array,
    hits: Hits,
    topics: int,
    *,
    judges: tuple[str, str],
    rel: tuple[float, float],
    edges: tuple[int, ...] = EDGES,
    retrieved: Array | None = None,
) -> Bands:
    """Count, for each run and band, what two judges said; grades by pair.

    Where they judged the whole collection `retrieved[run, topic]` documents count, and those that
    are no pair are relevant to neither.
    """
    a, b = first[hits.pair], second[hits.pair]
    both = ~np.isnan(a) & ~np.isnan(b)
    band = np.searchsorted(np.asarray(edges), hits.rank[both], side="left")
    names = band_names(edges[: 1 + int(band.max(initial=0))])  # bands beyond hold nothing
    if band.max(initial=0) < len(edges):
        names = names[:-1]
    cell = (hits.run[both] * topics + hits.topic[both]) * len(names) + band
    cell = (cell * 2 + (a[both] >= rel[0])) * 2 + (b[both] >= rel[1])
    shape = (len(hits.runs), topics, len(names), 2, 2)
    counts = np.bincount(cell, minlength=int(np.prod(shape))).astype(np.float64)
    tables = counts.reshape(shape)
    if retrieved is not None:
        ends = np.asarray([*edges, np.inf])[: len(names)]
        shown = np.diff(np.minimum(retrieved[..., None], ends), prepend=0.0, axis=-1)
        asked = np.asarray(tables.any(axis=(0, 2, 3, 4)))[:, None]  # topics that both judged
        tables[..., 0, 0] += asked * (shown - tables.sum(axis=(-2, -1)))
    return Bands(*judges, hits.runs, names, tables)


@dataclass(frozen=True)
class Strip:
    """One topic of one run: at which ranks stand the documents of A, of B, of both (Fig. 3)."""

    run: str
    topic: str
    first: str
    second: str
    ranks: tuple[int, ...]
    in_first: tuple[bool, ...]
    in_second: tuple[bool, ...]
    missed: tuple[int, int, int]  # not retrieved: of A, of B, of both
    cutoffs: tuple[int, ...]
    points: Array  # [judge, cut-off, (recall, precision)]

    def verdict(self) -> str:
        """One sentence."""
        half = max(1, len(self.ranks) // 2)
        agreed = [a and b for a, b in zip(self.in_first, self.in_second, strict=True)]
        return (
            f"Topic {self.topic} in {self.run}: of the {half} first relevant documents "
            f"{sum(agreed[:half])} "
            f"are relevant to both, of the {len(agreed) - half} others {sum(agreed[half:])}."
        )

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """The strip of ranks, and recall and precision at the cut-offs."""
        mark = {True: "X", False: ""}
        rows = tuple(
            (rank, mark[a], mark[b], mark[a and b])
            for rank, a, b in zip(self.ranks, self.in_first, self.in_second, strict=True)
        )
        missed = (
            f"not retrieved: {self.missed[0]} of A, {self.missed[1]} of B, {self.missed[2]} of both"
        )
        title = f"ranks of topic {self.topic} in {self.run}"
        heads = ("rank", f"A ({self.first})", f"B ({self.second})", "A and B")
        curve = tuple(
            (k, *(float(x) for x in self.points[0, i]), *(float(x) for x in self.points[1, i]))
            for i, k in enumerate(self.cutoffs)
        )
        columns = ("cut-off", "recall A", "precision A", "recall B", "precision B")
        return (
            Tabular("strip", title, heads, rows, (missed,)),
            Tabular("recall-precision", title, columns, curve),
        )


def strip(
    first: Array,
    second: Array,
    hits: Hits,
    pairs_of_topic: Array,
    *,
    run: int,
    topic: tuple[int, str],
    judges: tuple[str, str],
    rel: tuple[float, float],
    cutoffs: tuple[int, ...] = CUTOFFS,
) -> Strip:
    """Ranks of one topic's relevant documents in one run; NaN counts as not relevant."""
    mine = (hits.run == run) & (hits.topic == topic[0])
    pair, rank = hits.pair[mine], hits.rank[mine]
    order = np.argsort(rank)
    pair, rank = pair[order], rank[order]
    sides = [
        np.nan_to_num(grade, nan=-np.inf) >= r
        for grade, r in zip((first, second), rel, strict=True)
    ]
    a, b = sides[0][pair], sides[1][pair]
    shown = a | b
    left = np.setdiff1d(pairs_of_topic, pair)
    points = np.zeros((2, len(cutoffs), 2))
    for j, side in enumerate(sides):
        found = np.asarray([(side[pair] & (rank <= k)).sum() for k in cutoffs], dtype=np.float64)
        every = side[pairs_of_topic].sum()
        points[j, :, 0] = found / every if every else np.nan
        points[j, :, 1] = found / np.asarray(cutoffs)
    return Strip(
        hits.runs[run],
        topic[1],
        *judges,
        tuple(int(r) for r in rank[shown]),
        tuple(bool(x) for x in a[shown]),
        tuple(bool(x) for x in b[shown]),
        (
            int(sides[0][left].sum()),
            int(sides[1][left].sum()),
            int((sides[0] & sides[1])[left].sum()),
        ),
        cutoffs,
        points,
    )
