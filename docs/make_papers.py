"""Write docs/papers.md: every number that the papers print, and assay's own (no arguments)."""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "src")]

from golden import papers, tables  # noqa: E402, F401 - they reproduce the cases
from golden.cases import CASES, REPRODUCE, Result, result  # noqa: E402 - needs the path

TARGET = HERE / "papers.md"
TITLES = {
    "Zhou": "Zhou & Yao 2010, Evaluating information retrieval system performance based on user "
    "preference, [doi:10.1007/s10844-009-0096-5](https://doi.org/10.1007/s10844-009-0096-5)",
    "Jarvelin": "Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, "
    "[doi:10.1145/582415.582418](https://doi.org/10.1145/582415.582418)",
    "Imafouo": "Imafouo & Tannier 2005, Retrieval status values in information retrieval "
    "evaluation",
    "Scheel": "Scheel, Lommatzsch & Albayrak 2011, Performance measures for multi-graded "
    "relevance, [CEUR-WS 781](https://ceur-ws.org/Vol-781/paper7.pdf)",
    "Lesk": "Lesk & Salton 1968, Relevance assessments and retrieval system evaluation, "
    "[doi:10.1016/0020-0271(68)90029-6](https://doi.org/10.1016/0020-0271(68)90029-6)",
}
HEAD = """# The papers' numbers

Every number that five papers print, beside assay's own. `docs/make_papers.py` writes this page from
the tests in `tests/golden`, which check each row; `tests/golden/golden.json` holds the inputs.

A number agrees where assay's is within half a unit of the last printed digit (so .625 agrees with
.63). Verdicts: **agrees**; **agrees, read so**: the paper leaves room, and the reading that fits
stands beside it; **the paper errs**: the printed number cannot come from the printed inputs, and
why. Beside a number that is no measure's, such as an entry of a table of judges, stands what of
assay's makes it; what follows from the printed numbers alone says so.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD, summary()]
    for key, cases in groupby(CASES, key=lambda case: case["paper"].split()[0].strip(",")):
        rows = [row(case) for case in cases]
        table = ["| place | measure | printed | assay | verdict |", "|---|---|---|---|---|", *rows]
        parts.append(f"\n## {TITLES[key]}\n\n" + "\n".join(table) + "\n")
    return "".join(parts)


def summary() -> str:
    """How many cases have which verdict."""
    counts: dict[str, int] = {}
    for case in CASES:
        word = verdict(case)[0]
        counts[word] = counts.get(word, 0) + 1
    shown = ", ".join(f"{word}: {number}" for word, number in counts.items())
    return f"\n{len(CASES)} cases. {shown}.\n"


def row(case: dict[str, Any]) -> str:
    """A case as a line of the table."""
    printed = case["printed"] if isinstance(case["printed"], list) else [case["printed"]]
    word, why = verdict(case)
    found = result(case["id"])
    worded = REPRODUCE[case["measure"]].__module__ == tables.__name__
    measure = found.measure if worded else f"`{found.measure}`"
    ours = numbers(found)
    decimals = case["decimals"] if isinstance(case["decimals"], list) else [case["decimals"]]
    places = decimals if len(decimals) > 1 else decimals * len(printed)
    rows = zip(printed, places, strict=True)
    shown = " ".join(said(p) if isinstance(p, bool) else f"{p:.{d}f}" for p, d in rows)
    where = re.sub(r" ?\(l\.[\d-]+\)|^l\.\d+: | l\.\d+(?=:)", "", case["where"])  # lines of a scan
    cells = (where, measure, shown, ours, f"**{word}**{': ' + why if why else ''}")
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def said(claim: bool) -> str:  # noqa: FBT001
    """Whether a claim holds."""
    return "yes" if claim else "no"


def numbers(found: Result) -> str:
    """Assay's values, with two digits more than are printed."""
    if isinstance(found.case["printed"], bool):
        return said(found.ours == [1.0])
    rows = zip(found.ours, found.decimals(), strict=True)
    return " ".join(f"{value:.{places + 2}f}".rstrip("0").rstrip(".") for value, places in rows)


def verdict(case: dict[str, Any]) -> tuple[str, str]:
    """The word and the reason."""
    agrees = result(case["id"]).as_printed()
    if case["status"] == "paper-inconsistent":
        return ("agrees", "") if agrees else ("the paper errs", case["note"])
    if not agrees:
        return "differs", ""
    if case["status"] == "alternative-reading":
        return "agrees, read so", case["reading"]
    return "agrees", ""


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
