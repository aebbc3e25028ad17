"""NumPy as the Array API asks for it, with nothing loaded that no kernel uses.

Since 2.1 NumPy's own functions are the standard's, but for those below. array_api_compat's
namespace for NumPy is a copy of the whole library, and making it loads NumPy's tools for Fortran,
its random numbers and its test tools: a tenth of a second in every process.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

__all__ = ["NUMPY", "NumPy"]


class NumPy:
    """The namespace: NumPy's names, a few of them with the standard's signature."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def astype(x: Any, dtype: Any, /, *, copy: bool = True) -> Any:
        """The array in another dtype; NumPy's refuses scalars."""
        return x.astype(dtype, copy=copy)

    @staticmethod
    def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
        """Places in order; NumPy's is neither stable nor descending by itself."""
        kind: Literal["stable"] | None = "stable" if stable else None
        if not descending:
            return np.argsort(x, axis=axis, kind=kind)
        # from the last to the first and turned round, so that equals keep their order
        back = np.flip(np.argsort(np.flip(x, axis=axis), axis=axis, kind=kind), axis=axis)
        return np.shape(x)[axis] - 1 - back

    @staticmethod
    def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:  # noqa: A002 - the standard's
        """Values within bounds; NumPy's asks for both where they have no names."""
        return np.clip(x, min=min, max=max)

    @staticmethod
    def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
        """Values in order, the largest first on request."""
        ordered = np.sort(x, axis=axis, kind="stable" if stable else None)
        return np.flip(ordered, axis=axis) if descending else ordered

    @staticmethod
    def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
        """Values at places; NumPy before 2.3 asks for the axis."""
        return np.take_along_axis(x, indices, axis=axis)


NUMPY = NumPy()
