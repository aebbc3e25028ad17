"""Describe the machine and what is installed; no host names, no paths."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

VERSIONS = Path(__file__).parent / "peers" / "versions.py"


def installed(python: str) -> dict[str, str | None]:
    """Versions beside a Python, None for what is absent there."""
    answer = subprocess.run([python, str(VERSIONS)], check=True, capture_output=True, text=True)
    versions: dict[str, str | None] = json.loads(answer.stdout)
    return versions


def cpu_model() -> str:
    """Name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def describe(cores: int) -> dict[str, Any]:
    """Describe the machine as the results keep it."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "cores_used": cores,
        "memory_gb": round(memory / 1e9, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "load_at_start": round(os.getloadavg()[0], 2),
    }
