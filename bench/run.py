"""Time assay beside its peers, as whole processes, and check that their numbers agree.

    python bench/run.py                       everything (about 15 minutes, 4 GB of disk)
    python bench/run.py --quick               a tenth of the data, to try the harness; keeps nothing
    python bench/run.py --only passages,short

Exit 1 where numbers disagree or assay itself is absent or fails; a missed target is reported, no
more.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from dataclasses import dataclass
from typing import Any

import agreement
import machine
import report
import timing
from cases import CASES, Case, Entry, Outcome, Outcomes
from tools import TOOLS, Collection, Setup, collection

CHECK = "check"  # a small collection without ties, on which every tool must agree exactly
QUICK_REPEATS = 2


@dataclass(frozen=True)
class Options:
    """What the command line asked for."""

    quick: bool
    cases: list[Case]
    cores: int
    peers_python: str


def options() -> Options:
    """Read the command line."""
    names = [case.name for case in CASES]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small data; keeps no results")
    parser.add_argument("--only", metavar="NAME,...", help=f"of {', '.join(names)}")
    parser.add_argument("--cores", type=int, default=2, help="use so many cores [2]")
    parser.add_argument(
        "--peers-python",
        metavar="PATH",
        default=sys.executable,
        help="the Python that has the peers, where it is another than assay's",
    )
    given = parser.parse_args()
    asked = given.only.split(",") if given.only else names
    if unknown := sorted(set(asked) - set(names)):
        parser.error(f"--only: no benchmark named {', '.join(unknown)}; there are {names}")
    chosen = [case for case in CASES if case.name in asked]
    return Options(given.quick, chosen, given.cores, given.peers_python)


def say(line: str) -> None:
    """Report progress."""
    print(line, file=sys.stderr, flush=True)


def run_once(outcome: Outcome, command: list[str]) -> None:
    """Run an entry once more and keep what came of it."""
    sample = timing.measure(command)
    if sample.code != 0:
        outcome.status = f"failed: {sample.complaint}"
        return
    outcome.samples.append(sample)
    if outcome.tool.read is None:
        return
    try:
        outcome.values.append(outcome.tool.read(sample.out))
    except (ValueError, KeyError) as error:
        outcome.status = f"failed: its output cannot be read ({error!r})"


def sit(entries: list[Entry], places: dict[str, Collection], setup: Setup) -> Outcomes:
    """Run the entries in turn, again and again, so that a slow minute hits all alike."""
    outcomes = [Outcome(entry) for entry in entries]
    for outcome in outcomes:
        if outcome.tool.missing(setup):
            outcome.status = "absent"
    for turn in range(max(entry.repeats for entry in entries)):
        for outcome in outcomes:
            entry = outcome.entry
            if outcome.status == "ok" and turn < entry.repeats:
                place = places[entry.collection].arguments if entry.collection else []
                run_once(outcome, outcome.tool.command(setup, place))
                last = f"{outcome.samples[-1].seconds:8.3f} s" if outcome.samples else ""
                say(f"  {turn + 1}/{entry.repeats} {entry.label:<18} {last}")
    compare(outcomes, places, setup)
    return {outcome.entry.label: outcome for outcome in outcomes}


def compare(outcomes: list[Outcome], places: dict[str, Collection], setup: Setup) -> None:
    """Check the numbers, one collection at a time."""
    for name, place in places.items():
        agreement.check([o for o in outcomes if o.entry.collection == name], place, setup)


def rehearse(cases: list[Case], setup: Setup) -> Outcomes:
    """Run every tool once on a small collection without ties: all must agree to the last digit.

    It also fills the caches of byte code and of numba, which are none of the timing's business.
    """
    used = {entry.tool for case in cases for entry in case.entries if entry.collection}
    entries = [Entry(name, CHECK, repeats=1) for name in TOOLS if name in used]
    if not entries:
        return {}
    say("rehearsal (ranx compiles itself when it is new: a minute)")
    return sit(entries, {CHECK: collection(CHECK, quick=False)}, setup)


def prepare(case: Case, *, quick: bool) -> dict[str, Collection]:
    """Make the collections of a case and warm the page cache with them."""
    names = {entry.collection: None for entry in case.entries if entry.collection}
    places = {name: collection(name, quick=quick) for name in names}
    for place in places.values():
        for path in place.paths:
            timing.warm(path)
    timing.settle()
    return places


def entries_of(case: Case, *, quick: bool) -> list[Entry]:
    """Return the entries, repeated less in a quick run."""
    if not quick:
        return list(case.entries)
    return [
        Entry(e.tool, e.collection, min(e.repeats, QUICK_REPEATS), e.name) for e in case.entries
    ]


def failures(stage: str, done: Outcomes) -> list[str]:
    """List what makes the whole benchmark fail."""
    found = []
    for label, outcome in done.items():
        if outcome.wrong:
            found.append(f"{stage}: {label} disagrees, {outcome.numbers}")
        if outcome.tool.package == "assay" and outcome.status != "ok":
            found.append(f"{stage}: {label}: {outcome.status}")
    return found


def distrust(done: Outcomes, rehearsal: Outcomes) -> None:
    """Take no ratio from a tool that disagreed in the rehearsal."""
    for outcome in done.values():
        before = rehearsal.get(outcome.entry.tool)
        if before is not None and before.wrong and not outcome.wrong:
            outcome.numbers, outcome.wrong = "disagreed in the rehearsal", True


def run_case(
    case: Case, asked: Options, setup: Setup, rehearsal: Outcomes, context: dict[str, Any]
) -> list[str]:
    """Prepare, time, report and keep one case."""
    say(f"{case.name}: {case.title}")
    places = prepare(case, quick=asked.quick)
    done = sit(entries_of(case, quick=asked.quick), places, setup)
    distrust(done, rehearsal)
    print(report.text(case, done, list(places.values())), flush=True)
    if scattered := report.busy(done):
        print(f"  times scatter by more than {report.BUSY:.0%}, busy machine?: {scattered}")
    if not asked.quick:
        report.save(case, done, list(places.values()), context)
    return failures(case.name, done)


def main() -> int:
    """Run the benchmarks asked for."""
    asked = options()
    cores = timing.limit_cores(asked.cores)
    setup = Setup(
        asked.peers_python, machine.installed(sys.executable), machine.installed(asked.peers_python)
    )
    context: dict[str, Any] = {
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
        "machine": machine.describe(cores),
        "versions": setup.peers | {"assay": setup.assay["assay"]},
    }
    print(" · ".join(f"{key} {value}" for key, value in context["machine"].items()))
    print(" · ".join(f"{key} {value or 'absent'}" for key, value in context["versions"].items()))
    rehearsal = rehearse(asked.cases, setup)
    found = failures("rehearsal", rehearsal)
    for case in asked.cases:
        found += run_case(case, asked, setup, rehearsal, context)
    if asked.quick:
        print("\nquick: these figures say nothing about the targets; nothing was kept")
    else:
        report.summarise([case.name for case in CASES])
    print("\n" + ("\n".join(found) if found else "numbers agree everywhere"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
