"""Make the images of docs/7-pictures.md by running its commands (extra: show)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
MARK = "images/plot-"


def main() -> None:
    """Run every command of the page in an empty folder; keep the pictures that it shows."""
    text = (DOCS / "7-pictures.md").read_text(encoding="utf-8")
    wanted = [part.partition(".png")[0] for part in text.split(MARK)[1:]]
    commands = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as name:
        env = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        for command in commands:
            subprocess.run(["sh", "-c", command], check=True, cwd=name, env=env)
        for each in wanted:
            shutil.copy(Path(name, f"{each}.png"), DOCS / f"{MARK}{each}.png")


if __name__ == "__main__":
    main()
