# SPDX-License-Identifier: Apache-2.0
"""A simulated robot, a step at a time: for controllers that run in Python."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import (
    NULL,
    array_of,
    call,
    check,
    decode,
    doubles,
    ffi,
    forces,
    lib,
    load,
    on_arena,
    set_aside,
    values,
)
from ._world import Contacts, World, gains
from .contact_point import MODE_NAMES, STATE
from .loops import Loop, LoopStates
from .robot import Robot
from .shapes import NativeShapes
from .surfaces import Plane, Surface

Array = NDArray[np.float64]
Torque = Callable[[float, Array, Array], ArrayLike]


class ContactStates(NamedTuple):
    """All contact points of a simulation at an instant, one row each; of shapes the places where
    they touch or soon may."""

    names: tuple[str, ...]
    """Of points; of places of shapes \"FIRST on SECOND\", links or \"surface 0\"."""
    modes: tuple[str, ...]
    """``"open"``, ``"stick"``, ``"slip"`` or ``"soft"``."""
    gaps: Array
    """(n,) above the surface, m."""
    positions: Array
    """(n, 3) in the world, m."""
    normals: Array
    """(n, 3) of the surface there, towards the robot; of two shapes towards the first."""
    forces: Array
    """(n, 3) on the point or the first shape, world axes, N; by steps the average over the last
    one."""


class SimulationEvent(NamedTuple):
    """Something that happened at an instant."""

    time: float
    kind: str
    """``"touchdown"``, ``"lift-off"``, ``"slip"``, ``"stick"``, ``"rest"``, ``"jam"``, ``"stop"``,
    ``"joint stick"``, ``"joint slip"``."""
    contact: Optional[str]
    """The contact point, or the pair of shapes, that it happened to."""
    joint: Optional[str]
    """The joint that reached its stop, or whose dry friction holds or gives way."""
    speed: float
    """Of approach, m/s or rad/s."""
    impulse: tuple[float, float, float]
    """On the robot, world axes, N s."""


class InertialMeasurement(NamedTuple):
    """What an inertial measurement unit measures, in its own axes; of a batch a row a world."""

    specific_force: Array
    """(3,) acceleration less gravity, m/s^2: at rest, 9.81 upwards."""
    angular_velocity: Array
    """(3,) rad/s."""


class Simulation:
    """A simulated robot that touches the world, a step at a time.

    >>> import atemi
    >>> robot = atemi.Robot.shipped("hrp2_like")
    >>> sim = atemi.Simulation(robot, method="steps", step=1e-3)
    >>> sim.reset(sim.placed(robot.posture("half_sitting")))
    >>> sim.hold(sim.q, stiffness=8000.0, damping=80.0)
    >>> for _ in range(100):
    ...     sim.step()
    >>> round(sim.time, 6), sim.contacts.modes[0]
    (0.1, 'stick')

    Parameters
    ----------
    robot : Robot
    contacts : "sites", "shapes", Shapes, iterable or None
        What may touch the surfaces: all sites of the robot; its collision shapes, which then touch
        each other as well (with options: `Shapes`); names of sites and `ContactPoint` objects; or
        nothing. By the method of events shapes must be balls and capsules, and a run ends where two
        capsules touch side by side.
    method : {"steps", "events"}
        Fixed steps, fast; or exact, with every contact event located in time.
    step : float
        s.
    surfaces : sequence of Plane, Sphere, Cylinder, Heights
        The world; the floor z = 0 if missing. Sites touch the first one.
    friction, restitution : float
        Of contacts that do not have their own.
    torque : callable, optional
        ``torque(time, q, v)`` returns joint torques (nv,), on top of those of `step`. Called several
        times a step by the method of events, once by the method of steps.
    on_event : callable, optional
        ``on_event(event)`` is called with every `SimulationEvent`.
    joint_friction, joint_stops, effort_limits : bool
        Whether the model's joint friction and damping act, joints stop at their limits, and torques
        are cut to the joints' effort limits.
    stop_restitution : float
        Of joints that reach a stop, 0 to 1.
    slowest_bounce : float
        m/s: slower contacts do not bounce.
    integrator : {"rk4", "adaptive"}
        Of the method of events; `tolerance` is that of the adaptive one.
    loops : sequence of Loop
        Links that are joined beside the tree of joints, besides those of the robot's file.

    Notes
    -----
    ``q``, ``v`` and ``a`` are read-only views of the state: copy what you want to keep. The same
    inputs give the same bits. Not to be used by two threads at once.
    """

    def __init__(
        self,
        robot: Robot,
        contacts: Contacts = "sites",
        *,
        method: str = "steps",
        step: float = 1e-3,
        surfaces: Sequence[Surface] = (Plane(),),
        friction: float = 0.8,
        restitution: float = 0.0,
        torque: Torque | None = None,
        on_event: Callable[[SimulationEvent], Any] | None = None,
        joint_friction: bool = True,
        joint_stops: bool = True,
        stop_restitution: float = 0.0,
        effort_limits: bool = False,
        slowest_bounce: float = 1e-3,
        integrator: str = "rk4",
        tolerance: float = 1e-9,
        loops: Sequence[Loop] = (),
    ) -> None:
        self._robot = robot
        self._torque, self._on_event = torque, on_event
        self._raised: BaseException | None = None
        self._world = World(
            robot,
            contacts,
            method=method,
            step=step,
            surfaces=surfaces,
            friction=friction,
            restitution=restitution,
            joint_friction=joint_friction,
            joint_stops=joint_stops,
            stop_restitution=stop_restitution,
            effort_limits=effort_limits,
            slowest_bounce=slowest_bounce,
            integrator=integrator,
            tolerance=tolerance,
            loops=loops,
        )
        self._names = self._world.names
        self._take_inputs()
        self._handle = load(
            lib.atemi_simulation_create,
            *self._world.arguments,
            ffi.new("atemi_simulation_hooks *", lib.atemi_held_inputs_hooks(self._held)),
            kind="atemi_simulation",
            stacklevel=2,
        )
        self._error = ffi.new("atemi_error *")
        self._states = ffi.new("atemi_point_state[]", max(len(self._names), 1))
        self._q = self._view(lib.atemi_simulation_q, robot.nq)
        self._v = self._view(lib.atemi_simulation_v, robot.nv)
        self._a = self._view(lib.atemi_simulation_a, robot.nv)
        self._is_started = False

    # ---- Running

    def reset(self, q: ArrayLike, v: ArrayLike | None = None, time: float = 0.0) -> None:
        """Puts the robot somewhere; at rest without v. Held torques, servos and external forces
        stay as they are."""
        q = self._robot._configuration("q", q)
        v = np.zeros(self._robot.nv) if v is None else self._robot._vector("v", v)
        start = _arguments.number("time", time)
        with self._listening():
            check(
                lib.atemi_simulation_start,
                self._handle,
                start,
                doubles(q),
                doubles(v),
                stacklevel=2,
            )
        self._is_started = True

    def placed(self, q: ArrayLike, surface: int = 0) -> Array:
        """(nq,) as q, but with the base shifted against gravity until the lowest contact point
        touches the surface."""
        return self._world.placed(q, surface)

    def step(self, tau: ArrayLike | None = None, count: int = 1) -> None:
        """Simulates `count` steps with the joint torques tau (nv,), on top of servos and of the
        callback `torque`; without tau, with none."""
        self._require_start()
        held = NULL if tau is None else doubles(self._robot._vector("tau", tau))
        with self._listening():
            for _ in range(count):
                if lib.atemi_simulation_step(self._handle, held, self._error) or self._raised:
                    self._fail()

    def run(self, until: float) -> None:
        """Simulates until a time, s, with servos, external forces and the callback `torque`."""
        self._require_start()
        end = _arguments.number("until", until)
        with self._listening():
            check(lib.atemi_simulation_run, self._handle, end, stacklevel=2)

    def save(self) -> bytes:
        """All that the future depends on: `restore` continues from here with the same bits."""
        size = lib.atemi_simulation_saved_size(self._handle)
        saved = ffi.new("char[]", size)
        lib.atemi_simulation_save(self._handle, saved)
        return bytes(ffi.buffer(saved, size))

    def restore(self, saved: bytes) -> None:
        """Goes back to where `save` was called, in this simulation or in one made alike."""
        size = lib.atemi_simulation_saved_size(self._handle)
        if len(saved) != size:
            raise ValueError(
                f"saved must have {size} bytes, of a simulation made alike, got {len(saved)}"
            )
        lib.atemi_simulation_restore(self._handle, ffi.from_buffer(saved))
        self._is_started = True

    # ---- Inputs

    def hold(
        self,
        q: ArrayLike,
        stiffness: ArrayLike,
        damping: ArrayLike,
        v: ArrayLike | None = None,
    ) -> None:
        """Servos from now on: torques stiffness (q - q_now) + damping (v - v_now) at every joint
        with one coordinate, N m/rad and N m s/rad, numbers or arrays (nv,). The method of steps
        takes them implicitly: they are stable, however stiff."""
        robot = self._robot
        self._targets[:] = self._world.joint_coordinates(robot._configuration("q", q))
        self._velocities[:] = 0.0 if v is None else robot._vector("v", v)
        self._stiffness[:] = gains("stiffness", stiffness, (robot.nv,))
        self._damping[:] = gains("damping", damping, (robot.nv,))

    def apply_force(self, link: str, force: ArrayLike) -> None:
        """An external force on a link from now on: (force, moment), 6 numbers in world axes at the
        link's origin, N and N m. Zero ends it."""
        self._external[self._robot._link(link)] = _arguments.array("force", force, (6,))

    # ---- The state

    @property
    def robot(self) -> Robot:
        """The robot."""
        return self._robot

    @property
    def time(self) -> float:
        """s."""
        return float(lib.atemi_simulation_time(self._handle))

    @property
    def timestep(self) -> float:
        """The length of a step, s."""
        return self._world.step

    @property
    def q(self) -> Array:
        """(nq,) a view."""
        return self._q

    @property
    def v(self) -> Array:
        """(nv,) a view."""
        return self._v

    @property
    def a(self) -> Array:
        """(nv,) a view of the accelerations; by the method of steps the average over the last."""
        return self._a

    @property
    def contacts(self) -> ContactStates:
        """The contact points."""
        lib.atemi_simulation_points_get(self._handle, self._states)
        table = np.frombuffer(ffi.buffer(self._states), dtype=STATE, count=len(self._names))
        if self._world.shapes:
            return self._touches(self._world.shapes)
        return ContactStates(
            self._names,
            tuple(MODE_NAMES[mode] for mode in table["mode"].tolist()),
            table["gap"].copy(),
            table["position"].copy(),
            table["normal"].copy(),
            table["force"].copy(),
        )

    @property
    def loops(self) -> LoopStates:
        """The closed loops, those of the robot's file first."""
        count = lib.atemi_simulation_loop_count(self._handle)
        seen = [lib.atemi_simulation_loop(self._handle, i) for i in range(count)]
        rows = [values(of.force) for of in seen]
        return LoopStates(
            tuple(decode(of.loop.name) for of in seen),
            np.array(rows, dtype=float).reshape(count, 6),
            np.array([of.opening for of in seen]),
        )

    @property
    def stop_torques(self) -> Array:
        """(nv,) of the joint stops, over the last step."""
        return self._view(lib.atemi_simulation_stop_torques, self._robot.nv).copy()

    @property
    def friction_torques(self) -> Array:
        """(nv,) of the joints' dry friction, over the last step."""
        return self._view(lib.atemi_simulation_friction_torques, self._robot.nv).copy()

    @property
    def ledger(self) -> dict[str, Any]:
        """What has acted since the start: impulses, N s, and work, J, by name."""
        return _record.plain(lib.atemi_simulation_ledger_get(self._handle))

    @property
    def statistics(self) -> dict[str, Any]:
        """What it took since the start: steps, events, deepest penetration, ..., by name."""
        return _record.plain(lib.atemi_simulation_statistics_get(self._handle))

    # ---- Sensors

    def imu(
        self,
        link: str,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
    ) -> InertialMeasurement:
        """What an inertial measurement unit on a link measures, without noise.

        `position` and `rotation` (3, 3) are its place in the link's frame.
        """
        place = ffi.new("atemi_transform *")
        _record.place(place, np.eye(3) if rotation is None else rotation, position)
        reading = call(lib.atemi_simulation_imu, self._handle, self._robot._link(link), place)
        return InertialMeasurement(
            values(reading.specific_force), values(reading.angular_velocity)
        )

    def contact_forces(self) -> Array:
        """(len(robot.link_names), 6) of all contacts on each link: force, N, and moment about the
        link's origin, N m, world axes."""
        forces_on = np.empty((len(self._robot.link_names), 6))
        call(lib.atemi_simulation_contact_forces, self._handle, forces(forces_on))
        return forces_on

    def joint_wrenches(self) -> Array:
        """(len(robot.joint_names), 6) what load cells in the joints measure, as
        `Robot.joint_wrenches`."""
        robot = self._robot
        every = np.empty((lib.atemi_model_joint_count(robot._model), 6))
        call(lib.atemi_simulation_wrenches, self._handle, forces(every))
        return every[[index for index, _ in robot._joints]]

    def site_force(self, site: str) -> Array:
        """(6,) force, N, and moment about the site's origin, N m, of the world on a site, world
        axes: what a force sensor below a foot measures."""
        states, about = self.contacts, self._world.site(site)
        rotation, origin = self._robot.link_pose(self._q, about.link)
        rows = self._world.rows_of(site)
        arms = states.positions[rows] - (origin + rotation @ about.position)
        pressed = states.forces[rows]
        return np.concatenate([pressed.sum(axis=0), np.cross(arms, pressed).sum(axis=0)])

    # ---- Between the two languages

    def _touches(self, shapes: NativeShapes) -> ContactStates:
        count = lib.atemi_simulation_touch_count(self._handle)
        seen = [lib.atemi_simulation_touch(self._handle, i) for i in range(count)]

        def column(name: str) -> Array:
            rows = [values(getattr(touch, name)) for touch in seen]
            return np.array(rows, dtype=float).reshape(count, 3)

        return ContactStates(
            tuple(shapes.name_of(touch) for touch in seen),
            tuple(MODE_NAMES[touch.mode] for touch in seen),
            np.array([touch.gap for touch in seen], dtype=float),
            column("position"),
            column("normal"),
            column("force"),
        )

    def _name_of(self, event: Any) -> str | None:
        if event.touch and self._world.shapes:
            return self._world.shapes.name_of(event.touch)
        return self._names[event.point] if event.point >= 0 else None

    def _take_inputs(self) -> None:
        robot = self._robot
        self._arena, inputs = on_arena(lib.atemi_held_inputs_take, robot._model, stacklevel=3)
        held = ffi.new("atemi_held_inputs *", inputs)
        self._context = ffi.new_handle(self)
        held.also.context = self._context
        held.also.goes_on = lib.atemi_python_goes_on
        if self._torque:
            held.also.torque = lib.atemi_python_torque
        if self._on_event:
            held.also.event = lib.atemi_python_event
        self._held = held
        self._stiffness = array_of(held.stiffness, robot.nv)
        self._damping = array_of(held.damping, robot.nv)
        self._targets = array_of(held.target, robot.nv)
        self._velocities = array_of(held.target_velocity, robot.nv)
        links = len(robot.link_names)
        self._external = array_of(ffi.cast("double *", held.external), 6 * links).reshape(links, 6)

    def _view(self, function: Callable[[Any], Any], count: int) -> Array:
        view = array_of(function(self._handle), count)
        view.setflags(write=False)
        return view

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """While C runs: what callbacks raise is raised when it has returned."""
        outer, _running.simulation, self._raised = _running.simulation, self, None
        try:
            yield
        finally:
            _running.simulation = outer
        if self._raised:
            raised, self._raised = self._raised, None
            raise raised

    def _require_start(self) -> None:
        if not self._is_started:
            raise ValueError("the simulation has no state yet: call reset(q) first")

    def _fail(self) -> None:
        if not self._raised:
            check(lambda error: _again(self._error, error), stacklevel=3)


class _Running(threading.local):
    simulation: Simulation | None = None  # the innermost one that this thread runs


_running = _Running()


def _again(known: Any, error: Any) -> int:
    """Hands a failure on that is known already."""
    error[0] = known[0]
    return int(known.status)


def _remember(kind: Any, raised: BaseException, traceback: Any) -> None:
    """Ctrl-C may come on the way to a callback as well, where there is no traceback."""
    if _running.simulation is not None:
        _running.simulation._raised = raised


@ffi.def_extern(onerror=_remember)  # type: ignore[untyped-decorator, unused-ignore]
def atemi_python_torque(context: Any, time: float, q: Any, v: Any, tau: Any) -> None:
    simulation = ffi.from_handle(context)
    robot = simulation._robot
    if simulation._raised:
        return
    with set_aside():
        torques = simulation._torque(time, array_of(q, robot.nq).copy(), array_of(v, robot.nv).copy())
        array_of(tau, robot.nv)[:] += robot._vector("torque", torques)


@ffi.def_extern(onerror=_remember)  # type: ignore[untyped-decorator, unused-ignore]
def atemi_python_event(context: Any, event: Any) -> None:
    simulation = ffi.from_handle(context)
    with set_aside():
        simulation._on_event(
            SimulationEvent(
                event.time,
                decode(lib.atemi_event_kind_text(event.kind)),
                simulation._name_of(event),
                _joint_name(simulation._robot, event),
                event.speed,
                (event.impulse.x, event.impulse.y, event.impulse.z),
            )
        )


@ffi.def_extern(onerror=_remember)  # type: ignore[untyped-decorator, unused-ignore]
def atemi_python_goes_on(context: Any) -> bool:
    return ffi.from_handle(context)._raised is None


def _joint_name(robot: Robot, event: Any) -> str | None:
    if event.kind < lib.ATEMI_EVENT_STOP:
        return None
    return decode(lib.atemi_model_joint(robot._model, event.joint).name)
