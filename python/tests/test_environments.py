# SPDX-License-Identifier: Apache-2.0
"""Environments of gymnasium."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import atemi


def test_without_gymnasium_the_message_has_the_cure():
    program = "import sys; sys.modules['gymnasium'] = None; import atemi.environments"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'atemi[gymnasium]'" in ran.stderr


gymnasium = pytest.importorskip("gymnasium")
environments = pytest.importorskip("atemi.environments")
from gymnasium.utils.env_checker import check_env  # noqa: E402


@pytest.mark.parametrize("task", environments.TASKS)
def test_gymnasium_accepts_them(task):
    check_env(environments.HumanoidEnv(task, duration=0.2), skip_render_check=True)
    made = gymnasium.make(f"atemi/{task.capitalize()}-v0")
    assert made.reset(seed=3)[0].shape == made.observation_space.shape


def test_a_robot_at_rest_stands_until_the_episode_ends():
    environment = environments.HumanoidEnv("stand", duration=1.0)
    observation, _ = environment.reset(seed=1)
    still = np.zeros(environment.action_space.shape)
    total, steps = 0.0, 0
    while True:
        observation, reward, terminated, truncated, _ = environment.step(still)
        total, steps = total + reward, steps + 1
        if terminated or truncated:
            break
    assert truncated and not terminated and steps == 50
    assert total > 0.95 * steps
    np.testing.assert_allclose(observation[1:4], [0, 0, -1], atol=0.1)  # upright
    np.testing.assert_allclose(observation[-2:].sum(), 1.0, atol=0.05)  # on both feet


def test_a_robot_that_bends_forwards_falls():
    environment = environments.HumanoidEnv("walk")
    environment.reset(seed=1)
    robot = environment.robot
    action = np.zeros(environment.action_space.shape)
    for joint in ("right_ankle_pitch", "left_ankle_pitch"):
        action[robot.joint_index(joint) - 6] = -1.0
    for _ in range(200):
        observation, reward, terminated, truncated, _ = environment.step(action)
        if terminated:
            break
    assert terminated and reward < 1.0


def test_a_straight_arm_hits_the_wall():
    environment = environments.HumanoidEnv("strike", posture="half_sitting", wall=0.02, reach=1.0)
    environment.reset(seed=1)
    robot = environment.robot
    action = np.zeros(environment.action_space.shape)
    action[robot.joint_index("right_shoulder_pitch") - 6] = -0.6
    impulses = [environment.step(action)[4]["impulse"] for _ in range(25)]
    assert max(impulses) > 0.5


def test_worlds_of_a_vector_begin_anew_in_the_step_after_their_end():
    environment = environments.HumanoidVectorEnv(3, "stand", duration=0.1, threads=2)
    first, _ = environment.reset(seed=5)
    still = np.zeros(environment.action_space.shape)
    for _ in range(5):
        seen, reward, terminated, truncated, _ = environment.step(still)
    assert truncated.all() and not terminated.any()
    seen, reward, terminated, truncated, _ = environment.step(still)
    assert not reward.any() and not truncated.any()
    assert (seen != first).any() and np.abs(seen[:, 10:40]).max() <= 0.011  # noise of its own
    again, _ = environment.reset(seed=5)
    np.testing.assert_array_equal(again, first)


def test_one_world_is_the_same_as_one_of_a_vector():
    one, many = environments.HumanoidEnv("walk"), environments.HumanoidVectorEnv(1, "walk")
    a, _ = one.reset(seed=8)
    b, _ = many.reset(seed=8)
    np.testing.assert_array_equal(a, b[0])
    rng = np.random.default_rng(2)
    for _ in range(10):
        action = rng.uniform(-0.2, 0.2, one.action_space.shape)
        np.testing.assert_array_equal(one.step(action)[0], many.step(action[None])[0][0])


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="task must be one of stand, walk, strike"):
        environments.HumanoidEnv("jump")
    with pytest.raises(ValueError, match="floating base"):
        environments.HumanoidEnv(robot=atemi.Robot.shipped("two_link", base="fixed"))
    with pytest.raises(ValueError, match="no site 'toe'"):
        environments.HumanoidEnv("strike", fist="toe")
