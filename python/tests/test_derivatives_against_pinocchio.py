# SPDX-License-Identifier: Apache-2.0
"""Derivatives agree with Pinocchio's to 1e-9, on every robot at hand, with every base that Pinocchio
has (fixed, planar, floating), and with mimic joints coupled and independent.

The coordinates of both are matched by E of peer.py: a derivative with respect to q of ours is E^T X E
of theirs. "To 1e-9" is max |ours - theirs| / max |theirs|; for solutions of M x = b that is measured
by what the last digit of M does to them, as in test_against_pinocchio.py.
"""

from __future__ import annotations

import numpy as np
import pytest
import robots

import atemi

pin = pytest.importorskip("pinocchio", reason="needs the PyPI package pin")
import peer  # noqa: E402

TOLERANCE = 1e-9
BASES = ("fixed", "planar", "floating")
LOCAL = pin.ReferenceFrame.LOCAL


def _cases():
    for path in robots.shipped() + robots.shared() + robots.examples():
        if path in robots.examples() and path.stem in {*robots.REFUSED, *robots.MASSLESS}:
            continue
        for base in BASES[1:] if robots.is_rigid(path) else BASES:
            for mimic in ("coupled", "independent") if robots.has_mimics(path) else ("coupled",):
                name = f"{robots.label(path)}-{base}" + "-independent" * (mimic != "coupled")
                yield pytest.param((path, base, mimic), id=name)


class Case:
    """A robot in both libraries, in one state of motion."""

    def __init__(self, path, base, mimic):
        self.pair = peer.Pair(path, base, mimic)
        robot, rng = self.pair.robot, np.random.default_rng(7)
        self.q = robot.random(rng)
        self.v = rng.uniform(-3.0, 3.0, robot.nv)
        self.a = rng.uniform(-10.0, 10.0, robot.nv)
        self.peer_q, self.E = self.pair.q(self.q), self.pair.E
        self.peer_v, self.peer_a = self.E @ self.v, self.E @ self.a

    def square(self, theirs):
        """A derivative of generalized forces, in our coordinates."""
        return self.E.T @ theirs @ self.E


@pytest.fixture(scope="module", params=_cases())
def case(request):
    return Case(*request.param)


def agrees(ours, theirs, size=0.0, tolerance=TOLERANCE):
    assert ours.shape == theirs.shape
    scale = max(np.abs(theirs).max(initial=0.0), size)
    difference = np.abs(ours - theirs).max(initial=0.0)
    # Where nothing but rounding is left there is no scale.
    assert difference <= tolerance * scale if scale > 1e-9 else difference < 1e-12


def _symmetric(upper):
    return np.triu(upper) + np.triu(upper, 1).T


def test_inverse_dynamics(case):
    model, data = case.pair.model, case.pair.data
    ours = case.pair.robot.inverse_dynamics_derivatives(case.q, case.v, case.a)
    dq, dv, da = pin.computeRNEADerivatives(model, data, case.peer_q, case.peer_v, case.peer_a)
    agrees(ours.dq, case.square(dq))
    agrees(ours.dv, case.square(dv), size=np.abs(dq).max(initial=0.0))
    agrees(ours.da, case.square(_symmetric(da)))
    agrees(ours.tau, case.pair.robot.inverse_dynamics(case.q, case.v, case.a))


def test_forward_dynamics(case):
    """Theirs are M^-1 of the derivatives of inverse dynamics, by numpy where joints are coupled."""
    robot, model = case.pair.robot, case.pair.model
    M = robot.mass_matrix(case.q)
    if robot.nv == 0 or np.linalg.cond(M) > 1e12:
        pytest.skip("the mass matrix is singular")
    tau = robot.inverse_dynamics(case.q, case.v, case.a)
    ours = robot.forward_dynamics_derivatives(case.q, case.v, tau)
    dq, dv, _ = pin.computeRNEADerivatives(
        model, case.pair.data, case.peer_q, case.E @ case.v, case.E @ case.a
    )
    rounding = 100.0 * np.finfo(float).eps * np.linalg.cond(M)
    tolerance = max(TOLERANCE, rounding)
    agrees(ours.acceleration, case.a, tolerance=tolerance)
    agrees(ours.dtau, np.linalg.inv(M), tolerance=tolerance)
    agrees(ours.dq, -np.linalg.solve(M, case.square(dq)), tolerance=tolerance)
    size = np.abs(ours.dq).max()
    agrees(ours.dv, -np.linalg.solve(M, case.square(dv)), size=size, tolerance=tolerance)
    if not case.pair.coupled and np.linalg.cond(M) < 1e6:
        tau = case.E @ tau
        theirs = pin.computeABADerivatives(model, case.pair.data, case.peer_q, case.peer_v, tau)
        for mine, yours in zip(ours[1:3], theirs[:2]):
            agrees(mine, case.square(yours), size=size)
        agrees(ours.dtau, case.square(_symmetric(theirs[2])))


def test_links(case):
    """Pinocchio's are of spatial motions in the link's own axes; with Y = R dv/dq, S the Jacobian:
    dv/dq = Y + S_ang x v, da/dq = R da + Y_ang x u + w x Y_lin + S_ang x a and so on."""
    pair, robot = case.pair, case.pair.robot
    pin.computeForwardKinematicsDerivatives(
        pair.model, pair.data, case.peer_q, case.peer_v, case.peer_a
    )
    pin.updateFramePlacements(pair.model, pair.data)
    for link in robot.link_names[:: 1 + len(robot.link_names) // 8]:
        ours = robot.link_derivatives(case.q, case.v, case.a, link)
        R = pair.data.oMf[pair.frame(link)].rotation
        turn = np.kron(np.eye(2), R)
        Y, A, B, S = (
            turn @ X @ case.E
            for X in pin.getFrameAccelerationDerivatives(
                pair.model, pair.data, pair.frame(link), LOCAL
            )
        )
        velocity = robot.link_velocity(case.q, case.v, link)
        acceleration = robot.link_acceleration(case.q, case.v, case.a, link)
        u, w = velocity[:3, None], velocity[3:, None]

        def cross(x, y):
            return np.cross(x, y, axis=0)

        both = np.r_[cross(S[3:], u), cross(S[3:], w)]
        whole = np.r_[
            cross(S[3:], acceleration[:3, None]), cross(S[3:], acceleration[3:, None])
        ]
        A[:3] += cross(Y[3:], u) + cross(w, Y[:3])
        B[:3] += cross(S[3:], u) + cross(w, S[:3])
        size = np.abs(A + whole).max(initial=0.0)
        agrees(ours.jacobian, S)
        agrees(ours.velocity_dq, Y + both, size=size)
        agrees(ours.acceleration_dq, A + whole)
        agrees(ours.acceleration_dv, B, size=size)


def test_momentum(case):
    pair = case.pair
    ours = pair.robot.momentum_derivatives(case.q, case.v, case.a)
    theirs = pin.computeCentroidalDynamicsDerivatives(
        pair.model, pair.data, case.peer_q, case.peer_v, case.peer_a
    )
    size = max(np.abs(X).max(initial=0.0) for X in theirs)
    for mine, yours in zip(ours, theirs):
        agrees(mine, yours @ case.E, size=size)
    J = pin.jacobianCenterOfMass(pair.model, pair.data, case.peer_q)
    agrees(pair.robot.center_of_mass_jacobian(case.q), J @ case.E)


def test_energy(case):
    """The gradient of kinetic energy with respect to v is M v, that of potential energy gravity."""
    robot = case.pair.robot
    ours = robot.energy_gradients(case.q, case.v)
    agrees(ours.kinetic_dv, robot.mass_matrix(case.q) @ case.v)
    agrees(ours.potential_dq, robot.gravity_torque(case.q))
    # d(v^T M v)/dq of Lagrange's equations: dM/dt v - h without gravity, dM/dt by momentum's rate
    dv = robot.inverse_dynamics_derivatives(case.q, case.v, np.zeros(robot.nv)).dv
    coriolis = robot.bias_force(case.q, case.v) - robot.gravity_torque(case.q)
    # h is of second degree in v: dh/dv v = 2 h.
    agrees(dv @ case.v, 2.0 * coriolis, size=np.abs(dv).max(initial=0.0))


# ---- Contacts



def test_constrained_dynamics_and_impulses_of_two_feet():
    """Both soles of hrp2_like held fixed at rest, as Pinocchio's rigid contacts of six rows."""
    path = robots.CHECKOUT / "robots" / "hrp2_like.urdf"
    case = Case(path, "floating", "coupled")
    pair, robot, model = case.pair, case.pair.robot, case.pair.model
    links = [n for n in robot.link_names if "sole" in n][:2]
    assert len(links) == 2
    contacts = [atemi.Contact(link, mode="surface") for link in links]
    J = np.vstack([robot.jacobian(case.q, link) for link in links])
    v = case.v - np.linalg.lstsq(J, J @ case.v, rcond=None)[0]
    tau = robot.gravity_torque(case.q)
    ours = robot.constrained_dynamics_derivatives(case.q, v, tau, contacts)

    rigid = pin.StdVec_RigidConstraintModel()
    for link in links:
        frame = model.frames[pair.frame(link)]
        one = pin.RigidConstraintModel(
            pin.ContactType.CONTACT_6D, model, frame.parentJoint, frame.placement, LOCAL
        )
        rigid.append(one)
    memory = pin.StdVec_RigidConstraintData()
    for one in rigid:
        memory.append(one.createData())
    data = model.createData()
    pin.initConstraintDynamics(model, data, rigid, memory)
    settings = pin.ProximalSettings(0.0, 0.0, 1)
    E = case.E
    a = pin.constraintDynamics(
        model, data, case.peer_q, E @ v, E @ tau, rigid, memory, settings
    )
    pin.computeConstraintDynamicsDerivatives(model, data, rigid, memory, settings)
    agrees(ours.acceleration, E.T @ a)
    agrees(ours.dq, case.square(data.ddq_dq))
    agrees(ours.dv, case.square(data.ddq_dv))
    agrees(ours.dtau, case.square(data.ddq_dtau))

    ours = robot.impulse_derivatives(case.q, case.v, contacts)
    data = model.createData()
    pin.initConstraintDynamics(model, data, rigid, memory)
    after = pin.impulseDynamics(
        model, data, case.peer_q, case.peer_v, rigid, memory, 0.0, settings
    )
    pin.computeImpulseDynamicsDerivatives(model, data, rigid, memory, 0.0, settings)
    agrees(ours.velocity, E.T @ after)
    agrees(ours.dq, case.square(data.ddq_dq))
    agrees(ours.dv, case.square(data.ddq_dv) + np.eye(robot.nv), size=1.0)
