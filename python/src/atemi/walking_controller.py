# SPDX-License-Identifier: Apache-2.0
"""The walking controller, tick by tick: for any plant that can be measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import call, doubles, ffi, lib, load
from .robot import Robot

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import WalkingOptions


_SIDES = ("left", "right")
_PHASES = {lib.ATEMI_STRIDE_DOUBLE: "double", lib.ATEMI_STRIDE_SWING: "swing"}


class WalkingState(NamedTuple):
    """What the walking controller is about."""

    phase: str
    """``"double"``: on both feet, the pressure passes to the one that has landed; ``"swing"``."""
    standing: str
    """The foot that landed last, ``"left"`` or ``"right"``."""
    clock: float
    """s since the phase began."""
    landings: int
    sole: float
    """x of the middle of the standing sole, m."""
    pressure: float
    """x of the wanted centre of pressure, m."""
    capture: float
    """x of the capture point, m."""
    foothold: float
    """x of the middle of the sole to be, m."""
    step_length: float
    """That it strives for now, m."""
    felt: float
    """Friction felt in slides, 1 where none was."""
    strain: float
    """The largest part of a joint's effort needed at the last tick."""
    limited: int
    """Ticks at which that was more than the whole."""


class WalkingController:
    """Joint torques that make a humanoid walk in the sagittal plane, from what it measures.

    >>> import atemi
    >>> robot = atemi.Robot.shipped("humanoid17", base="sagittal")
    >>> controller = WalkingController(robot, step_length=0.4)
    >>> q, v = controller.posture(), np.zeros(robot.nv)
    >>> controller.tick(0.0, q, v, touches=[True] * 4, forces=np.zeros((4, 3)))
    >>> controller.state.phase, controller.torque(0.0, v).shape
    ('double', (19,))

    Parameters
    ----------
    robot : Robot
        With a sagittal base, sites left_heel, left_toe, right_heel and right_toe, legs of three
        joints about y, and a link ``head``.
    **options : WalkingOptions
        ``tick``, ``step_length`` and so on, see `atemi.options`; as of ``gait`` in scenarios.

    Raises
    ------
    Error
        The robot is not like that, or options make no sense.
    """

    POINTS = ("left_heel", "left_toe", "right_heel", "right_toe")
    """The points of the feet that it feels, in its order."""

    def __init__(self, robot: Robot, **options: Unpack[WalkingOptions]) -> None:
        self._robot = robot
        record = _record.filled(
            "the walking controller",
            "atemi_walking_options",
            lib.atemi_walking_options_default(),
            options,
        )
        self._handle = load(
            lib.atemi_walking_controller_create,
            robot._model,
            record,
            kind="atemi_walking_controller",
            stacklevel=2,
        )
        self._options: dict[str, float] = _record.plain(record[0])

    @property
    def options(self) -> dict[str, float]:
        """All options, by name."""
        return dict(self._options)

    @property
    def points(self) -> tuple[tuple[str, NDArray[np.float64]], ...]:
        """Link and place there of each of the points of the feet, in the order of `tick`."""
        place = ffi.new("atemi_vec3 *")
        result = []
        for i in range(len(self.POINTS)):
            link = call(lib.atemi_walking_controller_point, self._handle, i, place)
            result.append((self._robot.link_names[link], np.array([place.x, place.y, place.z])))
        return tuple(result)

    def posture(self) -> NDArray[np.float64]:
        """(nq,) where to start from, at rest on the floor z = 0; the controller starts anew."""
        q = np.empty(self._robot.nq)
        call(lib.atemi_walking_controller_posture, self._handle, doubles(q))
        return q

    def tick(
        self, time: float, q: ArrayLike, v: ArrayLike, touches: ArrayLike, forces: ArrayLike
    ) -> None:
        """Measures, and decides the torques for the tick to come.

        Parameters
        ----------
        time : float
            s; a ``tick`` after the last one.
        touches : (4,) array_like of bool
            Whether left heel, left toe, right heel and right toe touch the floor.
        forces : (4, 3) array_like
            Of the floor on them, world axes, N.
        """
        q, v = self._robot._configuration("q", q), self._robot._vector("v", v)
        pushes = _arguments.array("forces", forces, (len(self.POINTS), 3))
        down = np.asarray(touches)
        if down.shape != (len(self.POINTS),):
            raise ValueError(f"touches must have shape ({len(self.POINTS)},), got {down.shape}")
        senses = ffi.new("atemi_walking_senses *")
        senses.q, senses.v = doubles(q), doubles(v)
        senses.touches = [bool(touch) for touch in down]
        senses.forces = [tuple(force) for force in pushes.tolist()]
        now = _arguments.number("time", time)
        call(lib.atemi_walking_controller_tick, self._handle, now, senses)

    def torque(self, time: float, v: ArrayLike) -> NDArray[np.float64]:
        """(nv,) the torques at a time of the tick under way, at the velocities v of that time."""
        v, tau = self._robot._vector("v", v), np.empty(self._robot.nv)
        now = _arguments.number("time", time)
        call(lib.atemi_walking_controller_torque, self._handle, now, doubles(v), doubles(tau))
        return tau

    @property
    def state(self) -> WalkingState:
        """What it is about."""
        state = _record.plain(call(lib.atemi_walking_controller_state, self._handle))
        state["phase"], state["standing"] = _PHASES[state["phase"]], _SIDES[state["standing"]]
        return WalkingState(**state)
