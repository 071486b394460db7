# SPDX-License-Identifier: Apache-2.0
"""What callers hand in, checked: arrays of the right shape and finite, numbers, paths, choices."""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Squares of a quaternion's length must neither overflow nor vanish.
_SHORTEST, _LONGEST = 1e-100, 1e100


def array(name: str, value: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """`value` as a contiguous float64 array, not copied where it is one already."""
    numbers = _numbers(name, value, shape)
    if numbers.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {numbers.shape}")
    refuse(name, numbers)
    return numbers


def rows(name: str, value: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """`value` as a contiguous float64 array of this shape, or of such arrays as rows; not checked
    for infinities."""
    numbers = _numbers(name, value, shape)
    if numbers.shape != shape and (
        numbers.ndim != len(shape) + 1 or numbers.shape[1:] != shape
    ):
        many = ", ".join(["n", *map(str, shape)]) + ("" if shape else ",")
        raise ValueError(f"{name} must have shape {shape} or ({many}), got {numbers.shape}")
    return numbers


def _numbers(name: str, value: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    try:
        numbers = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of shape {shape}: {error}") from None
    if numbers.dtype.kind not in "fiu":
        raise ValueError(
            f"{name} must be an array of real numbers of shape {shape}, "
            f"got {type(value).__name__} of {numbers.dtype.name}"
        )
    if type(numbers) is not np.ndarray or numbers.dtype != np.float64 or (
        not numbers.flags.c_contiguous
    ):
        with np.errstate(over="ignore"):  # a wider float may not fit; that is not finite then
            numbers = np.array(numbers, dtype=np.float64, order="C")
    return numbers


def refuse(name: str, value: ArrayLike, quaternions: Sequence[int] = ()) -> None:
    """Raises if a number is not finite, or if a quaternion that begins there has no direction."""
    numbers = np.asarray(value)
    if not np.isfinite(numbers).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(numbers))[0])
        place = ", ".join(str(i) for i in index)
        at = f"{name}[{place}]" if index else name
        raise ValueError(f"{name} must be finite, but {at} is {numbers[index]}")
    for row in np.ndindex(numbers.shape[:-1]) if quaternions else ():
        for first in quaternions:
            label = f"{name}[{row[0]}]" if row else name
            quaternion(label, numbers[row], first)


def quaternion(name: str, q: NDArray[np.float64], first: int) -> None:
    """Refuses q if the quaternion at `first` has no direction."""
    part = q[first : first + 4].tolist()
    if not _SHORTEST < math.hypot(*part) < _LONGEST:
        raise ValueError(
            f"{name}[{first}:{first + 4}] must be a quaternion x y z w, not of length zero "
            f"or beyond all measure, got {part}"
        )


def number(name: str, value: Any) -> float:
    """`value` as a finite float."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number, got {value!r}") from None
    if not math.isfinite(result):
        raise ValueError(f"{name} must be finite, got {result}")
    return result


def choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """`value`, if it is one of `choices`."""
    if value not in choices:
        close = difflib.get_close_matches(str(value), choices, n=1)
        guess = f"; did you mean {close[0]!r}?" if close else ""
        known = ", ".join(map(repr, choices))
        raise ValueError(f"{name} must be one of {known}, got {value!r}{guess}")
    return str(value)


def unit_vector(name: str, value: Any) -> tuple[float, float, float]:
    """The direction of `value`."""
    x, y, z = array(name, value, (3,)).tolist()
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        raise ValueError(f"{name} must have a direction, but its length is zero")
    x, y, z = x / largest, y / largest, z / largest  # or the squares overflow or vanish
    length = math.hypot(x, y, z)
    return x / length, y / length, z / length


def c_string(name: str, value: str | bytes | os.PathLike[Any]) -> bytes:
    """A path or name as the bytes that C reads."""
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise ValueError(f"{name} must not contain a null character, got {value!r}")
    return encoded
