# SPDX-License-Identifier: Apache-2.0
"""Trapezoidal ways against Ruckig with unlimited jerk, where both solve the same problem.

Ruckig is a solver of its own: a table of profile types, each with closed forms. Ours has one
cruising velocity for every length. Durations must be equal to rounding; so must the states on the
way of a single axis, whose fastest way is unique.
"""

from __future__ import annotations

import numpy as np
import pytest

import atemi

ruckig = pytest.importorskip("ruckig")

CASES = 20_000
SETS = 4_000
AXES = 6
CLOSE = 1e-9  # s, m, m/s


def draw(random, axes):
    """Ends in motion within bounds, a fifth of them at rest."""
    V, A = random.uniform(0.2, 3.0, axes), random.uniform(0.3, 20.0, axes)
    ends = random.uniform(-2.0, 2.0, (2, axes))
    velocities = random.uniform(-1.0, 1.0, (2, axes)) * V * (random.random((2, axes)) > 0.2)
    return ends, velocities, V, A


def by_ruckig(planner, ends, velocities, V, A, duration=None):
    task = ruckig.InputParameter(len(V))
    task.current_position, task.target_position = ends.tolist()
    task.current_velocity, task.target_velocity = velocities.tolist()
    task.max_velocity, task.max_acceleration = V.tolist(), A.tolist()
    task.max_jerk = [np.inf] * len(V)
    if duration is not None:
        task.minimum_duration = duration
    way = ruckig.Trajectory(len(V))
    assert planner.calculate(task, way) == ruckig.Result.Working
    return way


def by_us(ends, velocities, V, A, duration=0.0):
    return atemi.Trapezoids(*ends, velocity=V, acceleration=A, duration=duration,
                            start_velocity=velocities[0], end_velocity=velocities[1])


def test_one_axis_takes_the_same_time_along_the_same_way():
    random, planner = np.random.default_rng(1), ruckig.Ruckig(1)
    for _ in range(CASES):
        task = draw(random, 1)
        theirs, ours = by_ruckig(planner, *task), by_us(*task)
        assert abs(ours.duration - theirs.duration) <= CLOSE
        time = random.uniform(0.0, ours.duration)
        ours_then, theirs_then = ours.at(time), theirs.at_time(time)
        assert abs(ours_then[0][0] - theirs_then[0][0]) <= CLOSE
        assert abs(ours_then[1][0] - theirs_then[1][0]) <= CLOSE


def test_one_axis_takes_the_next_time_that_has_a_way():
    random, planner = np.random.default_rng(2), ruckig.Ruckig(1)
    for _ in range(CASES):
        task, duration = draw(random, 1), random.uniform(0.0, 8.0)
        theirs, ours = by_ruckig(planner, *task, duration), by_us(*task, duration)
        assert abs(ours.duration - theirs.duration) <= CLOSE


def test_axes_arrive_together_in_the_same_time():
    random, planner = np.random.default_rng(3), ruckig.Ruckig(AXES)
    for _ in range(SETS):
        task = draw(random, AXES)
        theirs, ours = by_ruckig(planner, *task), by_us(*task)
        assert abs(ours.duration - theirs.duration) <= CLOSE
        assert np.abs(ours.at(ours.duration)[0] - task[0][1]).max() <= CLOSE


@pytest.mark.parametrize("bad", [{"velocity": 0.0}, {"acceleration": -1.0}, {"end": np.nan},
                                 {"duration": np.inf}])
def test_what_is_no_task_is_refused(bad):
    task = {"start": 0.0, "end": 1.0, "velocity": 1.0, "acceleration": 1.0} | bad
    with pytest.raises(ValueError, match="finite"):
        atemi.Trapezoids(task.pop("start"), task.pop("end"), **task)
