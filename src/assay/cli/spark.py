"""`assay spark`: evaluation on a cluster."""

from __future__ import annotations

import click

from assay.cli.command import SETTINGS
from assay.cli.lazy import Lazy

__all__ = ["TASKS", "command"]

# name: its line in `assay spark --help`; the task `name` is `command` of assay.cli.cluster.name
TASKS = {
    "eval": "Score runs against graded judgments, on the workers of a cluster.",
}


@click.group(
    "spark",
    cls=Lazy,
    table=TASKS,
    home="assay.cli.cluster",
    what=("task", "tasks"),
    context_settings=SETTINGS,
)
def command() -> None:
    """Score runs on a Spark cluster: more topics than one machine holds, the same numbers.

    \b
    assay spark eval q.txt runs.parquet -m nDCG@10                     on this machine
    assay spark eval --master spark://head:7077 hdfs:///q.txt hdfs:///run.parquet
    """  # noqa: D301 - \b is click's mark for lines to leave alone
