"""What is timed: the command of each tool and how its answer is read."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import comparing
import reporting
import studying

if TYPE_CHECKING:
    from collections.abc import Callable

BENCH = Path(__file__).parent
MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")
OFFICIAL = ("map", "Rprec", "bpref", "recip_rank", "P_10", "P_1000")
HEAVY = ("numpy", "polars")

Values = dict[str, dict[str, float]]  # run -> measure -> mean


@dataclass(frozen=True)
class Collection:
    """A collection that `data.py` made."""

    name: str
    folder: Path
    runs: tuple[str, ...]
    about: dict[str, Any]

    @property
    def tied(self) -> bool:
        """Whether its runs hold ties."""
        return bool(self.about["spec"]["ties"])

    @property
    def paths(self) -> list[Path]:
        """Judgments, then the runs."""
        return [self.folder / "qrels.txt", *(self.folder / run for run in self.runs)]

    @property
    def arguments(self) -> list[str]:
        """Give the paths as a command line has them."""
        return [str(path) for path in self.paths]


@dataclass(frozen=True)
class Setup:
    """Which interpreters run: assay's (this one) and the peers'."""

    peers_python: str
    assay: dict[str, str | None]  # versions beside assay
    peers: dict[str, str | None]  # versions beside the peers


@dataclass(frozen=True)
class Tool:
    """One thing to time."""

    package: str | None  # the distribution it needs
    command: Callable[[Setup, list[str]], list[str]]
    read: Callable[[str], Values] | None = None  # turns its stdout into means
    any_tie_order: bool = False  # tied documents come in no defined order
    digits: int | None = None  # printed after the point; None: all
    program: str | None = None  # that it needs on the PATH

    def missing(self, setup: Setup) -> bool:
        """Whether its package, or its program, is absent."""
        if self.program is not None:
            return shutil.which(self.program) is None
        beside = setup.assay if self.package == "assay" else setup.peers
        return self.package is not None and beside[self.package] is None


def collection(name: str, *, quick: bool) -> Collection:
    """Make a collection, or find it made, in a process of its own."""
    command = [sys.executable, str(BENCH / "data.py"), name, *(["--quick"] if quick else [])]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    about = json.loads(answer.stdout)
    folder, runs = Path(about.pop("folder")), tuple(about.pop("runs"))
    return Collection(about.pop("name"), folder, runs, about)


def assay_command() -> list[str]:
    """Give the command installed beside this interpreter, else the module."""
    beside = Path(sys.executable).with_name("assay")
    return [str(beside)] if beside.exists() else [sys.executable, "-m", "assay"]


def assay(*options: str) -> Callable[[Setup, list[str]], list[str]]:
    """Command line of assay: the options, then nothing."""
    return lambda _setup, _paths: [*assay_command(), *options]


def assay_eval(_setup: Setup, paths: list[str]) -> list[str]:
    """Command line of the evaluation."""
    asked = [word for measure in MEASURES for word in ("-m", measure)]
    return [*assay_command(), "eval", *paths, *asked, "-o", "tsv"]


def assay_trec_eval(_setup: Setup, paths: list[str]) -> list[str]:
    """Command line of the drop-in for trec_eval, under its own name where that is installed."""
    beside = Path(sys.executable).with_name("trec_eval-assay")
    command = [str(beside)] if beside.exists() else [sys.executable, "-m", "assay", "trec_eval"]
    return [*command, "-m", "official", *paths]


def trec_eval(_setup: Setup, paths: list[str]) -> list[str]:
    """Command line of trec_eval itself."""
    return ["trec_eval", "-m", "official", *paths]


def python(code: str) -> Callable[[Setup, list[str]], list[str]]:
    """Run one line of Python with assay's interpreter."""
    return lambda _setup, _paths: [sys.executable, "-c", code]


def peer(script: str) -> Callable[[Setup, list[str]], list[str]]:
    """Run one of the scripts under `peers/`."""
    return lambda setup, paths: [setup.peers_python, str(BENCH / "peers" / script), *paths]


def script(*words: str) -> Callable[[Setup, list[str]], list[str]]:
    """Run one of the scripts beside this one with assay's interpreter."""
    return lambda _setup, _paths: [sys.executable, str(BENCH / words[0]), *words[1:]]


def assay_compare(_setup: Setup, _paths: list[str]) -> list[str]:
    """Command line that compares the runs of dl21, all pairs, from their files."""
    options = ["-m", "nDCG@10", "--no-residuals", "-o", "csv"]
    return [*assay_command(), "compare", *comparing.files(), *options]


def assay_judges(_setup: Setup, paths: list[str]) -> list[str]:
    """Command line that simulates 1,000 judges of all runs."""
    asked = ["-m", "nDCG@10", "-m", "AP", "--pr", "0.8", "--pnr", "0.05", "--judges", "1000"]
    judge = ["judges", "simulate", paths[0], *asked, "-o", "csv"]
    return [*assay_command(), *judge, "--runs", *paths[1:]]


def assay_report(_setup: Setup, paths: list[str]) -> list[str]:
    """Command line that makes the page which `reporting.py` opens."""
    return [*assay_command(), *reporting.made(paths)]


def assay_study(made: Callable[[], list[str]]) -> Callable[[Setup, list[str]], list[str]]:
    """Command line of a study."""
    return lambda _setup, _paths: [*assay_command(), "study", *made()]


def read_json(text: str) -> Values:
    """Means as the peers print them."""
    values: Values = json.loads(text)
    return values


def read_tsv(text: str) -> Values:
    """Means as `assay eval -o tsv` prints them."""
    values: Values = {}
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        if row["topic"] == "all":
            values.setdefault(row["run"], {})[row["measure"]] = float(row["value"])
    return values


def read_official(text: str) -> Values:
    """Means as trec_eval prints them, of those measures on which versions 9 and 10 agree."""
    rows = [line.split() for line in text.splitlines()]
    return {"run": {name: float(value) for name, _, value in rows if name in OFFICIAL}}


IMPORT = f"import json, sys, assay; print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"


def read_import(text: str) -> Values:
    """Count the heavy modules that `import assay` loaded."""
    return {"import": {"heavy": len(json.loads(text))}}


TOOLS = {
    "polars read": Tool("polars", peer("with_polars.py")),
    "assay": Tool("assay", assay_eval, read_tsv),
    "pytrec_eval": Tool("pytrec_eval-terrier", peer("with_pytrec_eval.py"), read_json),
    "ir_measures": Tool("ir_measures", peer("with_ir_measures.py"), read_json),
    "ranx": Tool("ranx", peer("with_ranx.py"), read_json, any_tie_order=True),
    "assay trec_eval": Tool("assay", assay_trec_eval, read_official, digits=4),
    "trec_eval": Tool(None, trec_eval, read_official, digits=4, program="trec_eval"),
    "pytrec_eval, official": Tool(
        "pytrec_eval-terrier", peer("with_pytrec_eval_official.py"), read_json
    ),
    "python, numpy, polars": Tool("assay", python("import numpy, polars")),
    "python": Tool(None, python("pass")),
    "assay --version": Tool("assay", assay("--version")),
    "assay --help": Tool("assay", assay("--help")),
    "randomised HSD": Tool("assay", script("comparing.py", "hsd"), read_json),
    "bootstrap": Tool("assay", script("comparing.py", "bootstrap"), read_json),
    "assay compare": Tool("assay", assay_compare),
    "assay judges": Tool("assay", assay_judges),
    "assay report": Tool("assay", assay_report),
    "report opened": Tool(None, script("reporting.py"), read_json, program="chromium"),
    "assay study pool": Tool("assay", assay_study(studying.pool)),
    "assay study robust": Tool("assay", assay_study(studying.robust)),
    "assay study sensitivity": Tool("assay", assay_study(studying.sensitivity)),
    **{
        name: Tool("assay", script("large.py", name, "100000"), read_json)
        for name in ("NDPM", "Rho", "TauA", "TauB", "TauC")
    },
    "NDPM, 1,000,000": Tool("assay", script("large.py", "NDPM", "1000000"), read_json),
    "import assay": Tool("assay", python(IMPORT), read_import),
}
