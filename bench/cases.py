"""The benchmarks: what runs beside what, on which collection, and what is to be reached."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import comparing
import studying
from tools import TOOLS, Tool, Values

if TYPE_CHECKING:
    from collections.abc import Callable

    from timing import Sample


@dataclass(frozen=True)
class Entry:
    """One tool on one collection."""

    tool: str
    collection: str | None = None
    repeats: int = 5
    name: str = ""

    @property
    def label(self) -> str:
        """How tables and targets call it."""
        return self.name or self.tool


@dataclass
class Outcome:
    """What came of an entry."""

    entry: Entry
    status: str = "ok"  # "ok", "absent", or what went wrong
    numbers: str = ""  # verdict on its values, set by `agreement.check`
    wrong: bool = False  # its values differ for no known reason
    samples: list[Sample] = field(default_factory=list)
    values: list[Values] = field(default_factory=list)

    @property
    def tool(self) -> Tool:
        """Return the tool behind it."""
        return TOOLS[self.entry.tool]

    @property
    def usable(self) -> bool:
        """Whether a ratio may be made of its time."""
        return self.status == "ok" and bool(self.samples) and not self.wrong

    @property
    def seconds(self) -> float:
        """Median wall time."""
        return statistics.median(s.seconds for s in self.samples)

    @property
    def spread(self) -> float:
        """Range of the wall times as a share of the median; large on a busy machine."""
        times = [s.seconds for s in self.samples]
        return (max(times) - min(times)) / self.seconds

    @property
    def peak_mb(self) -> float:
        """Largest peak memory."""
        return max(s.peak_mb for s in self.samples)


Outcomes = dict[str, Outcome]


@dataclass(frozen=True)
class Target:
    """A figure to reach; `value` gives None where it cannot be known."""

    text: str
    limit: float
    unit: str
    value: Callable[[Outcomes], float | None]
    at_least: bool = False

    def met(self, value: float) -> bool:
        """Whether a figure reaches it."""
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True)
class Case:
    """One sitting."""

    name: str
    title: str
    entries: tuple[Entry, ...]
    targets: tuple[Target, ...]


def ratio(slow: str, fast: str) -> Callable[[Outcomes], float | None]:
    """Median time of one over median time of the other."""

    def value(outcomes: Outcomes) -> float | None:
        a, b = outcomes[slow], outcomes[fast]
        return a.seconds / b.seconds if a.usable and b.usable else None

    return value


def at_most(fast: str, times: float) -> Target:
    """State that assay takes at most so many times as long as another."""
    return Target(f"assay / {fast}", times, "x", ratio("assay", fast))


def at_least(slow: str, times: float) -> Target:
    """State that another takes at least so many times as long as assay."""
    return Target(f"{slow} / assay", times, "x", ratio(slow, "assay"), at_least=True)


def within(label: str, seconds: float) -> Target:
    """State that an entry takes at most so long."""
    return Target(
        label, seconds, "s", lambda done: done[label].seconds if done[label].usable else None
    )


def peak(label: str, megabytes: float) -> Target:
    """State that an entry's memory stays under a bound."""
    return Target(
        f"peak memory of {label}",
        megabytes,
        "MB",
        lambda done: done[label].peak_mb if done[label].usable else None,
    )


def growth(small: str, large: str, megabytes: float) -> Target:
    """State that one entry needs at most so much more memory than another."""

    def value(outcomes: Outcomes) -> float | None:
        a, b = outcomes[small], outcomes[large]
        return b.peak_mb - a.peak_mb if a.usable and b.usable else None

    return Target(f"memory added from {small} to {large}", megabytes, "MB", value)


def told(text: str, label: str, name: str, limit: float, unit: str) -> Target:
    """State that what an entry prints under a name is at most so much."""

    def value(outcomes: Outcomes) -> float | None:
        done = outcomes[label]
        found = [values["test"][name] for values in done.values]
        return statistics.median(found) if done.usable else None

    return Target(text, limit, unit, value)


def itself(label: str, seconds: float) -> Target:
    """State that a test, without start-up and reading, takes at most so long."""
    return told(f"{label}, the test itself", label, "seconds", seconds, "s")


def over_start_up(outcomes: Outcomes) -> float | None:
    """Seconds beyond what trec_eval takes and what starting Python with its libraries takes."""
    whole, other, start = (
        outcomes[label] for label in ("assay", "trec_eval", "python, numpy, polars")
    )
    if not (whole.usable and start.usable):
        return None
    return whole.seconds - start.seconds - (other.seconds if other.usable else 0.0)


def heavy_modules(outcomes: Outcomes) -> float | None:
    """How many of numpy and polars `import assay` loads."""
    outcome = outcomes["import assay"]
    return outcome.values[0]["import"]["heavy"] if outcome.usable else None


PAIRED = ("NDPM", "Rho", "TauA", "TauB", "TauC")

CASES = (
    Case(
        "passages",
        "7 million lines, 5 measures",
        (
            Entry("polars read", "passages"),
            Entry("assay", "passages"),
            Entry("pytrec_eval", "passages"),
            Entry("ir_measures", "passages"),
            Entry("ranx", "passages", repeats=3),  # it takes half a minute and more
        ),
        (
            at_most("polars read", 2.5),
            at_least("ir_measures", 15),
            at_least("pytrec_eval", 5),
            at_least("ranx", 30),
            peak("assay", 500),
        ),
    ),
    Case(
        "pool",
        "60 runs at once, 50 topics with some 300 judged",
        (Entry("polars read", "pool"), Entry("assay", "pool"), Entry("pytrec_eval", "pool")),
        (at_least("pytrec_eval", 2.3),),
    ),
    Case(
        "short",
        "50,000 topics of 10 documents",
        (Entry("polars read", "short"), Entry("assay", "short"), Entry("pytrec_eval", "short")),
        (at_least("pytrec_eval", 1.6),),
    ),
    Case(
        "startup",
        "start-up and a 50-topic evaluation",
        (
            Entry("python"),
            Entry("assay --version"),
            Entry("assay --help"),
            Entry("import assay"),
            Entry("assay", "fifty", name="assay, 50 topics"),
            Entry("pytrec_eval", "fifty"),
            Entry("ir_measures", "fifty"),
            Entry("ranx", "fifty", repeats=3),
        ),
        (
            within("assay --version", 0.1),
            within("assay --help", 0.1),
            Target("of numpy, polars loaded by `import assay`", 0, "", heavy_modules),
            within("assay, 50 topics", 0.5),
        ),
    ),
    Case(
        "trec_eval",
        "7 million lines, trec_eval's official measures",
        (
            Entry("polars read", "passages"),
            Entry("assay trec_eval", "passages", name="assay"),
            Entry("pytrec_eval, official", "passages", name="pytrec_eval"),
            Entry("trec_eval", "passages"),
        ),
        (
            at_most("polars read", 2.8),  # 8.0 s of trec_eval's beside 0.57 s, a fifth of it
            at_least("trec_eval", 5),
            at_least("pytrec_eval", 5),
            peak("assay", 500),
        ),
    ),
    Case(
        "trec_eval-50",
        "50,000 lines, trec_eval's official measures",
        (
            Entry("python"),
            Entry("python, numpy, polars"),
            Entry("assay trec_eval", "fifty", name="assay"),
            Entry("pytrec_eval, official", "fifty", name="pytrec_eval"),
            Entry("trec_eval", "fifty"),
        ),
        (
            Target("assay, less trec_eval and start-up", 0, "s", over_start_up),
            within("assay", 0.5),
        ),
    ),
    Case(
        "memory",
        "ten times the rows",
        (
            Entry("assay", "passages", repeats=3, name="7 million lines"),
            Entry("assay", "ten", repeats=1, name="70 million lines"),
        ),
        (growth("7 million lines", "70 million lines", 300),),
    ),
    Case(
        "judges",
        "1,000 simulated judges x 63 runs x 53 topics x 100 ranks, nDCG@10 and AP",
        (Entry("assay judges", "judges"),),
        (within("assay judges", 4), peak("assay judges", 500)),
    ),
    Case(
        "report",
        "a page of 63 runs x 53 topics x 100 documents, nDCG@10 and AP, made and opened",
        (
            Entry("assay report", "judges"),
            Entry("report opened"),
        ),
        (
            within("assay report", 15),
            itself("report opened", 2),
            told("size of the page", "report opened", "megabytes", 6, "MB"),
            told("another topic", "report opened", "another", 0.1, "s"),
        ),
    ),
    Case(
        "large",
        "one topic with 100,000 judged documents, real-valued grades",
        (
            *(Entry(name) for name in PAIRED),
            Entry("NDPM, 1,000,000", repeats=3),
        ),
        (
            *(itself(name, 0.3) for name in PAIRED),
            growth("NDPM", "NDPM, 1,000,000", 900),
        ),
    ),
    *(
        [
            Case(
                "comparing",
                "1,953 pairs of the 63 runs of dl21, 10,000 resamples",
                (Entry("randomised HSD"), Entry("bootstrap"), Entry("assay compare")),
                (
                    itself("randomised HSD", 0.5),
                    peak("randomised HSD", 300),
                    within("bootstrap", 3),
                    peak("bootstrap", 300),
                    peak("assay compare", 300),
                ),
            )
        ]
        if comparing.FOLDER.is_dir()
        else []
    ),
    Case(
        "sensitivity",
        "100 lists of 100 items, 0 to 99 swaps, 4 scales, 2 distributions, three measures",
        (Entry("assay study sensitivity", repeats=3),),
        (within("assay study sensitivity", 20), peak("assay study sensitivity", 2000)),
    ),
    *(
        [
            Case(
                "studies",
                "79 runs of trec-covid-r3 left out one by one; two runs of dl21 under 28 judges",
                (
                    Entry("assay study pool", repeats=3),
                    Entry("assay study robust", repeats=3),
                ),
                (
                    within("assay study pool", 10),
                    peak("assay study pool", 2000),
                    within("assay study robust", 15),
                    peak("assay study robust", 2000),
                ),
            )
        ]
        if studying.there()
        else []
    ),
)
