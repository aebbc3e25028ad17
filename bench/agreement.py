"""Do the tools give the same numbers? Without that a ratio of times means nothing."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from tools import BENCH, Collection, Setup, Values

if TYPE_CHECKING:
    from cases import Outcome

TOLERANCE = 1e-9
REFERENCES = (
    "pytrec_eval",
    "pytrec_eval, official",
    "ir_measures",
    "assay",
)  # the first that answered is the reference

Bounds = dict[str, dict[str, tuple[float, float]]]  # run -> measure -> lowest, highest


def exact(values: Values) -> Bounds:
    """Bounds that allow one value only."""
    return {run: {m: (v, v) for m, v in means.items()} for run, means in values.items()}


def tie_bounds(collection: Collection, setup: Setup) -> Bounds | None:
    """Lowest and highest means under any order of tied documents; kept beside the collection."""
    kept = collection.folder / "tie-bounds.json"
    if not kept.exists():
        if setup.peers["pytrec_eval-terrier"] is None:
            return None
        script = str(BENCH / "peers" / "tie_bounds.py")
        command = [setup.peers_python, script, *collection.arguments]
        kept.write_bytes(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    bounds: Bounds = json.loads(kept.read_text())
    return bounds


def worst(values: Values, bounds: Bounds, tolerance: float) -> tuple[float, str]:
    """How far the farthest value lies outside its bounds, and which it is."""
    farthest, where = 0.0, ""
    for run, measures in bounds.items():
        for measure, (low, high) in measures.items():
            value = values.get(run, {}).get(measure, float("nan"))
            if not low - tolerance <= value <= high + tolerance:
                excess = max(low - value, value - high)
                if not where or excess > farthest:
                    farthest, where = excess, f"{measure} of {run}: {value!r}"
    return farthest, where


def judge(outcome: Outcome, bounds: Bounds, agreed: str) -> None:
    """Hold every answer of an outcome against its bounds."""
    digits = outcome.tool.digits
    tolerance = TOLERANCE + (0.0 if digits is None else 0.5 * 10.0**-digits)
    for values in outcome.values:
        farthest, where = worst(values, bounds, tolerance)
        if where:
            outcome.numbers, outcome.wrong = f"off by {farthest:.2g} ({where})", True
            return
    outcome.numbers = agreed


def check(outcomes: list[Outcome], collection: Collection, setup: Setup) -> None:
    """Compare all answers for one collection and write each one's verdict."""
    alike: dict[frozenset[str], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.values:
            measures = frozenset(next(iter(outcome.values[0].values())))
            alike.setdefault(measures, []).append(outcome)
    for group in alike.values():
        _check(group, collection, setup)


def _check(outcomes: list[Outcome], collection: Collection, setup: Setup) -> None:
    """Compare answers on the same measures."""
    answered = {o.entry.tool: o for o in outcomes}
    names = [name for name in REFERENCES if name in answered]
    if len(answered) == 1 or not names:
        for outcome in answered.values():
            outcome.numbers = "alone, not compared"
        return
    reference = answered[names[0]]
    for outcome in answered.values():
        if outcome.tool.any_tie_order and collection.tied:
            bounds = tie_bounds(collection, setup)
            if bounds is None:
                outcome.numbers, outcome.status = "", "not comparable: tie bounds need pytrec_eval"
            else:
                judge(outcome, bounds, "within tie bounds")
        else:
            judge(outcome, exact(reference.values[0]), "agree")
    reference.numbers = reference.numbers.replace("agree", "reference")
