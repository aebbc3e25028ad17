"""The printed numbers of five papers: what stands in `golden.json`, and who reproduces it.

`golden.json` holds the cases: what is printed, where, from which inputs, and how it must be read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CASES = json.loads(Path(__file__).with_name("golden.json").read_text())
BY_ID = {case["id"]: case for case in CASES}
REPRODUCE = {}  # kind of case: function of the case to a name and assay's value


@dataclass(frozen=True)
class Result:
    """A case with assay's value of it."""

    case: dict
    measure: str
    ours: list[float]

    def printed(self):
        return as_list(self.case["printed"])

    def decimals(self):
        given = self.case["decimals"]
        return given if isinstance(given, list) else [given] * len(self.printed())

    def as_printed(self):
        """Whether every value is within half a unit of the last printed digit.

        Within one, where the paper subtracted before it rounded: its operands are printed rounded.
        """
        units = 1 if self.case["reading"].startswith("difference taken before rounding") else 0.5
        rows = zip(self.ours, self.printed(), self.decimals(), strict=True)
        return all(abs(a - b) <= units * 10**-d + 1e-9 for a, b, d in rows)


def as_list(value):
    return [float(v) for v in value] if isinstance(value, list) else [float(value)]


@cache
def result(name):
    """Assay's value of the case of this id."""
    case = BY_ID[name]
    measure, ours = REPRODUCE[case["measure"]](case)
    return Result(case, measure, as_list(ours))


def reproduces(*names):
    def decorate(function):
        REPRODUCE.update(dict.fromkeys(names, function))
        return function

    return decorate
