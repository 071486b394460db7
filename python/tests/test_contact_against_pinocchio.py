# SPDX-License-Identifier: Apache-2.0
"""A robot in contact does what Pinocchio's constraintDynamics and impulseDynamics say, to 1e-9.

Sticking points are its CONTACT_3D, surfaces its CONTACT_6D, both LOCAL_WORLD_ALIGNED, so that its
contact forces have our axes and our sign. It solves without damping (mu = 0), in one iteration.

CONTACT_3D and we make the acceleration of the point zero; CONTACT_6D makes the spatial acceleration
zero, which is that less omega x velocity. They agree where the foot does not move already, and so
it is here. What feet do that move, and robots with coupled mimic joints, of which Pinocchio has no
tree, is compared with its mass matrix, bias, Jacobians and drift, put together and solved by numpy.

Friction, slipping contacts and redundant ones are beyond Pinocchio's algorithm: see
test_contact.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import robots

import atemi

pin = pytest.importorskip("pinocchio", reason="needs the PyPI package pin")
import peer  # noqa: E402

TOLERANCE = 1e-9
STATES = 5
# Feet, then hands. Not humanoid17, whose legs have too few joints to be independent.
LIMBS = {
    "hrp2_like": ("right_sole", "left_sole", "right_hand", "left_hand"),
    "r2_like": ("right_foot", "left_foot", "right_hand", "left_hand"),
    "hrp4c": ("R_ANKLE_R_LINK", "L_ANKLE_R_LINK", "R_WRIST_R_LINK", "L_WRIST_R_LINK"),
    "jvrc1": ("R_ANKLE_P_S", "L_ANKLE_P_S", "R_WRIST_Y_S", "L_WRIST_Y_S"),
    "r2": ("r2/right_leg_foot", "r2/left_leg_foot", "r2/right_wrist_yaw", "r2/left_wrist_yaw"),
    "panda": ("panda_hand", "panda_link0", "panda_link3", "panda_leftfinger"),
}
LIMBS["talos_reduced"] = LIMBS["talos_full_v2"] = (
    "right_sole_link",
    "left_sole_link",
    "arm_right_6_link",
    "arm_left_6_link",
)
KINDS = {
    "surfaces": ("surface", "surface"),
    "points": ("stick", "stick", "stick", "stick"),
    "mixed": ("surface", "stick", "stick"),
}


def _cases():
    for path in robots.shipped() + robots.shared() + robots.examples():
        if path.stem in LIMBS:
            for mimic in ("coupled", "independent") if robots.has_mimics(path) else ("coupled",):
                name = robots.label(path) + "-independent" * (mimic != "coupled")
                yield pytest.param((path, mimic), id=name)


@pytest.fixture(scope="module", params=_cases())
def pair(request):
    path, mimic = request.param
    return peer.Pair(path, "floating", mimic)


@dataclass
class State:
    """A state of motion, and contacts."""

    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    contacts: list[atemi.Contact]


def _states(pair, kind, standing):
    """Everything moves; if `standing`, all but the surfaces."""
    robot, limbs = pair.robot, _limbs(pair)
    for seed in range(STATES):
        rng = np.random.default_rng(seed)
        q = robot.random(rng)
        v = rng.uniform(-2.0, 2.0, robot.nv)
        tau = rng.uniform(-20.0, 20.0, robot.nv)
        contacts = [
            atemi.Contact(link, rng.uniform(-0.1, 0.1, 3), mode=mode)
            for link, mode in zip(limbs, KINDS[kind])
        ]
        fixed = [robot.jacobian(q, c.link) for c in contacts if c.mode == "surface"]
        if standing and fixed:
            J = np.concatenate(fixed)
            v -= np.linalg.pinv(J) @ (J @ v)
        yield State(q, v, tau, contacts)


def _limbs(pair):
    return next(limbs for limbs in LIMBS.values() if set(limbs) <= set(pair.robot.link_names))


# ---- Pinocchio's answers


class Peer:
    """The contacts of a state in Pinocchio."""

    def __init__(self, pair, state):
        self.pair, self.model, self.data = pair, pair.model, pair.model.createData()
        self.q, self.v = pair.q(state.q), pair.E @ state.v
        self.touches = [self._touch(contact) for contact in state.contacts]

    def _touch(self, contact):
        """Joint, place of the contact's frame in it, and number of rows."""
        frame = self.model.frames[self.pair.frame(contact.link)]
        place = frame.placement * pin.SE3(np.eye(3), np.array(contact.point))
        return frame.parentJoint, place, 6 if contact.mode == "surface" else 3

    def constraint_dynamics(self, tau):
        """Accelerations and contact forces, by Pinocchio's algorithm."""
        tau = self.pair.E @ tau
        models, datas, settings = self._constraints()
        a = pin.constraintDynamics(
            self.model, self.data, self.q, self.v, tau, models, datas, settings
        )
        return self.pair.E.T @ a, np.array([data.contact_force.vector for data in datas])

    def impulse_dynamics(self):
        """Velocities after the collision and impulses, by Pinocchio's algorithm."""
        models, datas, settings = self._constraints()
        v = pin.impulseDynamics(self.model, self.data, self.q, self.v, models, datas, 0.0, settings)
        return self.pair.E.T @ v, np.array([data.contact_force.vector for data in datas])

    def _constraints(self):
        kinds = {6: pin.ContactType.CONTACT_6D, 3: pin.ContactType.CONTACT_3D}
        models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for joint, place, rows in self.touches:
            models.append(
                pin.RigidConstraintModel(kinds[rows], self.model, joint, place, peer.WORLD_ALIGNED)
            )
        datas.extend([model.createData() for model in models])
        pin.initConstraintDynamics(self.model, self.data, models, datas)
        return models, datas, pin.ProximalSettings(1e-14, 0.0, 1)

    def accelerate(self, tau):
        """Accelerations and contact forces, from Pinocchio's terms."""
        h = self.pair.E.T @ pin.nonLinearEffects(self.model, self.data, self.q, self.v)
        return self._solve(tau - h, -self._drift())

    def collision(self, v):
        """Velocities after the collision and impulses, from Pinocchio's terms."""
        return self._solve(self.pair.mass_matrix(self.q) @ v, 0.0 * self._drift())

    def condition(self):
        """Of the inertia at the contacts, J M^-1 J^T."""
        J = self._jacobian()
        return np.linalg.cond(J @ np.linalg.solve(self.pair.mass_matrix(self.q), J.T))

    def _solve(self, load, target):
        M, J = self.pair.mass_matrix(self.q), self._jacobian()
        system = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
        x, multipliers = np.split(np.linalg.solve(system, np.r_[load, target]), [len(M)])
        ends = np.cumsum([rows for _, _, rows in self.touches])
        parts = np.split(multipliers, ends[:-1])
        return x, np.array([np.r_[part, np.zeros(6 - len(part))] for part in parts])

    def _jacobian(self):
        pin.computeJointJacobians(self.model, self.data, self.q)
        parts = []
        for joint, place, rows in self.touches:
            local = pin.getJointJacobian(self.model, self.data, joint, pin.LOCAL)
            to_point = self._turn(joint, place).toActionMatrix() @ place.toActionMatrixInverse()
            parts.append((to_point @ local @ self.pair.E)[:rows])
        return np.concatenate(parts)

    def _drift(self):
        """The accelerations of the points while all joints keep their speed."""
        pin.forwardKinematics(self.model, self.data, self.q, self.v, 0.0 * self.v)
        parts = []
        for joint, place, rows in self.touches:
            turn = self._turn(joint, place)
            v = turn.act(place.actInv(self.data.v[joint]))
            a = turn.act(place.actInv(self.data.a[joint]))
            both = np.r_[a.linear + np.cross(v.angular, v.linear), a.angular]
            parts.append(both[:rows])
        return np.concatenate(parts)

    def _turn(self, joint, place):
        """From the contact's axes to the world's."""
        return pin.SE3((self.data.oMi[joint] * place).rotation, np.zeros(3))


# ---- Comparison


class Agreement:
    """Compares two answers to 1e-9.

    The last digit of what is given moves both by up to the condition of the contacts' inertia in
    last digits. Two points of Panda's hand that are all but in line with its finger's way bring
    that to 1e10; there a hundred last digits times the condition are allowed.
    """

    def __init__(self, note, condition):
        rounding = 100.0 * np.finfo(float).eps * condition
        self.note, self.tolerance = note, max(TOLERANCE, rounding)
        self.kind = " (ill-conditioned)" if rounding > TOLERANCE else ""

    def check(self, quantity, ours, theirs):
        """Forces and moments each by themselves."""
        if ours.ndim == 2:
            self.check(quantity + ", linear", ours[:, :3].ravel(), theirs[:, :3].ravel())
            self.check(quantity + ", angular", ours[:, 3:].ravel(), theirs[:, 3:].ravel())
            return
        difference, size = np.abs(ours - theirs).max(), np.abs(theirs).max()
        if size == 0.0:  # moments of points
            assert difference == 0.0
            return
        self.note(quantity + self.kind, difference / size)
        assert difference <= self.tolerance * size, f"{quantity}: {difference / size:.2g}"


@pytest.mark.parametrize("standing", [True, False], ids=["standing", "moving"])
@pytest.mark.parametrize("kind", KINDS)
def test_constrained_dynamics(pair, kind, standing, residuals):
    for state in _states(pair, kind, standing):
        other = Peer(pair, state)
        agreement = Agreement(residuals, other.condition())
        answers = [other.accelerate(state.tau)]
        if not pair.coupled and (standing or kind == "points"):
            answers.append(other.constraint_dynamics(state.tau))
        for method in ("fast", "published"):
            ours = pair.robot.constrained_dynamics(
                state.q, state.v, state.tau, state.contacts, method=method
            )
            for a, forces in answers:
                agreement.check(f"{method} acceleration", ours.acceleration, a)
                agreement.check(f"{method} contact force", ours.forces, forces)


@pytest.mark.parametrize("kind", KINDS)
def test_impulse(pair, kind, residuals):
    for state in _states(pair, kind, standing=False):
        other = Peer(pair, state)
        agreement = Agreement(residuals, other.condition())
        ours = pair.robot.impulse(state.q, state.v, state.contacts)
        theirs = [other.collision(state.v)] + [other.impulse_dynamics()] * (not pair.coupled)
        for v, impulses in theirs:
            agreement.check("velocity after collision", ours.velocity, v)
            agreement.check("impulse", ours.impulses, impulses)


@pytest.mark.parametrize("kind", KINDS)
def test_joint_wrenches_carry_the_contact_forces(pair, kind, residuals):
    """Those of Pinocchio's recursive Newton-Euler, with the contact forces handed to it."""
    if pair.coupled:
        pytest.skip("Pinocchio has no coupled joints to take a force through")
    robot, model, data = pair.robot, pair.model, pair.data
    joints = [model.getJointId(name) for name in robot.joint_names]
    for state in _states(pair, kind, standing=False):
        x = robot.constrained_dynamics(state.q, state.v, state.tau, state.contacts)
        at_links = np.zeros((len(robot.link_names), 6))
        for contact, force in zip(state.contacts, x.forces):
            R, _ = robot.link_pose(state.q, contact.link)
            moment = force[3:] + np.cross(R @ contact.point, force[:3])
            at_links[robot.link_names.index(contact.link)] += [*force[:3], *moment]
        q = pair.q(state.q)
        a = pair.E @ x.acceleration
        pin.rnea(model, data, q, pair.E @ state.v, a, pair.external(q, at_links))
        theirs = np.array([data.f[i].vector for i in joints])
        Agreement(residuals, 1.0).check("joint wrench", x.joint_wrenches, theirs)
