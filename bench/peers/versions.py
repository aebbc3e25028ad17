"""Print the versions of what is installed beside this Python, as JSON."""

from __future__ import annotations

import json
import platform
from importlib import metadata

PACKAGES = (
    "assay",
    "ir_measures",
    "numba",
    "numpy",
    "pandas",
    "polars",
    "pytrec_eval-terrier",
    "ranx",
)


def version(name: str) -> str | None:
    """Return the version of a distribution, None where it is absent."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


print(json.dumps({"python": platform.python_version()} | {p: version(p) for p in PACKAGES}))
