# SPDX-License-Identifier: Apache-2.0
"""Walking in three dimensions, tick by tick: for any humanoid, on any plant that can be measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import call, check, decode, doubles, ffi, lib, load, on_arena, values
from .robot import Robot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from .options import BaseEstimatorOptions, BipedOptions

SOLE_STATES: tuple[str, ...] = tuple(
    decode(lib.atemi_sole_state_text(i)) for i in range(lib.ATEMI_SOLE_STATES)
)
"""What a foot does on the floor in three dimensions, by its number in recordings."""

_SIDES = ("right", "left")
_PHASES = {
    lib.ATEMI_BIPED_STANDS: "stands",
    lib.ATEMI_BIPED_PASSES: "passes",
    lib.ATEMI_BIPED_SWINGS: "swings",
}


class Sole(NamedTuple):
    """What a foot stands on: a rectangle."""

    link: str
    rotation: NDArray[np.float64]
    """(3, 3) in the link's frame; x forwards, z up."""
    position: NDArray[np.float64]
    """(3,) its middle, likewise, m."""
    size: tuple[float, float]
    """Along x and y, m."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """(4, 3) in the link's frame: counter-clockwise from the front on the left."""
        signs = np.array([(1, 1, 0), (-1, 1, 0), (-1, -1, 0), (1, -1, 0)])
        places: NDArray[np.float64] = 0.5 * signs * (*self.size, 0.0) @ self.rotation.T
        return places + self.position


class BipedState(NamedTuple):
    """What the controller is about."""

    phase: str
    """``"stands"`` on both feet, ``"passes"`` to the one that has landed, or ``"swings"``."""
    support: str
    """The foot that landed last, ``"right"`` or ``"left"``."""
    clock: float
    """s since that."""
    step_time: float
    """s, of the step under way."""
    landings: int
    capture: NDArray[np.float64]
    """(3,) the divergent component of motion, m."""
    pressure: NDArray[np.float64]
    """(3,) the wanted centre of pressure, m."""
    foothold: NDArray[np.float64]
    """(3,) where the swinging sole's middle shall land, m."""
    friction: float
    """The friction that is felt: what forces keep within."""
    confidence: float
    """Of that: 1 while a sole slides, fading afterwards."""
    slides: tuple[bool, bool]
    """Whether the right and the left sole slide under load."""
    effort: float
    """The largest fraction of a joint's effort limit."""
    failures: int
    """Ticks without a solution, which repeat the torques before."""


class Biped:
    """Joint torques that make a humanoid walk, from what it measures.

    >>> import atemi
    >>> robot = atemi.Robot.shipped("hrp2_like")
    >>> biped = Biped(robot, forwards=0.2)
    >>> q, v = biped.posture(), np.zeros(robot.nv)
    >>> tau = biped.tick(q, v, forces=[280.0, 280.0])
    >>> biped.state.phase, tau.shape, biped.soles[0].link
    ('stands', (36,), 'right_foot')

    Parameters
    ----------
    robot : Robot
        With a floating base and two legs of five joints or more.
    sole : (2,) sequence of float, optional
        Side lengths of the soles, m, if those that are found are not right.
    **options : BipedOptions
        ``tick``, ``forwards`` and so on, see `atemi.options`; as of ``stride`` in scenarios.

    Raises
    ------
    Error
        The robot is not like that, or options make no sense.
    """

    def __init__(
        self,
        robot: Robot,
        *,
        sole: Sequence[float] | None = None,
        **options: Unpack[BipedOptions],
    ) -> None:
        self._robot = robot
        default = lib.atemi_biped_options_default()
        record = _record.filled("the biped", "atemi_biped_options", default, options)
        parts = ffi.new("atemi_humanoid_options *", lib.atemi_humanoid_options_default())
        if sole is not None:
            parts.sole_x, parts.sole_y = _arguments.array("sole", sole, (2,)).tolist()
        self._handle = load(
            lib.atemi_biped_create, robot._model, record, parts, kind="atemi_biped", stacklevel=2
        )
        self._options: dict[str, float] = _record.plain(record[0])

    @property
    def robot(self) -> Robot:
        """That walks."""
        return self._robot

    @property
    def options(self) -> dict[str, float]:
        """All options, by name."""
        return dict(self._options)

    @property
    def soles(self) -> tuple[Sole, Sole]:
        """The right and the left one."""
        humanoid = call(lib.atemi_biped_humanoid, self._handle)
        right, left = (self._sole(humanoid.legs[i].end, humanoid.soles[i]) for i in range(2))
        return right, left

    def _sole(self, link: int, sole: object) -> Sole:
        pose = values(sole.pose)  # type: ignore[attr-defined]
        size = (sole.size_x, sole.size_y)  # type: ignore[attr-defined]
        return Sole(self._robot.link_names[link], pose[:9].reshape(3, 3).T, pose[9:], size)

    def posture(self) -> NDArray[np.float64]:
        """(nq,) where to start from, at rest on the floor z = 0, facing x."""
        q = np.empty(self._robot.nq)
        call(lib.atemi_biped_posture, self._handle, doubles(q))
        return q

    def command(self, forwards: float, sideways: float = 0.0, turning: float = 0.0) -> None:
        """From now on: the length of a step in legs, to the left in two steps, and rad a step."""
        wanted = [
            _arguments.number(name, value)
            for name, value in (
                ("forwards", forwards), ("sideways", sideways), ("turning", turning)
            )
        ]
        call(lib.atemi_biped_command, self._handle, *wanted)

    def walk(self, on: bool = True) -> None:
        """From now on: walks, or comes to rest with the next landings."""
        call(lib.atemi_biped_walk_on, self._handle, bool(on))

    def footsteps(self, steps: Sequence[tuple[str, ArrayLike, float, float]]) -> None:
        """From rest: walks these, and comes to rest on the last two.

        Parameters
        ----------
        steps : sequence of (str, (3,) array_like, float, float)
            The foot, ``"right"`` or ``"left"``; the place of its sole's middle, m; its heading, rad
            from x towards y; the time from the landing before, s, or 0: as the gait has it.

        Raises
        ------
        Error
            One is out of reach, or the robot walks.
        """
        records = ffi.new("atemi_biped_footstep[]", len(steps))
        for record, (foot, place, heading, time) in zip(records, steps):
            if foot not in _SIDES:
                raise ValueError(f"no foot {foot!r}; there are {', '.join(_SIDES)}")
            record.side = _SIDES.index(foot)
            x, y, z = _arguments.array("place", place, (3,)).tolist()
            record.place.x, record.place.y, record.place.z = x, y, z
            record.heading = _arguments.number("heading", heading)
            record.time = _arguments.number("time", time)
        check(
            lib.atemi_biped_footsteps, self._handle, records, len(steps), ffi.NULL, stacklevel=2
        )

    def tick(self, q: ArrayLike, v: ArrayLike, forces: ArrayLike) -> NDArray[np.float64]:
        """Measures, and decides the torques until the next tick.

        Parameters
        ----------
        q : (nq,) array_like
            With the base as it is, or as a `BaseEstimator` has it.
        v : (nv,) array_like
            Likewise.
        forces : (2,) array_like
            Of the floor on the right and the left foot along its normal, N.

        Returns
        -------
        (nv,) ndarray
            0 for the base.
        """
        q, v = self._robot._configuration("q", q), self._robot._vector("v", v)
        tau = np.empty(self._robot.nv)
        senses = ffi.new("atemi_biped_senses *")
        senses.q, senses.v = doubles(q), doubles(v)
        senses.forces = _arguments.array("forces", forces, (2,)).tolist()
        call(lib.atemi_biped_tick, self._handle, senses, doubles(tau))
        return tau

    @property
    def state(self) -> BipedState:
        """What it is about."""
        state = call(lib.atemi_biped_state_get, self._handle)
        return BipedState(
            _PHASES[state.phase],
            _SIDES[state.support],
            state.clock,
            state.step_time,
            state.landings,
            values(state.capture),
            values(state.pressure),
            values(state.foothold),
            state.friction,
            state.confidence,
            (state.slides[0], state.slides[1]),
            state.effort,
            state.failures,
        )


class BaseEstimator:
    """Where the base of a robot is, from an inertial measurement unit, encoders and foot forces.

    >>> import atemi
    >>> biped = Biped(atemi.Robot.shipped("hrp2_like"))
    >>> q = biped.posture()
    >>> estimator = BaseEstimator(biped, q)
    >>> at_rest = np.zeros(biped.robot.nv)
    >>> q_now, v_now = estimator.update(0.001, q, at_rest, (0, 0, 9.81), (0, 0, 0), (280.0, 280.0))
    >>> bool(np.abs(q_now - q).max() < 1e-6)
    True

    Parameters
    ----------
    biped : Biped
        Whose robot and soles they are.
    q : (nq,) array_like
        Where it is at rest at the beginning.
    **options : BaseEstimatorOptions
        Standard deviations, see `atemi.options`.
    """

    def __init__(
        self, biped: Biped, q: ArrayLike, **options: Unpack[BaseEstimatorOptions]
    ) -> None:
        self._biped = biped
        default = lib.atemi_base_estimator_options_default()
        record = _record.filled(
            "the estimator", "atemi_base_estimator_options", default, options
        )
        model, humanoid = biped.robot._model, call(lib.atemi_biped_humanoid, biped._handle)
        self._arena, self._handle = on_arena(
            lib.atemi_base_estimator_take, model, humanoid, record, stacklevel=2
        )
        self.start(q)

    def start(self, q: ArrayLike) -> None:
        """Begins anew, at rest in a configuration (nq,) that is known."""
        at = self._biped.robot._configuration("q", q)
        call(lib.atemi_base_estimator_start, self._handle, doubles(at))

    def update(
        self,
        dt: float,
        q: ArrayLike,
        v: ArrayLike,
        specific_force: ArrayLike,
        angular_velocity: ArrayLike,
        forces: ArrayLike,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Goes on to new measurements.

        Parameters
        ----------
        dt : float
            s since the last ones.
        q : (nq,) array_like
            Of the joints; the base's entries are not looked at.
        v : (nv,) array_like
            Likewise.
        specific_force : (3,) array_like
            Of an accelerometer at the origin of the root link, in its axes, m/s^2: at rest, 9.81
            upwards.
        angular_velocity : (3,) array_like
            Of a gyroscope, likewise, rad/s.
        forces : (2,) array_like
            Of the floor on the right and the left foot along its normal, N.

        Returns
        -------
        (nq,) ndarray, (nv,) ndarray
            The joints as measured, the base as estimated.
        """
        robot = self._biped.robot
        q, v = robot._configuration("q", q), robot._vector("v", v)
        senses = ffi.new("atemi_base_senses *")
        senses.q, senses.v = doubles(q), doubles(v)
        senses.imu.specific_force = tuple(
            _arguments.array("specific_force", specific_force, (3,)).tolist()
        )
        senses.imu.angular_velocity = tuple(
            _arguments.array("angular_velocity", angular_velocity, (3,)).tolist()
        )
        senses.forces = _arguments.array("forces", forces, (2,)).tolist()
        now_q, now_v = np.empty(robot.nq), np.empty(robot.nv)
        span = _arguments.number("dt", dt)
        call(
            lib.atemi_base_estimator_update,
            self._handle,
            span,
            senses,
            doubles(now_q),
            doubles(now_v),
        )
        return now_q, now_v
