# SPDX-License-Identifier: Apache-2.0
"""Whole-body control: the torques of the next instant, within friction, soles and joint limits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import array_of, call, check, doubles, ffi, lib, on_arena, values
from .errors import not_found
from .robot import Robot

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import WholeBodyOptions

Array = NDArray[np.float64]


class WholeBodySolution(NamedTuple):
    """What a tick came to."""

    tau: Array
    """(nv,) for the joints; 0 for the base. Joint friction is not in them."""
    a: Array
    """(nv,) the accelerations that they lead to."""
    wrenches: dict[str, Array]
    """By the name of a contact, (6,): the world's force on it and moment about its origin, in world
    axes."""
    effort: float
    """The largest fraction of an effort limit."""
    without_stops: bool
    """Limits of velocity and position were given up, as nothing meets all limits."""
    without_efforts: bool
    """Effort limits were given up too. Friction and soles never are."""
    iterations: int
    """Changes of the active limits."""


class WholeBodyControl:
    """The joint torques by which a floating robot comes nearest to its tasks, as a quadratic program.

    Each tick begins at a state; contacts come first, then tasks, which are accelerations that are
    wanted, with weights. Limits hold as long as that is possible: friction, contacts that only push,
    centres of pressure inside the soles, effort, velocity and position of joints.

    >>> import atemi
    >>> robot = atemi.Robot.shipped("hrp2_like")
    >>> control = WholeBodyControl(robot)
    >>> control.begin(robot.posture("half_sitting"), np.zeros(robot.nv))
    >>> control.contact("right_sole")
    >>> control.contact("left_sole")
    >>> control.joints(np.zeros(robot.nv))
    >>> stand = control.solve()
    >>> weight = robot.mass * 9.81
    >>> abs(sum(wrench[2] for wrench in stand.wrenches.values()) - weight) < 1e-3 * weight
    True

    Parameters
    ----------
    robot : Robot
        With a floating base.
    **options : WholeBodyOptions
        ``contacts``, ``efforts`` and so on, see `atemi.options`.

    Raises
    ------
    ValueError
        An option or the robot's base cannot be.
    """

    def __init__(self, robot: Robot, **options: Unpack[WholeBodyOptions]) -> None:
        if robot.base != "floating":
            raise ValueError(f"the robot must have a floating base; that of {robot.name} is {robot.base}")
        default = lib.atemi_whole_body_options_default()
        record = _record.filled(
            "the whole-body control", "atemi_whole_body_options", default, options
        )
        _refuse(record[0])
        self._robot, self._options = robot, _record.plain(record[0])
        self._arena, self._handle = on_arena(
            lib.atemi_whole_body_control_take, robot._model, record, stacklevel=2
        )
        self._stage = "over"
        self._contacts: list[str] = []
        self._frames = 0

    @property
    def options(self) -> dict[str, Any]:
        """All options, by name."""
        return dict(self._options)

    # ---- A tick

    def begin(self, q: ArrayLike, v: ArrayLike) -> None:
        """Begins a tick at a state, (nq,) and (nv,): forgets contacts and tasks."""
        at, rates = self._robot._configuration("q", q), self._robot._vector("v", v)
        call(lib.atemi_whole_body_begin, self._handle, doubles(at), doubles(rates))
        self._stage, self._contacts, self._frames = "contacts", [], 0

    def contact(
        self,
        name: str,
        *,
        pose: tuple[ArrayLike, ArrayLike] | None = None,
        size: tuple[float, float] | None = None,
        friction: float = 0.5,
        least_force: float = 0.0,
        most_force: float = math.inf,
        acceleration: ArrayLike | None = None,
        weight: float = 1e4,
        cost: float = 1.0,
    ) -> None:
        """Touches the world there in this tick, with a force that only pushes.

        Parameters
        ----------
        name : str
            A site; or a link, which touches with a point at its origin, if nothing else is said.
        pose : (rotation, position), optional
            Of the contact in the link's frame, z along the normal, towards the robot; that of the
            site.
        size : (float, float), optional
            Side lengths of a rectangle that may press anywhere within, m; one 0 for a line, about
            which the link may roll, both for a point. That of the site.
        friction : float
        least_force, most_force : float
            Along the normal, N.
        acceleration : (6,) array_like, optional
            That is wanted of it, in world axes; none.
        weight : float
            Of that, above those of the tasks.
        cost : float
            1: forces cost as ``effort_cost`` says; more where a foot unloads.
        """
        self._demand("contacts")
        self._room("contacts", len(self._contacts))
        if name in self._contacts:
            raise ValueError(f"{name} touches already in this tick")
        native = ffi.new("atemi_whole_body_contact *", lib.atemi_whole_body_contact_default())
        self._put_frame(native, name, pose, size)
        native.friction = _not_negative("friction", friction)
        native.least_force = _not_negative("least_force", least_force)
        native.most_force = _above("most_force", most_force, native.least_force)
        native.weight, native.cost = _positive("weight", weight), _positive("cost", cost)
        if acceleration is not None:
            _put_twist(native.acceleration, "acceleration", acceleration)
        call(lib.atemi_whole_body_contact_add, self._handle, native)
        self._contacts.append(name)

    def momentum(self, rate: ArrayLike, weights: ArrayLike = 1.0) -> None:
        """Wants a rate of change (6,) of the momentum about the centre of mass, N and N m, in world
        axes. Weights, one or six: of the squares of an error divided by the mass."""
        self._task()
        wanted = ffi.new("atemi_force *")
        _put_twist(wanted, "rate", rate)
        call(lib.atemi_whole_body_momentum, self._handle, wanted[0], _weights(weights, 6))

    def frame(
        self,
        link: str,
        acceleration: ArrayLike,
        weights: ArrayLike = 1.0,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Wants an acceleration (6,) of a point of a link, m/s^2, and of its rotation, rad/s^2, in
        world axes. Weights, one or six; 0 leaves a row out."""
        index = self._robot._link(link)
        self._task()
        self._room("frames", self._frames)
        wanted, at = ffi.new("atemi_motion *"), ffi.new("atemi_vec3 *")
        _put_twist(wanted, "acceleration", acceleration)
        at.x, at.y, at.z = _arguments.array("point", point, (3,)).tolist()
        native = _weights(weights, 6)
        call(lib.atemi_whole_body_frame, self._handle, index, at[0], wanted[0], native)
        self._frames += 1

    def joints(self, accelerations: ArrayLike, weights: ArrayLike = 1.0) -> None:
        """Wants accelerations (nv,) of the joints, rad/s^2; those of the base do not count.
        Weights, one or (nv,), positive."""
        self._task()
        wanted = self._robot._vector("accelerations", accelerations)
        native = _weights(weights, self._robot.nv, zero=False)
        call(lib.atemi_whole_body_joints, self._handle, doubles(wanted), native)

    def solve(self) -> WholeBodySolution:
        """The torques of this tick.

        Raises
        ------
        SingularError
            There is no solution.
        """
        if self._stage == "over":
            raise ValueError("begin a tick first: begin(q, v)")
        self._stage = "over"
        tau, report = np.zeros(self._robot.nv), ffi.new("atemi_whole_body_report *")
        check(self._solve, doubles(tau), report, stacklevel=2)
        accelerations = call(lib.atemi_whole_body_accelerations, self._handle)
        return WholeBodySolution(
            tau,
            array_of(accelerations, self._robot.nv).copy(),
            {name: self._wrench(i) for i, name in enumerate(self._contacts)},
            report.effort,
            report.without_stops,
            report.without_efforts,
            report.program.iterations,
        )

    # ---- As C has it

    def _solve(self, tau: Any, report: Any, error: Any) -> int:
        status: int = lib.atemi_whole_body_solve(self._handle, tau, report)
        if status:
            text = b"no torques and forces meet friction and soles with these contacts"
            ffi.memmove(error.message, text, len(text))
        return status

    def _wrench(self, contact: int) -> Array:
        return values(lib.atemi_whole_body_wrench(self._handle, contact))

    def _put_frame(self, native: Any, name: str, pose: Any, size: Any) -> None:
        sites = {site.name: site for site in self._robot.sites}
        if name in sites:
            site = sites[name]
            pose, size = pose or (site.rotation, site.position), size or site.size
            native.link = self._robot._link(site.link)
        elif name in self._robot.link_names:
            native.link = self._robot._link(name)
        else:
            raise not_found("site or link", name, [*sites, *self._robot.link_names])
        if pose:
            _record.place(native.frame, *pose)
        if size:
            native.size_x, native.size_y = (_not_negative("size", side) for side in size)

    def _demand(self, stage: str) -> None:
        if self._stage == "over":
            raise ValueError("begin a tick first: begin(q, v)")
        if self._stage != stage:
            raise ValueError("contacts come before the tasks of a tick")

    def _task(self) -> None:
        if self._stage == "over":
            raise ValueError("begin a tick first: begin(q, v)")
        self._stage = "tasks"

    def _room(self, what: str, used: int) -> None:
        if used >= self._options[what]:
            raise ValueError(f"at most {used} {what} in a tick; create the control with {what}={used + 1}")


# ---- Arguments


def _not_negative(name: str, value: Any) -> float:
    number = _arguments.number(name, value)
    if number < 0.0:
        raise ValueError(f"{name} must not be negative, got {number}")
    return number


def _positive(name: str, value: Any) -> float:
    number = _arguments.number(name, value)
    if number <= 0.0:
        raise ValueError(f"{name} must be positive, got {number}")
    return number


def _above(name: str, value: float, least: float) -> float:
    number = math.inf if value == math.inf else _arguments.number(name, value)
    if number < least:
        raise ValueError(f"{name} must not be below {least}, got {number}")
    return number


def _put_twist(native: Any, name: str, value: ArrayLike) -> None:
    numbers = _arguments.array(name, value, (6,)).tolist()
    native.linear.x, native.linear.y, native.linear.z = numbers[:3]
    native.angular.x, native.angular.y, native.angular.z = numbers[3:]


def _weights(value: ArrayLike, count: int, zero: bool = True) -> Any:
    given = np.asarray(value)
    whole = np.full(count, given) if given.ndim == 0 else given
    weights = _arguments.array("weights", whole, (count,))
    if (weights < 0.0).any() or (not zero and (weights == 0.0).any()):
        raise ValueError(f"weights must {'not be negative' if zero else 'be positive'}, got {given}")
    return doubles(weights)


def _refuse(record: Any) -> None:
    for name in ("contacts", "frames"):
        if getattr(record, name) < 0:
            raise ValueError(f"{name} must not be negative, got {getattr(record, name)}")
    for name in ("horizon", "stop_rate", "effort_cost"):
        _positive(name, getattr(record, name))
