"""Make what is generated in docs/: the CLI reference, and the answers in the pages' console blocks.

    python docs/build.py            write them
    python docs/build.py --check    say which are out of date, and exit 1

A page is run from top to bottom in an empty folder: `console` blocks line by line, `python` blocks
as one session of doctest; a block under `<!-- needs: ranx -->` only where that is installed, and
the block under `<!-- file: name -->` becomes a file.
"""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
NOTE = r"(?:<!-- (?:file: (?P<file>\S+)|needs: (?P<needs>[^>]+)) -->\n)?"
BLOCK = re.compile(NOTE + r"```(?P<kind>\w*)\n(?P<body>.*?)```", re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def pages() -> list[Path]:
    """Give the pages that a person reads in order, then those for a purpose."""
    return [*sorted(DOCS.glob("[0-9]*.md")), DOCS / "tensors.md", DOCS / "trec_eval.md"]


def reference() -> str:
    """Write the help of every command, as a page."""
    from assay.cli.app import COMMANDS

    parts = [
        "# Reference of the command line\n",
        "Made by `./dev docs` from `assay COMMAND -h`; edit the commands, not this page.\n",
        f"```text\n{_help()}\n```\n",
    ]
    parts += [f"## assay {name}\n\n```text\n{_help(name)}\n```\n" for name in COMMANDS]
    return "\n".join(parts)


def _help(*words: str) -> str:
    answer = subprocess.run(
        [sys.executable, "-m", "assay", *words, "-h"],
        check=True,
        capture_output=True,
        text=True,
        env=_environment(),
    )
    return "\n".join(line.rstrip() for line in answer.stdout.rstrip().split("\n"))


def _environment(folder: Path | None = None) -> dict[str, str]:
    env = {
        **os.environ,
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PYTHONHASHSEED": "0",
        "LC_ALL": "C.UTF-8",
    }
    if folder is not None:
        env["PATH"] = f"{folder}{os.pathsep}{env['PATH']}"
    return env


def replayed(page: Path) -> tuple[str, list[str]]:
    """Run a page; give its text with fresh answers, and what failed."""
    text, failures = page.read_text(encoding="utf-8"), []
    with tempfile.TemporaryDirectory(prefix="assay-docs-") as name:
        folder, programs = Path(name, "work"), Path(name, "bin")
        folder.mkdir()
        programs.mkdir()
        shim = programs / "assay"
        shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m assay "$@"\n')
        shim.chmod(0o755)
        names: dict[str, object] = {"__name__": "__main__"}
        before = Path.cwd()
        os.chdir(folder)
        try:

            def fresh(match: re.Match[str]) -> str:
                if match["file"]:
                    (folder / match["file"]).write_text(match["body"], encoding="utf-8")
                elif missing(match["needs"]):
                    return match[0]
                elif match["kind"] == "console":
                    note = match[0].partition("```")[0]
                    return f"{note}```console\n{_console(match['body'], folder, programs)}```"
                elif match["kind"] == "python":
                    failures.extend(_doctest(match["body"], names, page.name))
                return match[0]

            return BLOCK.sub(fresh, text), failures
        finally:
            os.chdir(before)


def missing(needs: str | None) -> list[str]:
    """Say which of the packages that a block needs are not there."""
    return [name for name in (needs or "").split() if importlib.util.find_spec(name) is None]


def _console(body: str, folder: Path, programs: Path) -> str:
    """Run the commands of a block; give them with their answers."""
    commands: list[str] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            commands.append(line)
        elif commands and commands[-1].endswith("\\"):
            commands[-1] += f"\n{line}"
    parts = []
    for command in commands:
        answer = subprocess.run(
            ["sh", "-c", command.removeprefix("$ ")],
            check=False,
            cwd=folder,
            env=_environment(programs),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        parts.append(f"{command}\n{answer.stdout}")
    return "".join(parts)


def _doctest(body: str, names: dict[str, object], page: str) -> list[str]:
    """Run a block in the page's session; give what went wrong."""
    test = doctest.DocTestParser().get_doctest(body, names, page, page, 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    return said


def main() -> int:
    """Write what is out of date, or only say so."""
    check, stale = "--check" in sys.argv[1:], []
    texts = {DOCS / "reference.md": (reference(), [])} | {page: replayed(page) for page in pages()}
    for path, (text, failures) in texts.items():
        print("".join(failures), end="")
        if failures or not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
        if not check:
            path.write_text(text, encoding="utf-8")
    failed = any(failures for _, failures in texts.values())
    if check and stale:
        print(f"out of date: {', '.join(stale)}; run ./dev docs")
    return 1 if failed or (check and stale) else 0


if __name__ == "__main__":
    sys.exit(main())
