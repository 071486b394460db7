# SPDX-License-Identifier: Apache-2.0
"""Blows by hand, beside the job impact, and as rows."""

from __future__ import annotations

import numpy as np
import pytest
import robots

import atemi

FEET = ["right_sole", "left_sole"]


@pytest.fixture(scope="module")
def robot():
    return atemi.Robot.shipped("hrp2_like")


def test_it_is_the_blow_of_the_job_impact(robot):
    job = atemi.impact(robots.CHECKOUT / "scenarios/punch.yaml").results
    hit = atemi.blow(
        robot,
        robot.posture("punch_6kg"),
        "right_fist",
        speed=0.7,
        stand=FEET,
        stiffness=8000.0,
        damping=400.0,
        samples=200,
    )
    for name in ("virtual_mass", "peak_force", "impulse", "contact_time", "target_travel"):
        np.testing.assert_allclose(getattr(hit, name), job[name], rtol=1e-9, err_msg=name)
    np.testing.assert_allclose(hit.target_speed, job["target_speed_after"], rtol=1e-9)
    np.testing.assert_allclose(hit.zmp_margin, job["least_zmp_margin"], atol=1e-5)  # other instants


def test_a_point_mass_hits_a_wall_as_in_the_textbook():
    """m x'' = -k x: f = v sqrt(k m), half a period of contact, impulse 2 m v."""
    ball = atemi.Robot.from_string(
        """<robot name="ball"><link name="b"><inertial><mass value="2"/><inertia ixx="1" iyy="1"
        izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
    )
    hit = atemi.blow(
        ball, ball.neutral(), "b", speed=3.0, target_mass=np.inf, contact_damping=0.0
    )
    assert hit.virtual_mass == pytest.approx(2.0)
    assert hit.peak_force == pytest.approx(3.0 * np.sqrt(2e4), rel=1e-9)
    assert hit.contact_time == pytest.approx(np.pi * np.sqrt(2.0 / 1e4), rel=1e-9)
    assert hit.impulse == pytest.approx(12.0, rel=1e-9)


def test_rows_are_single_blows_to_the_bit(robot):
    q = np.array([robot.posture(name) for name in ("punch_4kg", "punch_6kg", "punch_8kg")] * 4)
    speed = np.linspace(0.2, 1.3, len(q))
    rows = atemi.blow(robot, q, "right_fist", speed=speed, stand=FEET, samples=5, threads=2)
    for i in range(len(q)):
        alone = atemi.blow(robot, q[i], "right_fist", speed=speed[i], stand=FEET, samples=5)
        for row, single in zip(rows, alone):
            np.testing.assert_array_equal(row[i], single)


def test_a_hand_without_freedom_gives_nan(robot):
    q = np.array([robot.posture("punch_6kg")] * 2)
    hit = atemi.blow(robot, q, "right_sole", stand=FEET)
    assert np.isnan(hit.peak_force).all() and np.isnan(hit.virtual_mass).all()


def test_mistakes_are_named(robot):
    q = robot.posture("punch_6kg")
    with pytest.raises(atemi.NotFoundError, match="did you mean 'right_fist'"):
        atemi.blow(robot, q, "right_fst")
    with pytest.raises(atemi.Error, match="stiffness"):
        atemi.blow(robot, q, "right_fist", stand=FEET, stiffness=-1.0)
    with pytest.raises(atemi.Error, match="in state 0: .*stiffness"):
        atemi.blow(robot, np.array([q, q]), "right_fist", stand=FEET, stiffness=-1.0)
    with pytest.raises(ValueError, match="method must be one of"):
        atemi.blow(robot, q, "right_fist", method="guess")
