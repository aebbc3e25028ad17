"""What travels between driver and workers: rows of both sides, keys that order them, partial sums.

A row of either side is (key, topic, doc, value). The key's upper bits say whose row it is: below 0
a judge's, else a run's. Its lower bits hold, for a judgment, the place where it stood in its
source, and for a row of a run a hash of its topic. So a bucket that is sorted by one number holds
the judgments in their own order, then the runs one after the other, each topic by topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.measures.registry import Definition
    from assay.plan import Plan
    from assay.scorer import Whole

__all__ = ["BITS", "LOW", "MOST_OWNERS", "PARTIALS", "ROWS", "Kind", "Task"]

BITS = 46  # the lower bits of a key
LOW = (1 << BITS) - 1
MOST_OWNERS = 1 << (63 - BITS)

ROWS = "key long, topic string, doc string, value double"
PARTIALS = (
    "kind int, bucket int, judge int, run int, place int, count long, total double, mean double, "
    "squares double, undefined long, missing long, "
    "names array<struct<at: long, name: string>>, topic string, at long"
)


class Kind:
    """What a row of partial results is about; `place` is a measure's, or a cut-off's, number."""

    VALUE = 0  # judge, run, measure: how many values, sum, mean, squared deviations
    JUDGED = 1  # judge, run, cut-off: the same of Judged@k
    SEEN = 2  # run: topics that it holds; `total` judged documents retrieved
    FOREIGN = 3  # run: topics that nobody judged, and names
    MISSING = 4  # run: judged topics that it lacks, and names
    UNDEFINED = 5  # run, measure: topics without a value, and names
    TOPICS = 6  # judge, or -1 for all: topics judged, and names
    DOC = 7  # a judged document
    DROPPED = 8  # owner, as in a key: rows left out, and of which kind
    LONGEST = 9  # run: `total` documents in its longest list
    PROBLEM = 10  # an error, in words
    PLAIN = 11  # as VALUE, before logarithms are taken for a geometric mean
    TOPIC = 12  # judge, run, measure, topic: a value


@dataclass(frozen=True)
class Task:
    """What the workers are told."""

    plan: Plan
    judges: tuple[str, ...]
    runs: tuple[str, ...]
    per_topic: bool
    strict: bool
    own: tuple[Definition, ...] = ()  # measures that the driver defined
    whole: Whole | None = None
