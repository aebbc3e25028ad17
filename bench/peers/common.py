"""What the peer scripts share: the five measures, a plain reader, the answer's form."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")


def files() -> tuple[str, list[str]]:
    """Judgments and runs named on the command line."""
    return sys.argv[1], sys.argv[2:]


def label(path: str) -> str:
    """Name of a run: its file name without the suffix."""
    return Path(path).stem


def answer(means: Mapping[str, Mapping[str, float | list[float]]]) -> None:
    """Print run -> measure -> value as JSON."""
    print(json.dumps(means))


def read_judgments(path: str) -> dict[str, dict[str, int]]:
    """Read judgments in plain Python."""
    judgments: dict[str, dict[str, int]] = {}
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            topic, _, doc, grade = line.split()
            judgments.setdefault(topic, {})[doc] = int(grade)
    return judgments


def read_run(path: str) -> dict[str, dict[str, float]]:
    """Read a run in plain Python."""
    run: dict[str, dict[str, float]] = {}
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            topic, _, doc, _, score, _ = line.split()
            run.setdefault(topic, {})[doc] = float(score)
    return run
