"""The one error and the one warning that assay raises on purpose."""

from __future__ import annotations

__all__ = ["AssayError", "AssayWarning"]


class AssayError(ValueError):
    """Bad input or a bad request: says where, what was expected, what was found, what to do."""

    check_failed = False  # True where the input is sound but a check that was asked for failed


class AssayWarning(UserWarning):
    """Something that a careful reader of the numbers should know."""
