# SPDX-License-Identifier: Apache-2.0
"""Walks in three dimensions, and the controller and the estimator by themselves."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import atemi
from atemi import biped as module


@pytest.fixture(scope="module")
def robot():
    return atemi.Robot.shipped("hrp2_like")


@pytest.fixture(scope="module")
def icy():
    return atemi.walk(
        {
            "robot": "hrp2_like",
            "base": "floating",
            "steps": 8,
            "patches": [{"from": 0.3, "to": 0.9, "right": -1, "left": 0, "friction": 0.2}],
            "record": {"every": 0.02},
        }
    )


def test_a_walk_has_feet_and_slips(icy):
    assert icy.steps >= 8 and not icy.fell
    states = {atemi.SOLE_STATES[i] for i in np.unique(icy.feet)}
    assert {"air", "sole stick"} <= states
    assert len(icy.sole_slips) == icy.recording.results["slips"]
    assert all(slip.foot in ("left foot", "right foot") for slip in icy.sole_slips)
    assert "patch" in {slip.cause for slip in icy.sole_slips}
    total = sum(slip.distance for slip in icy.sole_slips)
    assert total == pytest.approx(float(icy.recording.results["slip_distance"]), rel=1e-12)


def test_the_controller_stands_and_carries_the_weight(robot):
    """At rest, J^T f of the soles, with half of the weight on each, is what the torques hold."""
    biped = atemi.Biped(robot)
    biped.walk(False)
    q, v = biped.posture(), np.zeros(robot.nv)
    half = 0.5 * robot.mass * 9.81
    tau = biped.tick(q, v, [half, half])
    gravity = robot.inverse_dynamics(q, v, v)
    assert gravity[2] == pytest.approx(2 * half, rel=1e-9)
    assert np.all(tau[:6] == 0.0)
    knees = [robot.joint_names.index(f"{side}_knee") for side in ("right", "left")]
    right, left = (tau[6 + i] for i in knees)
    assert abs(right) > 5.0 and right == pytest.approx(left, rel=0.02)  # it is symmetric
    assert biped.state.phase == "stands" and biped.state.landings == 0


def test_soles_are_on_the_floor_in_its_posture(robot):
    biped = atemi.Biped(robot)
    q = biped.posture()
    for sole in biped.soles:
        R, p = robot.link_pose(q, sole.link)
        corners = sole.corners @ R.T + p
        np.testing.assert_allclose(corners[:, 2], 0.0, atol=1e-6)
        spans = np.ptp(corners, axis=0)
        np.testing.assert_allclose(spans[:2], sole.size, atol=1e-6)


def test_commands_and_sizes_of_soles(robot):
    biped = atemi.Biped(robot, sole=(0.2, 0.1), forwards=0.1)
    assert biped.options["forwards"] == 0.1
    assert biped.soles[0].size == pytest.approx((0.2, 0.1))
    biped.command(0.2, sideways=0.1, turning=0.05)
    biped.walk()


def test_footsteps_are_taken_if_legs_reach_them(robot):
    biped = atemi.Biped(robot)
    biped.footsteps([("left", (0.1, 0.1, 0.0), 0.0, 0.0), ("right", (0.1, -0.1, 0.0), 0.0, 0.7)])
    with pytest.raises(atemi.Error, match="footstep 0 is 0.7 m ahead"):
        biped.footsteps([("left", (0.7, 0.1, 0.0), 0.0, 0.0)])
    with pytest.raises(ValueError, match="no foot 'middle'"):
        biped.footsteps([("middle", (0.1, 0.1, 0.0), 0.0, 0.0)])


def test_it_says_what_it_cannot_take(robot):
    with pytest.raises(ValueError, match="did you mean 'forwards'"):
        atemi.Biped(robot, forward=0.3)
    with pytest.raises(atemi.Error, match="makes no sense"):
        atemi.Biped(robot, double_support=3.0, step_time=2.0)
    with pytest.raises(atemi.Error, match="floating"):
        atemi.Biped(atemi.Robot.shipped("hrp2_like", base="fixed"))
    biped = atemi.Biped(robot)
    with pytest.raises(ValueError, match="forces"):
        biped.tick(biped.posture(), np.zeros(robot.nv), [1.0])


def test_the_estimator_follows_a_base_that_falls(robot):
    """With no load on the feet and no specific force, the base falls by g t^2 / 2."""
    biped = atemi.Biped(robot)
    q = biped.posture()
    estimator = atemi.BaseEstimator(biped, q)
    v = np.zeros(robot.nv)
    for _ in range(100):
        now, speed = estimator.update(0.001, q, v, (0, 0, 0), (0, 0, 0), (0.0, 0.0))
    # 1 % of 49 mm: of the integration, by steps of 1 % of the time.
    assert q[2] - now[2] == pytest.approx(0.5 * 9.81 * 0.1**2, rel=0.011)
    assert speed[2] == pytest.approx(-9.81 * 0.1, rel=0.001)


def test_docstrings():
    assert doctest.testmod(module, extraglobs={"np": np}).failed == 0
