"""Write anew the answers in the pages whose commands run on the collections in ../shared/data.

python docs/make_shared.py                  all of them
python docs/make_shared.py judges.md        one of them
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from build import replayed

HERE = Path(__file__).parent
PAGES = (
    "judges.md",
    "lesk-salton.md",
    "measures-and-axioms.md",
    "gains-and-scales.md",
    "pools-and-robustness.md",
)
FOLDERS = {
    "CACM": "cacm",
    "CF": "cystic-fibrosis",
    "COVID": "trec-covid-r3",
    "CRANFIELD": "cranfield",
    "DL21": "dl21",
    "LLMJUDGE": "llmjudge",
}


def fresh(page: str, data: Path) -> str:
    """A page with fresh answers."""
    os.environ.update({name: str(data / folder) for name, folder in FOLDERS.items()})
    return replayed(HERE / page)[0]


if __name__ == "__main__":
    shared = os.environ.get("ASSAY_SHARED") or HERE.parent.parent / "shared"
    if not Path(shared).is_dir():
        sys.exit(f"{shared} is absent")
    for name in sys.argv[1:] or PAGES:
        (HERE / name).write_text(fresh(name, Path(shared) / "data"), encoding="utf-8")
