"""`assay study`: whether conclusions survive other gains, measures, scores, pools, scales."""

from __future__ import annotations

import click

from assay.cli.command import SETTINGS
from assay.cli.lazy import Lazy

__all__ = ["STUDIES", "command"]

# name: its line in `assay study --help`; the study `name` is `command` of assay.cli.studies.name
STUDIES = {
    "measures": "How alike measures rank the runs, and how surely each tells them apart.",
    "axioms": "Which properties measures have, and the smallest lists that show the lack.",
    "gains": "Whether conclusions survive other weights of levels, discounts and depths.",
    "pool": "Whether runs keep their ranks with shallower pools, and had they not contributed.",
    "sensitivity": "Whether values depend on how many relevance levels there are.",
    "robust": 'Whether "A beats B" survives other topics, judges, gains, measures, ties, depths.',
}


@click.group(
    "study",
    cls=Lazy,
    table=STUDIES,
    home="assay.cli.studies",
    what=("study", "studies"),
    context_settings=SETTINGS,
)
def command() -> None:
    """Ask whether conclusions survive other gains, measures, scores, pools and scales.

    \b
    assay study measures q.txt *.run                  which measures rank runs alike
    assay study axioms AP nDCG@10 ERR                 which properties measures lack
    assay study gains q.txt *.run --collapse all      which conclusions flip
    assay study pool q.txt *.run --groups teams.txt   which runs owe their rank to being judged
    assay study sensitivity                           who minds the number of levels
    assay study robust q.txt a.run b.run              the weakest link of "a beats b"
    """  # noqa: D301 - \b is click's mark for lines to leave alone
