# SPDX-License-Identifier: Apache-2.0
"""Postures that meet goals of links, sites and of the centre of mass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import NULL, array_of, check, decode, doubles, ffi, lib, on_arena
from .errors import not_found

if TYPE_CHECKING:
    from .robot import Robot

Array = NDArray[np.float64]

CENTER_OF_MASS = "center_of_mass"


@dataclass(frozen=True)
class PostureGoal:
    """Where a link, a site or the centre of mass shall be.

    >>> PostureGoal("right_fist", position=(0.4, -0.2, 0.3))
    PostureGoal(of='right_fist', position=(0.4, -0.2, 0.3), rotation=None, point=None, weight=1.0)

    Parameters
    ----------
    of : str
        A site, a link, or ``"center_of_mass"``.
    position : (3,) array_like, optional
        In the world, m; None for anywhere.
    rotation : (3, 3) array_like, optional
        Of the link or site, in world axes; None for any.
    point : (3,) array_like, optional
        Which point shall be there, in the frame of the link or site; its origin if missing.
    weight : float or (6,) array_like
        How much it counts beside other goals where not all can be met; six numbers are of x, y, z
        and of the rotations about them, along the axes of the target, 0 for a row that is free.
    """

    of: str
    position: Optional[ArrayLike] = None
    rotation: Optional[ArrayLike] = None
    point: Optional[ArrayLike] = None
    weight: Union[float, ArrayLike] = 1.0


class Posture(NamedTuple):
    """A posture that was looked for."""

    q: Array
    """(nq,) the posture found."""
    outcome: str
    """``"reached"``; ``"nearest"``, if no posture nearby is better; ``"unfinished"``, if the
    iterations were used up."""
    iterations: int
    """Steps tried."""
    position_error: float
    """The largest of a row that has a weight, m."""
    rotation_error: float
    """The same of rotations, rad."""
    errors: Array
    """(number of goals, 6) along the axes of each target, m and rad."""

    @property
    def reached(self) -> bool:
        """Whether every goal is met."""
        return self.outcome == "reached"


def find_posture(
    robot: Robot,
    q: Array,
    goals: Iterable[PostureGoal],
    fixed: Iterable[str],
    limits: bool,
    iterations: int,
    retries: int,
    tolerance: float,
) -> Posture:
    """See `Robot.inverse_kinematics`."""
    native = ffi.new("atemi_posture_goal[]", [_native(robot, goal) for goal in goals])
    moving = np.ones(robot.nv, dtype=bool)
    for name in fixed:
        base = slice(0, {"floating": 6, "fixed": 0}.get(robot.base, 3))
        moving[base if name == "base" else robot.joint_index(name)] = False
    options = ffi.new("atemi_inverse_kinematics_options *")
    options[0] = lib.atemi_inverse_kinematics_options_default()
    options.moving = ffi.from_buffer("bool[]", moving)
    options.unlimited, options.iterations, options.retries = not limits, iterations, retries
    options.tolerance = _arguments.number("tolerance", tolerance)
    arena, scratch = on_arena(
        lib.atemi_inverse_kinematics_scratch_take, robot._model, max(len(native), 1), stacklevel=3
    )
    report, found = ffi.new("atemi_posture_report *"), q.copy()
    check(
        lib.atemi_inverse_kinematics,
        robot._model,
        native if len(native) else NULL,
        len(native),
        options,
        scratch,
        doubles(found),
        report,
        stacklevel=3,
    )
    return Posture(
        found,
        decode(lib.atemi_posture_outcome_text(report.outcome)),
        report.iterations,
        report.position,
        report.rotation,
        array_of(lib.atemi_inverse_kinematics_errors(scratch), 6 * len(native)).reshape(-1, 6).copy(),
    )


def _native(robot: Robot, goal: PostureGoal) -> Any:
    if not isinstance(goal, PostureGoal):
        raise ValueError(f"goals must be atemi.PostureGoal, got {goal!r}")
    record = ffi.new("atemi_posture_goal *", lib.atemi_posture_goal_default())
    frame_rotation, origin = np.eye(3), np.zeros(3)
    if goal.of == CENTER_OF_MASS:
        record.kind = lib.ATEMI_GOAL_CENTER_OF_MASS
    else:
        link, frame_rotation, origin = _frame(robot, goal.of)
        record.link = robot._link(link)
    if goal.point is not None:
        origin = origin + frame_rotation @ _arguments.array("point", goal.point, (3,))
    _record.place(record.frame, frame_rotation, origin)
    rotation = np.eye(3) if goal.rotation is None else goal.rotation
    position = np.zeros(3) if goal.position is None else goal.position
    _record.place(record.target, _proper(rotation), position)
    weight = np.broadcast_to(np.asarray(goal.weight, dtype=float), (6,)).copy()
    if goal.position is None:
        weight[:3] = 0.0
    if goal.rotation is None:
        weight[3:] = 0.0
    record.weight = _arguments.array("weight", weight, (6,)).tolist()
    return record[0]


def _frame(robot: Robot, name: str) -> tuple[str, Array, Array]:
    """The link, rotation and origin of a site's or link's frame."""
    for site in robot.sites:
        if site.name == name:
            return site.link, site.rotation, site.position
    if name not in robot.link_names:
        raise not_found("site or link", name, [*robot.site_names, *robot.link_names, CENTER_OF_MASS])
    return name, np.eye(3), np.zeros(3)


def _proper(rotation: ArrayLike) -> Array:
    R = _arguments.array("rotation", rotation, (3, 3))
    if not np.allclose(R @ R.T, np.eye(3), atol=1e-6) or np.linalg.det(R) < 0.0:
        raise ValueError(f"rotation must be a rotation matrix, got {R.tolist()}")
    return R
