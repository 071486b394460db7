# SPDX-License-Identifier: Apache-2.0
"""A robot and its dynamics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _arguments
from ._derivatives import Derivatives
from ._library import NULL, call, check, doubles, ffi, forces, lib, values
from ._source import Options, Path, Source
from .contact import ConstrainedDynamics, Contact, Impulse, Touch
from .description import Array, External
from .errors import not_found
from .parts import Energy


class Robot(Derivatives):
    """A robot from a URDF or MJCF file, immutable.

    Parameters
    ----------
    path : str or path-like
        The file. Its outermost element, ``<robot>`` or ``<mujoco>``, says which format it is in.
        What MJCF says and a robot has no place for is named in warnings.
    base : {"floating", "fixed", "planar", "sagittal"}
        How the root link is held: free; bolted to the world; in the horizontal plane,
        q = x, y, turn about z; in the vertical x-z plane, q = x, z, turn about y.
    gravity : (3,) array_like, optional
        In world axes, m/s^2. Default: the file's own, else (0, 0, -9.81).
    mimic : {"coupled", "independent"}
        Whether a mimic joint follows the joint that it copies, or has a coordinate of its own.
    package_path : path or sequence of paths, optional
        Folders that hold the packages of ``package://`` addresses, searched before
        ``ROS_PACKAGE_PATH`` and the folders above the file. Meshes that are not found are no error.

    Raises
    ------
    Error
        The description is refused; the message names file, line, column, cause and cure.
    FileMissingError
        There is no such file.

    Notes
    -----
    The algorithms are those of rigid bodies, with rotor inertia where the description has it, and
    without friction and damping in the joints, which are `joint_friction`.

    Every method checks the shapes of its arrays and that they are finite (`ValueError`), returns
    fresh arrays, computes without the GIL, and may be called by several threads at once.

    ``q`` are configurations (nq,); ``v``, ``a``, ``tau`` are velocities, accelerations and
    generalized forces (nv,). Quaternions in q need not be normalized. ``external`` are forces of
    the surroundings onto links: a dictionary from link names to (force, moment), 6 numbers in world
    axes at the link's origin, N and N m; or an array of shape (len(link_names), 6); or None.
    """

    def __init__(
        self,
        path: Path,
        base: str = "floating",
        *,
        gravity: ArrayLike | None = None,
        mimic: str = "coupled",
        package_path: Path | Sequence[Path] | None = None,
    ) -> None:
        options = Options.checked(base, gravity, mimic, package_path)
        self._read(Source.of_file(path, options), stacklevel=2)

    @classmethod
    def shipped(
        cls,
        name: str,
        base: str = "floating",
        *,
        gravity: ArrayLike | None = None,
        mimic: str = "coupled",
    ) -> Robot:
        """A robot that ships inside the library, see `robots`; parameters as of `Robot`."""
        options = Options.checked(base, gravity, mimic, None)
        self = cls.__new__(cls)
        self._read(Source.of_shipped(name, options), stacklevel=2)
        return self

    @classmethod
    def from_string(
        cls,
        text: str | bytes,
        base: str = "floating",
        *,
        name: str | None = None,
        gravity: ArrayLike | None = None,
        mimic: str = "coupled",
        package_path: Path | Sequence[Path] | None = None,
    ) -> Robot:
        """A robot from the text of a URDF or MJCF file; other parameters as of `Robot`.

        Parameters
        ----------
        text : str or bytes
            The XML; bytes may be in any encoding that they declare.
        name : str, optional
            Stands for the file in messages.
        """
        options = Options.checked(base, gravity, mimic, package_path)
        self = cls.__new__(cls)
        self._read(Source.of_text(text, name, options), stacklevel=2)
        return self

    def __reduce__(self) -> Any:
        source = self._source
        return _reread, (type(self), (*source[:-1], tuple(source.options)))

    def __copy__(self) -> Robot:
        return self

    def __deepcopy__(self, memo: Any) -> Robot:
        return self

    # ---- Configurations

    def neutral(self) -> Array:
        """(nq,) every joint at zero, the base at the world's origin, upright."""
        q = np.empty(self._nq)
        call(lib.atemi_configuration_neutral, self._model, doubles(q))
        return q

    @property
    def posture_names(self) -> tuple[str, ...]:
        """The postures that the description names."""
        return tuple(self._postures)

    def posture(self, name: str) -> Array:
        """(nq,) a posture that the description names; the base is at its neutral pose."""
        index = self._postures.get(name)
        if index is None:
            raise not_found("posture", name, self._postures)
        q = call(lib.atemi_model_posture, self._model, index)
        return np.frombuffer(ffi.buffer(q, 8 * self._nq)).copy() if self._nq else np.empty(0)

    def random(self, rng: np.random.Generator | int | None = None) -> Array:
        """(nq,) a random configuration within the limits.

        Uniform between the limits, within +-pi where there are none; the base's position within
        +-1 m, orientations uniform.

        Parameters
        ----------
        rng : numpy.random.Generator, int or None
            Draws the seed; is the seed, 0 <= rng < 2^64; or None for another result each time.
        """
        if rng is None:
            rng = np.random.default_rng()
        if isinstance(rng, np.random.Generator):
            seed = int(rng.integers(2**64, dtype=np.uint64))
        elif isinstance(rng, (int, np.integer)) and 0 <= rng < 2**64:
            seed = int(rng)
        else:
            raise ValueError(
                "rng must be a numpy.random.Generator, a seed from 0 to 2^64 - 1 or None, "
                f"got {rng!r}"
            )
        q = np.empty(self._nq)
        call(lib.atemi_configuration_random, self._model, seed, doubles(q))
        return q

    def integrate(self, q: ArrayLike, v: ArrayLike, dt: float) -> Array:
        """(nq,) where the constant velocity v leads from q in the time dt, s.

        Floating and planar bases follow a screw, as v is in their own axes. Quaternions come out
        normalized.
        """
        q, v = self._configuration("q", q), self._vector("v", v)
        result = np.empty(self._nq)
        call(
            lib.atemi_configuration_integrate,
            self._model,
            doubles(q),
            doubles(v),
            _arguments.number("dt", dt),
            doubles(result),
        )
        return result

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """(nv,) the velocity that leads from q0 to q1 in 1 s: ``integrate(q0, v, 1) == q1``."""
        q0, q1 = self._configuration("q0", q0), self._configuration("q1", q1)
        v = np.empty(self._nv)
        call(lib.atemi_configuration_difference, self._model, doubles(q0), doubles(q1), doubles(v))
        return v

    # ---- Kinematics

    def link_pose(self, q: ArrayLike, name: str) -> tuple[Array, Array]:
        """A link's rotation (3, 3) and position (3,), m: x_world = R x_link + p."""
        link = self._link(name)
        pose = call(lib.atemi_link_pose, self._update(q), link)
        return values(pose.rotation).reshape(3, 3).T.copy(), values(pose.position)

    def link_velocity(self, q: ArrayLike, v: ArrayLike, name: str) -> Array:
        """(6,) the velocity of a link's origin, m/s, and its turning, rad/s, in world axes."""
        link = self._link(name)
        return values(call(lib.atemi_link_velocity, self._update(q, v), link))

    def link_acceleration(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, name: str) -> Array:
        """(6,) the acceleration of a link's origin, m/s^2, and its angular acceleration, rad/s^2.

        In world axes, without gravity: ``jacobian(q, name) @ a + jacobian_rate(q, v, name) @ v``.
        """
        link = self._link(name)
        return values(call(lib.atemi_link_acceleration, self._update(q, v, a), link))

    def jacobian(self, q: ArrayLike, name: str) -> Array:
        """(6, nv) a link's Jacobian J: ``J @ v`` is `link_velocity`."""
        link = self._link(name)
        J = np.empty((6, self._nv))
        call(lib.atemi_link_jacobian, self._update(q), link, doubles(J))
        return J

    def jacobian_rate(self, q: ArrayLike, v: ArrayLike, name: str) -> Array:
        """(6, nv) the time derivative of `jacobian` along v."""
        link = self._link(name)
        rate = np.empty((6, self._nv))
        call(lib.atemi_link_jacobian_rate, self._update(q, v), link, doubles(rate))
        return rate

    def center_of_mass(self, q: ArrayLike) -> Array:
        """(3,) of everything that moves, in the world, m."""
        return values(call(lib.atemi_center_of_mass, self._update(q)))

    def momentum(self, q: ArrayLike, v: ArrayLike) -> Array:
        """(6,) linear momentum, kg m/s, and angular momentum about the centre of mass, kg m^2/s;
        world axes."""
        return values(call(lib.atemi_momentum, self._update(q, v)))

    def energy(self, q: ArrayLike, v: ArrayLike) -> Energy:
        """The total energy, J: a float that has .kinetic and .potential and unpacks into them.

        The kinetic energy has that of the rotors, v^T M v / 2. The potential energy is zero with
        the centre of mass at the world's origin.
        """
        data = self._update(q, v)
        return Energy(
            call(lib.atemi_kinetic_energy, data),
            call(lib.atemi_potential_energy, data),
        )

    # ---- Dynamics

    def inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: External = None
    ) -> Array:
        """(nv,) the generalized forces behind an acceleration, N m or N.

        tau = M(q) a + h(q, v) - sum of J^T external. The base's entries are what its surroundings
        must add: force, then moment, in its own axes.
        """
        return self._inverse_dynamics(
            self._configuration("q", q), self._vector("v", v), self._vector("a", a), external
        )

    def bias_force(self, q: ArrayLike, v: ArrayLike) -> Array:
        """(nv,) h(q, v): gravity, Coriolis and centrifugal forces, N m or N."""
        return self._inverse_dynamics(self._configuration("q", q), self._vector("v", v), None, None)

    def gravity_torque(self, q: ArrayLike) -> Array:
        """(nv,) h(q, 0): what holds the robot against gravity, N m or N."""
        return self._inverse_dynamics(self._configuration("q", q), None, None, None)

    def joint_wrenches(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: External = None
    ) -> Array:
        """(len(joint_names), 6) what a load cell in each joint measures.

        The force, N, and moment, N m, of the parent link onto the child link, in the child link's
        axes, the moment about the joint's origin. Rows in the order of `joint_names`.
        """
        self.inverse_dynamics(q, v, a, external)
        return self._joint_wrenches()

    def mass_matrix(self, q: ArrayLike) -> Array:
        """(nv, nv) the inertia M(q), symmetric; rotor inertia is on its diagonal."""
        q = self._configuration("q", q)
        M = np.empty((self._nv, self._nv))
        call(lib.atemi_mass_matrix, self._data.of(), doubles(q), doubles(M))
        return M

    def solve_mass_matrix(self, q: ArrayLike, b: ArrayLike) -> Array:
        """(nv,) the x of ``mass_matrix(q) @ x == b``, by a factor that keeps the tree's zeros.

        Raises SingularError if a joint moves no mass.
        """
        q, x = self._configuration("q", q), self._vector("b", b).copy()
        call(lib.atemi_mass_solve, self._factored(q), doubles(x))
        return x

    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: External = None
    ) -> Array:
        """(nv,) the acceleration that the generalized forces tau (N m or N) produce.

        Of the base: the time derivative of v, which is in the base's own axes. Raises SingularError
        if a joint moves no mass.
        """
        q, v, tau = self._configuration("q", q), self._vector("v", v), self._vector("tau", tau)
        external = self._external(external)
        a = np.empty(self._nv)
        if call(
            lib.atemi_forward_dynamics,
            self._data.of(),
            doubles(q),
            doubles(v),
            doubles(tau),
            forces(external),
            doubles(a),
        ):
            self._factored(q)  # names the joint that moves no mass
        return a

    def momentum_matrix(self, q: ArrayLike) -> Array:
        """(6, nv) the matrix A with ``momentum(q, v) == A @ v``."""
        q = self._configuration("q", q)
        A = np.empty((6, self._nv))
        call(lib.atemi_momentum_matrix, self._data.of(), doubles(q), doubles(A))
        return A

    def joint_friction(self, v: ArrayLike) -> Array:
        """(nv,) the passive torques of the joints, -damping v - friction sign(v), N m or N.

        The algorithms above leave it out: in a simulation, add it to tau.
        """
        v = self._vector("v", v)
        tau = np.empty(self._nv)
        call(lib.atemi_joint_friction, self._model, doubles(v), doubles(tau))
        return tau

    # ---- Contacts

    def constrained_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        contacts: Iterable[Contact],
        external: External = None,
        method: str = "fast",
    ) -> ConstrainedDynamics:
        """What the generalized forces tau (N m or N) do to the robot in contact with the world.

        M(q) a + h(q, v) = tau + sum of J^T external + sum of J^T forces, where each contact's point
        accelerates as its `Contact.mode` says. That v agrees with the modes is up to the caller, as
        is letting go of contacts that pull. Where redundant contacts share a force, the sum of
        squares is the least. Without contacts it is `forward_dynamics`.

        Parameters
        ----------
        method : {"fast", "published"}
            Both give the same numbers: by the sparse factor of the mass matrix, or by nothing but
            repeated inverse dynamics, the Extended Newton-Euler method as published, which cannot
            take redundant contacts.

        Raises
        ------
        SingularError
            The contacts contradict each other, a slipping contact jams by friction (Painleve), or
            something moves that has no inertia.
        """
        q, v, tau = self._configuration("q", q), self._vector("v", v), self._vector("tau", tau)
        published = _arguments.choice("method", method, ("fast", "published")) == "published"
        pushes, touch = self._external(external), Touch(contacts, self._link)
        a, results = np.empty(self._nv), np.empty((touch.count, 6))
        solve = self._extended_newton_euler if published else self._constrained_dynamics
        touch.check(solve(q, v, tau, pushes, touch, a, results), a, published)

        acting = np.zeros((len(self._link_names), 6)) if pushes is None else pushes.copy()
        data = self._update(q)
        call(lib.atemi_contact_forces_add, data, touch.set, forces(results), forces(acting))
        self._inverse_dynamics(q, v, a, acting)
        return ConstrainedDynamics(a, results, self._joint_wrenches(), *touch.solution())

    def impulse(
        self, q: ArrayLike, v: ArrayLike, contacts: Iterable[Contact], restitution: float = 0.0
    ) -> Impulse:
        """How the velocity jumps when all contacts close at once.

        M(q) (v' - v) = sum of J^T impulses: a sticking point stops, a slipping one stops along its
        normal and gets friction against its sliding before it, a surface stops altogether.

        Parameters
        ----------
        restitution : float
            From 0 to 1: the part of its speed into the surface with which a point that sticks or
            slips comes back out (Newton's law). A point that sticks and bounces can gain energy.

        Raises
        ------
        SingularError
            The contacts contradict each other, a slipping contact jams by friction (Painleve), or
            something moves that has no inertia.
        """
        q, v = self._configuration("q", q), self._vector("v", v)
        restitution = _arguments.number("restitution", restitution)
        if not 0.0 <= restitution <= 1.0:
            raise ValueError(f"restitution must be from 0 to 1, got {restitution}")
        touch = Touch(contacts, self._link)
        after, results = np.empty(self._nv), np.empty((touch.count, 6))
        bounce = np.full(touch.count, restitution)
        touch.set.restitution = doubles(bounce)
        status = call(
            lib.atemi_collision_in_modes,
            self._data.of(touch.count),
            doubles(q),
            doubles(v),
            touch.set,
            doubles(after),
            forces(results),
            touch.report,
        )
        touch.check(status, after)
        return Impulse(after, results, *touch.solution())

    # ---- Computations

    def _factored(self, q: Array) -> Any:
        """The thread's data with the mass matrix factored; raises if a joint moves no mass."""
        data = self._update(q)
        check(lib.atemi_update_factor, data, stacklevel=3)
        return data

    def _update(self, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None) -> Any:
        """The thread's data at this state."""
        data = self._data.of()
        call(
            lib.atemi_update_kinematics,
            data,
            doubles(self._configuration("q", q)),
            NULL if v is None else doubles(self._vector("v", v)),
            NULL if a is None else doubles(self._vector("a", a)),
        )
        return data

    def _inverse_dynamics(
        self, q: Array, v: Array | None, a: Array | None, external: External
    ) -> Array:
        pushes = self._external(external)
        tau = np.empty(self._nv)
        call(
            lib.atemi_inverse_dynamics,
            self._data.of(),
            doubles(q),
            NULL if v is None else doubles(v),
            NULL if a is None else doubles(a),
            forces(pushes),
            doubles(tau),
        )
        return tau

    def _joint_wrenches(self) -> Array:
        """As of the inverse dynamics that this thread computed last."""
        data = self._data.of()
        result = np.empty((len(self._joints), 6))
        wrenches = forces(result)
        for row, (index, _) in enumerate(self._joints):
            wrenches[row] = call(lib.atemi_joint_wrench, data, index)
        return result

    def _constrained_dynamics(
        self,
        q: Array,
        v: Array,
        tau: Array,
        pushes: Array | None,
        touch: Touch,
        a: Array,
        results: Array,
    ) -> int:
        status: int = call(
            lib.atemi_constrained_dynamics,
            self._data.of(touch.count),
            doubles(q),
            doubles(v),
            doubles(tau),
            forces(pushes),
            touch.set,
            doubles(a),
            forces(results),
            touch.report,
        )
        return status

    def _extended_newton_euler(
        self,
        q: Array,
        v: Array,
        tau: Array,
        pushes: Array | None,
        touch: Touch,
        a: Array,
        results: Array,
    ) -> int:
        if pushes is not None:  # the paper has none: here as the torques that they amount to
            loaded = self._inverse_dynamics(q, None, None, pushes)
            tau = tau + (self._inverse_dynamics(q, None, None, None) - loaded)
        status: int = call(
            lib.atemi_extended_newton_euler,
            self._data.of(max(touch.count, 1)),
            doubles(q),
            doubles(v),
            doubles(tau),
            touch.set,
            doubles(a),
            forces(results),
            touch.report,
        )
        return status


def _reread(cls: type[Robot], source: tuple[Any, ...]) -> Robot:
    """Unpickles a robot: reads its description again."""
    kind, data, label, options = source
    robot = cls.__new__(cls)
    robot._read(Source(kind, data, label, Options(*options)), stacklevel=2)
    return robot
