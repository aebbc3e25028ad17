"""assay: which of these rankings serves people better, by how much, and how sure can I be?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from assay.errors import AssayError, AssayWarning
    from assay.evaluation import evaluate
    from assay.explanation import Explanation, explain
    from assay.judgments import Judgments, read_judgments
    from assay.measures.measure import Measure, define, parse
    from assay.policy import Policy
    from assay.run import Run, read_run
    from assay.scores import Mean, Scores
    from assay.simulation import Collection, simulate

_HOME = {
    "AssayError": "assay.errors",
    "AssayWarning": "assay.errors",
    "Collection": "assay.simulation",
    "Explanation": "assay.explanation",
    "Judgments": "assay.judgments",
    "Mean": "assay.scores",
    "Measure": "assay.measures.measure",
    "Policy": "assay.policy",
    "Run": "assay.run",
    "Scores": "assay.scores",
    "define": "assay.measures.measure",
    "evaluate": "assay.evaluation",
    "explain": "assay.explanation",
    "parse": "assay.measures.measure",
    "read_judgments": "assay.judgments",
    "read_run": "assay.run",
    "simulate": "assay.simulation",
}

__all__ = [
    "AssayError",
    "AssayWarning",
    "Collection",
    "Explanation",
    "Judgments",
    "Mean",
    "Measure",
    "Policy",
    "Run",
    "Scores",
    "define",
    "evaluate",
    "explain",
    "parse",
    "read_judgments",
    "read_run",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Load public names when they are first used: `import assay` alone stays light."""
    if name not in _HOME:
        msg = f"module 'assay' has no attribute {name!r}"
        raise AttributeError(msg)
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
