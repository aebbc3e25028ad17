"""Make the benchmark's collections: TREC run and judgment files, seeded, written by Polars.

    python bench/data.py passages        prints where the files lie, as JSON; makes them if need be

Scores are multiples of 0.0001 below 100, so rounding them to float32 (as pytrec_eval does) makes
no tie that was not there: every tool sees the same ties.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import json
import math
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

FOLDER = Path(__file__).parent / ".data"
CORPUS = 8_841_823  # documents in the imagined corpus; prime to STRIDE
STRIDE = 7_919
CELLS = 4_000_000  # topics are made in batches of about so many candidates
NOISE = 0.03  # how far a run strays from the true order, as a share of the candidates


@dataclasses.dataclass(frozen=True)
class Spec:
    """One collection: so many runs over so many topics, `depth` documents each."""

    topics: int
    depth: int
    judged: int  # documents judged per topic, on average
    runs: int = 1
    ties: float = 0.15  # share of rows that stand in a tie group
    unsorted: int = 100  # one topic in so many has its rows shuffled
    seed: int = 20_260_731

    @property
    def candidates(self) -> int:
        """Documents a run chooses from, per topic."""
        return self.depth + self.depth // 4 + 2


SPECS = {
    "passages": Spec(topics=6_980, depth=1_000, judged=3),
    "ten": Spec(topics=69_800, depth=1_000, judged=3),
    "pool": Spec(topics=50, depth=1_000, judged=300, runs=60),
    "short": Spec(topics=50_000, depth=10, judged=3),
    "fifty": Spec(topics=50, depth=1_000, judged=300),
    "judges": Spec(topics=53, depth=100, judged=80, runs=63),
    "check": Spec(topics=200, depth=100, judged=10, ties=0.0),
}
QUICK = {
    "passages": Spec(topics=698, depth=1_000, judged=3),
    "ten": Spec(topics=6_980, depth=1_000, judged=3),
    "pool": Spec(topics=50, depth=1_000, judged=300, runs=6),
    "short": Spec(topics=5_000, depth=10, judged=3),
    "judges": Spec(topics=10, depth=100, judged=80, runs=63),
}


def tie_chance(spec: Spec) -> float:
    """Chance that a row is tied with the next, so that `ties` of all rows stand in a tie group.

    An inner row stands in one with chance 2p - p^2, the first and the last with chance p.
    """
    d = spec.depth
    return ((d - 1) - math.sqrt((d - 1) ** 2 - (d - 2) * d * spec.ties)) / (d - 2)


def scores(rng: np.random.Generator, spec: Spec, topics: int) -> Ints:
    """Falling scores in units of 0.0001, one row per topic."""
    steps = rng.integers(1, 900_000 // spec.depth, size=(topics, spec.depth))
    steps[:, :-1] *= rng.random((topics, spec.depth - 1)) >= tie_chance(spec)
    return np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]


def retrieved(rng: np.random.Generator, spec: Spec, topics: int) -> Ints:
    """Which candidates a run returns, best first: the true order 0, 1, 2, ... and some noise."""
    n = spec.candidates
    noise = rng.standard_normal((topics, n), dtype=np.float32) * (NOISE * n)
    return np.argsort(np.arange(n, dtype=np.float32) + noise, axis=1)[:, : spec.depth]


def row_order(rng: np.random.Generator, spec: Spec, run: int, topics: range) -> Ints:
    """Position of each row in the file: as ranked, but shuffled in one topic of `unsorted`."""
    order = np.tile(np.arange(spec.depth), (len(topics), 1))
    for row, topic in enumerate(topics):
        if (topic + 17 * run) % spec.unsorted == spec.unsorted // 3:
            rng.shuffle(order[row])
    return order


def documents(topics: Ints, candidates: Ints) -> Ints:
    """Give candidates their numbers in the corpus; two of one topic never share a number."""
    return (topics * 10_007 + candidates * STRIDE) % CORPUS


def topic_ids() -> pl.Expr:
    """Topic ids of seven digits, as MS MARCO has them."""
    return (pl.col("topic") * 3 + 1_000_001).cast(pl.String)


def doc_ids() -> pl.Expr:
    """Document ids of 20 bytes."""
    return pl.lit("passage-") + pl.col("doc").cast(pl.String).str.zfill(12)


def run_rows(spec: Spec, batch: int, run: int, topics: range) -> pl.DataFrame:
    """Make the lines of one run for a batch of topics."""
    rng = np.random.default_rng([spec.seed, 1, batch, run])
    chosen = retrieved(rng, spec, len(topics))
    value = scores(rng, spec, len(topics))
    order = row_order(rng, spec, run, topics)
    topic = np.repeat(np.asarray(topics), spec.depth)
    columns = {
        "topic": topic,
        "doc": documents(topic, np.take_along_axis(chosen, order, axis=1).ravel()),
        "rank": order.ravel() + 1,
        "score": np.take_along_axis(value, order, axis=1).ravel() / 10_000,
    }
    return pl.DataFrame(columns).select(
        topic_ids(),
        pl.lit("Q0").alias("q0"),
        doc_ids().alias("doc"),
        "rank",
        "score",
        pl.lit("bench").alias("tag"),
    )


def judgment_rows(spec: Spec, batch: int, topics: range) -> pl.DataFrame:
    """Make the judgments of a batch of topics: good candidates are judged more often."""
    rng = np.random.default_rng([spec.seed, 0, batch])
    n, least = spec.candidates, spec.judged // 2
    most = 2 * spec.judged - least
    keys = rng.standard_exponential((len(topics), n)) * np.arange(1, n + 1)
    judged = np.argsort(keys, axis=1)[:, :most]
    grade = rng.binomial(3, 0.75 * np.exp(-3 * judged / n))
    grade[:, 0] = np.maximum(grade[:, 0], 1)  # every topic has a relevant document
    wanted = np.arange(most) < rng.integers(least, most + 1, size=(len(topics), 1))
    topic = np.repeat(np.asarray(topics), most).reshape(len(topics), most)[wanted]
    columns = {"topic": topic, "doc": documents(topic, judged[wanted]), "grade": grade[wanted]}
    return pl.DataFrame(columns).select(
        topic_ids(), pl.lit("0").alias("iteration"), doc_ids().alias("doc"), "grade"
    )


def batches(spec: Spec) -> Iterator[tuple[int, range]]:
    """Yield the topics in pieces that fit in memory."""
    size = max(1, CELLS // spec.candidates)
    for batch, first in enumerate(range(0, spec.topics, size)):
        yield batch, range(first, min(first + size, spec.topics))


def append(rows: pl.DataFrame, file: IO[bytes]) -> int:
    """Write rows as TREC lines and return how many."""
    rows.write_csv(
        file, include_header=False, separator=" ", quote_style="never", float_precision=4
    )
    return rows.height


def write(spec: Spec, folder: Path) -> dict[str, Any]:
    """Write one collection and describe it."""
    judgments, lines = 0, 0
    names = [f"r{run + 1:02}.txt" for run in range(spec.runs)]
    with contextlib.ExitStack() as stack:
        qrels = stack.enter_context((folder / "qrels.txt").open("wb"))
        files = [stack.enter_context((folder / name).open("wb")) for name in names]
        for batch, topics in batches(spec):
            judgments += append(judgment_rows(spec, batch, topics), qrels)
            for run, file in enumerate(files):
                lines += append(run_rows(spec, batch, run, topics), file)
    size = sum((folder / name).stat().st_size for name in names)
    counts = {"lines": lines, "judgments": judgments, "bytes": size}
    return {"spec": dataclasses.asdict(spec), "runs": names, **counts}


def prepare(name: str, *, quick: bool = False) -> Path:
    """Return the folder of a collection, made now unless it lies there already.

    The folder's name holds a hash of the Spec and of this file, so an old copy is never taken.
    """
    spec = QUICK.get(name, SPECS[name]) if quick else SPECS[name]
    key = hashlib.sha256(repr(spec).encode() + Path(__file__).read_bytes()).hexdigest()[:8]
    prefix = f"{name}-quick" if quick and name in QUICK else name
    folder = FOLDER / f"{prefix}.{key}"
    if (folder / "about.json").exists():
        return folder
    for stale in FOLDER.glob(f"{prefix}.*"):
        shutil.rmtree(stale)
    FOLDER.mkdir(exist_ok=True)
    print(f"making {folder.name} ...", file=sys.stderr)
    work = Path(tempfile.mkdtemp(prefix="unfinished-", dir=FOLDER))
    try:
        about = write(spec, work)
        (work / "about.json").write_text(json.dumps(about, indent=1) + "\n")
        work.rename(folder)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    return folder


def main() -> None:
    """Prepare the collection named on the command line and print what it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=SPECS)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    options = parser.parse_args()
    folder = prepare(options.name, quick=options.quick)
    about = json.loads((folder / "about.json").read_text())
    print(json.dumps({"name": options.name, "folder": str(folder), **about}))


if __name__ == "__main__":
    main()
