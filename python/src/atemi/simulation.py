# SPDX-License-Identifier: Apache-2.0
"""A simulated robot, a step at a time: for controllers that run in Python."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import NULL, call, check, decode, doubles, ffi, forces, lib, load, set_aside, values
from .errors import not_found
from .robot import Robot
from .surfaces import Plane, Surface, Surfaces

Array = NDArray[np.float64]
Torque = Callable[[float, Array, Array], ArrayLike]

_METHODS = {"steps": lib.ATEMI_METHOD_STEPS, "events": lib.ATEMI_METHOD_EVENTS}
_INTEGRATORS = {"rk4": lib.ATEMI_INTEGRATOR_RK4, "adaptive": lib.ATEMI_INTEGRATOR_ADAPTIVE}


@dataclass(frozen=True)
class ContactPoint:
    """A point of a link that may touch a surface.

    Parameters
    ----------
    link : str
        The name of the link.
    point : (3,) array_like
        In the link's frame, m.
    radius : float
        Of a ball about the point, m; 0 for the point itself.
    surface : int
        Which of the simulation's surfaces.
    friction, restitution : float, optional
        In place of the simulation's.
    name : str, optional
        In `Simulation.contacts`; default: the link's.
    """

    link: str
    point: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 0.0
    surface: int = 0
    friction: Optional[float] = None
    restitution: Optional[float] = None
    name: Optional[str] = None


Contacts = Union[str, Iterable[Union[str, ContactPoint]], None]


class ContactStates(NamedTuple):
    """All contact points of a simulation at an instant, one row each."""

    names: tuple[str, ...]
    modes: tuple[str, ...]
    """``"open"``, ``"stick"``, ``"slip"`` or ``"soft"``."""
    gaps: Array
    """(n,) above the surface, m."""
    positions: Array
    """(n, 3) in the world, m."""
    normals: Array
    """(n, 3) of the surface there, towards the robot."""
    forces: Array
    """(n, 3) of the world on the point, world axes, N; by steps the average over the last one."""


class SimulationEvent(NamedTuple):
    """Something that happened at an instant."""

    time: float
    kind: str
    """``"touchdown"``, ``"lift-off"``, ``"slip"``, ``"stick"``, ``"rest"``, ``"jam"``, ``"stop"``,
    ``"joint stick"``, ``"joint slip"``."""
    contact: Optional[str]
    """The contact point that it happened to."""
    joint: Optional[str]
    """The joint that reached its stop, or whose dry friction holds or gives way."""
    speed: float
    """Of approach, m/s or rad/s."""
    impulse: tuple[float, float, float]
    """On the robot, world axes, N s."""


class InertialMeasurement(NamedTuple):
    """What an inertial measurement unit measures, in its own axes."""

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
    contacts : "sites", iterable or None
        What may touch the surfaces: all sites of the robot; or names of sites and `ContactPoint`
        objects; or nothing.
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
    ) -> None:
        self._robot = robot
        self._torque, self._on_event = torque, on_event
        self._raised: BaseException | None = None
        self._surfaces = Surfaces(surfaces)
        self._names, self._points = _points(
            robot, contacts, len(self._surfaces.list), friction, restitution
        )
        options = _record.filled(
            "the simulation",
            "atemi_simulation_options",
            lib.atemi_simulation_options_default(),
            {
                "method": _METHODS[_arguments.choice("method", method, list(_METHODS))],
                "integrator": _INTEGRATORS[
                    _arguments.choice("integrator", integrator, list(_INTEGRATORS))
                ],
                "step": _arguments.number("step", step),
                "tolerance": _arguments.number("tolerance", tolerance),
                "joint_friction": bool(joint_friction),
                "joint_stops": bool(joint_stops),
                "stop_restitution": _arguments.number("stop_restitution", stop_restitution),
                "slowest_bounce": _arguments.number("slowest_bounce", slowest_bounce),
                "effort_limits": bool(effort_limits),
            },
        )
        self._step = float(options.step)
        self._take_inputs()
        self._handle = load(
            lib.atemi_simulation_create,
            robot._model,
            self._surfaces.native,
            len(self._surfaces.list),
            self._points,
            len(self._names),
            options,
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
        q = self._robot._configuration("q", q).copy()
        check(
            lib.atemi_place_on_surface,
            self._robot._data.of(),
            self._surfaces.native,
            self._points,
            len(self._names),
            self._surface(surface),
            doubles(q),
            stacklevel=2,
        )
        return q

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
        takes them implicitly: no servo is too stiff for it."""
        robot = self._robot
        target, full = np.zeros(robot.nv), robot._configuration("q", q)
        for _, joint in robot._joints:
            if joint.v_count == 1:
                target[joint.first_v] = full[joint.first_q]
        self._targets[:] = target
        self._velocities[:] = 0.0 if v is None else robot._vector("v", v)
        self._stiffness[:] = self._gains("stiffness", stiffness)
        self._damping[:] = self._gains("damping", damping)

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
        return self._step

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
        count = len(self._names)
        lib.atemi_simulation_points_get(self._handle, self._states)
        table = np.frombuffer(ffi.buffer(self._states), dtype=_STATE, count=count)
        return ContactStates(
            self._names,
            tuple(_MODE_NAMES[mode] for mode in table["mode"].tolist()),
            table["gap"].copy(),
            table["position"].copy(),
            table["normal"].copy(),
            table["force"].copy(),
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
        states, about = self.contacts, self._site(site)
        rotation, origin = self._robot.link_pose(self._q, about.link)
        centre = origin + rotation @ about.position
        rows = [i for i, name in enumerate(self._names) if name.rpartition(".")[0] == site]
        pressed, arms = states.forces[rows], states.positions[rows] - centre
        return np.concatenate([pressed.sum(axis=0), np.cross(arms, pressed).sum(axis=0)])

    # ---- Between the two languages

    def _take_inputs(self) -> None:
        robot, arena = self._robot, ffi.new("atemi_arena *")
        arena[0] = lib.atemi_arena_measuring()
        lib.atemi_held_inputs_take(arena, robot._model)
        check(lib.atemi_arena_create, arena, arena.used, stacklevel=3)
        self._arena = ffi.gc(arena, lib.atemi_arena_destroy)
        held = ffi.new("atemi_held_inputs *", lib.atemi_held_inputs_take(arena, robot._model))
        self._context = ffi.new_handle(self)
        held.also.context = self._context
        held.also.goes_on = lib.atemi_python_goes_on
        if self._torque:
            held.also.torque = lib.atemi_python_torque
        if self._on_event:
            held.also.event = lib.atemi_python_event
        self._held = held
        self._stiffness = _array(held.stiffness, robot.nv)
        self._damping = _array(held.damping, robot.nv)
        self._targets = _array(held.target, robot.nv)
        self._velocities = _array(held.target_velocity, robot.nv)
        links = len(robot.link_names)
        self._external = _array(ffi.cast("double *", held.external), 6 * links).reshape(links, 6)

    def _view(self, function: Callable[[Any], Any], count: int) -> Array:
        view = _array(function(self._handle), count)
        view.setflags(write=False)
        return view

    def _gains(self, name: str, value: ArrayLike) -> Array:
        gains = np.broadcast_to(np.asarray(value, dtype=float), (self._robot.nv,))
        gains = _arguments.array(name, gains, (self._robot.nv,))
        if (gains < 0.0).any():
            raise ValueError(f"{name} must not be negative, got {gains.min()}")
        return gains

    def _surface(self, index: int) -> int:
        if not 0 <= index < len(self._surfaces.list):
            raise ValueError(
                f"surface must be 0 to {len(self._surfaces.list) - 1}, got {index!r}"
            )
        return int(index)

    def _site(self, name: str) -> Any:
        for site in self._robot.sites:
            if site.name == name:
                return site
        raise not_found("site", name, self._robot.site_names)

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


def _array(pointer: Any, count: int) -> Array:
    if count == 0:
        return np.empty(0)
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=np.float64)


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
        torques = simulation._torque(time, _array(q, robot.nq).copy(), _array(v, robot.nv).copy())
        _array(tau, robot.nv)[:] += robot._vector("torque", torques)


@ffi.def_extern(onerror=_remember)  # type: ignore[untyped-decorator, unused-ignore]
def atemi_python_event(context: Any, event: Any) -> None:
    simulation = ffi.from_handle(context)
    with set_aside():
        simulation._on_event(
            SimulationEvent(
                event.time,
                decode(lib.atemi_event_kind_text(event.kind)),
                simulation._names[event.point] if event.point >= 0 else None,
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


# ---- Contact points

_MODE_NAMES = {
    mode: decode(lib.atemi_contact_mode_text(mode))
    for mode in (
        lib.ATEMI_CONTACT_OPEN,
        lib.ATEMI_CONTACT_STICK,
        lib.ATEMI_CONTACT_SLIP,
        lib.ATEMI_CONTACT_SURFACE,
        lib.ATEMI_CONTACT_SOFT,
    )
}

_STATE = np.dtype(
    {
        "names": ["mode", "gap", "position", "normal", "force"],
        "formats": ["i4", "f8", "3f8", "3f8", "3f8"],
        "offsets": [
            ffi.offsetof("atemi_point_state", name)
            for name in ("mode", "gap", "position", "normal", "force")
        ],
        "itemsize": ffi.sizeof("atemi_point_state"),
    }
)


def _points(
    robot: Robot, contacts: Contacts, surfaces: int, friction: float, restitution: float
) -> tuple[tuple[str, ...], Any]:
    """Names of all contact points, and the points as C reads them."""
    if contacts is None:
        contacts = ()
    elif contacts == "sites":
        contacts = robot.site_names
    elif isinstance(contacts, str):
        raise ValueError(f'contacts must be "sites", a list or None, got {contacts!r}')
    found = [row for contact in contacts for row in _points_of(robot, contact)]
    native = ffi.new("atemi_simulation_point[]", max(len(found), 1))
    for (_, contact, link, point), row in zip(found, native):
        mu = friction if contact is None or contact.friction is None else contact.friction
        e = restitution if contact is None or contact.restitution is None else contact.restitution
        row.link, row.point = link, point
        row.surface = 0 if contact is None else contact.surface
        row.radius = 0.0 if contact is None else _arguments.number("radius", contact.radius)
        row.static_friction = row.kinetic_friction = _arguments.number("friction", mu)
        row.restitution = _arguments.number("restitution", e)
        if not 0 <= row.surface < surfaces:
            raise ValueError(f"surface of a contact must be 0 to {surfaces - 1}, got {row.surface}")
    return tuple(name for name, *_ in found), native


def _points_of(robot: Robot, contact: Any) -> list[tuple[str, Any, int, tuple[float, ...]]]:
    if isinstance(contact, ContactPoint):
        point = tuple(_arguments.array("point", contact.point, (3,)).tolist())
        return [(contact.name or contact.link, contact, robot._link(contact.link), point)]
    names = robot.site_names
    if contact not in names:
        raise not_found("site", contact, names)
    native = ffi.new("atemi_contact_point[4]")
    count = lib.atemi_site_points(
        robot._model, ffi.new("int[]", [names.index(contact)]), 1, native
    )
    points = [native[i] for i in range(count)]
    return [
        (f"{contact}.{i}", None, p.link, (p.point.x, p.point.y, p.point.z))
        for i, p in enumerate(points)
    ]
