"""How Spark's time and memory grow with the rows, and what a large file takes without it.

    python bench/cluster.py spark 1 3 10 30 100    millions of rows, made by Spark itself
    python bench/cluster.py skew 10                as many rows, half of them of one topic
    python bench/cluster.py file 10                gigabytes of a run file, read by `assay eval`

The cluster is a master and two workers of one core on this machine, executors with 2 GB. Needs the
extra `spark`, Java, and disk: 60 bytes a row for the shuffle, and the file itself.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import machine
import report
import timing

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from standalone import HOST, Cluster, session_of  # noqa: E402 - it lies beside the tests

MEASURES = ["nDCG@10", "AP", "RR", "R@100"]
DEPTH, JUDGED = 1000, 30  # documents of a topic that are retrieved, and that are judged
EXECUTOR = "2g"
ABOUT = """\
Written by `bench/cluster.py`; do not edit. Rows are made by Spark (`spark.range`): topics of 1,000
documents with scores in steps of 0.01, so that many tie, 30 judged a topic; nDCG@10, AP, RR, R@100.
Master and two workers of one core on one machine, executors with 2 GB; time from the call to the
means, processor seconds of all workers' processes. A Python worker's memory is outside the 2 GB."""


# ------------------------------------------------------------------------------------------ Spark


@contextmanager
def session() -> Iterator[tuple[Any, Cluster]]:
    """A session on a cluster of two workers."""
    import pyspark
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable}
    with tempfile.TemporaryDirectory(prefix="assay-cluster-") as folder:
        cluster = Cluster(Path(pyspark.__path__[0]), Path(folder), cores=1, memory=EXECUTOR)
        try:
            cluster.start_master()
            cluster.start_worker()
            cluster.start_worker()
            made = (
                SparkSession.builder.master(cluster.url)
                .config("spark.driver.host", HOST)
                .config("spark.driver.bindAddress", HOST)
                .config("spark.driver.memory", "1g")
                .config("spark.executor.memory", EXECUTOR)
                .config("spark.local.dir", folder)
                .config("spark.ui.enabled", "false")
                .config("spark.ui.showConsoleProgress", "false")
                .config("spark.log.level", "ERROR")
                .getOrCreate()
            )
            yield made, cluster
            made.stop()
        finally:
            cluster.stop()


def frames(spark: Any, rows: int, *, skew: bool) -> tuple[Any, Any]:
    """Judgments and a run of so many rows; with `skew`, half of the run is one topic."""
    from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it

    def doc(number: Any) -> Any:  # an odd factor: numbers below 2**40 stay apart
        return F.format_string("D%013x", (number * 0x9E3779B1).bitwiseAND((1 << 52) - 1))

    parts = max(4, rows // 1_000_000)
    ids = spark.range(0, rows, 1, parts)
    topic = F.floor(F.col("id") / DEPTH)
    if skew:
        topic = F.when(F.col("id") < rows // 2, 0).otherwise(topic)
    run = ids.select(
        topic.cast("string").alias("topic"),
        doc(F.col("id")).alias("doc"),
        (F.pmod(F.xxhash64("id"), F.lit(10_000)) / 100).alias("score"),
    )
    topics = rows // DEPTH
    judged = spark.range(0, topics * JUDGED, 1, parts)
    number = F.floor(F.col("id") / JUDGED) * DEPTH + F.col("id") % JUDGED * (DEPTH // JUDGED)
    place = F.floor(number / DEPTH)
    if skew:
        place = F.when(number < rows // 2, 0).otherwise(place)
    judgments = judged.select(
        place.cast("string").alias("topic"),
        doc(number).alias("doc"),
        F.pmod(F.xxhash64("id"), F.lit(4)).alias("grade"),
    )
    return judgments, run


class Watch:
    """Processor seconds and peak memory of the cluster's processes, looked at twice a second."""

    def __init__(self, cluster: Cluster) -> None:
        self.leaders = [process.pid for process in cluster.processes[1:]]
        self.seconds: dict[int, float] = {}
        self.peak = {"java": 0.0, "python": 0.0}
        self._on = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._on.set()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._on.clear()
        self._thread.join()

    def _follow(self) -> None:
        while self._on.is_set():
            self._look()
            time.sleep(0.5)
        self._look()

    def _look(self) -> None:
        for leader in self.leaders:
            for process in session_of(leader):
                with suppress(OSError, IndexError, StopIteration):
                    name, rest = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)
                    fields = rest.split()
                    ticks = int(fields[11]) + int(fields[12])
                    self.seconds[process] = ticks / os.sysconf("SC_CLK_TCK")
                    kind = "java" if "java" in name else "python"
                    status = Path(f"/proc/{process}/status").read_text().splitlines()
                    peak = next(line for line in status if line.startswith("VmRSS"))
                    self.peak[kind] = max(self.peak[kind], int(peak.split()[1]) * 1024e-6)

    def cpu(self) -> float:
        """Seconds that the processes have used so far."""
        return sum(self.seconds.values())


def by_spark(millions: list[float], *, skew: bool) -> Iterator[list[dict[str, Any]]]:
    """Evaluate runs of so many million rows, one after the other; what is known after each."""
    from assay import spark as door

    found: list[dict[str, Any]] = []
    with session() as (spark, cluster):
        for million in millions:
            rows = int(million * 1_000_000)
            judgments, run = frames(spark, rows, skew=skew)
            before = Watch(cluster)
            before._look()  # noqa: SLF001 - what was used before
            with Watch(cluster) as watch:
                start = time.perf_counter()
                means = door.evaluate(judgments, run, MEASURES, tell=print).collect()
                seconds = time.perf_counter() - start
            found.append(
                {
                    "rows": rows,
                    "seconds": round(seconds, 1),
                    "cpu_seconds": round(watch.cpu() - before.cpu(), 1),
                    "java_mb": round(watch.peak["java"]),
                    "python_mb": round(watch.peak["python"]),
                    "load": round(os.getloadavg()[0], 1),
                    "values": {row["measure"]: row["value"] for row in means},
                }
            )
            yield sorted(found, key=lambda each: each["rows"])


# ----------------------------------------------------------------------------------------- a file


def write_run(path: Path, size: int) -> int:
    """Write a run of so many bytes, 100,000 topics' lines at a time; return its lines."""
    import numpy as np

    rng = np.random.default_rng(20_261_119)
    many = 200  # topics written at once
    docs = rng.permuted(np.tile(np.arange(DEPTH), (many, 1)), axis=1).ravel()
    scores = np.sort(rng.integers(0, 1_000_000, (many, DEPTH)), axis=1)[:, ::-1].ravel()
    ranks = np.tile(np.arange(1, DEPTH + 1), many)
    lines = [
        f"0000000 Q0 D{doc:012d} {rank:04d} {score / 10_000:08.4f} bench\n"
        for doc, rank, score in zip(docs, ranks, scores, strict=True)
    ]
    table = np.frombuffer("".join(lines).encode(), np.uint8).reshape(len(lines), -1).copy()
    written = topic = 0
    with path.open("wb") as file:
        while written < size:
            numbers = np.repeat(np.arange(topic, topic + many), DEPTH)
            for digit in range(7):
                table[:, 6 - digit] = ord("0") + numbers // 10**digit % 10
            file.write(table.tobytes())
            written += table.nbytes
            topic += many
    return topic * DEPTH


def write_judgments(path: Path, topics: int, judged: int) -> None:
    """So many judged documents of each topic."""
    step = DEPTH // judged
    with path.open("w") as file:
        for topic in range(topics):
            file.writelines(
                f"{topic:07d} 0 D{doc:012d} {(topic + doc) % 4}\n"
                for doc in range(0, judged * step, step)
            )


def by_file(gigabytes: float) -> Iterator[list[dict[str, Any]]]:
    """Evaluate a run file of so many gigabytes here, with few judgments and with many."""
    with tempfile.TemporaryDirectory(prefix="assay-file-", dir="/tmp") as folder:
        run, judgments = Path(folder) / "run.txt", Path(folder) / "qrels.txt"
        lines = write_run(run, int(gigabytes * 1e9))
        words = [word for measure in MEASURES for word in ("-m", measure)]
        command = [sys.executable, "-m", "assay", "eval", str(judgments), str(run), *words]
        found: list[dict[str, Any]] = []
        for judged in (3, JUDGED):
            write_judgments(judgments, lines // DEPTH, judged)
            sample = timing.measure([*command, "-o", "tsv"])
            if sample.code:
                sys.exit(sample.complaint)
            found.append(
                {
                    "lines": lines,
                    "bytes": run.stat().st_size,
                    "judgments": lines // DEPTH * judged,
                    "seconds": round(sample.seconds, 1),
                    "cpu_seconds": round(sample.cpu_seconds, 1),
                    "peak_mb": round(sample.peak_mb),
                    "load": round(os.getloadavg()[0], 1),
                }
            )
            yield found


# ------------------------------------------------------------------------------------ the record


def table(record: dict[str, Any]) -> list[list[str]]:
    """Rows of a run against time and memory."""
    head = ["rows", "seconds", "s per million", "processor s", "per million"]
    rows = [[*head, "executor MB", "Python worker MB", "load"]]
    for title, key in (("", "spark"), (", half in one topic", "skew")):
        for each in record.get(key, []):
            millions = each["rows"] / 1e6
            rows.append(
                [
                    f"{each['rows']:,}{title}",
                    f"{each['seconds']:,.1f}",
                    f"{each['seconds'] / millions:.2f}",
                    f"{each['cpu_seconds']:,.1f}",
                    f"{each['cpu_seconds'] / millions:.2f}",
                    f"{each['java_mb']:,}",
                    f"{each['python_mb']:,}",
                    f"{each['load']}",
                ]
            )
    return rows


def page(record: dict[str, Any]) -> str:
    """The page of all figures."""
    known = record["machine"]
    where = (
        f"{record['date']}. {known['cpu']}, {known['cores']} cores, {known['memory_gb']} GB, "
        f"{known['system']}; load is that of other work on the machine as well."
    )
    parts = ["# Spark, and files larger than memory", ABOUT, where, report.markdown(table(record))]
    parts += [
        f"Without Spark, `assay eval` takes a run file of {each['bytes'] / 1e9:.1f} GB "
        f"({each['lines']:,} lines) with {each['judgments']:,} judgments "
        f"in {each['seconds']:.0f} s ({each['cpu_seconds']:.0f} processor seconds, load "
        f"{each['load']}) and {each['peak_mb']:,} MB at its peak."
        for each in record.get("file", [])
    ]
    return "\n\n".join(parts) + "\n"


def keep(part: str, found: Any) -> None:
    """Put what was measured into the latest record and write its pages."""
    sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != HERE]
    sys.path.insert(0, str(HERE))
    from cases import CASES

    records = sorted(report.RESULTS.glob("*-spark.json"))
    record = json.loads(records[-1].read_text()) if records else {}
    record[part] = found
    date = dt.datetime.now(tz=dt.UTC).date().isoformat()
    record |= {"case": "spark", "date": date, "machine": machine.describe(os.cpu_count() or 1)}
    record |= {"title": "time and memory by rows", "page": "spark.md", "about": ABOUT}
    record["summary"] = table(record)
    for old in records:
        old.unlink()
    path = report.RESULTS / f"{date}-spark.json"
    path.write_text(json.dumps(record, indent=1) + "\n")
    (report.RESULTS / "spark.md").write_text(page(record))
    report.summarise([case.name for case in CASES])


def main() -> None:
    """Measure what is asked for; without --try, keep it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["spark", "skew", "file"])
    parser.add_argument("sizes", nargs="+", type=float, help="millions of rows, or gigabytes")
    parser.add_argument("--try", action="store_true", dest="trial", help="print, keep nothing")
    given = parser.parse_args()
    if given.part == "file":
        steps: Any = by_file(given.sizes[0])
    else:
        steps = by_spark(given.sizes, skew=given.part == "skew")
    for found in steps:
        print(found, flush=True)
        if not given.trial:
            keep(given.part, found)


if __name__ == "__main__":
    main()
