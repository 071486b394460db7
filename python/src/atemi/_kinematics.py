# SPDX-License-Identifier: Apache-2.0
"""The kinematics of `Robot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

from numpy.typing import ArrayLike

from ._rowwise import Out, Outs, Rowwise, Threads, kernel
from .description import Array
from .parts import Energies, Energy

if TYPE_CHECKING:
    from ._rows import Kernel

_INTEGRATE: Kernel[Array] = kernel("integrate")
_DIFFERENCE: Kernel[Array] = kernel("difference")
_LINK_POSE: Kernel[tuple[Array, Array]] = kernel("link_pose")
_LINK_POSES: Kernel[tuple[Array, Array]] = kernel("link_poses")
_LINK_VELOCITY: Kernel[Array] = kernel("link_velocity")
_LINK_ACCELERATION: Kernel[Array] = kernel("link_acceleration")
_JACOBIAN: Kernel[Array] = kernel("jacobian")
_JACOBIAN_RATE: Kernel[Array] = kernel("jacobian_rate")
_CENTER_OF_MASS: Kernel[Array] = kernel("center_of_mass")
_MOMENTUM: Kernel[Array] = kernel("momentum")
_MOMENTUM_MATRIX: Kernel[Array] = kernel("momentum_matrix")
_ENERGY: Kernel[tuple[Array, Array]] = kernel("energy")


class Kinematics(Rowwise):
    """Configurations, poses, velocities, momentum, energy."""

    def integrate(
        self,
        q: ArrayLike,
        v: ArrayLike,
        dt: ArrayLike,
        *,
        out: Out = None,
        threads: Threads = 1,
    ) -> Array:
        """(nq,) where the constant velocity v leads from q in the time dt, s.

        Floating and planar bases follow a screw, as v is in their own axes. Quaternions come out
        normalized.
        """
        return self._rows.compute(_INTEGRATE, 0, 0, out, threads, q, v, dt)

    def difference(
        self, q0: ArrayLike, q1: ArrayLike, *, out: Out = None, threads: Threads = 1
    ) -> Array:
        """(nv,) the velocity that leads from q0 to q1 in 1 s: ``integrate(q0, v, 1) == q1``."""
        return self._rows.compute(_DIFFERENCE, 0, 0, out, threads, q0, q1)

    def link_pose(
        self, q: ArrayLike, name: str, *, out: Outs = None, threads: Threads = 1
    ) -> tuple[Array, Array]:
        """A link's rotation (3, 3) and position (3,), m: x_world = R x_link + p."""
        return self._rows.compute(_LINK_POSE, self._link(name), 0, out, threads, q)

    def link_poses(
        self, q: ArrayLike, *, out: Outs = None, threads: Threads = 1
    ) -> tuple[Array, Array]:
        """Rotations (links, 3, 3) and positions (links, 3), m, of all links, as of `link_names`."""
        return self._rows.compute(_LINK_POSES, 0, 0, out, threads, q)

    def link_velocity(
        self, q: ArrayLike, v: ArrayLike, name: str, *, out: Out = None, threads: Threads = 1
    ) -> Array:
        """(6,) the velocity of a link's origin, m/s, and its turning, rad/s, in world axes."""
        return self._rows.compute(_LINK_VELOCITY, self._link(name), 0, out, threads, q, v)

    def link_acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        name: str,
        *,
        out: Out = None,
        threads: Threads = 1,
    ) -> Array:
        """(6,) the acceleration of a link's origin, m/s^2, and its angular acceleration, rad/s^2.

        In world axes, without gravity: ``jacobian(q, name) @ a + jacobian_rate(q, v, name) @ v``.
        """
        return self._rows.compute(_LINK_ACCELERATION, self._link(name), 0, out, threads, q, v, a)

    def jacobian(
        self, q: ArrayLike, name: str, *, out: Out = None, threads: Threads = 1
    ) -> Array:
        """(6, nv) a link's Jacobian J: ``J @ v`` is `link_velocity`."""
        return self._rows.compute(_JACOBIAN, self._link(name), 0, out, threads, q)

    def jacobian_rate(
        self, q: ArrayLike, v: ArrayLike, name: str, *, out: Out = None, threads: Threads = 1
    ) -> Array:
        """(6, nv) the time derivative of `jacobian` along v."""
        return self._rows.compute(_JACOBIAN_RATE, self._link(name), 0, out, threads, q, v)

    def center_of_mass(self, q: ArrayLike, *, out: Out = None, threads: Threads = 1) -> Array:
        """(3,) of everything that moves, in the world, m."""
        return self._rows.compute(_CENTER_OF_MASS, 0, 0, out, threads, q)

    def momentum(
        self, q: ArrayLike, v: ArrayLike, *, out: Out = None, threads: Threads = 1
    ) -> Array:
        """(6,) linear momentum, kg m/s, and angular momentum about the centre of mass, kg m^2/s;
        world axes."""
        return self._rows.compute(_MOMENTUM, 0, 0, out, threads, q, v)

    def momentum_matrix(self, q: ArrayLike, *, out: Out = None, threads: Threads = 1) -> Array:
        """(6, nv) the matrix A with ``momentum(q, v) == A @ v``."""
        return self._rows.compute(_MOMENTUM_MATRIX, 0, 0, out, threads, q)

    def energy(
        self, q: ArrayLike, v: ArrayLike, *, out: Outs = None, threads: Threads = 1
    ) -> Union[Energy, Energies]:
        """The total energy, J: a float that has .kinetic and .potential and unpacks into them; of
        several states `Energies`, their arrays.

        The kinetic energy has that of the rotors, v^T M v / 2. The potential energy is zero with
        the centre of mass at the world's origin.
        """
        kinetic, potential = self._rows.compute(_ENERGY, 0, 0, out, threads, q, v)
        if kinetic.ndim == 0:
            return Energy(float(kinetic), float(potential))
        return Energies(kinetic, potential)
