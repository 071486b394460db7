# SPDX-License-Identifier: Apache-2.0
"""Many simulations as rows of arrays are what each is alone."""

from __future__ import annotations

import doctest
import importlib

import numpy as np
import pytest

import atemi

G = 9.81
N = 6


@pytest.fixture(scope="module")
def robot():
    return atemi.Robot.shipped("hrp2_like")


def standing(robot, **options) -> atemi.SimulationBatch:
    batch = atemi.SimulationBatch(robot, N, ["right_sole", "left_sole"], **options)
    batch.reset(batch.placed(robot.posture("half_sitting")))
    batch.hold(batch.q, stiffness=8000.0, damping=80.0)
    batch.apply_force("waist", np.outer(np.arange(N), [20.0, 5.0, 0, 0, 0, 0]))
    return batch


def test_the_examples_of_the_documentation_run():
    module = importlib.import_module("atemi.simulation_batch")
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("method", ["steps", "events"])
def test_worlds_have_the_bits_of_simulations_for_any_number_of_threads(robot, method):
    tau = np.random.default_rng(3).uniform(-2, 2, (N, robot.nv))
    tau[:, :6] = 0.0
    batches = [standing(robot, method=method, threads=threads) for threads in (1, 2, 5)]
    for batch in batches:
        batch.step(tau, count=60)
        np.testing.assert_array_equal(batch.q, batches[0].q)
        np.testing.assert_array_equal(batch.v, batches[0].v)
    for world in (0, 4):
        alone = atemi.Simulation(robot, ["right_sole", "left_sole"], method=method)
        alone.reset(alone.placed(robot.posture("half_sitting")))
        alone.hold(alone.q, stiffness=8000.0, damping=80.0)
        alone.apply_force("waist", [20.0 * world, 5.0 * world, 0, 0, 0, 0])
        alone.step(tau[world], count=60)
        np.testing.assert_array_equal(alone.q, batch.q[world])
        np.testing.assert_array_equal(alone.contacts.forces, batch.contacts.forces[world])
        np.testing.assert_array_equal(alone.imu("waist")[0], batch.imu("waist")[0][world])
        np.testing.assert_allclose(
            alone.site_force("left_sole"), batch.site_force("left_sole")[world], atol=1e-9
        )
        if method == "steps":
            np.testing.assert_array_equal(alone.joint_wrenches(), batch.joint_wrenches()[world])


def test_feet_carry_the_weight(robot):
    batch = standing(robot)
    batch.apply_force("waist", np.zeros(6))
    batch.step(count=500)
    assert batch.running.all() and (batch.contacts.modes == "stick").all()
    feet = batch.site_force("right_sole") + batch.site_force("left_sole")
    np.testing.assert_allclose(feet[:, 2], robot.mass * G, rtol=0.02)


def test_a_saved_batch_goes_on_with_the_same_bits(robot):
    batch = standing(robot)
    batch.step(count=50)
    saved = batch.save()
    batch.step(count=50)
    expected = batch.q.copy()
    batch.restore(saved)
    np.testing.assert_allclose(batch.time, 0.05)
    batch.step(count=50)
    np.testing.assert_array_equal(batch.q, expected)
    with pytest.raises(ValueError, match="bytes"):
        batch.restore(saved[:-1])


def test_some_worlds_begin_anew(robot):
    batch = standing(robot)
    batch.step(count=20)
    which = np.arange(N) % 2 == 0
    before = batch.q.copy()
    batch.reset(batch.placed(robot.posture("half_sitting")), which=which)
    np.testing.assert_array_equal(batch.time, np.where(which, 0.0, batch.time.max()))
    np.testing.assert_array_equal(batch.q[~which], before[~which])
    batch.step(count=5, which=~which)
    np.testing.assert_allclose(batch.time, np.where(which, 0.0, 0.025))


def test_a_world_that_cannot_go_on_is_named_and_waits(robot):
    batch = standing(robot)
    tau = np.zeros((N, robot.nv))
    tau[2, 10] = 1e200
    with pytest.warns(atemi.Warning, match="world 2: .*until it is reset"):
        batch.step(tau, count=20)
    assert batch.running.tolist() == [True, True, False, True, True, True]
    stopped = batch.time[2]
    batch.step(count=5)
    assert batch.time[2] == stopped and batch.time[3] > stopped
    batch.reset(batch.placed(robot.posture("half_sitting")), which=~batch.running)
    assert batch.running.all()


def test_mistakes_are_named(robot):
    with pytest.raises(ValueError, match="1 world or more"):
        atemi.SimulationBatch(robot, 0)
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        atemi.SimulationBatch(robot, 1, threads=0)
    batch = atemi.SimulationBatch(robot, 2)
    assert not batch.running.any()
    with pytest.raises(ValueError, match="a row for each of 2 worlds"):
        batch.reset(np.tile(robot.neutral(), (3, 1)))
    with pytest.raises(ValueError, match="mask of 2 bools"):
        batch.step(which=[1, 0])
    with pytest.raises(ValueError, match="tau must have shape"):
        batch.step(np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        batch.q[0, 0] = 1.0
