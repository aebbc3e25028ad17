"""What the array standard leaves open: bits of floats, ties to a machine, what is being traced."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import is_cupy_array, is_jax_array, is_numpy_array, is_torch_array

from assay.errors import AssayError
from assay.measures.arrays import array_namespace

if TYPE_CHECKING:
    from collections.abc import Callable

Array = Any

__all__ = [
    "Array",
    "array_namespace",
    "bits",
    "detached",
    "float_type",
    "on_cpu",
    "shows_bits",
    "sortable",
    "tracing",
]


def detached(values: Any, name: str) -> Array:
    """The array without its history; lists of numbers become NumPy arrays."""
    expected = f"{name}: expected an array of NumPy, torch, CuPy or JAX, found "
    if isinstance(values, list | tuple):
        try:
            values = np.asarray(values)
        except ValueError:
            raise AssayError(
                f"{expected}lists of different lengths; pad them, or use index="
            ) from None
    try:
        array_namespace(values)
    except TypeError:
        raise AssayError(f"{expected}{type(values).__name__}") from None
    return values.detach() if is_torch_array(values) else values


def tracing(values: Array) -> bool:
    """Whether torch.compile looks on: then nothing may depend on a value."""
    return is_torch_array(values) and bool(sys.modules["torch"].compiler.is_compiling())


def on_cpu(values: Array) -> tuple[Array | None, Callable[[Any], Array]]:
    """The values as NumPy sees them in place, and the way back; None where that is impossible."""
    if isinstance(values, np.ndarray):
        return values, lambda result: result
    if is_torch_array(values) and values.device.type == "cpu" and not tracing(values):
        torch = sys.modules["torch"]
        if values.dtype == torch.bfloat16:
            values = values.float()
        return values.numpy(), lambda result: torch.from_numpy(np.ascontiguousarray(result))
    return None, lambda result: result


def float_type(xp: Any, *arrays: Array) -> Any:
    """The type to compute in: float64 where any input has it, else float32."""
    return xp.float64 if any(a.dtype == xp.float64 for a in arrays) else xp.float32


def sortable(scores: Array) -> Array:
    """Scores as floats, float32 or float64 where the library does not sort shorter ones itself.

    These hold every half, bfloat16 and whole number to 2^53.
    """
    xp = array_namespace(scores)
    kinds = (xp.float32, xp.float64)
    if scores.dtype in kinds or (is_torch_array(scores) and scores.dtype.is_floating_point):
        return scores
    whole = xp.isdtype(scores.dtype, ("integral", "bool"))
    return xp.astype(scores, xp.float64 if whole and not is_jax_array(scores) else xp.float32)


def shows_bits(values: Array) -> bool:
    """Whether the library lets us see the bits of floats, of which the standard knows nothing."""
    known = (is_numpy_array, is_torch_array, is_cupy_array, is_jax_array)
    return any(each(values) for each in known)


def bits(values: Array) -> Array:
    """The bits of floats as signed integers of their size."""
    xp = array_namespace(values)
    whole = {2: xp.int16, 4: xp.int32, 8: xp.int64}[values.dtype.itemsize]
    if is_jax_array(values):
        return sys.modules["jax"].lax.bitcast_convert_type(values, whole)
    return values.view(whole)
