"""A small collection made up from a seed: graded judgments, and runs with what real runs have."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.whole import new_folder
from assay.judgments import Judgments
from assay.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Collection", "simulate"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

# label, what is told of the run, how well it sees grades
CAST = (
    ("solid", "a good run", 1.0),
    ("rounded", "scores rounded to one decimal, so that many are equal", 0.8),
    ("newcomer", "as good as solid, but it came after the judging: unjudged documents", 1.0),
    ("gappy", "a weak run that lacks a topic", 0.5),
)
CANDIDATES = 5  # times the depth: documents that a topic has a score for
SHARED = 0.5  # of the noise is in the document, and so the same for all runs
MEAN_RELEVANT = 12


@dataclass(frozen=True)
class Collection:
    """Judgments and the runs that they judge."""

    judgments: Judgments
    runs: tuple[Run, ...]
    seed: int
    about: tuple[str, ...] = field(repr=False)  # what is special in it

    def write(self, folder: str | Path) -> tuple[Path, ...]:
        """Write `qrels.txt` and a `.run` file for each run into a new folder, or nothing at all."""
        with new_folder(folder) as made:
            _write(made / "qrels.txt", _judgment_lines(self.judgments))
            for run in self.runs:
                _write(made / f"{run.label}.run", _run_lines(run))
        target = Path(folder)
        return (target / "qrels.txt", *(target / f"{run.label}.run" for run in self.runs))


def simulate(
    *,
    topics: int = 50,
    docs: int = 1000,
    runs: int = 4,
    grades: int = 3,
    depth: int = 100,
    pool: int = 20,
    seed: int = 42,
) -> Collection:
    """Make a collection with what real ones have.

    Runs of differing quality; one whose scores are often equal, one that came after the judging and
    has unjudged documents, one that lacks a topic; a topic without a relevant document. The same
    seed makes the same collection.

    * topics, docs: how many topics, and documents in the collection.
    * runs: how many runs; the first four are `solid`, `rounded`, `newcomer`, `gappy`.
    * grades: the best grade; 0 is not relevant.
    * depth: documents that a run retrieves for a topic.
    * pool: documents of each run but `newcomer` that are judged, from the top.

    >>> collection = simulate(topics=5, runs=2)
    >>> collection.judgments.topics
    ['t1', 't2', 't3', 't4', 't5']
    >>> [run.label for run in collection.runs]
    ['solid', 'rounded']
    """
    sizes = {
        "topics": topics,
        "docs": docs,
        "runs": runs,
        "grades": grades,
        "depth": depth,
        "pool": pool,
    }
    for name, size in sizes.items():
        if not _is_whole(size) or size < 1:
            raise AssayError(f"{name}={size!r}: must be a whole number of at least 1")
    if not _is_whole(seed) or seed < 0:
        raise AssayError(f"seed={seed!r}: must be a whole number of at least 0")
    cast = [
        *CAST,
        *((f"run{i}", "one more run", 0.9 - 0.6 * i / runs) for i in range(5, runs + 1)),
    ][:runs]
    empty = topics // 2 if topics > 1 else -1  # the topic without a relevant document
    absent = 2 % topics if topics > 1 else -1  # the topic that gappy lacks
    world = _World(np.random.Generator(np.random.PCG64(seed)), docs, grades, min(depth, docs), pool)
    judged: list[tuple[str, Ints, Ints]] = []
    retrieved: list[list[tuple[str, Ints, Floats]]] = [[] for _ in cast]
    width = len(str(topics))
    for t in range(topics):
        topic = f"t{t + 1:0{width}d}"
        lists, pairs = world.topic(cast, barren=t == empty)
        judged.append((topic, *pairs))
        for r, (doc, score) in enumerate(lists):
            if (cast[r][0], t) != ("gappy", absent):
                retrieved[r].append((topic, doc, score))
    names = np.asarray([f"d{d + 1:0{len(str(docs))}d}" for d in range(docs)])
    about = [f"{label}: {text}" for label, text, _ in cast]
    if topics > 1:
        about.append(f"topic {judged[empty][0]}: no relevant document")
    return Collection(
        Judgments(_frame(judged, names, "grade"), label="qrels"),
        tuple(
            Run(_frame(rows, names, "score"), label=label, tag=label)
            for (label, _, _), rows in zip(cast, retrieved, strict=True)
        ),
        seed,
        tuple(about),
    )


def _is_whole(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


class _World:
    """Random numbers, of one kind only (uniform), so that a seed means the same for ever."""

    def __init__(
        self, rng: np.random.Generator, docs: int, grades: int, depth: int, pool: int
    ) -> None:
        self.rng, self.docs, self.grades, self.depth, self.pool = rng, docs, grades, depth, pool

    def topic(
        self, cast: list[tuple[str, str, float]], *, barren: bool
    ) -> tuple[list[tuple[Ints, Floats]], tuple[Ints, Ints]]:
        """What each run retrieves for a topic, and what is judged of it."""
        doc = self._candidates()
        grade = np.zeros(len(doc), dtype=np.int64)
        if not barren:
            many = 4 + int(-MEAN_RELEVANT * np.log1p(-self.rng.random()))
            many = max(1, min(many, len(doc) // 3))
            grade[:many] = 1 + (self.grades * self.rng.random(many) ** 2).astype(np.int64)
        ease = 0.6 + 0.8 * self.rng.random()
        shared = self._noise(len(doc))
        lists, pooled = [], np.zeros(len(doc), dtype=bool)
        for label, _, skill in cast:
            noise = SHARED * shared + (1 - SHARED) * self._noise(len(doc))
            score = 10 + 4 * ease * skill * grade / self.grades + noise
            score = np.round(score, 1 if label == "rounded" else 4)
            best = np.argsort(-score, kind="stable")[: self.depth]
            lists.append((doc[best], score[best]))
            if label != "newcomer" or len(cast) == 1:
                pooled[best[: self.pool]] = True
        pooled[int(np.argmax(grade))] = True
        seen = np.flatnonzero(pooled)
        seen = seen[np.argsort(doc[seen], kind="stable")]
        return lists, (doc[seen], grade[seen])

    def _candidates(self) -> Ints:
        """Documents that the topic is about in some way, in random order."""
        wanted = min(self.docs, max(200, CANDIDATES * self.depth))
        if self.docs <= 4 * wanted:
            return np.argsort(self.rng.random(self.docs), kind="stable")[:wanted]
        drawn = (self.rng.random(2 * wanted) * self.docs).astype(np.int64)
        _, first = np.unique(drawn, return_index=True)
        return drawn[np.sort(first)][:wanted]

    def _noise(self, n: int) -> Floats:
        """Logistic noise."""
        u = np.clip(self.rng.random(n), 1e-12, 1 - 1e-12)
        return np.asarray(np.log(u / (1 - u)), dtype=np.float64)


def _frame(parts: list[tuple[str, Ints, Any]], names: Any, value: str) -> pl.DataFrame:
    if not parts:
        schema = {"topic": pl.String, "doc": pl.String, value: pl.Float64}
        return pl.DataFrame(schema=schema)
    lengths = [len(doc) for _, doc, _ in parts]
    return pl.DataFrame(
        {
            "topic": pl.Series([topic for topic, _, _ in parts]).gather(
                np.repeat(np.arange(len(parts)), lengths)
            ),
            "doc": names[np.concatenate([doc for _, doc, _ in parts])].tolist(),
            value: np.concatenate([values for _, _, values in parts]).astype(np.float64),
        }
    )


def _judgment_lines(judgments: Judgments) -> Iterator[str]:
    for topic, doc, grade in judgments:
        yield f"{topic} 0 {doc} {grade:g}\n"


def _run_lines(run: Run) -> Iterator[str]:
    rank, last = 0, None
    for topic, doc, score in run:
        rank, last = (rank + 1, topic) if topic == last else (1, topic)
        yield f"{topic} Q0 {doc} {rank} {score!r} {run.tag}\n"


def _write(path: Path, lines: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
