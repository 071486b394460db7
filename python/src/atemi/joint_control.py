# SPDX-License-Identifier: Apache-2.0
"""Multi-Loop control of one joint, tick by tick, and a joint to try it on."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from . import _arguments, _record
from ._library import NULL, call, check, decode, ffi, lib

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from .options import JointControlOptions, JointPlantOptions

_LEVELS = {
    "voltage": lib.ATEMI_JOINT_VOLTAGE,
    "current": lib.ATEMI_JOINT_CURRENT,
    "velocity": lib.ATEMI_JOINT_VELOCITY,
    "torque": lib.ATEMI_JOINT_TORQUE,
    "impedance": lib.ATEMI_JOINT_IMPEDANCE,
    "position": lib.ATEMI_JOINT_POSITION,
}
_LEVEL_NAMES = {number: name for name, number in _LEVELS.items()}


@dataclass(frozen=True)
class JointCommand:
    """What a joint is to do. Only what its level reads counts; limp where nothing is said.

    >>> JointCommand(position=0.5, stiffness=1000, damping=50).level
    'impedance'
    """

    level: str = "impedance"
    """Where it enters: ``"voltage"``, ``"current"``, ``"velocity"``, ``"torque"``, ``"impedance"``
    or ``"position"``."""
    direct_torque: bool = False
    """Torque and impedance commands go to the current loop at once. Joints without spring take
    them in this way only."""
    voltage: float = 0.0
    current: float = 0.0
    torque: float = 0.0
    position: float = 0.0
    velocity: float = 0.0
    acceleration: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0
    integral: float = 0.0
    windup_limit: float = math.inf
    feedback_limit: float = math.inf
    inertia_torque: float = 0.0
    gravity_torque: float = 0.0
    speed_limit: float = math.inf

    def __post_init__(self) -> None:
        _arguments.choice("level", self.level, list(_LEVELS))

    def _native(self) -> Any:
        return ffi.new("atemi_joint_command *", {**asdict(self), "level": _LEVELS[self.level]})

    @classmethod
    def _of(cls, record: Any) -> JointCommand:
        fields = _record.plain(record)
        return cls(**{**fields, "level": _LEVEL_NAMES[fields["level"]]})


class JointMeasurement(NamedTuple):
    """What is sensed at a tick."""

    motor_position: float
    """rad of the motor, counted so that without torque it is gear times joint."""
    joint_position: float = 0.0
    """rad, behind the spring; not read where there is none."""
    current: float = 0.0
    """A, that makes torque; not read without current sensing."""


class JointOutput(NamedTuple):
    """What comes of a tick. Demands of loops that were left out are 0."""

    voltage: float
    """V."""
    duty: float
    """Voltage per bus voltage, -1 .. 1: PWM."""
    current_demand: float
    """A, for a driver that has a current loop of its own."""
    velocity_demand: float
    """Of the motor, rad/s."""
    torque_demand: float
    """N m."""
    feedback_torque: float
    """The part of the demand that is limited, N m."""
    torque: float
    """Of the spring, as sensed; without spring, of the current, N m."""
    joint_velocity: float
    """As tracked, rad/s."""
    motor_velocity: float
    """As tracked, rad/s."""
    state: str
    """``"ok"``, ``"warning"`` or ``"safe stop"``."""
    faults: tuple[str, ...]
    """Of this tick, in words."""


def _default(rigid: bool, given: Mapping[str, Any]) -> Any:
    """The default options, made for the period that is given."""
    options = (
        lib.atemi_joint_control_options_rigid()
        if rigid
        else lib.atemi_joint_control_options_default()
    )
    period = given.get("period")
    is_one = isinstance(period, (int, float)) and 0.0 < period < math.inf
    return (
        lib.atemi_joint_control_options_at(ffi.new("atemi_joint_control_options *", options), period)
        if is_one
        else options
    )


def _faults(number: int) -> tuple[str, ...]:
    return _record.bits(number, lib.ATEMI_JOINT_TORQUE_CONTRADICTED, lib.atemi_joint_fault_text)


class JointControl:
    """Multi-Loop control of one joint: impedance, torque, velocity and current loop.

    >>> plant, control = JointPlant(), JointControl()
    >>> command = JointCommand(position=0.1, stiffness=4000, damping=480)
    >>> for tick in range(5000):                                # a second at 5 kHz
    ...     output = control.step(plant.measure(), command)
    ...     plant.apply(output.voltage)
    ...     plant.advance(0.0002)
    >>> output.state, abs(plant.joint_position - 0.1) < 0.002
    ('ok', True)

    Parameters
    ----------
    rigid : bool
        Whether the joint has no series spring; the other defaults are then those of a wrist joint
        of r2_like at 500 Hz in place of a leg joint at 5 kHz.
    **options : JointControlOptions
        ``period``, ``current_bandwidth`` and so on, and ``drive``, a dictionary; see
        `atemi.options`.

    Raises
    ------
    Error
        A figure cannot be, or a bandwidth is too high for the period.
    """

    def __init__(self, *, rigid: bool = False, **options: Unpack[JointControlOptions]) -> None:
        default = _default(rigid, {})
        kind = "atemi_joint_control_options"
        record = _record.filled("the joint control", kind, default, options)
        self._control = ffi.new("atemi_joint_control *")
        check(lib.atemi_joint_control_start, record, self._control, stacklevel=2)
        self._options: dict[str, Any] = _record.plain(record[0])
        self._measurement = ffi.new("atemi_joint_measurement *")
        self._output = ffi.new("atemi_joint_output *")

    @property
    def options(self) -> dict[str, Any]:
        """All options, by name."""
        return dict(self._options)

    def step(
        self, measurement: JointMeasurement, command: JointCommand | None = None
    ) -> JointOutput:
        """One tick. Without a command the one before goes on; readings may be NaN."""
        sensed = self._measurement
        sensed.motor_position, sensed.joint_position, sensed.current = measurement
        given = NULL if command is None else command._native()
        call(lib.atemi_joint_control_step, self._control, sensed, given, self._output)
        fields = _record.plain(self._output[0])
        fields["state"] = decode(lib.atemi_joint_state_text(fields["state"]))
        fields["faults"] = _faults(fields["faults"])
        return JointOutput(**fields)

    def restart(self) -> None:
        """Ends a safe stop: forgets command, faults and what was tracked."""
        call(lib.atemi_joint_control_restart, self._control)

    @property
    def history(self) -> tuple[str, ...]:
        """All faults since the start, in words: what restarts forgot too."""
        return _faults(lib.atemi_joint_control_history(self._control))


def _count(given: int) -> int:
    count = operator.index(given)
    if count < 1:
        raise ValueError(f"count must be 1 or more, not {count}")
    return count


def _shared(records: Any) -> NDArray[Any]:
    """An array of structs as a structured array over the same memory."""
    kind = ffi.typeof(records).item
    formats = {"double": "f8", "_Bool": "?", "unsigned int": "u4", "int": "i4"}
    fields = [
        (name, formats["int" if field.type.kind == "enum" else field.type.cname], field.offset)
        for name, field in kind.fields
    ]
    names, types, offsets = zip(*fields)
    layout = np.dtype(
        {
            "names": list(names),
            "formats": list(types),
            "offsets": list(offsets),
            "itemsize": int(ffi.sizeof(kind)),
        }
    )
    return np.frombuffer(ffi.buffer(records), dtype=layout)


class JointControls:
    """All joints of a robot in one call a tick, by arrays that are written and read in place.

    >>> joints = JointControls(29, period=0.001, takes_torque=True)
    >>> joints.commands["stiffness"] = 100.0
    >>> joints.commands["position"] = 0.01
    >>> for tick in range(2):
    ...     joints.measurements["joint_position"] = 0.0         # as your robot measures it
    ...     joints.step(commanded=True)
    >>> torques = joints.outputs["torque_demand"]               # for your robot
    >>> torques.shape, float(torques[28])
    ((29,), 1.0)

    Parameters
    ----------
    count : int
        Of joints.
    rigid : bool
        As of `JointControl`.
    each : sequence of mappings, optional
        Options of each joint that differ from those of all.
    **options : JointControlOptions
        As of `JointControl`. With ``period``, bandwidths that are not given are lowered to what it
        allows.

    Raises
    ------
    Error
        A figure cannot be, or a bandwidth is too high for the period.
    """

    def __init__(
        self,
        count: int,
        *,
        rigid: bool = False,
        each: Sequence[Mapping[str, Any]] | None = None,
        **options: Unpack[JointControlOptions],
    ) -> None:
        self._count = _count(count)
        if each is not None and len(each) != self._count:
            raise ValueError(f"each has options of {len(each)} joints, not of {self._count}")
        self._controls = ffi.new("atemi_joint_control[]", self._count)
        for i in range(self._count):
            given = {**options, **(each[i] if each is not None else {})}
            record = _record.filled(
                "the joint control", "atemi_joint_control_options", _default(rigid, given), given
            )
            check(lib.atemi_joint_control_start, record, self._controls + i, stacklevel=2)
        self._measured = ffi.new("atemi_joint_measurement[]", self._count)
        self._commanded = ffi.new("atemi_joint_command[]", self._count)
        self._answered = ffi.new("atemi_joint_output[]", self._count)
        for i in range(self._count):
            self._commanded[i] = lib.atemi_joint_command_default()
        self._measurements = _shared(self._measured)
        self._commands = _shared(self._commanded)
        self._outputs = _shared(self._answered)

    @property
    def measurements(self) -> NDArray[Any]:
        """To be written before a step: fields of `JointMeasurement`, an entry for each joint."""
        return self._measurements

    @property
    def commands(self) -> NDArray[Any]:
        """To be written before a step: fields of `JointCommand`; ``level`` is one of `levels`."""
        return self._commands

    @property
    def outputs(self) -> NDArray[Any]:
        """Of the last step: fields of `JointOutput`; ``state`` is 0 for ok, 1 for a warning, 2
        for a safe stop, ``faults`` a set of bits."""
        return self._outputs

    levels: ClassVar[Mapping[str, int]] = MappingProxyType(_LEVELS)
    """The numbers of the levels of commands, by name."""

    def step(self, *, commanded: bool = False) -> None:
        """One tick of all joints. Without commands, those before go on; readings may be NaN."""
        lib.atemi_joint_controls_step(
            self._controls,
            self._measured,
            self._commanded if commanded else NULL,
            self._count,
            self._answered,
        )

    def restart(self, joint: int) -> None:
        """Ends the safe stop of a joint: forgets command, faults and what was tracked."""
        call(lib.atemi_joint_control_restart, self._controls + self._index(joint))

    def faults(self, joint: int) -> tuple[str, ...]:
        """The faults of a joint in the last step, in words."""
        return _faults(int(self._outputs["faults"][self._index(joint)]))

    def _index(self, joint: int) -> int:
        return range(self._count)[joint]


class JointPlant:
    """A joint to be controlled, simulated: motor, gear, spring, link, and sensors with noise.

    Parameters
    ----------
    rigid : bool
        Whether it has no series spring: a wrist joint of r2_like in place of a leg joint.
    **options : JointPlantOptions
        ``link_inertia``, ``seed`` and so on, and ``drive``, a dictionary; see `atemi.options`.

    Raises
    ------
    Error
        A figure cannot be.
    """

    def __init__(self, *, rigid: bool = False, **options: Unpack[JointPlantOptions]) -> None:
        default = (
            lib.atemi_joint_plant_options_rigid()
            if rigid
            else lib.atemi_joint_plant_options_default()
        )
        record = _record.filled("the joint", "atemi_joint_plant_options", default, options)
        self._plant = ffi.new("atemi_joint_plant *")
        check(lib.atemi_joint_plant_start, record, self._plant, stacklevel=2)

    def apply(self, voltage: float) -> None:
        """Gives the bridge its voltage for a tick, V."""
        lib.atemi_joint_plant_apply(self._plant, _arguments.number("voltage", voltage))

    def advance(self, duration: float, load: float = 0.0) -> None:
        """Goes on by `duration` s, the link moved by the drive and by `load`, N m."""
        duration, load = _arguments.number("duration", duration), _arguments.number("load", load)
        call(lib.atemi_joint_plant_advance, self._plant, duration, load)

    def measure(self) -> JointMeasurement:
        """What the sensors show now, with their noise and steps."""
        sensed = ffi.new("atemi_joint_measurement *")
        call(lib.atemi_joint_plant_measure, self._plant, sensed)
        return JointMeasurement(sensed.motor_position, sensed.joint_position, sensed.current)

    @property
    def joint_position(self) -> float:
        """rad, as it really is."""
        return float(self._plant.joint_position)

    @property
    def joint_velocity(self) -> float:
        """rad/s, as it really is."""
        return float(self._plant.joint_velocity)

    @property
    def torque(self) -> float:
        """Of the spring on the link, N m; 0 where there is none."""
        return float(lib.atemi_joint_plant_torque(self._plant))
