"""trec_eval's command line, answered by assay: `trec_eval-assay` and `assay trec_eval`."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.trec.options import Options

__all__ = ["main", "run"]


def run(arguments: Sequence[str], program: str) -> int:
    """Do what a command line asks for; return the exit status."""
    from assay.errors import AssayError
    from assay.trec.errors import TrecError
    from assay.trec.options import read_options

    try:
        options = read_options(arguments, program)
        if options.help:
            from assay.trec.help import help_text

            _write(help_text(options, program).encode())
            return 0
        return _evaluated(options)
    except TrecError as error:
        sys.stdout.flush()
        for line in error.lines:
            sys.stderr.write(line if line.endswith("\n") else f"{line}\n")
        return error.code
    except AssayError as error:
        sys.stdout.flush()
        sys.stderr.write(f"{program}: {error}\n")
        return 2


def _evaluated(options: Options) -> int:
    from assay.trec.printing import summary_lines, topic_lines
    from assay.trec.report import made_from_files

    report = made_from_files(options)
    if options.per_topic:
        for lines in topic_lines(report):
            _write(lines)
    if report.stopped is not None:
        raise report.stopped
    if options.summary:
        _write(summary_lines(report))
    return 0


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)


def _lean() -> None:
    """Save what a process of a second need not pay for: collected garbage, idle threads."""
    gc.disable()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(arguments: Sequence[str], program: str) -> NoReturn:
    """Run a command line and exit."""
    _lean()
    if sys.stdout is None:  # closed by the caller: work, and say nothing, as C does
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - for as long as we live
    try:
        code = run(arguments, program)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        code = _silent(0)
    except OSError as error:  # the disk is full, say
        sys.stderr.write(f"{program}: the output: {error.strerror or error}\n")
        code = _silent(2)
    except KeyboardInterrupt:
        code = _silent(130)
    sys.exit(code)


def _silent(code: int) -> int:
    """Let nothing more be written, at exit either; the exit status."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code
