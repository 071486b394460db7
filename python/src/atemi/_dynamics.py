# SPDX-License-Identifier: Apache-2.0
"""The dynamics of `Robot`, with and without contacts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from . import _arguments
from ._kinematics import Kinematics
from ._rowwise import Out, Outs, RowFailed, Threads, kernel
from .contact import ConstrainedDynamics, Contact, Impulse, solution
from .description import Array, External

if TYPE_CHECKING:
    from ._rows import Kernel

_INVERSE_DYNAMICS: Kernel[Array] = kernel("inverse_dynamics")
_JOINT_WRENCHES: Kernel[Array] = kernel("joint_wrenches")
_MASS_MATRIX: Kernel[Array] = kernel("mass_matrix")
_SOLVE_MASS_MATRIX: Kernel[Array] = kernel("solve_mass_matrix")
_FORWARD_DYNAMICS: Kernel[Array] = kernel("forward_dynamics")
_JOINT_FRICTION: Kernel[Array] = kernel("joint_friction")
_CONSTRAINED_DYNAMICS: Kernel[tuple[Array, ...]] = kernel("constrained_dynamics")
_IMPULSE: Kernel[tuple[Array, ...]] = kernel("impulse")


class Dynamics(Kinematics):
    """Torques, accelerations, inertia, contacts."""

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike | None,
        a: ArrayLike | None,
        external: External = None,
        *,
        out: Out = None,
        threads: Threads = 1,
    ) -> Array:
        """(nv,) the generalized forces behind an acceleration, N m or N.

        tau = M(q) a + h(q, v) - sum of J^T external. The base's entries are what its surroundings
        must add: force, then moment, in its own axes. v and a may be None for zero.
        """
        if external is not None:
            external = self._external(external)
        return self._rows.compute(_INVERSE_DYNAMICS, 0, 0, out, threads, q, v, a, external)

    def bias_force(
        self, q: ArrayLike, v: ArrayLike, *, out: Out = None, threads: Threads = 1
    ) -> Array:
        """(nv,) h(q, v): gravity, Coriolis and centrifugal forces, N m or N."""
        return self._rows.compute(_INVERSE_DYNAMICS, 0, 0, out, threads, q, v, None, None)

    def gravity_torque(self, q: ArrayLike, *, out: Out = None, threads: Threads = 1) -> Array:
        """(nv,) h(q, 0): what holds the robot against gravity, N m or N."""
        return self._rows.compute(_INVERSE_DYNAMICS, 0, 0, out, threads, q, None, None, None)

    def joint_wrenches(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        external: External = None,
        *,
        out: Out = None,
        threads: Threads = 1,
    ) -> Array:
        """(len(joint_names), 6) what a load cell in each joint measures.

        The force, N, and moment, N m, of the parent link onto the child link, in the child link's
        axes, the moment about the joint's origin. Rows in the order of `joint_names`.
        """
        external = self._external(external)
        return self._rows.compute(_JOINT_WRENCHES, 0, 0, out, threads, q, v, a, external)

    def mass_matrix(self, q: ArrayLike, *, out: Out = None, threads: Threads = 1) -> Array:
        """(nv, nv) the inertia M(q), symmetric; rotor inertia is on its diagonal."""
        return self._rows.compute(_MASS_MATRIX, 0, 0, out, threads, q)

    def solve_mass_matrix(
        self, q: ArrayLike, b: ArrayLike, *, out: Out = None, threads: Threads = 1
    ) -> Array:
        """(nv,) the x of ``mass_matrix(q) @ x == b``, by a factor that keeps the tree's zeros.

        Raises SingularError if a joint moves no mass.
        """
        try:
            return self._rows.compute(_SOLVE_MASS_MATRIX, 0, 0, out, threads, q, b)
        except RowFailed as failure:
            raise self._massless(failure, q) from None

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        external: External = None,
        *,
        out: Out = None,
        threads: Threads = 1,
    ) -> Array:
        """(nv,) the acceleration that the generalized forces tau (N m or N) produce.

        Of the base: the time derivative of v, which is in the base's own axes. Raises SingularError
        if a joint moves no mass.
        """
        if external is not None:
            external = self._external(external)
        try:
            return self._rows.compute(_FORWARD_DYNAMICS, 0, 0, out, threads, q, v, tau, external)
        except RowFailed as failure:
            raise self._massless(failure, q) from None

    def joint_friction(self, v: ArrayLike, *, out: Out = None, threads: Threads = 1) -> Array:
        """(nv,) the passive torques of the joints, -damping v - friction sign(v), N m or N.

        The algorithms above leave it out: in a simulation, add it to tau.
        """
        return self._rows.compute(_JOINT_FRICTION, 0, 0, out, threads, v)

    # ---- Contacts

    def constrained_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        contacts: Iterable[Contact],
        external: External = None,
        method: str = "fast",
        *,
        out: Outs = None,
        threads: Threads = 1,
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
        out : tuple of arrays, optional
            For accelerations, forces, joint wrenches, and (4,): rows, rank, condition, jamming.

        Raises
        ------
        SingularError
            The contacts contradict each other, a slipping contact jams by friction (Painleve), or
            something moves that has no inertia.
        """
        published = _arguments.choice("method", method, ("fast", "published")) == "published"
        acceleration, forces, wrenches, report = self._with_contacts(
            _CONSTRAINED_DYNAMICS,
            contacts,
            out,
            threads,
            q,
            v,
            tau,
            self._external(external),
            report=3,
            published=published,
        )
        return ConstrainedDynamics(acceleration, forces, wrenches, *solution(report))

    def impulse(
        self,
        q: ArrayLike,
        v: ArrayLike,
        contacts: Iterable[Contact],
        restitution: float = 0.0,
        *,
        out: Outs = None,
        threads: Threads = 1,
    ) -> Impulse:
        """How the velocity jumps when all contacts close at once.

        M(q) (v' - v) = sum of J^T impulses: a sticking point stops, a slipping one stops along its
        normal and gets friction against its sliding before the collision, a surface stops
        altogether.

        Parameters
        ----------
        restitution : float
            From 0 to 1: the part of its speed into the surface with which a point that sticks or
            slips comes back out (Newton's law). A point that sticks and bounces can gain energy.
        out : tuple of arrays, optional
            For velocities, impulses, and (4,): rows, rank, condition, jamming.

        Raises
        ------
        SingularError
            The contacts contradict each other, a slipping contact jams by friction (Painleve), or
            something moves that has no inertia.
        """
        restitution = _arguments.number("restitution", restitution)
        if not 0.0 <= restitution <= 1.0:
            raise ValueError(f"restitution must be from 0 to 1, got {restitution}")
        velocity, impulses, report = self._with_contacts(
            _IMPULSE, contacts, out, threads, q, v, report=2, restitution=restitution
        )
        return Impulse(velocity, impulses, *solution(report))
