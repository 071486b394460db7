# SPDX-License-Identifier: Apache-2.0
"""Every quantity agrees with Pinocchio's to 1e-10, on every robot at hand, with every base that
Pinocchio has (fixed, planar, floating), and with mimic joints coupled and independent.

"To 1e-10" is max |ours - theirs| / max |theirs|, over an array or, where its rows have different
units (force and moment, velocity and turning), over each kind of rows. Both libraries round in each
of some hundred operations on the way: 1e-14 is what to expect, 1e-10 is what was promised.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pytest
import robots

import atemi

pin = pytest.importorskip("pinocchio", reason="needs the PyPI package pin")
import peer  # noqa: E402

TOLERANCE = 1e-10
STATES = 3
BASES = ("fixed", "planar", "floating")


@dataclass
class State:
    """A state of motion of both robots; the velocities are not small."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    external: np.ndarray
    peer_q: np.ndarray
    peer_v: np.ndarray
    peer_a: np.ndarray
    peer_external: list


def _state(pair: peer.Pair, seed: int) -> State:
    robot, rng = pair.robot, np.random.default_rng(seed)
    q = robot.random(rng)
    v = rng.uniform(-3.0, 3.0, robot.nv)
    a = rng.uniform(-10.0, 10.0, robot.nv)
    external = rng.uniform(-50.0, 50.0, (len(robot.link_names), 6))
    peer_q = pair.q(q)
    peer_external = pair.external(peer_q, external)
    return State(q, v, a, external, peer_q, pair.E @ v, pair.E @ a, peer_external)


@dataclass
class Case:
    """A robot in both libraries, states to compare, and a place to note how well they agree."""

    pair: peer.Pair
    states: list[State]
    note: object

    @property
    def singular(self) -> bool:
        """Its root has no inertia and is free to turn about the axis of its first joint."""
        return (
            self.pair.robot.name in ("two_link", "three_link")
            and self.pair.robot.base == "floating"
        )

    def agrees(self, quantity, ours, theirs, split=False, size=0.0, tolerance=TOLERANCE) -> None:
        """Checks and notes the relative difference; `split`: rows 0-2 and 3-5 each by themselves;
        `size`: of what the numbers are the difference."""
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert ours.shape == theirs.shape
        halves = [(ours[:3], theirs[:3]), (ours[3:], theirs[3:])] if split else [(ours, theirs)]
        for mine, yours in halves:
            if mine.size == 0:
                continue
            largest = max(np.abs(yours).max(), size)
            difference = np.abs(mine - yours).max()
            # Where nothing but rounding is left (the turning of a slider) there is no scale.
            relative = difference / largest if largest > 1e-12 else difference
            self.note(quantity, relative)
            assert relative <= tolerance, f"{quantity}: {relative:.2g}"

    def agrees_by_condition(self, quantity, M, load, x, expected) -> None:
        """The same for the solution of M x = load.

        The last digit of M and of the terms of the load moves the solution by a relative
        c = max |M^-1| (|M| |x| + |load|) / max |x|  last digits, whoever solves it. Of most robots
        that is little, and 1e-10 holds. But iCub's head is all but a point mass on three neck
        joints, which leaves one turn without inertia: c is up to 1e10. There a hundred last digits
        times c are allowed (we and Pinocchio are seen to differ by thirty).
        """
        size = np.abs(expected).max()
        spread = np.abs(np.linalg.inv(M)) @ (np.abs(M) @ np.abs(expected) + load)
        condition = spread.max() / size
        rounding = 100.0 * np.finfo(float).eps * condition
        kind = " (ill-conditioned)" if rounding > TOLERANCE else ""
        self.agrees(quantity + kind, x, expected, tolerance=max(TOLERANCE, rounding))
        self.note(quantity + " / condition", np.abs(x - expected).max() / size / condition)


def _cases():
    for path in robots.shipped() + robots.shared() + robots.examples():
        if path in robots.examples() and path.stem in {*robots.REFUSED, *robots.MASSLESS}:
            continue
        for base in BASES[1:] if robots.is_rigid(path) else BASES:
            for mimic in ("coupled", "independent") if robots.has_mimics(path) else ("coupled",):
                name = f"{robots.label(path)}-{base}" + "-independent" * (mimic != "coupled")
                yield pytest.param((path, base, mimic), id=name)


@pytest.fixture(scope="module", params=_cases())
def case(request, residuals):
    path, base, mimic = request.param
    pair = peer.Pair(path, base, mimic)
    states = [_state(pair, seed) for seed in range(STATES)]
    return Case(pair, states, residuals)


# ---- What it is and where it goes


def test_sizes_and_mass(case):
    robot, model = case.pair.robot, case.pair.model
    coupled = len(case.pair.coupled)
    assert robot.nv + coupled == model.nv
    assert len(robot.joint_names) + coupled == model.njoints - 1 - (robot.base != "fixed")
    case.agrees("mass", robot.mass, pin.computeTotalMass(model))
    np.testing.assert_array_equal(robot.gravity, model.gravity.linear)


def test_neutral(case):
    pair = case.pair
    neutral = pair.q(pair.robot.neutral())
    if all(law.offset == 0.0 for law in pair.coupled.values()):
        np.testing.assert_array_equal(neutral, pin.neutral(pair.model))


def test_limits(case):
    pair = case.pair
    for name in pair.robot.joint_names:
        joint = pair.model.joints[pair.model.getJointId(name)]
        index = pair.robot.joint_index(name)
        if joint.nq == 1 and joint.nv == 1:
            lower = pair.model.lowerPositionLimit[joint.idx_q]
            upper = pair.model.upperPositionLimit[joint.idx_q]
            if lower < upper:  # Pinocchio takes absent ones for zero
                assert pair.robot.lower_limits[index] == lower
                assert pair.robot.upper_limits[index] == upper


def test_integrate_and_difference(case):
    pair = case.pair
    for state in case.states:
        ours = pair.robot.integrate(state.q, state.v, 0.3)
        theirs = pin.integrate(pair.model, state.peer_q, 0.3 * state.peer_v)
        mapped = pair.q(ours)
        if pair.robot.base == "floating" and mapped[3:7] @ theirs[3:7] < 0.0:
            theirs[3:7] *= -1.0  # the same turn
        case.agrees("integrate", mapped, theirs)
        way = pair.robot.difference(state.q, ours)
        case.agrees("difference", way, 0.3 * state.v, size=np.abs(state.q).max())


# ---- Kinematics


def test_link_poses(case):
    pair = case.pair
    for state in case.states:
        pin.framesForwardKinematics(pair.model, pair.data, state.peer_q)
        for link in pair.robot.link_names:
            R, p = pair.robot.link_pose(state.q, link)
            pose = pair.data.oMf[pair.frame(link)]
            case.agrees("link rotation", R, pose.rotation)
            case.agrees("link position", p, pose.translation)


def test_link_velocities_and_accelerations(case):
    pair = case.pair
    for state in case.states:
        pin.forwardKinematics(pair.model, pair.data, state.peer_q, state.peer_v, state.peer_a)
        pin.updateFramePlacements(pair.model, pair.data)
        for link in pair.robot.link_names:
            frame = (pair.model, pair.data, pair.frame(link), peer.WORLD_ALIGNED)
            ours = pair.robot.link_velocity(state.q, state.v, link)
            case.agrees("link velocity", ours, pin.getFrameVelocity(*frame).vector, split=True)
            ours = pair.robot.link_acceleration(state.q, state.v, state.a, link)
            theirs = pin.getFrameClassicalAcceleration(*frame).vector
            case.agrees("link acceleration", ours, theirs, split=True)


def test_jacobians(case):
    pair = case.pair
    for state in case.states:
        pin.computeJointJacobians(pair.model, pair.data, state.peer_q)
        pin.updateFramePlacements(pair.model, pair.data)
        for link in pair.robot.link_names:
            frame = (pair.model, pair.data, pair.frame(link), peer.WORLD_ALIGNED)
            ours = pair.robot.jacobian(state.q, link)
            case.agrees("jacobian", ours, pin.getFrameJacobian(*frame) @ pair.E, split=True)


def test_jacobian_rates(case):
    pair = case.pair
    for state in case.states:
        pin.computeJointJacobiansTimeVariation(pair.model, pair.data, state.peer_q, state.peer_v)
        pin.updateFramePlacements(pair.model, pair.data)
        for link in pair.robot.link_names:
            frame = (pair.model, pair.data, pair.frame(link), peer.WORLD_ALIGNED)
            ours = pair.robot.jacobian_rate(state.q, state.v, link)
            theirs = pin.getFrameJacobianTimeVariation(*frame) @ pair.E
            case.agrees("jacobian rate", ours, theirs, split=True)


def test_center_of_mass_and_momentum(case):
    pair = case.pair
    for state in case.states:
        robot, model, data = pair.robot, pair.model, pair.data
        if robot.mass == 0.0:
            continue  # nothing moves; Pinocchio divides by zero
        theirs = pin.centerOfMass(model, data, state.peer_q)
        case.agrees("center of mass", robot.center_of_mass(state.q), theirs)
        theirs = pin.computeCentroidalMomentum(model, data, state.peer_q, state.peer_v).vector
        case.agrees("momentum", robot.momentum(state.q, state.v), theirs, split=True)
        theirs = pin.computeCentroidalMap(model, data, state.peer_q) @ pair.E
        case.agrees("momentum matrix", robot.momentum_matrix(state.q), theirs, split=True)


# ---- Dynamics


def test_energy(case):
    pair = case.pair
    for state in case.states:
        kinetic, potential = pair.robot.energy(state.q, state.v)
        # Pinocchio 4.1 forgets the rotors of joints whose axis is not x, y or z: added here.
        theirs = pin.computeKineticEnergy(pair.bodies, pair.data, state.peer_q, state.peer_v)
        theirs += 0.5 * pair.model.armature @ state.peer_v**2
        case.agrees("kinetic energy", kinetic, theirs)
        theirs = pin.computePotentialEnergy(pair.model, pair.data, state.peer_q)
        case.agrees("potential energy", potential, theirs)


def test_inverse_dynamics_and_joint_wrenches(case):
    pair = case.pair
    robot, model, data = pair.robot, pair.model, pair.data
    joints = [model.getJointId(name) for name in robot.joint_names]
    for state in case.states:
        for ours, theirs in ((None, ()), (state.external, (state.peer_external,))):
            tau = pin.rnea(model, data, state.peer_q, state.peer_v, state.peer_a, *theirs)
            wrenches = np.array([data.f[i].vector for i in joints]).reshape(len(joints), 6)
            mine = robot.inverse_dynamics(state.q, state.v, state.a, ours)
            case.agrees("inverse dynamics", mine, pair.E.T @ tau)
            mine = robot.joint_wrenches(state.q, state.v, state.a, ours)
            case.agrees("joint wrenches", mine.T, wrenches.T, split=True)
        bias = pin.nonLinearEffects(model, data, state.peer_q, state.peer_v)
        case.agrees("bias force", robot.bias_force(state.q, state.v), pair.E.T @ bias)
        gravity = pin.computeGeneralizedGravity(model, data, state.peer_q)
        case.agrees("gravity torque", robot.gravity_torque(state.q), pair.E.T @ gravity)


def test_mass_matrix(case):
    pair = case.pair
    for state in case.states:
        theirs = pair.mass_matrix(state.peer_q)
        case.agrees("mass matrix", pair.robot.mass_matrix(state.q), theirs)


def test_forward_dynamics(case):
    pair = case.pair
    robot, model, data = pair.robot, pair.model, pair.data
    if case.singular:
        pytest.skip("any acceleration of the massless root about the first joint's axis would do")
    for seed, state in enumerate(case.states):
        peer_state = (model, data, state.peer_q, state.peer_v)
        tau = np.random.default_rng(seed).uniform(-20.0, 20.0, robot.nv)
        M = pair.mass_matrix(state.peer_q)
        for ours, theirs in ((None, ()), (state.external, (state.peer_external,))):
            h = pair.E.T @ pin.rnea(*peer_state, 0.0 * state.peer_v, *theirs)
            if pair.coupled:  # none of Pinocchio's tree: its mass matrix, reduced
                expected = np.linalg.solve(M, tau - h)
            else:
                expected = pair.E.T @ pin.aba(*peer_state, pair.E @ tau, *theirs)
            a = robot.forward_dynamics(state.q, state.v, tau, ours)
            case.agrees_by_condition("forward dynamics", M, np.abs(tau) + np.abs(h), a, expected)
        x = robot.solve_mass_matrix(state.q, M @ state.a)
        case.agrees_by_condition("solve mass matrix", M, 0.0, x, state.a)


# ---- What we refuse


def test_refusals_are_the_known_ones():
    """A robot that Pinocchio reads and we do not is listed in robots.py, with the reason.

    Which robots there are depends on the version of example-robot-data.
    """
    if not robots.examples():
        pytest.skip("needs the PyPI package example-robot-data")
    refused = {}
    for path in robots.examples():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", atemi.Warning)
                atemi.Robot(path)
        except atemi.Error as error:
            refused[path.stem] = str(error)
            assert robots.REFUSED.get(path.stem, "not in the list") in str(error)
    assert set(refused) == set(robots.REFUSED) & {path.stem for path in robots.examples()}
