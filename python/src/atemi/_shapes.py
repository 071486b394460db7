# SPDX-License-Identifier: Apache-2.0
"""The collision shapes of a robot, as C lets them touch."""

from __future__ import annotations

from typing import Any

from . import _arguments
from ._library import ffi, lib
from .robot import Robot


class Shapes:
    """All collision shapes of a robot but meshes, of one friction and restitution; kept alive."""

    def __init__(self, robot: Robot, friction: float, restitution: float) -> None:
        model = robot._model
        most = lib.atemi_model_geometry_count(model)
        self._list = ffi.new("atemi_touch_shape[]", max(most, 1))
        count = lib.atemi_touch_shapes_of(
            model,
            _arguments.number("friction", friction),
            _arguments.number("restitution", restitution),
            self._list,
        )
        if count == 0:
            raise ValueError(
                "the robot has no collision shapes but meshes, and these do not touch here; give "
                "contact points, or balls and capsules in their place"
            )
        self.native = ffi.new("atemi_simulation_shapes *")
        self.native.shapes = self._list
        self.native.count = count
        self.native.each_other = True
        self.links = [robot.link_names[self._list[i].link] for i in range(count)]

    def name_of(self, touch: Any) -> str:
        """"FIRST on SECOND", links or a surface."""
        second = touch.second
        below = f"surface {touch.surface}" if second < 0 else self.links[second]
        return f"{self.links[touch.first]} on {below}"
