# SPDX-License-Identifier: Apache-2.0
"""Exact derivatives of kinematics and dynamics, as `Robot` returns them.

A change of the configuration is a vector of nv numbers, as in ``robot.integrate(q, dq, 1.0)``: joint
by joint, and the twist of a floating base in its own axes, linear part first. Entry (i, j) of ``dq``
is the derivative of result i with respect to dq[j] at dq = 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class InverseDynamicsDerivatives(NamedTuple):
    """Of `Robot.inverse_dynamics`. External wrenches stay constant in world axes and move along with
    their link's origin."""

    tau: Array
    """(nv,) the generalized forces themselves."""
    dq: Array
    """(nv, nv) with respect to the configuration."""
    dv: Array
    """(nv, nv) with respect to v."""
    da: Array
    """(nv, nv) with respect to a: the mass matrix."""


class ForwardDynamicsDerivatives(NamedTuple):
    """Of `Robot.forward_dynamics`."""

    acceleration: Array
    """(nv,) the acceleration itself."""
    dq: Array
    """(nv, nv) with respect to the configuration."""
    dv: Array
    """(nv, nv) with respect to v."""
    dtau: Array
    """(nv, nv) with respect to tau: the inverse of the mass matrix."""


class ConstrainedDynamicsDerivatives(NamedTuple):
    """Of `Robot.constrained_dynamics`, while every contact keeps its mode."""

    acceleration: Array
    """(nv,) the acceleration itself."""
    forces: Array
    """(number of contacts, 6) the contact forces themselves."""
    dq: Array
    """(nv, nv) of the acceleration with respect to the configuration."""
    dv: Array
    """(nv, nv) of the acceleration with respect to v."""
    dtau: Array
    """(nv, nv) of the acceleration with respect to tau."""
    forces_dq: Array
    """(number of contacts, 6, nv) of the forces. If contacts are redundant, their sum is exact, and
    single forces change as little as they can."""
    forces_dv: Array
    """(number of contacts, 6, nv) likewise, with respect to v."""
    forces_dtau: Array
    """(number of contacts, 6, nv) likewise, with respect to tau."""


class ImpulseDerivatives(NamedTuple):
    """Of `Robot.impulse`, while every contact keeps its mode."""

    velocity: Array
    """(nv,) the velocity after the collision."""
    impulses: Array
    """(number of contacts, 6) the impulses themselves."""
    dq: Array
    """(nv, nv) of the velocity after the collision with respect to the configuration."""
    dv: Array
    """(nv, nv) of that velocity with respect to the velocity before."""
    impulses_dq: Array
    """(number of contacts, 6, nv) of the impulses with respect to the configuration."""
    impulses_dv: Array
    """(number of contacts, 6, nv) of the impulses with respect to the velocity before."""


class LinkDerivatives(NamedTuple):
    """Of `Robot.link_velocity` and `Robot.link_acceleration`."""

    velocity_dq: Array
    """(6, nv) of the velocity with respect to the configuration."""
    acceleration_dq: Array
    """(6, nv) of the acceleration with respect to the configuration."""
    acceleration_dv: Array
    """(6, nv) of the acceleration with respect to v."""
    jacobian: Array
    """(6, nv) of the velocity with respect to v, and of the acceleration with respect to a."""


class MomentumDerivatives(NamedTuple):
    """Of `Robot.momentum`, and of its rate of change."""

    dq: Array
    """(6, nv) of the momentum with respect to the configuration."""
    rate_dq: Array
    """(6, nv) of its rate with respect to the configuration."""
    rate_dv: Array
    """(6, nv) of its rate with respect to v."""
    matrix: Array
    """(6, nv) of the momentum with respect to v, and of its rate with respect to a."""


class EnergyGradients(NamedTuple):
    """Of `Robot.energy`."""

    kinetic_dq: Array
    """(nv,) of the kinetic energy with respect to the configuration."""
    kinetic_dv: Array
    """(nv,) of the kinetic energy with respect to v."""
    potential_dq: Array
    """(nv,) of the potential energy with respect to the configuration."""
