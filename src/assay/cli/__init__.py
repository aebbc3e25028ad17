"""The shell: entry points that load a command only when it is called."""

from __future__ import annotations

from importlib import import_module

__all__ = ["main", "trec_eval_main"]


def main() -> None:
    """Run `assay`."""
    from assay.cli.app import app

    app.main(prog_name="assay")


def trec_eval_main() -> None:
    """Run `trec_eval-assay`, the drop-in for trec_eval."""
    import_module("assay.cli.trec_eval").main()
