# SPDX-License-Identifier: Apache-2.0
"""Planned strikes."""

from __future__ import annotations

import doctest
import functools
import importlib
import math

import numpy as np
import pytest
import robots

import atemi

SCENARIOS = robots.CHECKOUT / "scenarios"

# A posture that stands; the speed of the hand is decided, and has nothing but its bound to stop it.
PUNCH = {
    "robot": "hrp2_like",
    "start": {
        "posture": "half_sitting",
        "joints": {
            "left_shoulder_pitch": "18.4 deg",
            "left_shoulder_roll": "45 deg",
            "left_elbow": "-27.5 deg",
            "left_wrist_pitch": "-10 deg",
        },
    },
    "feet": ["right_sole", "left_sole"],
    "hand": {"site": "right_fist", "direction": np.array([1.0, 0.0, 0.0])},
    "servo": {"stiffness": 8000, "damping": 400},
    "control_step": "5 ms",
    "decide": {
        "foot_x": [-0.0156],
        "foot_y": [-0.095],
        "foot_z": [-0.433],
        "foot_about_y": [-0.0186],
        "second_foot_x": [0.103],
        "second_foot_y": [0.201],
        "joints": {
            "chest_yaw": [0.161],
            "chest_pitch": [0.697],
            "right_shoulder_pitch": [-1.387],
            "right_shoulder_roll": [-0.218],
            "right_shoulder_yaw": [0.9975],
            "right_elbow": [-1.249],
            "right_wrist_yaw": [0.9075],
            "right_wrist_pitch": [0.89],
        },
        "speed": [0.2, 0.0, 0.5],
    },
}
FAR = {**PUNCH, "hit": {"z": 3.0}}
ENDLESS = {
    **PUNCH,
    "search": {"starts": 10000},
    "decide": {**PUNCH["decide"], "foot_z": [-0.433, -0.6, -0.3]},
}


@pytest.fixture(scope="module")
def punch():
    return atemi.plan_strike(PUNCH)


def test_what_is_decided_has_its_bounds_and_their_worth(punch):
    assert punch.feasible and list(punch.decided) == ["speed of the hand"]
    speed = punch.decided["speed of the hand"]
    assert speed[:3] == pytest.approx((0.5, 0.0, 0.5))
    assert speed.worth == pytest.approx(300, rel=1e-3)  # the damper's
    assert speed.active and speed.excess == pytest.approx(0, abs=1e-9)


def test_constraints_are_met_and_some_hold_the_blow_back(punch):
    assert max(limit.excess for limit in punch.constraints.values()) < 1e-6
    assert "ZMP while slowing down (3/8)" in punch.constraints
    assert punch.limits.items() <= punch.constraints.items()
    assert all(limit.active for limit in punch.limits.values())


def test_the_estimate_is_that_of_the_damper(punch):
    assert punch.estimate.speed == pytest.approx(0.5)
    assert punch.estimate.peak_force == pytest.approx(150) == punch.objective
    assert 0 < punch.estimate.impulse < 150 * punch.estimate.contact_time


def test_the_motion_is_from_rest_to_rest(punch):
    t, q, v, a, tau = punch.motion
    assert (t[0], t[-1]) == pytest.approx((-0.7, 0.7)) and t.shape == (281,)
    assert q.shape == (281, 37) and v.shape == a.shape == tau.shape == (281, 36)
    assert v[[0, -1]] == pytest.approx(np.zeros((2, 36)), abs=1e-9)
    assert not q.flags.writeable


def test_the_motion_moves_the_hand_as_estimated(punch):
    robot = atemi.Robot.shipped("hrp2_like")
    touch = np.searchsorted(punch.motion.t, 0.0)
    q, v = punch.motion.q[touch], punch.motion.v[touch]
    assert robot.link_velocity(q, v, "right_fist")[:3] == pytest.approx([0.5, 0, 0], abs=1e-6)


def test_the_torques_are_those_of_inverse_dynamics(punch):
    """But for what the floor does, in the base's six rows and through the legs."""
    robot = atemi.Robot.shipped("hrp2_like")
    arm = [robot.joint_index(f"right_{name}") for name in ("shoulder_pitch", "elbow")]
    for row in 30, 140, 200:
        tau = robot.inverse_dynamics(*(part[row] for part in punch.motion[1:4]))
        assert punch.motion.tau[row][arm] == pytest.approx(tau[arm], abs=1e-9)


def test_the_verification_is_beside_the_estimate(punch):
    seen = punch.verify()
    assert seen.stands and seen.lift_offs == seen.slips == 0
    assert seen.peak_force == pytest.approx(punch.estimate.peak_force, rel=0.02)
    assert seen.impulse == pytest.approx(punch.estimate.impulse, rel=0.05)
    known = np.isfinite(seen.force)
    assert np.trapezoid(seen.force[known], punch.motion.t[known]) == pytest.approx(
        seen.impulse, rel=0.2  # rows of 5 ms
    )
    assert seen.zmp.shape == (281, 3) and seen.margin <= np.nanmin(seen.zmp[:, 2]) + 1e-9


def test_a_file_a_text_and_a_mapping_are_the_same(tmp_path, punch):
    text = punch.recording.scenario
    (tmp_path / "punch.yaml").write_bytes(text)
    for other in atemi.plan_strike(tmp_path / "punch.yaml"), atemi.plan_strike(text=text):
        np.testing.assert_array_equal(other.motion.q, punch.motion.q)


def test_mappings_hold_what_scenarios_hold():
    free = {**PUNCH, "hit": {"x": math.inf, "z": np.float64(0.9), "tolerance": 1}}
    assert atemi.plan_strike(free).feasible
    recording = atemi.simulate({"robot": robots.CHECKOUT / "robots/two_link.urdf", "contacts": []})
    assert recording.robot == "two_link"
    with pytest.raises(atemi.Error, match="unknown key 'hti'"):
        atemi.plan_strike({**PUNCH, "hti": {}})
    with pytest.raises(atemi.Error, match="speed"):
        atemi.plan_strike({**PUNCH, "decide": {**PUNCH["decide"], "speed": [math.nan]}})


def test_what_is_not_met_is_told():
    strike = atemi.plan_strike(FAR)
    assert not strike.feasible and "no strike meets all constraints" in strike.outcome
    limit = strike.limits["place of the hand, z"]
    assert limit.excess > 1.0 and limit.lower == pytest.approx(2.99)
    with pytest.raises(atemi.Error, match="no strike meets all constraints"):
        strike.verify()


def test_what_the_scenario_did_not_verify_is_verified_later(punch):
    strike = atemi.plan_strike({**PUNCH, "verify": {"run": False}})
    assert strike.feasible and np.isnan(strike.recording["verify.force"]).all()
    assert strike.verify()[:7] == punch.verify()[:7]


def test_it_is_verified_under_other_conditions(punch):
    rough, ice = punch.verify(friction=0.7), punch.verify(friction=0.05)
    assert rough.stands and rough.slips == 0 and ice.slips > 0
    assert {event.kind for event in ice.recording.events} >= {"slip"}
    assert punch.verify(mass=math.inf).impulse > punch.verify(mass=10).impulse > rough.impulse
    nearer = punch.verify(distance=-0.02)
    assert nearer.recording.results["verify_distance"] == -0.02
    assert nearer.peak_force < 0.99 * rough.peak_force


def test_conditions_that_make_no_sense_are_refused(punch):
    with pytest.raises(atemi.Error, match="more than 0 kg"):
        punch.verify(mass=0)
    with pytest.raises(atemi.Error, match="0.5 m nearer than planned"):
        punch.verify(distance=-0.5)
    with pytest.raises(ValueError, match="not nan"):
        punch.verify(friction=math.nan)


def test_progress_is_told_and_can_stop_the_search():
    heard = []

    def hear(done):
        heard.append(done)
        return len(heard) < 20

    strike = atemi.plan_strike(ENDLESS, progress=hear)
    assert heard == sorted(heard) and 0 <= heard[0] <= heard[-1] < 1
    assert strike.recording.results["completed"] == 0 and len(strike.motion.t) == 281


def test_what_progress_raises_comes_out():
    def fail(done):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        atemi.plan_strike(ENDLESS, progress=fail)


def test_ctrl_c_ends_it(ctrl_c):
    ctrl_c.start()
    with pytest.raises(KeyboardInterrupt):
        atemi.plan_strike(ENDLESS)


def test_errors_name_line_and_column():
    text = "robot: hrp2_like\nfeet: [right_sol]\n"
    with pytest.raises(atemi.Error, match="no site 'right_sol'") as caught:
        atemi.plan_strike(text=text, name="x.yaml")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("x.yaml", 2, 8)
    with pytest.raises(atemi.FileMissingError):
        atemi.plan_strike("no_such.yaml")
    with pytest.raises(ValueError, match="one of them"):
        atemi.plan_strike()


def test_a_recording_is_a_strike_again(tmp_path, punch):
    punch.recording.write(tmp_path / "run")
    again = atemi.Strike(atemi.Recording.load(tmp_path / "run"))
    assert again.decided == punch.decided and again.verify()[:7] == punch.verify()[:7]
    np.testing.assert_array_equal(again.motion.tau, punch.motion.tau)
    with pytest.raises(ValueError, match="recording of the job 'strike'"):
        atemi.Strike(atemi.simulate({"robot": "two_link", "contacts": []}))


def test_docstrings(monkeypatch):
    """Both plan the same strike: once is enough."""
    monkeypatch.chdir(robots.CHECKOUT)
    plan = functools.lru_cache(None)(atemi.plan_strike)
    monkeypatch.setattr(atemi, "plan_strike", plan)
    for module in "atemi._strike", "atemi.strike":
        known = {"plan_strike": plan}
        failures, tests = doctest.testmod(importlib.import_module(module), extraglobs=known)
        assert failures == 0 and tests > 0
