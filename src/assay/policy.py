"""The policies that turn judgments and lists into numbers: chosen once, stated in every output."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from assay.errors import AssayError

__all__ = ["CHOICES", "Policy", "refuse_unclear"]

CHOICES = {
    "missing": ("worst", "skip", "error"),
    "undefined": ("skip", "zero", "error"),
    "unjudged": ("nonrelevant", "condensed", "lowest", "highest", "bounds"),
    "ties": ("trec", "expected", "best", "worst"),
    "precision": ("float64", "float32"),
    "mean": ("arithmetic", "geometric", "median"),
    "negative": ("unjudged", "nonrelevant"),
}


@dataclass(frozen=True)
class Policy:
    """How missing topics, undefined values, unjudged documents, ties and averages are treated."""

    missing: str = "worst"
    undefined: str = "skip"
    unjudged: str = "nonrelevant"
    ties: str = "trec"
    precision: str = "float64"
    mean: str = "arithmetic"
    negative: str = "unjudged"
    ignore_self: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value, options = getattr(self, field.name), CHOICES.get(field.name)
            if options is not None and value not in options:
                words = ", ".join(repr(option) for option in options)
                raise AssayError(f"{field.name}={value!r}: must be one of {words}")
        refuse_unclear(ignore_self=self.ignore_self)

    def __str__(self) -> str:
        parts = [f"{name} {getattr(self, name)}" for name in CHOICES]
        return ", ".join(
            [*parts, *(["documents named like their topic dropped"] if self.ignore_self else [])]
        )


def refuse_unclear(**switches: Any) -> None:
    """Refuse what is neither True nor False: `"no"` would switch on what it means to switch off."""
    for name, value in switches.items():
        if value not in (True, False):
            raise AssayError(f"{name}={value!r}: must be True or False")
