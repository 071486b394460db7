# SPDX-License-Identifier: Apache-2.0
"""The derivatives of `Robot`: checks arguments and calls the library."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from . import _arguments
from ._library import NULL, call, doubles, ffi, forces, lib
from .contact import Contact, Touch
from .derivatives import (
    Array,
    ConstrainedDynamicsDerivatives,
    EnergyGradients,
    ForwardDynamicsDerivatives,
    ImpulseDerivatives,
    InverseDynamicsDerivatives,
    LinkDerivatives,
    MomentumDerivatives,
)
from .description import Description, External
from .errors import SingularError


class Derivatives(Description):
    """Exact derivatives, in the tangent space of the configuration: see `atemi.derivatives`."""

    def inverse_dynamics_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: External = None
    ) -> InverseDynamicsDerivatives:
        """Derivatives of `inverse_dynamics` with respect to q, v and a: .dq, .dv, .da."""
        n = self._nv
        result = InverseDynamicsDerivatives(
            np.empty(n), np.empty((n, n)), np.empty((n, n)), np.empty((n, n))
        )
        call(
            lib.atemi_inverse_dynamics_derivatives,
            self._model,
            doubles(self._configuration("q", q)),
            doubles(self._vector("v", v)),
            doubles(self._vector("a", a)),
            forces(self._external(external)),
            self._data.derivatives,
            *map(doubles, result),
        )
        return result

    def forward_dynamics_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: External = None
    ) -> ForwardDynamicsDerivatives:
        """Derivatives of `forward_dynamics` with respect to q, v and tau: .dq, .dv, .dtau.

        Raises SingularError if a joint moves no mass.
        """
        n = self._nv
        result = ForwardDynamicsDerivatives(
            np.empty(n), np.empty((n, n)), np.empty((n, n)), np.empty((n, n))
        )
        status = call(
            lib.atemi_forward_dynamics_derivatives,
            self._model,
            doubles(self._configuration("q", q)),
            doubles(self._vector("v", v)),
            doubles(self._vector("tau", tau)),
            forces(self._external(external)),
            self._data.derivatives,
            *map(doubles, result),
        )
        if status:
            raise SingularError("a joint moves no mass: give its link an inertia or a rotor")
        return result

    def constrained_dynamics_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        contacts: Iterable[Contact],
        external: External = None,
    ) -> ConstrainedDynamicsDerivatives:
        """Derivatives of `constrained_dynamics` with respect to q, v and tau: .dq, .dv, .dtau of the
        acceleration, .forces_dq, .forces_dv, .forces_dtau of the contact forces.

        A contact's point is fixed in its link, its normal in the world. Raises SingularError as
        `constrained_dynamics` does.
        """
        n, touch = self._nv, Touch(contacts, self._link)
        acceleration, acting = np.empty(n), np.empty((touch.count, 6))
        squares = [np.empty((n, n)) for _ in range(3)]
        wide = [np.empty((touch.count, 6, n)) for _ in range(3)]
        status = call(
            lib.atemi_constrained_dynamics_derivatives,
            self._model,
            doubles(self._configuration("q", q)),
            doubles(self._vector("v", v)),
            doubles(self._vector("tau", tau)),
            forces(self._external(external)),
            touch.native,
            touch.count,
            self._data.constrained_derivatives(touch.count),
            _results(acceleration, acting, squares, wide),
        )
        if status:
            raise SingularError("the contacts contradict each other, or one jams by friction")
        return ConstrainedDynamicsDerivatives(acceleration, acting, *squares, *wide)

    def impulse_derivatives(
        self, q: ArrayLike, v: ArrayLike, contacts: Iterable[Contact], restitution: float = 0.0
    ) -> ImpulseDerivatives:
        """Derivatives of `impulse` with respect to q and to v before it: .dq and .dv of the velocity
        after it, .impulses_dq and .impulses_dv of the impulses."""
        n, touch = self._nv, Touch(contacts, self._link)
        restitution = _arguments.number("restitution", restitution)
        velocity, acting = np.empty(n), np.empty((touch.count, 6))
        squares = [np.empty((n, n)) for _ in range(2)]
        wide = [np.empty((touch.count, 6, n)) for _ in range(2)]
        status = call(
            lib.atemi_impulse_derivatives,
            self._model,
            doubles(self._configuration("q", q)),
            doubles(self._vector("v", v)),
            touch.native,
            touch.count,
            restitution,
            self._data.constrained_derivatives(touch.count),
            _results(velocity, acting, squares, wide),
        )
        if status:
            raise SingularError("the contacts contradict each other, or one jams by friction")
        return ImpulseDerivatives(velocity, acting, *squares, *wide)

    def link_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        name: str,
        point: ArrayLike = (0.0, 0.0, 0.0),
    ) -> LinkDerivatives:
        """Derivatives of a link's velocity and acceleration, in world axes, at a point of the link
        (in the link's frame; default: its origin)."""
        link = self._link(name)
        at = _arguments.array("point", point, (3,))
        result = LinkDerivatives(*(np.empty((6, self._nv)) for _ in range(4)))
        scratch = self._data.derivatives
        call(
            lib.atemi_motion_derivatives_update,
            self._model,
            doubles(self._configuration("q", q)),
            doubles(self._vector("v", v)),
            doubles(self._vector("a", a)),
            scratch,
        )
        place = ffi.new("atemi_vec3 *", tuple(at))[0]
        call(lib.atemi_link_derivatives, self._model, scratch, link, place, *map(doubles, result))
        return result

    def momentum_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike
    ) -> MomentumDerivatives:
        """Derivatives of `momentum` and of its rate of change. The rate of the momentum matrix is
        .rate_dv - .dq."""
        result = MomentumDerivatives(*(np.empty((6, self._nv)) for _ in range(4)))
        scratch = self._update_derivatives(q, v, a)
        call(lib.atemi_momentum_derivatives, self._model, scratch, *map(doubles, result))
        return result

    def center_of_mass_jacobian(self, q: ArrayLike) -> Array:
        """(3, nv) of `center_of_mass` with respect to the configuration."""
        J = np.empty((3, self._nv))
        scratch = self._update_derivatives(q, None, None)
        call(lib.atemi_center_of_mass_jacobian, self._model, scratch, doubles(J))
        return J

    def energy_gradients(self, q: ArrayLike, v: ArrayLike) -> EnergyGradients:
        """Gradients of `energy`: .kinetic_dq, .kinetic_dv, .potential_dq."""
        result = EnergyGradients(*(np.empty(self._nv) for _ in range(3)))
        scratch = self._update_derivatives(q, v, None)
        kinetic = doubles(result.kinetic_dq), doubles(result.kinetic_dv)
        call(lib.atemi_kinetic_energy_gradient, self._model, scratch, *kinetic)
        potential = doubles(result.potential_dq)
        call(lib.atemi_potential_energy_gradient, self._model, scratch, potential)
        return result

    def _update_derivatives(
        self, q: ArrayLike, v: ArrayLike | None, a: ArrayLike | None
    ) -> object:
        scratch = self._data.derivatives
        call(
            lib.atemi_derivatives_update,
            self._model,
            doubles(self._configuration("q", q)),
            NULL if v is None else doubles(self._vector("v", v)),
            NULL if a is None else doubles(self._vector("a", a)),
            NULL,
            scratch,
        )
        return scratch


def _results(motion: Array, acting: Array, squares: list[Array], wide: list[Array]) -> object:
    """``atemi_constrained_derivatives *`` into arrays that outlive it."""
    result = ffi.new("atemi_constrained_derivatives *")
    result.a, result.forces = doubles(motion), forces(acting)
    result.dq, result.dv = doubles(squares[0]), doubles(squares[1])
    result.forces_dq, result.forces_dv = doubles(wide[0]), doubles(wide[1])
    if len(squares) > 2:
        result.dtau, result.forces_dtau = doubles(squares[2]), doubles(wide[2])
    return result
