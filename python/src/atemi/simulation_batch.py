# SPDX-License-Identifier: Apache-2.0
"""Many simulated robots at once, as rows of arrays."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import NULL, array_of, call, decode, doubles, ffi, forces, lib, load
from ._world import Contacts, World, gains
from .contact_point import MODE_NAMES, STATE
from .errors import Error, Warning
from .loops import Loop
from .robot import Robot
from .simulation import InertialMeasurement
from .surfaces import Plane, Surface

Array = NDArray[np.float64]

# Signals, Ctrl-C among them, are heard between calls of the library: so many steps of all worlds.
_STEPS_A_CALL = 50


class BatchContacts(NamedTuple):
    """All contact points of n worlds at an instant: a row a world, p points each."""

    names: tuple[str, ...]
    """Of the points."""
    modes: NDArray[np.str_]
    """(n, p) ``"open"``, ``"stick"``, ``"slip"`` or ``"soft"``."""
    gaps: Array
    """(n, p) above the surface, m."""
    positions: Array
    """(n, p, 3) in the world, m."""
    normals: Array
    """(n, p, 3) of the surface there, towards the robot."""
    forces: Array
    """(n, p, 3) of the world on the point, world axes, N; by steps the average over the last one."""


class SimulationBatch:
    """n simulations of one robot, which are alike but for their states and inputs.

    >>> import atemi, numpy as np
    >>> robot = atemi.Robot.shipped("hrp2_like")
    >>> batch = atemi.SimulationBatch(robot, 4)
    >>> batch.reset(batch.placed(robot.posture("half_sitting")))
    >>> batch.hold(batch.q, stiffness=8000.0, damping=80.0)
    >>> batch.apply_force("waist", np.outer([0, 50, 100, 150], [1, 0, 0, 0, 0, 0]))
    >>> batch.step(count=100)
    >>> batch.q.shape, bool((np.diff(batch.v[:, 0]) > 0).all())
    ((4, 37), True)

    Parameters
    ----------
    robot : Robot
    n : int
        How many worlds.
    threads : int or None
        That simulate them; None for one a processor. Every world has the bits that it would have
        in a `Simulation` of its own, for any number of threads.
    contacts, method, step, surfaces, friction, restitution, joint_friction, joint_stops
        As of `Simulation`, and so are the others; for all worlds the same.

    Notes
    -----
    ``q``, ``v``, ``a`` and ``time`` are read-only views of all states: copy what you want to keep.
    A world that cannot go on stays where it is, with a warning that says why, until it is reset;
    ``running`` says which go on.
    """

    def __init__(
        self,
        robot: Robot,
        n: int,
        contacts: Contacts = "sites",
        *,
        threads: int | None = None,
        method: str = "steps",
        step: float = 1e-3,
        surfaces: Sequence[Surface] = (Plane(),),
        friction: float = 0.8,
        restitution: float = 0.0,
        joint_friction: bool = True,
        joint_stops: bool = True,
        stop_restitution: float = 0.0,
        effort_limits: bool = False,
        slowest_bounce: float = 1e-3,
        integrator: str = "rk4",
        tolerance: float = 1e-9,
        loops: Sequence[Loop] = (),
    ) -> None:
        self._robot, self._count = robot, int(n)
        self._threads = _threads(threads)
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
        self._handle = load(
            lib.atemi_simulation_batch_create,
            *self._world.arguments,
            self._count,
            kind="atemi_simulation_batch",
            stacklevel=2,
        )
        self._look_at_rows()

    def __len__(self) -> int:
        return self._count

    # ---- Running

    def reset(
        self, q: ArrayLike, v: ArrayLike | None = None, which: ArrayLike | None = None
    ) -> None:
        """Puts worlds somewhere, at time 0; at rest without v.

        Parameters
        ----------
        q, v : (nq,) or (n, nq), (nv,) or (n, nv) array_like
            One for all, or a row for each world, also for those that are not reset.
        which : (n,) bool, optional
            The worlds to reset; all if missing.
        """
        places = self._rows("q", self._robot._states("q", q))
        speeds = None if v is None else self._vectors("v", v)
        self._run(
            lib.atemi_simulation_batch_start,
            self._mask(which),
            doubles(places),
            NULL if speeds is None else doubles(speeds),
            raises=True,
        )

    def placed(self, q: ArrayLike, surface: int = 0) -> Array:
        """As q, but with the base shifted against gravity until the lowest contact point touches
        the surface; for (nq,) or (m, nq)."""
        places = self._robot._states("q", q)
        if places.ndim == 1:
            return self._world.placed(places, surface)
        return np.array([self._world.placed(row, surface) for row in places])

    def step(
        self, tau: ArrayLike | None = None, count: int = 1, which: ArrayLike | None = None
    ) -> None:
        """Simulates `count` steps of all worlds that run, or of those of the mask `which`.

        tau (nv,) or (n, nv) are joint torques for these steps, on top of servos.
        """
        torques = None if tau is None else self._vectors("tau", tau)
        held = NULL if torques is None else doubles(torques)
        mask = self._mask(which)
        while count > 0:
            steps = min(count, _STEPS_A_CALL)
            self._run(lib.atemi_simulation_batch_step, mask, held, steps)
            count -= steps

    def save(self) -> bytes:
        """All that the future depends on: `restore` continues from here with the same bits."""
        size = lib.atemi_simulation_batch_saved_size(self._handle)
        saved = ffi.new("char[]", size)
        lib.atemi_simulation_batch_save(self._handle, saved)
        return bytes(ffi.buffer(saved, size))

    def restore(self, saved: bytes) -> None:
        """Goes back to where `save` was called, in this batch or in one made alike."""
        size = lib.atemi_simulation_batch_saved_size(self._handle)
        if len(saved) != size:
            raise ValueError(f"saved must have {size} bytes, of a batch made alike, got {len(saved)}")
        lib.atemi_simulation_batch_restore(self._handle, ffi.from_buffer(saved))

    # ---- Inputs

    def hold(
        self,
        q: ArrayLike,
        stiffness: ArrayLike,
        damping: ArrayLike,
        v: ArrayLike | None = None,
    ) -> None:
        """Servos from now on, as `Simulation.hold`; every argument for all worlds or in rows."""
        shape = (self._count, self._robot.nv)
        self._targets[:] = self._world.joint_coordinates(self._robot._states("q", q))
        self._velocities[:] = 0.0 if v is None else self._vectors("v", v)
        self._stiffness[:] = gains("stiffness", stiffness, shape)
        self._damping[:] = gains("damping", damping, shape)

    def apply_force(self, link: str, force: ArrayLike) -> None:
        """An external force on a link from now on: (6,) for all worlds or (n, 6); force, then
        moment, in world axes at the link's origin, N and N m. Zero ends it."""
        given = _arguments.rows("force", force, (6,))
        _arguments.refuse("force", given)
        self._external[:, self._robot._link(link)] = given

    # ---- The states

    @property
    def robot(self) -> Robot:
        """The robot."""
        return self._robot

    @property
    def timestep(self) -> float:
        """The length of a step, s."""
        return self._world.step

    @property
    def time(self) -> Array:
        """(n,) s, a view."""
        return self._time

    @property
    def q(self) -> Array:
        """(n, nq) a view."""
        return self._q

    @property
    def v(self) -> Array:
        """(n, nv) a view."""
        return self._v

    @property
    def a(self) -> Array:
        """(n, nv) a view of the accelerations; by the method of steps averages over the last."""
        return self._a

    @property
    def running(self) -> NDArray[np.bool_]:
        """(n,) which worlds were reset and can go on."""
        running: NDArray[np.bool_] = self._status == lib.ATEMI_OK
        return running

    @property
    def contacts(self) -> BatchContacts:
        """The contact points; of shapes, whose places come and go, see `contact_forces`."""
        shape = self._count, len(self._world.names)
        states = ffi.new("atemi_point_state[]", max(shape[0] * shape[1], 1))
        lib.atemi_simulation_batch_points_get(self._handle, self._threads, states)
        table = np.frombuffer(ffi.buffer(states), dtype=STATE, count=shape[0] * shape[1])
        table = table.reshape(shape)
        return BatchContacts(
            self._world.names,
            _MODES[table["mode"]],
            table["gap"].copy(),
            table["position"].copy(),
            table["normal"].copy(),
            table["force"].copy(),
        )

    # ---- Sensors

    def imu(
        self,
        link: str,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
    ) -> InertialMeasurement:
        """What an inertial measurement unit on a link measures in every world, (n, 3) each, as
        `Simulation.imu`."""
        place = ffi.new("atemi_transform *")
        _record.place(place, np.eye(3) if rotation is None else rotation, position)
        readings = np.empty((self._count, 6))
        native = ffi.from_buffer("atemi_imu_reading[]", readings)
        number = self._robot._link(link)
        call(
            lib.atemi_simulation_batch_imu, self._handle, number, place, self._threads, native
        )
        return InertialMeasurement(readings[:, :3].copy(), readings[:, 3:].copy())

    def contact_forces(self) -> Array:
        """(n, len(robot.link_names), 6) as `Simulation.contact_forces`: with shapes, what `contacts`
        does not say."""
        forces_on = np.empty((self._count, len(self._robot.link_names), 6))
        call(
            lib.atemi_simulation_batch_contact_forces, self._handle, self._threads, forces(forces_on)
        )
        return forces_on

    def joint_wrenches(self) -> Array:
        """(n, len(robot.joint_names), 6) what load cells in the joints measure."""
        robot = self._robot
        every = np.empty((self._count, lib.atemi_model_joint_count(robot._model), 6))
        call(lib.atemi_simulation_batch_wrenches, self._handle, self._threads, forces(every))
        return every[:, [index for index, _ in robot._joints]]

    def site_force(self, site: str) -> Array:
        """(n, 6) what a force sensor below a foot measures, as `Simulation.site_force`."""
        states, about = self.contacts, self._world.site(site)
        rotation, origin = self._robot.link_pose(self._q, about.link, threads=self._threads)
        points = self._world.rows_of(site)
        arms = states.positions[:, points] - (origin + rotation @ about.position)[:, None]
        pressed = states.forces[:, points]
        return np.concatenate([pressed.sum(axis=1), np.cross(arms, pressed).sum(axis=1)], axis=1)

    # ---- Between the two languages

    def _look_at_rows(self) -> None:
        rows, n, robot = lib.atemi_simulation_batch_rows(self._handle), self._count, self._robot
        links = len(robot.link_names)

        def view(pointer: Any, width: int) -> Array:
            return array_of(pointer, n * width).reshape(n, width)

        self._time = array_of(rows.time, n)
        self._q, self._v, self._a = view(rows.q, robot.nq), view(rows.v, robot.nv), view(
            rows.a, robot.nv
        )
        for array in (self._time, self._q, self._v, self._a):
            array.setflags(write=False)
        self._status = np.frombuffer(ffi.buffer(rows.status, 4 * n), dtype=np.int32)
        self._stiffness, self._damping = view(rows.stiffness, robot.nv), view(
            rows.damping, robot.nv
        )
        self._targets = view(rows.target, robot.nv)
        self._velocities = view(rows.target_velocity, robot.nv)
        external = view(ffi.cast("double *", rows.external), 6 * links)
        self._external = external.reshape(n, links, 6)

    def _run(self, function: Any, *arguments: Any, raises: bool = False) -> None:
        record = ffi.new("atemi_error *")
        status = call(function, self._handle, *arguments, self._threads, record)
        if status:
            message = decode(record.message)
            if raises:
                raise Error(message, decode(lib.atemi_status_text(status)))
            message += "; it stays there until it is reset"
            warnings.warn(message, Warning, stacklevel=3)

    def _rows(self, name: str, given: Array) -> Array:
        if given.ndim > 1 and len(given) != self._count:
            raise ValueError(f"{name} must have a row for each of {self._count} worlds, got {len(given)}")
        return np.ascontiguousarray(np.broadcast_to(given, (self._count, given.shape[-1])))

    def _vectors(self, name: str, value: ArrayLike) -> Array:
        given = _arguments.rows(name, value, (self._robot.nv,))
        _arguments.refuse(name, given)
        return self._rows(name, given)

    def _mask(self, which: ArrayLike | None) -> Any:
        if which is None:
            return NULL
        mask = np.ascontiguousarray(which)
        if mask.dtype != np.bool_ or mask.shape != (self._count,):
            raise ValueError(f"which must be a mask of {self._count} bools, got {which!r}")
        return ffi.from_buffer("bool[]", mask)


def _threads(threads: int | None) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if threads < 1:
        raise ValueError(f"threads must be 1 or more, or None for all processors, got {threads}")
    return int(threads)


_MODES = np.array([MODE_NAMES.get(i, "") for i in range(max(MODE_NAMES) + 1)])
