# SPDX-License-Identifier: Apache-2.0
"""Postures that meet goals."""

from __future__ import annotations

import numpy as np
import pytest

import atemi


@pytest.fixture(scope="module")
def robot():
    return atemi.Robot.shipped("hrp2_like")


def _pinned(robot, q, *names):
    return [atemi.PostureGoal(name, *robot.link_pose(q, name)[::-1]) for name in names]


def test_goals_are_met(robot):
    q = robot.posture("half_sitting")
    goals = _pinned(robot, q, "right_sole", "left_sole")
    goals.append(atemi.PostureGoal("right_fist", position=(0.45, -0.2, 0.2)))
    center = robot.center_of_mass(q)
    goals.append(atemi.PostureGoal("center_of_mass", center, weight=[1, 1, 0, 0, 0, 0]))
    found = robot.inverse_kinematics(q, goals)
    assert found.reached and found.outcome == "reached" and found.errors.shape == (4, 6)
    fist = {site.name: site for site in robot.sites}["right_fist"]
    rotation, origin = robot.link_pose(found.q, fist.link)
    np.testing.assert_allclose(origin + rotation @ fist.position, (0.45, -0.2, 0.2), atol=1e-9)
    for foot in ("right_sole", "left_sole"):
        for now, before in zip(robot.link_pose(found.q, foot), robot.link_pose(q, foot)):
            np.testing.assert_allclose(now, before, atol=1e-9)
    np.testing.assert_allclose(robot.center_of_mass(found.q)[:2], center[:2], atol=1e-9)
    assert (found.q[7:] >= robot.lower_limits[6:] - 1e-12).all()
    assert (found.q[7:] <= robot.upper_limits[6:] + 1e-12).all()


def test_a_joint_that_is_fixed_keeps_its_place(robot):
    q = robot.posture("half_sitting")
    goals = [atemi.PostureGoal("right_fist", position=robot.link_pose(q, "right_hand")[1] + 0.05)]
    fixed = ["base", "right_elbow"]
    found = robot.inverse_kinematics(q, goals, fixed=fixed)
    np.testing.assert_array_equal(found.q[:7], q[:7])
    at = robot.q_index("right_elbow")
    assert found.q[at] == q[at]


def test_a_goal_out_of_reach_is_no_error():
    arm = atemi.Robot.shipped("two_link", base="fixed")
    goal = atemi.PostureGoal(arm.link_names[-1], position=(99.0, 0.0, 0.0))
    found = arm.inverse_kinematics(arm.posture("start"), [goal], limits=False)
    assert not found.reached and found.position_error > 90.0


def test_mistakes_are_named(robot):
    q = robot.neutral()
    with pytest.raises(atemi.NotFoundError, match="no site or link 'right_fst'; did you mean"):
        robot.inverse_kinematics(q, [atemi.PostureGoal("right_fst", (0, 0, 0))])
    with pytest.raises(ValueError, match="rotation matrix"):
        robot.inverse_kinematics(q, [atemi.PostureGoal("waist", rotation=2 * np.eye(3))])
    with pytest.raises(ValueError, match="must be atemi.PostureGoal"):
        robot.inverse_kinematics(q, ["right_fist"])
    with pytest.raises(atemi.Error, match="weight"):
        robot.inverse_kinematics(q, [atemi.PostureGoal("waist", (0, 0, 0), weight=-1.0)])
