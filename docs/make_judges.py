"""Write the answers in docs/judges.md anew, from the collections in ../shared/data."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from build import replayed

HERE = Path(__file__).parent
TARGET = HERE / "judges.md"
FOLDERS = {"DL21": "dl21", "LLMJUDGE": "llmjudge", "CF": "cystic-fibrosis"}


def fresh(data: Path) -> str:
    """The page with fresh answers."""
    os.environ.update({name: str(data / folder) for name, folder in FOLDERS.items()})
    return replayed(TARGET)[0]


if __name__ == "__main__":
    shared = os.environ.get("ASSAY_SHARED") or HERE.parent.parent / "shared"
    if not Path(shared).is_dir():
        sys.exit(f"{shared} is absent")
    TARGET.write_text(fresh(Path(shared) / "data"), encoding="utf-8")
