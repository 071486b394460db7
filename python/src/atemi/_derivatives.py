# SPDX-License-Identifier: Apache-2.0
"""The derivatives of `Robot`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from . import _arguments
from ._dynamics import Dynamics
from ._library import ffi
from ._rowwise import Out, Outs, RowFailed, Threads, kernel
from .contact import Contact
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
from .description import External

if TYPE_CHECKING:
    from ._rows import Kernel

_INVERSE_DYNAMICS: Kernel[tuple[Array, ...]] = kernel("inverse_dynamics_derivatives")
_FORWARD_DYNAMICS: Kernel[tuple[Array, ...]] = kernel("forward_dynamics_derivatives")
_CONSTRAINED_DYNAMICS: Kernel[tuple[Array, ...]] = kernel("constrained_dynamics_derivatives")
_IMPULSE: Kernel[tuple[Array, ...]] = kernel("impulse_derivatives")
_LINK: Kernel[tuple[Array, ...]] = kernel("link_derivatives")
_MOMENTUM: Kernel[tuple[Array, ...]] = kernel("momentum_derivatives")
_CENTER_OF_MASS: Kernel[Array] = kernel("center_of_mass_jacobian")
_ENERGY: Kernel[tuple[Array, ...]] = kernel("energy_gradients")


class Derivatives(Dynamics):
    """Exact derivatives, in the tangent space of the configuration: see `atemi.derivatives`.

    `out` is a tuple of arrays, one for each field of the result.
    """

    def inverse_dynamics_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        external: External = None,
        *,
        out: Outs = None,
        threads: Threads = 1,
    ) -> InverseDynamicsDerivatives:
        """Derivatives of `inverse_dynamics` with respect to q, v and a: .dq, .dv, .da."""
        inputs = q, v, a, self._external(external)
        return InverseDynamicsDerivatives(
            *self._rows.compute(_INVERSE_DYNAMICS, 0, 0, out, threads, *inputs)
        )

    def forward_dynamics_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        external: External = None,
        *,
        out: Outs = None,
        threads: Threads = 1,
    ) -> ForwardDynamicsDerivatives:
        """Derivatives of `forward_dynamics` with respect to q, v and tau: .dq, .dv, .dtau.

        Raises SingularError if a joint moves no mass.
        """
        inputs = q, v, tau, self._external(external)
        try:
            result = self._rows.compute(_FORWARD_DYNAMICS, 0, 0, out, threads, *inputs)
        except RowFailed as failure:
            raise self._massless(failure, q) from None
        return ForwardDynamicsDerivatives(*result)

    def constrained_dynamics_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        contacts: Iterable[Contact],
        external: External = None,
        *,
        out: Outs = None,
        threads: Threads = 1,
    ) -> ConstrainedDynamicsDerivatives:
        """Derivatives of `constrained_dynamics` with respect to q, v and tau: .dq, .dv, .dtau of the
        acceleration, .forces_dq, .forces_dv, .forces_dtau of the contact forces.

        A contact's point is fixed in its link, its normal in the world. Raises SingularError as
        `constrained_dynamics` does.
        """
        inputs = q, v, tau, self._external(external)
        return ConstrainedDynamicsDerivatives(
            *self._with_contacts(_CONSTRAINED_DYNAMICS, contacts, out, threads, *inputs)
        )

    def impulse_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        contacts: Iterable[Contact],
        restitution: float = 0.0,
        *,
        out: Outs = None,
        threads: Threads = 1,
    ) -> ImpulseDerivatives:
        """Derivatives of `impulse` with respect to q and to v before it: .dq and .dv of the velocity
        after it, .impulses_dq and .impulses_dv of the impulses."""
        bounce = _arguments.number("restitution", restitution)
        return ImpulseDerivatives(
            *self._with_contacts(_IMPULSE, contacts, out, threads, q, v, restitution=bounce)
        )

    def link_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        name: str,
        point: ArrayLike = (0.0, 0.0, 0.0),
        *,
        out: Outs = None,
        threads: Threads = 1,
    ) -> LinkDerivatives:
        """Derivatives of a link's velocity and acceleration, in world axes, at a point of the link
        (in the link's frame; default: its origin)."""
        at = tuple(_arguments.array("point", point, (3,)).tolist())
        parameters = ffi.new("atemi_kernel_parameters *", {"point": at})
        address = int(ffi.cast("uintptr_t", parameters))
        return LinkDerivatives(
            *self._rows.compute(_LINK, self._link(name), address, out, threads, q, v, a)
        )

    def momentum_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        out: Outs = None,
        threads: Threads = 1,
    ) -> MomentumDerivatives:
        """Derivatives of `momentum` and of its rate of change. The rate of the momentum matrix is
        .rate_dv - .dq."""
        return MomentumDerivatives(*self._rows.compute(_MOMENTUM, 0, 0, out, threads, q, v, a))

    def center_of_mass_jacobian(
        self, q: ArrayLike, *, out: Out = None, threads: Threads = 1
    ) -> Array:
        """(3, nv) of `center_of_mass` with respect to the configuration."""
        return self._rows.compute(_CENTER_OF_MASS, 0, 0, out, threads, q)

    def energy_gradients(
        self, q: ArrayLike, v: ArrayLike, *, out: Outs = None, threads: Threads = 1
    ) -> EnergyGradients:
        """Gradients of `energy`: .kinetic_dq, .kinetic_dv, .potential_dq."""
        return EnergyGradients(*self._rows.compute(_ENERGY, 0, 0, out, threads, q, v))
