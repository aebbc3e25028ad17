"""A collection small enough to reckon by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shell import write

if TYPE_CHECKING:
    from pathlib import Path

JUDGMENTS = """\
301 0 d1 3
301 0 d2 2
301 0 d3 1
301 0 d4 0
302 0 d1 1
302 0 d5 0
303 0 d9 0
"""

# 301 is the list of TRAPS.md: a tie of a relevant and an unjudged document
RUN = """\
301 Q0 d2 1 3.0 bm25
301 Q0 d1 2 2.0 bm25
301 Q0 x 3 2.0 bm25
301 Q0 d4 4 1.0 bm25
302 Q0 d5 1 1.0 bm25
302 Q0 d1 2 0.5 bm25
303 Q0 d9 1 1 bm25
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with q.txt, bm25.run, and other.run, which lacks topic 302; it is the current one."""
    write(tmp_path, "q.txt", JUDGMENTS)
    write(tmp_path, "bm25.run", RUN)
    lines = [line for line in RUN.splitlines(keepends=True) if not line.startswith("302")]
    write(tmp_path, "other.run", "".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path
