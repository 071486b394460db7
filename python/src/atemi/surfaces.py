# SPDX-License-Identifier: Apache-2.0
"""Surfaces of the world that a simulated robot may touch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments
from ._library import doubles, ffi, lib


@dataclass(frozen=True, init=False)
class Plane:
    """A plane through `position`; the robot is where the `normal` points. Default: the floor."""

    position: tuple[float, float, float]
    normal: tuple[float, float, float]

    def __init__(
        self, position: ArrayLike = (0.0, 0.0, 0.0), normal: ArrayLike = (0.0, 0.0, 1.0)
    ) -> None:
        object.__setattr__(self, "position", _point("position", position))
        object.__setattr__(self, "normal", _arguments.unit_vector("normal", normal))


@dataclass(frozen=True, init=False)
class Sphere:
    """A sphere about `position`; the robot is outside, or inside if the radius is negative."""

    position: tuple[float, float, float]
    radius: float

    def __init__(self, position: ArrayLike, radius: float) -> None:
        object.__setattr__(self, "position", _point("position", position))
        object.__setattr__(self, "radius", _arguments.number("radius", radius))


@dataclass(frozen=True, init=False)
class Cylinder:
    """An endless cylinder about the line through `position` along `axis`; the robot is outside, or
    inside if the radius is negative."""

    position: tuple[float, float, float]
    axis: tuple[float, float, float]
    radius: float

    def __init__(self, position: ArrayLike, axis: ArrayLike, radius: float) -> None:
        object.__setattr__(self, "position", _point("position", position))
        object.__setattr__(self, "axis", _arguments.unit_vector("axis", axis))
        object.__setattr__(self, "radius", _arguments.number("radius", radius))


@dataclass(frozen=True, init=False, eq=False)
class Heights:
    """A smooth surface through heights on a grid: ``heights[row, column]`` is z at
    ``position + (column * spacing_x, row * spacing_y)``, m."""

    heights: NDArray[np.float64]
    spacing: tuple[float, float]
    position: tuple[float, float, float]

    def __init__(
        self,
        heights: ArrayLike,
        spacing: Union[float, tuple[float, float]],
        position: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        shape = np.shape(heights)
        if len(shape) != 2:
            raise ValueError(f"heights must have two dimensions, got shape {shape}")
        table = _arguments.array("heights", heights, shape).copy()
        table.setflags(write=False)
        x, y = np.broadcast_to(np.asarray(spacing, dtype=float), (2,)).tolist()
        object.__setattr__(self, "heights", table)
        object.__setattr__(self, "spacing", (x, y))
        object.__setattr__(self, "position", _point("position", position))


Surface = Union[Plane, Sphere, Cylinder, Heights]


def _point(name: str, value: ArrayLike) -> tuple[float, ...]:
    return tuple(_arguments.array(name, value, (3,)).tolist())


# ---- As C reads them


class Surfaces:
    """Surfaces as C reads them, which it keeps alive."""

    def __init__(self, surfaces: Iterable[Surface]) -> None:
        self.list = list(surfaces)
        self.tables = [s.heights for s in self.list if isinstance(s, Heights)]
        self.native = ffi.new("atemi_surface[]", len(self.list))
        for surface, native in zip(self.list, self.native):
            _fill(surface, native)


def _fill(surface: Surface, native: Any) -> None:
    if not isinstance(surface, (Plane, Sphere, Cylinder, Heights)):
        raise ValueError(
            "surfaces must be atemi.Plane, atemi.Sphere, atemi.Cylinder or atemi.Heights, "
            f"got {surface!r}"
        )
    native.position, native.axis = surface.position, (0.0, 0.0, 1.0)
    if isinstance(surface, Plane):
        native.kind, native.axis = lib.ATEMI_SURFACE_PLANE, surface.normal
    elif isinstance(surface, Sphere):
        native.kind, native.radius = lib.ATEMI_SURFACE_SPHERE, surface.radius
    elif isinstance(surface, Cylinder):
        native.kind, native.radius = lib.ATEMI_SURFACE_CYLINDER, surface.radius
        native.axis = surface.axis
    else:
        native.kind, table = lib.ATEMI_SURFACE_HEIGHTS, native.table
        table.rows, table.columns = surface.heights.shape
        table.spacing_x, table.spacing_y = surface.spacing
        table.heights = doubles(surface.heights)
