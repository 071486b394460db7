# SPDX-License-Identifier: Apache-2.0
"""One coordinated controller for all joints of a robot, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import NULL, call, check, decode, doubles, ffi, lib, load
from .controlled import Goal
from .joint_control import JointCommand
from .robot import Robot

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import CoordinatedJointOptions, CoordinationOptions, NodeMotionOptions

_SOURCES = {"user": lib.ATEMI_SOURCE_USER, "supervisor": lib.ATEMI_SOURCE_SUPERVISOR}
_MODES = {
    "shared": lib.ATEMI_MODE_SHARED,
    "user": lib.ATEMI_MODE_USER,
    "supervisor": lib.ATEMI_MODE_SUPERVISOR,
}
_PRIORITIES = {
    "critical": lib.ATEMI_PRIORITY_CRITICAL,
    "high": lib.ATEMI_PRIORITY_HIGH,
    "medium": lib.ATEMI_PRIORITY_MEDIUM,
    "low": lib.ATEMI_PRIORITY_LOW,
    "ignore": lib.ATEMI_PRIORITY_IGNORE,
}
_MOTIONS = {
    lib.ATEMI_MOTION_JOINTS: "joints",
    lib.ATEMI_MOTION_NODES: "nodes",
    lib.ATEMI_MOTION_BREADCRUMBS: "breadcrumbs",
}
_AXES = 6
_GOALS = 64  # that are remembered

Pose = tuple[ArrayLike, ArrayLike]


def _here() -> Pose:
    return np.eye(3), np.zeros(3)


@dataclass(frozen=True)
class Node:
    """Where a frame on a link shall go, or what it shall press.

    >>> Node("left_hand", target=(np.eye(3), [0.5, 0.2, 1.0]), priority=("critical",) * 6).link
    'left_hand'
    """

    link: str
    target: Pose
    """Rotation and position in the world."""
    frame: Pose = field(default_factory=_here)
    """Rotation and position in the link's frame."""
    priority: tuple[str, ...] = ("critical",) * _AXES
    """Of x, y, z, and of turns about them, along the target's axes: ``"critical"``, ``"high"``,
    ``"medium"``, ``"low"`` or ``"ignore"``."""
    force: Optional[Mapping[int, float]] = None
    """By the number of the axis: along these it presses, N or N m, instead of going."""


@dataclass(frozen=True)
class StandingContact:
    """A contact that only pushes: a foot that stands, a hand that leans on a rail.

    >>> StandingContact("left_foot", size=(0.24, 0.14)).friction
    0.6
    """

    link: str
    frame: Pose = field(default_factory=_here)
    """Rotation and position in the link's frame; z along the normal, towards the robot."""
    size: tuple[float, float] = (0.0, 0.0)
    """Side lengths, m; one 0 for a line, both for a point."""
    friction: float = 0.6


class StandingReport(NamedTuple):
    """How well a robot stands in the last step."""

    missing: float
    """What contacts cannot give of the wrench that the commanded motion takes, as a fraction of the
    weight, of moments of weight times height; 0 for a robot that is safe."""
    capture: float
    """The same to come to rest from it."""
    drift: float
    """Of the capture point by what was missing lately, as a fraction of its height."""
    effort: float
    """Largest fraction of an effort limit."""
    joint: Optional[str]
    """Whose."""


class CoordinationReport(NamedTuple):
    """How the last step went."""

    time: float
    """s since creation."""
    faults: tuple[str, ...]
    """In words."""
    moving: bool
    """Whether a command is under way."""
    base_link: str
    """The link that is fixed to the world."""
    base_fraction: float
    """1 once the robot is held by it alone."""
    energy: float
    """That the feedback gave away, J."""


class Coordination:
    """All joints of a robot in concert: measurements in, a command for each joint out.

    >>> import atemi
    >>> robot = atemi.Robot.shipped("r2_like")
    >>> coordination = Coordination(robot, base_link="left_foot")
    >>> q, u = np.zeros(len(robot.joint_names)), np.zeros(len(robot.joint_names))
    >>> commands = coordination.step(q, u)
    >>> coordination.move_joints({"right_arm_joint3": -1.0}, duration=1.0)
    >>> coordination.goals[-1].outcome
    'active'

    Parameters
    ----------
    robot : Robot
        With a floating or fixed base, and joints of one coordinate each.
    base_link : str, optional
        The link that is fixed to the world at first; the root by default.
    base_pose : (rotation, position), optional
        Of that link in the world.
    joints : mapping, optional
        By the name of a joint, what differs from the default, by name: see
        `atemi.options.CoordinatedJointOptions`.
    contacts : sequence of StandingContact, optional
        That the robot stands on. They bear it, and the base only if it is one of them.
    **options : CoordinationOptions
        ``period``, ``command_timeout`` and so on, see `atemi.options`.

    Raises
    ------
    Error
        A figure or a joint cannot be.
    """

    def __init__(
        self,
        robot: Robot,
        *,
        base_link: str | None = None,
        base_pose: Pose | None = None,
        joints: Mapping[str, CoordinatedJointOptions] | None = None,
        contacts: Sequence[StandingContact] = (),
        **options: Unpack[CoordinationOptions],
    ) -> None:
        self._robot = robot
        default = lib.atemi_coordination_options_default()
        record = _record.filled("the coordination", "atemi_coordination_options", default, options)
        settings = self._settings(joints or {})
        self._goals = ffi.new("atemi_goal_record[]", _GOALS)
        record.joints, record.goals, record.goal_capacity = settings, self._goals, _GOALS
        if base_link is not None:
            record.base_link = robot._link(base_link)
        if base_pose is not None:
            _record.place(record.base_pose, *base_pose)
        native = ffi.new("atemi_standing_contact[]", len(contacts))
        for to, contact in zip(native, contacts):
            self._put_contact(to, contact)
        record.contacts = native
        record.contact_count = self._contact_count = len(contacts)
        self._handle = load(
            lib.atemi_coordination_create,
            robot._model,
            record,
            kind="atemi_coordination",
            stacklevel=2,
        )
        self._commands = ffi.new("atemi_joint_command[]", len(robot.joint_names))

    def _settings(self, joints: Mapping[str, CoordinatedJointOptions]) -> Any:
        names = self._robot.joint_names
        default = lib.atemi_coordinated_joint_default
        settings = ffi.new(
            "atemi_coordinated_joint[]", [default(self._robot._model, i) for i in range(len(names))]
        )
        for name, given in joints.items():
            _record.fill(f"joint {name!r}", settings[self._index(name)], given)
        return settings

    def _put_contact(self, to: Any, contact: StandingContact) -> None:
        to.link = self._robot._link(contact.link)
        _record.place(to.frame, *contact.frame)
        to.size_x, to.size_y = _arguments.array("size", contact.size, (2,)).tolist()
        to.friction = _arguments.number("friction", contact.friction)

    def _index(self, joint: str | None) -> int:
        if joint is None:
            return int(lib.ATEMI_ALL_JOINTS)
        self._robot._joint(joint)
        return self._robot.joint_names.index(joint)

    # ---- A step

    def step(
        self, positions: ArrayLike, velocities: ArrayLike, torques: ArrayLike | None = None
    ) -> dict[str, JointCommand]:
        """One step, every ``period``: what is sensed of the joints in, in the order of the robot's
        `joint_names`; the command for each of them out, by name.

        Numbers that are not finite are faults, with the reaction that they call for.
        """
        sensed = ffi.new("atemi_coordination_measurement *")
        given = [self._sensed("positions", positions), self._sensed("velocities", velocities)]
        given += [] if torques is None else [self._sensed("torques", torques)]
        pointers = [doubles(array) for array in given]
        sensed.positions, sensed.velocities = pointers[:2]
        sensed.torques = pointers[2] if torques is not None else NULL
        call(lib.atemi_coordination_step, self._handle, sensed, self._commands)
        return {
            name: JointCommand._of(command)
            for name, command in zip(self._robot.joint_names, self._commands)
        }

    def _sensed(self, name: str, value: ArrayLike) -> NDArray[np.float64]:
        array = np.ascontiguousarray(value, dtype=np.float64)
        if array.shape != (len(self._robot.joint_names),):
            expected = (len(self._robot.joint_names),)
            raise ValueError(f"{name} must have shape {expected}, got {array.shape}")
        return array

    @property
    def report(self) -> CoordinationReport:
        """How the last step went."""
        report = call(lib.atemi_coordination_report_get, self._handle)
        last, text = lib.ATEMI_COORDINATION_OVERLOADED, lib.atemi_coordination_fault_text
        return CoordinationReport(
            report.time,
            _record.bits(report.faults, last, text),
            report.moving,
            self._robot.link_names[report.base_link],
            report.base_fraction,
            report.energy,
        )

    @property
    def standing(self) -> StandingReport:
        """How the robot stands in the last step; zeros for one that does not."""
        r = call(lib.atemi_coordination_standing, self._handle)
        joint = self._robot.joint_names[r.joint] if r.effort > 0 else None
        return StandingReport(r.missing, r.capture, r.drift, r.effort, joint)

    def contact_wrench(self, contact: int) -> NDArray[np.float64]:
        """(6,) force and moment that a contact bears as commanded, along its frame's axes."""
        if contact not in range(self._contact_count):
            raise IndexError(f"contact {contact} of {self._contact_count}")
        f = call(lib.atemi_coordination_contact_wrench, self._handle, contact)
        parts = f.linear, f.angular
        return np.array([getattr(part, axis) for part in parts for axis in "xyz"])

    @property
    def posture(self) -> NDArray[np.float64]:
        """(nq,) the commanded posture, with the base where the base frame puts it."""
        q = call(lib.atemi_coordination_posture, self._handle)
        return np.frombuffer(ffi.buffer(q, 8 * self._robot.nq)).copy()

    @property
    def goals(self) -> tuple[Goal, ...]:
        """What was asked for, and how that ended: the newest 64."""
        log = call(lib.atemi_coordination_goals, self._handle)
        records = (lib.atemi_goal_log_find(log, i + 1) for i in range(log.last))
        return tuple(self._goal(record) for record in records if record)

    def _goal(self, record: Any) -> Goal:
        return Goal(
            record.id,
            _MOTIONS[record.motion],
            decode(lib.atemi_goal_outcome_text(record.outcome)),
            self._robot.joint_names[record.joint] if record.joint >= 0 else None,
            record.begun,
            record.ended,
            record.done,
            record.position,
            record.rotation,
        )

    # ---- Motions

    def move_joints(
        self,
        targets: Mapping[str, float],
        *,
        velocities: Mapping[str, float] | None = None,
        duration: float = 0.0,
        source: str = "user",
    ) -> None:
        """Moves joints, by name, so that all arrive together, in `duration` or as soon after as
        their bounds allow. `velocities` are those with which they arrive."""
        arrive = velocities or {}
        native = ffi.new(
            "atemi_joint_target[]",
            [
                (self._index(name), _arguments.number(name, position), arrive.get(name, 0.0))
                for name, position in targets.items()
            ],
        )
        self._command(lib.atemi_coordination_move_joints, source, native, len(targets), duration)

    def move_nodes(
        self,
        nodes: Sequence[Node],
        *,
        joints: Sequence[str] | None = None,
        posture: ArrayLike | None = None,
        source: str = "user",
        **motion: Unpack[NodeMotionOptions],
    ) -> None:
        """Moves nodes along straight lines, turning evenly, so that all arrive together.

        Parameters
        ----------
        joints : sequence of str, optional
            That may be used; all by default.
        posture : array_like, optional
            Of the joints, that is approached as far as the nodes leave it.
        **motion : NodeMotionOptions
            ``duration``, ``velocity`` and so on, see `atemi.options`.
        """
        how = _record.filled(
            "a motion of nodes", "atemi_node_motion", lib.atemi_node_motion_default(), motion
        )
        used = NULL if joints is None else self._marks(joints)
        wished = None if posture is None else self._sensed("posture", posture)
        how.joints, how.posture = used, NULL if wished is None else doubles(wished)
        targets = ffi.new("atemi_node_target[]", len(nodes))
        for target, node in zip(targets, nodes):
            self._aim(target, node)
        self._command(lib.atemi_coordination_move_nodes, source, targets, len(nodes), how)

    def _marks(self, joints: Sequence[str]) -> Any:
        marks = ffi.new("bool[]", len(self._robot.joint_names))
        for name in joints:
            marks[self._index(name)] = True
        return marks

    def _aim(self, target: Any, node: Node) -> None:
        target.link = self._robot._link(node.link)
        _record.place(target.frame, *node.frame)
        _record.place(target.target, *node.target)
        if len(node.priority) != _AXES:
            raise ValueError(f"priority must have {_AXES} entries, got {node.priority!r}")
        for axis, priority in enumerate(node.priority):
            _arguments.choice("priority", priority, list(_PRIORITIES))
            target.priority[axis] = _PRIORITIES[priority]
        force = np.zeros(_AXES)
        for axis, value in (node.force or {}).items():
            if axis not in range(_AXES):
                raise ValueError(f"force is by the number of an axis, 0 to 5, got {axis!r}")
            force[axis] = _arguments.number("force", value)
            target.force_axes |= 1 << axis
        target.force = (tuple(force[:3].tolist()), tuple(force[3:].tolist()))

    def follow(self, joints: Sequence[str], positions: ArrayLike, *, source: str = "user") -> None:
        """Lets joints follow breadcrumbs, a row of `positions` a step, past trajectory generation.

        More of the same joints may be added before the last is taken.
        """
        crumbs = np.atleast_2d(np.asarray(positions, dtype=np.float64))
        if len(set(joints)) < len(joints) or 0 in (len(joints), len(crumbs)):
            raise ValueError("give at least one joint, none of them twice, and a row of positions")
        crumbs = _arguments.array("positions", crumbs, (len(crumbs), len(joints)))
        numbers = ffi.new("int[]", [self._index(name) for name in joints])
        rows = doubles(crumbs), len(crumbs)
        self._command(lib.atemi_coordination_follow, source, numbers, len(joints), *rows)

    def stop(self) -> None:
        """Stops all joints softly. Anyone may."""
        call(lib.atemi_coordination_stop, self._handle)

    def heartbeat(self) -> None:
        """Says that whoever commands is still there."""
        call(lib.atemi_coordination_heartbeat, self._handle)

    def resume(self) -> None:
        """Ends what a diverging interaction did: joints get their stiffness back, step by step."""
        call(lib.atemi_coordination_resume, self._handle)

    # ---- Dynamics; a joint of None is all of them

    def set_dynamics(
        self,
        natural_frequency: float,
        damping_ratio: float,
        *,
        joint: str | None = None,
        source: str = "user",
    ) -> None:
        """Sets how a joint shall swing, rad/s and the ratio; all joints by default."""
        dynamics = (float(natural_frequency), float(damping_ratio))
        self._command(lib.atemi_coordination_set_dynamics, source, self._index(joint), dynamics)

    def set_integral(self, rate: float, *, joint: str | None = None, source: str = "user") -> None:
        """Sets the integral per stiffness, 1/s; 0 turns it off."""
        self._command(lib.atemi_coordination_set_integral, source, self._index(joint), float(rate))

    def set_torque_limit(
        self, limit: float, *, joint: str | None = None, source: str = "user"
    ) -> None:
        """Sets the limit of feedback torques, N m. Of user's and supervisor's the lower counts."""
        self._command(
            lib.atemi_coordination_set_torque_limit, source, self._index(joint), float(limit)
        )

    def set_gravity(self, scale: float, *, joint: str | None = None, source: str = "user") -> None:
        """Sets the scale of gravity torques: 1 on Earth, 0 in orbit."""
        self._command(lib.atemi_coordination_set_gravity, source, self._index(joint), float(scale))

    def set_base(self, link: str, pose: Pose | None = None, *, source: str = "user") -> None:
        """Fixes another link to the world, where it is commanded to be or at `pose`."""
        native = NULL
        if pose is not None:
            native = ffi.new("atemi_transform *")
            _record.place(native[0], *pose)
        self._command(lib.atemi_coordination_set_base, source, self._robot._link(link), native)

    def set_mode(self, mode: str) -> None:
        """Sets who may command: ``"shared"``, ``"user"`` or ``"supervisor"``."""
        _arguments.choice("mode", mode, list(_MODES))
        call(lib.atemi_coordination_set_mode, self._handle, _MODES[mode])

    def _command(self, function: Any, source: str, *arguments: Any) -> None:
        """Raises `Error` where it is refused; everything then goes on as before."""
        _arguments.choice("source", source, list(_SOURCES))
        check(function, self._handle, _SOURCES[source], *arguments, stacklevel=3)

