# SPDX-License-Identifier: Apache-2.0
"""Simulations that are stepped from Python."""

from __future__ import annotations

import doctest
import importlib
import time

import numpy as np
import pytest

import atemi

G = 9.81
BALL = """<robot name="ball"><link name="body"><inertial><mass value="2"/>
<inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


def ball() -> atemi.Robot:
    return atemi.Robot.from_string(BALL)


def humanoid() -> atemi.Simulation:
    robot = atemi.Robot.shipped("hrp2_like")
    sim = atemi.Simulation(robot, ["right_sole", "left_sole"])
    sim.reset(sim.placed(robot.posture("half_sitting")))
    sim.hold(sim.q, stiffness=8000.0, damping=80.0)
    return sim


def test_the_examples_of_the_documentation_run():
    module = importlib.import_module("atemi.simulation")
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("method", ["steps", "events"])
def test_a_ball_falls_as_in_the_textbook(method):
    sim = atemi.Simulation(ball(), None, method=method)
    sim.reset([0, 0, 5, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0])
    sim.step(count=500)
    np.testing.assert_allclose(sim.time, 0.5, rtol=1e-12)
    np.testing.assert_allclose(sim.q[[0, 2]], [0.5, 5 - 0.5 * G * 0.25], atol=1e-12)


ROUND = BALL.replace(
    "</inertial>",
    '</inertial><collision><geometry><sphere radius="0.1"/></geometry></collision>',
)


def test_shapes_bounce_and_rest_by_both_methods():
    robot, impact = atemi.Robot.from_string(ROUND), np.sqrt(2 * G)
    # By steps, conditions hold to 1e-6 of speeds that are some times the g h of a step.
    for method, good in (("steps", 1e-5), ("events", 1e-10)):
        events = []
        sim = atemi.Simulation(
            robot, "shapes", method=method, restitution=0.5, on_event=events.append
        )
        sim.reset([0, 0, 1.1, 0, 0, 0, 1])
        sim.run(0.5)
        assert events[0].kind == "touchdown" and events[0].contact == "body on surface 0"
        np.testing.assert_allclose(events[0].speed, impact, atol=0.02)  # steps of 1 ms: g h
        np.testing.assert_allclose(events[0].impulse, [0, 0, 2 * 1.5 * impact], atol=0.1)
        sim.run(4.0)
        touches = sim.contacts
        assert touches.names == ("body on surface 0",) and touches.modes == ("stick",)
        np.testing.assert_allclose(touches.forces, [[0, 0, 2 * G]], rtol=good, atol=1e-9)
        np.testing.assert_allclose(touches.normals, [[0, 0, 1]], atol=1e-12)
        np.testing.assert_allclose(touches.positions, [[0, 0, 0]], atol=1e-6)


def test_shapes_that_the_method_of_events_does_not_know_are_refused():
    box = ROUND.replace('<sphere radius="0.1"/>', '<box size="0.1 0.1 0.1"/>')
    with pytest.raises(atemi.Error, match="the box of link 'body'.*method: steps"):
        atemi.Simulation(atemi.Robot.from_string(box), "shapes", method="events")
    atemi.Simulation(atemi.Robot.from_string(box), "shapes", method="steps")
    with pytest.raises(ValueError, match="no collision shapes"):
        atemi.Simulation(ball(), "shapes")


def test_a_ball_bounces_with_its_restitution():
    events = []
    point = atemi.ContactPoint("body", radius=0.1, restitution=0.5)
    sim = atemi.Simulation(ball(), [point], method="events", on_event=events.append)
    sim.reset([0, 0, 1.1, 0, 0, 0, 1])
    sim.run(1.0)
    impact = np.sqrt(2 * G)
    assert [event.kind for event in events[:2]] == ["touchdown", "touchdown"]
    assert events[0].contact == "body" and events[0].joint is None
    np.testing.assert_allclose(events[0].time, impact / G, atol=1e-9)
    np.testing.assert_allclose(events[0].speed, impact, atol=1e-9)
    np.testing.assert_allclose(events[0].impulse, [0, 0, 2 * 1.5 * impact], atol=1e-8)
    np.testing.assert_allclose(events[1].time - events[0].time, impact / G, atol=1e-9)


def test_torques_of_a_step_act_for_that_step_only():
    robot = atemi.Robot.shipped("two_link", base="fixed", gravity=[0, 0, 0])
    sim = atemi.Simulation(robot, None, joint_friction=False, step=1e-4, method="events")
    sim.reset(robot.neutral())
    M = robot.mass_matrix(robot.neutral())
    sim.step([1.0, 0.0])
    np.testing.assert_allclose(sim.v, np.linalg.solve(M, [1e-4, 0.0]), rtol=1e-6)
    before = sim.v.copy()
    sim.step()
    np.testing.assert_allclose(sim.v, before, rtol=1e-6)


def test_a_callback_is_the_same_as_torques_held_for_a_step():
    robot = atemi.Robot.shipped("two_link", base="fixed")
    tau = np.array([2.0, -1.0])
    held = atemi.Simulation(robot, None)
    called = atemi.Simulation(robot, None, torque=lambda t, q, v: tau)
    for sim in (held, called):
        sim.reset(robot.neutral())
    for _ in range(50):
        held.step(tau)
        called.step()
    np.testing.assert_array_equal(held.q, called.q)
    np.testing.assert_array_equal(held.v, called.v)


def test_a_humanoid_stands_on_its_servos():
    sim = humanoid()
    sim.step(count=500)
    contacts = sim.contacts
    assert set(contacts.modes) == {"stick"} and len(contacts.names) == 8
    weight = sim.robot.mass * G
    np.testing.assert_allclose(contacts.forces[:, 2].sum(), weight, rtol=0.02)
    np.testing.assert_allclose(contacts.gaps, 0.0, atol=1e-6)
    feet = sim.site_force("right_sole") + sim.site_force("left_sole")
    np.testing.assert_allclose(feet[:3], contacts.forces.sum(axis=0), atol=1e-9)
    up = sim.imu("waist").specific_force
    np.testing.assert_allclose(np.linalg.norm(up), G, rtol=0.01)


def test_load_cells_balance_the_foot():
    """The ankle carries all but the foot's own weight."""
    sim = humanoid()
    sim.step(count=2000)
    robot = sim.robot
    wrench = sim.joint_wrenches()[robot.joint_names.index("right_ankle_roll")]
    rotation, _ = robot.link_pose(sim.q, "right_foot")
    leg = rotation @ wrench[:3]  # onto the foot
    floor = sim.site_force("right_sole")[:3]
    assert leg[2] < 0 < floor[2]
    assert 0 < floor[2] + leg[2] < 0.05 * robot.mass * G  # what is left carries the foot


def test_an_external_force_accelerates_and_ends():
    sim = atemi.Simulation(ball(), None, method="events")
    sim.reset([0, 0, 5, 0, 0, 0, 1])
    sim.apply_force("body", [4.0, 0, 2 * G, 0, 0, 0])
    sim.run(0.5)
    np.testing.assert_allclose(sim.v[:3], [1.0, 0, 0], atol=1e-12)
    sim.apply_force("body", np.zeros(6))
    sim.run(1.0)
    np.testing.assert_allclose(sim.v[:3], [1.0, 0, -0.5 * G], atol=1e-12)
    np.testing.assert_allclose(sim.ledger["external_impulse"]["x"], 2.0, atol=1e-12)


def test_a_saved_simulation_goes_on_with_the_same_bits():
    sim = humanoid()
    sim.apply_force("waist", [40.0, 10.0, 0, 0, 0, 0])
    sim.step(count=100)
    saved = sim.save()
    sim.step(count=100)
    expected = sim.q.copy(), sim.v.copy()
    sim.restore(saved)
    assert sim.time == pytest.approx(0.1)
    sim.step(count=100)
    np.testing.assert_array_equal(sim.q, expected[0])
    np.testing.assert_array_equal(sim.v, expected[1])
    with pytest.raises(ValueError, match="bytes"):
        sim.restore(saved[:-1])


def test_the_state_is_a_view_that_cannot_be_written():
    sim = humanoid()
    q = sim.q
    sim.step(count=10)
    assert q is sim.q
    with pytest.raises(ValueError, match="read-only"):
        q[0] = 1.0


def test_a_slope_lets_a_brick_slide():
    """a = g (sin u - mu cos u)."""
    u, mu = 0.5, 0.2
    normal = (-np.sin(u), 0.0, np.cos(u))
    points = [atemi.ContactPoint("body", (x, y, -0.05)) for x in (-0.2, 0.2) for y in (-0.1, 0.1)]
    sim = atemi.Simulation(ball(), points, surfaces=[atemi.Plane(normal=normal)], friction=mu)
    half = np.array([0, np.sin(-u / 2), 0, np.cos(u / 2)])
    sim.reset([*(0.05 * np.array(normal)), *half])
    sim.run(0.5)
    speed = np.linalg.norm(sim.v[:3])
    np.testing.assert_allclose(speed, 0.5 * G * (np.sin(u) - mu * np.cos(u)), rtol=1e-3)


def test_a_callback_may_raise():
    def torque(t, q, v):
        raise RuntimeError("no torque today")

    robot = atemi.Robot.shipped("two_link", base="fixed")
    sim = atemi.Simulation(robot, None, torque=torque)
    with pytest.raises(RuntimeError, match="no torque today"):
        sim.reset(robot.neutral())
        sim.step()


def test_ctrl_c_ends_a_long_run(ctrl_c):
    sim = atemi.Simulation(ball(), None, step=1e-6)
    sim.reset([0, 0, 5, 0, 0, 0, 1])
    ctrl_c.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sim.run(1e6)
    assert time.monotonic() - start < 20.0 and sim.time > 0.0


def test_mistakes_are_named():
    robot = atemi.Robot.shipped("hrp2_like")
    with pytest.raises(ValueError, match="sites"):
        atemi.Simulation(robot, "sole")
    with pytest.raises(atemi.NotFoundError, match="did you mean 'right_sole'"):
        atemi.Simulation(robot, ["right_sol"])
    with pytest.raises(ValueError, match="did you mean 'steps'"):
        atemi.Simulation(robot, method="step")
    with pytest.raises(atemi.Error, match="positive step"):
        atemi.Simulation(robot, step=-1.0)
    with pytest.raises(ValueError, match="call reset"):
        atemi.Simulation(robot).step()
    with pytest.raises(ValueError, match="surface of a contact"):
        atemi.Simulation(robot, [atemi.ContactPoint("waist", surface=1)])
    sim = humanoid()
    with pytest.raises(ValueError, match="tau must have shape"):
        sim.step([1.0])
    with pytest.raises(ValueError, match="must not be negative"):
        sim.hold(sim.q, stiffness=-1.0, damping=1.0)
