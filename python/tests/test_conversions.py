# SPDX-License-Identifier: Apache-2.0
"""Configurations and velocities of Pinocchio and MuJoCo, and ours: the robot is in the same place."""

from __future__ import annotations

import numpy as np
import pytest
import robots

import atemi

URDF = robots.CHECKOUT / "robots"


def _states(robot, n=5):
    rng = np.random.default_rng(4)
    return np.array([robot.random(rng) for _ in range(n)]), rng.uniform(-1, 1, (n, robot.nv))


def _pinocchio(name, base):
    pin = pytest.importorskip("pinocchio")
    root = {"floating": pin.JointModelFreeFlyer, "planar": pin.JointModelPlanar}.get(base)
    path = str(URDF / f"{name}.urdf")
    return pin, pin.buildModelFromUrdf(path, root()) if root else pin.buildModelFromUrdf(path)


@pytest.mark.parametrize(
    ("name", "base"),
    [("hrp2_like", "floating"), ("r2_like", "fixed"), ("humanoid17", "floating"), ("three_link", "planar")],
)
def test_pinocchio_is_in_the_same_place(name, base):
    pin, model = _pinocchio(name, base)
    robot, data = atemi.Robot.shipped(name, base=base), model.createData()
    q, v = _states(robot)
    theirs, rates = robot.q_to_pinocchio(model, q), robot.v_to_pinocchio(model, v)
    np.testing.assert_allclose(robot.q_from_pinocchio(model, theirs), q, atol=1e-12)
    np.testing.assert_array_equal(robot.v_from_pinocchio(model, rates), v)
    np.testing.assert_array_equal(robot.q_to_pinocchio(model, q[2]), theirs[2])
    for i in range(len(q)):
        np.testing.assert_allclose(
            robot.center_of_mass(q[i]), pin.centerOfMass(model, data, theirs[i]), atol=1e-9
        )
        pin.computeCentroidalMomentum(model, data, theirs[i], rates[i])
        np.testing.assert_allclose(robot.momentum(q[i], v[i]), data.hg.vector, atol=1e-9)


@pytest.mark.parametrize("name", ["hrp2_like", "humanoid17", "two_link"])
def test_mujoco_is_in_the_same_place(name):
    mujoco = pytest.importorskip("mujoco")
    base = "fixed" if name == "two_link" else "floating"
    robot = atemi.Robot.shipped(name, base=base)
    spec = mujoco.MjSpec.from_string((URDF / f"{name}.urdf").read_text())
    spec.compiler.fusestatic = False
    if base == "floating":
        spec.worldbody.first_body().add_freejoint()
    model = spec.compile()
    data = mujoco.MjData(model)
    q, v = _states(robot)
    qpos, qvel = robot.q_to_mujoco(model, q), robot.v_to_mujoco(model, q, v)
    np.testing.assert_allclose(robot.q_from_mujoco(model, qpos), q, atol=1e-12)
    np.testing.assert_allclose(robot.v_from_mujoco(model, qpos, qvel), v, atol=1e-12)
    for i in range(len(q)):
        data.qpos, data.qvel = qpos[i], qvel[i]
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
        np.testing.assert_allclose(robot.center_of_mass(q[i]), data.subtree_com[0], atol=1e-9)
        momentum = robot.momentum(q[i], v[i])[:3] / robot.mass
        np.testing.assert_allclose(momentum, data.subtree_linvel[0], atol=1e-9)


def test_mistakes_are_named():
    pin, model = _pinocchio("hrp2_like", "fixed")
    robot = atemi.Robot.shipped("hrp2_like")
    with pytest.raises(ValueError, match="no floating joint at its root"):
        robot.q_from_pinocchio(model, pin.neutral(model))
    with pytest.raises(ValueError, match="no joint 'joint1': is it of this robot"):
        atemi.Robot.shipped("two_link", base="fixed").q_from_pinocchio(model, pin.neutral(model))
    with pytest.raises(ValueError, match="q must have shape"):
        atemi.Robot.shipped("hrp2_like", base="fixed").q_from_pinocchio(model, np.zeros(3))
