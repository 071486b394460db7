# SPDX-License-Identifier: Apache-2.0
"""Walks, and the walking controller tick by tick."""

from __future__ import annotations

import doctest
import importlib

import numpy as np
import pytest
import robots

import atemi

SCENARIOS = robots.CHECKOUT / "scenarios"
TICK = 0.004


@pytest.fixture(scope="module")
def short():
    """Four steps, a row every tick."""
    return atemi.walk({"steps": 4, "record": {"every": TICK}})


def test_a_walk_has_its_figures(short):
    assert short.completed and not short.fell and short.steps == 4
    assert short.outcome.startswith("done at ") and "4 steps" in repr(short)
    assert short.distance == pytest.approx(4 * short.step_length)
    assert short.speed == pytest.approx(short.step_length / short.step_period)
    assert short.duration == pytest.approx(short.motion.t[-1], abs=2 * TICK)
    assert 0.1 < short.cost_of_transport < 2


def test_feet_land_and_states_fill_the_time(short):
    assert set(short.collisions) == set(atemi.WalkingController.POINTS)
    assert sum(b.count for b in short.collisions.values()) == short.recording.results["collisions"]
    assert sum(state.time for state in short.gait) == pytest.approx(short.duration)
    assert {state.support for state in short.gait} <= set(atemi.FOOT_STATES)
    assert short.slips == ()


def test_feet_are_in_the_air_where_they_carry_nothing(short):
    assert short.feet.shape == (len(short.motion.t), 2) and atemi.FOOT_STATES[0] == "air"
    for foot, side in enumerate(("left", "right")):
        forces = [short.recording[f"contact.{side}_{end}.force_z"] for end in ("heel", "toe")]
        assert np.all(np.add(*forces)[short.feet[:, foot] == 0] == 0)


def test_a_file_is_walked_and_ice_slid_on():
    ice = atemi.walk(SCENARIOS / "ice.yaml")
    assert ice.completed and len(ice.slips) == ice.recording.results["slips"] > 0
    assert all(slip.foot in ("left foot", "right foot") for slip in ice.slips)
    assert all(abs(slip.distance) >= 1e-3 and 2.8 < slip.place < 4.2 for slip in ice.slips)


def test_a_fall_is_an_answer():
    push = {"link": "waist", "force": [600, 0, 0], "from": 0.2, "until": 0.7}
    fall = atemi.walk({"steps": 20, "forces": [push]})
    assert fall.fell and not fall.completed and "it was pushed" in fall.outcome


def test_progress_is_told_and_can_stop_it():
    heard = []
    half = atemi.walk({"steps": 2}, progress=lambda done: heard.append(done) or done < 0.5)
    assert heard == sorted(heard) and heard[-1] == 0.5
    assert half.steps == 1 and not half.completed and half.outcome.startswith("interrupted at")


def test_what_progress_raises_comes_out():
    def fail(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atemi.walk({"steps": 4}, progress=fail)


def test_errors_name_line_and_column():
    with pytest.raises(atemi.Error, match="friction") as caught:
        atemi.walk(text="steps: 3\nfriction: 0.7 m\n", name="x.yaml")
    assert (caught.value.file, caught.value.line) == ("x.yaml", 2)
    with pytest.raises(atemi.FileMissingError):
        atemi.walk("no_such.yaml")


def test_a_recording_is_a_walk_again(short, tmp_path):
    short.recording.write(tmp_path / "run")
    again = atemi.Walk(atemi.Recording.load(tmp_path / "run"))
    assert again.gait == short.gait and again.steps == 4
    other = atemi.simulate(text="robot: two_link\ncontacts: []\nduration: 0.1")
    with pytest.raises(ValueError, match="of the job 'walk'"):
        atemi.Walk(other)


# ---- The controller


@pytest.fixture(scope="module")
def robot():
    """That walks by default."""
    return atemi.Robot.shipped("humanoid17", base="sagittal")


def _measured(walk: atemi.Walk, row: int) -> tuple[np.ndarray, ...]:
    """q, v, touches and forces of a row."""
    names, recording = atemi.WalkingController.POINTS, walk.recording
    touches = [recording[f"contact.{name}.mode"][row] != 0 for name in names]
    forces = [[recording[f"contact.{n}.force_{a}"][row] for a in "xyz"] for n in names]
    return walk.motion.q[row], walk.motion.v[row], touches, forces


def test_the_controller_leads_a_script_as_it_leads_a_walk(short, robot):
    """Fed with what a walk measured, it asks for the walk's torques. Both are the same C."""
    controller = atemi.WalkingController(robot)
    t, _, v, _, tau = short.motion
    first = int(np.argmax(t > 0.5 * TICK))
    controller.tick(0.0, controller.posture(), np.zeros(robot.nv), [True] * 4, np.zeros((4, 3)))
    for row in range(first, len(t) - 1):
        asked = controller.torque(t[row], v[row])
        np.testing.assert_allclose(asked, tau[row], atol=1e-9)
        controller.tick(t[row], *_measured(short, row))
        assert controller.state.capture == short.recording["walk.capture"][row]
    assert controller.state.landings == 3 and controller.state.phase == "swing"


def test_the_controller_starts_anew(robot):
    controller = atemi.WalkingController(robot, step_length=0.3)
    assert controller.options["step_length"] == 0.3 and controller.options["tick"] == TICK
    q = controller.posture()
    heights = [(robot.link_pose(q, link)[1] + place)[2] for link, place in controller.points]
    np.testing.assert_allclose(heights, 0, atol=1e-12)  # feet are flat
    asked = []
    for _ in range(2):
        start = controller.posture()
        controller.tick(0.0, start, np.zeros(robot.nv), [True] * 4, np.zeros((4, 3)))
        asked.append(controller.torque(TICK, np.zeros(robot.nv)))
    np.testing.assert_array_equal(*asked)


def test_the_controller_says_what_it_cannot_take(robot):
    with pytest.raises(ValueError, match="no 'step_lenght'; did you mean 'step_length'"):
        atemi.WalkingController(robot, step_lenght=0.3)
    with pytest.raises(atemi.Error, match="capture_gain"):
        atemi.WalkingController(robot, capture_gain=0.5)
    with pytest.raises(atemi.Error, match="sagittal"):
        atemi.WalkingController(atemi.Robot.shipped("humanoid17"))
    controller = atemi.WalkingController(robot)
    q, v = controller.posture(), np.zeros(robot.nv)
    with pytest.raises(ValueError, match="touches must have shape"):
        controller.tick(0.0, q, v, [True] * 3, np.zeros((4, 3)))
    with pytest.raises(ValueError, match="forces must have shape"):
        controller.tick(0.0, q, v, [True] * 4, np.zeros((4, 2)))


@pytest.mark.parametrize("module", ["atemi._walk", "atemi.walking", "atemi.walking_controller"])
def test_docstrings(module):
    failures, tests = doctest.testmod(importlib.import_module(module))
    assert failures == 0 and tests > 0
