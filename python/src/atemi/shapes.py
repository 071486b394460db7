# SPDX-License-Identifier: Apache-2.0
"""Collision shapes of a simulated robot that touch surfaces and each other."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

from . import _arguments
from ._library import check, decode, ffi, lib
from .errors import Warning
from .robot import Robot


@dataclass(frozen=True)
class Shapes:
    """The collision shapes of a robot touch.

    Boxes, balls, capsules, cylinders, and meshes as the convex hulls of their vertices; by the method
    of events balls and capsules.

    Parameters
    ----------
    friction, restitution : float, optional
        In place of the simulation's. Between two shapes their geometric mean counts.
    each_other : bool
        Whether shapes touch shapes, and not surfaces alone. Links that a joint joins never touch
        each other, nor do those whose shapes overlap while all joints are at zero.
    exclude : sequence of (str, str)
        Pairs of links that never touch each other besides.
    places : int
        In touch at once, at most; 0: twelve for each shape.
    """

    friction: Optional[float] = None
    restitution: Optional[float] = None
    each_other: bool = True
    exclude: Sequence[tuple[str, str]] = ()
    places: int = 0


class NativeShapes:
    """The shapes as C reads them; all is kept alive."""

    def __init__(self, robot: Robot, shapes: Shapes, friction: float, restitution: float) -> None:
        self._links = robot.link_names
        mu = friction if shapes.friction is None else shapes.friction
        e = restitution if shapes.restitution is None else shapes.restitution
        self._loaded = ffi.gc(ffi.new("atemi_robot_shapes *"), lib.atemi_robot_shapes_destroy)
        check(
            lib.atemi_robot_shapes_load,
            robot._model,
            _arguments.number("friction", mu),
            _arguments.number("restitution", e),
            self._loaded,
            stacklevel=5,
        )
        if self._loaded.count == 0:
            raise ValueError(
                f"contacts: the robot {robot.name!r} has no collision shapes that are found; "
                "give contact points, or sites"
            )
        self._warn()
        self._excluded = ffi.new(
            "atemi_link_pair[]", [(robot._link(a), robot._link(b)) for a, b in shapes.exclude]
        )
        self.native = ffi.new(
            "atemi_simulation_shapes *",
            {
                "shapes": self._loaded.list,
                "count": self._loaded.count,
                "each_other": bool(shapes.each_other),
                "excluded": self._excluded,
                "excluded_count": len(shapes.exclude),
                "max_touches": int(shapes.places),
            },
        )

    def _warn(self) -> None:
        lost = self._loaded.lost_count
        if lost:
            first = decode(self._loaded.lost.uri) or ""
            others = f" (and {lost - 1} others)" if lost > 1 else ""
            warnings.warn(
                f"the mesh {first!r}{others} was not found or has no volume, so it does not touch; "
                "package_path names the folders of packages",
                Warning,
                stacklevel=5,
            )

    def place(self, data: Any, surface: Any, q: Any) -> None:
        """Puts the lowest shape on a surface."""
        check(
            lib.atemi_place_shapes_on_surface,
            data,
            surface,
            self._loaded.list,
            self._loaded.count,
            q,
            stacklevel=4,
        )

    def name_of(self, touch: Any) -> str:
        """\"FIRST on SECOND\", links or a surface by its number."""
        first = self._links[self._loaded.list[touch.first].link]
        if touch.second < 0:
            return f"{first} on surface {touch.surface}"
        return f"{first} on {self._links[self._loaded.list[touch.second].link]}"
