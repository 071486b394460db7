# SPDX-License-Identifier: Apache-2.0
"""What happens when a robot hits something, estimated in microseconds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments
from ._library import decode, doubles, ffi, lib
from ._rowwise import RowFailed, kernel
from .errors import Error
from .inverse_kinematics import _frame
from .robot import Robot

if TYPE_CHECKING:
    from ._rows import Kernel

_BLOW: Kernel[tuple[Array, Array, Array]] = kernel("blow")
_METHODS = {
    "exact": lib.ATEMI_BLOW_EXACT,
    "rk4": lib.ATEMI_BLOW_RK4,
    "virtual mass": lib.ATEMI_BLOW_VIRTUAL_MASS,
}
_LAWS = {
    "compression damper": lib.ATEMI_BLOW_COMPRESSION_DAMPER,
    "Kelvin-Voigt": lib.ATEMI_BLOW_KELVIN_VOIGT,
}
_GROUNDINGS = {"fixed": lib.ATEMI_GROUNDING_FIXED, "heavy": lib.ATEMI_GROUNDING_HEAVY}

Array = NDArray[np.float64]
Numbers = Union[float, Array]


class Blow(NamedTuple):
    """A blow; of several postures or speeds, arrays (n,). NaN where the hand cannot move."""

    peak_force: Numbers
    """N."""
    peak_time: Numbers
    """After first touch, s."""
    impulse: Numbers
    """Onto the target, N s."""
    contact_time: Numbers
    """s."""
    compression: Numbers
    """Of the surface, the largest, m."""
    hand_speed: Numbers
    """At the end, m/s."""
    target_speed: Numbers
    """At the end, m/s."""
    target_travel: Numbers
    """m."""
    duration: Numbers
    """Until hand and target part, or the end, s."""
    virtual_mass: Numbers
    """That the target feels at first touch, kg."""
    zmp_margin: Numbers
    """The least distance from the ZMP to the edge of the support polygon, m, of `samples` instants;
    NaN without samples, or if no site is on the links that stand."""
    peak_torques: NDArray[np.float64]
    """(nv,) of the servos, of either sign, N m or N."""


def blow(
    robot: Robot,
    q: ArrayLike,
    hand: str,
    *,
    speed: ArrayLike = 1.0,
    direction: ArrayLike = (1.0, 0.0, 0.0),
    stand: Iterable[str] = (),
    v: ArrayLike | None = None,
    target_mass: float = 5.0,
    target_friction: float = 0.0,
    contact_stiffness: float = 1e4,
    contact_damping: float = 300.0,
    law: str = "compression damper",
    stiffness: ArrayLike | None = None,
    damping: ArrayLike | None = None,
    torque_limits: ArrayLike | None = None,
    grounding: str = "fixed",
    method: str = "exact",
    duration: float = 0.1,
    samples: int = 0,
    threads: int | None = 1,
) -> Blow:
    """Estimates a blow: its force over time, and what it does to robot and target.

    >>> robot = Robot.shipped("hrp2_like")
    >>> q = robot.posture("punch_4kg")
    >>> hit = blow(robot, q, "right_fist", speed=1.0, stand=["right_sole", "left_sole"])
    >>> 0 < hit.peak_force < 1000 and hit.virtual_mass > 1
    True

    Parameters
    ----------
    robot : Robot
    q : (nq,) or (n, nq) array_like
        Postures of first touch.
    hand : str
        A site, or a link whose origin strikes.
    speed : float or (n,) array_like
        Of the hand along `direction`, m/s. The rates of the joints are those of least kinetic
        energy, unless v is given.
    direction : (3,) array_like
        World axes, from the robot into the target.
    stand : iterable of str
        Sites or links that stand on the ground. A robot with a fixed base needs none.
    v : (nv,) or (n, nv) array_like, optional
        The rates at first touch; `speed` does not count then.
    target_mass, target_friction
        kg, inf for a wall; N, against its motion, as of a nail.
    contact_stiffness, contact_damping, law
        Of the surface between them, N/m and N s/m; "compression damper" or "Kelvin-Voigt".
    stiffness, damping, torque_limits : float or (nv,) array_like, optional
        Of the servos, N m/rad, N m s/rad, N m; none if missing. Zero for the base.
    grounding : {"fixed", "heavy"}
        Whether links that stand are held by constraints, or by extra mass as published.
    method : {"exact", "rk4", "virtual mass"}
        How it is computed; "virtual mass" takes the robot as a point mass.
    duration : float
        s, at most.
    samples : int
        Instants at which the ZMP is looked at, 0 to 1000; each takes as long as inverse dynamics.
        Servos are taken to lead the hand straight on.
    threads : int or None
        As of `Robot`.
    """
    request = _Request(robot, hand, direction, tuple(stand), samples)
    request.set_target(target_mass, target_friction, contact_stiffness, contact_damping, law)
    request.set_servo("stiffness", stiffness)
    request.set_servo("damping", damping)
    request.set_servo("limits", torque_limits)
    native = request.native
    native.ground.grounding = _GROUNDINGS[_arguments.choice("grounding", grounding, list(_GROUNDINGS))]
    native.options.method = _METHODS[_arguments.choice("method", method, list(_METHODS))]
    native.options.duration = _arguments.number("duration", duration)
    return request.compute(q, speed, v, threads)


class _Request:
    """A blow as C reads it; keeps alive what that points to."""

    def __init__(
        self, robot: Robot, hand: str, direction: ArrayLike, stand: tuple[str, ...], samples: int
    ) -> None:
        self.robot = robot
        native = ffi.new("atemi_blow_parameters *")
        native.ground = lib.atemi_ground_default()
        native.setting = lib.atemi_blow_setting_default()
        native.options = lib.atemi_blow_options_default()
        link, _, origin = _frame(robot, hand)
        native.point.link, native.point.point = robot._link(link), tuple(origin.tolist())
        native.point.direction = _arguments.unit_vector("direction", direction)
        self.links = ffi.new("int[]", [robot._link(_frame(robot, name)[0]) for name in stand])
        native.ground.links, native.ground.count = self.links, len(stand)
        if not 0 <= samples <= 1000:
            raise ValueError(f"samples must be 0 to 1000, got {samples}")
        native.samples = samples
        self.native, self.kept = native, [self.links]

    def set_target(
        self, mass: float, friction: float, stiffness: float, damping: float, law: str
    ) -> None:
        setting = self.native.setting
        setting.target.mass, setting.target.friction = float(mass), float(friction)
        setting.surface.law = _LAWS[_arguments.choice("law", law, list(_LAWS))]
        setting.surface.spring.stiffness = _arguments.number("contact_stiffness", stiffness)
        setting.surface.spring.damping = _arguments.number("contact_damping", damping)

    def set_servo(self, name: str, value: ArrayLike | None) -> None:
        if value is None:
            return
        count = self.robot.nv
        numbers = np.zeros(count)
        numbers[:] = value
        if np.ndim(value) == 0:
            numbers[: {"fixed": 0, "floating": 6}.get(self.robot.base, 3)] = 0.0
        self.kept.append(numbers)
        setattr(self.native.setting.servo, name, doubles(numbers))

    def compute(self, q: Any, speed: Any, v: Any, threads: int | None) -> Blow:
        parameters = ffi.new("atemi_kernel_parameters *", {"blow": self.native})
        address = int(ffi.cast("uintptr_t", parameters))
        call = self.robot._rows.compute
        try:
            numbers, more, torques = call(_BLOW, 0, address, None, threads, q, speed, v)
        except RowFailed as failure:
            self._explain(failure, call, address, q, speed, v)
            raise
        columns: list[Any] = [*numbers.T, *more.T, torques]
        if numbers.ndim == 1:
            columns[:-1] = map(float, columns[:-1])
        return Blow(*columns)

    def _explain(self, failure: BaseException, call: Any, address: int, q: Any, speed: Any, v: Any) -> None:
        """Computes the row that failed again, for its message."""
        row = failure.args[0]
        alone = [
            x if x is None or row is None or np.ndim(x) == width else np.asarray(x)[row]
            for x, width in ((q, 1), (speed, 0), (v, 1))
        ]
        record = ffi.new("atemi_error *")
        self.native.error = record
        try:
            call(_BLOW, 0, address, None, 1, *alone)
        except RowFailed:
            place = "" if row is None else f"in state {row}: "
            status = decode(lib.atemi_status_text(record.status))
            raise Error(place + decode(record.message), status) from None
        finally:
            self.native.error = ffi.NULL
