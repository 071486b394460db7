# SPDX-License-Identifier: Apache-2.0
"""Whole-body control and the quadratic programs below it, beside inverse dynamics and enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import atemi

SOLES = ["right_sole", "left_sole"]


@pytest.fixture(scope="module")
def robot():
    return atemi.Robot.shipped("hrp2_like")


@pytest.fixture
def state(robot):
    """On both soles, and moving slowly."""
    v = np.random.default_rng(3).uniform(-0.1, 0.1, robot.nv)
    return robot.posture("half_sitting"), v


def site(robot, name):
    return next(site for site in robot.sites if site.name == name)


def on_link(robot, q, name, wrench):
    """A wrench about a site's origin as one about its link's."""
    place = site(robot, name)
    rotation, _ = robot.link_pose(q, place.link)
    force, moment = wrench[:3], wrench[3:]
    return place.link, np.concatenate([force, moment + np.cross(rotation @ place.position, force)])


def stand(robot, q, v, rate=None, weight=1e4):
    control = atemi.WholeBodyControl(robot)
    control.begin(q, v)
    for sole in SOLES:
        control.contact(sole, friction=0.4, weight=weight)
    if rate is not None:
        control.momentum(rate, 100.0)
    control.joints(np.zeros(robot.nv))
    return control.solve()


def test_torques_are_those_of_inverse_dynamics(robot, state):
    q, v = state
    found = stand(robot, q, v)
    external = dict(on_link(robot, q, name, w) for name, w in found.wrenches.items())
    tau = robot.inverse_dynamics(q, v, found.a, external=external)
    np.testing.assert_allclose(found.tau, tau, atol=1e-8 * 9.81 * robot.mass)
    assert (found.tau[:6] == 0).all() and found.effort <= 1.0


def test_soles_move_less_the_more_they_weigh(robot, state):
    """Their rest is a task with a weight: a hundredth remains where that is a hundred times as large."""
    q, v = state[0], np.zeros(robot.nv)

    def motion(weight):
        found = stand(robot, q, v, rate=[30.0, 0, 0, 0, 0, 0], weight=weight)
        return [robot.jacobian(q, site(robot, name).link) @ found.a for name in SOLES]

    loose, firm = motion(1e4), motion(1e6)
    assert 0 < abs(np.array(loose)).max() < 0.1
    np.testing.assert_allclose(firm, np.array(loose) / 100, atol=0.02 * abs(np.array(loose)).max())


def test_wishes_beyond_friction_are_met_up_to_it(robot, state):
    """600 N sideways are asked for; friction 0.4 of 574 N gives 230 N, its pyramid 0.71 of that."""
    q, _ = state
    weight = 9.81 * robot.mass
    found = stand(robot, q, np.zeros(robot.nv), rate=[0, 600.0, 0, 0, 0, 0])
    total = sum(found.wrenches.values())
    assert 0.1 * weight < total[1] < 0.4 * total[2] + 1e-6
    for name, wrench in found.wrenches.items():
        place = site(robot, name)
        rotation, _ = robot.link_pose(q, place.link)
        force = (rotation @ place.rotation).T @ wrench[:3]
        moment = (rotation @ place.rotation).T @ wrench[3:]
        half_x, half_y = place.size[0] / 2, place.size[1] / 2
        assert np.hypot(force[0], force[1]) <= 0.4 * force[2] + 1e-6
        assert abs(moment[1]) <= half_x * force[2] + 1e-6
        assert abs(moment[0]) <= half_y * force[2] + 1e-6


def test_a_link_touches_with_a_point(robot, state):
    q, v = state
    control = atemi.WholeBodyControl(robot)
    control.begin(q, v)
    control.contact("right_sole")
    control.contact("left_hand", least_force=20.0, friction=1.0)
    control.joints(np.zeros(robot.nv))
    wrench = list(control.solve().wrenches.values())[1]
    np.testing.assert_allclose(wrench[3:], 0, atol=1e-9)
    assert np.linalg.norm(wrench[:3]) >= 20.0 - 1e-6


def test_options_and_order_are_checked(robot, state):
    q, v = state
    control = atemi.WholeBodyControl(robot, contacts=1, frames=0)
    assert control.options["contacts"] == 1 and control.options["efforts"] is True
    with pytest.raises(ValueError, match="begin a tick first"):
        control.joints(v)
    control.begin(q, v)
    with pytest.raises(atemi.NotFoundError, match="right_sole"):
        control.contact("right_sol")
    with pytest.raises(ValueError, match="friction must not be negative"):
        control.contact("right_sole", friction=-1.0)
    control.contact("right_sole")
    with pytest.raises(ValueError, match="contacts=2"):
        control.contact("left_sole")
    with pytest.raises(ValueError, match="frames=1"):
        control.frame("waist", np.zeros(6))
    with pytest.raises(ValueError, match="weights must be positive"):
        control.joints(v, 0.0)
    with pytest.raises(ValueError, match="contacts come before"):
        control.contact("left_sole")
    control.solve()
    with pytest.raises(ValueError, match="begin a tick first"):
        control.solve()
    with pytest.raises(ValueError, match="did you mean 'horizon'"):
        atemi.WholeBodyControl(robot, horizn=1.0)
    with pytest.raises(ValueError, match="floating base"):
        atemi.WholeBodyControl(atemi.Robot.shipped("two_link", base="fixed"))


# ---- Quadratic programs


def enumerated(H, g, A, upper):
    """The optimum by trying every set of active rows."""
    n, best = len(g), (np.inf, None)
    for count in range(n + 1):
        for rows in itertools.combinations(range(len(A)), count):
            active = A[list(rows)]
            system = np.block([[H, active.T], [active, np.zeros((count, count))]])
            try:
                solved = np.linalg.solve(system, np.concatenate([-g, upper[list(rows)]]))
            except np.linalg.LinAlgError:
                continue
            x = solved[:n]
            value = x @ H @ x / 2 + g @ x
            if (A @ x <= upper + 1e-9).all() and value < best[0]:
                best = value, x
    return best


@pytest.mark.parametrize("seed", range(20))
def test_programs_end_where_enumeration_does(seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(3, 3))
    H, g, A = root @ root.T + 0.1 * np.eye(3), rng.normal(size=3) * 3, rng.normal(size=(6, 3))
    upper = rng.uniform(0.1, 1.0, 6)
    found = atemi.quadratic_program(H, g, A, upper=upper)
    value, x = enumerated(H, g, A, upper)
    assert found.solved and found.objective == pytest.approx(value, abs=1e-8)
    np.testing.assert_allclose(found.x, x, atol=1e-7)
    gradient = H @ found.x + g + A.T @ found.multipliers[3:]
    np.testing.assert_allclose(gradient, 0, atol=1e-8)
    again = atemi.quadratic_program(H, g, A, upper=upper, guess=found.active)
    assert again.solved and again.iterations <= found.iterations
    np.testing.assert_allclose(again.x, found.x, atol=1e-9)


def test_bounds_of_x_and_what_has_no_answer():
    bounded = atemi.quadratic_program(np.eye(2), [-3.0, 0.0], least=[-1, -1], most=[1.0, np.inf])
    np.testing.assert_allclose(bounded.x, [1.0, 0.0], atol=1e-12)
    assert bounded.active.tolist() == [1, 0] and bounded.multipliers[0] == pytest.approx(2.0)
    rows = [[1.0], [1.0]]
    assert atemi.quadratic_program([[1.0]], A=rows, lower=[1, -9], upper=[9, 0]).status == "infeasible"
    assert atemi.quadratic_program([[0.0]], [1.0]).status == "unbounded"
    assert atemi.quadratic_program([[-1.0]], [0.0], least=[-1], most=[1]).status == "not convex"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"H": [[1.0, 2.0], [0.0, 1.0]]}, "symmetric"),
        ({"H": np.eye(2), "A": np.eye(3)}, "A must have shape"),
        ({"H": np.eye(2), "least": [np.nan, 0]}, "no NaN"),
        ({"H": np.eye(2), "guess": [2, 0]}, "-1, 0 or 1"),
        ({"H": np.eye(2), "iterations": 0}, "iterations"),
        ({"H": np.eye(2), "tolerance": 0.0}, "tolerance"),
    ],
)
def test_programs_that_cannot_be_are_refused(given, says):
    with pytest.raises(ValueError, match=says):
        atemi.quadratic_program(**given)
