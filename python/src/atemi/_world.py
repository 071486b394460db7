# SPDX-License-Identifier: Apache-2.0
"""What a simulation and a batch of simulations are made from."""

from __future__ import annotations

from collections.abc import Sequence
import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import NULL, check, doubles, lib
from ._shapes import Shapes
from .contact_point import Contacts, native_points
from .errors import not_found
from .loops import Loop, Loops
from .parts import Site
from .robot import Robot
from .surfaces import Surface, Surfaces

Array = NDArray[np.float64]

_METHODS = {"steps": lib.ATEMI_METHOD_STEPS, "events": lib.ATEMI_METHOD_EVENTS}
_INTEGRATORS = {"rk4": lib.ATEMI_INTEGRATOR_RK4, "adaptive": lib.ATEMI_INTEGRATOR_ADAPTIVE}


class World:
    """A robot, surfaces, contact points and options, checked; all is kept alive."""

    def __init__(
        self,
        robot: Robot,
        contacts: Contacts,
        *,
        method: str,
        step: float,
        surfaces: Sequence[Surface],
        friction: float,
        restitution: float,
        joint_friction: bool,
        joint_stops: bool,
        stop_restitution: float,
        effort_limits: bool,
        slowest_bounce: float,
        integrator: str,
        tolerance: float,
        loops: Sequence[Loop],
    ) -> None:
        self.robot = robot
        self.surfaces = Surfaces(surfaces)
        self.shapes = Shapes(robot, friction, restitution) if contacts == "shapes" else None
        self.names, self.points = native_points(
            robot, None if self.shapes else contacts, len(self.surfaces.list), friction, restitution
        )
        self.loops = Loops(robot, loops)
        number = _arguments.number
        self.options = _record.filled(
            "the simulation",
            "atemi_simulation_options",
            lib.atemi_simulation_options_default(),
            {
                "method": _METHODS[_arguments.choice("method", method, list(_METHODS))],
                "integrator": _INTEGRATORS[
                    _arguments.choice("integrator", integrator, list(_INTEGRATORS))
                ],
                "step": number("step", step),
                "tolerance": number("tolerance", tolerance),
                "joint_friction": bool(joint_friction),
                "joint_stops": bool(joint_stops),
                "stop_restitution": number("stop_restitution", stop_restitution),
                "slowest_bounce": number("slowest_bounce", slowest_bounce),
                "effort_limits": bool(effort_limits),
                "shapes": self.shapes.native if self.shapes else NULL,
                "loops": self.loops.native,
                "loop_count": len(loops),
            },
        )
        self.step = float(self.options.step)
        self.arguments = (
            robot._model,
            self.surfaces.native,
            len(self.surfaces.list),
            self.points,
            len(self.names),
            self.options,
        )
        single = [joint for _, joint in robot._joints if joint.v_count == 1]
        self._first_v = [joint.first_v for joint in single]
        self._first_q = [joint.first_q for joint in single]

    def placed(self, q: ArrayLike, surface: int = 0) -> Array:
        """q, with the base shifted against gravity until the lowest point touches the surface."""
        q = self.robot._configuration("q", q).copy()
        count = len(self.surfaces.list)
        if not 0 <= surface < count:
            raise ValueError(f"surface must be 0 to {count - 1}, got {surface!r}")
        check(
            lib.atemi_place_on_surface,
            self.robot._data.of(),
            self.surfaces.native,
            self.points,
            len(self.names),
            int(surface),
            doubles(q),
            stacklevel=3,
        )
        return q

    def joint_coordinates(self, q: Array) -> Array:
        """(..., nv) the coordinates of joints that have one, where their velocities stand."""
        result = np.zeros((*q.shape[:-1], self.robot.nv))
        result[..., self._first_v] = q[..., self._first_q]
        return result

    def site(self, name: str) -> Site:
        """A site of the robot."""
        for site in self.robot.sites:
            if site.name == name:
                return site
        raise not_found("site", name, self.robot.site_names)

    def rows_of(self, site: str) -> list[int]:
        """The contact points of a site."""
        return [i for i, name in enumerate(self.names) if name.rpartition(".")[0] == site]


def gains(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Gains of servos, numbers or arrays that can be broadcast to the shape."""
    result = _arguments.array(name, np.broadcast_to(np.asarray(value, dtype=float), shape), shape)
    if (result < 0.0).any():
        raise ValueError(f"{name} must not be negative, got {result.min()}")
    return result
