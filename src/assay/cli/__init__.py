"""The shell: entry points that load a command only when it is called."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

__all__ = ["main", "trec_eval_main"]


def main() -> None:
    """Run `assay`."""
    if sys.argv[1:2] == ["trec_eval"]:  # its command line is not click's
        _trec_eval(sys.argv[2:], "assay trec_eval")
    from assay.cli.app import app

    app.main(prog_name="assay")


def trec_eval_main() -> None:
    """Run `trec_eval-assay`, the drop-in for trec_eval."""
    _trec_eval(sys.argv[1:], Path(sys.argv[0]).name)


def _trec_eval(words: list[str], program: str) -> NoReturn:
    from assay.cli.trec_main import main as run

    run(words, program)
